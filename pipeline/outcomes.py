"""Ranks and win shares of games without events, from the result that their source states."""

from __future__ import annotations

import polars as pl
import pyarrow as pa

from schemas import OUTCOMES

WHOLE_WIN = 60
"""Win shares are whole 60ths."""


def rank_by(key: pl.Expr, game: str) -> pl.Expr:
    """1 + the number of seats of the same game with a smaller key; null where the key is."""
    return key.rank("min").over(game).cast(pl.Int16)


def outcomes_from_results(games: pa.Table, seats: pa.Table, lowest_wins: bool = False) -> pa.Table:
    """The outcomes of results-only games, in the order of game and seat.

    Where a game has all its stated ranks, they decide (as an order: 1, 2, 2, 3 becomes 1, 2, 2, 4);
    else its scores do, if it has them all, the most points being best unless `lowest_wins`. Results
    that come from tables have their ranks filled in when they are ingested, so that this flag is not
    needed for them. A game that is not finished keeps its scores and has no rank and no win share.
    `seats` of other games are left out. `win60` is exact for 1 to 6, 10 and 12 joint winners.
    """
    of_games = pl.DataFrame(pl.from_arrow(games.select(["game_id", "ended"])))
    frame = pl.DataFrame(pl.from_arrow(seats.select(["game_id", "seat", "stated_score", "stated_rank"])))
    frame = frame.join(of_games, on="game_id", how="inner").sort("game_id", "seat")
    score = pl.col("stated_score") if lowest_wins else -pl.col("stated_score")
    key = (
        pl.when(pl.col("ended") != "finished").then(None)
        .when(_all_there("stated_rank")).then(pl.col("stated_rank").cast(pl.Int64))
        .when(_all_there("stated_score")).then(score)
    )  # fmt: skip
    frame = frame.with_columns(key=key).with_columns(rank=rank_by(pl.col("key"), "game_id"))
    first = pl.col("rank") == 1
    share = pl.when(first).then(WHOLE_WIN // first.sum().over("game_id")).otherwise(0)
    frame = frame.with_columns(win60=pl.when(pl.col("rank").is_not_null()).then(share).cast(pl.Int8))
    table = frame.select(
        "game_id", "seat", pl.col("stated_score").alias("score"), "rank", "win60",
        pl.lit(None, pl.Int32).alias("turns"),
    ).to_arrow()  # fmt: skip
    return table.cast(OUTCOMES.schema)


def _all_there(column: str) -> pl.Expr:
    return pl.col(column).is_not_null().all().over("game_id")
