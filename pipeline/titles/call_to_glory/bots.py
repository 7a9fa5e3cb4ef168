"""Call to Glory: nature, and the simple players. A bot reads only what its seat can see.

A draw pile's order is no part of the state: whoever draws gets any of the cards that nobody has seen.
"""

from __future__ import annotations

from pipeline.titles.call_to_glory.bots_judge import (
    best_pile,
    can_draw_from,
    covering_pile,
    least_missed,
    least_promising,
    mini_target,
    pick_task,
    smallest_set,
)
from pipeline.titles.call_to_glory.codes import (
    DEAL,
    DEAL_TASK,
    DISCARD,
    DISPLACE,
    DRAW,
    FIRST_DISCARD,
    FIRST_TASK,
    KINDS,
    LAY,
    NINJA,
    TASK,
)
from pipeline.titles.call_to_glory.options import Board
from pipeline.titles.call_to_glory.rules_state import (
    ACTING,
    DISPLACING,
    DRAWING,
    HAND_OF_TASKS,
    HELD,
    NOT_KNOWN,
    REVEALING,
    SETUP,
    State,
    can_use_mini,
    cards_to_lay,
    open_discard,
)
from pipeline.titles.contract import NONE
from pipeline.titles.state import Ints, Longs, random_below, random_weighted, rule

MOST_CANDIDATES = 64
EVENTS_A_GAME = 640


@rule
def write(event: Ints, seat: int, action: int, item: int, place: int, target: int, amount: int) -> None:
    event[0], event[1], event[2], event[3], event[4], event[5] = seat, action, item, place, target, amount


@rule
def nature(state: State, board: Board, rng: Longs, event: Ints) -> bool:
    """Deal a card or a task to the seat that has fewest, from the start player clockwise."""
    if state.phase != SETUP:
        return False
    cards, tasks = state.start, state.start
    for i in range(1, state.players):
        seat = (state.start + i) % state.players
        if state.dealt[seat] < state.dealt[cards]:
            cards = seat
        if state.tasks_dealt[seat] < state.tasks_dealt[tasks]:
            tasks = seat
    if state.dealt[cards] < board.hand:
        write(event, cards, DEAL, random_weighted(rng, state.unseen), NONE, NONE, NONE)
        return True
    deck = 0
    while state.task_state[tasks, deck] != NOT_KNOWN:
        deck += 1
    item = FIRST_TASK + KINDS * deck + random_task(state, board, rng, deck)
    write(event, tasks, DEAL_TASK, item, NONE, NONE, NONE)
    return True


@rule
def random_task(state: State, board: Board, rng: Longs, deck: int) -> int:
    """The character of one of the deck's tasks that nobody has seen."""
    chosen, equal = -1, 0
    for item in range(KINDS):
        if board.has_task[deck, item] == 1 and state.task_seen[deck, item] == 0:
            equal += 1
            if random_below(rng, equal) == 0:
                chosen = item
    return chosen


@rule
def decide(state: State, board: Board, rng: Longs, policy: int, event: Ints) -> None:
    """The next event of the seat that is to decide; policy 0 is random, 1 greedy.

    An event without action leaves the turn at that.
    """
    seat = int(state.turn_seat)
    greedy = policy != 0
    if state.phase == DISPLACING:
        pile = covering_pile(state, board) if greedy else any_pile(state, rng)
        write(event, seat, DISPLACE, state.beaten_item, pile, NONE, state.beaten_cards)
        return
    if state.phase == REVEALING:
        write(event, seat, TASK, pick_task(state, board, rng, seat, greedy), NONE, NONE, NONE)
        return
    if can_use_mini(state) and use_mini(state, board, rng, seat, greedy, event):
        return
    if state.phase == DRAWING:
        pile = best_pile(state, board, rng, seat) if greedy else any_source(state, rng)
        write(event, seat, DRAW, NONE, pile, NONE, NONE)
        resolve(state, board, rng, event)
    elif state.phase == ACTING:
        if greedy:
            act_greedily(state, board, rng, seat, event)
        else:
            act_randomly(state, board, rng, seat, event)


@rule
def any_pile(state: State, rng: Longs) -> int:
    """One of the discard piles that a card may go to."""
    wanted = open_discard(state)
    return wanted if wanted >= 0 else FIRST_DISCARD + random_below(rng, 2)


@rule
def any_source(state: State, rng: Longs) -> int:
    chosen, equal = 0, 0
    for place in range(4):
        if can_draw_from(state, place):
            equal += 1
            if random_below(rng, equal) == 0:
                chosen = place
    return chosen


@rule
def any_item(state: State, board: Board, rng: Longs, seat: int, layable: bool) -> int:
    """A random character in hand; with `layable` one that can be laid, -1 if there is none."""
    chosen, equal = -1, 0
    for item in range(KINDS):
        if state.hand[seat, item] >= (cards_to_lay(state, board, item) if layable else 1):
            equal += 1
            if random_below(rng, equal) == 0:
                chosen = item
    return chosen


@rule
def act_randomly(state: State, board: Board, rng: Longs, seat: int, event: Ints) -> None:
    """With equal chances a set that can be laid, of any size, or any card discarded."""
    item = any_item(state, board, rng, seat, True)
    if item >= 0 and random_below(rng, 2) == 0:
        least = cards_to_lay(state, board, item)
        cards = least + random_below(rng, int(state.hand[seat, item]) - least + 1)
        write(event, seat, LAY, item, NONE, NONE, cards)
        return
    item = any_item(state, board, rng, seat, False)
    write(event, seat, DISCARD, item, any_pile(state, rng), NONE, NONE)


@rule
def act_greedily(state: State, board: Board, rng: Longs, seat: int, event: Ints) -> None:
    """Lay what brings most against the others, with all its cards; else discard what promises least."""
    best, best_gain = -1, 0
    for item in range(KINDS):
        if state.hand[seat, item] < cards_to_lay(state, board, item):
            continue
        gain = board.values[item] * 2
        if state.set_cards[item] > 0:
            gain = 0 if state.set_owner[item] == seat else gain + board.values[item]
        if gain > best_gain:
            best, best_gain = item, gain
    if best >= 0:
        write(event, seat, LAY, best, NONE, NONE, state.hand[seat, best])
        return
    item = least_promising(state, board, rng, seat)
    write(event, seat, DISCARD, item, covering_pile(state, board), NONE, NONE)


@rule
def use_mini(state: State, board: Board, rng: Longs, seat: int, greedy: bool, event: Ints) -> bool:
    """Whether to use a miniature now. The greedy one takes a last card, or one that lets it beat the
    set; else both do it now and then, because a round's end makes miniatures worthless."""
    chosen = -1
    if greedy:
        chosen = mini_target(state, board, seat)
    if chosen < 0:
        if random_below(rng, 16 if greedy else 4) > 0:
            return False
        chosen = any_target(state, rng, seat)
    place = covering_pile(state, board) if greedy else any_pile(state, rng)
    write(event, seat, NINJA, chosen, place, state.set_owner[chosen], NONE)
    return True


@rule
def any_target(state: State, rng: Longs, seat: int) -> int:
    chosen, equal = -1, 0
    for item in range(KINDS):
        if state.set_cards[item] > 0 and state.set_owner[item] != seat:
            equal += 1
            if random_below(rng, equal) == 0:
                chosen = item
    return chosen


@rule
def candidates(state: State, board: Board, rng: Longs, options: Ints) -> int:
    """What a looking-ahead player weighs; cards are discarded where they cover the better card."""
    seat = int(state.turn_seat)
    options[:] = -1
    count = 0
    if state.phase == DISPLACING:
        place = covering_pile(state, board)
        write(options[0], seat, DISPLACE, state.beaten_item, place, NONE, state.beaten_cards)
        return 1
    if state.phase == REVEALING:
        for deck in range(HAND_OF_TASKS):
            if state.task_state[seat, deck] == HELD:
                item = FIRST_TASK + KINDS * deck + state.task[seat, deck]
                write(options[count], seat, TASK, item, NONE, NONE, NONE)
                count += 1
        return count
    if state.phase == DRAWING:
        write(options[0], seat, DRAW, NONE, best_pile(state, board, rng, seat), NONE, NONE)
        count = 1
    elif state.phase == ACTING:
        count = second_actions(state, board, rng, seat, options)
    else:
        count = 1  # to leave the turn at that
    if can_use_mini(state):
        count = mini_uses(state, board, seat, options, count)
    return count


@rule
def second_actions(state: State, board: Board, rng: Longs, seat: int, options: Ints) -> int:
    """Each set that can be laid, with all its cards, or to keep them and discard a card."""
    count = 0
    for item in range(KINDS):
        cards = state.hand[seat, item]
        if cards >= cards_to_lay(state, board, item):
            write(options[count], seat, LAY, item, NONE, NONE, cards)
            count += 1
    item = least_missed(state, board, seat)
    write(options[count], seat, DISCARD, item, covering_pile(state, board), NONE, NONE)
    return count + 1


@rule
def mini_uses(state: State, board: Board, seat: int, options: Ints, count: int) -> int:
    """The greedy target, if there is one, and the smallest of the opponents' sets."""
    place = covering_pile(state, board)
    target = mini_target(state, board, seat)
    smallest = smallest_set(state, seat)
    if target >= 0:
        write(options[count], seat, NINJA, target, place, state.set_owner[target], NONE)
        count += 1
    if smallest != target:
        write(options[count], seat, NINJA, smallest, place, state.set_owner[smallest], NONE)
        count += 1
    return count


@rule
def resolve(state: State, board: Board, rng: Longs, event: Ints) -> None:
    """Fill in what nature adds to a candidate: the card that is drawn."""
    if event[1] != DRAW:
        return
    place = int(event[3])
    if place >= FIRST_DISCARD:
        event[2] = state.pile[place - FIRST_DISCARD, state.height[place] - 1]
    else:
        event[2] = random_weighted(rng, state.unseen)


@rule
def hide(state: State, board: Board, seat: int, rng: Longs) -> None:
    """Deal the others' cards anew, but for those taken before all eyes, and their tasks.

    A look ahead goes to the end of the round: beyond it lie only shuffled cards.
    """
    state.rounds = state.epoch + 1
    for other in range(state.players):
        if other == seat:
            continue
        for item in range(KINDS):
            secret = state.hand[other, item] - state.shown[other, item]
            state.unseen[item] += secret
            state.hidden[other] += secret
            state.hand[other, item] -= secret
    for other in range(state.players):
        while state.hidden[other] > 0:
            item = random_weighted(rng, state.unseen)
            state.unseen[item] -= 1
            state.hidden[other] -= 1
            state.hand[other, item] += 1
    if state.with_tasks:
        for deck in range(HAND_OF_TASKS):
            hide_tasks(state, board, seat, deck, rng)


@rule
def hide_tasks(state: State, board: Board, seat: int, deck: int, rng: Longs) -> None:
    for other in range(state.players):
        if other != seat and state.task_state[other, deck] == HELD:
            state.task_seen[deck, state.task[other, deck]] = 0
    for other in range(state.players):
        if other != seat and state.task_state[other, deck] == HELD:
            item = random_task(state, board, rng, deck)
            state.task_seen[deck, item] = 1
            state.task[other, deck] = item
