"""Figure 3: how often each seat finishes first, second, .., as bars that fill the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from pipeline.analysis.model import highest
from reports import style
from reports.figures.layout import Group, cells, legend, row_axes, rows_height

if TYPE_CHECKING:
    from pipeline.analysis.model import FigureData

TOP = 0.26
DARK = (0x16, 0x32, 0x4F)
LIGHT = (0xE3, 0xE9, 0xF0)


def shade(step: int, steps: int) -> str:
    """From dark (first) to light (last)."""
    part = step / max(1, steps - 1)
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in zip(DARK, LIGHT, strict=True))


def _groups(data: FigureData) -> list[Group]:
    return [
        Group(heading, tuple(style.seat_name(seat) for seat in sorted(set(rows["seat"]))))
        for _, heading, rows in cells(data)
    ]


def height(data: FigureData) -> float:
    return rows_height(_groups(data), row=0.24, extra=TOP)


def draw(data: FigureData, place: style.Place) -> None:
    axes, places = row_axes(place, _groups(data), row=0.24, extra=TOP, right=0.1)
    most = highest(data.frame.filter(pl.col("cell").is_in(data.shown))["players"])
    for (_, _, rows), ys in zip(cells(data), places, strict=True):
        players = int(rows["players"][0])
        left = dict.fromkeys(range(players), 0.0)
        for row in rows.sort("seat", "rank").iter_rows(named=True):
            seat, share = row["seat"], 100 * row["share"]
            color = shade(row["rank"] - 1, most)
            axes.barh(ys[seat], share, left=left[seat], height=0.78, color=color, edgecolor=style.PAPER)
            if share >= 7:
                ink = "#ffffff" if row["rank"] - 1 < most / 2 else "#000000"
                at = left[seat] + share / 2
                axes.text(at, ys[seat], f"{share:.0f}", ha="center", va="center", color=ink, fontsize=style.SMALL)
            left[seat] += share
    axes.set_xlim(0, 100)
    axes.grid(False)
    style.ticks(axes, y=False)
    axes.set_xlabel("percent of games")
    _legend(place, most)


def _legend(place: style.Place, most: int) -> None:
    from matplotlib.patches import Patch

    handles = [Patch(facecolor=shade(step, most), edgecolor=style.GRID) for step in range(most)]
    legend(place, handles, [f"{style.seat_name(step)} place" for step in range(most)])
