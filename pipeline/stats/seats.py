"""How often each seat wins, how it ranks and how it scores, each with its interval."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.stats import distributions as dist
from pipeline.stats import intervals, patterns
from pipeline.stats.arrays import FloatArray
from pipeline.stats.errors import need
from pipeline.stats.intervals import Interval
from pipeline.stats.means import Mean, mean_from_sums
from pipeline.stats.patterns import SHARE_UNIT, Patterns


@dataclass(frozen=True, slots=True)
class SeatShare:
    """Win share of one seat (0-based) in one cell."""

    seat: int
    seats: int
    games: int
    share_60ths: int
    share: float
    variance: float
    """Sample variance of the share over games, divisor N-1; 0 for a single game."""
    effective_games: float
    interval: Interval

    @property
    def expected(self) -> float:
        """Share of a fair seat, 1/n."""
        return 1.0 / self.seats

    @property
    def difference(self) -> float:
        """Share minus fair share; times 100 it is percentage points."""
        return self.share - self.expected

    @property
    def index(self) -> float:
        """Seat index n * share; 1 is fair."""
        return self.seats * self.share

    def interval_at(self, level: float) -> Interval:
        """The Wilson interval of the share at another confidence level."""
        return intervals.wilson_effective(self.games, self.share, self.variance, level)


def seat_shares(shares: Patterns, level: float = 0.95) -> tuple[SeatShare, ...]:
    """Win share per seat with the Wilson interval at the effective number of games.

    ``shares``: win shares in 60ths -> games. Sums are exact integers whatever the order.
    """
    games = patterns.check_shares(shares)
    seats = patterns.seats_of(shares)
    out = []
    for seat, (sum1, sum2) in enumerate(zip(patterns.totals(shares), patterns.squares(shares), strict=True)):
        share = sum1 / (SHARE_UNIT * games)
        spread = games * sum2 - sum1 * sum1
        variance = spread / (games * (games - 1) * SHARE_UNIT**2) if games > 1 else 0.0
        effective = intervals.effective_games(games, share, variance)
        interval = intervals.wilson_effective(games, share, variance, level)
        out.append(SeatShare(seat, seats, games, sum1, share, variance, effective, interval))
    return tuple(out)


def shift_if_included(shares: Patterns, left_out: Patterns) -> tuple[float, ...]:
    """Change of each seat's win share if the left-out games with a known result were in."""
    before = seat_shares(shares)
    if not patterns.games_of(left_out):
        return tuple(0.0 for _ in before)
    after = seat_shares(patterns.merge(shares, left_out))
    return tuple(new.share - old.share for new, old in zip(after, before, strict=True))


def mean_normalised_ranks(ranks: Patterns, level: float = 0.95) -> tuple[Mean, ...]:
    """Mean normalised rank per seat: 0 is always first, 1 always last, 1/2 fair.

    ``ranks``: ranks per seat (ties share a rank: 1, 2, 2, 4) -> games. A tie takes the middle of
    the places it covers; normalised is (midrank - 1)/(n - 1).
    """
    games = patterns.games_of(ranks)
    need("games", 1, games)
    seats = patterns.seats_of(ranks)
    doubled = patterns.midranks_doubled(ranks)
    scale = 2 * (seats - 1)
    means = []
    for sum1, sum2 in zip(patterns.totals(doubled), patterns.squares(doubled), strict=True):
        shifted1 = sum1 - 2 * games
        shifted2 = sum2 - 4 * sum1 + 4 * games
        means.append(mean_from_sums(games, shifted1, shifted2, scale, level))
    return tuple(means)


def score_gaps(scores: FloatArray, level: float = 0.95) -> tuple[Mean, ...]:
    """Per seat the mean of (score - the game's mean score), points.

    ``scores``: (games, seats). For many games let SQL add up n*score - total and its square per
    seat and use :func:`pipeline.stats.means.mean_from_sums` with scale n.
    """
    table = np.asarray(scores, dtype=np.float64)
    need("games", 1, len(table))
    gaps = table - table.mean(axis=1, keepdims=True)
    sums, sums2 = gaps.sum(axis=0), (gaps**2).sum(axis=0)
    return tuple(mean_from_sums(len(table), float(a), float(b), 1.0, level) for a, b in zip(sums, sums2, strict=True))


@dataclass(frozen=True, slots=True)
class ClusteredShare:
    """Win share of one seat whose uncertainty counts sessions, not games, as independent."""

    seat: int
    games: int
    sessions: int
    share: float
    standard_error: float
    interval: Interval


def session_clustered_shares(
    session_sums: Sequence[Sequence[int]], session_games: Sequence[int], level: float = 0.95
) -> tuple[ClusteredShare, ...]:
    """Win shares with session-clustered standard errors, a sensitivity check.

    ``session_sums``: (sessions, seats) win shares in 60ths; ``session_games``: (sessions,) games.
    Linearised ratio mean with factor C/(C-1) and Student's t with C-1 degrees of freedom
    (Cochran, Sampling Techniques, ch. 9A). Needs two sessions.
    """
    sums = np.asarray(session_sums, dtype=np.int64)
    sizes = np.asarray(session_games, dtype=np.int64)
    sessions = len(sizes)
    need("sessions", 2, sessions)
    games = int(sizes.sum())
    need("games", 1, games)
    half_t = dist.student_quantile(0.5 + level / 2.0, sessions - 1)
    out = []
    for seat in range(sums.shape[1]):
        wins = sums[:, seat] / SHARE_UNIT
        share = int(sums[:, seat].sum()) / (SHARE_UNIT * games)
        residual = wins - share * sizes
        variance = float(residual @ residual) * sessions / (sessions - 1) / games**2
        error = math.sqrt(variance)
        interval = Interval(max(0.0, share - half_t * error), min(1.0, share + half_t * error))
        out.append(ClusteredShare(seat, games, sessions, share, error, interval))
    return tuple(out)
