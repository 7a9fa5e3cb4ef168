"""Figure 15: what each variant changes, as differences over the spread between games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from pipeline.analysis.model import highest
from reports import style
from reports.figures.layout import Group, beside, interval, row_axes, rows_height

if TYPE_CHECKING:
    from pipeline.analysis.model import FigureData

RIGHT = 1.6
MOST = 5


def _parts(data: FigureData) -> list[tuple[str, pl.DataFrame]]:
    """The variants to draw: the first MOST by their largest effect."""
    strength = data.frame.group_by("variant").agg(pl.col("g").abs().max().alias("most"))
    names = strength.sort("most", "variant", descending=[True, False])["variant"].head(MOST).to_list()
    return [(name, data.frame.filter(pl.col("variant") == name)) for name in sorted(names, key=names.index)]


def _groups(data: FigureData) -> list[Group]:
    return [
        Group(_heading(name, rows), tuple(what.split(" (")[0] for what in rows["what"])) for name, rows in _parts(data)
    ]


def _heading(name: str, rows: pl.DataFrame) -> str:
    return f"{style.plain(name, 70)}, n = {highest(rows['n_on']):,} and {highest(rows['n_off']):,}"


def height(data: FigureData) -> float:
    return rows_height(_groups(data), row=0.215)


def draw(data: FigureData, place: style.Place) -> None:
    axes, places = row_axes(place, _groups(data), right=RIGHT, row=0.215)
    axes.axvline(0, color=style.MUTED, linewidth=0.9, zorder=1)
    axes.axvspan(-0.2, 0.2, color=style.BAND, zorder=0, linewidth=0)
    for (_, rows), ys in zip(_parts(data), places, strict=True):
        for row, y in zip(rows.iter_rows(named=True), ys, strict=True):
            sure = row["p_adjusted"] < 0.05
            color = style.INK if sure else style.MUTED
            interval(axes, row["low"], row["high"], y, color)
            axes.plot(
                [row["g"]], [y], marker="o", markeredgecolor=color, markerfacecolor=color if sure else style.PAPER,
                linestyle="none", zorder=3,
            )  # fmt: skip
            beside(axes, y, _told(row), color=color)
    low, high = axes.get_xlim()
    axes.set_xlim(min(low, -0.3), max(high, 0.3))
    style.ticks(axes, y=False, count=4)
    axes.set_xlabel("difference over the spread between games (g); shaded: small")


def _told(row: dict[str, Any]) -> str:
    unit = row["what"].split(" (")[1].rstrip(")")
    scale, unit = (100, "%") if unit in ("of games", "of the game") else (1, f" {unit}")
    off, on = (f"{scale * row[name]:,.3g}" for name in ("mean_off", "mean_on"))
    return f"{off} \u2192 {on}{unit}".replace("-", "\u2212")
