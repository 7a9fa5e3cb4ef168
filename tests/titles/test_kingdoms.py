"""Kingdoms against its oracle, and its printed examples."""

from __future__ import annotations

import pytest

from pipeline.records import read_record
from pipeline.titles import load
from pipeline.titles.kingdoms import rules
from pipeline.titles.kingdoms.codes import BOOK, COLUMN, ROW
from pipeline.titles.state import Sink, memory_of
from tests.agreement import compare_games, engine_states, oracle_of, simulated

BOARD = load("kingdoms").load_board("kingdoms-22")


def scored(source: int, line: int, items: list[tuple[str, int] | str | None]) -> dict[int, int]:
    """What each of four seats earns in one line; a castle is (item, seat)."""
    state = rules.State.new()
    rules.reset(state, BOARD, 4, None)
    step = 1 if source == ROW else rules.COLUMNS
    first = line * rules.COLUMNS if source == ROW else line
    for i, entry in enumerate(items):
        if entry is None:
            continue
        word, seat = entry if isinstance(entry, tuple) else (entry, 0)
        cell = first + i * step
        state.cell[cell] = BOOK.item_code[word]
        state.owner[cell] = seat
    place = line if source == ROW else rules.ROWS + line
    rules.sum_lines(state, BOARD)
    rules.end_segment(state, place)
    return {seat: int(points) for seat, points in enumerate(state.points[place]) if points}


BLUE, GREEN = 0, 1


@pytest.mark.parametrize(
    ("items", "points"),
    [
        # Printed: gold mine, +3 +5 -1 are worth 14; rank 3 earns 42, rank 1 14.
        (["gold_mine", "+3", "+5", "-1", ("castle3", BLUE), ("castle1", GREEN)], {BLUE: 42, GREEN: 14}),
        # Printed: a row of value 3, rank 3 earns 9.
        (["+3", ("castle3", BLUE), None, None, None, None], {BLUE: 9}),
        # Printed: the mountain halves the line; +4 for rank 1, 3 x -6 for rank 3.
        (["+4", ("castle1", BLUE), "mountain", "-6", ("castle3", GREEN), None], {BLUE: 4, GREEN: -18}),
        # Printed: the dragon leaves hazards of -8.
        (["dragon", "-3", "-5", "+6", ("castle1", BLUE), ("castle3", GREEN)], {BLUE: -8, GREEN: -24}),
        # Gold mine, +5 +1 +4 -3: rank 1 earns 14.
        (["gold_mine", "+5", "+1", "+4", "-3", ("castle1", BLUE)], {BLUE: 14}),
        # Dragon and gold mine: hazards doubled.
        (["gold_mine", "dragon", "+6", "-4", ("castle2", BLUE), None], {BLUE: -16}),
        # Effects stay on their side of a mountain.
        (["dragon", "+6", "mountain", "+2", ("castle1", BLUE), "gold_mine"], {BLUE: 4}),
        # Two mountains, three segments; the middle one has the castle.
        (["+6", "mountain", "+1", ("castle4", BLUE), "mountain", "-3"], {BLUE: 4}),
        # Several castles of a seat, each on its own, are one event.
        ([("castle1", BLUE), ("castle2", BLUE), "+2", ("castle4", GREEN), None, None], {BLUE: 6, GREEN: 8}),
        # No castle, no points; a value of 0 gives no event.
        (["+6", "+5", None, None, None, None], {}),
        (["+1", "-1", ("castle4", BLUE), None, None, None], {}),
    ],
)
def test_printed_examples_of_a_row(items: list[tuple[str, int] | str | None], points: dict[int, int]) -> None:
    assert scored(ROW, 2, items) == points


def test_a_column_scores_like_a_row() -> None:
    items: list[tuple[str, int] | str | None] = ["gold_mine", "+3", ("castle3", BLUE), "-1", ("castle1", GREEN)]
    assert scored(COLUMN, 4, items) == {BLUE: 12, GREEN: 4}


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("bots", [("random",), ("greedy",), ("sampling", "greedy")])
def test_engine_and_oracle_agree(players: int, bots: tuple[str, ...]) -> None:
    counts = compare_games("kingdoms", players, 25, 7, bots, {}, mutations=6)
    assert counts["whole"] == 50
    assert counts["faulty"] > 75


def test_states_are_compared_on_all_that_a_table_shows() -> None:
    record = next(simulated("kingdoms", 3, 1, 1, ("random",), {}))
    theirs = oracle_of("kingdoms").replay(record).states[0].keys()
    shared = engine_states(read_record(record))[0].keys() & theirs
    assert shared == {
        "epoch", "phase", "seat", "start", "board", "owners", "castles", "bonus", "supply", "unseen", "scores",
    }  # fmt: skip


@pytest.mark.parametrize("players", [2, 3, 4])
def test_tiles_and_castles_are_conserved(players: int) -> None:
    for record in simulated("kingdoms", players, 5, 9, ("random", "greedy"), {}):
        for view in engine_states(read_record(record)):
            if view["phase"] == "over":
                continue
            tiles = [word for cell, word in view["board"].items() if word and cell not in view["owners"]]
            held = [tile for bonus in view["bonus"] for tile in bonus]
            assert len(tiles) + len(held) + view["supply"] == 22
            assert view["supply"] == len(view["unseen"])
            assert max(sum(castles.values()) for castles in view["castles"]) <= 10


def test_a_bot_sees_only_its_own_bonus_tile() -> None:
    """Other bonus tiles dealt anew leave the choice of a greedy player as it was."""
    import numpy as np

    from pipeline.titles.kingdoms import bots
    from pipeline.titles.state import Ints, random_seeds

    for record in simulated("kingdoms", 3, 4, 3, ("greedy",), {}):
        block = rules.State.block()
        state = block[0]
        rules.reset(state, BOARD, 3, None)
        sink = Sink.new()
        for codes in read_record(record).codes:
            if state.to_deal == 0 and codes[1] != 0:
                chosen = []
                for seed in (1, 2, 3):
                    other = rules.State.block()
                    memory_of(other)[:] = memory_of(block)
                    bots.hide(other[0], BOARD, int(state.turn_seat), random_seeds(seed, 0, 1)[0])
                    event: Ints = np.full(6, -1, np.int32)
                    bots.decide(other[0], BOARD, random_seeds(9, 0, 1)[0], 1, event)
                    # What is drawn is nature's, and where it goes depends on it.
                    chosen.append((event[0], event[1]) if event[1] == 2 else tuple(event))
                assert len(set(chosen)) == 1
            assert rules.apply(state, BOARD, sink, *codes) == 0
