"""Ratios of two sums over games (rates per turn, means per game) from whole-number sums."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pipeline.stats import distributions as dist
from pipeline.stats.errors import need
from pipeline.stats.intervals import Interval, wilson


@dataclass(frozen=True, slots=True)
class Ratio:
    """The sum of x over the sum of y, with its standard error; ``interval`` is None for a single game."""

    games: int
    ratio: float
    standard_error: float
    interval: Interval | None


def ratio_from_sums(
    games: int, x: int, y: int, xx: int, xy: int, yy: int, share: bool = False, level: float = 0.95
) -> Ratio:
    """Sum of x over sum of y with games as clusters: turns of one game are no independent ones.

    ``xx``, ``xy``, ``yy`` are sums of products over games. The variance is that of the linearised ratio
    estimator (Cochran 1977, 6.4), games/(games - 1) times the squared residuals x - ratio y over y squared:
    the cluster-robust one of a regression on a constant. Exact until the last division; with y = 1 a game it
    is the mean with Student's t. A ``share`` (each x at most its y) has Wilson's interval at the
    effective number of trials; if it does not vary, as many trials as games.
    """
    need("games", 1, games)
    need("turns that count", 1, y)
    ratio = x / y
    if games == 1:
        return Ratio(1, ratio, 0.0, None)
    residuals = max(0, y * y * xx - 2 * x * y * xy + x * x * yy)
    variance = games / (games - 1) * (residuals / (y * y)) / (y * y)
    if share:
        trials = ratio * (1.0 - ratio) / variance if variance > 0.0 else float(games)
        return Ratio(games, ratio, math.sqrt(variance), wilson(min(1.0, ratio) * trials, trials, level))
    half = dist.student_quantile(0.5 + level / 2.0, games - 1) * math.sqrt(variance)
    return Ratio(games, ratio, math.sqrt(variance), Interval(ratio - half, ratio + half))
