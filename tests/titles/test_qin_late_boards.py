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

from pipeline import titles
from pipeline.records import encode_event
from pipeline.titles.qin import codes, rules
from pipeline.titles.qin.options import BLOCKED, GRASS, board_of
from pipeline.titles.qin.rules_state import NOBODY, STEPS
from pipeline.titles.state import NO_FAULT, Sink
from tests.oracles import qin
from tests.oracles.common import Fault
from tests.oracles.selfcheck_qin import small_game, spoilt

PAGODAS = {f"players{players}": count for players, count in qin.PAGODAS.items()}


def late_board(game: qin.Game, copies: int) -> Any:
    """The engine's board with the oracle's squares; coloured ones are grass until they are written."""
    free = game.grass | set(game.colours)
    signs = ["." if name in free else "~" for name in codes.SQUARES]
    for letter, squares in zip("ab", game.villages.values(), strict=False):
        for name in squares:
            signs[codes.SQUARES.index(name)] = letter
    signs[signs.index("~")] = "R"  # a board has a start field; it is taken away again
    grid = ["".join(signs[row * 13 : row * 13 + 13]) for row in range(13)]
    facts = {"grid": grid, "tiles": dict.fromkeys(codes.KINDS, copies), "pagodas": PAGODAS}
    board = board_of(facts, "a late board")
    board.ground[board.start[0]] = BLOCKED
    board.starts = 0
    return board


def late_state(game: qin.Game, board: Any, options: dict[str, str]) -> Any:
    """The engine's state with the oracle's areas and owners."""
    state = rules.State.new()
    title = titles.load("qin")
    row = title.encode_options(title.complete_options(options, game.players), game.players)
    rules.reset(state, board, game.players, row)
    owners = {square: province for province in game.provinces for square in province.squares}
    for start in game.colours:
        area = sorted(game.area(start, game.colours), key=codes.SQUARES.index)
        cells = [board.cell[codes.SQUARES.index(square)] for square in area]
        cell, root = board.cell[codes.SQUARES.index(start)], cells[0]
        state.colour[cell] = 1 + codes.COLOURS.index(game.colours[start])
        state.area[cell] = state.first[cell] = root
        state.link[cell] = cells[(area.index(start) + 1) % len(cells)]
        state.squares[cell] = len(cells)
        state.touches[cell] = 0
        for each in cells:
            state.touches[cell] |= board.touch[0, each]
        province = owners.get(start)
        state.owner[cell] = NOBODY if province is None else province.owner
        state.height[cell] = 0 if province is None else province.pagodas
        for step in STEPS:
            state.beside[cell + step] += 1
    for seat in range(game.players):
        state.score[seat] = state.pagodas - game.pagodas[seat]
    return state


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
        with patch.object(qin, "COPIES", copies):
            with patch.object(qin, "new_game", lambda *_, start=start: deepcopy(start)):
                wanted = qin.replay(case)
        board = late_board(start, copies)
        state = late_state(start, board, options)
        assert (state.colour[board.cell] == GRASS).sum() == len(start.grass)
        assert first_fault(state, board, case) == wanted.ply, (case["events"], wanted.message)
        if wanted.ok and rules.is_over(state, board):
            assert [int(score) for score in state.score[: start.players]] == wanted.scores
        seen[wanted.fault or "ok"] += 1
        plies = case["events"][: wanted.ply]
        seen["passes"] += any(event["action"] == "pass" for event in plies)
    assert seen["passes"] > 40 and seen["after_end"] > 20 and seen["truncated"] > 20, seen
