"""Call to Glory: how the simple players judge piles, cards and sets, by what their seat sees."""

from __future__ import annotations

from pipeline.titles.call_to_glory.codes import FIRST_DISCARD, FIRST_TASK, KINDS
from pipeline.titles.call_to_glory.options import Board
from pipeline.titles.call_to_glory.rules_state import (
    CLOSING,
    HAND_OF_TASKS,
    HELD,
    State,
    cards_to_lay,
    open_discard,
)
from pipeline.titles.state import Longs, random_below, rule


@rule
def covering_pile(state: State, board: Board) -> int:
    """The discard pile that may be used; of two the one whose top card is worth more, to cover it."""
    wanted = open_discard(state)
    if wanted >= 0:
        return wanted
    first = state.pile[0, state.height[FIRST_DISCARD] - 1]
    second = state.pile[1, state.height[FIRST_DISCARD + 1] - 1]
    return FIRST_DISCARD + int(board.values[second] > board.values[first])


@rule
def can_draw_from(state: State, place: int) -> bool:
    return bool(state.height[place] > 0 and (state.drawn == 0 or state.drawn_from[0] != place))


@rule
def promise(state: State, board: Board, seat: int, item: int, cards: int) -> int:
    """What a number of cards of a character in hand promises: its value, the less the more are missing
    for a set, and little where one's own set lies already."""
    missing = cards_to_lay(state, board, item) - cards
    if missing <= 0:
        share = 64 + min(-missing, 4) * 2
    elif missing < 4:
        share = 40 >> missing
    else:
        share = 1
    own = state.set_cards[item] > 0 and state.set_owner[item] == seat
    return int(board.values[item] * share // (8 if own else 1))


@rule
def gain_of(state: State, board: Board, seat: int, item: int) -> int:
    """What one more card of a character adds to the promise."""
    cards = state.hand[seat, item]
    return promise(state, board, seat, item, cards + 1) - promise(state, board, seat, item, cards)


@rule
def unseen_by(state: State, seat: int, item: int) -> int:
    """Cards of a character that lie in a draw pile or in another hand, for all that the seat knows."""
    cards = state.unseen[item]
    for other in range(state.players):
        if other != seat:
            cards += state.hand[other, item] - state.shown[other, item]
    return int(cards)


@rule
def gift(state: State, board: Board, seat: int, item: int, total: int) -> int:
    """What a discarded card would promise the others, half as much to each further one. Of the cards
    that they hide (the seat sees `total` cards nowhere), the average is expected."""
    given = 0
    unseen = unseen_by(state, seat, item)
    for i in range(1, state.players):
        other = (seat + i) % state.players
        secret = 0
        for kind in range(KINDS):
            secret += state.hand[other, kind] - state.shown[other, kind]
        likely = state.shown[other, item] + (secret * unseen + total // 2) // total
        more = promise(state, board, other, item, likely + 1)
        given += (more - promise(state, board, other, item, likely)) >> (i - 1)
    return given


@rule
def best_pile(state: State, board: Board, rng: Longs, seat: int) -> int:
    """The pile whose top card promises most; a face-down one its average over all unseen cards."""
    total, cards = 0, 0
    for item in range(KINDS):
        unseen = unseen_by(state, seat, item)
        total += unseen * gain_of(state, board, seat, item)
        cards += unseen
    best, best_gain, equal = 0, -(1 << 30), 0
    for place in range(4):
        if not can_draw_from(state, place):
            continue
        gain = total // cards
        if place >= FIRST_DISCARD:
            top = state.pile[place - FIRST_DISCARD, state.height[place] - 1]
            gain = gain_of(state, board, seat, top)
        equal = 1 if gain > best_gain else equal + 1
        if gain > best_gain or (gain == best_gain and random_below(rng, equal) == 0):
            best, best_gain = place, gain
    return best


@rule
def least_promising(state: State, board: Board, rng: Longs, seat: int) -> int:
    """The character in hand whose card is missed least."""
    best, best_loss, equal = -1, 1 << 30, 0
    for item in range(KINDS):
        cards = state.hand[seat, item]
        if cards == 0:
            continue
        loss = promise(state, board, seat, item, cards) - promise(state, board, seat, item, cards - 1)
        equal = 1 if loss < best_loss else equal + 1
        if loss < best_loss or (loss == best_loss and random_below(rng, equal) == 0):
            best, best_loss = item, loss
    return best


@rule
def least_missed(state: State, board: Board, seat: int) -> int:
    """The character in hand whose card one would miss least, beside what it would promise the others."""
    total = 0
    for item in range(KINDS):
        total += unseen_by(state, seat, item)
    best, best_loss = -1, 1 << 30
    for item in range(KINDS):
        cards = state.hand[seat, item]
        if cards == 0:
            continue
        loss = promise(state, board, seat, item, cards) - promise(state, board, seat, item, cards - 1)
        loss = loss * 2 + gift(state, board, seat, item, total)
        if loss < best_loss:
            best, best_loss = item, loss
    return best


@rule
def pick_task(state: State, board: Board, rng: Longs, seat: int, greedy: bool) -> int:
    """A task of the seat's: any, or the one that pays it most against the others."""
    best, best_gain, equal = -1, -(1 << 30), 0
    for deck in range(HAND_OF_TASKS):
        if state.task_state[seat, deck] != HELD:
            continue
        item = state.task[seat, deck]
        gain = board.bonus[deck] * state.set_cards[item] if greedy else 0
        if state.set_owner[item] != seat:
            gain = -gain
        equal = 1 if gain > best_gain else equal + 1
        if gain > best_gain or (gain == best_gain and random_below(rng, equal) == 0):
            best, best_gain = FIRST_TASK + KINDS * deck + item, gain
    return int(best)


@rule
def mini_target(state: State, board: Board, seat: int) -> int:
    best, best_value = -1, 0
    for item in range(KINDS):
        cards = state.set_cards[item]
        if cards == 0 or state.set_owner[item] == seat:
            continue
        held = state.hand[seat, item]
        helps = state.phase != CLOSING and held == cards and held >= board.minimum[state.players, item]
        if (cards == 1 or helps) and board.values[item] > best_value:
            best, best_value = item, board.values[item]
    return best


@rule
def smallest_set(state: State, seat: int) -> int:
    """The opponents' set with the fewest cards; of equals the one that is worth more."""
    best = -1
    for item in range(KINDS):
        cards = state.set_cards[item]
        if cards > 0 and state.set_owner[item] != seat and (best < 0 or cards <= state.set_cards[best]):
            best = item
    return best
