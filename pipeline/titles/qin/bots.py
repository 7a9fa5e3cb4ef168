"""Qin: nature, and the simple players. A bot reads only the board and its own hand."""

from __future__ import annotations

from pipeline.titles.contract import NONE
from pipeline.titles.qin.codes import DEAL, DRAW, PASS, TILE
from pipeline.titles.qin.options import Board
from pipeline.titles.qin.rules import least_dealt
from pipeline.titles.qin.rules_hands import KINDS
from pipeline.titles.qin.rules_join import (
    DOUBLES,
    is_free,
    is_touching,
    plan,
    provinces_touch,
    taker_of,
)
from pipeline.titles.qin.rules_state import DEALING, DRAWING, MAJOR, NOBODY, State
from pipeline.titles.state import NO_FAULT, Ints, Longs, random_below, random_weighted, rule

MOST_CANDIDATES = 5
EVENTS_A_GAME = 140

TRIES = 60
"""Places that the random player tries before it looks at all of them."""
WORTH = 16
"""Of a pagoda; what else a placement is good for is worth less, in all."""
MARGIN = WORTH
"""A candidate is not worth less than the best one by more than this."""
NOTHING = -(1 << 30)


@rule
def write(event: Ints, seat: int, action: int, item: int) -> None:
    event[:] = NONE
    event[0], event[1], event[2] = seat, action, item


@rule
def write_tile(event: Ints, board: Board, seat: int, kind: int, one: int, two: int) -> None:
    write(event, seat, TILE, kind)
    event[3], event[4] = board.square[one], board.square[two]


@rule
def nature(state: State, board: Board, rng: Longs, event: Ints) -> bool:
    """Deal or draw a tile, if one is due."""
    if state.phase == DEALING:
        write(event, least_dealt(state), DEAL, random_weighted(rng, state.unseen))
    elif state.phase == DRAWING:
        write(event, state.turn_seat, DRAW, random_weighted(rng, state.unseen))
    else:
        return False
    return True


@rule
def decide(state: State, board: Board, rng: Longs, policy: int, event: Ints) -> None:
    """The next event of the seat that is to act; policy 0 is random, 1 greedy."""
    seat = int(state.turn_seat)
    if policy == 0:
        decide_randomly(state, board, rng, seat, event)
    else:
        decide_greedily(state, board, rng, seat, event)


@rule
def may_lie(state: State, board: Board, seat: int, kind: int, one: int, two: int) -> bool:
    """Whether a tile fits there; if so, the state's fields for the tile at hand say what it would do."""
    return (
        is_free(state, one, two)
        and is_touching(state, one, two)
        and plan(state, board, seat, kind, one, two) == NO_FAULT
    )


@rule
def decide_randomly(state: State, board: Board, rng: Longs, seat: int, event: Ints) -> None:
    """Any tile of the hand on any two squares where it fits; a pass if there are none."""
    write(event, seat, PASS, NONE)
    if state.held[seat] == 0:
        return
    for _ in range(TRIES):
        kind = random_weighted(rng, state.known[seat])
        pair = random_below(rng, board.pairs)
        way = random_below(rng, 2)
        one, two = board.pair[pair, way], board.pair[pair, 1 - way]
        if may_lie(state, board, seat, kind, one, two):
            write_tile(event, board, seat, kind, one, two)
            return
    count = 0
    for pair in range(board.pairs):
        for way in range(2):
            one, two = board.pair[pair, way], board.pair[pair, 1 - way]
            for kind in range(KINDS):
                if state.known[seat, kind] > 0 and may_lie(state, board, seat, kind, one, two):
                    count += 1
                    if random_below(rng, count) == 0:
                        write_tile(event, board, seat, kind, one, two)


@rule
def worth_of_plan(state: State, board: Board, seat: int) -> int:
    """What the planned tile brings a seat: its pagodas less the others', and how its provinces stand."""
    worth, mine = 0, 0
    for part in range(state.parts):
        owner = state.part_owner[part]
        for i in range(state.joins[part]):
            root = state.joined[part, i]
            if state.owner[root] != NOBODY and root != state.kept[part]:
                worth += -WORTH if state.owner[root] == seat else WORTH
                mine -= state.owner[root] == seat
        if owner == NOBODY:
            continue
        gained = int(state.part_raised[part]) + int(state.kept[part] == NOBODY)
        worth += gained * (WORTH if owner == seat else -WORTH)
        mine += gained if owner == seat else 0
        worth += growth(state, part, owner == seat)
    villages = provinces_touch(state)
    village = -1
    while villages >> (village + 1):
        village += 1
        if not (villages >> village) & 1:
            continue
        taker = taker_of(state, board, village, seat)
        if taker != NOBODY:
            holder = state.holder[village]
            worth += WORTH if taker == seat else -WORTH
            mine += taker == seat
            if holder != NOBODY:
                worth += -WORTH if holder == seat else WORTH
                mine -= holder == seat
    if state.score[seat] + mine >= state.pagodas:
        worth += 100 * WORTH
    return worth


@rule
def growth(state: State, part: int, own: bool) -> int:
    """A province nearer to being major is safer and nearer to a second pagoda: good if it is one's own."""
    squares = int(state.part_squares[part])
    near = 2 if squares >= MAJOR else squares - 1
    return near if own else -near


@rule
def decide_greedily(state: State, board: Board, rng: Longs, seat: int, event: Ints) -> None:
    """The placement that is worth most at once; of equals any."""
    write(event, seat, PASS, NONE)
    best, equal = NOTHING, 0
    for pair in range(board.pairs):
        one, two = board.pair[pair, 0], board.pair[pair, 1]
        if not (is_free(state, one, two) and is_touching(state, one, two)):
            continue
        for kind in range(KINDS):
            if state.known[seat, kind] == 0:
                continue
            for way in range(1 if kind < DOUBLES else 2):
                one, two = board.pair[pair, way], board.pair[pair, 1 - way]
                if plan(state, board, seat, kind, one, two) != NO_FAULT:
                    continue
                worth = worth_of_plan(state, board, seat)
                equal = 1 if worth > best else equal + int(worth == best)
                if worth > best or (worth == best and random_below(rng, equal) == 0):
                    best = worth
                    write_tile(event, board, seat, kind, one, two)


@rule
def candidates(state: State, board: Board, rng: Longs, options: Ints) -> int:
    """What a looking-ahead player weighs: the placements that are worth most at once."""
    seat = int(state.turn_seat)
    count = 0
    for pair in range(board.pairs):
        one, two = board.pair[pair, 0], board.pair[pair, 1]
        if not (is_free(state, one, two) and is_touching(state, one, two)):
            continue
        for kind in range(KINDS):
            if state.known[seat, kind] == 0:
                continue
            for way in range(1 if kind < DOUBLES else 2):
                one, two = board.pair[pair, way], board.pair[pair, 1 - way]
                if plan(state, board, seat, kind, one, two) == NO_FAULT:
                    # Chance decides among equals.
                    worth = 16 * worth_of_plan(state, board, seat) + random_below(rng, 16)
                    at = place_in_order(options, count, worth)
                    if at < MOST_CANDIDATES:
                        write_tile(options[at], board, seat, kind, one, two)
                        options[at, 5] = worth
                        count = min(count + 1, MOST_CANDIDATES)
    while count > 1 and options[count - 1, 5] < options[0, 5] - 16 * MARGIN:
        count -= 1
    for i in range(options.shape[0]):
        options[i, 5] = NONE
    if count == 0:
        write(options[0], seat, PASS, NONE)
        count = 1
    return count


@rule
def place_in_order(options: Ints, count: int, worth: int) -> int:
    """Where a candidate of this worth goes, the better ones before it; the others move down.

    While they are sorted, the last field (`amount`) holds each one's worth.
    """
    at = count
    while at > 0 and options[at - 1, 5] < worth:
        if at < MOST_CANDIDATES:
            options[at] = options[at - 1]
        at -= 1
    return at


@rule
def resolve(state: State, board: Board, rng: Longs, event: Ints) -> None:
    """Nothing is left open in a candidate: the draw after it is nature's own event."""


@rule
def hide(state: State, board: Board, seat: int, rng: Longs) -> None:
    """Deal the others' hands anew from all that the seat has not seen."""
    for other in range(state.players):
        if other != seat:
            for kind in range(KINDS):
                state.unseen[kind] += state.known[other, kind]
                state.known[other, kind] = 0
    for other in range(state.players):
        if other != seat:
            for _ in range(state.held[other]):
                kind = random_weighted(rng, state.unseen)
                state.unseen[kind] -= 1
                state.known[other, kind] += 1
