"""Reads the count views of one title's chosen cells into small frames with a column `cell`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from pipeline.analysis.cells import CELL
from pipeline.analysis.model import Cell
from pipeline.analysis.score_units import ScoreUnit
from pipeline.counting import GAMES_AT_ONCE, count_selects, counts, groups
from pipeline.stats.arrays import IntArray
from pipeline.title_counts import title_selects
from pipeline.warehouse import open_warehouse

if TYPE_CHECKING:
    from pipeline.titles.contract import Title
    from pipeline.warehouse import Warehouse

VIEWS = ("cells", "codebook")
"""What is asked for beside the counts."""

NOT_REPLAYED = "not replayed"
"""The reason of games that wait for `plybook replay`."""

IN_ORDER = """
SELECT cell, played_at, file, line, win_pattern
FROM game_facts JOIN games USING (game_id, title, board, options, players)
JOIN cells_to_choose USING (title, board, options, players)
WHERE left_out IS NULL
"""

Patterns = dict[tuple[int, ...], int]


@dataclass(frozen=True)
class Part:
    """Some cells of one title in one lake: `cell, title, board, options, players`."""

    warehouse: Warehouse
    keys: pl.DataFrame

    def batches(self, title: str) -> list[str]:
        """The lake's batches of a title."""
        return [row[0] for row in self.warehouse.sources.batches if row[1] == title]

    def frames(self, select: str, title: str, views: Sequence[str]) -> Iterator[pl.DataFrame]:
        """The rows of a SELECT on these views over some batches of a title at a time; memory stays flat.

        In it `cells_to_choose` are the part's `keys`.
        """
        whole = self.warehouse
        for group in groups(whole.lake, self.batches(title), GAMES_AT_ONCE):
            with open_warehouse(whole.lake, whole.threads, whole.memory_mb, group, views) as some:
                some.connection.register("cells_to_choose", self.keys.to_arrow())
                yield pl.DataFrame(some.connection.sql(select).to_arrow_table())


class Counts:
    """The count views, for the chosen cells of one title."""

    def __init__(self, title: str, parts: Sequence[Part], unit: ScoreUnit) -> None:
        self.title = title
        self.parts = parts
        self.unit = unit
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

    def _scored(self, view: str, **powers: int) -> pl.DataFrame:
        """As `read`, in the common unit of the scores: by column the power of the unit that it is in.

        A cell's rows stand once for each score factor among its batches.
        """
        places = [(part, *group) for part in self.parts for group in self._by_factor(part)]
        if {factor for _, factor, _ in places} <= {self.unit.a_point}:
            return self.read(view)
        frames = []
        for part, factor, batches in places:
            whole, steps = part.warehouse, self.unit.a_point // factor
            frame = counts(whole.lake, (view,), batches, whole.threads, whole.memory_mb)[view]
            scaled = [
                pl.col(name).cast(pl.Int64 if power == 1 else pl.Int128) * steps**power
                for name, power in powers.items()
            ]
            frames.append(self._of_cells(frame.filter(pl.col("title") == self.title), part).with_columns(scaled))
        return pl.concat(frames)

    def _by_factor(self, part: Part) -> Iterable[tuple[int, list[str]]]:
        """The batches of a part by what their points were multiplied by."""
        return self.unit.by_factor(part.warehouse.lake, part.batches(self.title)).items()

    def measures(self, title: Title) -> dict[str, pl.DataFrame]:
        """What the title's measures count (`pipeline.title_counts`), by select, as `read` gives it."""
        found: dict[str, list[pl.DataFrame]] = {}
        for part in self.parts:
            warehouse = part.warehouse
            batches = part.batches(title.name)
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
        """The view `seat_counts`: sums of win shares, ranks, scores and their squares by seat; in `unit`."""
        frame = self._scored("seat_counts", score=1, score_squares=2, excess=1, excess_squares=2)
        return self._whole(frame, "cell", "seat")

    def scores(self) -> pl.DataFrame:
        """`cell, seat, score, games`; scores in `unit`."""
        return self._whole(self._scored("score_counts", score=1), "cell", "seat", "score")

    def lengths(self) -> pl.DataFrame:
        """`cell, value, count`: turns a game."""
        return _summed(self.read("length_counts"), "turns")

    def margins(self) -> pl.DataFrame:
        """`cell, value, count`: from the best to the second, in `unit`."""
        margins = _summed(self._scored("margin_counts", margin=1, score_range=1), "margin")
        return self._whole(margins, "cell", "value")

    def _whole(self, frame: pl.DataFrame, *key: str) -> pl.DataFrame:
        """Rows of the same key as one, in the order of the cells; as it is where there is one factor for all."""
        if self.unit.a_point == 1:
            return frame
        cells = [cell for part in self.parts for cell in part.keys["cell"]]
        order = pl.col("cell").replace_strict(cells, range(len(cells)), return_dtype=pl.Int64)
        return frame.group_by(key).agg(pl.exclude(key).sum()).select(frame.columns).sort(order, *key)

    def left_out(self) -> pl.DataFrame:
        """`reason, fault, records, with_result`: what of the title is in no cell, by reason."""
        warehouses = {id(part.warehouse): part.warehouse for part in self.parts}.values()
        frame = pl.concat([warehouse.query("left_out_counts", title=self.title) for warehouse in warehouses])
        sums = [pl.col(name).sum() for name in ("records", "with_result")]
        return frame.group_by("reason", "fault").agg(sums).sort("reason", "fault", nulls_last=True)

    def not_replayed(self) -> int:
        """Games of the chosen cells that are in the lake and have not been replayed."""
        waiting = self.read("left_out_counts").filter(pl.col("reason") == NOT_REPLAYED)
        return int(waiting["records"].sum())

    def left_out_wins(self) -> pl.DataFrame:
        """`cell, seat, games, win60`: stated results of the left-out games of the chosen cells."""
        frame = self.read("left_out_seat_counts")
        sums = [pl.col(name).sum() for name in ("games", "win60")]
        return frame.group_by("cell", "seat", maintain_order=True).agg(sums).sort("cell", "seat")

    def shares_in_order(self, cell: Cell) -> Iterator[IntArray]:
        """Win shares in 60ths of a cell's games, in the order of play, some [games, seats] at a time."""
        if cell.key not in self._in_order:
            return
        games = self._in_order[cell.key]
        patterns = games.unique().cast(pl.String).sort()
        table = np.array([pattern.split() for pattern in patterns], np.int64)
        codes = games.cast(pl.Enum(patterns)).to_physical().to_numpy()
        for first in range(0, len(codes), GAMES_AT_ONCE):
            yield table[codes[first : first + GAMES_AT_ONCE]]

    @cached_property
    def _in_order(self) -> dict[str, pl.Series]:
        """By cell the win shares of all its games in words, in the order of play; 28 bytes a game on the way."""
        words = ("cell", "file", "shares")
        shares = pl.col("win_pattern").cast(pl.List(pl.String)).list.join(" ").alias("shares")
        frames = [
            frame.with_columns(shares).select("played_at", "line", pl.col(words).cast(pl.Categorical))
            for part in self.parts
            for frame in part.frames(IN_ORDER, self.title, ("game_facts", "games"))
        ]
        whole = pl.concat(frames)
        frames.clear()
        files = pl.Enum(whole["file"].unique().cast(pl.String).sort())
        # NumPy sorts by several keys in a third of the memory that Polars takes.
        played = whole["played_at"].dt.timestamp("us").fill_null(np.iinfo(np.int64).max)
        order = np.lexsort((whole["line"], whole["file"].cast(files).to_physical(), played))
        in_order = whole.select("cell", "shares")[order]
        cells = in_order.partition_by("cell", as_dict=True)
        return {str(key): games["shares"] for (key,), games in cells.items()}


def _summed(frame: pl.DataFrame, value: str) -> pl.DataFrame:
    counted = frame.group_by("cell", value, maintain_order=True).agg(pl.col("games").sum())
    return counted.select("cell", pl.col(value).alias("value"), pl.col("games").alias("count"))


def _patterns(frame: pl.DataFrame) -> dict[str, Patterns]:
    found: dict[str, Patterns] = {}
    for cell, pattern, games in frame.select("cell", "pattern", "games").iter_rows():
        found.setdefault(cell, {})[tuple(pattern)] = games
    return found
