"""Figure 14: what each seat's points come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports import style
from reports.figures import series_rows
from reports.figures.layout import cells

if TYPE_CHECKING:
    from pipeline.analysis.model import FigureData


def height(data: FigureData) -> float:
    return series_rows.height(data, "source")


def draw(data: FigureData, place: style.Place) -> None:
    seats = sorted({seat for _, _, rows in cells(data) for seat in rows["seat"]})
    words = [f"{style.seat_name(seat)} seat" for seat in seats]
    series_rows.draw(
        data, place, "source", "mean", "points a game, mean", seats, lambda rows: rows["seat"],
        lambda i: style.seat_look(seats[i]), words,
    )  # fmt: skip
