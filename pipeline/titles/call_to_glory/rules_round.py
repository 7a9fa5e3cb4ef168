"""Call to Glory: a round's set-up, its end, tasks and scoring. Sections are those of the README."""

from __future__ import annotations

from pipeline.titles.call_to_glory.codes import (
    ALL_DEALT,
    FIRST_TASK,
    KINDS,
    NO_COPY,
    NO_SUCH_TASK,
    NOT_IN_GAME,
    SET_POINTS,
    TASK_NOT_HELD,
    TASK_POINTS,
    TASK_TWICE,
)
from pipeline.titles.call_to_glory.options import Board
from pipeline.titles.call_to_glory.rules_state import (
    CHARACTERS_END,
    DRAWING,
    HAND_OF_TASKS,
    HELD,
    NOT_KNOWN,
    OVER,
    PILES_END,
    REVEALED,
    REVEALING,
    SETS_END,
    SETUP,
    State,
)
from pipeline.titles.contract import NONE
from pipeline.titles.state import NO_FAULT, Sink, award, rule


@rule
def begin_round(state: State, board: Board) -> None:
    """Set-up: all cards are shuffled together, all miniatures lie in the middle."""
    for item in range(KINDS):
        state.unseen[item] = board.copies[item]
        state.set_cards[item] = 0
    for seat in range(state.players):
        for item in range(KINDS):
            state.hand[seat, item] = 0
            state.shown[seat, item] = 0
        state.hidden[seat] = 0
        state.dealt[seat] = 0
        state.sets_of[seat] = 0
        state.minis[seat] = 0
        state.round_points[seat] = 0
    state.on_table = 0
    state.mini_supply = board.miniatures
    # Set-up: two draw piles of about equal height, the first half rounded up.
    rest = board.cards - state.players * board.hand
    state.height[0] = (rest + 1) // 2
    state.height[1] = rest // 2
    state.height[2] = 0
    state.height[3] = 0
    state.round_turn = 0
    state.to_deal = state.players * board.hand
    state.phase = SETUP
    state.turn_seat = state.start
    state.actor = state.start
    state.drawn = 0
    state.fresh = 0


@rule
def begin_tasks(state: State) -> None:
    """Tasks: before the first round each player will get one of each deck."""
    for seat in range(state.players):
        for deck in range(HAND_OF_TASKS):
            state.task_state[seat, deck] = NOT_KNOWN
        for i in range(state.rounds):
            state.revealed[seat, i] = NONE
        state.tasks_hidden[seat] = 0
        state.tasks_dealt[seat] = 0
    for deck in range(HAND_OF_TASKS):
        for item in range(KINDS):
            state.task_seen[deck, item] = 0
    state.to_deal += state.players * HAND_OF_TASKS


@rule
def deal(state: State, board: Board, seat: int, item: int) -> int:
    """Set-up: a card to a hand; an unknown one stays among the unseen."""
    if state.dealt[seat] == board.hand:
        return ALL_DEALT
    if item == NONE:
        state.hidden[seat] += 1
    else:
        if state.unseen[item] == 0:
            return NO_COPY
        state.unseen[item] -= 1
        state.hand[seat, item] += 1
    state.dealt[seat] += 1
    finish_dealing(state)
    return NO_FAULT


@rule
def deal_task(state: State, board: Board, seat: int, item: int) -> int:
    """Tasks: one of each deck to each player, each task there once."""
    if state.with_tasks == 0:
        return NOT_IN_GAME
    if state.epoch > 0 or state.tasks_dealt[seat] == HAND_OF_TASKS:
        return ALL_DEALT
    if item == NONE:
        state.tasks_hidden[seat] += 1
    else:
        deck, character = (item - FIRST_TASK) // KINDS, (item - FIRST_TASK) % KINDS
        if board.has_task[deck, character] == 0:
            return NO_SUCH_TASK
        if state.task_seen[deck, character] == 1 or state.task_state[seat, deck] != NOT_KNOWN:
            return TASK_TWICE
        state.task_seen[deck, character] = 1
        state.task_state[seat, deck] = HELD
        state.task[seat, deck] = character
    state.tasks_dealt[seat] += 1
    finish_dealing(state)
    return NO_FAULT


@rule
def finish_dealing(state: State) -> None:
    """Set-up: play starts when everything is dealt."""
    state.to_deal -= 1
    if state.to_deal == 0:
        begin_turn(state, state.start)


@rule
def begin_turn(state: State, seat: int) -> None:
    state.turn_seat = seat
    state.actor = seat
    state.phase = DRAWING
    state.drawn = 0
    state.fresh = 0


@rule
def round_end(state: State, board: Board) -> int:
    """Round end: why the round would end if the turn were closed now; 0 if it would not."""
    for seat in range(state.players):
        if state.sets_of[seat] >= board.sets_to_end[state.players]:
            return SETS_END
    if state.on_table == KINDS:
        return CHARACTERS_END
    # At most one draw pile is left; the discard piles do not count.
    return PILES_END if state.height[0] == 0 or state.height[1] == 0 else 0


@rule
def close_turn(state: State, board: Board, sink: Sink) -> None:
    """Round end: the check at the end of a turn; then the next seat, the tasks, or the scoring."""
    state.turn += 1
    state.round_turn += 1
    state.end_cause = round_end(state, board)
    if state.end_cause == 0:
        seat = state.actor + 1
        begin_turn(state, 0 if seat == state.players else seat)
        return
    state.drawn = 0
    state.fresh = 0
    if state.with_tasks:
        state.phase = REVEALING
        state.turn_seat = state.start
    else:
        end_round(state, board, sink)


@rule
def reveal_task(state: State, board: Board, sink: Sink, seat: int, item: int) -> int:
    """Tasks: from the start player clockwise each reveals one; every card of the character pays."""
    deck, character = (item - FIRST_TASK) // KINDS, (item - FIRST_TASK) % KINDS
    if board.has_task[deck, character] == 0:
        return NO_SUCH_TASK
    known = state.task_state[seat, deck]
    if known == HELD and state.task[seat, deck] == character:
        pass
    elif known == NOT_KNOWN and state.tasks_hidden[seat] > 0 and state.task_seen[deck, character] == 0:
        state.tasks_hidden[seat] -= 1
        state.task_seen[deck, character] = 1
        state.task[seat, deck] = character
    else:
        return TASK_NOT_HELD
    state.task_state[seat, deck] = REVEALED
    state.revealed[seat, state.epoch] = item
    cards = state.set_cards[character]
    if cards > 0:
        score(state, sink, state.set_owner[character], TASK_POINTS, item, board.bonus[deck] * cards)
    following = seat + 1 if seat + 1 < state.players else 0
    state.turn_seat = following
    if following == state.start:
        end_round(state, board, sink)
    return NO_FAULT


@rule
def score(state: State, sink: Sink, seat: int, source: int, place: int, points: int) -> None:
    award(state.score, sink, seat, source, place, points)
    state.round_points[seat] += points


@rule
def end_round(state: State, board: Board, sink: Sink) -> None:
    """Scoring: each set pays its character's value once, however many cards it has."""
    for item in range(KINDS):
        if state.set_cards[item] > 0:
            score(state, sink, state.set_owner[item], SET_POINTS, item, board.values[item])
    for seat in range(state.players):
        state.history[state.epoch, seat] = state.round_points[seat]
    state.epoch += 1
    if state.epoch < state.rounds:
        state.start = next_start(state)
        begin_round(state, board)
        return
    state.phase = OVER
    for seat in range(state.players):
        state.round_points[seat] = 0


@rule
def next_start(state: State) -> int:
    """Scoring: the lowest total starts; of equals the fewest points in the last round; of equals the
    first clockwise after the previous start player, who comes last."""
    best = -1
    for i in range(1, state.players + 1):
        seat = (state.start + i) % state.players
        if (
            best < 0
            or state.score[seat] < state.score[best]
            or (state.score[seat] == state.score[best] and state.round_points[seat] < state.round_points[best])
        ):
            best = seat
    return int(best)


@rule
def best_round(state: State, seat: int) -> int:
    """Winning: the points of a seat's best single round."""
    best = 0
    for i in range(state.epoch):
        best = max(best, state.history[i, seat])
    return int(best)
