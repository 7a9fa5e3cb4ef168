"""Figure 13: winning after the act: the naive difference, and the odds ratio adjusted for what was known before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports import style
from reports.figures.layout import AXIS, UNDER, cells, interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pipeline.analysis.model import FigureData

ROW = 0.6
HEAD = 0.3


def height(data: FigureData) -> float:
    return ROW * len(data.shown) + HEAD + AXIS + 0.1


def draw(data: FigureData, place: style.Place) -> None:
    found = list(cells(data))
    half = place.width / 2
    tall = place.height - HEAD - AXIS
    boxes = [place.axes(0.1, AXIS, half - 0.35, tall), place.axes(half + 0.15, AXIS, half - 0.25, tall)]
    for axes, name, words in zip(
        boxes, ("naive", "odds_ratio"), ("naive, descriptive", "adjusted, association"), strict=True
    ):
        axes.set_ylim(len(found), 0)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        axes.grid(axis="x")
        axes.text(0, 1.03, words, transform=axes.transAxes, fontsize=style.SMALL + 0.4, weight="bold")
        for i, (_, heading, rows) in enumerate(found):
            row = rows.row(0, named=True)
            low, high = (row[f"naive_{end}"] if name == "naive" else row[end] for end in ("low", "high"))
            _point(axes, row[name], low, high, i + 0.8, filled=name != "naive")
            if name == "naive":
                top = AXIS + tall * (1 - (i + 0.26) / len(found))
                place.text(0.1, top, heading, fontsize=style.SMALL, weight="bold", va="center", bbox=UNDER)
            axes.text(
                0.0, i + 0.55, _told(row, name), transform=axes.get_yaxis_transform(), fontsize=style.SMALL, va="center"
            )
    boxes[0].axvline(0, color=style.MUTED, linewidth=0.9, zorder=1)
    style.ticks(boxes[0], y=False)
    boxes[0].set_xlabel("win share, percentage points")
    boxes[1].axvline(1, color=style.MUTED, linewidth=0.9, zorder=1)
    _odds_axis(boxes[1])
    boxes[1].set_xlabel("odds ratio of winning (log scale)")


def _told(row: dict[str, float], name: str) -> str:
    low, high = (row[f"naive_{end}"] if name == "naive" else row[end] for end in ("low", "high"))
    value, low_told, high_told = (_number(number, name) for number in (row[name], low, high))
    return f"{value} (95% {low_told} to {high_told})"


def _number(value: float, name: str) -> str:
    if name == "naive":
        return f"{value:+.1f}".replace("-", "\u2212")
    return f"{value:.2f}" if value >= 0.1 else f"{value:.2g}"


def _point(axes: Axes, value: float, low: float, high: float, y: float, filled: bool) -> None:
    color = style.SEATS[0] if filled else style.MUTED
    if low == low and high == high:
        interval(axes, low, high, y, color)
    axes.plot(
        [value], [y], marker="D" if filled else "o", markeredgecolor=color, linestyle="none", zorder=3,
        markerfacecolor=color if filled else style.PAPER,
    )  # fmt: skip


def _odds_axis(axes: Axes) -> None:
    from matplotlib.ticker import NullLocator

    axes.set_xscale("log")
    low, high = axes.get_xlim()
    low, high = min(low, 0.8), max(high, 1.25)
    axes.set_xlim(low, high)
    marks = [0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5]
    if high / low > 200:
        marks = [10.0**e for e in range(-12, 13)]
    elif high / low > 4:
        marks = [step * 10.0**e for e in range(-3, 3) for step in (1, 2, 5)]
    at = [mark for mark in marks if low <= mark <= high]
    at = at[:: -(-len(at) // 6)]
    axes.set_xticks(at, [f"{mark:g}" for mark in at])
    axes.xaxis.set_minor_locator(NullLocator())
