"""How many games are needed: to detect a seat advantage, or to show that there is none.

``delta`` is a share (0.05 is five percentage points); results are whole games.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np

from pipeline.stats import distributions as dist
from pipeline.stats.errors import need

MOST_GAMES = 10**12
EXACT_GAMES = 100_000
"""Up to here the binomial's sawtooth is followed; above, it is smaller than a thousandth."""


def _check(seats: int, delta: float) -> None:
    need("seats", 2, seats)
    if not 0.0 < delta < 1.0:
        raise ValueError(f"delta is a share between 0 and 1, not {delta}")


def _first(enough: Callable[[int], bool]) -> int:
    """The smallest whole number that is enough, for a condition that stays true."""
    low, high = 1, 1
    while not enough(high):
        low, high = high + 1, 2 * high
        need("games at most", high, MOST_GAMES)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle + 1, high)
    return low


def _one_seat_effect(seats: int, delta: float) -> float:
    """Squared effect size w2 when one seat is at 1/n + delta and the others share the rest."""
    return seats * (delta**2 + delta**2 / (seats - 1))


def games_to_detect(seats: int, delta: float, power: float = 0.8, alpha: float = 0.05) -> int:
    """Games for Pearson's chi-square to see one seat at 1/n + delta (Cohen 1988, ch. 7)."""
    _check(seats, delta)
    df = seats - 1
    critical = dist.chi2_quantile(1.0 - alpha, df)
    effect = _one_seat_effect(seats, delta)
    return _first(lambda n: dist.noncentral_chi2_cdf(critical, df, n * effect) <= 1.0 - power)


def _level_each(seats: int, alpha: float) -> float:
    """What a single seat is tested at: Holm's first step; two seats are one question."""
    return alpha / seats if seats > 2 else alpha


def _critical_wins(seats: int, games: int, alpha: float) -> int:
    """The fewest wins of a seat whose exact two-sided p is at most alpha over the seats."""
    tail = _level_each(seats, alpha) / 2.0
    low, high = math.floor(games / seats), games + 1
    while low < high:
        middle = (low + high) // 2
        rare = dist.binomial_sf(middle, games, 1.0 / seats) <= tail
        low, high = (low, middle) if rare else (middle + 1, high)
    return low


def power_to_find(seats: int, games: int, delta: float, alpha: float = 0.05) -> float:
    """Chance that the exact test of the seat at 1/n + delta, corrected for all seats, sees it.

    One winner a game. Holm's later steps add a little when the other seats are seen too.
    """
    _check(seats, delta)
    share = min(1.0, 1.0 / seats + delta)
    return dist.binomial_sf(_critical_wins(seats, games, alpha), games, share)


@cache
def games_to_find(seats: int, delta: float, power: float = 0.8, alpha: float = 0.05) -> int:
    """Games from which the verdict calls the one seat at 1/n + delta advantaged.

    The verdict tests each seat by itself, exactly, corrected for the number of seats; that takes
    some games more than the chi-square over all seats. The search starts at the normal limit
    with half a win of continuity, and goes on until the power holds over one period of the
    binomial's sawtooth (n games).
    """
    _check(seats, delta)
    fair, share = 1.0 / seats, min(1.0, 1.0 / seats + delta)
    reach = dist.normal_quantile(1.0 - _level_each(seats, alpha) / 2.0) * _sd(fair)
    reach += dist.normal_quantile(power) * _sd(share)
    games = math.ceil(((reach + math.sqrt(reach**2 + 2.0 * delta)) / (2.0 * delta)) ** 2)
    fine = 0
    while fine <= seats and games <= EXACT_GAMES:
        fine = fine + 1 if power_to_find(seats, games, delta, alpha) >= power else 0
        games += 1
    return games - fine


def _sd(share: float) -> float:
    return math.sqrt(share * (1.0 - share))


def findable(seats: int, games: int, power: float = 0.8, alpha: float = 0.05) -> float:
    """The smallest advantage of one seat that the verdict finds in ``games`` games, as a share.

    1 - 1/n, which is always winning, when there are too few games to find any.
    """
    need("seats", 2, seats)
    need("games", 1, games)
    wins = _critical_wins(seats, games, alpha)
    low, high = 1.0 / seats, 1.0
    for _ in range(60):
        middle = (low + high) / 2.0
        seen = dist.binomial_sf(wins, games, middle) >= power
        low, high = (low, middle) if seen else (middle, high)
    return high - 1.0 / seats


def detectable(seats: int, games: int, power: float = 0.8, alpha: float = 0.05) -> float:
    """The smallest advantage of one seat that ``games`` games would detect, as a share."""
    need("seats", 2, seats)
    need("games", 1, games)
    df = seats - 1
    critical = dist.chi2_quantile(1.0 - alpha, df)
    low, high = 0.0, 1e4
    for _ in range(200):
        middle = (low + high) / 2.0
        seen = 1.0 - dist.noncentral_chi2_cdf(critical, df, middle) >= power
        low, high = (low, middle) if seen else (middle, high)
    return math.sqrt(high / games / _one_seat_effect(seats, 1.0))


def games_for_equivalence(seats: int, delta: float, power: float = 0.8, alpha: float = 0.05) -> int:
    """Games to show one truly fair seat to be within 1/n +- delta (two one-sided tests)."""
    _check(seats, delta)
    z = dist.normal_quantile(1.0 - alpha) + dist.normal_quantile((1.0 + power) / 2.0)
    fair = 1.0 / seats
    return math.ceil(z * z * fair * (1.0 - fair) / delta**2)


def games_for_half_width(seats: int, delta: float, level: float = 0.95) -> int:
    """Games for the interval of a fair seat to be no wider than +- delta."""
    _check(seats, delta)
    fair = 1.0 / seats
    return math.ceil(dist.critical_z(level) ** 2 * fair * (1.0 - fair) / delta**2)


def joint_equivalence_power(seats: int, games: int, delta: float, alpha: float = 0.05, steps: int = 1000) -> float:
    """Chance that every seat's 1 - 2 alpha interval lies within 1/n +- delta, in a fair game.

    Normal limit. Shares are residuals of independent normals from their mean, which is those
    normals given that they sum to zero: the probability is the density of a sum of truncated
    normals at zero, convolved on a grid. With two seats one mirrors the other and is enough.
    """
    _check(seats, delta)
    fair = 1.0 / seats
    error = math.sqrt(fair * (1.0 - fair) / games)
    reach = delta / error - dist.normal_quantile(1.0 - alpha)
    if reach <= 0.0:
        return 0.0
    if seats == 2:
        return 2.0 * dist.normal_cdf(reach) - 1.0
    half = reach * math.sqrt(1.0 - fair)
    step = half / steps
    x = np.arange(-steps, steps + 1) * step
    mass = np.exp(-x * x / 2.0) * (step / math.sqrt(2.0 * math.pi))
    mass[[0, -1]] /= 2.0
    size = 1 << math.ceil(math.log2(2 * seats * steps + 1))
    summed = np.fft.irfft(np.fft.rfft(mass, size) ** seats, size)
    density = float(summed[seats * steps]) / step
    return density * math.sqrt(2.0 * math.pi * seats)


@cache
def games_for_joint_equivalence(seats: int, delta: float, power: float = 0.8, alpha: float = 0.05) -> int:
    """Games to show all seats of a truly fair game to be within 1/n +- delta at once."""
    return _first(lambda n: joint_equivalence_power(seats, n, delta, alpha) >= power)
