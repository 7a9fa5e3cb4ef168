"""Goodness of fit of whole wins to equal shares: exact by enumeration, or asymptotic."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from pipeline.stats import distributions as dist
from pipeline.stats.errors import NotEnough, need

EXACT_OUTCOMES = 200_000


@dataclass(frozen=True, slots=True)
class Fit:
    """Pearson's and the likelihood-ratio statistic against equal shares."""

    df: int
    chi2: float
    p_chi2: float
    g: float
    p_g: float


def _check(counts: Sequence[int]) -> int:
    need("seats", 2, len(counts))
    if min(counts) < 0:
        raise ValueError("counts are not negative")
    total = sum(counts)
    need("games", 1, total)
    return total


def uniform_fit(counts: Sequence[int]) -> Fit:
    """Chi-square and G of wins per seat against N/n each (asymptotic p; expected >= 5)."""
    total, seats = _check(counts), len(counts)
    expected = total / seats
    chi2 = sum((c - expected) ** 2 for c in counts) / expected
    g = 2.0 * sum(c * math.log(c / expected) for c in counts if c)
    df = seats - 1
    return Fit(df, chi2, dist.chi2_sf(chi2, df), g, dist.chi2_sf(max(g, 0.0), df))


def _partitions(total: int, parts: int, largest: int) -> Iterator[tuple[int, ...]]:
    """Ways to write ``total`` as ``parts`` non-increasing numbers, each at most ``largest``."""
    if parts == 1:
        if total <= largest:
            yield (total,)
        return
    for first in range(-(-total // parts), min(total, largest) + 1):
        for rest in _partitions(total - first, parts - 1, first):
            yield (first, *rest)


def _outcomes(total: int, parts: int) -> int:
    return math.comb(total + parts - 1, parts - 1) // math.factorial(parts)


def _extremeness(counts: Sequence[int], order: str) -> int:
    """A whole number that grows with extremeness: sum of squares, prod c^c, or -1 * ways."""
    if order == "chi2":
        return sum(c * c for c in counts)
    if order == "lr":
        return math.prod(c**c for c in counts if c)
    return -_ways(counts)


def _ways(counts: Sequence[int]) -> int:
    ways, left = 1, sum(counts)
    for c in counts:
        ways *= math.comb(left, c)
        left -= c
    return ways


def exact_uniform_p(counts: Sequence[int], order: Literal["chi2", "prob", "lr"] = "chi2") -> Fraction:
    """Exact p of wins per seat against equal shares, as a fraction.

    ``order`` says which outcomes are at least as extreme: those of larger chi-square, of no
    larger probability, or of larger likelihood ratio. Outcomes are enumerated as partitions with
    whole-number weights. Raises when there are more than some 200,000 of them.
    """
    total, seats = _check(counts), len(counts)
    if _outcomes(total, seats) > EXACT_OUTCOMES:
        raise NotEnough(f"needs fewer games for an exact test, has {total}: use Monte Carlo")
    limit = _extremeness(counts, order)
    hits = 0
    for outcome in _partitions(total, seats, total):
        if _extremeness(outcome, order) >= limit:
            same = math.prod(math.factorial(outcome.count(v)) for v in set(outcome))
            hits += _ways(outcome) * (math.factorial(seats) // same)
    return Fraction(hits, seats**total)
