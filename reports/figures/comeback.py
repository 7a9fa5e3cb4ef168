"""Figure 7: the win share of seats by how far they are behind, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from reports import style
from reports.figures.heat import heat
from reports.figures.layout import AXIS, cells

if TYPE_CHECKING:
    from pipeline.analysis.model import FigureData

ROW = 0.22
HEAD = 0.3
LEAST_SEATS = 20


def _filled(rows: pl.DataFrame) -> pl.DataFrame:
    """What rests on enough seats."""
    return rows.filter(pl.col("seats") >= LEAST_SEATS)


def _heights(data: FigureData) -> list[float]:
    return [HEAD + ROW * max(1, _filled(rows)["bin"].n_unique()) + AXIS for _, _, rows in cells(data)]


def height(data: FigureData) -> float:
    return sum(_heights(data))


def draw(data: FigureData, place: style.Place) -> None:
    top = place.height
    phases = list(range(1, 10))
    for (_, heading, rows), tall in zip(cells(data), _heights(data), strict=True):
        top -= tall
        rows = _filled(rows)
        bins = sorted(set(rows["bin"]))
        names = dict(rows.select("bin", "behind").iter_rows())
        labels = [names[b] if b == 0 else f"{names[b]} behind" for b in bins]
        left = style.label_width(labels)
        axes = place.axes(left, top + AXIS, place.width - left - 0.08, tall - HEAD - AXIS)
        values = {(bins.index(row["bin"]), row["phase"] - 1): 100 * row["share"] for row in rows.iter_rows(named=True)}
        heat(axes, values, [f"{10 * phase}" for phase in phases], labels, 100.0)
        place.text(0, top + tall - 0.18, heading, fontsize=style.SMALL + 0.4, weight="bold")
        axes.set_xlabel(f"percent of the game played; empty: fewer than {LEAST_SEATS} seats")
