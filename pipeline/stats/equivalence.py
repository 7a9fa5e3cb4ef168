"""Shown to be balanced: two one-sided tests, intersection-union, posterior mass in a band."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.stats import distributions as dist
from pipeline.stats import intervals
from pipeline.stats.errors import need
from pipeline.stats.intervals import Interval


@dataclass(frozen=True, slots=True)
class Tost:
    """Two one-sided tests of "the share lies within p0 +- margin" (Schuirmann 1987)."""

    z_lower: float
    z_upper: float
    p_lower: float
    p_upper: float
    p: float
    """The larger of the two; below alpha the share is shown to lie within the margin."""
    p_exact: float
    """The same from exact one-sided binomial tests; NaN for fractional wins."""
    p_difference: float
    """Score test of "the share is p0", two-sided."""
    interval_wald: Interval
    """The 1 - 2 alpha Wald interval: within the margin exactly when p < alpha."""
    interval_wilson: Interval


def _z(distance: float, error: float) -> float:
    if error > 0.0:
        return distance / error
    return math.copysign(math.inf, distance) if distance else 0.0


def _exact(wins: float, games: int, low: float, high: float) -> float:
    if wins != int(wins):
        return math.nan
    p_low = dist.binomial_sf(int(wins), games, low) if low > 0.0 else 0.0
    p_high = dist.binomial_cdf(int(wins), games, high) if high < 1.0 else 0.0
    return max(p_low, p_high)


def tost(wins: float, games: int, fair: float, margin: float, alpha: float = 0.05) -> Tost:
    """Is the win share within ``fair`` +- ``margin``? z tests with the sample's variance."""
    need("games", 1, games)
    share = wins / games
    error = math.sqrt(max(0.0, share * (1.0 - share)) / games)
    z_lower = _z(share - (fair - margin), error)
    z_upper = _z(share - (fair + margin), error)
    p_lower, p_upper = dist.normal_cdf(-z_lower), dist.normal_cdf(z_upper)
    level = 1.0 - 2.0 * alpha
    return Tost(
        z_lower=z_lower,
        z_upper=z_upper,
        p_lower=p_lower,
        p_upper=p_upper,
        p=max(p_lower, p_upper),
        p_exact=_exact(wins, games, fair - margin, fair + margin),
        p_difference=dist.normal_two_sided_p((share - fair) / math.sqrt(fair * (1.0 - fair) / games)),
        interval_wald=intervals.wald(share, error, level),
        interval_wilson=intervals.wilson(wins, games, level),
    )


@dataclass(frozen=True, slots=True)
class JointTost:
    """All seats within the margin: each must pass, so no correction is due (Berger 1982)."""

    intervals: tuple[Interval, ...]
    """Wilson intervals at 1 - 2 alpha."""
    all_inside: bool
    p_each: tuple[float, ...]
    p_joint: float


def tost_all_seats(wins: Sequence[float], margin: float, alpha: float = 0.05) -> JointTost:
    """Intersection-union test that every seat's share lies within 1/n +- margin.

    ``wins``: games won per seat; their sum is the number of games.
    """
    games, fair = round(sum(wins)), 1.0 / max(1, len(wins))
    need("seats", 2, len(wins))
    each = [tost(won, games, fair, margin, alpha) for won in wins]
    bands = tuple(test.interval_wilson for test in each)
    inside = all(fair - margin < low and high < fair + margin for low, high in bands)
    p_each = tuple(test.p for test in each)
    return JointTost(bands, inside, p_each, max(p_each))


@dataclass(frozen=True, slots=True)
class Rope:
    """Posterior of one seat's share under a Dirichlet prior."""

    seat: int
    p_inside: float
    """Posterior probability of 1/n +- margin, the region of practical equivalence."""
    mean: float
    interval: Interval
    """Equal-tailed credible interval."""


def dirichlet_rope(wins: Sequence[float], margin: float, prior: float = 1.0, level: float = 0.95) -> tuple[Rope, ...]:
    """Posterior mass of each seat's share in 1/n +- margin (beta marginals of the Dirichlet)."""
    seats = len(wins)
    need("seats", 2, seats)
    total, fair, tail = sum(wins) + seats * prior, 1.0 / seats, (1.0 - level) / 2.0
    out = []
    for seat, won in enumerate(wins):
        a, b = won + prior, total - won - prior
        inside = dist.beta_cdf(fair + margin, a, b) - dist.beta_cdf(fair - margin, a, b)
        band = Interval(dist.beta_quantile(tail, a, b), dist.beta_quantile(1.0 - tail, a, b))
        out.append(Rope(seat, inside, a / total, band))
    return tuple(out)
