"""Figure 5: how scores grow over a game: all players, the winners, and the middle half."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from reports import style
from reports.figures.layout import cells, column_count, legend, panels, panels_height

if TYPE_CHECKING:
    from pipeline.analysis.model import FigureData

PANEL = 1.5
TOP = 0.26


def height(data: FigureData) -> float:
    return panels_height(len(data.shown), column_count(data), PANEL, extra=TOP)


def draw(data: FigureData, place: style.Place) -> None:
    found = list(cells(data))
    handles = []
    for axes, (_, heading, rows) in zip(
        panels(place, len(found), column_count(data), extra=TOP), found, strict=True
    ):
        everyone = rows.filter(pl.col("group") == "all").sort("phase")
        winners = rows.filter(pl.col("group") == "winners").sort("phase")
        x = [10 * phase for phase in everyone["phase"]]
        band = axes.fill_between(x, everyone["q25"], everyone["q75"], color=style.GRID, linewidth=0)
        (middle,) = axes.plot(x, everyone["median"], color=style.SEATS[0], marker="o", markersize=3)
        (best,) = axes.plot(x, winners["median"], color=style.ACCENT, linestyle=style.LINES[1])
        axes.set_title(heading, fontsize=style.SMALL + 0.4)
        axes.set_xlim(0, 100)
        axes.set_xlabel("percent of the game played")
        axes.set_ylabel("score, points")
        style.ticks(axes)
        handles = [middle, band, best]
    legend(place, handles, ["all players: median", "middle half", "winners: median"])
