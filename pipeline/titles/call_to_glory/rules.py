"""Call to Glory: a turn, each rule stated once. Section names are those of the README beside this file.

The state is in `rules_state`, rounds and scoring are in `rules_round`, the facts in `rules_facts`.
"""

from __future__ import annotations

from pipeline.titles.call_to_glory.codes import (
    DEAL,
    DEAL_TASK,
    DISCARD,
    DISPLACE,
    DRAW,
    FIRST_DISCARD,
    LAY,
    MISSING_DISPLACE,
    NINJA,
    NINJA_CARD,
    NO_COPY,
    NO_MINIATURE,
    NO_TARGET,
    NOT_IN_GAME,
    NOT_IN_HAND,
    NOT_ON_TOP,
    PILE_EMPTY,
    ROUND_ENDED,
    ROUND_NOT_ENDED,
    SAME_PILE,
    SET_NOT_LARGER,
    SET_TOO_SMALL,
    TASK,
    WRONG_DISPLACE,
)
from pipeline.titles.call_to_glory.options import Board
from pipeline.titles.call_to_glory.rules_facts import observe_event, observe_turn
from pipeline.titles.call_to_glory.rules_round import (
    begin_round,
    begin_tasks,
    best_round,
    close_turn,
    deal,
    deal_task,
    reveal_task,
)
from pipeline.titles.call_to_glory.rules_state import (
    ACTING,
    CLOSING,
    DISPLACING,
    DRAWING,
    OVER,
    REVEALING,
    SETUP,
    State,
    can_use_mini,
    put,
    ready_minis,
)
from pipeline.titles.contract import NONE
from pipeline.titles.state import (
    AFTER_END,
    NO_FAULT,
    TRUNCATED,
    WRONG_PHASE,
    WRONG_SEAT,
    Ints,
    Sink,
    inlined,
    rule,
)

__all__ = [
    "State", "apply", "close", "is_over", "observe_event", "observe_turn", "reset", "standing",
]  # fmt: skip


@rule
def reset(state: State, board: Board, players: int, options: Ints) -> None:
    """The table before the first deal."""
    state.players = players
    state.with_tasks = options[0]
    state.with_ninjas = options[1]
    state.rounds = board.rounds[state.with_tasks]
    state.epoch = 0
    state.start = 0
    state.turn = 0
    state.end_cause = 0
    for seat in range(players):
        state.score[seat] = 0
    begin_round(state, board)
    if state.with_tasks:
        begin_tasks(state)


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
    if state.phase == CLOSING and not (action == NINJA and seat == state.actor):
        # Ninjas: whatever else comes closes the turn; its points stand at the event before.
        close_turn(state, board, sink)
        sink.before = sink.count
        if state.phase == OVER:
            return AFTER_END
    if state.phase == SETUP:
        if action == DEAL:
            return deal(state, board, seat, item)
        if action == DEAL_TASK:
            return deal_task(state, board, seat, item)
        return WRONG_PHASE if state.epoch == 0 else ROUND_ENDED
    fault = out_of_order(state, seat, action)
    if fault != NO_FAULT:
        return fault
    if action == DRAW:
        return draw(state, seat, item, place)
    if action == LAY:
        fault = lay(state, board, seat, item, amount)
    elif action == DISCARD:
        fault = discard(state, seat, item, place)
    elif action == DISPLACE:
        fault = displace(state, item, place, amount)
    elif action == NINJA:
        fault = ninja(state, seat, item, place, target)
    else:
        return reveal_task(state, board, sink, seat, item)
    if fault == NO_FAULT and state.phase == CLOSING and not can_use_mini(state):
        close_turn(state, board, sink)
    return fault


@rule
def out_of_order(state: State, seat: int, action: int) -> int:
    """Whether it is not the seat's turn, or the action has no place in this part of it."""
    if (action == NINJA and state.with_ninjas == 0) or (action == TASK and state.with_tasks == 0):
        return NOT_IN_GAME
    if state.phase == DISPLACING and action != DISPLACE:
        state.fault[0] = state.turn_seat
        state.fault[1] = state.beaten_item
        return MISSING_DISPLACE
    if action in (DEAL, DEAL_TASK) or (action == TASK and state.phase != REVEALING):
        return ROUND_NOT_ENDED
    if action != TASK and state.phase == REVEALING:
        return ROUND_ENDED
    if seat != state.turn_seat:
        state.fault[0] = state.turn_seat
        return WRONG_SEAT
    if action == DRAW:
        fits = state.phase == DRAWING
    elif action in (LAY, DISCARD):
        fits = state.phase == ACTING
    else:
        fits = action != DISPLACE or state.phase == DISPLACING
    return NO_FAULT if fits else WRONG_PHASE


@rule
def draw(state: State, seat: int, item: int, place: int) -> int:
    """Drawing: two top cards from two different piles; a discard pile's top card is seen by all."""
    height = state.height[place]
    if height == 0:
        return PILE_EMPTY
    if state.drawn == 1 and state.drawn_from[0] == place:
        return SAME_PILE
    if place >= FIRST_DISCARD:
        top = state.pile[place - FIRST_DISCARD, height - 1]
        if item != NONE and item != top:
            state.fault[0] = top
            return NOT_ON_TOP
        state.hand[seat, top] += 1
        state.shown[seat, top] += 1
    elif item == NONE:
        state.hidden[seat] += 1
    else:
        if state.unseen[item] == 0:
            return NO_COPY
        state.unseen[item] -= 1
        state.hand[seat, item] += 1
    state.height[place] = height - 1
    state.drawn_from[state.drawn] = place
    state.drawn += 1
    if state.drawn == 2:
        state.phase = ACTING
    return NO_FAULT


@rule
def take_from_hand(state: State, seat: int, item: int, cards: int) -> int:
    """Known cards first; what is wanted beyond them shows the faces of unknown ones."""
    known = state.hand[seat, item]
    more = cards - known
    if more > state.hidden[seat]:
        state.fault[0] = known + min(state.hidden[seat], state.unseen[item])
        return NOT_IN_HAND
    if more > state.unseen[item]:
        return NO_COPY
    if more > 0:
        state.hidden[seat] -= more
        state.unseen[item] -= more
        state.hand[seat, item] = 0
    else:
        state.hand[seat, item] = -more
    state.shown[seat, item] = max(state.shown[seat, item] - cards, 0)
    return NO_FAULT


@rule
def lay(state: State, board: Board, seat: int, item: int, cards: int) -> int:
    """Laying: at least the minimum, and more than the set on the table, which its owner puts away."""
    least = board.minimum[state.players, item]
    beaten = state.set_cards[item]
    if cards < least:
        state.fault[0] = least
        return SET_TOO_SMALL
    if cards <= beaten:
        state.fault[0] = beaten
        return SET_NOT_LARGER
    fault = take_from_hand(state, seat, item, cards)
    if fault != NO_FAULT:
        return fault
    state.phase = CLOSING
    if beaten > 0:
        owner = state.set_owner[item]
        state.sets_of[owner] -= 1
        state.beaten_item = item
        state.beaten_cards = beaten
        state.turn_seat = owner
        state.phase = DISPLACING
    else:
        state.on_table += 1
    state.set_owner[item] = seat
    state.set_cards[item] = cards
    state.sets_of[seat] += 1
    if state.with_ninjas and item == NINJA_CARD and state.mini_supply > 0:
        take_mini(state, seat)
    return NO_FAULT


@rule
def take_mini(state: State, seat: int) -> None:
    """Ninjas: a set of ninjas brings a miniature, while there is one."""
    state.mini_supply -= 1
    state.minis[seat] += 1
    state.fresh += 1


@rule
def displace(state: State, item: int, place: int, cards: int) -> int:
    """Laying: the beaten set goes at once and whole to one discard pile, which its owner chooses."""
    if item != state.beaten_item or cards != state.beaten_cards:
        state.fault[0] = state.beaten_cards
        state.fault[1] = state.beaten_item
        return WRONG_DISPLACE
    fault = put(state, item, cards, place)
    if fault == NO_FAULT:
        state.turn_seat = state.actor
        state.phase = CLOSING
    return fault


@rule
def discard(state: State, seat: int, item: int, place: int) -> int:
    """Discarding: one card to a discard pile."""
    fault = take_from_hand(state, seat, item, 1)
    if fault == NO_FAULT:
        fault = put(state, item, 1, place)
        state.phase = CLOSING
    return fault


@rule
def ninja(state: State, seat: int, item: int, place: int, target: int) -> int:
    """Ninjas: give a miniature back, an opponent's set loses a card."""
    if ready_minis(state) <= 0:
        return NO_MINIATURE
    if target == seat or state.set_cards[item] == 0 or state.set_owner[item] != target:
        return NO_TARGET
    fault = put(state, item, 1, place)
    if fault != NO_FAULT:
        return fault
    state.minis[seat] -= 1
    state.mini_supply += 1
    state.set_cards[item] -= 1
    if state.set_cards[item] == 0:
        state.sets_of[target] -= 1
        state.on_table -= 1
    return NO_FAULT


@rule
def close(state: State, board: Board, sink: Sink, finished: bool) -> int:
    """The record stops here: that closes an open turn. A finished one must be over then."""
    if state.phase == CLOSING:
        close_turn(state, board, sink)
    return TRUNCATED if finished and state.phase != OVER else NO_FAULT


@rule
def standing(state: State, board: Board, seat: int) -> int:
    """Winning: most points; of equals the best single round; then the win is shared."""
    return int(state.score[seat]) * 4096 + best_round(state, seat)
