"""Figure 4: how the final scores of each seat are spread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports import style
from reports.figures.layout import Group, beside, cells, row_axes, rows_height

if TYPE_CHECKING:
    from pipeline.analysis.model import FigureData

RIGHT = 1.3


def _groups(data: FigureData) -> list[Group]:
    return [Group(heading, tuple(style.seat_name(seat) for seat in rows["seat"])) for _, heading, rows in cells(data)]


def height(data: FigureData) -> float:
    return rows_height(_groups(data), row=0.23)


def draw(data: FigureData, place: style.Place) -> None:
    axes, places = row_axes(place, _groups(data), row=0.23, right=RIGHT)
    for (_, _, rows), ys in zip(cells(data), places, strict=True):
        for row, y in zip(rows.iter_rows(named=True), ys, strict=True):
            axes.plot([row["q05"], row["q95"]], [y, y], color=style.MUTED, linewidth=1, zorder=1)
            box = row["q75"] - row["q25"]
            axes.barh(y, box, left=row["q25"], height=0.62, color=style.GRID, edgecolor=style.MUTED, zorder=2)
            axes.plot([row["median"]] * 2, [y - 0.31, y + 0.31], color=style.INK, linewidth=2, zorder=3)
            axes.plot([row["mean_low"], row["mean_high"]], [y, y], color=style.ACCENT, linewidth=2, zorder=4)
            axes.plot([row["mean"]], [y], marker="D", color=style.ACCENT, markersize=3.5, zorder=5)
            beside(axes, y, f"mean {row['mean']:,.1f}", color=style.INK)
    style.ticks(axes, y=False, count=7)
    axes.set_xlabel("final score, points")
