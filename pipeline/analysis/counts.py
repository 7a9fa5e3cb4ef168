"""Reads the count views of one title's chosen cells into small frames with a column `cell`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from pipeline.analysis.cells import CELL
from pipeline.analysis.model import Cell
from pipeline.counting import count_selects
from pipeline.title_counts import title_selects

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pipeline.titles.contract import Title
    from pipeline.warehouse import Warehouse

VIEWS = ("cells", "codebook", "game_facts", "games", "opportunities", "outcomes", "score_events", "seat_facts")
"""What is asked for beside the counts, here and of samples."""

Patterns = dict[tuple[int, ...], int]


@dataclass(frozen=True)
class Part:
    """Some cells of one title in one lake: `cell, title, board, options, players`."""

    warehouse: Warehouse
    keys: pl.DataFrame


class Counts:
    """The count views, for the chosen cells of one title."""

    def __init__(self, title: str, parts: Sequence[Part]) -> None:
        self.title = title
        self.parts = parts
        self._frames: dict[str, pl.DataFrame] = {}

    def read(self, view: str) -> pl.DataFrame:
        """A count view's rows of the chosen cells, the cell's key in the place of its columns.

        Sorted by cell and by the view's own key; read once.
        """
        if view not in self._frames:
            self._frames[view] = pl.concat([self._read(view, part) for part in self.parts])
        return self._frames[view]

    def _read(self, view: str, part: Part) -> pl.DataFrame:
        return self._of_cells(part.warehouse.query(view, title=self.title), part)

    def _of_cells(self, frame: pl.DataFrame, part: Part) -> pl.DataFrame:
        """The rows of a part's cells, the cell's key in the place of its columns."""
        frame = frame.cast({"players": part.keys.schema["players"]})
        frame = frame.with_row_index("row number").join(part.keys, on=CELL, how="inner")
        order = part.keys.select("cell").with_row_index("cell number")
        frame = frame.join(order, on="cell").sort("cell number", "row number").drop(*CELL, "row number", "cell number")
        return frame.select("cell", pl.exclude("cell"))

    def measures(self, title: Title) -> dict[str, pl.DataFrame]:
        """What the title's measures count (`pipeline.title_counts`), by select, as `read` gives it."""
        found: dict[str, list[pl.DataFrame]] = {}
        for part in self.parts:
            warehouse = part.warehouse
            batches = [row[0] for row in warehouse.sources.batches if row[1] == title.name]
            selects = title_selects(title)
            counted = count_selects(warehouse.lake, selects, batches, warehouse.threads, warehouse.memory_mb)
            for name, frame in counted.items():
                found.setdefault(name, []).append(self._of_cells(frame, part))
        return {name: pl.concat(frames) for name, frames in found.items()}

    def shares(self) -> dict[str, Patterns]:
        """Win shares in 60ths -> games, by cell."""
        return _patterns(self.read("win_patterns"))

    def ranks(self) -> dict[str, Patterns]:
        """Ranks -> games, by cell."""
        return _patterns(self.read("rank_patterns"))

    def seats(self) -> pl.DataFrame:
        """The view `seat_counts`: sums of win shares, ranks, scores and their squares by seat."""
        return self.read("seat_counts")

    def scores(self) -> pl.DataFrame:
        """`cell, seat, score, games`."""
        return self.read("score_counts")

    def lengths(self) -> pl.DataFrame:
        """`cell, value, count`: turns a game."""
        return _summed(self.read("length_counts"), "turns")

    def margins(self) -> pl.DataFrame:
        """`cell, value, count`: points between the best and the second."""
        return _summed(self.read("margin_counts"), "margin")

    def left_out(self) -> pl.DataFrame:
        """`reason, fault, records, with_result`: what of the title is in no cell, by reason."""
        warehouses = {id(part.warehouse): part.warehouse for part in self.parts}.values()
        frame = pl.concat([warehouse.query("left_out_counts", title=self.title) for warehouse in warehouses])
        sums = [pl.col(name).sum() for name in ("records", "with_result")]
        return frame.group_by("reason", "fault").agg(sums).sort("reason", "fault", nulls_last=True)

    def left_out_wins(self) -> pl.DataFrame:
        """`cell, seat, games, win60`: stated results of the left-out games of the chosen cells."""
        frame = self.read("left_out_seat_counts")
        sums = [pl.col(name).sum() for name in ("games", "win60")]
        return frame.group_by("cell", "seat", maintain_order=True).agg(sums).sort("cell", "seat")

    def shares_in_order(self, cell: Cell) -> Iterator[NDArray[np.int64]]:
        """Win shares in 60ths of a cell's games in their order, some (games, seats) at a time."""
        import numpy as np

        part = next(part for part in self.parts if cell.key in part.keys["cell"])
        row = part.keys.filter(pl.col("cell") == cell.key).row(0, named=True)
        query = """SELECT win_pattern FROM game_facts JOIN games USING (game_id) WHERE left_out IS NULL
            AND games.title = ? AND games.board = ? AND games.options = ? AND games.players = ?
            ORDER BY games.played_at NULLS LAST, games.file, games.line"""
        result = part.warehouse.connection.sql(query, params=[row[name] for name in CELL])
        for batch in result.to_arrow_reader(1_000_000):
            flat = pl.Series(batch.column(0).flatten()).to_numpy().astype(np.int64)
            yield flat.reshape(-1, cell.players)


def _summed(frame: pl.DataFrame, value: str) -> pl.DataFrame:
    counted = frame.group_by("cell", value, maintain_order=True).agg(pl.col("games").sum())
    return counted.select("cell", pl.col(value).alias("value"), pl.col("games").alias("count"))


def _patterns(frame: pl.DataFrame) -> dict[str, Patterns]:
    found: dict[str, Patterns] = {}
    for cell, pattern, games in frame.select("cell", "pattern", "games").iter_rows():
        found.setdefault(cell, {})[tuple(pattern)] = games
    return found
