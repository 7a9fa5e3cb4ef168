"""Qin: how many placements a hand has, and how many of them are takeovers.

Nearly all placements join at most one province of each colour and win no village: they are legal and no
takeovers, and need no look. Cheap bounds pick out the others, which are planned one by one.

A *spot* is a pair of free cells where a tile touches. Spots, and what lies beside each cell, are kept in
the state and brought up to date when asked, so that a replay that asks for no facts does not pay for it.
"""

from __future__ import annotations

import numpy as np

from pipeline.titles.qin.options import GRASS, Board
from pipeline.titles.qin.rules_hands import KINDS
from pipeline.titles.qin.rules_join import (
    DOUBLES,
    FIRST,
    SECOND,
    count_standing,
    plan,
    provinces_touch,
    taker_of,
)
from pipeline.titles.qin.rules_state import MAJOR, NOBODY, STEPS, SWINGS, State
from pipeline.titles.state import NO_FAULT, rule

HUES = np.array([1, 2, 4, 3, 5, 6])
"""Colours of each kind, as bits."""
ALL_HUES = 7

# Signs of a cell, as bits: the colours beside it; those that are there twice and may be of several areas;
# whether it is covered; which seats have had an area beside it that a tile could make major; and the
# chance there to win a village from another: without it, with a major beside it, by a major, by any
# province, by any change. Each chance has the bits of those before it.
TWICE, COVERED, STRONG, CHANCES = 3, 1 << 6, 7, 12
NO_CHANCE = (1 << CHANCES) - 1
WITH_MAJOR, BY_MAJOR, BY_PROVINCE, BY_CHANGE = 1 << CHANCES, 3 << CHANCES, 7 << CHANCES, 15 << CHANCES
CHANCE = np.array([BY_CHANGE, BY_PROVINCE, BY_MAJOR, WITH_MAJOR, WITH_MAJOR])
"""By how many pagodas the seat is short of the village."""
MOST_SHORT = 4
"""Two majors bring no more."""

# A spot: its cells, the left or upper one first, and the colours of which one area is beside both.
CELL, SECOND_CELL, SAME = 255, 8, 16

LONE = 5
"""In `growing`: lone squares."""
SEVERAL = -2
ANOTHERS = -100
"""Squares of an area that cannot become the seat's."""
ANY_VILLAGE = -1

# Ways to lay a tile on a spot, as bits: its kind, and whether its first colour goes to the second cell.
WAY_KIND = np.array([*range(KINDS), *range(DOUBLES, KINDS)])
WAY_TURNED = np.array([False] * KINDS + [True] * (KINDS - DOUBLES))
WAYS = WAY_KIND.size
WAYS_OF = np.array([sum(1 << way for way in range(WAYS) if WAY_KIND[way] == kind) for kind in range(KINDS)])
LOWEST = np.array([0] + [(bits & -bits).bit_length() - 1 for bits in range(1, 1 << WAYS)])

# Doubts about a spot: colours, as bits, for its first cell, its second, and both together. A way is in
# doubt by any of its colours; or, of those moved up by TOGETHER, by all of them.
AT_ONE, AT_TWO, AT_BOTH, TOGETHER = 0, 3, 6, 9
ALL_DOUBTS, APART = (1 << TOGETHER) - 1, (1 << AT_BOTH) - 1


def doubts_of(way: int) -> int:
    """The colours of a way, as doubts."""
    one, two = int(FIRST[WAY_KIND[way]]) - 1, int(SECOND[WAY_KIND[way]]) - 1
    if one == two:
        return 1 << AT_BOTH + one
    if WAY_TURNED[way]:
        one, two = two, one
    return (1 << AT_ONE + one) | (1 << AT_TWO + two)


WAYS_BY_ANY = np.array(
    [sum(1 << way for way in range(WAYS) if doubts_of(way) & doubts) for doubts in range(ALL_DOUBTS + 1)]
)
WAYS_BY_ALL = np.array(
    [sum(1 << way for way in range(WAYS) if doubts_of(way) & ~doubts == 0) for doubts in range(APART + 1)]
)


@rule
def count_choices(state: State, board: Board, seat: int) -> tuple[int, int]:
    """The legal placements of a hand without unknown tiles, and the takeovers among them."""
    catch_up(state, board)
    weigh_villages(state, board, seat)
    each, ways, doubles, hues = 0, 0, 0, 0
    for kind in range(KINDS):
        if state.known[seat, kind] > 0:
            each += 1 if kind < DOUBLES else 2
            ways |= WAYS_OF[kind]
            hues |= HUES[kind]
            if kind < DOUBLES:
                doubles |= HUES[kind]
    odd = pick_odd_spots(state, seat, hues, doubles)
    placements, takeovers = each * (state.spots - odd), 0
    for k in range(odd - 1, -1, -1):
        i = state.odd[k]
        one, two = state.spot[i] & CELL, state.spot[i] >> SECOND_CELL & CELL
        either = state.signs[one] | state.signs[two]
        if either & COVERED:
            state.spots -= 1
            state.spot[i] = state.spot[state.spots]
            continue
        doubts = provinces_that_meet(state, i, either >> TWICE & hues)
        if either > NO_CHANCE:
            doubts |= villages_in_doubt(state, board, seat, one, two)
        doubtful = WAYS_BY_ANY[doubts & ALL_DOUBTS] | WAYS_BY_ALL[doubts >> TOGETHER]
        illegal, takes = try_ways(state, board, seat, one, two, doubtful & ways)
        placements += each - illegal
        takeovers += takes
    for cell in range(state.signs.size):
        state.signs[cell] &= NO_CHANCE
    return placements, takeovers


@rule
def try_ways(state: State, board: Board, seat: int, one: int, two: int, ways: int) -> tuple[int, int]:
    """How many of these ways to lay a tile on a spot are illegal, and how many are takeovers."""
    illegal, takeovers = 0, 0
    while ways:
        way = LOWEST[ways]
        ways &= ways - 1
        first, second = (two, one) if WAY_TURNED[way] else (one, two)
        if plan(state, board, seat, WAY_KIND[way], first, second) != NO_FAULT:
            illegal += 1
        elif is_takeover(state, board, seat):
            takeovers += 1
    return illegal, takeovers


@rule
def pick_odd_spots(state: State, seat: int, hues: int, doubles: int) -> int:
    """List the spots where some tile of the hand may be illegal or a takeover, or that are covered.

    Without branches, as which ones they are cannot be foreseen.
    """
    signs = hues << TWICE | COVERED | (BY_CHANGE ^ BY_MAJOR)
    strong = STRONG + seat
    count = 0
    for i in range(state.spots):
        spot = state.spot[i]
        a, b = state.signs[spot & CELL], state.signs[spot >> SECOND_CELL & CELL]
        either, both = a | b, a & b
        majors = (either >> CHANCES + 1 | both >> CHANCES) & (either >> strong) & 1
        state.odd[count] = i
        count += (either & signs | both & doubles & ~(spot >> SAME) | both >> CHANCES + 1 | majors) != 0
    return count


@rule
def catch_up(state: State, board: Board) -> None:
    """Take note of the squares coloured since the last time: signs, new spots, pagodas beside villages."""
    villages = ANY_VILLAGE if state.covers_seen == 0 else 0
    for i in range(state.covers_seen, state.covers):
        cover = state.cover[i]
        state.signs[cover] |= COVERED
        root = state.area[cover]
        villages |= state.touches[root]
        if state.owner[root] != NOBODY and state.squares[root] + 2 >= MAJOR:
            mark_edge(state, root, 1 << STRONG + state.owner[root])
        hue = state.colour[cover] - 1
        for step in STEPS:
            cell = cover + step
            signs = state.signs[cell]
            if signs & ALL_HUES == 0 and state.colour[cell] == GRASS:
                list_spots(state, cell)
            state.signs[cell] = signs | 1 << hue | ((signs >> hue) & 1) << TWICE + hue
            state.side[cell, hue] = cover
    state.covers_seen = state.covers
    state.mark += 1  # no tile is at hand
    for village in range(board.villages[state.village_rule]):
        if (villages >> village) & 1:
            look_at_village(state, board, village)


@rule
def list_spots(state: State, cell: int) -> None:
    """A free cell comes beside a coloured one: its spots, but those that its neighbours have brought."""
    for step in STEPS:
        other = cell + step
        if state.colour[other] == GRASS and state.signs[other] & ALL_HUES == 0:
            state.spot[state.spots] = min(cell, other) | max(cell, other) << SECOND_CELL
            state.spots += 1


@rule
def look_at_village(state: State, board: Board, village: int) -> None:
    """Villages: the pagodas beside one, and which areas beside it may bring more of them by growing."""
    count_standing(state, board, village)
    for seat in range(state.players):
        state.standing[village, seat] = state.near[seat]
    state.growing[village] = 0
    for i in range(board.sides[state.village_rule, village]):
        cell = board.around[state.village_rule, village, i]
        if state.colour[cell] > GRASS:
            root = state.area[cell]
            if state.owner[root] == NOBODY:
                state.growing[village] |= 1 << LONE
            elif state.squares[root] < MAJOR:
                state.growing[village] |= 1 << state.owner[root]


@rule
def provinces_that_meet(state: State, i: int, twice: int) -> int:
    """In which colours a tile on a spot would join provinces, as doubts; `twice` are the signs of its cells."""
    one, two = state.spot[i] & CELL, state.spot[i] >> SECOND_CELL & CELL
    doubts = 0
    for hue in range(3):
        a, b = state.area[state.side[one, hue]], state.area[state.side[two, hue]]
        meet = (a != b) & (state.owner[a] != NOBODY) & (state.owner[b] != NOBODY)
        doubts |= meet << AT_BOTH + hue
        # What is one area stays so, until another square comes beside and is a sign of its own.
        state.spot[i] |= ((a == b) & (a > 0)) << SAME + hue
    if twice == 0:
        return doubts
    for hue in range(3):
        if (twice >> hue) & 1:
            a, b = province_beside(state, one, hue), province_beside(state, two, hue)
            at_one, at_two = a == SEVERAL, b == SEVERAL
            meet = at_one or at_two or (a != b and a != NOBODY and b != NOBODY)
            doubts &= ~(1 << AT_BOTH + hue)
            doubts |= (at_one << AT_ONE | at_two << AT_TWO | meet << AT_BOTH) << hue
    return doubts


@rule
def province_beside(state: State, cell: int, hue: int) -> int:
    """The root of the one province of a colour beside a cell; NOBODY, or SEVERAL."""
    root = state.area[state.side[cell, hue]]
    if (state.signs[cell] >> TWICE + hue) & 1:
        found, areas = NOBODY, 1
        for step in STEPS:
            if state.colour[cell + step] == 1 + hue:
                other = state.area[cell + step]
                areas += other != root
                if state.owner[other] != NOBODY and other != found:
                    if found != NOBODY:
                        return SEVERAL
                    found = other
        if areas == 1:
            state.signs[cell] ^= 1 << TWICE + hue
        return int(found)
    return int(root) if state.owner[root] != NOBODY else NOBODY


@rule
def weigh_villages(state: State, board: Board, seat: int) -> None:
    """Villages: how many pagodas the seat is short of each that another holds, and where it may gain some."""
    for swing in range(SWINGS):
        state.within[swing] = 0
    for village in range(board.villages[state.village_rule]):
        holder = state.holder[village]
        if holder == NOBODY or holder == seat:
            continue
        short = max(0, state.standing[village, holder] + 1 - state.standing[village, seat])
        state.within[min(short, SWINGS - 1)] |= 1 << village
        if short <= MOST_SHORT:
            mark_chances(state, board, seat, village, short)
    for swing in range(1, SWINGS):
        state.within[swing] |= state.within[swing - 1]


@rule
def mark_chances(state: State, board: Board, seat: int, village: int, short: int) -> None:
    """Where a tile brings the seat pagodas at a village: beside it, or by an area beside it that grows.

    Of areas only those count that may still found or become major; if the seat is short of none, all of
    them do, as any change there has the village looked at.
    """
    by_square = state.village_rule
    for i in range(board.sides[by_square, village]):
        state.signs[board.around[by_square, village, i]] |= CHANCE[short]
    if short > 0 and state.growing[village] & (1 << seat | 1 << LONE) == 0:
        return
    for i in range(board.sides[by_square, village]):
        cell = board.around[by_square, village, i]
        root = state.area[cell]
        if state.colour[cell] > GRASS and (
            short == 0 or state.owner[root] == NOBODY or (state.owner[root] == seat and state.squares[root] < MAJOR)
        ):
            mark_edge(state, root, CHANCE[short])


@rule
def mark_edge(state: State, root: int, sign: int) -> None:
    """A sign for the cells beside an area."""
    cell = root
    while True:
        for step in STEPS:
            state.signs[cell + step] |= sign
        cell = state.link[cell]
        if cell == root:
            break


@rule
def villages_in_doubt(state: State, board: Board, seat: int, one: int, two: int) -> int:
    """With which colours a tile that joins no two provinces could win a village, as doubts.

    Each of its areas brings one pagoda, or two as a major. One short of a village, any area does; two
    short, a major or both of them; else a major and the other one.
    """
    either, both = state.signs[one] | state.signs[two], state.signs[one] & state.signs[two]
    if either & BY_CHANGE == BY_CHANGE:
        return ALL_DOUBTS
    if either & BY_PROVINCE == BY_PROVINCE:
        return areas_that_come(state, seat, one, two, 2, ANY_VILLAGE)
    doubts = 0
    if (either & BY_MAJOR == BY_MAJOR) or both & WITH_MAJOR:
        villages = board.touch[state.village_rule, one] | board.touch[state.village_rule, two]
        doubts = areas_that_come(state, seat, one, two, MAJOR, villages & state.within[MOST_SHORT])
        if either & BY_MAJOR != BY_MAJOR:
            doubts &= APART
    if both & BY_MAJOR == BY_MAJOR:
        doubts |= (areas_that_come(state, seat, one, two, 2, ANY_VILLAGE) & APART) << TOGETHER
    return doubts


@rule
def areas_that_come(state: State, seat: int, one: int, two: int, least: int, villages: int) -> int:
    """In which colours a tile on a spot could give the seat an area of so many squares, as doubts.

    The squares of own provinces count only where one of these villages would be new to them.
    """
    doubts = 0
    for hue in range(3):
        a = squares_beside(state, seat, one, hue, villages)
        b = squares_beside(state, seat, two, hue, villages)
        at_one, at_two, at_both = a + 1 >= least, b + 1 >= least, a + b + 2 >= least
        doubts |= (at_one << AT_ONE | at_two << AT_TWO | at_both << AT_BOTH) << hue
    return doubts


@rule
def squares_beside(state: State, seat: int, cell: int, hue: int, villages: int) -> int:
    """The squares that an area of a colour beside a cell brings; what is not sure is taken as many."""
    if (state.signs[cell] >> TWICE + hue) & 1:
        return MAJOR
    root = state.area[state.side[cell, hue]]
    if state.owner[root] == NOBODY:
        return MAJOR if state.touches[root] & state.within[MOST_SHORT] else int(state.squares[root])
    if state.owner[root] == seat:
        return int(state.squares[root]) if villages & ~state.touches[root] else 0
    return ANOTHERS


@rule
def is_takeover(state: State, board: Board, seat: int) -> bool:
    """Whether the planned tile takes a province or a village from another player.

    Only villages are looked at where the seat's new pagodas and the others' lost ones could be enough.
    """
    swing = 0
    for part in range(state.parts):
        own = state.part_owner[part] == seat
        if own:
            swing += 2 if state.part_squares[part] >= MAJOR else 1
        for i in range(state.joins[part]):
            root = state.joined[part, i]
            owner = state.owner[root]
            if owner != NOBODY and owner != seat:
                if own:
                    return True
                swing += root != state.kept[part]
    villages = provinces_touch(state) & state.within[min(swing, SWINGS - 1)]
    village = -1
    while villages >> (village + 1):
        village += 1
        if (villages >> village) & 1 and taker_of(state, board, village, seat) == seat:
            return True
    return False
