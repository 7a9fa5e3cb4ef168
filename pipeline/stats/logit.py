"""Seat effects as log odds: raw, adjusted for who sat there, from whole rankings, from pairs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.stats import distributions as dist
from pipeline.stats import patterns
from pipeline.stats.arrays import FloatArray
from pipeline.stats.choice import PRIOR_SD, ChoiceFit, fit_choice
from pipeline.stats.errors import NotEnough, need
from pipeline.stats.intervals import Interval
from pipeline.stats.patterns import SHARE_UNIT, Patterns


def softmax(eta: FloatArray) -> FloatArray:
    """Win probabilities of competing log odds (n,)."""
    raised = np.exp(eta - eta.max())
    out: FloatArray = raised / raised.sum()
    return out


@dataclass(frozen=True, slots=True)
class SeatEffects:
    """Log odds of n seats with their covariance; they are defined up to a constant."""

    beta: FloatArray
    """(n,) against the reference seat, which has 0."""
    covariance: FloatArray
    """(n, n), zero in the reference's row and column."""
    reference: int
    loglik: float
    loglik_null: float
    games: int
    clusters: int
    player_effects: FloatArray
    games_per_player: float | None = None
    """Seats with a known player over players; below some 50, player effects correct only
    partly and the standard errors are somewhat too small."""

    @property
    def se(self) -> FloatArray:
        """Standard errors against the reference seat (n,)."""
        out: FloatArray = np.sqrt(np.diag(self.covariance))
        return out

    @property
    def centred(self) -> FloatArray:
        """Log odds against the mean seat (n,)."""
        out: FloatArray = self.beta - self.beta.mean()
        return out

    @property
    def win_probability(self) -> FloatArray:
        """Win share of each seat among equal players (n,)."""
        return softmax(self.beta)

    def win_probability_se(self) -> FloatArray:
        """Standard errors of :attr:`win_probability`, by the delta method (n,)."""
        p = self.win_probability
        slope = np.diag(p) - np.outer(p, p)
        out: FloatArray = np.sqrt(np.maximum(0.0, np.diag(slope @ self.covariance @ slope)))
        return out

    def win_intervals(self, level: float = 0.95) -> tuple[Interval, ...]:
        """Intervals of the win share among equal players, symmetric in log odds."""
        z = dist.critical_z(level)
        out = []
        for p, se in zip(self.win_probability, self.win_probability_se(), strict=True):
            centre, half = math.log(p / (1.0 - p)), z * se / (p * (1.0 - p))
            low, high = (1.0 / (1.0 + math.exp(-v)) for v in (centre - half, centre + half))
            out.append(Interval(low, high))
        return tuple(out)

    def wald(self) -> tuple[float, int, float]:
        """Wald test of "all seats alike": chi-square, degrees of freedom, p."""
        others = [s for s in range(len(self.beta)) if s != self.reference]
        b, v = self.beta[others], self.covariance[np.ix_(others, others)]
        statistic = float(b @ np.linalg.solve(v, b))
        return statistic, len(others), dist.chi2_sf(statistic, len(others))

    def likelihood_ratio(self) -> tuple[float, int, float]:
        """Likelihood-ratio test of "all alike"; for whole wins or rankings without players."""
        statistic = 2.0 * (self.loglik - self.loglik_null)
        df = len(self.beta) - 1
        return statistic, df, dist.chi2_sf(max(0.0, statistic), df)


def _seat_effects(fit: ChoiceFit, seats: int, robust: bool, games: int) -> SeatEffects:
    """Put the reference (the last seat) back in; further coefficients are left out."""
    source = fit.covariance_robust if robust else fit.covariance
    beta, covariance = np.zeros(seats), np.zeros((seats, seats))
    beta[:-1] = fit.beta[: seats - 1]
    covariance[:-1, :-1] = source[: seats - 1, : seats - 1]
    return SeatEffects(
        beta,
        covariance,
        seats - 1,
        fit.loglik,
        fit.loglik_null,
        games,
        fit.clusters,
        fit.player_effects,
    )


def winner_only(wins: Sequence[int], reference: int = -1) -> SeatEffects:
    """Closed form for one winner a game and no covariates: beta = log(wins / wins of reference).

    Variance of a difference 1/wins + 1/wins of reference. Every seat needs a win.
    """
    need("seats", 2, len(wins))
    for seat, won in enumerate(wins):
        if won <= 0:
            raise NotEnough(f"needs wins of seat {seat + 1}, has none: no finite log odds")
    counts = np.asarray(wins, dtype=np.float64)
    base = reference % len(wins)
    beta = np.log(counts / counts[base])
    covariance = np.diag(1.0 / counts) + 1.0 / counts[base]
    covariance[base, :] = covariance[:, base] = 0.0
    games = int(sum(wins))
    loglik = float(counts @ np.log(counts / games))
    null = -games * math.log(len(wins))
    return SeatEffects(beta, covariance, base, loglik, null, games, games, np.zeros(0))


def _dummies(seat: NDArray[Any], seats: int) -> FloatArray:
    """0/1 columns for all seats but the last."""
    return np.asarray(np.asarray(seat)[:, None] == np.arange(seats - 1), dtype=np.float64)


def share_logit(shares: Patterns, robust: bool = True) -> SeatEffects:
    """Fractional logit of seat from counted share patterns (60ths), any number of games."""
    games = patterns.check_shares(shares)
    seats = patterns.seats_of(shares)
    won = np.array(patterns.totals(shares))
    if np.any(won == 0):
        raise NotEnough(f"needs wins of seat {int(np.argmin(won)) + 1}, has none")
    values, counts = patterns.as_arrays(shares)
    rows = len(values)
    fit = fit_choice(
        np.repeat(np.arange(rows), seats),
        values.reshape(-1) / SHARE_UNIT,
        _dummies(np.tile(np.arange(seats), rows), seats),
        weight=np.repeat(counts, seats),
    )
    return _seat_effects(fit, seats, robust, games)


def adjusted_seats(
    shares: NDArray[np.integer[Any]],
    players: NDArray[np.integer[Any]],
    session: NDArray[Any] | None = None,
    prior_sd: float = PRIOR_SD,
) -> SeatEffects:
    """Seat effects with player effects: for games whose seats are not dealt at random.

    ``shares``: (games, seats) win shares in 60ths; ``players``: (games, seats) whole numbers
    0.., negative where unknown; ``session``: (games,) labels for clustering, default by game.
    Player effects have the prior normal(0, prior_sd): a weak ridge, since a strong one leaves
    confounding in. Bots' skill levels are players. Covariance: sandwich.
    """
    table, who = np.asarray(shares), np.asarray(players)
    need("games", 1, len(table))
    games, seats = table.shape
    if np.any(table.sum(axis=0) == 0):
        raise NotEnough(f"needs wins of seat {int(np.argmin(table.sum(axis=0))) + 1}, has none")
    game = np.repeat(np.arange(games), seats)
    known = who >= 0
    codes = np.full(who.shape, -1, dtype=np.int64)
    if known.any():
        codes[known] = np.unique(who[known], return_inverse=True)[1]
    fit = fit_choice(
        game,
        table.reshape(-1) / SHARE_UNIT,
        _dummies(np.tile(np.arange(seats), games), seats),
        player=codes.reshape(-1),
        prior_sd=prior_sd,
        cluster=game if session is None else np.repeat(np.asarray(session), seats),
    )
    effects = _seat_effects(fit, seats, True, games)
    known_seats, count = int(known.sum()), int(codes.max()) + 1
    return replace(effects, games_per_player=known_seats / count if count else None)


def _orders(ranks: Sequence[int]) -> list[tuple[int, ...]]:
    """All orders of seats, best first, that agree with ranks in which ties share a number."""
    groups = [[s for s, r in enumerate(ranks) if r == rank] for rank in sorted(set(ranks))]
    orders: list[tuple[int, ...]] = [()]
    for group in groups:
        orders = [head + tail for head in orders for tail in permutations(group)]
    return orders


def ranks_of_orders(orders: Sequence[Sequence[int]]) -> dict[tuple[int, ...], int]:
    """Count finishing orders (0-based seats, best first) as rank patterns."""
    out: dict[tuple[int, ...], int] = {}
    for order in orders:
        ranks = tuple(order.index(seat) + 1 for seat in range(len(order)))
        out[ranks] = out.get(ranks, 0) + 1
    return out


def plackett_luce(ranks: Patterns) -> SeatEffects:
    """Plackett-Luce seat effects from whole rankings, last seat the reference.

    ``ranks``: ranks per seat (1 best) -> games. A ranking is a choice of the first, then of the
    second among the rest, and so on (the exploded logit). A tie counts every order of the tied
    seats in equal parts. Covariance: inverse information.
    """
    games, seats = patterns.games_of(ranks), patterns.seats_of(ranks)
    need("games", 1, games)
    stratum, share, seat, weight = [], [], [], []
    stage = 0
    for pattern, count in sorted(ranks.items()):
        orders = _orders(pattern)
        for order in orders:
            for place in range(seats - 1):
                for s in order[place:]:
                    stratum.append(stage)
                    share.append(float(s == order[place]))
                    seat.append(s)
                    weight.append(count / len(orders))
                stage += 1
    fit = fit_choice(
        np.array(stratum),
        np.array(share),
        _dummies(np.array(seat), seats),
        weight=np.array(weight),
    )
    return _seat_effects(fit, seats, False, games)


@dataclass(frozen=True, slots=True)
class MatchedPairs:
    """Odds ratio from pairs that differ (McNemar 1947)."""

    pairs: int
    odds_ratio: float
    log_se: float
    interval: Interval
    """Exact, from the Clopper-Pearson interval of the discordant pairs."""
    p_exact: float


def matched_pairs(first_only: int, second_only: int, level: float = 0.95) -> MatchedPairs:
    """Conditional odds ratio of pairs, e.g. winner exchanged / loser exchanged in one game.

    Only the discordant pairs count: ``first_only`` and ``second_only``. For two players this is
    the conditional logit matched on the game.
    """
    from pipeline.stats.intervals import clopper_pearson

    pairs = first_only + second_only
    need("games in which just one of the two did it", 1, pairs)
    if first_only and second_only:
        ratio, log_se = first_only / second_only, math.sqrt(1 / first_only + 1 / second_only)
    else:
        ratio, log_se = (math.inf if first_only else 0.0), math.inf
    low, high = clopper_pearson(first_only, pairs, level)
    odds = Interval(low / (1.0 - low), math.inf if high >= 1.0 else high / (1.0 - high))
    return MatchedPairs(pairs, ratio, log_se, odds, dist.binomial_two_sided_p(first_only, pairs, 0.5))
