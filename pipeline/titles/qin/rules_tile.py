"""Qin: a planned tile is carried out, pagoda by pagoda. Section names are those of the README."""

from __future__ import annotations

from pipeline.titles.qin.codes import MAJOR_PROVINCE, PROVINCE, VILLAGE
from pipeline.titles.qin.options import Board
from pipeline.titles.qin.rules_join import provinces_touch, taker_of
from pipeline.titles.qin.rules_state import (
    ABSORBED,
    CONQUERED,
    FOUNDED,
    GIVEN,
    LOST,
    NOBODY,
    RAISED,
    SETTLED,
    TAKEN_BACK,
    State,
    begin_area,
    put_pagoda,
)
from pipeline.titles.state import Sink, award, rule


@rule
def carry_out(state: State, board: Board, sink: Sink, seat: int, one: int, two: int) -> bool:
    """Order of pagodas: those given back, the active player's, the others'; True if one was the last."""
    for i in range(state.tally.size):
        state.tally[i] = 0
    for part in range(state.parts):
        absorb(state, board, sink, part, seat)
    merge(state, board, 0, one)
    merge(state, board, state.parts - 1, two)
    villages = provinces_touch(state)
    return (
        found(state, board, sink, seat)
        or raise_majors(state, board, sink, seat, True)
        or take_villages(state, board, sink, seat, villages)
        or raise_majors(state, board, sink, seat, False)
        or give_villages(state, board, sink, seat)
    )


@rule
def absorb(state: State, board: Board, sink: Sink, part: int, seat: int) -> None:
    """Absorb: the pagodas of all joined provinces but the kept one go back. None of them is a major."""
    for i in range(state.joins[part]):
        root = state.joined[part, i]
        owner = state.owner[root]
        if owner == NOBODY or root == state.kept[part]:
            continue
        award(state.score, sink, owner, PROVINCE, board.square[state.first[root]], -1)
        if owner == seat:
            state.tally[LOST] += 1
        elif state.part_owner[part] == seat:
            state.tally[ABSORBED] += 1
        else:
            state.tally[TAKEN_BACK] += 1


@rule
def merge(state: State, board: Board, part: int, cell: int) -> None:
    """Extend: a square of the tile and the areas that it joins become one with the kept province."""
    begin_area(state, board, cell, state.part_colour[part])
    root = state.kept[part]
    if root == NOBODY:
        root = cell
        if state.joins[part] > 0:
            root = state.joined[part, 0]
    for i in range(state.joins[part]):
        other = state.joined[part, i]
        if other != root and state.area[other] == other:
            unite(state, root, other)
    if root != cell:
        unite(state, root, cell)
    elif part == 0 and state.parts == 1:
        # The other square of a tile that joins nothing finds this one.
        state.joined[part, 0] = cell
        state.joins[part] = 1
    state.marked[root] = state.mark
    state.squares[root] = state.part_squares[part]
    state.first[root] = state.part_first[part]
    state.touches[root] = state.part_touches[part]


@rule
def unite(state: State, root: int, other: int) -> None:
    """The cells of another area, of which there are few, go to a root's ring."""
    cell = other
    while True:
        state.area[cell] = root
        cell = state.link[cell]
        if cell == other:
            break
    state.link[root], state.link[other] = state.link[other], state.link[root]


@rule
def part_at(state: State, i: int) -> int:
    """The tile's parts in reading order of their first squares."""
    if state.parts == 2 and state.part_first[1] < state.part_first[0]:
        return 1 - i
    return i


@rule
def found(state: State, board: Board, sink: Sink, seat: int) -> bool:
    """Found: the active player's pagoda on each new province; True if it was the last one."""
    for i in range(state.parts):
        part = part_at(state, i)
        if state.kept[part] != NOBODY or state.part_owner[part] == NOBODY:
            continue
        first = state.part_first[part]
        root = state.area[first]
        state.owner[root] = seat
        state.height[root] = 1
        state.tally[FOUNDED] += 1
        if put_pagoda(state, sink, seat, PROVINCE, board.square[first]):
            return True
    return False


@rule
def raise_majors(state: State, board: Board, sink: Sink, seat: int, own: bool) -> bool:
    """Extend: the second pagoda of each new major, the active player's own or the others'."""
    for i in range(state.parts):
        part = part_at(state, i)
        owner = state.part_owner[part]
        if not state.part_raised[part] or (owner == seat) != own:
            continue
        first = state.part_first[part]
        state.height[state.area[first]] = 2
        state.tally[RAISED if own else GIVEN] += 1
        if put_pagoda(state, sink, owner, MAJOR_PROVINCE, board.square[first]):
            return True
    return False


@rule
def take_villages(state: State, board: Board, sink: Sink, seat: int, villages: int) -> bool:
    """Villages: in board order those that the active player gets; the others' are kept for later."""
    state.given_villages = 0
    village = -1
    while villages >> (village + 1):
        village += 1
        if not (villages >> village) & 1:
            continue
        taker = taker_of(state, board, village, seat)
        if taker == NOBODY:
            continue
        if taker != seat:
            state.given_villages |= 1 << village
            continue
        conquered = hand_back(state, board, sink, village)
        state.tally[CONQUERED if conquered else SETTLED] += 1
        if hold_village(state, board, sink, village, seat):
            return True
    return False


@rule
def give_villages(state: State, board: Board, sink: Sink, seat: int) -> bool:
    """Villages: in board order those that other players get by the active player's tile."""
    village = -1
    while state.given_villages >> (village + 1):
        village += 1
        if not (state.given_villages >> village) & 1:
            continue
        taker = taker_of(state, board, village, seat)
        holder = state.holder[village]
        if hand_back(state, board, sink, village):
            state.tally[LOST if holder == seat else TAKEN_BACK] += 1
        state.tally[GIVEN] += 1
        if hold_village(state, board, sink, village, taker):
            return True
    return False


@rule
def hand_back(state: State, board: Board, sink: Sink, village: int) -> bool:
    """Villages: the holder's pagoda goes back to him just before the new one comes, if there is one."""
    holder = state.holder[village]
    if holder == NOBODY:
        return False
    award(state.score, sink, holder, VILLAGE, village_square(state, board, village), -1)
    return True


@rule
def hold_village(state: State, board: Board, sink: Sink, village: int, seat: int) -> bool:
    """Villages: a player's pagoda on a village; True if it was his last one."""
    state.holder[village] = seat
    return put_pagoda(state, sink, seat, VILLAGE, village_square(state, board, village))


@rule
def village_square(state: State, board: Board, village: int) -> int:
    """The code of a village's first square, its name."""
    return int(board.square[board.village_cell[state.village_rule, village]])
