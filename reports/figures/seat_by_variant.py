"""Figure 16: each seat with and without a variant."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
from matplotlib.lines import Line2D

from pipeline.analysis.model import highest
from reports import style
from reports.figures.layout import Group, interval, legend, row_axes, rows_height

if TYPE_CHECKING:
    from pipeline.analysis.model import FigureData

TOP = 0.26
TALL = 0.28
MOST = 8
OFFSET = 0.16
SIDES = (("base", -OFFSET), ("with", OFFSET))


def _pairs(data: FigureData) -> list[tuple[str, pl.DataFrame]]:
    names = list(dict.fromkeys(data.frame["pair"]))
    sizes = {name: int(data.frame.filter(pl.col("pair") == name)["n"].sum()) for name in names}
    kept = sorted(names, key=lambda name: (-sizes[name], name))[:MOST]
    return [(name, data.frame.filter(pl.col("pair") == name)) for name in names if name in kept]


def _groups(data: FigureData) -> list[Group]:
    return [
        Group(
            f"{style.plain(name, 62)}, n = {_n(rows, 'with'):,} and {_n(rows, 'base'):,}",
            tuple(style.seat_name(seat) for seat in sorted(set(rows["seat"]))),
        )
        for name, rows in _pairs(data)
    ]


def _n(rows: pl.DataFrame, side: str) -> int:
    return highest(rows.filter(pl.col("side") == side)["n"])


def height(data: FigureData) -> float:
    return rows_height(_groups(data), row=TALL, extra=TOP)


def draw(data: FigureData, place: style.Place) -> None:
    axes, places = row_axes(place, _groups(data), row=TALL, extra=TOP)
    axes.axvline(0, color=style.MUTED, linewidth=0.9, zorder=1)
    for (_, rows), ys in zip(_pairs(data), places, strict=True):
        for seat, y in enumerate(ys):
            mine = {row["side"]: row for row in rows.filter(pl.col("seat") == seat).iter_rows(named=True)}
            axes.plot(
                [mine["base"]["pp"], mine["with"]["pp"]], [y - OFFSET, y + OFFSET], color=style.MUTED, linewidth=0.8
            )
            for side, step in SIDES:
                row, color = mine[side], style.SEATS[0] if side == "with" else style.MUTED
                interval(axes, row["low"], row["high"], y + step, color, 1.2)
                axes.plot(
                    [row["pp"]], [y + step], marker="D" if side == "with" else "o", markeredgecolor=color,
                    markerfacecolor=color if side == "with" else style.PAPER, linestyle="none", zorder=3,
                )  # fmt: skip
    style.ticks(axes, y=False, count=7)
    axes.set_xlabel("percentage points from the fair share 1/n")
    handles = [
        Line2D([], [], marker="o", color=style.MUTED, markerfacecolor=style.PAPER),
        Line2D([], [], marker="D", color=style.SEATS[0]),
    ]
    legend(place, handles, ["without (second named)", "with the variant (first named)"])
