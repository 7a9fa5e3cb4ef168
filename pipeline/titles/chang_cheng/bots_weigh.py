"""Chang Cheng: all that a seat may do, weighed at random or by worth, the best kept.

Rows of `options` are events; their last number is the weight until `decide` or `candidates` is done.
"""

from __future__ import annotations

from pipeline.titles.chang_cheng.bots_decide import weigh_decision
from pipeline.titles.chang_cheng.bots_keep import LOW, NOISE, chance, keep
from pipeline.titles.chang_cheng.bots_value import POINT, neutral_gain, tile_gain, tower_gain, wall_gain
from pipeline.titles.chang_cheng.codes import (
    ACTION_TILE,
    AREAS,
    BOARD,
    DOUBLE,
    EAST,
    FIRST_COLOUR,
    FIRST_COLOUR_TARGET,
    NEUTRAL_WALL,
    ORDER,
    PASS,
    SITES,
    SITES_A_BOARD,
    TOWER,
    WALL,
    WEST,
)
from pipeline.titles.chang_cheng.options import Board
from pipeline.titles.chang_cheng.rules_legal import (
    half_can_follow_tile,
    may_build,
    may_double,
    may_neutral,
    wall_can_follow,
    whole_possible,
)
from pipeline.titles.chang_cheng.rules_state import (
    DECIDING,
    EMPTY,
    EXTENDING,
    MAY_NEUTRAL,
    ORDERING,
    RANKS_END,
    SECOND_HALF,
    TILE_HALF,
    WALL_HALF,
    State,
    beside_tower,
    east_of,
    end_owner,
    end_site,
    first_owner,
    first_site,
    place_of_province,
    place_of_site,
    province_of,
    region_of,
)
from pipeline.titles.contract import NONE
from pipeline.titles.state import Ints, Longs, random_below, rule


@rule
def weigh(state: State, board: Board, rng: Longs, greedy: bool, options: Ints) -> int:
    """Fill `options` with the best that the seat in `turn_seat` may do; how many there are."""
    seat = int(state.turn_seat)
    if state.phase == DECIDING:
        return weigh_decision(state, board, rng, greedy, options, seat)
    if state.phase == MAY_NEUTRAL:
        return weigh_neutral(state, board, rng, greedy, options, seat)
    if state.phase == EXTENDING:
        count = keep(options, 0, seat, BOARD, NONE, WEST, NONE, chance(rng))
        return keep(options, count, seat, BOARD, NONE, EAST, NONE, chance(rng))
    if state.phase == ORDERING:
        first = place_of_province(state, state.completing[0])
        count = keep(options, 0, seat, ORDER, NONE, first, NONE, chance(rng))
        other = place_of_province(state, state.completing[1])
        return keep(options, count, seat, ORDER, NONE, other, NONE, chance(rng))
    if state.phase == SECOND_HALF:
        return weigh_second(state, board, rng, greedy, options, seat)
    return weigh_first(state, board, rng, greedy, options, seat)


@rule
def item_of(state: State, owner: int) -> int:
    return FIRST_COLOUR + owner if state.teams else NONE


@rule
def target_of(state: State, owner: int) -> int:
    return FIRST_COLOUR_TARGET + owner if state.teams else NONE


@rule
def weigh_first(state: State, board: Board, rng: Longs, greedy: bool, options: Ints, seat: int) -> int:
    """All pieces that may begin the turn; a half weighs as much as it and the best second half."""
    whole = state.turn > 0 and whole_possible(state, board, seat)
    count = 0
    for owner in range(first_owner(state, seat), end_owner(state, seat)):
        best_wall, best_tile = 0, 0
        if greedy and whole:
            best_wall = best_wall_gain(state, board, seat, owner)
            best_tile = best_tile_gain(state, board, seat, owner)
        for province in range(AREAS):
            if state.province_empty[province] == 0:
                continue
            if state.walls[owner] > 0:
                count = weigh_walls(state, board, rng, greedy, options, count, seat, owner, province, whole, best_wall)
            tile = state.turn > 0 and state.hand[owner] > 0
            if tile and (not whole or half_can_follow_tile(state, board, owner, province)):
                more = max(best_tile, best_wall // 2)
                count = weigh_tiles(state, board, rng, greedy, options, count, seat, owner, province, more)
        if state.turn > 0:
            count = weigh_pieces(state, board, rng, greedy, options, count, seat, owner)
    if count == 0:
        return keep(options, 0, seat, PASS, NONE, NONE, NONE, 0)
    return count


@rule
def best_wall_gain(state: State, board: Board, seat: int, owner: int) -> int:
    best = 0
    if state.walls[owner] > 1:
        for site in range(SITES):
            if state.laid[site // SITES_A_BOARD] and may_build(state, owner, site):
                best = max(best, wall_gain(state, board, seat, owner, site))
    return best


@rule
def best_tile_gain(state: State, board: Board, seat: int, owner: int) -> int:
    best = 0
    if state.hand[owner] > 1:
        for province in range(AREAS):
            if state.province_empty[province] > 0:
                for rank in range(1, RANKS_END):
                    if not state.ranks_known[owner] >> rank & 1:
                        best = max(best, tile_gain(state, board, seat, owner, rank, province))
    return best


@rule
def weigh_walls(
    state: State, board: Board, rng: Longs, greedy: bool, options: Ints, count: int, seat: int,
    owner: int, province: int, whole: bool, more: int
) -> int:  # fmt: skip
    """Single walls in a province: at random each of them, by worth the best one."""
    best, best_weight = NONE, LOW
    for site in range(first_site(state, board, province), end_site(state, board, province)):
        if not may_build(state, owner, site):
            continue
        if whole and not wall_can_follow(state, board, owner, site):
            continue
        if not greedy:
            place = place_of_site(state, site)
            count = keep(options, count, seat, WALL, item_of(state, owner), place, NONE, chance(rng))
            continue
        weight = wall_gain(state, board, seat, owner, site) + random_below(rng, NOISE)
        if weight > best_weight:
            best, best_weight = site, weight
    if best < 0:
        return count
    place = place_of_site(state, best)
    return keep(options, count, seat, WALL, item_of(state, owner), place, NONE, best_weight + more)


@rule
def weigh_tiles(
    state: State, board: Board, rng: Longs, greedy: bool, options: Ints, count: int, seat: int,
    owner: int, province: int, more: int
) -> int:  # fmt: skip
    """Action tiles in a province: at random each of them, by worth the best one."""
    best, best_weight = NONE, LOW
    place, target = place_of_province(state, province), target_of(state, owner)
    for rank in range(1, RANKS_END):
        if state.ranks_known[owner] >> rank & 1:
            continue
        if not greedy:
            count = keep(options, count, seat, ACTION_TILE, rank, place, target, chance(rng))
            continue
        weight = tile_gain(state, board, seat, owner, rank, province) + random_below(rng, NOISE)
        if weight > best_weight:
            best, best_weight = rank, weight
    if best < 0:
        return count
    return keep(options, count, seat, ACTION_TILE, best, place, target, best_weight + more)


@rule
def weigh_pieces(
    state: State, board: Board, rng: Longs, greedy: bool, options: Ints, count: int, seat: int, owner: int
) -> int:
    """Double walls and towers: at random each of them, by worth the best one of each kind."""
    item = item_of(state, owner)
    double, double_weight, tower, tower_weight = NONE, LOW, NONE, LOW
    for site in range(SITES):
        if not state.laid[site // SITES_A_BOARD] or state.kind[site] != EMPTY:
            continue
        place = place_of_site(state, site)
        if state.doubles[owner] > 0 and may_double(state, owner, site):
            if greedy:
                weight = double_gain(state, board, seat, owner, site) + random_below(rng, NOISE)
                if weight > double_weight:
                    double, double_weight = site, weight
            else:
                east = place_of_site(state, east_of(state, site))
                count = keep(options, count, seat, DOUBLE, item, place, east, chance(rng))
        if state.towers[owner] > 0 and not beside_tower(state, site):
            if greedy:
                weight = tower_gain(state, board, seat, owner, site) + random_below(rng, NOISE)
                if weight > tower_weight:
                    tower, tower_weight = site, weight
            else:
                count = keep(options, count, seat, TOWER, item, place, NONE, chance(rng))
    if double >= 0:
        place, east = place_of_site(state, double), place_of_site(state, east_of(state, double))
        count = keep(options, count, seat, DOUBLE, item, place, east, double_weight)
    if tower >= 0:
        count = keep(options, count, seat, TOWER, item, place_of_site(state, tower), NONE, tower_weight)
    return count


@rule
def double_gain(state: State, board: Board, seat: int, owner: int, site: int) -> int:
    east = east_of(state, site)
    points = 2
    points += province_of(state, board, site) != province_of(state, board, east)
    points += region_of(state, board, site) != region_of(state, board, east)
    gain = wall_gain(state, board, seat, owner, site) + wall_gain(state, board, seat, owner, east)
    return gain + points * POINT


@rule
def weigh_second(state: State, board: Board, rng: Longs, greedy: bool, options: Ints, seat: int) -> int:
    """A second wall or tile elsewhere, or a wall beside the tile."""
    half, count = int(state.half), 0
    for owner in range(first_owner(state, seat), end_owner(state, seat)):
        if owner != state.half_owner:
            continue
        for province in range(AREAS):
            if state.province_empty[province] == 0:
                continue
            same = province == state.half_province
            if (half == WALL_HALF) != same and state.walls[owner] > 0:
                count = weigh_walls(state, board, rng, greedy, options, count, seat, owner, province, False, 0)
            if half == TILE_HALF and not same and state.hand[owner] > 0:
                count = weigh_tiles(state, board, rng, greedy, options, count, seat, owner, province, 0)
    return count


@rule
def weigh_neutral(state: State, board: Board, rng: Longs, greedy: bool, options: Ints, seat: int) -> int:
    """A neutral wall, or none: an event without action."""
    count = 0
    for site in range(SITES):
        if state.laid[site // SITES_A_BOARD] and may_neutral(state, board, site):
            weight = neutral_gain(state, board, seat, site) if greedy else chance(rng)
            place = place_of_site(state, site)
            count = keep(options, count, seat, NEUTRAL_WALL, NONE, place, NONE, weight)
    weight = 0 if greedy or random_below(rng, 2) == 0 else 1 << 30
    return keep(options, count, seat, NONE, NONE, NONE, NONE, weight)
