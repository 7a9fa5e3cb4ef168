"""What was left out, why, and how far the result would move if the left-out games with a known result were in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from pipeline.analysis.model import Cell, highest
from pipeline.stats.patterns import SHARE_UNIT, Patterns, games_of, totals

WORDS = {
    "timeout": "ended by timeout",
    "not replayed": "not replayed yet",
    "no result": "without a result",
    "duplicate": "second records of a game",
    "conflict": "with another content under the same id",
    "faulty": "with an illegal event or another result than the replay's",
}
"""Reasons as sentences have them; others stand as they are."""


@dataclass(frozen=True)
class Shift:
    """What counting left-out games in would do to one cell."""

    cell: str
    label: str
    games: int
    """Left-out games with a known result."""
    seat: int
    largest: float
    """The largest change of a seat's win share, percentage points, with its sign."""


def shifts(cells: Sequence[Cell], shares: Mapping[str, Patterns], left_out: pl.DataFrame) -> list[Shift]:
    """For each cell that counts and has left-out games whose result is known (`cell, seat, games, win60`)."""
    found = []
    for cell in cells:
        more = left_out.filter(pl.col("cell") == cell.key).sort("seat")
        if not more.height or cell.key not in shares:
            continue
        games, extra = games_of(shares[cell.key]), highest(more["games"])
        wins = totals(shares[cell.key])
        added = dict(more.select("seat", "win60").iter_rows())
        moved = [
            100 * ((won + added.get(seat, 0)) / (games + extra) - won / games) / SHARE_UNIT
            for seat, won in enumerate(wins)
        ]
        seat = max(range(len(moved)), key=lambda s: abs(moved[s]))
        found.append(Shift(cell.key, cell.label, extra, seat, moved[seat]))
    return found


def left_out_sentences(counted: int, reasons: pl.DataFrame, moved: Sequence[Shift], delta: float) -> tuple[str, ...]:
    """What was left out of `reason, fault, records, with_result`, and does it matter?"""
    total = int(reasons["records"].sum())
    if not total:
        return ("Nothing was left out: every record is a finished game with a result.",)
    sums = reasons.group_by("reason").agg(pl.col("records").sum()).sort("records", "reason", descending=[True, False])
    told = [f"{records:,} {WORDS.get(reason, reason)}" for reason, records in sums.iter_rows()]
    return (
        f"{total:,} of {total + counted:,} records were left out: {', '.join(told)}.",
        _shift_sentence(moved, delta),
    )


def _shift_sentence(moved: Sequence[Shift], delta: float) -> str:
    if not moved:
        return "None of them has a known result in a cell that counts, so whether they matter cannot be said."
    known = sum(shift.games for shift in moved)
    worst = max(moved, key=lambda shift: abs(shift.largest))
    matters = abs(worst.largest) >= delta / 5
    return (
        f"{known:,} of them have a known result. Counting them in would move no seat's win share by more than "
        f"{abs(worst.largest):.1f} points (seat {worst.seat + 1}, {worst.label}: {worst.largest:+.1f}), so "
        + ("leaving them out matters: look at why they are out." if matters else "leaving them out does not matter.")
    )
