"""Does a variant change who wins? Seat shares compared between versions of a game."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.stats import distributions as dist
from pipeline.stats import patterns
from pipeline.stats.arrays import FloatArray, IntArray
from pipeline.stats.errors import NotEnough, need
from pipeline.stats.intervals import Interval
from pipeline.stats.patterns import SHARE_UNIT, Patterns
from pipeline.stats.spread import seat_spread


@dataclass(frozen=True, slots=True)
class Homogeneity:
    """Are the seats' win shares the same in all variants?"""

    chi2: float
    df: int
    p: float
    cramers_v: float
    spreads: tuple[float, ...]
    """Max - min of the shares per variant, descriptive."""
    debiased: tuple[float, ...]
    """Debiased RMS spread per variant."""


def _moments(table: Patterns) -> tuple[int, FloatArray, FloatArray]:
    """Games, sum of shares (n,), and sum of products of shares (n, n)."""
    values, counts = patterns.as_arrays(table)
    shares = values / SHARE_UNIT
    return int(counts.sum()), counts @ shares, (shares * counts[:, None]).T @ shares


def seat_by_variant(variants: Sequence[Patterns]) -> Homogeneity:
    """Homogeneity of seat shares over variants of one player count.

    ``variants``: share patterns (60ths) per variant. The statistic weighs the differences of
    mean shares by the covariance of the shares over all games; with one winner a game it is
    Pearson's chi-square of the table seats x variants. Cramer's V is sqrt(chi2/(N min(r-1, c-1))).
    """
    need("variants", 2, len(variants))
    for table in variants:
        patterns.check_shares(table)
    if len({patterns.seats_of(table) for table in variants}) > 1:
        raise ValueError("variants are compared at one player count")
    parts = [_moments(table) for table in variants]
    games = sum(n for n, _, _ in parts)
    mean = np.sum([total for _, total, _ in parts], axis=0) / games
    products = np.sum([square for _, _, square in parts], axis=0) / games
    covariance = products - np.outer(mean, mean)
    values, vectors = np.linalg.eigh(covariance)
    live = values > 1e-12
    if not live.any():
        raise NotEnough("needs one game that is not shared by all seats, has none")
    chi2 = 0.0
    for n, total, _ in parts:
        rotated = (total / n - mean) @ vectors[:, live]
        chi2 += n * float(rotated**2 @ (1.0 / values[live]))
    df = (len(variants) - 1) * int(live.sum())
    v = math.sqrt(chi2 / (games * min(len(variants) - 1, len(mean) - 1)))
    spreads = [total / n for n, total, _ in parts]
    return Homogeneity(
        chi2,
        df,
        dist.chi2_sf(chi2, df),
        v,
        tuple(float(s.max() - s.min()) for s in spreads),
        tuple(seat_spread(table).rms_debiased for table in variants),
    )


@dataclass(frozen=True, slots=True)
class SpreadDifference:
    """Debiased RMS seat spread with a variant minus without."""

    on: float
    off: float
    difference: float
    interval: Interval
    """Percentile bootstrap over games."""
    p: float
    """Labels permuted over games; tests that both versions have the same seat shares."""
    method: str


def _squares(counts: IntArray, values: FloatArray, noises: float) -> FloatArray:
    """Raw mean square spread minus ``noises`` times its noise, per row of pattern counts."""
    games = counts.sum(axis=1)
    seats = values.shape[1]
    share = counts @ values / games[:, None]
    variance = (counts @ values**2 / games[:, None] - share**2) * (games / (games - 1.0))[:, None]
    raw = ((share - 1.0 / seats) ** 2).mean(axis=1)
    out: FloatArray = raw - noises * variance.mean(axis=1) / games
    return out


def _rms(squares: FloatArray) -> FloatArray:
    out: FloatArray = np.sqrt(np.maximum(0.0, squares))
    return out


def _resampled(table: tuple[FloatArray, IntArray], rng: np.random.Generator, resamples: int) -> FloatArray:
    """Debiased spreads of bootstrap samples: their noise comes on top, so it goes off twice."""
    values, counts = table
    games = int(counts.sum())
    drawn = rng.multinomial(games, counts / games, size=resamples)
    return _rms(_squares(drawn, values, 2.0))


def spread_difference(
    on: Patterns, off: Patterns, seed: int, resamples: int = 4_999, level: float = 0.95
) -> SpreadDifference:
    """Does the variant widen the gap between seats?

    ``on``, ``off``: share patterns (60ths) of one player count. The permutation compares
    debiased squares, which are not cut at 0.
    """
    for table in (on, off):
        need("games", 2, patterns.check_shares(table))
    merged = patterns.merge(on, off)
    values, counts = patterns.as_arrays(merged)
    shares = values / SHARE_UNIT
    mine = np.array([on.get(p, 0) for p in map(tuple, values.tolist())], dtype=np.int64)
    both = _squares(np.stack([mine, counts - mine]), shares, 1.0)
    rng = np.random.default_rng(seed)
    dealt = rng.multivariate_hypergeometric(counts, int(mine.sum()), size=resamples)
    null = _squares(dealt, shares, 1.0) - _squares(counts - dealt, shares, 1.0)
    hits = int(np.count_nonzero(np.abs(null) >= abs(float(both[0] - both[1])) - 1e-15))
    tables = [(shares[c > 0], c[c > 0]) for c in (mine, counts - mine)]
    gaps = _resampled(tables[0], rng, resamples) - _resampled(tables[1], rng, resamples)
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(gaps, [tail, 1.0 - tail])
    a, b = (float(v) for v in _rms(both))
    method = f"Monte Carlo, {resamples:,} resamples, seed {seed}"
    return SpreadDifference(a, b, a - b, Interval(float(low), float(high)), (1 + hits) / (1 + resamples), method)
