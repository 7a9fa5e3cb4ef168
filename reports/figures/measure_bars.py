"""A title's own means and rates: rows with a mark and an interval for each seat, source or kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports import style
from reports.figures import series_rows
from reports.figures.layout import cells

if TYPE_CHECKING:
    from pipeline.analysis.model import FigureData


def _series(data: FigureData) -> list[str]:
    """In the order in which the frames have them: seats by number."""
    found = (name for _, _, rows in cells(data) for name in rows["series"].drop_nulls())
    return (
        sorted(dict.fromkeys(found)) if "seat" in data.frame.columns and _by_seat(data) else list(dict.fromkeys(found))
    )


def _by_seat(data: FigureData) -> bool:
    return bool((data.frame["seat"] >= 0).any())


def height(data: FigureData) -> float:
    return series_rows.height(data, "row", len(_series(data)) > 1)


def draw(data: FigureData, place: style.Place) -> None:
    series = _series(data)
    series_rows.draw(
        data, place, "row", "value", data.unit, series, lambda rows: rows["series"], style.seat_look,
        [name.replace("_", " ") for name in series],
    )  # fmt: skip
