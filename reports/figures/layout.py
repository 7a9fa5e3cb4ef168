"""What figures share: walking over cells, rows with headings, and columns of small panels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from reports import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pipeline.analysis.model import FigureData

ROW = 0.2
"""Inches from row to row."""
AXIS = 0.44
"""Inches below the axes for ticks and the axis' label."""
UNDER = {"facecolor": style.PAPER, "edgecolor": "none", "pad": 0.8}
"""Paper under a heading, so that no line runs through it."""
LABEL = 46
"""Columns of a cell's label above its rows."""
WORDS = style.SMALL
LINE = 0.155
"""Type size, and inches from line to line, of the words above a panel."""


def cells(data: FigureData) -> Iterator[tuple[str, str, pl.DataFrame]]:
    """Key, heading and rows of each cell that is shown."""
    for key in data.shown:
        rows = data.frame.filter(pl.col("cell") == key)
        if rows.height:
            yield key, heading(rows), rows


def heading(rows: pl.DataFrame) -> str:
    """`4 players, n = 5,000` of a cell's rows; the number stays with its n."""
    label = style.plain(str(rows["label"][0]), LABEL)
    return f"{label}, n\u00a0=\u00a0{rows['games'][0]:,}" if "games" in rows.columns else label


@dataclass(frozen=True)
class Group:
    """Rows under one heading."""

    heading: str
    labels: tuple[str, ...]


def rows_height(groups: Sequence[Group], row: float = ROW, extra: float = 0.0) -> float:
    """Inches that `row_axes` needs for these groups."""
    return sum(1.15 + len(group.labels) for group in groups) * row + AXIS + 0.08 + extra


def row_axes(
    place: style.Place, groups: Sequence[Group], right: float = 0.0, row: float = ROW, extra: float = 0.0
) -> tuple[Axes, list[list[float]]]:
    """Axes whose rows run from top to bottom, and the y of each row of each group.

    `right` inches stay free for a column of text, `extra` inches on top for a legend.
    """
    left = style.label_width([label for group in groups for label in group.labels])
    bottom = AXIS
    height = place.height - bottom - extra
    axes = place.axes(left, bottom, place.width - left - right - 0.08, height)
    span = height / row
    axes.set_ylim(span, 0)
    y = 0.0
    places: list[list[float]] = []
    names: list[str] = []
    for group in groups:
        axes.text(
            -left / (place.width - left - right - 0.08), y + 0.75, group.heading, weight="bold",
            transform=axes.get_yaxis_transform(), va="center", fontsize=style.SMALL + 0.4,
            bbox=UNDER, zorder=4,
        )  # fmt: skip
        mine = [y + 1.6 + i for i in range(len(group.labels))]
        places.append(mine)
        names += group.labels
        y += 1.15 + len(group.labels)
    axes.set_yticks([at for mine in places for at in mine], names)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x")
    return axes, places


def beside(axes: Axes, y: float, text: str, offset: float = 6.0, **more: Any) -> None:
    """Text to the right of the axes, in a row, `offset` points from them."""
    axes.annotate(
        text, (1.0, y), xycoords=axes.get_yaxis_transform(), xytext=(offset, 0), textcoords="offset points",
        va="center", annotation_clip=False, **{"fontsize": style.SMALL, **more},
    )  # fmt: skip


def interval(axes: Axes, low: float, high: float, y: float, color: str, width: float = 1.6) -> None:
    """A horizontal interval in a row."""
    axes.plot([low, high], [y, y], color=color, linewidth=width, solid_capstyle="butt", zorder=2)


def intervals(
    axes: Axes, lows: Sequence[float], highs: Sequence[float], ys: Sequence[float], color: str, width: float = 1.6
) -> None:
    """Horizontal intervals in as many rows."""
    axes.hlines(ys, lows, highs, colors=color, linewidth=width, capstyle="butt", zorder=2)


def rules(axes: Axes, ys: Sequence[float]) -> None:
    """Fine lines across the axes below the rows."""
    across = axes.get_yaxis_transform()
    axes.hlines(ys, 0, 1, colors=style.GRID, linewidth=0.5, transform=across, zorder=0)


def column_count(data: FigureData) -> int:
    """Panels side by side: one cell alone gets the whole width."""
    return 1 if len(data.shown) == 1 else 2


def _panel_words(data: FigureData) -> list[list[tuple[str, bool]]]:
    """Lines above each panel, and which are headings: the cell, and a column `summary` where there is one."""
    width = style.WIDTH / column_count(data) - 0.3
    found = []
    for _, heading, rows in cells(data):
        lines = [(line, True) for line in style.wrapped(heading, width, WORDS * 1.1)]
        if "summary" in rows.columns:
            lines += [(line, False) for line in style.wrapped(rows["summary"][0], width, WORDS)]
        found.append(lines)
    return found


def _head(data: FigureData) -> float:
    """Inches above each panel."""
    return max((len(lines) for lines in _panel_words(data)), default=0) * LINE + 0.16


def panels_height(data: FigureData, panel: float, extra: float = 0.0) -> float:
    """Inches that `panels` needs."""
    rows = -(-len(data.shown) // column_count(data))
    return rows * (panel + _head(data) + AXIS) + extra


def panels(
    place: style.Place, data: FigureData, panel: float, extra: float = 0.0, left: float = 0.5
) -> Iterator[tuple[Axes, pl.DataFrame]]:
    """A grid of axes of one size with words above, one a cell; `extra` inches on top stay free for a legend."""
    columns, head = column_count(data), _head(data)
    width, height = place.width / columns, panel + head + AXIS
    for i, ((_, _, rows), lines) in enumerate(zip(cells(data), _panel_words(data), strict=True)):
        x, bottom = i % columns * width, place.height - extra - (i // columns + 1) * height
        yield place.axes(x + left, bottom + AXIS, width - left - 0.14, panel), rows
        for j, (line, bold) in enumerate(lines):
            place.text(
                x, bottom + height - 0.1 - j * LINE, line, fontsize=WORDS, va="top",
                weight="bold" if bold else "normal", color=style.INK if bold else style.MUTED,
            )  # fmt: skip


def legend(place: style.Place, handles: Sequence[Any], labels: Sequence[str], columns: int | None = None) -> None:
    """A legend along the top of a place, in a row of its own (0.24 inches)."""
    w, h = place.figure.get_size_inches()
    place.figure.legend(
        handles, labels, loc="upper left", ncols=columns or len(labels), borderaxespad=0.0, borderpad=0.0,
        bbox_to_anchor=(place.left / w, (place.bottom + place.height - 0.02) / h),
        handlelength=1.8, columnspacing=1.2, handletextpad=0.5,
    )  # fmt: skip
