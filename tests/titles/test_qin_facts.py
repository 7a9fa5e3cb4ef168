"""Qin: the placements and takeovers that a turn could have been, counted anew by trying each."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from pipeline import titles
from pipeline.records import read_record
from pipeline.replay import log_of, replay_log, states_of
from pipeline.titles.qin import bots, options, rules_choices
from pipeline.titles.qin.rules_join import DOUBLES, provinces_touch, taker_of
from pipeline.titles.qin.rules_state import NOBODY
from pipeline.titles.state import memory_of
from tests.agreement import simulated
from tests.oracles import qin as oracle
from tests.titles.qin_tables import takes_over

NAMES = ("board", "absorb_tie", "absorb_count", "village_squares")
WORDS = tuple(itertools.product(options.BOARDS, options.TIES, options.COUNTS, options.VILLAGES))
BOTS = (("random",), ("greedy",))


def check_facts(record: dict[str, Any], first: int = 0, step: int = 1) -> Counter[str]:
    """Compare the facts of some turns with the oracle, which tries each placement; what was met."""
    title, read = titles.load("qin"), read_record(record)
    rows = replay_log(title, read.board, log_of(title, [read]), want_turns=True).pieces[0].turns
    facts = {fact.name: 6 + i for i, fact in enumerate(title.facts)}
    game = oracle.new_game(len(record["seats"]), record["options"])
    turn, met = 0, Counter[str]()
    for event in record["events"]:
        if event["action"] in ("tile", "pass"):
            row = {name: int(rows[turn, column]) for name, column in facts.items()}
            if turn % step == first:
                met.update(check_choices(game, row))
                if event["action"] == "tile":
                    assert row["took"] == takes_over(game, event["item"], (event["place"], event["target"]))
            turn += 1
        oracle.step(game, event)
    assert turn == len(rows)
    return met


def check_choices(game: oracle.Game, row: dict[str, int]) -> dict[str, int]:
    """Compare what a turn could have been; the numbers met."""
    names = ("placements", "takeovers", "can_take", "can_spare")
    if game.unknown[game.seat]:
        assert [row[name] for name in names] == [-1] * 4
        return {"unknown": 1}
    tiles = oracle.legal_tiles(game)
    takeovers = sum(takes_over(game, *tile) for tile in tiles)
    found = [len(tiles), takeovers, takeovers > 0, len(tiles) > takeovers]
    assert [row[name] for name in names] == found
    return {"placements": len(tiles), "takeovers": takeovers, "none": not tiles}


@pytest.mark.parametrize("board", options.BOARDS)
def test_what_was_possible_is_counted_right(board: str) -> None:
    """On each turn of a game by good players, and of one that fills the board."""
    assert check_facts(next(simulated("qin", 3, 1, 6, ("greedy",), {"board": board})))["takeovers"] > 10
    long = oracle.generate(random.Random(5), 3, {"board": board}, "slow", "long")
    assert check_facts(long)["placements"] > 1000
    hidden = oracle.blind(long)
    for event, seen in zip(hidden["events"], long["events"], strict=True):
        if event["seat"] > 0 and "item" in seen:
            event["item"] = seen["item"]
    met = check_facts(hidden)
    assert met["unknown"] > 10 and met["placements"] > 500


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_was_possible_under_each_switch(players: int) -> None:
    """Every sixth turn of a game of each combination of options."""
    met = Counter[str]()
    for i, words in enumerate(WORDS):
        given = dict(zip(NAMES, words, strict=True))
        record = next(simulated("qin", players, 1, 40 + i, BOTS[(i + players) % 2], given))
        met.update(check_facts(record, i % 6, 6))
    assert met["placements"] > 10_000 and met["takeovers"] > 100


@pytest.mark.parametrize("words", WORDS[::5])
def test_choices_do_not_depend_on_what_was_asked_before(words: tuple[str, ...]) -> None:
    """The same on a state that was never asked before as where each turn of the game was counted."""
    record = next(simulated("qin", 3, 1, 4, ("random",), dict(zip(NAMES, words, strict=True))))
    title, read = titles.load("qin"), read_record(record)
    board = title.load_board(read.board)
    rows = replay_log(title, read.board, log_of(title, [read]), want_turns=True).pieces[0].turns
    block, states = states_of(read, compiled=True)
    turn = 0
    for event, memory in zip(record["events"], states, strict=False):
        if event["action"] == "tile":
            memory_of(block)[:] = memory
            assert rules_choices.count_choices(block[0], board, event["seat"]) == tuple(rows[turn, 7:9])
            turn += 1
    assert turn == len(rows)


def try_all(state: Any, board: Any, seat: int) -> tuple[int, int]:
    """The legal placements of a hand and the takeovers among them, each planned and looked at in full."""
    placements, takeovers = 0, 0
    others = [v for v, holder in enumerate(state.holder) if holder not in (NOBODY, seat)]
    for one, two in board.pair[: board.pairs]:
        for kind, (a, b) in itertools.product(range(6), ((one, two), (two, one))):
            if not state.known[seat, kind] or (kind < DOUBLES and a > b):
                continue
            if not bots.may_lie(state, board, seat, kind, a, b):
                continue
            placements += 1
            joined = [
                state.owner[state.joined[part, i]]
                for part in range(state.parts)
                if state.part_owner[part] == seat
                for i in range(state.joins[part])
            ]
            touched = provinces_touch(state)
            takeovers += any(owner not in (NOBODY, seat) for owner in joined) or any(
                touched >> village & 1 and taker_of(state, board, village, seat) == seat for village in others
            )
    return placements, takeovers


@pytest.mark.parametrize("players", [2, 4])
def test_choices_are_right_whoever_owns_what(players: int) -> None:
    """On positions of games, with owners and holders drawn by lot, which games seldom bring about."""
    rng, met = np.random.default_rng(players), 0
    for i, words in enumerate(WORDS[::3]):
        given = dict(zip(NAMES, words, strict=True))
        read = read_record(next(simulated("qin", players, 1, 90 + i, BOTS[i % 2], given)))
        board = titles.load("qin").load_board(read.board)
        block, states = states_of(read, compiled=True)
        for memory in states[3 * players + 20 :: 6 * players]:
            memory_of(block)[:] = memory
            state = block[0]
            owned = np.flatnonzero((state.area == np.arange(state.area.size)) & (state.owner >= 0))
            state.owner[owned[owned > 0]] = rng.integers(0, players, np.count_nonzero(owned > 0))
            villages = int(board.villages[state.village_rule])
            state.holder[:villages] = rng.integers(-1, players, villages)
            for seat in range(players):
                state.known[seat] = 1
                found = try_all(state, board, seat)
                assert rules_choices.count_choices(state, board, seat) == found
                met += found[1]
    assert met > 1000
