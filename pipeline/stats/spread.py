"""How far the seats lie apart: debiased, since plain differences are large by chance alone."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from pipeline.stats.errors import need
from pipeline.stats.patterns import Patterns
from pipeline.stats.seats import seat_shares

EXACT_NULL_GAMES = 2_000


@dataclass(frozen=True, slots=True)
class Spread:
    """Spread of the win shares of one cell, all on the scale of shares."""

    games: int
    seats: int
    raw_square: float
    """Mean squared difference from 1/n."""
    noise_square: float
    """What chance alone adds to it: the mean of s2/N."""
    rms_raw: float
    rms_debiased: float
    """Root of raw minus noise, 0 when noise explains it all: the figure to quote."""
    max_minus_min: float
    """Descriptive only: biased upward, see :func:`null_range_mean`."""
    ludii_balance: float
    """1 - the largest difference of two shares (Ludii's Balance metric)."""
    effective_seats: float
    """exp(entropy of the shares): n when all win alike."""


def seat_spread(shares: Patterns) -> Spread:
    """Debiased RMS spread of the seats' win shares, and the descriptive figures beside it."""
    table = seat_shares(shares)
    games, seats = table[0].games, len(table)
    need("games", 2, games)
    raw = sum(row.difference**2 for row in table) / seats
    noise = sum(row.variance for row in table) / games / seats
    width = max(row.share for row in table) - min(row.share for row in table)
    entropy = -sum(row.share * math.log(row.share) for row in table if row.share > 0)
    return Spread(
        games=games,
        seats=seats,
        raw_square=raw,
        noise_square=noise,
        rms_raw=math.sqrt(raw),
        rms_debiased=math.sqrt(max(0.0, raw - noise)),
        max_minus_min=width,
        ludii_balance=1.0 - width,
        effective_seats=math.exp(entropy),
    )


def _normal_range_mean(n: int) -> float:
    """Expected range of n independent standard normals (Tippett 1925)."""
    from pipeline.stats.distributions import special

    x = np.linspace(-10.0, 10.0, 20_001)
    below = special().ndtr(x)
    return float(np.trapezoid(1.0 - below**n - (1.0 - below) ** n, x))


def null_range_mean(seats: int, games: int) -> float:
    """Mean of max - min of the win shares in a fair cell: 0.10 for 4 seats and 100 games.

    Exact up to 2,000 games (multinomial counts as Poisson counts given their sum; truncated
    masses convolved by FFT), the normal limit above.
    """
    need("seats", 2, seats)
    need("games", 1, games)
    if games > EXACT_NULL_GAMES:
        return _normal_range_mean(seats) / math.sqrt(seats * games)
    from pipeline.stats.distributions import special

    k = np.arange(games + 1)
    mean = games / seats
    mass = np.exp(k * math.log(mean) - mean - special().gammaln(k + 1))
    size = 1 << math.ceil(math.log2(seats * (games + 1)))
    at_total = math.exp(games * math.log(games) - games - math.lgamma(games + 1))

    def all_within(low: int, high: int) -> float:
        """P(every count lies in low..high)."""
        kept = np.where((k >= low) & (k <= high), mass, 0.0)
        folded = np.fft.irfft(np.fft.rfft(kept, size) ** seats, size)
        return float(folded[games]) / at_total

    reach = 9.0 * math.sqrt(mean) + 20.0
    top = range(math.ceil(mean), min(games, math.ceil(mean + reach)) + 1)
    bottom = range(max(1, math.floor(mean - reach)), math.floor(mean) + 1)
    largest = top.start + sum(1.0 - all_within(0, m) for m in top)
    smallest = bottom.start - 1 + sum(all_within(m, games) for m in bottom)
    return (largest - smallest) / games


def null_range_quantile(seats: int, games: int, seed: int, quantile: float = 0.95, draws: int = 20_000) -> float:
    """The max - min that a fair cell stays below with probability ``quantile`` (Monte Carlo)."""
    need("seats", 2, seats)
    need("games", 1, games)
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(games, np.full(seats, 1.0 / seats), size=draws)
    return float(np.quantile(np.ptp(counts, axis=1), quantile, method="inverted_cdf")) / games
