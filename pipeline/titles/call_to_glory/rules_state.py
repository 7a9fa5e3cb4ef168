"""Call to Glory: the state, and the questions that several rules ask of it."""

from __future__ import annotations

from pipeline.titles.call_to_glory.codes import DECKS, FIRST_DISCARD, KINDS, PILES, WRONG_PILE
from pipeline.titles.call_to_glory.options import MOST_CARDS, Board
from pipeline.titles.state import NO_FAULT, Ints, Layout, ints, rule

SEATS = 4
MOST_ROUNDS = 4
HAND_OF_TASKS = len(DECKS)
NOT_KNOWN, HELD, REVEALED = 0, 1, 2
SETS_END, CHARACTERS_END, PILES_END = 1, 2, 3

# Phases. DISPLACE: the owner of a beaten set is to put it away. CLOSE: the second action is done, and
# the player may still use miniatures.
SETUP, DRAWING, ACTING, DISPLACING, CLOSING, REVEALING, OVER = range(7)


class State(Layout):
    """All that a table shows, and what is known of hands and tasks."""

    score: Ints = ints(SEATS)
    epoch: int = ints()  # round, from 0
    turn_seat: int = ints()  # who decides next
    players: int = ints()
    phase: int = ints()
    start: int = ints()  # start player of the round
    actor: int = ints()  # whose turn it is
    with_tasks: int = ints()
    with_ninjas: int = ints()
    rounds: int = ints()  # in the game
    turn: int = ints()  # turns closed in the game
    round_turn: int = ints()  # turns closed in the round
    end_cause: int = ints()  # why the turn that was closed last ended the round; 0: it did not
    to_deal: int = ints()  # cards and tasks still to be dealt
    dealt: Ints = ints(SEATS)  # cards, by seat
    tasks_dealt: Ints = ints(SEATS)
    drawn: int = ints()  # cards drawn in the turn
    drawn_from: Ints = ints(2)  # the piles, in order
    hand: Ints = ints(SEATS, KINDS)  # known cards in hand
    hidden: Ints = ints(SEATS)  # unknown cards in hand
    shown: Ints = ints(SEATS, KINDS)  # of the hand: taken from a discard pile, before all eyes
    unseen: Ints = ints(KINDS)  # in the draw piles, or unknown in a hand
    set_cards: Ints = ints(KINDS)  # cards of the set on the table; 0: there is none
    set_owner: Ints = ints(KINDS)
    sets_of: Ints = ints(SEATS)  # different sets in front of each
    on_table: int = ints()  # different sets in all
    height: Ints = ints(len(PILES))  # cards in each pile
    pile: Ints = ints(2, MOST_CARDS)  # the discard piles, bottom to top
    beaten_item: int = ints()  # in DISPLACING: the beaten set; its owner is turn_seat
    beaten_cards: int = ints()
    mini_supply: int = ints()
    minis: Ints = ints(SEATS)
    fresh: int = ints()  # miniatures that the actor took in this turn
    task: Ints = ints(SEATS, HAND_OF_TASKS)  # character of the task, by seat and deck
    task_state: Ints = ints(SEATS, HAND_OF_TASKS)  # NOT_KNOWN, HELD or REVEALED
    tasks_hidden: Ints = ints(SEATS)  # unknown tasks in hand
    task_seen: Ints = ints(HAND_OF_TASKS, KINDS)
    revealed: Ints = ints(SEATS, MOST_ROUNDS)  # item of the task, by seat and round
    round_points: Ints = ints(SEATS)  # of this round, so far
    history: Ints = ints(MOST_ROUNDS, SEATS)  # points of the rounds played
    fault: Ints = ints(2)  # numbers of the fault


@rule
def ready_minis(state: State) -> int:
    """Ninjas: a miniature can be used from the turn after the one in which it was taken."""
    return int(state.minis[state.actor] - state.fresh)


@rule
def can_use_mini(state: State) -> bool:
    """Ninjas: it needs a miniature and an opponent's set."""
    return bool(ready_minis(state) > 0 and state.on_table > state.sets_of[state.actor])


@rule
def open_discard(state: State) -> int:
    """Discard rule: the pile that must be used, or -1 when both have cards."""
    first, second = state.height[FIRST_DISCARD], state.height[FIRST_DISCARD + 1]
    if first == 0:
        return FIRST_DISCARD
    return FIRST_DISCARD + 1 if second == 0 else -1


@rule
def put(state: State, item: int, cards: int, place: int) -> int:
    """Discard rule: put cards on a discard pile, if they may go there; the fault's code, or 0."""
    wanted = open_discard(state)
    if wanted >= 0 and wanted != place:
        state.fault[0] = wanted
        return WRONG_PILE
    height = state.height[place]
    for i in range(cards):
        state.pile[place - FIRST_DISCARD, height + i] = item
    state.height[place] = height + cards
    return NO_FAULT


@rule
def cards_to_lay(state: State, board: Board, item: int) -> int:
    """Laying: the least cards that make a legal set of this character now."""
    return int(max(board.minimum[state.players, item], state.set_cards[item] + 1))


@rule
def worth_of(state: State, board: Board, seat: int) -> int:
    """Scoring: the values of the characters in front of a seat."""
    worth = 0
    for item in range(KINDS):
        if state.set_cards[item] > 0 and state.set_owner[item] == seat:
            worth += board.values[item]
    return worth
