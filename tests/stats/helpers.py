"""Right values, and simulated tables of games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

RIGHT: dict[str, Any] = json.loads(Path(__file__).with_name("right_values.json").read_text())
CLOSED = 1e-9
ITERATED = 1e-6


def shares_of(rng: np.random.Generator, games: int, chances: list[float], ties: float = 0.0) -> np.ndarray:
    """Win shares (games, seats) in 60ths: a winner, and with chance ``ties`` a second one."""
    seats = len(chances)
    order = np.argsort(np.log(chances) + rng.gumbel(size=(games, seats)), axis=1)[:, ::-1]
    table = np.zeros((games, seats), dtype=np.int64)
    shared = rng.random(games) < ties
    rows = np.arange(games)
    table[rows, order[:, 0]] = np.where(shared, 30, 60)
    table[rows[shared], order[shared, 1]] = 30
    return table


def within_errors(hits: int, trials: int, chance: float, errors: float = 4.0) -> bool:
    """Is a count of hits within some binomial standard errors of its expectation?"""
    return abs(hits - trials * chance) <= errors * (trials * chance * (1 - chance)) ** 0.5
