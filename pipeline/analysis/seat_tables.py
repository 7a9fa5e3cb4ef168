"""The tests of a cell as a whole: are all seats alike, by wins and by ranks, and how far do they lie apart?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from pipeline.analysis.model import Cell, Column, TableData
from pipeline.stats.errors import NotEnough
from pipeline.stats.patterns import Patterns, games_of
from pipeline.stats.seat_tests import RANK_RESAMPLES, RESAMPLES, friedman_test, share_test
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
