"""Means with Student's t interval, from sums as well as from values."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from pipeline.stats import distributions as dist
from pipeline.stats.arrays import FloatArray
from pipeline.stats.errors import need
from pipeline.stats.intervals import Interval


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean of ``n`` values; ``interval`` is None for a single value."""

    n: int
    mean: float
    sd: float
    standard_error: float
    interval: Interval | None


def mean_from_sums(n: int, total: float, total_squares: float, scale: float = 1.0, level: float = 0.95) -> Mean:
    """Mean from a sum and a sum of squares; ``scale`` divides the values (60ths: 60).

    Whole-number sums of any size stay exact until the last division.
    """
    need("values", 1, n)
    mean = total / n / scale
    if n == 1:
        return Mean(1, mean, 0.0, 0.0, None)
    spread = max(0.0, (n * total_squares - total * total) / (n * (n - 1)))
    sd = math.sqrt(spread) / abs(scale)
    error = sd / math.sqrt(n)
    half = dist.student_quantile(0.5 + level / 2.0, n - 1) * error
    return Mean(n, mean, sd, error, Interval(mean - half, mean + half))


def mean_of(values: FloatArray, level: float = 0.95) -> Mean:
    """Mean of an array (n,), with its interval."""
    data = np.asarray(values, dtype=np.float64)
    need("values", 1, len(data))
    centre = float(data.mean())
    shifted = data - centre
    base = mean_from_sums(len(data), float(shifted.sum()), float(shifted @ shifted), 1.0, level)
    moved = base.interval and Interval(base.interval.low + centre, base.interval.high + centre)
    return Mean(base.n, base.mean + centre, base.sd, base.standard_error, moved)
