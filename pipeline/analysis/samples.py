"""Rows of some games where counts do not suffice: models and lead changes need games one by one.

The games of a cell with the smallest hashes of their names are a random sample, the same each time. Simulated
games are hashed without their options, so that the samples of two variants hold the games of the same seeds.
What is sampled says so, with its n.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from pipeline.analysis.counts import Part
    from pipeline.analysis.score_units import ScoreUnit
    from pipeline.warehouse import Warehouse

GAMES_A_CELL = 10_000
TURNS_A_CELL = 40_000
"""Turns of a cell that a model sees."""
MOST_GAMES = 100_000

SEEDED = r"^(.+-s\d+-\d{8,})(\{.*\})?$"
"""The id of a simulated game: what decides it but its options, then those that are not the default."""

VIEWS = ("game_facts", "games", "opportunities", "outcomes", "score_events", "seat_facts")


def _candidates(most: int) -> str:
    """The SELECT of the `most` games of each cell with the smallest hashes."""
    return f"""
        SELECT cell, game_id, seeded, session, md5_number_upper(coalesce(seeded, game_id::VARCHAR)) AS hash
        FROM (
            SELECT cell, game_facts.game_id,
                CASE WHEN source = 'simulation' THEN nullif(regexp_extract(id, '{SEEDED}', 1), '') END AS seeded,
                strftime(played_at, '%Y-%m-%d ') || source AS session
            FROM game_facts
            JOIN cells_to_choose USING (title, board, options, players)
            JOIN games USING (game_id)
            WHERE game_facts.left_out IS NULL
        )
        QUALIFY row_number() OVER (PARTITION BY cell ORDER BY hash, game_id) <= {most:d}
    """


class Sample:
    """At most GAMES_A_CELL counted games of each cell (fewer where there are many cells)."""

    def __init__(self, title: str, parts: Sequence[Part], unit: ScoreUnit) -> None:
        self.title = title
        self.parts = parts
        self.unit = unit
        cells = sum(part.keys.height for part in parts)
        self.most = min(GAMES_A_CELL, MOST_GAMES // max(1, cells))

    def _choose(self, part: Part) -> Warehouse:
        """The views over the sample's games of a part, which are its table `chosen_games`."""
        chosen: pl.DataFrame | None = None
        for frame in part.frames(_candidates(self.most), self.title, ("game_facts", "games")):
            both = frame if chosen is None else pl.concat([chosen, frame])
            chosen = both.sort("cell", "hash", "game_id").group_by("cell", maintain_order=True).head(self.most)
        assert chosen is not None
        place = pl.int_range(1, pl.len() + 1).over("cell").alias("place")
        return part.warehouse.narrowed(chosen.with_columns(place).drop("hash"), VIEWS)

    @cached_property
    def _warehouses(self) -> list[Warehouse]:
        return [self._choose(part) for part in self.parts]

    def _rows(self, query: str) -> pl.DataFrame:
        return pl.concat([warehouse.query(query) for warehouse in self._warehouses])

    @cached_property
    def _factors(self) -> pl.DataFrame:
        """`cell, game_id, factor`: the score factor of the sample's games."""
        found = []
        for warehouse in self._warehouses:
            rows = warehouse.query("SELECT cell, game_id, batch FROM games JOIN chosen_games USING (game_id)")
            factors = [self.unit.factor(warehouse.lake, batch) for batch in rows["batch"]]
            found.append(rows.select("cell", "game_id", pl.Series("factor", factors, pl.Int64)))
        return pl.concat(found)

    def _in_points(self, frame: pl.DataFrame, *columns: str) -> pl.DataFrame:
        """Scores as points."""
        if self.unit.a_point == 1:
            return frame
        with_factors = frame.join(self._factors, on=["cell", "game_id"], how="left", maintain_order="left")
        return with_factors.with_columns(pl.col(columns) / pl.col("factor")).drop("factor")

    @cached_property
    def games(self) -> pl.DataFrame:
        """`cell, game_id, turns, plies, margin, score_range, seeded, session`.

        `seeded` is alike in games simulated from the same seed, null in others; `session` is the day (UTC) and
        the source, null where no source says when it was.
        """
        rows = self._rows(
            "SELECT cell, game_id, turns, plies, margin, score_range, seeded, session"
            " FROM game_facts JOIN chosen_games USING (game_id)"
        )
        return self._in_points(rows, "margin", "score_range")

    @cached_property
    def seats(self) -> pl.DataFrame:
        """`cell, game_id, seat, player, kind, score, rank, win60`."""
        rows = self._rows(
            "SELECT cell, game_id, seat, player, kind, score, rank, win60"
            " FROM seat_facts JOIN chosen_games USING (game_id)"
        )
        return self._in_points(rows, "score")

    @cached_property
    def order(self) -> pl.DataFrame:
        """`cell, game_id` in the order of play."""
        rows = self._rows("SELECT cell, played_at, file, line, game_id FROM games JOIN chosen_games USING (game_id)")
        return rows.sort("cell", "played_at", "file", "line", nulls_last=True).select("cell", "game_id")

    def score_events(self) -> pl.DataFrame:
        """`cell, game_id, ply, seat, points`."""
        return self._rows(
            "SELECT cell, game_id, ply, seat, sum(points)::INTEGER AS points"
            " FROM score_events JOIN chosen_games USING (game_id) GROUP BY ALL"
        )

    def opportunities(self, turns_a_game: int) -> pl.DataFrame:
        """`cell, game_id, turn, seat, score, deficit, other, done, win60` of turns in which the act was open."""
        games = max(1, TURNS_A_CELL // max(1, turns_a_game))
        return self._rows(
            "SELECT cell, game_id, turn, seat, opportunities.score, deficit, other, done, win60"
            " FROM opportunities JOIN chosen_games USING (game_id) JOIN outcomes USING (game_id, seat)"
            f" WHERE place <= {games:d} AND open = 1 AND done IS NOT NULL"
        )
