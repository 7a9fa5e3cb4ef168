"""China: facts of a turn, bots that see only what they may, and the rules uncompiled."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from pipeline.records import read_record
from pipeline.replay import log_of, replay_log, states_of
from pipeline.simulate import Plan, play
from pipeline.titles.china import bots, rules_facts
from pipeline.titles.china.options import DEFAULT_MAP
from pipeline.titles.state import random_seeds
from tests.agreement import engine_states, simulated
from tests.oracles import china as oracle
from tests.titles.china_tables import BOARD, TITLE


def test_facts_of_a_turn() -> None:
    assert len(TITLE.facts) == rules_facts.SLOT_DRAWS + 1
    data = next(simulated("china", 3, 1, 4, ("greedy", "random"), {"fortresses": True}))
    read = read_record(data)
    pieces = replay_log(TITLE, read.board, log_of(TITLE, [read]), want_turns=True).pieces
    names = [fact.name for fact in TITLE.facts]
    rows = [dict(zip(names, map(int, row[6:]), strict=True)) for row in pieces[0].turns]
    count = Counter(event["action"] for event in data["events"])
    assert sum(row["exchanged"] for row in rows) == count["exchange"]
    assert sum(row["cards_played"] for row in rows) == count["play"]
    assert sum(row["deck_draws"] + row["slot_draws"] for row in rows) == count["draw"]
    placed = ("houses_placed", "emissaries_placed", "fortresses_placed")
    assert sum(row[name] for row in rows for name in placed) == count["place"]
    full = engine_states(read)[-1]["scored"]
    assert sum(row["closed_region"] >= 0 for row in rows) <= len(full)
    for row in rows:
        assert sum(row[f"hand_{colour}"] for colour in ("yellow", "orange", "green", "red", "purple")) == 3
        assert row["exchanged"] or (row["can_place"] and row["placements"])
        assert row["jokers"] == (0 if row["exchanged"] else row["cards_played"] - sum(row[n] for n in placed))


def test_facts_of_unseen_hands_are_not_guessed() -> None:
    data = oracle.blind(next(simulated("china", 3, 1, 4, ("random",), {})))
    read = read_record(data)
    turns = replay_log(TITLE, read.board, log_of(TITLE, [read]), want_turns=True).pieces[0].turns
    names = [fact.name for fact in TITLE.facts]
    unknown = turns[:, 6 + names.index("hand_unknown")] > 0
    assert unknown[0]
    assert (turns[unknown, 6 + names.index("placements")] == -1).all()
    assert set(turns[unknown, 6 + names.index("can_place")]) <= {-1, 0, 1}


@pytest.mark.parametrize("plies", [14, 60, 61, 120, 121])
def test_bots_see_only_what_their_seat_sees(plies: int) -> None:
    """The others' hands dealt anew change no decision, and nothing that a looking-ahead player tries."""
    data = next(simulated("china", 3, 1, 8, ("greedy",), {}))
    data |= {"events": data["events"][:plies], "ended": "abandoned"}
    block, rows = states_of(read_record(data), compiled=True)
    block.view(np.int32)[:] = rows[-1]
    seat, other = int(block[0].turn_seat), block.copy()
    bots.hide(other[0], BOARD, seat, random_seeds(9, 0, 1)[0])
    assert other[0].hand.tolist() != block[0].hand.tolist()
    found = []
    for state in (block[0], other[0]):
        event, options = np.full(6, -1, np.int32), np.full((bots.MOST_CANDIDATES, 6), -1, np.int32)
        seen = []
        if state.phase not in (0, 1, 6):
            for policy in (0, 1):
                bots.decide(state, BOARD, random_seeds(1, 0, 1)[0], policy, event)
                # A card off the pile is nature's, not the bot's.
                seen.append([code for i, code in enumerate(event.tolist()) if i != 2 or event[3] != 0])
            bots.candidates(state, BOARD, random_seeds(1, 0, 1)[0], options)
        bots.hide(state, BOARD, seat, random_seeds(2, 0, 1)[0])
        found.append([seen, options.tolist(), state.hand.tolist(), state.unseen.tolist()])
    assert found[0] == found[1]


def test_uncompiled_is_compiled() -> None:
    plan = Plan("china", 3, 2, 4, ("random", "greedy"), {"fortresses": True}).checked()
    (_, fast), (_, slow) = next(play(plan)), next(play(plan, compiled=False))
    for name in fast._fields:
        assert np.array_equal(getattr(fast, name), getattr(slow, name))
    quick, plain = (replay_log(TITLE, DEFAULT_MAP, fast, True, compiled=flag) for flag in (True, False))
    assert quick.results.tobytes() == plain.results.tobytes()
    assert (quick.pieces[0].turns == plain.pieces[0].turns).all()
