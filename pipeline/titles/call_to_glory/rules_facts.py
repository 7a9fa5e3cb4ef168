"""Call to Glory: the facts of a turn, in the order of FACTS in `__init__`."""

from __future__ import annotations

from pipeline.titles.call_to_glory.codes import DISCARD, DISPLACE, DRAW, KINDS, LAY, NINJA
from pipeline.titles.call_to_glory.options import Board
from pipeline.titles.call_to_glory.rules_round import round_end
from pipeline.titles.call_to_glory.rules_state import (
    ACTING,
    CLOSING,
    DISPLACING,
    State,
    cards_to_lay,
    open_discard,
    worth_of,
)
from pipeline.titles.contract import NONE
from pipeline.titles.state import Ints, rule

(
    START_PLAYER, ROUND_TURN, HAND, DRAW1_CARDS, DRAW2_CARDS, DISCARD1_CARDS, DISCARD2_CARDS, OWN_SETS,
    OWN_WORTH, BEST_OTHER_WORTH, MINIS_READY, DREW_DRAW1, DREW_DRAW2, DREW_DISCARD1, DREW_DISCARD2,
    CAN_DISCARD, CAN_LAY, LAYABLE_SETS, LAYABLE_MOST, CHOICES, DISCARDED, DISCARDED_VALUE, LAID_VALUE,
    LAID_CARDS, BEATEN_SEAT, BEATEN_CARDS, NINJAS_USED, ROUND_END,
) = range(28)  # fmt: skip


@rule
def observe_turn(state: State, board: Board, seat: int, row: Ints) -> None:
    """The table before the turn. The turn before may still be open (see Ninjas)."""
    row[START_PLAYER] = seat == state.start
    row[ROUND_TURN] = state.round_turn + (state.phase == CLOSING)
    row[HAND] = state.hidden[seat]
    for item in range(KINDS):
        row[HAND] += state.hand[seat, item]
    for place in range(4):
        row[DRAW1_CARDS + place] = state.height[place]
    row[OWN_SETS] = state.sets_of[seat]
    row[OWN_WORTH] = worth_of(state, board, seat)
    for other in range(state.players):
        if other != seat:
            row[BEST_OTHER_WORTH] = max(row[BEST_OTHER_WORTH], worth_of(state, board, other))
    row[MINIS_READY] = state.minis[seat]
    for fact in range(CAN_LAY, DISCARDED):
        row[fact] = NONE
    for fact in range(DISCARDED_VALUE, NINJAS_USED):
        row[fact] = NONE


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
    if action == DRAW:
        row[DREW_DRAW1 + place] = 1
        if state.phase == ACTING:
            observe_choices(state, board, seat, row)
        return
    if action == LAY:
        row[LAID_VALUE] = board.values[item]
        row[LAID_CARDS] = amount
        if state.phase == DISPLACING:
            row[BEATEN_SEAT] = state.turn_seat
            row[BEATEN_CARDS] = state.beaten_cards
            return
    elif action == DISCARD:
        row[DISCARDED] = 1
        row[DISCARDED_VALUE] = board.values[item]
    elif action == NINJA:
        row[NINJAS_USED] += 1
        if state.phase == ACTING:
            observe_choices(state, board, seat, row)
    elif action != DISPLACE:
        return
    if state.phase == CLOSING:
        row[ROUND_END] = round_end(state, board)
    elif row[DISCARDED] or row[LAID_CARDS] > 0:
        row[ROUND_END] = state.end_cause


@rule
def observe_choices(state: State, board: Board, seat: int, row: Ints) -> None:
    """The second action's choices. Unknown cards leave open what could be done; a set of known cards
    could surely be laid."""
    kinds, sets, most, choices = 0, 0, 0, 0
    for item in range(KINDS):
        cards = state.hand[seat, item]
        kinds += cards > 0
        least = cards_to_lay(state, board, item)
        if cards >= least:
            sets += 1
            most = max(most, cards)
            choices += cards - least + 1
    row[CAN_DISCARD] = 1
    unknown = state.hidden[seat] > 0
    row[CAN_LAY] = 1 if sets > 0 else NONE if unknown else 0
    row[LAYABLE_SETS] = NONE if unknown else sets
    row[LAYABLE_MOST] = NONE if unknown else most
    row[CHOICES] = NONE if unknown else choices + kinds * (2 if open_discard(state) < 0 else 1)
