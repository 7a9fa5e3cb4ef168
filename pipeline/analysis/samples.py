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

from pipeline.analysis.cells import CELL

if TYPE_CHECKING:
    from pipeline.analysis.counts import Part

GAMES_A_CELL = 10_000
TURNS_A_CELL = 40_000
"""Turns of a cell that a model sees."""
MOST_GAMES = 100_000

SEEDED = r"^(.+-s\d+-\d{8,})(\{.*\})?$"
"""The id of a simulated game: what decides it but its options, then those that are not the default."""

CHOOSE = f"""
CREATE OR REPLACE TEMP TABLE chosen_games AS
SELECT cell, game_id, seeded, session, place
FROM (
    SELECT *, row_number() OVER (
        PARTITION BY cell ORDER BY md5_number(coalesce(seeded, game_id::VARCHAR)), game_id
    ) AS place
    FROM (
        SELECT chosen_cells.cell, game_facts.game_id,
            CASE WHEN source = 'simulation' THEN nullif(regexp_extract(id, '{SEEDED}', 1), '') END AS seeded,
            strftime(played_at, '%Y-%m-%d ') || source AS session
        FROM game_facts
        JOIN chosen_cells USING (title, board, options, players)
        JOIN games USING (game_id)
        WHERE game_facts.left_out IS NULL
    )
)
WHERE place <= ?
"""


class Sample:
    """At most GAMES_A_CELL counted games of each cell (fewer where there are many cells)."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = parts
        cells = sum(part.keys.height for part in parts)
        self.most = min(GAMES_A_CELL, MOST_GAMES // max(1, cells))
        self.chosen = False

    def _choose(self) -> None:
        """Put the sample's games into a temporary table of each lake."""
        for part in self.parts:
            connection = part.warehouse.connection
            connection.register("cells_to_choose", part.keys.select("cell", *CELL).to_arrow())
            connection.execute("CREATE OR REPLACE TEMP TABLE chosen_cells AS SELECT * FROM cells_to_choose")
            connection.unregister("cells_to_choose")
            connection.execute(CHOOSE, [self.most])
        self.chosen = True

    def _rows(self, query: str) -> pl.DataFrame:
        if not self.chosen:
            self._choose()
        return pl.concat([part.warehouse.query(query) for part in self.parts])

    @cached_property
    def games(self) -> pl.DataFrame:
        """`cell, game_id, turns, plies, margin, score_range, seeded, session`.

        `seeded` is alike in games simulated from the same seed, null in others; `session` is the day (UTC) and
        the source, null where no source says when it was.
        """
        return self._rows(
            "SELECT cell, game_id, turns, plies, margin, score_range, seeded, session"
            " FROM game_facts JOIN chosen_games USING (game_id)"
        )

    @cached_property
    def seats(self) -> pl.DataFrame:
        """`cell, game_id, seat, player, kind, score, rank, win60`."""
        return self._rows(
            "SELECT cell, game_id, seat, player, kind, score, rank, win60"
            " FROM seat_facts JOIN chosen_games USING (game_id)"
        )

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
