"""Kingdoms against its oracle, and its printed examples."""

from __future__ import annotations

import pytest

from tests.agreement import compare_games, engine_states, oracle_of, simulated
from pipeline.records import read_record


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("bots", [("random",), ("greedy",), ("random", "greedy")])
def test_engine_and_oracle_agree(players: int, bots: tuple[str, ...]) -> None:
    counts = compare_games("kingdoms", players, 25, 7, bots, {}, mutations=6)
    assert counts["whole"] == 50
    assert counts["faulty"] > 75


def test_states_are_compared_on_all_that_a_table_shows() -> None:
    record = next(simulated("kingdoms", 3, 1, 1, ("random",), {}))
    shared = engine_states(read_record(record))[0].keys() & oracle_of("kingdoms").replay(record).states[0].keys()
    assert shared == {
        "epoch", "phase", "seat", "start", "board", "owners", "castles", "bonus", "supply", "unseen", "scores",
    }  # fmt: skip
