"""Chang Cheng: what is measured of each turn, in the order of FACTS in `__init__`."""

from __future__ import annotations

from pipeline.titles.chang_cheng.codes import (
    ACTION_TILE,
    ARCHITECT,
    AREAS,
    BOARD,
    DOUBLE,
    FLOOD,
    NEUTRAL_WALL,
    OFFICIAL,
    PASS,
    SITES,
    SITES_A_BOARD,
    TOWER,
    TRAITOR,
    WALL,
)
from pipeline.titles.chang_cheng.options import Board
from pipeline.titles.chang_cheng.rules_complete import province_value
from pipeline.titles.chang_cheng.rules_legal import (
    can_whole_with_tile,
    can_whole_without_tile,
    half_can_follow_tile,
    has_wall_site,
    may_build,
    may_double,
    wall_can_follow,
    whole_possible,
)
from pipeline.titles.chang_cheng.rules_state import (
    EMPTY,
    MAY_NEUTRAL,
    OVER,
    OWNERS,
    RANKS_END,
    State,
    beside_tower,
    end_owner,
    first_owner,
)
from pipeline.titles.contract import NONE
from pipeline.titles.state import Ints, rule

(
    EMPTY_SITES,
    WALLS_LEFT,
    TILES_LEFT,
    DOUBLES_LEFT,
    TOWERS_LEFT,
    CAN_TILE,
    CAN_BUILD,
    CHOICES,
    ACT,
    USED_TILE,
    CAN_NEUTRAL,
    USED_NEUTRAL,
    COMPLETED,
    COMPLETED_WON,
    EXTENDED,
) = range(15)
SHOWN_TILES, CANCELLED_TILES, ACTED_TILES, WON_TILES, WORTH = range(14, 14 + 5 * 6, 6)  # + rank
SPARED = 45

# What the turn's action was.
FIRST_WALL, TWO_WALLS, TWO_TILES, TILE_AND_WALL = range(4)
DOUBLE_ACT, TOWER_ACT, PART_WALL, PART_TILE, PASSED = range(4, 9)


@rule
def observe_turn(state: State, board: Board, seat: int, row: Ints) -> None:
    """What was possible before the turn."""
    row[EMPTY_SITES] = state.empty
    row[ACT] = FIRST_WALL if state.turn == 0 else NONE
    for i in range(4):
        row[SPARED + i] = NONE
    whole = whole_possible(state, board, seat)
    for owner in range(first_owner(state, seat), end_owner(state, seat)):
        row[WALLS_LEFT] += state.walls[owner]
        row[TILES_LEFT] += state.hand[owner]
        row[DOUBLES_LEFT] += state.doubles[owner]
        row[TOWERS_LEFT] += state.towers[owner]
        row[CHOICES] += first_pieces(state, board, owner, whole)
        if state.turn == 0:
            row[CAN_BUILD] = 1
        elif whole:
            row[CAN_TILE] |= can_whole_with_tile(state, board, owner)
            row[CAN_BUILD] |= can_whole_without_tile(state, board, owner)
        else:
            row[CAN_TILE] |= state.hand[owner] > 0 and state.incomplete > 0
            row[CAN_BUILD] |= has_wall_site(state, board, owner)


@rule
def first_pieces(state: State, board: Board, owner: int, whole: bool) -> int:
    """Legal ways to begin the turn: wall sites, tiles x provinces, double walls, tower sites."""
    count = 0
    for site in range(SITES):
        if not state.laid[site // SITES_A_BOARD] or state.kind[site] != EMPTY:
            continue
        if state.walls[owner] > 0 and may_build(state, owner, site):
            single = state.turn == 0 or not whole
            count += single or wall_can_follow(state, board, owner, site)
        if state.turn > 0:
            count += state.doubles[owner] > 0 and may_double(state, owner, site)
            count += state.towers[owner] > 0 and not beside_tower(state, site)
    if state.turn > 0 and state.hand[owner] > 0:
        for province in range(AREAS):
            open_there = state.province_empty[province] > 0
            if open_there and (not whole or half_can_follow_tile(state, board, owner, province)):
                count += state.hand[owner]
    return int(count)


@rule
def observe_event(
    state: State,
    board: Board,
    row: Ints,
    seat: int,
    action: int,
    item: int,
    place: int,
    target: int,
    amount: int,
) -> None:
    """What was done in the turn; called after each of its events."""
    observe_action(state, row, action)
    row[COMPLETED] += state.scored_now
    row[COMPLETED_WON] += state.scored_for
    if state.judged > 0:
        observe_tiles(state, row, state.judged - 1)
    if state.phase == MAY_NEUTRAL:
        row[CAN_NEUTRAL] = 1
    elif state.phase == OVER:
        for i in range(state.players):
            row[SPARED + i] = state.spared[i]


@rule
def observe_action(state: State, row: Ints, action: int) -> None:
    if action == WALL:
        if row[ACT] == NONE:
            row[ACT] = PART_WALL
        elif row[ACT] != FIRST_WALL:
            row[ACT] = TWO_WALLS if row[ACT] == PART_WALL else TILE_AND_WALL
    elif action == ACTION_TILE:
        row[ACT] = PART_TILE if row[ACT] == NONE else TWO_TILES
        row[USED_TILE] = 1
    elif action == DOUBLE:
        row[ACT] = DOUBLE_ACT
    elif action == TOWER:
        row[ACT] = TOWER_ACT
    elif action == PASS:
        row[ACT] = PASSED
    elif action == NEUTRAL_WALL:
        row[USED_NEUTRAL] = 1
    elif action == BOARD:
        row[EXTENDED] = 1


@rule
def observe_tiles(state: State, row: Ints, province: int) -> None:
    """The action tiles of a province that was scored: by rank, what became of them."""
    for rank in range(1, RANKS_END):
        for owner in range(state.owners):
            row[SHOWN_TILES + rank] += state.shown[owner] >> rank & 1
        row[CANCELLED_TILES + rank] += state.cancelled[rank]
        owner = state.active[rank]
        if owner >= 0:
            row[ACTED_TILES + rank] += 1
            points = earned(state, province, owner, 0)
            row[WON_TILES + rank] += points != 0
            row[WORTH + rank] += points - earned(state, province, owner, rank)


@rule
def earned(state: State, province: int, owner: int, without: int) -> int:
    """What the owner earned in a province, or would have, had the tile of one rank not acted."""
    value = province_value(state, province) + state.effect[FLOOD] + state.effect[ARCHITECT]
    value -= state.effect[without] if without > 0 else 0
    most, own = 0, 0
    for other in range(OWNERS):
        walls = int(state.province_walls[province, other])
        for rank in range(ARCHITECT, OFFICIAL):
            if rank != without and state.gainer[rank] == other:
                walls += state.gained[rank]
        if without in (TRAITOR, OFFICIAL):
            walls += state.loser[without] == other
            walls -= state.gainer[without] == other
        most = max(most, walls)
        if other == owner:
            own = walls
    return value if own == most else 0
