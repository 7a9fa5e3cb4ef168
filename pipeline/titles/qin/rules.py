"""Qin: the rules, each stated once. Section names are those of the README beside this file.

`rules_state` has the state, `rules_join` what a tile would do, `rules_tile` how it is carried out,
`rules_hands` the hands and what fits, `rules_choices` how many placements and takeovers a hand has,
`rules_facts` what a turn could have been and what it was.
"""

from __future__ import annotations

from pipeline.titles.qin.codes import (
    CAN_PLACE,
    DEAL,
    DEAL_DUE,
    DRAW,
    DRAW_DUE,
    NOT_GRASS,
    NOT_NEIGHBOURS,
    NOT_TOUCHING,
    PASS,
    TAKEN,
)
from pipeline.titles.qin.options import GRASS, WIDTH, Board
from pipeline.titles.qin.rules_facts import observe_event, observe_turn
from pipeline.titles.qin.rules_hands import (
    exclude_kinds_that_fit,
    may_anybody_place,
    may_nobody_place,
    play_from_hand,
    take_from_supply,
)
from pipeline.titles.qin.rules_join import is_free, is_touching, plan
from pipeline.titles.qin.rules_state import DEALING, DRAWING, HAND, OVER, TURN, State, reset
from pipeline.titles.qin.rules_tile import carry_out
from pipeline.titles.state import (
    AFTER_END,
    NO_FAULT,
    TRUNCATED,
    WRONG_PHASE,
    WRONG_SEAT,
    Sink,
    inlined,
    rule,
)

__all__ = [
    "State",
    "apply",
    "close",
    "is_over",
    "observe_event",
    "observe_turn",
    "reset",
    "standing",
]


@rule
def is_over(state: State, board: Board) -> bool:
    return bool(state.phase == OVER)


@inlined
def apply(
    state: State,
    board: Board,
    sink: Sink,
    seat: int,
    action: int,
    item: int,
    place: int,
    target: int,
    amount: int,
) -> int:
    """Check one event and carry it out; the fault's code, or 0."""
    if action == DEAL:
        return deal(state, seat, item)
    if state.phase == DEALING:
        return deal_due(state)
    if (action == DRAW) != (state.phase == DRAWING):
        state.fault[0] = state.turn_seat
        return WRONG_PHASE if action == DRAW else DRAW_DUE
    if seat != state.turn_seat:
        state.fault[0] = state.turn_seat
        return WRONG_SEAT
    if action == DRAW:
        return draw(state, board, seat, item)
    if action == PASS:
        return skip(state, board, seat)
    return tile(state, board, sink, seat, item, board.cell[place], board.cell[target])


@rule
def deal(state: State, seat: int, kind: int) -> int:
    """Setup: three tiles each, in any order."""
    if state.phase != DEALING:
        return WRONG_PHASE
    fault = take_from_supply(state, seat, kind)
    if fault == NO_FAULT and least_dealt(state) < 0:
        state.phase = TURN
    return fault


@rule
def least_dealt(state: State) -> int:
    """Setup: the first seat that still lacks tiles, or -1."""
    for seat in range(state.players):
        if state.held[seat] < HAND:
            return seat
    return -1


@rule
def deal_due(state: State) -> int:
    state.fault[0] = least_dealt(state)
    return DEAL_DUE


@rule
def tile(state: State, board: Board, sink: Sink, seat: int, kind: int, one: int, two: int) -> int:
    """Turn: one tile out of the hand onto two squares."""
    fault = check_squares(state, board, one, two)
    if fault != NO_FAULT:
        return fault
    fault = plan(state, board, seat, kind, one, two)
    if fault != NO_FAULT:
        return fault
    fault = play_from_hand(state, seat, kind)
    if fault != NO_FAULT:
        return fault
    if carry_out(state, board, sink, seat, one, two):
        state.turns += 1
        state.phase = OVER
    elif state.supply > 0:
        state.phase = DRAWING
    else:
        end_turn(state, board)
    return NO_FAULT


@rule
def check_squares(state: State, board: Board, one: int, two: int) -> int:
    """Turn: two free neighbouring squares of grass, one of them beside a coloured square."""
    if not is_free(state, one, two):
        cell = one if state.colour[one] != GRASS else two
        state.fault[0] = board.square[cell]
        return TAKEN if board.ground[cell] == GRASS else NOT_GRASS
    distance = abs(one - two)
    if distance != 1 and distance != WIDTH:
        return NOT_NEIGHBOURS
    return NO_FAULT if is_touching(state, one, two) else NOT_TOUCHING


@rule
def draw(state: State, board: Board, seat: int, kind: int) -> int:
    """Turn: back to three tiles; written even when nothing fits any more."""
    fault = take_from_supply(state, seat, kind)
    if fault == NO_FAULT:
        end_turn(state, board)
    return fault


@rule
def skip(state: State, board: Board, seat: int) -> int:
    """Pass: none of the seat's tiles fits, but one of another's does; else the game is over."""
    if not exclude_kinds_that_fit(state, board, seat):
        return CAN_PLACE
    if not may_anybody_place(state, board):
        return AFTER_END
    next_seat(state)
    state.after_tile = 0
    return NO_FAULT


@rule
def end_turn(state: State, board: Board) -> None:
    """End: it is looked for after each whole turn with a tile, on all hands."""
    next_seat(state)
    state.after_tile = 1
    state.phase = TURN if may_anybody_place(state, board) else OVER


@rule
def next_seat(state: State) -> None:
    state.turns += 1
    seat = state.turn_seat + 1
    state.turn_seat = 0 if seat == state.players else seat


@rule
def may_be_over(state: State, board: Board) -> bool:
    """End: whether the unknown tiles allow that the game is over here."""
    if state.phase == OVER:
        return True
    return bool(state.phase == TURN and state.after_tile) and may_nobody_place(state, board)


@rule
def close(state: State, board: Board, sink: Sink, finished: bool) -> int:
    """The record stops here; a finished one may do so wherever the game may be over."""
    if finished:
        if not may_be_over(state, board):
            return TRUNCATED
        state.phase = OVER
    return NO_FAULT


@rule
def standing(state: State, board: Board, seat: int) -> int:
    """End: most pagodas on the board; whoever placed the last one has more than all others."""
    return int(state.score[seat])
