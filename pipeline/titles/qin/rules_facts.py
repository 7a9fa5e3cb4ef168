"""Qin: what a turn could have been and what it was, in the order of FACTS in `__init__`."""

from __future__ import annotations

from pipeline.titles.qin.codes import PASS, TILE
from pipeline.titles.qin.options import Board
from pipeline.titles.qin.rules_choices import count_choices
from pipeline.titles.qin.rules_state import (
    ABSORBED,
    CONQUERED,
    FOUNDED,
    GIVEN,
    LOST,
    OVER,
    RAISED,
    SETTLED,
    TAKEN_BACK,
    State,
)
from pipeline.titles.state import Ints, rule

(
    TILES,
    PLACEMENTS,
    TAKEOVERS,
    CAN_TAKE,
    CAN_SPARE,
    TOOK,
    PASSED,
    NEW_PROVINCES,
    NEW_MAJORS,
    NEW_VILLAGES,
    CONQUERED_VILLAGES,
    ABSORBED_PROVINCES,
    OWN_LOST,
    OTHERS_GAINED,
    OTHERS_LOST,
    LAST_PAGODA,
) = range(16)
UNKNOWN = -1


@rule
def observe_turn(state: State, board: Board, seat: int, row: Ints) -> None:
    """What was possible before the turn; not known with an unknown tile in hand."""
    row[TILES] = state.held[seat]
    if state.unknowns[seat] > 0:
        row[PLACEMENTS] = row[TAKEOVERS] = row[CAN_TAKE] = row[CAN_SPARE] = UNKNOWN
        return
    row[PLACEMENTS], row[TAKEOVERS] = count_choices(state, board, seat)
    row[CAN_TAKE] = row[TAKEOVERS] > 0
    row[CAN_SPARE] = row[PLACEMENTS] > row[TAKEOVERS]


@rule
def observe_event(
    state: State,
    board: Board,
    row: Ints,
    seat: int,
    action: int,
    item: int,
    place: int,
    target: int,
    amount: int,
) -> None:
    """What was done in the turn; called after each of its events."""
    if action == PASS:
        row[PASSED] = 1
    if action != TILE:
        return
    row[NEW_PROVINCES] = state.tally[FOUNDED]
    row[NEW_MAJORS] = state.tally[RAISED]
    row[NEW_VILLAGES] = state.tally[SETTLED]
    row[CONQUERED_VILLAGES] = state.tally[CONQUERED]
    row[ABSORBED_PROVINCES] = state.tally[ABSORBED]
    row[OWN_LOST] = state.tally[LOST]
    row[OTHERS_GAINED] = state.tally[GIVEN]
    row[OTHERS_LOST] = state.tally[ABSORBED] + state.tally[TAKEN_BACK] + state.tally[CONQUERED]
    row[TOOK] = state.tally[ABSORBED] + state.tally[CONQUERED] > 0
    row[LAST_PAGODA] = state.phase == OVER and has_placed_all(state)


@rule
def has_placed_all(state: State) -> bool:
    for seat in range(state.players):
        if state.score[seat] == state.pagodas:
            return True
    return False
