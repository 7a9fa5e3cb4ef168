"""Figure 12: how often each seat takes the act where it was open, by part of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports import style
from reports.figures.heat import heat
from reports.figures.layout import AXIS, cells

if TYPE_CHECKING:
    from pipeline.analysis.model import FigureData

ROW = 0.25
HEAD = 0.3


def _heights(data: FigureData) -> list[float]:
    return [HEAD + ROW * rows["seat"].n_unique() + AXIS for _, _, rows in cells(data)]


def height(data: FigureData) -> float:
    return sum(_heights(data))


def draw(data: FigureData, place: style.Place) -> None:
    top = place.height
    for (_, heading, rows), tall in zip(cells(data), _heights(data), strict=True):
        top -= tall
        seats, phases = sorted(set(rows["seat"])), sorted(set(rows["phase"]))
        names = dict(rows.select("phase", "rounds").iter_rows())
        axes = place.axes(0.5, top + AXIS, place.width - 0.58, tall - HEAD - AXIS)
        values = {
            (seats.index(row["seat"]), phases.index(row["phase"])): 100 * row["rate"]
            for row in rows.iter_rows(named=True)
            if row["rate"] is not None
        }
        heat(axes, values, [names[p] for p in phases], [style.seat_name(seat) for seat in seats], 100.0)
        place.text(0, top + tall - 0.18, heading, fontsize=style.SMALL + 0.4, weight="bold")
        axes.set_xlabel("rounds (one turn of each player)")
