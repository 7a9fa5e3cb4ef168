"""Figure 6: the chance that the leader at a moment wins in the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports import style
from reports.figures.layout import cells, legend

if TYPE_CHECKING:
    from pipeline.analysis.model import FigureData

PANEL = 2.2
LINE = 0.18


def height(data: FigureData) -> float:
    return PANEL + 0.6 + LINE * (len(data.shown) + 1)


def draw(data: FigureData, place: style.Place) -> None:
    axes = place.axes(0.5, 0.44, place.width - 0.68, PANEL)
    handles, names = [], []
    for i, (_, heading, rows) in enumerate(cells(data)):
        rows = rows.sort("phase")
        x = [10 * phase for phase in rows["phase"]]
        low, high, share = ([100 * v for v in rows[name]] for name in ("low", "high", "share"))
        color = style.SEATS[i % 4]
        axes.fill_between(x, low, high, color=color, alpha=0.18, linewidth=0)
        (line,) = axes.plot(
            x, share, color=color, linestyle=style.seat_line(i), marker=style.MARKERS[i % 5], markersize=4, zorder=3
        )
        fair = axes.axhline(100 * rows["fair"][0], color=style.MUTED, linewidth=0.8, linestyle=(0, (1, 2)))
        handles.append(line)
        names.append(heading)
    axes.set_ylim(0, 102)
    axes.set_xlim(0, 100)
    axes.grid(axis="y")
    style.ticks(axes)
    axes.set_xlabel("percent of the game played")
    axes.set_ylabel("leader wins, % of games")
    legend(place, [*handles, fair], [*names, "a lead tells nothing (1/n)"], columns=1)
