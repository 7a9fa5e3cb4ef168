"""Figure 14: what each seat's points come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.lines import Line2D

from reports import style
from reports.figures.layout import Group, cells, interval, legend, row_axes, rows_height

if TYPE_CHECKING:
    from pipeline.analysis.model import FigureData

TOP = 0.26
TALL = 0.3


def _groups(data: FigureData) -> list[Group]:
    return [
        Group(heading, tuple(style.plain(name, 24) for name in dict.fromkeys(rows["source"])))
        for _, heading, rows in cells(data)
    ]


def height(data: FigureData) -> float:
    return rows_height(_groups(data), row=TALL, extra=TOP)


def draw(data: FigureData, place: style.Place) -> None:
    axes, places = row_axes(place, _groups(data), row=TALL, extra=TOP)
    seats: set[int] = set()
    axes.axvline(0, color=style.MUTED, linewidth=0.9, zorder=1)
    for (_, _, rows), ys in zip(cells(data), places, strict=True):
        sources = list(dict.fromkeys(rows["source"]))
        players = int(rows["players"][0])
        for row in rows.iter_rows(named=True):
            step = 0.6 * ((row["seat"] + 0.5) / players - 0.5)
            y = ys[sources.index(row["source"])] + step
            look = style.seat_look(row["seat"])
            interval(axes, row["low"], row["high"], y, look["color"], 1.2)
            axes.plot([row["mean"]], [y], **look, markersize=4.2, linestyle="none", zorder=3)
            seats.add(row["seat"])
    for ys in places:
        for y in ys:
            axes.axhline(y + 0.5, color=style.GRID, linewidth=0.5, zorder=0)
    style.ticks(axes, y=False, count=7)
    axes.set_xlabel("points a game, mean")
    order = sorted(seats)
    handles = [Line2D([], [], **style.seat_look(seat), markersize=4.5, linestyle="none") for seat in order]
    legend(place, handles, [f"{style.seat_name(seat)} seat" for seat in order], columns=6)
