"""What a place in an epoch's order is worth: win share on the left, points made in the epoch on the right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from reports import style
from reports.figures.layout import Group, interval, row_axes, rows_height
from reports.figures.series_rows import FLAT, rows_of

if TYPE_CHECKING:
    from pipeline.analysis.model import FigureData

GAP = 0.16


def height(data: FigureData) -> float:
    return rows_height(rows_of(data, "row")[0], row=FLAT)


def draw(data: FigureData, place: style.Place) -> None:
    groups, _ = rows_of(data, "row")
    label = style.label_width([name for group in groups for name in group.labels])
    half = (place.width - label - GAP) / 2
    bare = [Group("", tuple("" for _ in group.labels)) for group in groups]
    parts = (
        (place.part(0, 0, label + half, place.height), groups, "pp", "win share from 1/n, pp"),
        (
            place.part(label + half + GAP - 0.12, 0, half + 0.12, place.height),
            bare,
            "lead",
            "points from the mean",
        ),
    )
    for part, mine, name, words in parts:
        axes, places = row_axes(part, mine, row=FLAT)
        axes.axvline(0, color=style.MUTED, linewidth=0.9, zorder=1)
        for key, ys in zip(data.shown, places, strict=True):
            for row, y in zip(_rows(data, key), ys, strict=True):
                look = style.seat_look(0 if row["position"] == 0 else 3)
                interval(axes, row[f"{name}_low"], row[f"{name}_high"], y, look["color"], 1.2)
                axes.plot([row[name]], [y], **look, markersize=4.4, linestyle="none", zorder=3)
        style.ticks(axes, y=False, count=4)
        axes.set_xlabel(words)


def _rows(data: FigureData, key: str) -> list[dict[str, Any]]:
    return data.frame.filter(pl.col("cell") == key).to_dicts()
