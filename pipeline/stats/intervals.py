"""Intervals for one proportion and for several at once.

All take counts (or fractional win shares where said) and a confidence level, and return
:class:`Interval` on the scale 0..1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from pipeline.stats import distributions as dist
from pipeline.stats.errors import NotEnough, need


class Interval(NamedTuple):
    """A lower and an upper bound."""

    low: float
    high: float


def _check(successes: float, trials: float) -> None:
    if trials <= 0:
        raise NotEnough("needs games, has none")
    if not 0.0 <= successes <= trials * (1 + 1e-12):
        raise ValueError(f"{successes:g} successes do not fit into {trials:g} trials")


def _clamped(low: float, high: float) -> Interval:
    return Interval(max(0.0, low), min(1.0, high))


def _wilson_at(share: float, trials: float, z: float) -> Interval:
    zz = z * z
    centre = (share + zz / (2.0 * trials)) / (1.0 + zz / trials)
    inside = share * (1.0 - share) / trials + zz / (4.0 * trials * trials)
    half = z * math.sqrt(max(0.0, inside)) / (1.0 + zz / trials)
    low = 0.0 if share <= 0.0 else centre - half
    return _clamped(low, centre + half)


def wilson(successes: float, trials: float, level: float = 0.95) -> Interval:
    """Wilson score interval (Wilson 1927).

    ``successes`` may be a fractional sum of win shares; as the variance of a share in 0..1 is at
    most p(1-p), the interval is then conservative.
    """
    _check(successes, trials)
    return _wilson_at(successes / trials, trials, dist.critical_z(level))


def effective_games(games: float, share: float, variance: float) -> float:
    """Games of whole wins that would tell as much: N p(1-p)/s2 (s2 with divisor N-1).

    When the shares do not vary (s2 = 0, or one game only) the number of games itself.
    """
    if games <= 1 or variance <= 0.0 or not 0.0 < share < 1.0:
        return float(games)
    return games * share * (1.0 - share) / variance


def wilson_effective(games: float, share: float, variance: float, level: float = 0.95) -> Interval:
    """Wilson interval for a mean win share, at the effective number of games.

    ``share``: the mean share; ``variance``: its sample variance over games (divisor N-1).
    Shared victories vary less than whole wins, so they count for more than one game each.
    """
    _check(share * games, games)
    return _wilson_at(share, effective_games(games, share, variance), dist.critical_z(level))


def clopper_pearson(successes: int, trials: int, level: float = 0.95) -> Interval:
    """Exact interval by inverting binomial tails (Clopper & Pearson 1934)."""
    _check(successes, trials)
    tail = (1.0 - level) / 2.0
    x, n = successes, trials
    low = 0.0 if x == 0 else dist.beta_quantile(tail, x, n - x + 1)
    high = 1.0 if x == n else dist.beta_quantile(1.0 - tail, x + 1, n - x)
    return Interval(low, high)


def jeffreys(successes: float, trials: float, level: float = 0.95) -> Interval:
    """Equal-tailed posterior interval under the Beta(1/2, 1/2) prior (Brown, Cai, DasGupta)."""
    _check(successes, trials)
    tail = (1.0 - level) / 2.0
    a, b = successes + 0.5, trials - successes + 0.5
    return Interval(dist.beta_quantile(tail, a, b), dist.beta_quantile(1.0 - tail, a, b))


def agresti_coull(successes: float, trials: float, level: float = 0.95) -> Interval:
    """Wald interval about Wilson's centre (Agresti & Coull 1998), cut to 0..1."""
    _check(successes, trials)
    z = dist.critical_z(level)
    n = trials + z * z
    centre = (successes + z * z / 2.0) / n
    half = z * math.sqrt(centre * (1.0 - centre) / n)
    return _clamped(centre - half, centre + half)


def wald(share: float, standard_error: float, level: float = 0.95) -> Interval:
    """Plain normal interval, estimate +- z se; not cut."""
    half = dist.critical_z(level) * standard_error
    return Interval(share - half, share + half)


def _check_counts(counts: Sequence[float]) -> float:
    need("categories", 2, len(counts))
    if min(counts) < 0:
        raise ValueError("counts are not negative")
    total = sum(counts)
    if total <= 0:
        raise NotEnough("needs games, has none")
    return float(total)


def goodman(counts: Sequence[float], level: float = 0.95) -> tuple[Interval, ...]:
    """Simultaneous intervals of multinomial shares (Goodman 1965), chi-square at alpha/k."""
    total = _check_counts(counts)
    a = dist.chi2_quantile(1.0 - (1.0 - level) / len(counts), 1)
    out = []
    for count in counts:
        root = math.sqrt(a * (a + 4.0 * count * (total - count) / total))
        low, high = (a + 2.0 * count - root, a + 2.0 * count + root)
        out.append(_clamped(low / (2.0 * (total + a)), high / (2.0 * (total + a))))
    return tuple(out)


def bonferroni_wilson(counts: Sequence[float], level: float = 0.95) -> tuple[Interval, ...]:
    """Simultaneous Wilson intervals, each at level 1 - alpha/k."""
    total = _check_counts(counts)
    each = 1.0 - (1.0 - level) / len(counts)
    return tuple(wilson(count, total, each) for count in counts)


def _truncated_moments(mean: float, half: int) -> tuple[float, tuple[float, ...]]:
    """P(|X - mean| <= half) for X ~ Poisson(mean), and mean, mu2, mu3, mu4 of X given that."""
    centre = round(mean)
    low, high = max(0, centre - half), centre + half
    ks = range(low, high + 1)
    masses = [math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) if mean > 0 else float(k == 0) for k in ks]
    inside = math.fsum(masses)
    first = math.fsum(k * m for k, m in zip(ks, masses, strict=True)) / inside
    central = [math.fsum((k - first) ** r * m for k, m in zip(ks, masses, strict=True)) / inside for r in (2, 3, 4)]
    return inside, (first, *central)


def _sison_glaz_coverage(counts: Sequence[int], half: int) -> float:
    """Approximate P(every count stays within ``half`` of its expectation), Edgeworth order 4."""
    if half == 0:
        return 0.0
    total = sum(counts)
    parts = [_truncated_moments(count, half) for count in counts]
    mean = math.fsum(m[0] for _, m in parts)
    var = math.fsum(m[1] for _, m in parts)
    skew = sum(m[2] for _, m in parts) / var**1.5
    kurt = sum(m[3] - 3.0 * m[1] ** 2 for _, m in parts) / var**2
    x = (total - mean) / math.sqrt(var)
    h3 = x**3 - 3.0 * x
    h4 = x**4 - 6.0 * x**2 + 3.0
    h6 = x**6 - 15.0 * x**4 + 45.0 * x**2 - 15.0
    edge = 1.0 + skew * h3 / 6.0 + kurt * h4 / 24.0 + skew**2 * h6 / 72.0
    density = edge * math.exp(-x * x / 2.0) / math.sqrt(2.0 * math.pi)
    log_poisson = total * math.log(total) - total - math.lgamma(total + 1)
    log_inside = sum(math.log(inside) for inside, _ in parts)
    return float(math.exp(log_inside - log_poisson) * density / math.sqrt(var))


def sison_glaz(counts: Sequence[int], level: float = 0.95) -> tuple[Interval, ...]:
    """Simultaneous multinomial intervals (Sison & Glaz 1995), with May & Johnson's correction.

    The intervals share one half width c/N; the upper ends carry the interpolation 2 gamma/N.
    The search over c is linear, so this is meant for up to some 100,000 games.
    """
    total = int(_check_counts(counts))
    before, half = 0.0, 0
    coverage = _sison_glaz_coverage(counts, half)
    while coverage < level and half <= total:
        half += 1
        before, coverage = coverage, _sison_glaz_coverage(counts, half)
    c = half - 1
    gamma = (level - before) / (coverage - before) if coverage > before else 1.0
    return tuple(_clamped((count - c) / total, (count + c + 2.0 * gamma) / total) for count in counts)
