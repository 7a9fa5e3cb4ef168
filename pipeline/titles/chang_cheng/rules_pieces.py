"""Chang Cheng: walls, towers and action tiles are placed. Sections as in the README."""

from __future__ import annotations

from pipeline.titles.chang_cheng.codes import (
    BESIDE_TOWER,
    COLOUR_WRONG,
    DOUBLE_WALL,
    FIRST_COLOUR,
    FIRST_PROVINCE,
    NEUTRAL_PROVINCE,
    NO_PIECE,
    NOT_NEIGHBOURS,
    NOT_ON_TABLE,
    OTHER_HALF,
    OTHER_PROVINCE,
    PART_ACTION,
    PROVINCE_COMPLETE,
    RESERVED,
    SAME_PROVINCE,
    SCORE_SITE,
    SCOUTS,
    SITE_TAKEN,
    TILE_USED,
)
from pipeline.titles.chang_cheng.options import Board
from pipeline.titles.chang_cheng.rules_end import earn
from pipeline.titles.chang_cheng.rules_legal import (
    half_can_follow_tile,
    may_build,
    may_neutral,
    wall_can_follow,
    whole_possible,
)
from pipeline.titles.chang_cheng.rules_state import (
    DOUBLE_HALF,
    EMPTY,
    NEUTRAL,
    PLACED,
    SECOND_HALF,
    SINGLE,
    TILE_HALF,
    TOWER_PIECE,
    WALL_HALF,
    State,
    area_of,
    beside_tower,
    east_of,
    is_empty,
    place_of_site,
    province_of,
    region_of,
    seat_of,
    site_of,
    west_of,
)
from pipeline.titles.contract import NONE
from pipeline.titles.state import NO_FAULT, WRONG_SEAT, Sink, rule


@rule
def wrong_seat(state: State, seat: int) -> int:
    state.fault[0] = seat
    return WRONG_SEAT


@rule
def piece_owner(state: State, seat: int, item: int) -> int:
    """Whose piece it is: in teams the item's colour, which must be of the seat; or -1."""
    if not state.teams:
        return seat if item == NONE else NONE
    owner = item - FIRST_COLOUR
    return owner if owner >= 0 and owner >> 1 == seat else NONE


@rule
def check_site(state: State, owner: int, site: int) -> int:
    if may_build(state, owner, site):
        return NO_FAULT
    state.fault[0] = place_of_site(state, site)
    return SITE_TAKEN if state.kind[site] != EMPTY else RESERVED


@rule
def open_half(state: State, board: Board, half: int, owner: int, province: int, follows: bool) -> int:
    """Actions: the first half of an action, or a part of one if no whole one is possible."""
    if not follows and whole_possible(state, board, seat_of(state, owner)):
        return PART_ACTION
    state.half = half
    state.half_owner = owner
    state.half_province = province
    state.second = follows
    return NO_FAULT


@rule
def close_half(state: State, half: int, owner: int, province: int) -> int:
    """Actions, 1-3: what the second half may be, after the first."""
    if owner != state.half_owner:
        return COLOUR_WRONG
    same = province == state.half_province
    if half == TILE_HALF and state.half == WALL_HALF:
        return OTHER_HALF
    if half == state.half and same:
        return SAME_PROVINCE
    if half != state.half and not same:
        return OTHER_PROVINCE
    state.second = 0
    return NO_FAULT


@rule
def place_wall(state: State, board: Board, owner: int, site: int) -> int:
    """Actions, 1 and 3: a single wall. The very first one of the game stands alone."""
    fault = check_site(state, owner, site)
    if fault != NO_FAULT:
        return fault
    if state.walls[owner] == 0:
        return NO_PIECE
    province = province_of(state, board, site)
    if state.phase == SECOND_HALF:
        fault = close_half(state, WALL_HALF, owner, province)
    elif state.turn > 0:
        follows = wall_can_follow(state, board, owner, site)
        fault = open_half(state, board, WALL_HALF, owner, province, follows)
    if fault != NO_FAULT:
        return fault
    state.walls[owner] -= 1
    open_neutral(state)
    fill(state, board, owner, SINGLE, site)
    return NO_FAULT


@rule
def place_tile(state: State, board: Board, owner: int, rank: int, place: int) -> int:
    """Actions, 2 and 3: an action tile, face down; its rank may be unknown to the source.

    An owner's ranks differ and he has six tiles: so any unknown ones can have ranks that are left.
    """
    if owner < 0:
        return COLOUR_WRONG
    province = area_of(state, place, FIRST_PROVINCE)
    if province < 0:
        return NOT_ON_TABLE
    if state.province_empty[province] == 0:
        return PROVINCE_COMPLETE
    if state.hand[owner] == 0:
        return NO_PIECE
    if rank != NONE and state.ranks_known[owner] >> rank & 1:
        return TILE_USED
    if state.phase == SECOND_HALF:
        fault = close_half(state, TILE_HALF, owner, province)
    else:
        follows = half_can_follow_tile(state, board, owner, province)
        fault = open_half(state, board, TILE_HALF, owner, province, follows)
    if fault != NO_FAULT:
        return fault
    state.hand[owner] -= 1
    state.tiles[province] += 1
    if rank == NONE:
        state.tile_unknown[province, owner] += 1
    else:
        state.tile_ranks[province, owner] |= 1 << rank
        state.ranks_known[owner] |= 1 << rank
    state.used |= 1 << province
    open_neutral(state)
    return NO_FAULT


@rule
def place_double(state: State, board: Board, sink: Sink, owner: int, site: int, other: int) -> int:
    """Actions, 4: the double wall, and at once a point for each province and region it touches."""
    if other < 0 or (east_of(state, site) != other and west_of(state, site) != other):
        return NOT_NEIGHBOURS
    if state.doubles[owner] == 0:
        return NO_PIECE
    west = site if east_of(state, site) == other else other
    east = other if west == site else site
    fault = check_site(state, owner, west)
    if fault == NO_FAULT:
        fault = check_site(state, owner, east)
    if fault != NO_FAULT:
        return fault
    state.doubles[owner] -= 1
    state.elsewhere = 1
    open_neutral(state)
    fill(state, board, owner, DOUBLE_HALF, west)
    fill(state, board, owner, DOUBLE_HALF, east)
    points = 2
    points += province_of(state, board, west) != province_of(state, board, east)
    points += region_of(state, board, west) != region_of(state, board, east)
    earn(state, sink, owner, DOUBLE_WALL, SCORE_SITE + place_of_site(state, west), points)
    return NO_FAULT


@rule
def place_tower(state: State, board: Board, owner: int, site: int) -> int:
    """Actions, 5: the tower, not beside another one."""
    fault = check_site(state, owner, site)
    if fault != NO_FAULT:
        return fault
    if beside_tower(state, site):
        return BESIDE_TOWER
    if state.towers[owner] == 0:
        return NO_PIECE
    state.towers[owner] -= 1
    state.tower_at[owner] = site
    west, east = west_of(state, site), east_of(state, site)
    state.reserving[owner] = is_empty(state, west) or is_empty(state, east)
    stand_beside(state, board, west)
    stand_beside(state, board, east)
    state.elsewhere = 1
    open_neutral(state)
    fill(state, board, owner, TOWER_PIECE, site)
    return NO_FAULT


@rule
def stand_beside(state: State, board: Board, site: int) -> None:
    """A site gets a tower beside it."""
    if is_empty(state, site) and not beside_tower(state, site):
        state.clear -= 1
        state.province_clear[province_of(state, board, site)] -= 1


@rule
def open_neutral(state: State) -> None:
    """Two players: a neutral wall may follow, but not after the first wall of the game."""
    state.neutral_open = state.walls[NEUTRAL] > 0 and state.turn > 0


@rule
def place_neutral(state: State, board: Board, seat: int, place: int) -> int:
    """Two players: the neutral wall that may follow an action."""
    if seat != state.actor:
        return wrong_seat(state, state.actor)
    site = site_of(state, place)
    if site < 0:
        return NOT_ON_TABLE
    fault = check_site(state, seat, site)
    if fault != NO_FAULT:
        return fault
    if not may_neutral(state, board, site):
        return NEUTRAL_PROVINCE
    state.walls[NEUTRAL] -= 1
    state.neutral_open = 0
    fill(state, board, NEUTRAL, SINGLE, site)
    return NO_FAULT


@rule
def fill(state: State, board: Board, owner: int, kind: int, site: int) -> None:
    """Put a piece on a site; note what it completes and what scouts will show."""
    province, region = province_of(state, board, site), region_of(state, board, site)
    if not beside_tower(state, site):
        state.clear -= 1
        state.province_clear[province] -= 1
    state.kind[site] = kind
    state.owner[site] = owner
    state.empty -= 1
    state.province_empty[province] -= 1
    state.province_walls[province, owner] += 1
    state.region_walls[region, owner] += 1
    state.used |= 1 << province
    state.peeked[region] |= 1 << state.actor
    if state.province_empty[province] == 0:
        state.incomplete -= 1
        state.completing[state.completing_count] = province
        state.completing_count += 1
        state.ordered = 0
    if state.card[SCOUTS] and state.threat_fate[region] == PLACED:
        if state.scouts[0] < 0:
            state.scouts[0] = region
        elif state.scouts[0] != region:
            state.scouts[1] = region
