"""Rows with a mark and an interval for each seat, or each of a few other series."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import polars as pl
from matplotlib.lines import Line2D

from reports import style
from reports.figures.layout import Group, cells, intervals, legend, row_axes, rows_height, rules

if TYPE_CHECKING:
    from pipeline.analysis.model import FigureData

TOP = 0.26
TALL, FLAT = 0.3, 0.22
"""Inches of a row with several marks, and with one."""
LONGEST = 28


def rows_of(data: FigureData, name: str) -> tuple[list[Group], list[list[str]]]:
    """The groups to draw, one a cell, and the values of the column `name` that their rows stand for."""
    values = [list(dict.fromkeys(rows[name])) for _, _, rows in cells(data)]
    groups = [
        Group(heading, tuple(style.plain(value, LONGEST) for value in mine))
        for (_, heading, _), mine in zip(cells(data), values, strict=True)
    ]
    return groups, values


def row_height(several: bool) -> float:
    return TALL if several else FLAT


def height(data: FigureData, name: str, several: bool = True) -> float:
    """Inches of `draw`."""
    return rows_height(rows_of(data, name)[0], row=row_height(several), extra=TOP if several else 0.0)


def draw(
    data: FigureData, place: style.Place, name: str, value: str, unit: str, series: Sequence[Any],
    at: Callable[[pl.DataFrame], pl.Series], look: Callable[[int], dict[str, Any]], words: Sequence[str],
) -> None:  # fmt: skip
    """Rows by the column `name`, marks at the column `value` with `low` and `high`.

    `at` gives the series of each of a cell's rows (null: not drawn), one of `series`; `look` and `words` what the
    series looks like and is called, by its index. One series alone has no legend.
    """
    several = len(series) > 1
    tall = row_height(several)
    groups, values = rows_of(data, name)
    axes, places = row_axes(place, groups, row=tall, extra=TOP if several else 0.0)
    axes.axvline(0, color=style.MUTED, linewidth=0.9, zorder=1)
    # All of a series at once: a line of its own for each row would take as long to draw as all the rest.
    marks: dict[int, list[tuple[float, float, float, float]]] = {}
    for (_, _, rows), names, ys in zip(cells(data), values, places, strict=True):
        mine = at(rows)
        present = [each for each in series if each in set(mine)]
        for row, each in zip(rows.iter_rows(named=True), mine, strict=True):
            if each is None:
                continue
            step = 0.6 * ((present.index(each) + 0.5) / len(present) - 0.5)
            y = ys[names.index(row[name])] + step
            marks.setdefault(series.index(each), []).append((row["low"], row["high"], row[value], y))
    for i, found in sorted(marks.items()):
        lows, highs, middles, heights = zip(*found, strict=True)
        intervals(axes, lows, highs, heights, look(i)["color"], 1.2)
        axes.plot(middles, heights, **look(i), markersize=4.2, linestyle="none", zorder=3)
    rules(axes, [y + 0.5 for ys in places for y in ys])
    style.ticks(axes, y=False, count=7)
    axes.set_xlabel(unit)
    if several:
        handles = [Line2D([], [], **look(i), markersize=4.5, linestyle="none") for i in range(len(series))]
        legend(place, handles, words, columns=6)
