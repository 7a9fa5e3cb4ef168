"""Rows of a results table as games: which belong together, what a game needs, and who won it."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from pipeline.ingest.results_cells import Check, Row
from pipeline.ingest.results_mapping import Form
from pipeline.ingest.results_table import LINE
from pipeline.outcomes import WHOLE_WIN, rank_by
from pipeline.wording import quoted

CONSTANT = ("count", "moment", "end", "winner_names")
"""What is one thing a game and must not differ among its rows; the title's options too."""
WORDS = {"count": "the number of players", "moment": "played_at", "end": "ended", "winner_names": "winner"}


def number_games(frame: pl.DataFrame) -> pl.DataFrame:
    """`g`: 0, 1, 2 .. for each source and game in the order of the table."""
    games = frame.select("source", "game").unique(maintain_order=True).with_row_index("g")
    return frame.join(games, on=["source", "game"], how="left", nulls_equal=True, maintain_order="left")


def repeated(rows: pl.DataFrame) -> pl.DataFrame:
    """Games one of whose seats stands several times, one row a game.

    `whole`: all seats do, equally often; `same`: moreover their rows are equal; `seat`, `lines`: the
    first such seat and its lines.
    """
    seats = rows.group_by("g", "seat_value").len().filter(pl.col("len") > 1).select("g").unique()
    if seats.is_empty():
        return seats.with_columns(whole=False, same=False)
    some = rows.join(seats, on="g", how="semi")
    content = pl.struct(pl.exclude(LINE, "g"))
    seats = some.group_by("g", "seat_value").agg(
        pl.len(), content.n_unique().alias("contents"), pl.col(LINE).alias("lines"),
        pl.col(LINE).min().alias(LINE), pl.col("seat", "game", "source").first(),
    ).sort("g", "seat_value")  # fmt: skip
    one = pl.col("len") > 1
    return seats.group_by("g", maintain_order=True).agg(
        (pl.col("len").n_unique() == 1).alias("whole"),
        ((pl.col("len").n_unique() == 1) & (pl.col("contents") == 1).all()).alias("same"),
        pl.col("seat", "lines").filter(one).first(),
        pl.col(LINE).min(),
        pl.col("game", "source").first(),
    )


def gather(rows: pl.DataFrame, options: Sequence[str]) -> pl.DataFrame:
    """One row a game: `n` seats, extremes of the seats, what its rows say together, counts of results.

    Of what must not differ it has the least and, as `..._other`, the greatest value; empty cells agree
    with anything.
    """
    constant = [*CONSTANT, *options]
    return rows.group_by("g", maintain_order=True).agg(
        pl.col("game", "source").first(),
        pl.col(LINE).min(),
        pl.len().alias("n"),
        pl.col("seat_value").max().alias("last_seat"),
        pl.col("seat_value").alias("there"),
        *(pl.col(name).min() for name in constant),
        *(pl.col(name).max().alias(f"{name}_other") for name in constant),
        pl.col("score_value").count().alias("scores"),
        pl.col("seat").filter(pl.col("score_value").is_null()).first().alias("no_score"),
        pl.col("rank_value").count().alias("ranks"),
        pl.col("seat").filter(pl.col("rank_value").is_null()).first().alias("no_rank"),
        pl.col("rank_value").min().alias("least_rank"),
        pl.col("rank_value").max().alias("greatest_rank"),
        pl.col("flag").sum().alias("winners"),
        pl.col("flag").count().alias("flags"),
    )


def game_checks(options: Sequence[str]) -> tuple[Check, ...]:
    """What can be wrong with the rows of one game together."""
    n = pl.col("n")
    return (
        *(_differs(name) for name in (*CONSTANT, *options)),
        Check("one_seat", n < 2, lambda game: "the game has only one seat"),
        Check("missing_seat", pl.col("last_seat") != n - 1, lambda game: (
            f"the game has no row of seat {_absent(game)} (of {game['last_seat'] + 1}, counted from 1)")),
        Check("players_differ", pl.col("count") != n, lambda game: (
            f"the game is of {game['count']} players and has {game['n']} seats")),
    )  # fmt: skip


def _differs(name: str) -> Check:
    word = WORDS.get(name, name.removeprefix("option:"))
    other = f"{name}_other"
    return Check("rows_differ", pl.col(name) != pl.col(other), lambda game: (
        f"its rows differ in {word}: {quoted(game[name])} and {quoted(game[other])}"))  # fmt: skip


def finished_checks(form: Form) -> tuple[Check, ...]:
    """What a game's result must have. One that is not finished may have gaps."""
    finished = pl.col("end") == "finished"
    n, ranks, winners = pl.col("n"), pl.col("ranks"), pl.col("winners")
    nothing = (pl.col("scores") == 0) & (ranks == 0) & (pl.col("flags") == 0)
    return (
        Check("no_result", finished & nothing, lambda game: "the game has no score, rank or winner"),
        Check("missing_score", finished & pl.col("scores").is_between(1, n - 1), lambda game: (
            f"the score of seat {game['no_score']} is missing")),
        Check("missing_rank", finished & ranks.is_between(1, n - 1), lambda game: (
            f"the rank of seat {game['no_rank']} is missing")),
        Check("bad_rank", pl.col("greatest_rank") > n, lambda game: (
            f"rank {game['greatest_rank']} among {game['n']} seats")),
        Check("no_winner", (ranks == n) & (pl.col("least_rank") > 1), lambda game: "no seat has rank 1"),
        Check("no_winner", finished & (ranks == 0) & (pl.col("flags") > 0) & (winners == 0), _nobody),
    )  # fmt: skip


def _absent(game: Row) -> int:
    """The first seat without a row, counted from 1."""
    return 1 + min(set(range(game["last_seat"])) - set(game["there"]))


def _nobody(game: Row) -> str:
    if game["winner_names"] is None:
        return "no seat is marked as the winner"
    return f"no seat or player of the game is the winner {quoted(game['winner_names'])}"


def ranked(rows: pl.DataFrame, games: pl.DataFrame, lowest_wins: bool) -> pl.DataFrame:
    """`rank_found` of each seat: from ranks, else from winners and then scores, else from scores.

    Without scores all who did not win share the next rank. Null where a game that is not finished
    states no result. `by_score` is the rank that the scores alone would give.
    """
    kept = games.select("g", "n", "ranks", "scores", "winners", "end", "flags")
    rows = rows.join(kept, on="g", how="inner", maintain_order="left", suffix="_game")
    n = pl.col("n")
    points = pl.col("score_value") if lowest_wins else -pl.col("score_value")
    points = pl.when(pl.col("scores") == n).then(points)
    # Winners stand before all others, whatever the points.
    behind = pl.when(pl.col("flag").fill_null(False)).then(0).otherwise(2**40)
    key = (
        pl.when(pl.col("ranks") == n).then(pl.col("rank_value").cast(pl.Int64))
        .when(pl.col("winners") > 0).then(behind + points.fill_null(0))
        .when(pl.col("end") == "finished").then(points)
    )  # fmt: skip
    return rows.with_columns(key=key, points=points).with_columns(
        rank_found=rank_by(pl.col("key"), "g"), by_score=rank_by(pl.col("points"), "g")
    )


def clashes(rows: pl.DataFrame) -> pl.DataFrame:
    """Per game: `shared` joint winners, `against` winners' marks that the ranks deny, `odd` by scores."""
    first = pl.col("rank_found") == 1
    return rows.group_by("g").agg(
        first.sum().alias("shared"),
        (pl.col("flag").is_not_null() & (pl.col("winners") > 0) & (pl.col("flag") != first)).any().alias("against"),
        (first & (pl.col("by_score") > 1)).any().fill_null(False).alias("odd"),
    )


def shared_checks() -> tuple[Check, ...]:
    """What can be wrong with who won."""
    uneven = (pl.col("shared") > 0) & (pl.lit(WHOLE_WIN) % pl.col("shared") != 0)
    return (
        Check("winner_rank", pl.col("against"), lambda game: (
            "the seats marked as winners are not those of rank 1")),
        Check("shared_win", uneven, lambda game: (
            f"{game['shared']} joint winners: a win is shared in whole 60ths, by 1 to 6, 10 or 12")),
    )  # fmt: skip
