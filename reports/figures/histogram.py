"""Figures 9 and 10: how long games last, and by how much they are won."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports import style
from reports.figures.layout import panels, panels_height

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

    from pipeline.analysis.model import FigureData

PANEL = 1.25
MOST_BARS = 40


def height(data: FigureData) -> float:
    return panels_height(data, PANEL)


def draw(data: FigureData, place: style.Place) -> None:
    for axes, rows in panels(place, data, PANEL):
        _bars(axes, rows)
        axes.set_xlabel(data.unit)
        axes.set_ylabel("% of games")


def _bars(axes: Axes, rows: pl.DataFrame) -> None:
    # Half points lie half a point apart: everything here is in steps between possible values.
    grain = float(rows["grain"][0]) if "grain" in rows.columns else 1
    values, counts = [round(value / grain) for value in rows["value"]], rows["count"].to_list()
    low, high = min(values), max(values)
    step = -(-(high - low + 1) // MOST_BARS)
    total = sum(counts)
    heights: dict[int, float] = {}
    for value, count in zip(values, counts, strict=True):
        bar = low + (value - low) // step * step
        heights[bar] = heights.get(bar, 0.0) + 100 * count / total
    q25, median, q75 = (float(rows[name][0]) for name in ("q25", "median", "q75"))
    axes.axvspan(q25 - 0.5 * grain, q75 + 0.5 * grain, color=style.BAND, zorder=0, linewidth=0)
    axes.bar(
        [grain * (bar + (step - 1) / 2) for bar in heights], list(heights.values()), width=0.9 * step * grain,
        color=style.SEATS[0], zorder=2,
    )  # fmt: skip
    axes.axvline(median, color=style.ACCENT, linewidth=1.3, zorder=3)
    if low == high:
        axes.set_xlim(grain * (low - 2), grain * (high + 2))
    style.ticks(axes, integer=grain == 1)
