"""The tests of a cell as a whole: are all seats alike, by wins and by ranks, and how far do they lie apart?
And how sure are the shares if games of one session are alike?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from pipeline.analysis.model import Cell, Column, TableData
from pipeline.stats.errors import NotEnough
from pipeline.stats.patterns import Patterns, games_of
from pipeline.stats.seat_tests import RANK_RESAMPLES, RESAMPLES, friedman_test, share_test
from pipeline.stats.seats import seat_shares, session_clustered_shares
from pipeline.stats.spread import null_range_mean, seat_spread

FEW_CELLS = 12
"""Up to here the Monte Carlo tests take all their resamples."""


def seat_tests_table(
    cells: Sequence[Cell], shares: Mapping[str, Patterns], ranks: Mapping[str, Patterns], seed: int
) -> TableData:
    """Permutation test of the win shares, Friedman's of the ranks, and the debiased spread, by cell."""
    resamples = RESAMPLES if len(cells) <= FEW_CELLS else RANK_RESAMPLES
    rows = []
    for cell in cells:
        if cell.key not in shares or cell.players < 2:
            continue
        row: dict[str, Any] = {"cell": cell.label, "games": games_of(shares[cell.key])}
        try:
            test = share_test(shares[cell.key], seed, resamples)
            row |= {"statistic": test.statistic, "p": test.p, "method": test.method}
            rank_test = friedman_test(ranks[cell.key], seed)
            row |= {"friedman": rank_test.statistic, "friedman_p": rank_test.p}
        except (NotEnough, KeyError):
            row["method"] = "needs games that tell the seats apart"
        if row["games"] > 1:
            spread = seat_spread(shares[cell.key])
            row |= {
                "spread": 100 * spread.rms_debiased, "width": 100 * spread.max_minus_min,
                "by_chance": 100 * null_range_mean(cell.players, row["games"]),
            }  # fmt: skip
        rows.append(row)
    schema = {
        "cell": pl.String, "games": pl.Int64, "statistic": pl.Float64, "p": pl.Float64, "friedman": pl.Float64,
        "friedman_p": pl.Float64, "spread": pl.Float64, "width": pl.Float64, "by_chance": pl.Float64,
        "method": pl.String,
    }  # fmt: skip
    columns = (
        Column("cell", "Cell"),
        Column("games", "Games", "whole"),
        Column("statistic", "T (wins)", "number"),
        Column("p", "p", "p"),
        Column("friedman", "Friedman (ranks)", "number"),
        Column("friedman_p", "p", "p"),
        Column("spread", "Spread, debiased", "points"),
        Column("width", "Max less min", "points"),
        Column("by_chance", "by chance alone", "points"),
        Column("method", "p of T"),
    )
    note = "Are all seats of a cell alike? Spread: root mean square distance from 1/n, chance taken off."
    return TableData("seat_tests", "Seat tests per cell", columns, pl.DataFrame(rows, schema=schema), note)


def sessions_table(
    cells: Sequence[Cell], shares: Mapping[str, Patterns], sessions: pl.DataFrame
) -> tuple[TableData, ...]:
    """Win shares with session-clustered intervals beside the plain ones; nothing where no session has two games.

    `sessions`: the view `session_counts` by cell.
    """
    rows = []
    for cell in cells:
        mine = sessions.filter(pl.col("cell") == cell.key).sort("source", "day", "seat")
        held = mine.group_by("source", "day", maintain_order=True).agg(pl.col("win60"), pl.col("games").first())
        if held.height < 2 or held["games"].sum() == held.height:
            continue
        clustered = session_clustered_shares(held["win60"].to_list(), held["games"].to_list())
        for seat, plain in zip(clustered, seat_shares(shares[cell.key]), strict=True):
            ends = (seat.share, *seat.interval, *plain.interval)
            rows.append(
                (cell.label, seat.seat + 1, seat.games, seat.sessions, *(100 * (end - plain.expected) for end in ends))
            )
    if not rows:
        return ()
    names = ("cell", "seat", "games", "sessions", "difference", "low", "high", "plain_low", "plain_high")
    columns = (
        Column("cell", "Cell"),
        Column("seat", "Seat", "whole"),
        Column("games", "Games", "whole"),
        Column("sessions", "Sessions", "whole"),
        Column("difference", "From 1/n", "points"),
        Column("low", "95% by session, from", "points"),
        Column("high", "to", "points"),
        Column("plain_low", "95% by game, from", "points"),
        Column("plain_high", "to", "points"),
    )
    note = (
        "Sensitivity: what if games of one session are alike? A session is what one source played on one day (UTC);"
        " games without a day are in the interval by game only."
    )
    frame = pl.DataFrame(rows, schema=names, orient="row")
    return (TableData("sessions", "Seats, clustered by session", columns, frame, note),)
