"""Sizes of differences between two groups of games, beside their tests."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from pipeline.stats import distributions as dist
from pipeline.stats.arrays import FloatArray, IntArray
from pipeline.stats.errors import NotEnough, need
from pipeline.stats.intervals import Interval


@dataclass(frozen=True, slots=True)
class EffectSize:
    """An effect with its standard error and interval."""

    value: float
    se: float
    interval: Interval


def hedges_g(on: FloatArray, off: FloatArray, level: float = 0.95) -> EffectSize:
    """Standardised mean difference on - off, corrected for small samples (Hedges 1981).

    ``on``, ``off``: (games,) values. Exact correction by gamma functions; normal interval with
    variance (n1+n0)/(n1 n0) + g^2/(2(n1+n0)).
    """
    a, b = np.asarray(on, dtype=np.float64), np.asarray(off, dtype=np.float64)
    need("games on each side", 2, min(len(a), len(b)))
    n1, n0 = len(a), len(b)
    df = n1 + n0 - 2
    pooled = (float(a.var(ddof=1)) * (n1 - 1) + float(b.var(ddof=1)) * (n0 - 1)) / df
    if pooled <= 0.0:
        raise NotEnough("needs values that vary, has all alike")
    correction = math.exp(math.lgamma(df / 2) - math.lgamma((df - 1) / 2)) / math.sqrt(df / 2)
    if df > 1_000_000:
        correction = 1.0 - 3.0 / (4.0 * df - 1.0)
    g = correction * float(a.mean() - b.mean()) / math.sqrt(pooled)
    se = math.sqrt((n1 + n0) / (n1 * n0) + g * g / (2.0 * (n1 + n0)))
    half = dist.critical_z(level) * se
    return EffectSize(g, se, Interval(g - half, g + half))


def paired_g(on: FloatArray, off: FloatArray, level: float = 0.95) -> EffectSize:
    """Hedges g of games in pairs: the same size as :func:`hedges_g`, its interval from the pairs.

    ``on``, ``off``: (pairs,) values. Delta method for normal pairs (Bonett 2008): variance
    se_gap^2/s^2 + g^2 (1 + r^2)/(4(pairs - 1)), s the spread between games, r the pairs'
    correlation; with r = 0 it is that of unpaired games.
    """
    a, b = np.asarray(on, dtype=np.float64), np.asarray(off, dtype=np.float64)
    pairs = len(a)
    g = hedges_g(a, b, level).value
    both = float(a.var(ddof=1)), float(b.var(ddof=1))
    gap = float((a - b).var(ddof=1))
    spread = (both[0] + both[1]) / 2.0
    r = (both[0] + both[1] - gap) / (2.0 * math.sqrt(both[0] * both[1])) if min(both) > 0.0 else 0.0
    se = math.sqrt(gap / pairs / spread + g * g * (1.0 + r * r) / (4.0 * (pairs - 1)))
    half = dist.critical_z(level) * se
    return EffectSize(g, se, Interval(g - half, g + half))


def _dominance(values: FloatArray, others: FloatArray) -> tuple[IntArray, IntArray]:
    """For each value: how many others it beats minus loses to, and with how many it ties."""
    ordered = np.sort(others)
    below = np.searchsorted(ordered, values, side="left")
    upto = np.searchsorted(ordered, values, side="right")
    return below - (len(others) - upto), upto - below


def cliffs_delta(on: FloatArray, off: FloatArray, level: float = 0.95) -> EffectSize:
    """P(on > off) - P(on < off), O(n log n), with Cliff's (1993) asymmetric interval.

    Unbiased variance of the dominance matrix; where the groups do not overlap the inner bound is
    (n - z^2)/(n + z^2) with the smaller n.
    """
    a, b = np.asarray(on, dtype=np.float64), np.asarray(off, dtype=np.float64)
    need("games on each side", 2, min(len(a), len(b)))
    n, m = len(a), len(b)
    wins, ties = _dominance(a, b)
    losses, _ = _dominance(b, a)
    delta = int(wins.sum()) / (n * m)
    rows, columns = wins / m - delta, -losses / n - delta
    total = n * m - int(ties.sum()) - n * m * delta * delta
    spread = m * m * float(rows @ rows) + n * n * float(columns @ columns) - total
    variance = spread / (n * m * (n - 1) * (m - 1))
    floor = (1.0 - delta * delta) / (n * m - 1)
    se = math.sqrt(max(variance, floor, 0.0))
    z = dist.critical_z(level)
    if abs(delta) == 1.0:
        inner = (min(n, m) - z * z) / (min(n, m) + z * z)
        return EffectSize(delta, se, Interval(inner, 1.0) if delta > 0 else Interval(-1.0, -inner))
    centre = delta - delta**3
    half = z * se * math.sqrt((1.0 - delta**2) ** 2 + z * z * se * se)
    norm = 1.0 - delta**2 + z * z * se * se
    return EffectSize(delta, se, Interval(max(-1.0, (centre - half) / norm), min(1.0, (centre + half) / norm)))
