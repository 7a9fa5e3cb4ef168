"""Figure 5: how scores grow over a game: each seat's median, and the middle half of all players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from reports import style
from reports.figures.layout import legend, panels, panels_height

if TYPE_CHECKING:
    from pipeline.analysis.model import FigureData

PANEL = 1.5
TOP = 0.42


def height(data: FigureData) -> float:
    return panels_height(data, PANEL, TOP)


def draw(data: FigureData, place: style.Place) -> None:
    handles: dict[str, Any] = {}
    for axes, rows in panels(place, data, PANEL, TOP):
        everyone = rows.filter(pl.col("seat") == -1).sort("phase")
        x = [10 * phase for phase in everyone["phase"]]
        band = axes.fill_between(x, everyone["q25"], everyone["q75"], color=style.GRID, linewidth=0)
        handles["middle half of all"] = band
        for seat in range(int(rows["players"][0])):
            own = rows.filter(pl.col("seat") == seat).sort("phase")
            (line,) = axes.plot(
                x, own["median"], linestyle=style.seat_line(seat), markersize=3.2, **style.seat_look(seat)
            )
            handles.setdefault(f"{style.seat_name(seat)} seat: median", line)
        axes.set_xlim(0, 100)
        axes.set_xlabel("percent of the game played")
        axes.set_ylabel("score, points")
        style.ticks(axes)
    legend(place, list(handles.values()), list(handles), columns=3)
