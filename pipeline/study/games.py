"""Simulated cells: games whose true win shares are known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from pipeline.stats.arrays import FloatArray, IntArray
from pipeline.stats.patterns import SHARE_UNIT

PLAYERS = (2, 3, 4, 5)
GAMES = (30, 100, 400, 936, 2000)
TIES = (0.0, 0.1, 0.3)


@dataclass(frozen=True, slots=True)
class Planted:
    """A cell's truth: what may happen in a game, how likely, and each seat's win share."""

    patterns: tuple[tuple[int, ...], ...]
    """Win shares in 60ths, one tuple an outcome."""
    chances: FloatArray
    shares: FloatArray


def planted(shares: FloatArray, ties: float = 0.0) -> Planted:
    """Games with exactly these win shares, a part ``ties`` of them shared by two.

    Any two seats share equally often, so the games with one winner carry all of the advantage.
    """
    seats = len(shares)
    patterns = [tuple(SHARE_UNIT * (seat == s) for seat in range(seats)) for s in range(seats)]
    chances = list(shares - ties / seats)
    if ties:
        pairs = list(combinations(range(seats), 2))
        patterns += [tuple(SHARE_UNIT // 2 * (seat in pair) for seat in range(seats)) for pair in pairs]
        chances += [ties / len(pairs)] * len(pairs)
    if min(chances) < 0.0:
        raise ValueError(f"shares of {min(shares):g} leave no room for {ties:g} ties")
    return Planted(tuple(patterns), np.array(chances), shares)


def one_seat_off(seats: int, advantage: float) -> FloatArray:
    """Shares when the first seat is at 1/n + advantage and the others share the rest alike."""
    shares = np.full(seats, (1.0 - 1.0 / seats - advantage) / (seats - 1))
    shares[0] = 1.0 / seats + advantage
    return shares


def turn_order(seats: int, advantage: float) -> FloatArray:
    """Shares that fall evenly from the first seat, 1/n + advantage, to the last, 1/n - advantage."""
    falling: FloatArray = 1.0 / seats - advantage * np.linspace(-1.0, 1.0, seats)
    return falling


def cells(
    truth: Planted, games: int, replicates: int, rng: np.random.Generator
) -> Iterator[dict[tuple[int, ...], int]]:
    """Counted share patterns of ``replicates`` cells: one multinomial draw each."""
    for counts in rng.multinomial(games, truth.chances, size=replicates).tolist():
        yield {pattern: n for pattern, n in zip(truth.patterns, counts, strict=True) if n}


def stream(truth: Planted, games: int, rng: np.random.Generator) -> IntArray:
    """Win shares in 60ths of games in their order of play, (games, seats)."""
    table: IntArray = np.array(truth.patterns)[rng.choice(len(truth.patterns), size=games, p=truth.chances)]
    return table


def played(log_odds: FloatArray, rng: np.random.Generator) -> IntArray:
    """One winner a game from the seats' log odds (games, seats), as win shares in 60ths."""
    winners = np.argmax(log_odds + rng.gumbel(size=log_odds.shape), axis=1)
    table = np.zeros(log_odds.shape, dtype=np.int64)
    table[np.arange(len(table)), winners] = SHARE_UNIT
    return table
