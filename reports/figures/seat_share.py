"""Figure 1: each seat's win share as percentage points from its fair share, with the balanced band."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports import style
from reports.figures.layout import Group, beside, cells, interval, row_axes, rows_height

if TYPE_CHECKING:
    from pipeline.analysis.model import FigureData

RIGHT = 1.75


def _groups(data: FigureData) -> list[Group]:
    return [Group(heading, tuple(style.seat_name(seat) for seat in rows["seat"])) for _, heading, rows in cells(data)]


def height(data: FigureData) -> float:
    return rows_height(_groups(data))


def draw(data: FigureData, place: style.Place) -> None:
    axes, places = row_axes(place, _groups(data), right=RIGHT)
    delta = float(data.frame["delta"][0])
    axes.axvspan(-delta, delta, color=style.BAND, zorder=0, linewidth=0)
    axes.axvline(0, color=style.MUTED, linewidth=0.9, zorder=1)
    reach = delta
    for (_, _, rows), ys in zip(cells(data), places, strict=True):
        for row, y in zip(rows.iter_rows(named=True), ys, strict=True):
            color = style.ACCENT if row["verdict"] in ("advantaged", "disadvantaged") else style.INK
            filled = row["verdict"] not in ("inconclusive", "no verdict")
            interval(axes, row["pp_low"], row["pp_high"], y, color)
            axes.plot(
                [row["pp"]], [y], marker=_marker(row["verdict"]), markeredgecolor=color, zorder=3,
                markerfacecolor=color if filled else style.PAPER, markersize=5.5, linestyle="none",
            )  # fmt: skip
            beside(axes, y, f"{100 * row['share']:.1f}%", color=style.MUTED)
            beside(axes, y, row["verdict"], 42.0, color=color)
            reach = max(reach, -row["pp_low"], row["pp_high"])
    axes.set_xlim(-1.06 * reach, 1.06 * reach)
    style.ticks(axes, y=False, count=7)
    axes.set_xlabel(f"points from 1/n; shaded: within \u00b1{delta:g}")


def _marker(verdict: str) -> str:
    return {"advantaged": ">", "disadvantaged": "<"}.get(verdict, "o")
