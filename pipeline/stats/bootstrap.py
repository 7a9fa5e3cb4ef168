"""Bootstrap of a mean or another statistic: exact for tiny samples, by session if asked."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.stats.arrays import FloatArray, IntArray
from pipeline.stats.errors import NotEnough, need
from pipeline.stats.intervals import Interval

EXACT_RESAMPLES = 200_000


@dataclass(frozen=True, slots=True)
class ExactBootstrap:
    """The full bootstrap distribution of a mean."""

    resamples: int
    """n^n."""
    mean: float
    se: float
    values: tuple[float, ...]
    """Distinct means, ascending."""
    weights: tuple[Fraction, ...]

    def quantile(self, q: float) -> float:
        """The smallest mean whose cumulative weight reaches ``q`` (inverted CDF)."""
        below = Fraction(0)
        for value, weight in zip(self.values, self.weights, strict=True):
            below += weight
            if below >= Fraction(q):
                return value
        return self.values[-1]


def exact_mean_bootstrap(values: Sequence[int]) -> ExactBootstrap:
    """All n^n resamples of whole numbers, counted as multisets with exact weights."""
    n = len(values)
    need("values", 1, n)
    if math.comb(2 * n - 1, n) > EXACT_RESAMPLES:
        raise NotEnough(f"needs fewer values for the exact bootstrap, has {n}: resample")
    weights: dict[int, int] = {}
    for chosen in combinations_with_replacement(range(n), n):
        ways = math.factorial(n)
        for i in set(chosen):
            ways //= math.factorial(chosen.count(i))
        total = sum(values[i] for i in chosen)
        weights[total] = weights.get(total, 0) + ways
    ordered = sorted(weights.items())
    mean = Fraction(sum(values), n)
    variance = sum(Fraction(w, n**n) * (Fraction(t, n) - mean) ** 2 for t, w in ordered)
    return ExactBootstrap(
        resamples=n**n,
        mean=float(mean),
        se=math.sqrt(variance),
        values=tuple(t / n for t, _ in ordered),
        weights=tuple(Fraction(w, n**n) for _, w in ordered),
    )


def mean_bootstrap_se(values: NDArray[Any]) -> float:
    """Standard error that the bootstrap of a mean tends to: sqrt(population variance / n)."""
    data = np.asarray(values, dtype=np.float64)
    need("values", 1, len(data))
    return math.sqrt(float(data.var()) / len(data))


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """A Monte Carlo bootstrap."""

    estimate: float
    se: float
    interval: Interval
    """Percentile interval."""
    method: str


def _picks(session: NDArray[Any] | None, size: int, rng: np.random.Generator) -> Callable[[], IntArray]:
    if session is None:
        return lambda: rng.integers(0, size, size)
    codes = np.unique(session, return_inverse=True)[1].reshape(-1)
    order = np.argsort(codes, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(codes[order])) + 1)
    need("sessions", 2, len(groups))
    return lambda: np.concatenate([groups[g] for g in rng.integers(0, len(groups), len(groups))])


def bootstrap(
    values: FloatArray,
    statistic: Callable[[FloatArray], float],
    seed: int,
    session: NDArray[Any] | None = None,
    resamples: int = 1_999,
    level: float = 0.95,
) -> Bootstrap:
    """Percentile bootstrap of ``statistic`` over games, or over whole sessions.

    ``values``: (games,) or (games, columns); ``session``: (games,) labels.
    """
    data = np.asarray(values, dtype=np.float64)
    need("games", 2, len(data))
    pick = _picks(session, len(data), np.random.default_rng(seed))
    drawn = np.array([statistic(data[pick()]) for _ in range(resamples)])
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(drawn, [tail, 1.0 - tail])
    return Bootstrap(
        float(statistic(data)),
        float(drawn.std(ddof=1)),
        Interval(float(low), float(high)),
        f"{resamples:,} resamples, seed {seed}",
    )
