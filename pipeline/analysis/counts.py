"""Reads the count views of one title's chosen cells into small frames with a column `cell`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import polars as pl

from pipeline.analysis.cells import CELL
from pipeline.analysis.model import Cell
from pipeline.stats.means import mean_from_sums

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pipeline.warehouse import Warehouse

Patterns = dict[tuple[int, ...], int]

GAMES = """
SELECT title, board, options, players, win_pattern, rank_pattern, count(*) AS games
FROM game_facts WHERE left_out IS NULL GROUP BY ALL"""
SCORES = """
SELECT title, board, options, players, seat, score, count(*) AS "count"
FROM seat_facts WHERE left_out IS NULL AND score IS NOT NULL GROUP BY ALL"""
EXCESS = """
SELECT title, board, options, players, seat, count(*) AS games, sum(excess)::BIGINT AS total,
 sum(excess*excess)::HUGEINT AS squares
FROM seat_facts WHERE left_out IS NULL AND score IS NOT NULL GROUP BY ALL"""
LENGTHS = """
SELECT title, board, options, players, turns as value, count(*) AS "count"
FROM game_facts WHERE left_out IS NULL AND turns IS NOT NULL GROUP BY ALL"""
MARGINS = """
SELECT title, board, options, players, margin as value, count(*) AS "count"
FROM game_facts WHERE left_out IS NULL AND margin IS NOT NULL GROUP BY ALL"""


class Counts:
    """The count views, for the chosen cells of one title."""

    def __init__(self, warehouse: Warehouse, title: str, rows: pl.DataFrame, cells: Sequence[Cell]) -> None:
        self.warehouse = warehouse
        self.title = title
        self.keys = rows.select(CELL).with_columns(pl.Series("cell", [c.key for c in cells], dtype=pl.String))

    def _read(self, view: str, order: Sequence[str]) -> pl.DataFrame:
        """A count view's rows of the chosen cells, the cell's key in the place of its columns."""
        frame = self.warehouse.query(view, title=self.title)
        frame = frame.cast({"players": self.keys.schema["players"]})
        return frame.join(self.keys, on=CELL, how="inner").drop(CELL).sort("cell", *order)

    @cached_property
    def _results(self) -> pl.DataFrame:
        return self._read(GAMES, ("win_pattern", "rank_pattern"))

    def shares(self) -> dict[str, Patterns]:
        """Win shares in 60ths -> games, by cell."""
        return _patterns(self._results, "win_pattern")

    def ranks(self) -> dict[str, Patterns]:
        """Ranks -> games, by cell."""
        return _patterns(self._results, "rank_pattern")

    def scores(self) -> pl.DataFrame:
        """`cell, seat, score, count`."""
        return self._read(SCORES, ("seat", "score"))

    def excess(self) -> pl.DataFrame:
        """`cell, seat, games, lead, lead_low, lead_high`: mean lead over the game's mean score, points."""
        frame = self._read(EXCESS, ("seat",))
        players = dict(self.keys.select("cell", "players").iter_rows())
        rows = []
        for row in frame.iter_rows(named=True):
            mean = mean_from_sums(row["games"], row["total"], int(row["squares"]), players[row["cell"]])
            low, high = mean.interval or (mean.mean, mean.mean)
            rows.append((row["cell"], row["seat"], mean.n, mean.mean, low, high))
        names = ("cell", "seat", "games", "lead", "lead_low", "lead_high")
        return pl.DataFrame(rows, schema=names, orient="row")

    def lengths(self) -> pl.DataFrame:
        """`cell, value, count`: turns a game."""
        return self._read(LENGTHS, ("value",)).select("cell", "value", "count")

    def margins(self) -> pl.DataFrame:
        """`cell, value, count`: points between the best and the second."""
        return self._read(MARGINS, ("value",)).select("cell", "value", "count")


def _patterns(frame: pl.DataFrame, column: str) -> dict[str, Patterns]:
    found: dict[str, Patterns] = {}
    for row in frame.filter(pl.col(column).is_not_null()).iter_rows(named=True):
        mine = found.setdefault(row["cell"], {})
        pattern = tuple(row[column])
        mine[pattern] = mine.get(pattern, 0) + row["games"]
    return found
