"""Figure 17: the evidence against fair seats as games come in, on a scale that may be watched."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pipeline.analysis.model import highest
from reports import style
from reports.figures.layout import cells, legend

if TYPE_CHECKING:
    from pipeline.analysis.model import FigureData

PANEL = 2.3
ROW = 0.17
LOW, HIGH = -4.0, 8.0
STOP = 20.0


def height(data: FigureData) -> float:
    return PANEL + 0.6 + 0.17 * len(data.shown)


def draw(data: FigureData, place: style.Place) -> None:
    lowest = max(LOW, min(-1.0, *data.frame["log10_e"]))
    top = min(HIGH, max(2.2, *data.frame["log10_e"]) + 0.2)
    exponents = list(range(math.ceil(lowest - 0.2), math.floor(top) + 1))
    exponents = exponents[:: max(1, -(-len(exponents) // 7))]
    left = style.label_width([_power(e) for e in exponents]) + 0.3
    axes = place.axes(left, 0.44, place.width - left - 0.2, PANEL)
    handles, names = [], []
    for i, (_, heading, rows) in enumerate(cells(data)):
        path = [min(HIGH + 1, max(LOW - 1, value)) for value in rows["log10_e"]]
        (line,) = axes.plot(rows["game"], path, color=style.SEATS[i % 4], linestyle=style.seat_line(i), zorder=3)
        handles.append(line)
        names.append(heading)
    stop = math.log10(STOP)
    axes.axhline(stop, color=style.ACCENT, linewidth=1)
    axes.axhline(0, color=style.MUTED, linewidth=0.8)
    axes.text(
        0.01, stop + 0.15, "evidence enough: unfair", color=style.ACCENT, fontsize=style.SMALL,
        transform=axes.get_yaxis_transform(),
    )  # fmt: skip
    axes.set_ylim(lowest - 0.2, top)
    axes.set_xscale("log")
    axes.grid(axis="y")
    axes.set_yticks(exponents, [_power(e) for e in exponents])
    _whole_games(axes, highest(data.frame["game"]))
    axes.set_xlabel("games played, in their order (log scale)")
    axes.set_ylabel("odds against fair seats")
    legend(place, handles, names, columns=1)


def _power(exponent: int) -> str:
    size = abs(exponent)
    words = f"{10**size:,}" if size < 6 else f"{10 ** (size - 6):,} million"
    return f"{words} : 1" if exponent >= 0 else f"1 : {words}"


def _whole_games(axes: object, most: int) -> None:
    from matplotlib.axes import Axes
    from matplotlib.ticker import NullLocator

    assert isinstance(axes, Axes)
    at = [10**e for e in range(len(str(most)))]
    at = at[(len(at) - 1) % -(-len(at) // 5) :: -(-len(at) // 5)]
    axes.set_xlim(1, max(10, most))
    axes.set_xticks(at, [f"{value:,}" for value in at])
    axes.xaxis.set_minor_locator(NullLocator())
