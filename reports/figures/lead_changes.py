"""Figure 8: lead changes a game, and by when the final winner leads for good."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from reports import style
from reports.figures.layout import AXIS, cells

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pipeline.analysis.model import FigureData

PANEL = 1.05
HEAD = 0.36
MOST = 12


def height(data: FigureData) -> float:
    return len(data.shown) * (PANEL + HEAD + AXIS)


def draw(data: FigureData, place: style.Place) -> None:
    tall = PANEL + HEAD + AXIS
    half = place.width / 2
    for i, (_, heading, rows) in enumerate(cells(data)):
        bottom = place.height - (i + 1) * tall + AXIS
        place.text(0, bottom + PANEL + 0.14, heading, fontsize=style.SMALL + 0.4, weight="bold")
        changes = place.axes(0.5, bottom, half - 0.64, PANEL)
        _changes(changes, rows.filter(pl.col("part") == "changes"))
        decided = place.axes(half + 0.5, bottom, half - 0.64, PANEL)
        _decided(decided, rows.filter(pl.col("part") == "clinch"))


def _changes(axes: Axes, rows: pl.DataFrame) -> None:
    heights: dict[int, float] = {}
    for value, share in rows.select("value", "share").iter_rows():
        bar = min(value, MOST)
        heights[bar] = heights.get(bar, 0.0) + 100 * share
    axes.bar(list(heights), list(heights.values()), width=0.85, color=style.SEATS[0])
    if rows.height:
        axes.axvline(rows["mean_changes"][0], color=style.ACCENT, linewidth=1.3)
    top = max(2, *heights) if heights else 2
    axes.set_xlim(-0.6, top + 0.6)
    at = list(range(0, top + 1, -(-top // 6)))
    axes.set_xticks(at, [f"{value}+" if value == MOST else str(value) for value in at])
    style.ticks(axes, x=False, count=4)
    axes.set_xlabel("lead changes (line: mean)")
    axes.set_ylabel("% of games")


def _decided(axes: Axes, rows: pl.DataFrame) -> None:
    shares = dict(rows.select("value", "share").iter_rows())
    total, x, y = 0.0, [0], [0.0]
    for tenth in range(1, 11):
        total += 100 * shares.get(tenth, 0.0) + (100 * shares.get(0, 0.0) if tenth == 1 else 0.0)
        x.append(10 * tenth)
        y.append(total)
    axes.plot(x, y, color=style.SEATS[0], marker="o", markersize=3)
    axes.set_xlim(0, 100)
    axes.set_ylim(0, 102)
    axes.grid(axis="y")
    style.ticks(axes, count=5)
    axes.set_xlabel("percent of the game played")
    axes.set_ylabel("% decided by then")
