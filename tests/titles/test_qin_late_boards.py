"""Qin's passes and ends with unknown tiles: late boards of narrow gaps between provinces.

On the true boards hardly any player ever passes. So small boards are filled by the oracle's self-check,
their provinces written into both states, and records with hidden tiles and spoilt ends compared.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from typing import Any
from unittest.mock import patch

from pipeline.records import encode_event
from pipeline.titles.qin import codes, rules, rules_choices
from pipeline.titles.qin.options import GRASS
from pipeline.titles.state import NO_FAULT, Sink
from tests.oracles import qin
from tests.oracles.common import Fault
from tests.oracles.selfcheck_qin import small_game, spoilt
from tests.titles.qin_tables import board_like, state_like, takes_over


def first_fault(state: Any, board: Any, case: dict[str, Any]) -> int | None:
    """The ply of the engine's first fault in a record that goes on from this state."""
    sink = Sink.new()
    for ply, event in enumerate(case["events"]):
        sink.count = 0
        row = encode_event(event, codes.BOOK, len(case["seats"]), ply)
        if rules.is_over(state, board) or rules.apply(state, board, sink, *row) != NO_FAULT:
            return ply
    sink.count = 0
    fault = rules.close(state, board, sink, case["ended"] == "finished")
    return len(case["events"]) if fault != NO_FAULT else None


def cases(games: int, seed: int) -> Iterator[tuple[qin.Game, int, dict[str, str], dict[str, Any]]]:
    """Records on late boards with how their game began; some tiles are hidden, most ends spoilt."""
    rng = random.Random(seed)
    while games:
        copies = rng.choice((2, 3, 4))
        players = rng.randint(2, min(4, 2 * copies - 1))
        options = {"absorb_tie": rng.choice(qin.OPTIONS["absorb_tie"])}
        with patch.object(qin, "COPIES", copies):
            start = small_game(rng, players, options)
            if start is None:
                continue
            with patch.object(qin, "new_game", lambda *_, start=start: deepcopy(start)):
                try:
                    record = qin.generate(rng, players, options, rng.choice(("random", "mean")))
                except Fault:  # the first hands fit nowhere
                    continue
                games -= 1
                del record["result"]
                for case in spoilt(record, rng):
                    yield start, copies, options, case


def test_passes_and_ends_with_unknown_tiles() -> None:
    """The same first fault as the oracle, whose self-check tries all completions one by one."""
    seen: Counter[str] = Counter()
    for start, copies, options, case in cases(games=80, seed=11):
        began = patch.object(qin, "new_game", lambda *_, start=start: deepcopy(start))
        with patch.object(qin, "COPIES", copies), began:
            wanted = qin.replay(case)
        board = board_like(start, copies)
        state = state_like(start, board, options)
        assert (state.colour[board.cell] == GRASS).sum() == len(start.grass)
        assert first_fault(state, board, case) == wanted.ply, (case["events"], wanted.message)
        if wanted.ok and rules.is_over(state, board):
            assert [int(score) for score in state.score[: start.players]] == wanted.scores
        seen[wanted.fault or "ok"] += 1
        plies = case["events"][: wanted.ply]
        seen["passes"] += any(event["action"] == "pass" for event in plies)
    assert seen["passes"] > 40 and seen["after_end"] > 20 and seen["truncated"] > 20, seen


def test_choices_are_counted_right_where_provinces_are_close() -> None:
    """All six kinds in hand, any holders, against the oracle trying each placement."""
    rng, met = random.Random(12), Counter[str]()
    while met["boards"] < 60:
        options = {"absorb_tie": rng.choice(qin.OPTIONS["absorb_tie"])}
        game = small_game(rng, rng.randint(2, 4), options)
        if game is None:
            continue
        game.holders = {village: rng.choice((None, *range(game.players))) for village in game.holders}
        board = board_like(game, qin.COPIES)
        state = state_like(game, board, options)
        state.known[:] = 1
        for seat in range(game.players):
            game.seat, game.known[seat] = seat, Counter(qin.KINDS)
            tiles = qin.legal_tiles(game)
            takeovers = sum(takes_over(game, *tile) for tile in tiles)
            assert rules_choices.count_choices(state, board, seat) == (len(tiles), takeovers)
            met.update(placements=len(tiles), takeovers=takeovers)
        met["boards"] += 1
    assert met["placements"] > 1000 and met["takeovers"] > 100, met
