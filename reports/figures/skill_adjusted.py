"""Figure 2: each seat's win share as it is, and among equal players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.lines import Line2D

from reports import style
from reports.figures.layout import Group, cells, interval, legend, row_axes, rows_height

if TYPE_CHECKING:
    from pipeline.analysis.model import FigureData

TOP = 0.26
TALL = 0.28
OFFSET = 0.17


def _groups(data: FigureData) -> list[Group]:
    return [Group(heading, tuple(style.seat_name(seat) for seat in rows["seat"])) for _, heading, rows in cells(data)]


def height(data: FigureData) -> float:
    return rows_height(_groups(data), row=TALL, extra=TOP)


def draw(data: FigureData, place: style.Place) -> None:
    axes, places = row_axes(place, _groups(data), row=TALL, extra=TOP)
    axes.axvline(0, color=style.MUTED, linewidth=0.9, zorder=1)
    for (_, _, rows), ys in zip(cells(data), places, strict=True):
        for row, y in zip(rows.iter_rows(named=True), ys, strict=True):
            for name, step, color, face in (
                ("raw", -OFFSET, style.MUTED, style.PAPER), ("adjusted", OFFSET, style.SEATS[0], style.SEATS[0])
            ):  # fmt: skip
                interval(axes, row[f"{name}_low"], row[f"{name}_high"], y + step, color)
                axes.plot(
                    [row[name]], [y + step], marker=_marker(name), markerfacecolor=face, markeredgecolor=color,
                    zorder=3, linestyle="none",
                )  # fmt: skip
    style.ticks(axes, y=False, count=7)
    axes.set_xlabel("percentage points from the fair share 1/n")
    handles = [
        Line2D([], [], marker="o", markerfacecolor=style.PAPER, color=style.MUTED),
        Line2D([], [], marker="D", color=style.SEATS[0]),
    ]
    legend(place, handles, ["as played", "among equal players"])


def _marker(name: str) -> str:
    return "o" if name == "raw" else "D"
