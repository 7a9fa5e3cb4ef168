"""Qin: what a tile would join, make and change. Nothing is carried out here.

`plan` writes its answer into the state's fields for the tile at hand; section names are those of the
README beside this file.
"""

from __future__ import annotations

import numpy as np

from pipeline.titles.qin.codes import EQUAL_SQUARES, TWO_MAJORS
from pipeline.titles.qin.options import GRASS, Board
from pipeline.titles.qin.rules_state import MAJOR, NOBODY, STEPS, State
from pipeline.titles.state import NO_FAULT, rule

# Kinds RR YY BB RY RB YB: 1 + colour of each square.
FIRST = np.array([1, 2, 3, 1, 1, 2])
SECOND = np.array([1, 2, 3, 2, 3, 3])
DOUBLES = 3
"""Kinds below are of one colour."""

ILLEGAL, ACTIVE_LOSES, ACTIVE_KEEPS = range(3)
LARGEST_PROVINCE = 1


@rule
def is_free(state: State, one: int, two: int) -> bool:
    return bool(state.colour[one] == GRASS and state.colour[two] == GRASS)


@rule
def is_touching(state: State, one: int, two: int) -> bool:
    """Turn: one of the two shares an edge with a coloured square."""
    return bool(state.beside[one] + state.beside[two] > 0)


@rule
def is_open(state: State, one: int, two: int) -> bool:
    """Whether any tile at all may lie here: free, touching, and of each colour at most one province."""
    if not (is_free(state, one, two) and is_touching(state, one, two)):
        return False
    red, yellow, blue = NOBODY, NOBODY, NOBODY
    for step in STEPS:
        for cell in (one + step, two + step):
            colour = state.colour[cell]
            if colour <= GRASS:
                continue
            root = state.area[cell]
            if state.owner[root] == NOBODY:
                continue
            if colour == 1:
                if red != NOBODY and red != root:
                    return False
                red = root
            elif colour == 2:
                if yellow != NOBODY and yellow != root:
                    return False
                yellow = root
            else:
                if blue != NOBODY and blue != root:
                    return False
                blue = root
    return True


@rule
def plan(state: State, board: Board, seat: int, kind: int, one: int, two: int) -> int:
    """What a seat's tile on two free neighbouring cells would do; a fault if it may not join that."""
    state.mark += 1
    if kind < DOUBLES:
        state.parts = 1
        join(state, board, 0, FIRST[kind], one, two)
        return settle_part(state, 0, seat)
    state.parts = 2
    join(state, board, 0, FIRST[kind], one, one)
    join(state, board, 1, SECOND[kind], two, two)
    fault = settle_part(state, 0, seat)
    if fault != NO_FAULT:
        return fault
    return settle_part(state, 1, seat)


@rule
def join(state: State, board: Board, part: int, colour: int, one: int, two: int) -> None:
    """A part of the tile, one square or two of one colour, and the areas that it touches."""
    mark = state.mark
    squares, joins = 1 if one == two else 2, 0
    first = min(one, two)
    touches = board.touch[state.village_rule, one] | board.touch[state.village_rule, two]
    cell = one
    for _ in range(squares):
        for step in STEPS:
            if state.colour[cell + step] == colour:
                root = state.area[cell + step]
                if state.marked[root] != mark:
                    state.marked[root] = mark
                    state.joined[part, joins] = root
                    joins += 1
                    squares += state.squares[root]
                    first = min(first, state.first[root])
                    touches |= state.touches[root]
        cell = two
    state.part_colour[part] = colour
    state.joins[part] = joins
    state.part_squares[part] = squares
    state.part_first[part] = first
    state.part_touches[part] = touches


@rule
def settle_part(state: State, part: int, seat: int) -> int:
    """Joining: whose the area is. Nobody's becomes the active player's, from two squares (Found)."""
    provinces, majors, kept = 0, 0, NOBODY
    for i in range(state.joins[part]):
        root = state.joined[part, i]
        if state.owner[root] == NOBODY:
            continue
        provinces += 1
        if state.squares[root] >= MAJOR:
            majors += 1
            kept = root
        elif majors == 0:
            kept = root
    if majors > 1:
        return TWO_MAJORS
    if provinces > 1 and majors == 0:
        keeper = stronger(state, part, seat)
        if keeper == NOBODY:
            return EQUAL_SQUARES
        kept = largest_of(state, part, keeper)
    state.kept[part] = kept
    grown = state.part_squares[part] >= MAJOR
    if kept == NOBODY:
        state.part_owner[part] = seat if state.part_squares[part] >= 2 else NOBODY
        state.part_raised[part] = grown
    else:
        state.part_owner[part] = state.owner[kept]
        state.part_raised[part] = grown and state.squares[kept] < MAJOR
    return NO_FAULT


@rule
def squares_of(state: State, part: int, seat: int) -> int:
    """Joining: a player's squares in the provinces that are joined, before the tile."""
    total = 0
    for i in range(state.joins[part]):
        root = state.joined[part, i]
        if state.owner[root] == seat:
            if state.count_rule == LARGEST_PROVINCE:
                total = max(total, state.squares[root])
            else:
                total += state.squares[root]
    return int(total)


@rule
def stronger(state: State, part: int, seat: int) -> int:
    """Joining: who keeps the area where no major is; NOBODY if equals may not be joined."""
    most, keeper, other, tied = 0, NOBODY, NOBODY, 0
    for player in range(state.players):
        count = squares_of(state, part, player)
        if count > most:
            most, keeper, tied = count, player, 1
        elif count == most and count > 0:
            tied += 1
            other = player
    if tied == 1:
        return keeper
    if squares_of(state, part, seat) == most:
        if state.tie_rule == ACTIVE_KEEPS:
            return seat
        if state.tie_rule == ACTIVE_LOSES and tied == 2:
            return other if keeper == seat else keeper
    return NOBODY


@rule
def largest_of(state: State, part: int, seat: int) -> int:
    """Joining: of a player's provinces the largest stays, of equals the first in reading order."""
    best = NOBODY
    for i in range(state.joins[part]):
        root = state.joined[part, i]
        if state.owner[root] != seat:
            continue
        if (
            best == NOBODY
            or state.squares[root] > state.squares[best]
            or (state.squares[root] == state.squares[best] and state.first[root] < state.first[best])
        ):
            best = root
    return int(best)


@rule
def provinces_touch(state: State) -> int:
    """The villages, as bits, beside the provinces that the tile makes or changes."""
    villages = 0
    for part in range(state.parts):
        if state.part_owner[part] != NOBODY:
            villages |= state.part_touches[part]
    return villages


@rule
def taker_of(state: State, board: Board, village: int, seat: int) -> int:
    """Villages: who gets a village by the tile at hand; NOBODY if nothing changes there.

    It is the one with most pagodas there, more than the holder; of equals only the active player.
    """
    count_pagodas(state, board, village)
    holder = state.holder[village]
    most = state.near[holder] if holder != NOBODY else 0
    taker, tied = NOBODY, False
    for player in range(state.players):
        count = state.near[player]
        if count > most:
            most, taker, tied = count, player, False
        elif count == most and taker != NOBODY:
            tied = True
    if tied:
        return seat if state.near[seat] == most else NOBODY
    return taker


@rule
def count_pagodas(state: State, board: Board, village: int) -> None:
    """Villages: each player's pagodas in provinces beside one, all that the tile brings included.

    It is the same before the tile's areas are merged and after: marked ones count as parts only.
    """
    count_standing(state, board, village)
    for part in range(state.parts):
        if state.part_owner[part] != NOBODY and (state.part_touches[part] >> village) & 1:
            state.near[state.part_owner[part]] += 2 if state.part_squares[part] >= MAJOR else 1


@rule
def count_standing(state: State, board: Board, village: int) -> None:
    """Villages: the same without the areas that the tile at hand joins and makes."""
    by_square = state.village_rule
    for player in range(state.players):
        state.near[player] = 0
    state.near_mark += 1
    for i in range(board.sides[by_square, village]):
        cell = board.around[by_square, village, i]
        if state.colour[cell] <= GRASS:
            continue
        root = state.area[cell]
        if state.owner[root] == NOBODY or state.marked[root] == state.mark:
            continue
        if state.near_marked[root] != state.near_mark:
            state.near_marked[root] = state.near_mark
            state.near[state.owner[root]] += 2 if state.squares[root] >= MAJOR else 1
