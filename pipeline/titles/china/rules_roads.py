"""China: chains of houses along roads (README, Scoring 3).

A seat's houses fall into groups that roads connect. In most of them one chain runs through all houses,
or only one chain has room, and then it is found in passing. Else all chains of the group are listed and
the best set that shares no house is searched for, exactly.

A set of sites is a number with a bit a site. Chains are met in board order: by their first end, then
by the next house and so on. So of equal chains the first one met is the one that stands in the record.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pipeline.titles.china.codes import ROAD, ROAD_FORT
from pipeline.titles.china.options import WORD, Board
from pipeline.titles.china.rules_state import FIRST_ROAD, State, fort_factor
from pipeline.titles.state import Ints, Longs, Sink, note, rule

SHORTEST = 4
MOST_CHAINS = 5
"""A player has 20 houses."""


@rule
def joined(low: int, high: int) -> int:
    return int(low) | (int(high) << WORD)


@rule
def first_site(sites: int) -> int:
    """The first site in a set, which is not empty."""
    return int(math.frexp(float(sites & -sites))[1]) - 1


@rule
def size_of(sites: int) -> int:
    count = 0
    while sites:
        sites &= sites - 1
        count += 1
    return count


@rule
def neighbours(board: Board, side: int, site: int) -> int:
    return joined(board.near_low[side, site], board.near_high[side, site])


@rule
def score_roads(state: State, board: Board, sink: Sink) -> None:
    """Scoring, 3: each seat's best chains, group by group."""
    for seat in range(state.players):
        left = joined(state.own_low[seat], state.own_high[seat])
        while left:
            group = group_of(state, board, left)
            left &= ~group
            if size_of(group) >= SHORTEST:
                score_group(state, board, sink, seat, group)


@rule
def group_of(state: State, board: Board, houses: int) -> int:
    """The houses that roads connect with the first of a set."""
    group = houses & -houses
    edge = group
    while edge:
        site = first_site(edge)
        edge &= edge - 1
        new = neighbours(board, state.side, site) & houses & ~group
        group |= new
        edge |= new
    return group


@rule
def score_group(state: State, board: Board, sink: Sink, seat: int, group: int) -> None:
    """Without branches the whole group is one chain, a line or a ring; else it is searched."""
    end, branches, left = -1, False, group
    while left:
        site = first_site(left)
        left &= left - 1
        roads = neighbours(board, state.side, site) & group
        if roads & (roads - 1) == 0:
            if end < 0:
                end = site
        else:
            roads &= roads - 1
            branches = branches or (roads & (roads - 1)) != 0
    if branches:
        search_group(state, board, sink, seat, group)
    else:
        score_chain(state, sink, seat, first_site(group) if end < 0 else end, group)


@rule
def forts_in(state: State, sites: int) -> int:
    """The seat's fortified houses, if the set is of its houses."""
    return size_of(sites & joined(state.fort_low, state.fort_high))


@rule
def score_chain(state: State, sink: Sink, seat: int, end: int, chain: int) -> None:
    """One point a house; Scoring, 4: times the fortified houses in it."""
    points = size_of(chain)
    note(state.score, sink, seat, ROAD, FIRST_ROAD + end, points)
    times = fort_factor(state, forts_in(state, chain))
    if times > 1:
        note(state.score, sink, seat, ROAD_FORT, FIRST_ROAD + end, points * (times - 1))


@rule
def search_group(state: State, board: Board, sink: Sink, seat: int, group: int) -> None:
    """List the chains; if none has all houses and two may have room, choose the best set of them."""
    size = size_of(group)
    room = 64
    while True:
        chains = np.empty(room, np.int64)
        ends = np.empty(room, np.int32)
        count = list_chains(board, state.side, group, size, chains, ends)
        if count <= room:
            break
        room *= 8
    if count == 0:
        return
    if size_of(int(chains[count - 1])) == size or size < 2 * SHORTEST:
        best = best_chain(state, chains, count)
        score_chain(state, sink, seat, int(ends[best]), int(chains[best]))
    else:
        best_chains = best_set(state, group, chains, ends, count)
        for i in range(MOST_CHAINS):
            if best_chains[i] >= 0:
                chain = int(best_chains[i])
                score_chain(state, sink, seat, int(ends[chain]), int(chains[chain]))


@rule
def list_chains(board: Board, side: int, group: int, size: int, chains: Longs, ends: Ints) -> int:
    """All chains in board order, from their first ends; stops at one through all houses.

    Returns how many there are; those beyond the arrays' length are not kept.
    """
    sites = np.empty(size, np.int32)
    ways = np.empty(size, np.int64)
    count = 0
    starts = group
    while starts:
        start = first_site(starts)
        starts &= starts - 1
        chain = 1 << start
        length = 1
        sites[0] = start
        ways[0] = neighbours(board, side, start) & group & ~chain
        while length > 0:
            way = int(ways[length - 1])
            if way == 0:
                length -= 1
                chain &= ~(1 << int(sites[length]))
                continue
            ways[length - 1] = way & (way - 1)
            site = first_site(way)
            chain |= 1 << site
            sites[length] = site
            ways[length] = neighbours(board, side, site) & group & ~chain
            length += 1
            if length >= SHORTEST and site > start and is_new(chains, count, chain):
                if count < chains.size:
                    chains[count] = chain
                    ends[count] = start
                count += 1
                if length == size:
                    return count
    return count


@rule
def is_new(chains: Longs, count: int, chain: int) -> bool:
    """Chains of the same houses are worth the same; the first one stands for all."""
    i = min(count, chains.size) - 1
    while i >= 0 and chains[i] != chain:
        i -= 1
    return i < 0


@rule
def best_chain(state: State, chains: Longs, count: int) -> int:
    """Most points, then most without fortresses, then first in board order."""
    best, best_points, best_size = 0, 0, 0
    for i in range(count):
        size = size_of(int(chains[i]))
        points = size * fort_factor(state, forts_in(state, int(chains[i])))
        if points > best_points or (points == best_points and size > best_size):
            best, best_points, best_size = i, points, size
    return best


@rule
def most_points(state: State, houses: int) -> int:
    """No set of chains out of these houses earns more."""
    return size_of(houses) * fort_factor(state, forts_in(state, houses))


@rule
def best_set(state: State, group: int, chains: Longs, ends: Ints, count: int) -> Ints:
    """Depth first: the first free house is in one of the chains that it is the first house of, or in none.

    `step[d]` is what the house of depth d tries next: a chain of its list, then -1 for none, then -2.
    """
    head, link = lists_by_first_house(chains, count)
    size = size_of(group)
    free = np.zeros(size + 1, np.int64)
    points = np.zeros(size + 1, np.int32)
    step = np.zeros(size + 1, np.int32)
    chosen = np.full(size + 1, -1, np.int32)
    best = np.full(MOST_CHAINS, -1, np.int32)
    best_points = 0
    depth = 0
    free[0] = group
    step[0] = head[first_site(group)]
    while depth >= 0:
        if step[depth] == -2:
            depth -= 1
            continue
        if not choose(state, depth, free, points, step, chosen, chains, link):
            continue
        left, total = int(free[depth + 1]), int(points[depth + 1])
        if total + most_points(state, left) < best_points:
            continue
        if size_of(left) >= SHORTEST:
            depth += 1
            step[depth] = head[first_site(left)]
        elif is_better_set(total, best_points, chosen[: depth + 1], best, chains, ends):
            best_points = total
            keep_set(chosen[: depth + 1], best)
    return best


@rule
def choose(
    state: State, depth: int, free: Longs, points: Ints, step: Ints, chosen: Ints, chains: Longs, link: Ints
) -> bool:
    """Take the step of a depth; False if the chain has a house that is not free any more."""
    now = int(step[depth])
    houses = int(free[depth])
    step[depth] = -2 if now == -1 else link[now]
    chain = 0 if now == -1 else int(chains[now])
    if chain & ~houses:
        return False
    chosen[depth] = now
    first = houses & -houses
    free[depth + 1] = houses & ~(chain | first)
    points[depth + 1] = points[depth] + (most_points(state, chain) if chain else 0)
    return True


@rule
def lists_by_first_house(chains: Longs, count: int) -> Any:
    """For each site the chains whose first house stands there, as linked lists ending in -1."""
    head = np.full(2 * WORD, -1, np.int32)
    link = np.full(count, -1, np.int32)
    for i in range(count):
        site = first_site(int(chains[i]))
        link[i] = head[site]
        head[site] = i
    return head, link


@rule
def keep_set(chosen: Ints, best: Ints) -> None:
    """The chosen chains, in board order."""
    best[:] = -1
    count = 0
    for i in range(chosen.size):
        chain = chosen[i]
        if chain < 0:
            continue
        at = count
        while at > 0 and best[at - 1] > chain:
            best[at] = best[at - 1]
            at -= 1
        best[at] = chain
        count += 1


@rule
def is_better_set(points: int, best_points: int, chosen: Ints, best: Ints, chains: Longs, ends: Ints) -> bool:
    """Most points, then fewest chains, then most houses, then first ends and chains in board order."""
    if points != best_points:
        return points > best_points
    mine = np.empty(MOST_CHAINS, np.int32)
    keep_set(chosen, mine)
    balance, houses = 0, 0
    for i in range(MOST_CHAINS):
        balance += int(mine[i] >= 0) - int(best[i] >= 0)
        houses += size_of(int(chains[mine[i]])) if mine[i] >= 0 else 0
        houses -= size_of(int(chains[best[i]])) if best[i] >= 0 else 0
    if balance != 0:
        return balance < 0
    if houses != 0:
        return houses > 0
    for i in range(MOST_CHAINS):
        if mine[i] >= 0 and ends[mine[i]] != ends[best[i]]:
            return bool(ends[mine[i]] < ends[best[i]])
    for i in range(MOST_CHAINS):
        if mine[i] != best[i]:
            return bool(mine[i] < best[i])
    return False
