"""Games counted by what happened at the table: the form in which 40 million games fit.

A *pattern* is one tuple of whole numbers per game, one per seat in turn order: win shares in 60ths
(``(60, 0, 0)``, ``(30, 0, 30)``), or ranks (``(1, 2, 2)``). :data:`Patterns` maps each distinct
pattern to its number of games. All patterns of one mapping have the same number of seats: a cell
has one player count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.stats.arrays import IntArray
from pipeline.stats.errors import NotEnough

SHARE_UNIT = 60
"""One whole win: the least number that 2, 3, 4 and 5 joint winners divide."""

Patterns = Mapping[tuple[int, ...], int]


def share_60ths(winners: int) -> int:
    """The share of each of ``winners`` joint winners, in 60ths."""
    if winners < 1 or SHARE_UNIT % winners:
        raise ValueError(f"a win cannot be split among {winners} in whole 60ths")
    return SHARE_UNIT // winners


def count_patterns(table: NDArray[Any]) -> dict[tuple[int, ...], int]:
    """Count the distinct rows of an integer array (games, seats); sorted by pattern."""
    rows = np.asarray(table, dtype=np.int64)
    if rows.ndim != 2:
        raise ValueError(f"needs an array of games x seats, not {rows.ndim} dimension(s)")
    if not len(rows):
        return {}
    base = int(rows.max()) - int(rows.min()) + 1
    if base ** rows.shape[1] < 2**62:
        weights = base ** np.arange(rows.shape[1] - 1, -1, -1, dtype=np.int64)
        codes = (rows - rows.min()) @ weights
        _, first, counts = np.unique(codes, return_index=True, return_counts=True)
        distinct = rows[first]
    else:
        distinct, counts = np.unique(rows, axis=0, return_counts=True)
    return {tuple(int(v) for v in row): int(n) for row, n in zip(distinct.tolist(), counts, strict=True)}


def from_wins(wins: Sequence[int]) -> dict[tuple[int, ...], int]:
    """Share patterns of games with one winner each; ``wins``: games won per seat."""
    seats = len(wins)
    return {
        tuple(SHARE_UNIT if s == winner else 0 for s in range(seats)): int(count)
        for winner, count in enumerate(wins)
        if count > 0
    }


def merge(*tables: Patterns) -> dict[tuple[int, ...], int]:
    """Add up the counts of several tables of the same number of seats; sorted by pattern."""
    total: dict[tuple[int, ...], int] = {}
    for table in tables:
        for pattern, count in table.items():
            total[pattern] = total.get(pattern, 0) + count
    seats_of(total) if total else None
    return dict(sorted(total.items()))


def seats_of(patterns: Patterns) -> int:
    """The number of seats; errors when it is not the same in all patterns or below two."""
    sizes = {len(pattern) for pattern in patterns}
    if not sizes:
        raise NotEnough("needs games, has none")
    if len(sizes) > 1:
        raise ValueError(f"a cell has one player count, not {sorted(sizes)}")
    (seats,) = sizes
    if seats < 2:
        raise NotEnough(f"needs 2 seats, has {seats}")
    return seats


def games_of(patterns: Patterns) -> int:
    """The number of games; errors on negative counts."""
    if any(count < 0 for count in patterns.values()):
        raise ValueError("counts are not negative")
    return sum(patterns.values())


def check_shares(patterns: Patterns) -> int:
    """Number of games, after making sure that every pattern shares out exactly one win."""
    seats_of(patterns)
    games = games_of(patterns)
    if games == 0:
        raise NotEnough("needs games, has none")
    for pattern in patterns:
        if sum(pattern) != SHARE_UNIT or min(pattern) < 0:
            raise ValueError(f"the win shares {pattern} do not add up to one win (60)")
    return games


def totals(patterns: Patterns) -> tuple[int, ...]:
    """Sum of the pattern values per seat over all games, exact."""
    seats = seats_of(patterns)
    return tuple(sum(p[s] * count for p, count in patterns.items()) for s in range(seats))


def squares(patterns: Patterns) -> tuple[int, ...]:
    """Sum of squared pattern values per seat over all games, exact."""
    seats = seats_of(patterns)
    return tuple(sum(p[s] ** 2 * count for p, count in patterns.items()) for s in range(seats))


def midranks_doubled(patterns: Patterns) -> dict[tuple[int, ...], int]:
    """Ranks 1, 2, 2, 4 turned into twice their midranks 2, 5, 5, 8 (whole numbers)."""
    out: dict[tuple[int, ...], int] = {}
    for ranks, count in patterns.items():
        doubled = tuple(
            2 * sum(other < rank for other in ranks) + sum(other == rank for other in ranks) + 1 for rank in ranks
        )
        out[doubled] = out.get(doubled, 0) + count
    return out


def as_arrays(patterns: Patterns) -> tuple[IntArray, IntArray]:
    """The distinct patterns (k, seats) and their counts (k,), sorted by pattern."""
    rows = sorted((p, c) for p, c in patterns.items() if c)
    values = np.array([p for p, _ in rows], dtype=np.int64).reshape(len(rows), seats_of(patterns))
    return values, np.array([c for _, c in rows], dtype=np.int64)
