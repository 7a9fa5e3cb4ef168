"""Qin: what a turn could have been and what it was, in the order of FACTS in `__init__`."""

from __future__ import annotations

from pipeline.titles.qin.codes import PASS, TILE
from pipeline.titles.qin.options import GRASS, Board
from pipeline.titles.qin.rules_hands import KINDS
from pipeline.titles.qin.rules_join import (
    DOUBLES,
    is_free,
    is_open,
    is_touching,
    plan,
    provinces_touch,
    taker_of,
)
from pipeline.titles.qin.rules_state import (
    ABSORBED,
    CONQUERED,
    FOUNDED,
    GIVEN,
    LOST,
    NOBODY,
    OVER,
    RAISED,
    SETTLED,
    STEPS,
    TAKEN_BACK,
    State,
)
from pipeline.titles.state import NO_FAULT, Ints, rule

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
    threatened = held_by_others(state, seat)
    each = 0  # ways to lay the hand's kinds on two squares
    for kind in range(KINDS):
        if state.known[seat, kind] > 0:
            each += 1 if kind < DOUBLES else 2
    for i in range(board.pairs):
        one, two = board.pair[i, 0], board.pair[i, 1]
        if not (is_free(state, one, two) and is_touching(state, one, two)):
            continue
        near = villages_near(state, board, one, two) & threatened
        if near == 0 and is_open(state, one, two):
            row[PLACEMENTS] += each
        else:
            count_ways(state, board, seat, one, two, near, row)
            count_ways(state, board, seat, two, one, near, row)
    row[CAN_TAKE] = row[TAKEOVERS] > 0
    row[CAN_SPARE] = row[PLACEMENTS] > row[TAKEOVERS]


@rule
def count_ways(state: State, board: Board, seat: int, one: int, two: int, near: int, row: Ints) -> None:
    """The hand's kinds with their first colour on one cell; two of one colour lie one way only."""
    for kind in range(KINDS):
        if state.known[seat, kind] == 0 or (kind < DOUBLES and one > two):
            continue
        if plan(state, board, seat, kind, one, two) == NO_FAULT:
            row[PLACEMENTS] += 1
            row[TAKEOVERS] += is_takeover(state, board, seat, near)


@rule
def held_by_others(state: State, seat: int) -> int:
    """The villages, as bits, of the other players."""
    villages = 0
    for village in range(state.holder.size):
        if state.holder[village] != NOBODY and state.holder[village] != seat:
            villages |= 1 << village
    return villages


@rule
def villages_near(state: State, board: Board, one: int, two: int) -> int:
    """The villages, as bits, that a tile on two cells could have to do with."""
    villages = board.touch[state.village_rule, one] | board.touch[state.village_rule, two]
    for step in STEPS:
        if state.colour[one + step] > GRASS:
            villages |= state.touches[state.area[one + step]]
        if state.colour[two + step] > GRASS:
            villages |= state.touches[state.area[two + step]]
    return int(villages)


@rule
def is_takeover(state: State, board: Board, seat: int, threatened: int) -> bool:
    """Whether the planned tile takes a province from another player, or one of these villages."""
    for part in range(state.parts):
        if state.part_owner[part] == seat:
            for i in range(state.joins[part]):
                owner = state.owner[state.joined[part, i]]
                if owner != NOBODY and owner != seat:
                    return True
    villages = provinces_touch(state) & threatened
    village = -1
    while villages >> (village + 1):
        village += 1
        if (villages >> village) & 1 and taker_of(state, board, village, seat) == seat:
            return True
    return False


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
