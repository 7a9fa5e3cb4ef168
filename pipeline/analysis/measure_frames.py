"""Frames of a title's own measures, from what `pipeline.title_counts` counted.

All have `cell`, the estimate with its 95% interval, `n` games behind it, and the counts. `row` and `series` say
where a mark stands and what it is; `series` null: in the numbers only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from pipeline.analysis.model import Cell
from pipeline.analysis.seat_figures import ordinal
from pipeline.stats.intervals import wilson_effective
from pipeline.stats.means import mean_from_sums
from pipeline.stats.ratios import Ratio, ratio_from_sums
from pipeline.title_counts import GAMES, SUMS, TOGETHER, Asked, asked_lines, column
from pipeline.titles.measure import Bars, By, Grid, Matrix, Places, Starter

Row = dict[str, Any]
NOTHING = dict.fromkeys(SUMS, 0)
BARS_COLUMNS = {
    "cell": pl.String, "row": pl.String, "series": pl.String, "seat": pl.Int64, "n": pl.Int64, "total": pl.Int64,
    "of": pl.Int64, "value": pl.Float64, "low": pl.Float64, "high": pl.Float64,
}  # fmt: skip
"""`seat` -1: all together; `total` over `of` is the value (in percent where the unit says so)."""
MATRIX_COLUMNS = {
    "cell": pl.String, "seat": pl.Int64, "target": pl.Int64, "n": pl.Int64, "total": pl.Int64, "value": pl.Float64,
    "low": pl.Float64, "high": pl.Float64,
}  # fmt: skip
ORDER_COLUMNS = {
    "cell": pl.String, "epoch": pl.Int64, "position": pl.Int64, "row": pl.String, "n": pl.Int64, "share": pl.Float64,
    "pp": pl.Float64, "pp_low": pl.Float64, "pp_high": pl.Float64, "lead": pl.Float64, "lead_low": pl.Float64,
    "lead_high": pl.Float64,
}  # fmt: skip
"""`share` of wins in 0..1, `pp` its percentage points from 1/n, `lead` points made in the epoch over its mean."""
PLACES_COLUMNS = {
    "cell": pl.String, "row": pl.String, "series": pl.String, "place": pl.Int64, "n": pl.Int64, "total": pl.Int64,
    "gained": pl.Float64, "lost": pl.Float64, "value": pl.Float64, "low": pl.Float64, "high": pl.Float64,
}  # fmt: skip


@dataclass(frozen=True)
class Counted:
    """A title's counts by select, and the words of its code books by board and kind."""

    cells: Sequence[Cell]
    frames: Mapping[str, pl.DataFrame]
    words: Mapping[tuple[str, str], Mapping[int, str]]

    def games(self) -> dict[str, int]:
        """Counted games with turns, by cell, in the order of the cells."""
        found = dict(self.frames[GAMES].select("cell", "games").iter_rows()) if GAMES in self.frames else {}
        return {cell.key: found[cell.key] for cell in self.cells if found.get(cell.key)}

    def played(self) -> Iterator[tuple[Cell, int]]:
        games = self.games()
        return ((cell, games[cell.key]) for cell in self.cells if cell.key in games)

    def rows(self, select: str, cell: Cell) -> list[Row]:
        return self.frames[select].filter(pl.col("cell") == cell.key).to_dicts()

    def parts(self, by: By | None, cell: Cell, rows: Sequence[Row]) -> list[tuple[int, str]]:
        """Values of what parts the lines, of those that were seen, with their words."""
        if by is None:
            return [(0, "")]
        words = dict(by.words) or self.words.get((cell.board, by.kind), {})
        return [(part, words[part]) for part in sorted({row["part"] for row in rows}) if part in words]


def bars_frame(counted: Counted, measure: Bars) -> pl.DataFrame:
    """One row a cell, line, part and seat."""
    found = []
    for cell, games in counted.played():
        for asked in asked_lines(measure):
            rows = counted.rows(asked.select, cell)
            at = {(row["seat"], row["part"]): row for row in rows}
            for part, words in counted.parts(measure.by, cell, rows):
                for seat in (*(range(cell.players) if measure.seats else ()), TOGETHER):
                    ratio, total, of = _ratio(asked, at.get((seat, part)), games, measure.percent)
                    if ratio is None:
                        continue
                    # One line alone is what the question asks about; its parts tell the rows apart.
                    alone = bool(words) and len(measure.lines) == 1
                    label = words if alone else ", ".join(filter(None, (asked.line.label, words)))
                    series = f"{ordinal(seat)} seat" if seat != TOGETHER else None
                    if not measure.seats:
                        series = asked.line.series or "all seats"
                    scale = 100.0 if measure.percent else 1.0
                    found.append((cell.key, label, series, seat, ratio.games, total, of, *_scaled(ratio, scale)))
    return pl.DataFrame(found, schema=BARS_COLUMNS, orient="row")


def _ratio(asked: Asked, row: Row | None, games: int, share: bool) -> tuple[Ratio | None, int, int]:
    """A line's estimate with numerator and denominator; None where nothing counts."""
    n, x, y, xx, xy, yy = (row[column(name, asked)] for name in SUMS) if row else NOTHING.values()
    if asked.per_game:
        # A game without a row has nothing of it; one that was seen without a denominator is unknown.
        n = y = yy = games - (row["seen"] - y if row else 0)
        xy = x
    if y == 0:
        return None, 0, 0
    return ratio_from_sums(n, x, y, xx, xy, yy, share), x, y


def _scaled(ratio: Ratio, scale: float) -> tuple[float, float, float]:
    low, high = ratio.interval or (ratio.ratio, ratio.ratio)
    return scale * ratio.ratio, scale * low, scale * high


def matrix_frame(counted: Counted, measure: Matrix) -> pl.DataFrame:
    """One row a cell, seat and seat that it is done to."""
    (asked,) = asked_lines(measure)
    found = []
    for cell, games in counted.played():
        at = {(row["seat"], row["part"]): row for row in counted.rows(asked.select, cell)}
        for seat in range(cell.players):
            for target in range(cell.players):
                ratio, total, _ = _ratio(asked, at.get((seat, target)), games, False)
                if ratio is not None:
                    found.append((cell.key, seat, target, ratio.games, total, *_scaled(ratio, 1.0)))
    return pl.DataFrame(found, schema=MATRIX_COLUMNS, orient="row")


def order_frame(counted: Counted, measure: Starter) -> pl.DataFrame:
    """One row a cell, epoch and position in its order (0: starts)."""
    found = []
    for cell, _ in counted.played():
        for row in counted.rows(measure.slug, cell):
            games, players = row["n"], cell.players
            share = row["win60"] / games / 60
            spread = mean_from_sums(games, row["win60"], row["win60_squares"], 60.0).sd
            low, high = wilson_effective(games, share, spread**2)
            lead = mean_from_sums(games, row["excess"], row["excess_squares"], players)
            place = "starts" if row["position"] == 0 else ordinal(row["position"])
            label = f"{measure.word} {row['epoch'] + 1}, {place}"
            found.append(
                (
                    cell.key, row["epoch"], row["position"], label, games, share,
                    *(100 * (value - 1 / players) for value in (share, low, high)),
                    lead.mean, *(lead.interval or (lead.mean, lead.mean)),
                )
            )  # fmt: skip
    return pl.DataFrame(found, schema=ORDER_COLUMNS, orient="row")


def places_frame(counted: Counted, measure: Places) -> pl.DataFrame:
    """One row a cell, source and place with points."""
    found = []
    for cell, games in counted.played():
        words = counted.words.get((cell.board, "score_place"), {})
        rows = counted.rows(measure.slug, cell)
        for row in sorted(rows, key=lambda row: (measure.sources.index(row["source"]), row["place"])):
            mean = mean_from_sums(games, row["points"], row["points_squares"])
            found.append(
                (
                    cell.key, words.get(row["place"], str(row["place"])), row["source"], row["place"], games,
                    row["points"], row["gained"] / games, (row["points"] - row["gained"]) / games, mean.mean,
                    *(mean.interval or (mean.mean, mean.mean)),
                )
            )  # fmt: skip
    return pl.DataFrame(found, schema=PLACES_COLUMNS, orient="row")


def grid_frame(counted: Counted, measure: Places, grid: Grid) -> pl.DataFrame:
    """The same with one row a square of a grid, `across` and `down`, also of those without points."""
    squares = pl.DataFrame(
        [(column + row, column, row, j, i) for i, row in enumerate(grid.rows) for j, column in enumerate(grid.columns)],
        schema=["row", "across", "down", "x", "y"], orient="row",
    )  # fmt: skip
    frame = places_frame(counted, measure)
    keys = frame.select("cell", "series", "n").unique(maintain_order=True).with_row_index("order")
    whole = keys.join(squares, how="cross").join(frame.drop("n"), on=["cell", "series", "row"], how="left")
    numbers = [name for name in PLACES_COLUMNS if name not in ("cell", "row", "series", "place", "n")]
    return whole.with_columns(pl.col(numbers).fill_null(0)).sort("order", "y", "x").drop("order", "y", "x", "place")
