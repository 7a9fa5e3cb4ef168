"""Chang Cheng: the table, and the plain questions that one can ask of it.

An *owner* is who has pieces: a seat, in teams a colour (0, 1 of seat 0, then 2, 3 of seat 1), or NEUTRAL.
A *site* has its number on the side class in play, board by board; the boards' order on the table is
in `line` and in the boards' neighbours.
"""

from __future__ import annotations

from pipeline.titles.chang_cheng.codes import (
    AREAS,
    AREAS_A_BOARD,
    BOARDS,
    FIRST_PROVINCE,
    FIRST_REGION,
    SITES,
    SITES_A_BOARD,
)
from pipeline.titles.chang_cheng.options import Board
from pipeline.titles.contract import NONE
from pipeline.titles.state import Ints, Layout, ints, rule

OWNERS, NEUTRAL = 5, 4
RANKS_END = 7
EMPTY, SINGLE, DOUBLE_HALF, TOWER_PIECE, DESTROYED = range(5)  # what stands on a site
PLACED, SHOWN, REMOVED = 1, 2, 4  # bits of a threat token's fate
UNKNOWN = -1
NO_HALF, WALL_HALF, TILE_HALF = range(3)

(
    SET_UP_BOARDS,
    SET_UP_TOKENS,
    TURN,
    SECOND_HALF,
    MAY_NEUTRAL,
    SCOUTING,
    ORDERING,
    SHOWING,
    DECIDING,
    EXTENDING,
    EXTENSION_TOKENS,
    FINAL_REVEAL,
    OVER,
) = range(13)

BEGIN, JUDGE, SCORED, EXTENDED = range(4)  # how far the completion at hand has come


class State(Layout):
    """All that a table shows, and what is known of the hidden tokens and tiles."""

    score: Ints = ints(5)  # points, by seat
    epoch: int = ints()  # extensions made so far
    turn_seat: int = ints()  # who decides next
    players: int = ints()
    fault: Ints = ints(2)  # numbers of the fault
    phase: int = ints()
    turn: int = ints()  # from 0
    actor: int = ints()  # whose turn it is
    # How the game is played.
    side_class: int = ints()  # 0 A, 1 B
    teams: int = ints()
    neutral: int = ints()  # 1: with neutral walls
    chosen_order: int = ints()
    card: Ints = ints(4)
    owners: int = ints()  # owners but NEUTRAL
    side_score: Ints = ints(BOARDS)  # points, by owner
    # The boards.
    boards: int = ints()
    line: Ints = ints(BOARDS)  # west to east
    laid: Ints = ints(BOARDS)
    west: Ints = ints(BOARDS)  # the board beside, or -1
    east: Ints = ints(BOARDS)
    tokens_due: int = ints()
    emperor: int = ints()
    extensions: int = ints()  # still to come
    # Sites.
    kind: Ints = ints(SITES)
    owner: Ints = ints(SITES)
    tower_at: Ints = ints(BOARDS)  # by owner; -1 none
    reserving: Ints = ints(BOARDS)  # 1: that tower had an empty neighbour when it was placed
    empty: int = ints()  # sites
    clear: int = ints()  # empty sites not beside a tower
    incomplete: int = ints()  # provinces
    # Provinces and regions.
    province_empty: Ints = ints(AREAS)
    province_clear: Ints = ints(AREAS)
    province_walls: Ints = ints(AREAS, OWNERS)  # standing
    region_walls: Ints = ints(AREAS, OWNERS)
    fame: Ints = ints(AREAS)
    scored: Ints = ints(AREAS)
    tiles: Ints = ints(AREAS)  # action tiles that lie there
    tile_ranks: Ints = ints(AREAS, BOARDS)  # by owner, bit of each known rank
    tile_unknown: Ints = ints(AREAS, BOARDS)  # by owner, tiles of unknown rank
    threat: Ints = ints(AREAS)
    threat_fate: Ints = ints(AREAS)
    peeked: Ints = ints(AREAS)  # bit of each seat that placed a wall there and could look
    # Supplies.
    walls: Ints = ints(OWNERS)
    doubles: Ints = ints(BOARDS)
    towers: Ints = ints(BOARDS)
    hand: Ints = ints(BOARDS)  # action tiles
    ranks_known: Ints = ints(BOARDS)  # bits of the ranks known to be out of the hand
    ranks_gone: Ints = ints(BOARDS)  # bits of the ranks out of the game
    fame_left: Ints = ints(5)
    threat_left: Ints = ints(5)  # tokens not known to be out
    # The action.
    half: int = ints()  # what its first half was
    half_owner: int = ints()
    half_province: int = ints()
    second: int = ints()  # 1: a second half is to follow
    used: int = ints()  # bits of the provinces of its pieces
    elsewhere: int = ints()  # 1: a neutral wall must avoid them, 0: must be in one of them
    neutral_open: int = ints()  # 1: a neutral wall may follow
    declines: int = ints()  # 1: a bot leaves it (a record has no word for that)
    # What follows a piece.
    scouts: Ints = ints(2)  # regions to show, -1 none
    completing: Ints = ints(2)
    completing_count: int = ints()
    completing_at: int = ints()
    ordered: int = ints()
    stage: int = ints()
    to_show: int = ints()
    shown: Ints = ints(BOARDS)  # by owner, bits of the ranks shown at the completion at hand
    rank_at: int = ints()  # of the tile that acts
    active: Ints = ints(RANKS_END)  # by rank: owner of the tile that acts, or -1
    cancelled: Ints = ints(RANKS_END)  # by rank: equal tiles that cancelled themselves
    effect: Ints = ints(RANKS_END)  # by rank: what the tile added to the value
    gainer: Ints = ints(RANKS_END)  # by rank: who got walls by it, or -1
    gained: Ints = ints(RANKS_END)  # and how many
    loser: Ints = ints(RANKS_END)  # who lost one by it, or -1
    judged: int = ints()  # 1 + province that was scored with tiles at this event
    scored_now: int = ints()  # provinces scored at this event
    scored_for: int = ints()  # and how many of them for the player at turn
    spared: Ints = ints(4)  # points that towers saved, by seat


@rule
def seat_of(state: State, owner: int) -> int:
    return int(owner >> 1) if state.teams else int(owner)


@rule
def first_owner(state: State, seat: int) -> int:
    return 2 * seat if state.teams else seat


@rule
def end_owner(state: State, seat: int) -> int:
    """The owners of a seat are those from `first_owner` to before this one."""
    return 2 * seat + 2 if state.teams else seat + 1


@rule
def site_of(state: State, place: int) -> int:
    """The site that a place code names, or -1 when it is on no board in play."""
    site = place - state.side_class * SITES
    if site < 0 or site >= SITES or not state.laid[site // SITES_A_BOARD]:
        return NONE
    return int(site)


@rule
def area_of(state: State, place: int, first: int) -> int:
    """The province (or region) that a place code names, or -1 when it is on no board in play."""
    area = place - first - state.side_class * AREAS
    if area < 0 or area >= AREAS or not state.laid[area // AREAS_A_BOARD]:
        return NONE
    return int(area)


@rule
def place_of_site(state: State, site: int) -> int:
    return int(site + state.side_class * SITES)


@rule
def place_of_province(state: State, province: int) -> int:
    return int(FIRST_PROVINCE + province + state.side_class * AREAS)


@rule
def place_of_region(state: State, region: int) -> int:
    return int(FIRST_REGION + region + state.side_class * AREAS)


@rule
def province_of(state: State, board: Board, site: int) -> int:
    return int(site // SITES_A_BOARD * AREAS_A_BOARD + board.province[site + state.side_class * SITES])


@rule
def region_of(state: State, board: Board, site: int) -> int:
    return int(site // SITES_A_BOARD * AREAS_A_BOARD + board.region[site + state.side_class * SITES])


@rule
def first_site(state: State, board: Board, province: int) -> int:
    first = board.first[province + state.side_class * AREAS]
    return int(province // AREAS_A_BOARD * SITES_A_BOARD + first)


@rule
def end_site(state: State, board: Board, province: int) -> int:
    """The sites of a province are those from `first_site` to before this one."""
    return int(first_site(state, board, province) + board.width[province + state.side_class * AREAS])


@rule
def west_of(state: State, site: int) -> int:
    """The neighbour in the west, or -1 at the end of the wall."""
    if site % SITES_A_BOARD > 0:
        return site - 1
    beside = state.west[site // SITES_A_BOARD]
    return NONE if beside < 0 else int(beside * SITES_A_BOARD + SITES_A_BOARD - 1)


@rule
def east_of(state: State, site: int) -> int:
    """The neighbour in the east, or -1 at the end of the wall."""
    if site % SITES_A_BOARD < SITES_A_BOARD - 1:
        return site + 1
    beside = state.east[site // SITES_A_BOARD]
    return NONE if beside < 0 else int(beside * SITES_A_BOARD)


@rule
def is_empty(state: State, site: int) -> bool:
    """A missing neighbour does not count as empty."""
    return site >= 0 and state.kind[site] == EMPTY


@rule
def has_tower(state: State, site: int) -> bool:
    return site >= 0 and state.kind[site] == TOWER_PIECE


@rule
def beside_tower(state: State, site: int) -> bool:
    return has_tower(state, west_of(state, site)) or has_tower(state, east_of(state, site))


@rule
def shown_ranks(state: State, province: int, owner: int) -> int:
    """Bits of the owner's tiles that are shown in the province at hand."""
    if state.to_show == state.tiles[province]:
        return 0
    return int(state.shown[owner])


@rule
def next_hidden(state: State) -> int:
    """The first threat from the west that is not shown yet, or -1."""
    for slot in range(state.boards):
        first = state.line[slot] * AREAS_A_BOARD
        for region in range(first, first + AREAS_A_BOARD):
            if state.threat_fate[region] == PLACED:
                return int(region)
    return NONE
