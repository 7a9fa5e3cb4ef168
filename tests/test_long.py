"""Engine against oracle on more than 20,000 records a title, over all options: `make test-long`."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

import pytest

from pipeline.titles import TITLES, load
from tests.agreement import compare_games

RECORDS = 20_000
GAMES_A_CELL = 6
MUTATIONS = 6


def option_sets(title: str, players: int) -> list[dict[str, Any]]:
    """Every combination of the title's options with this many players (boards by file aside)."""
    names, values = [], []
    for option in load(title).options:
        legal: list[Any] = list(option.legal(players)) or [option.default(players)]
        if option.many:
            legal = [list(pick) for size in option.many for pick in itertools.combinations(option.legal(players), size)]
        names.append(option.name)
        values.append(legal)
    return [dict(zip(names, pick, strict=True)) for pick in itertools.product(*values)]


@pytest.mark.long
@pytest.mark.parametrize("title", TITLES)
def test_engine_and_oracle_agree_on_very_many_records(title: str) -> None:
    rng = random.Random(title)
    cells = [(n, options) for n in load(title).seats for options in option_sets(title, n)]
    bots = [("random",), ("greedy",), ("random", "greedy"), ("sampling", "greedy")]
    counts: Counter[str] = Counter()
    for seed in itertools.count(100):
        rng.shuffle(cells)
        for players, options in cells:
            chosen = bots[rng.choices(range(4), (4, 4, 4, 1))[0]]
            counts.update(
                compare_games(title, players, GAMES_A_CELL, seed, chosen, options, MUTATIONS, states=seed == 100)
            )
            if sum(counts.values()) >= RECORDS:
                print(title, dict(counts))
                assert counts["faulty"] > RECORDS / 4
                return
