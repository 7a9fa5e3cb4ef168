"""Figure 11: how often the act is taken where it was open, round by round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from reports import style
from reports.figures.layout import panels, panels_height

if TYPE_CHECKING:
    from pipeline.analysis.model import FigureData

PANEL = 1.45


def height(data: FigureData) -> float:
    return panels_height(data, PANEL)


def draw(data: FigureData, place: style.Place) -> None:
    for axes, rows in panels(place, data, PANEL):
        steady = rows.filter(pl.col("steady")).sort("round")
        rows = steady if steady.height else rows.sort("round")
        x = rows["round"].to_list()
        low, high, hazard = ([100 * v for v in rows[name]] for name in ("low", "high", "hazard"))
        axes.fill_between(x, low, high, color=style.SEATS[0], alpha=0.22, linewidth=0)
        axes.plot(x, hazard, color=style.SEATS[0], marker="o", markersize=2.6, linewidth=1.2)
        axes.set_ylim(0, min(102.0, 1.12 * max(high) + 1))
        if len(x) == 1:
            axes.set_xlim(x[0] - 1, x[0] + 1)
        axes.grid(axis="y")
        style.ticks(axes, y=False, integer=True)
        style.ticks(axes, x=False)
        axes.set_xlabel("round (one turn of each player)")
        axes.set_ylabel("% of turns")
