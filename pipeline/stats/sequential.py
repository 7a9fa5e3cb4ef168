"""Watching a stream of games: an e-value that may be looked at after every game.

Each game multiplies the evidence by what a Dirichlet(a, ..., a) predictor, updated game by game,
would have paid out against fair odds. Under fairness the product is a martingale, so the chance
that it ever reaches 20 is at most 1/20 (Ville 1939; Lindon & Malek 2022). A shared win pays the
mean over its winners, which keeps the martingale.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pipeline.stats import distributions as dist
from pipeline.stats.arrays import FloatArray
from pipeline.stats.errors import need
from pipeline.stats.patterns import SHARE_UNIT

PRIOR = 15.0
STOP = 20.0


def log_e_value(wins: Sequence[int], prior: float = PRIOR) -> float:
    """Log of the Dirichlet-mixture e-value of wins per seat against equal shares.

    Closed form for games with one winner each; it does not depend on their order.
    """
    seats, games = len(wins), sum(wins)
    need("seats", 2, seats)
    total = seats * prior
    out = math.lgamma(total) - math.lgamma(total + games) + games * math.log(seats)
    return out + sum(math.lgamma(prior + won) - math.lgamma(prior) for won in wins)


def e_value(wins: Sequence[int], prior: float = PRIOR) -> float:
    """The e-value itself; infinite when it exceeds what a float holds."""
    log_e = log_e_value(wins, prior)
    return math.exp(log_e) if log_e < 709.0 else math.inf


def anytime_p(largest_log_e: float) -> float:
    """The p-value valid at any time: 1 / (the largest e-value so far), at most 1."""
    return min(1.0, math.exp(-largest_log_e)) if largest_log_e > 0 else 1.0


@dataclass(frozen=True, slots=True)
class Stream:
    """State of a watched stream; pass it to :func:`watch` with the next games."""

    sums_60ths: tuple[int, ...]
    games: int = 0
    log_e: float = 0.0
    largest_log_e: float = 0.0
    stopped_at: int | None = None
    """Number of the game at which the e-value first reached the bound, from 1."""

    @property
    def p(self) -> float:
        """The p-value valid at any time."""
        return anytime_p(self.largest_log_e)


def start(seats: int) -> Stream:
    """An empty stream of games with ``seats`` players."""
    need("seats", 2, seats)
    return Stream((0,) * seats)


def watch(
    stream: Stream, shares: NDArray[np.integer], prior: float = PRIOR, stop: float = STOP
) -> tuple[Stream, FloatArray]:
    """Add games to a stream; returns the new state and log e after each game, (games,).

    ``shares``: (games, seats) win shares in 60ths, in the order of play.
    """
    rows = np.asarray(shares, dtype=np.int64)
    if rows.ndim != 2 or rows.shape[1] != len(stream.sums_60ths):
        raise ValueError(f"needs games x {len(stream.sums_60ths)} seats")
    if np.any(rows.sum(axis=1) != SHARE_UNIT) or np.any(rows < 0):
        raise ValueError("the win shares of a game add up to one win (60)")
    if not len(rows):
        return stream, np.zeros(0)
    seats = rows.shape[1]
    sums = np.cumsum(rows, axis=0) + np.array(stream.sums_60ths, dtype=np.int64)
    before = (sums - rows) / SHARE_UNIT
    played = stream.games + np.arange(len(rows))
    predicted = (prior + before) / (seats * prior + played)[:, None]
    payout = seats * (predicted * rows).sum(axis=1) / SHARE_UNIT
    path = stream.log_e + np.cumsum(np.log(payout))
    crossed = np.flatnonzero(path >= math.log(stop))
    stopped = stream.stopped_at
    if stopped is None and len(crossed):
        stopped = stream.games + int(crossed[0]) + 1
    state = Stream(
        sums_60ths=tuple(int(v) for v in sums[-1]),
        games=stream.games + len(rows),
        log_e=float(path[-1]),
        largest_log_e=max(stream.largest_log_e, float(path.max())),
        stopped_at=stopped,
    )
    return state, path


def log_e_values(wins: NDArray[np.integer], prior: float = PRIOR) -> FloatArray:
    """Vectorised :func:`log_e_value` over the rows of ``wins``, (tables, seats) -> (tables,)."""
    table = np.asarray(wins, dtype=np.float64)
    seats, games = table.shape[1], table.sum(axis=1)
    total = seats * prior
    out = dist.log_gamma(total) - dist.log_gamma(total + games) + games * math.log(seats)
    result: FloatArray = out + (dist.log_gamma(prior + table) - dist.log_gamma(prior)).sum(axis=1)
    return result
