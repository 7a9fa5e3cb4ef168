"""China: the turn, from the first deal to the end. Section names are those of the README beside this file."""

from __future__ import annotations

from pipeline.titles.china.codes import (
    CARD_LIMIT,
    DEAL,
    DECK,
    DISPLAY_CLOSED,
    DRAW,
    EMISSARY,
    FIRST_SITE,
    FIRST_SLOT,
    HAND_FULL,
    HAND_SHORT,
    NO_FURTHER_PIECE,
    NOT_A_SEAL,
    NOT_A_SITE,
    NOT_PAID,
    NOTHING_PLAYED,
    OTHER_REGION,
    PLACE,
    PLAY,
    REFILL_DUE,
    REVEAL,
)
from pipeline.titles.china.options import REGIONS, Board
from pipeline.titles.china.rules_cards import deal_to_hand, discard, reveal, take_from_display
from pipeline.titles.china.rules_facts import observe_event, observe_turn
from pipeline.titles.china.rules_pieces import (
    pays_for_one,
    pays_for_two,
    piece_limit,
    put_piece,
    takes_piece,
)
from pipeline.titles.china.rules_score import end_game
from pipeline.titles.china.rules_state import (
    BEGINNING,
    DEALING,
    DISPLAY,
    DRAWING,
    EMISSARIES_LEFT,
    FORTRESSES_LEFT,
    HAND,
    HOUSES_LEFT,
    MOST_CARDS,
    OVER,
    PLACING,
    PLAYING,
    REFILLING,
    REVEALING,
    State,
    can_draw,
    clear_turn,
    reset,
    wide,
)
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

ONE_MORE = 64
"""More than all pieces of a player: what a point weighs against pieces not placed."""


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
    seat, item, place = wide(seat), wide(item), wide(place)
    if state.phase == PLACING and can_close_unmarked(state) and (action != PLACE or seat != state.turn_seat):
        end_turn(state, board, sink)
        if is_over(state, board):
            sink.before = sink.count
            return AFTER_END
    if action == DEAL:
        return deal(state, seat, item)
    if action == REVEAL:
        return reveal_card(state, board, sink, item, place - FIRST_SLOT)
    if state.phase <= REVEALING:
        return WRONG_PHASE
    if state.phase == REFILLING:
        return REFILL_DUE
    if seat != state.turn_seat:
        return fault_of_seat(state)
    if action == PLACE:
        return place_piece(state, board, sink, seat, item, place)
    if action == DRAW:
        return draw(state, board, sink, seat, item, place)
    if action == PLAY:
        return play(state, seat, item)
    return exchange(state, board, sink, seat, item)


@rule
def deal(state: State, seat: int, item: int) -> int:
    """Set-up: three cards to each seat, in any order."""
    if state.phase != DEALING:
        return WRONG_PHASE
    if state.held[seat] == HAND:
        return HAND_FULL
    fault = deal_to_hand(state, seat, item)
    if fault != NO_FAULT:
        return fault
    for other in range(state.players):
        if state.held[other] < HAND:
            return NO_FAULT
    state.phase = REVEALING
    return NO_FAULT


@rule
def reveal_card(state: State, board: Board, sink: Sink, item: int, slot: int) -> int:
    """Set-up and Turn, 8: a card into each empty slot of the display, in any order."""
    if state.phase != REVEALING and state.phase != REFILLING:
        return WRONG_PHASE
    fault = reveal(state, item, slot)
    if fault != NO_FAULT:
        return fault
    if state.phase == REVEALING:
        if state.shown == DISPLAY:
            state.phase = BEGINNING
    elif state.shown == DISPLAY or state.pile == 0:
        end_turn(state, board, sink)
    return NO_FAULT


@rule
def fault_of_seat(state: State) -> int:
    """Another seat acts: because the hand is not filled yet, or out of turn."""
    state.fault[0] = state.turn_seat
    if state.phase == DRAWING:
        state.fault[1] = state.due
        return HAND_SHORT
    return WRONG_SEAT


@rule
def play(state: State, seat: int, card: int) -> int:
    """Turn, A: one to three cards; what they pay for is judged at the pieces."""
    if state.phase != BEGINNING and state.phase != PLAYING:
        return WRONG_PHASE
    if state.cards == MOST_CARDS:
        return CARD_LIMIT
    fault = discard(state, seat, card)
    if fault != NO_FAULT:
        return fault
    state.played[state.cards] = card
    state.cards += 1
    state.phase = PLAYING
    return NO_FAULT


@rule
def exchange(state: State, board: Board, sink: Sink, seat: int, card: int) -> int:
    """Turn, B: one card away, one drawn for it."""
    if state.phase != BEGINNING:
        return WRONG_PHASE
    fault = discard(state, seat, card)
    if fault != NO_FAULT:
        return fault
    begin_drawing(state, board, sink, 1)
    return NO_FAULT


@rule
def place_piece(state: State, board: Board, sink: Sink, seat: int, item: int, place: int) -> int:
    """Turn, 1 to 6: a piece on a site, or an emissary on a seal."""
    if state.phase != PLAYING and state.phase != PLACING:
        return NOTHING_PLAYED if state.phase == BEGINNING else NO_FURTHER_PIECE
    at = place - FIRST_SITE
    if item == EMISSARY:
        if at < board.sites:
            return NOT_A_SEAL
        region = at - board.sites
    elif at >= board.sites:
        return NOT_A_SITE
    else:
        region = wide(board.region_of[at])
    if state.phase == PLACING and region != state.region:
        return OTHER_REGION
    limit = piece_limit(state, region)
    fault = put_piece(state, board, sink, seat, item, region, at)
    if fault != NO_FAULT:
        return fault
    state.region = region
    state.placed_item[state.pieces] = item
    state.placed_at[state.pieces] = place
    state.pieces += 1
    if state.phase == PLAYING:
        return judge_payment(state, board, sink, seat, region, limit)
    begin_drawing(state, board, sink, HAND - state.held[seat])
    return NO_FAULT


@rule
def judge_payment(state: State, board: Board, sink: Sink, seat: int, region: int, limit: int) -> int:
    """Turn, 7, at the first piece: the cards pay for it alone, or for it and a second that can follow."""
    colour = wide(board.colour[region])
    state.may_stop = pays_for_one(state, colour)
    if limit == 2 and pays_for_two(state, colour) and takes_piece(state, board, seat, region):
        state.phase = PLACING
        return NO_FAULT
    if not state.may_stop:
        return NOT_PAID
    begin_drawing(state, board, sink, HAND - state.held[seat])
    return NO_FAULT


@rule
def begin_drawing(state: State, board: Board, sink: Sink, due: int) -> None:
    """Turn, 8: drawing is compulsory as long as there is anything to draw."""
    state.due = due
    state.phase = DRAWING
    if due == 0 or not can_draw(state):
        begin_refilling(state, board, sink)


@rule
def draw(state: State, board: Board, sink: Sink, seat: int, item: int, place: int) -> int:
    """Turn, 8: one card from the pile or a slot. After one piece, a draw says that there is no second."""
    if state.phase == PLACING and state.may_stop:
        state.due = HAND - state.held[seat]
    elif state.phase != DRAWING:
        return WRONG_PHASE
    if not can_draw(state):
        return DISPLAY_CLOSED
    state.phase = DRAWING
    if place == DECK:
        fault = deal_to_hand(state, seat, item)
    else:
        fault = take_from_display(state, seat, item, place - FIRST_SLOT)
    if fault != NO_FAULT:
        return fault
    state.due -= 1
    if state.due == 0 or not can_draw(state):
        begin_refilling(state, board, sink)
    return NO_FAULT


@rule
def begin_refilling(state: State, board: Board, sink: Sink) -> None:
    """Turn, 8: the display, only when the hand is full, and only while there is a pile."""
    if state.shown < DISPLAY and state.pile > 0:
        state.phase = REFILLING
    else:
        end_turn(state, board, sink)


@rule
def can_close_unmarked(state: State) -> bool:
    """Turn, 9: one piece is paid, a second is possible, and no draw will mark that there is none."""
    return bool(state.may_stop and not can_draw(state))


@rule
def ends_with_turn(state: State) -> bool:
    """End, 1: after the second emptying the round is finished, up to seat 0's right neighbour."""
    return bool(state.epoch == 2 and state.turn_seat == state.players - 1)


@rule
def end_turn(state: State, board: Board, sink: Sink) -> None:
    """Both ends of the game are looked for here, and only here."""
    state.turn += 1
    state.dry = state.epoch == 2
    clear_turn(state)
    if ends_with_turn(state) or nobody_can_place(state, board):
        end_game(state, board, sink)
        return
    state.turn_seat = 0 if state.turn_seat == state.players - 1 else state.turn_seat + 1
    state.phase = BEGINNING


@rule
def nobody_can_place(state: State, board: Board) -> bool:
    """End, 2: no seat could place any piece of its own anywhere, whatever its cards."""
    for region in range(REGIONS):
        for seat in range(state.players):
            if takes_piece(state, board, seat, region):
                return False
    return True


@rule
def close(state: State, board: Board, sink: Sink, finished: bool) -> int:
    """The record stops here: an unmarked end of the very last turn is carried out."""
    if state.phase == PLACING and can_close_unmarked(state) and ends_with_turn(state):
        end_turn(state, board, sink)
    return TRUNCATED if finished and not is_over(state, board) else NO_FAULT


@rule
def standing(state: State, board: Board, seat: int) -> int:
    """End, 3: most points, then most pieces not placed."""
    left = 0
    for kind in (HOUSES_LEFT, EMISSARIES_LEFT, FORTRESSES_LEFT):
        left += int(state.supply[seat, kind])
    return int(state.score[seat]) * ONE_MORE + left
