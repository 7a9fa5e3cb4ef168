"""Chang Cheng: what a simple player thinks a piece is worth, in 60ths of a point."""

from __future__ import annotations

from pipeline.titles.chang_cheng.codes import (
    ARCHITECT,
    AREAS,
    CHIEF_ARCHITECT,
    FLOOD,
    IMPERIAL_REWARD,
    OFFICIAL,
    TRAITOR,
)
from pipeline.titles.chang_cheng.options import Board
from pipeline.titles.chang_cheng.rules_complete import province_value
from pipeline.titles.chang_cheng.rules_state import (
    NEUTRAL,
    OWNERS,
    REMOVED,
    SHOWN,
    State,
    province_of,
    region_of,
    seat_of,
)
from pipeline.titles.state import rule

POINT = 60
MEAN_THREAT = 3


@rule
def hold(own: int, other: int, empty: int) -> int:
    """The chance, in 60ths, that the most walls are one's own with so many sites still empty."""
    lead = own - other
    if empty == 0:
        return POINT if lead >= 0 else 0
    return min(max(POINT // 2 + POINT // 2 * lead // (empty + 1), 3), POINT - 3)


@rule
def own_most(state: State, seat: int, province: int) -> int:
    most = 0
    for owner in range(state.owners):
        if seat_of(state, owner) == seat:
            most = max(most, int(state.province_walls[province, owner]))
    return most


@rule
def others_most(state: State, seat: int, province: int) -> int:
    most = int(state.province_walls[province, NEUTRAL])
    for owner in range(state.owners):
        if seat_of(state, owner) != seat:
            most = max(most, int(state.province_walls[province, owner]))
    return most


@rule
def expected_value(state: State, board: Board, province: int) -> int:
    """What a province will be worth when it is full."""
    return int(board.width[province + state.side_class * AREAS] + state.fame[province])


@rule
def gain_in_province(state: State, board: Board, seat: int, owner: int, site: int) -> int:
    """What a wall adds to one's hold on its province, less what filling a site gives the others."""
    province = province_of(state, board, site)
    empty = int(state.province_empty[province])
    own, other = own_most(state, seat, province), others_most(state, seat, province)
    new = max(own, int(state.province_walls[province, owner]) + 1)
    gain = hold(new, other, empty - 1) - hold(own, other, empty)
    if other > 0:
        gain -= (hold(other, new, empty - 1) - hold(other, own, empty)) // state.players
    return gain * expected_value(state, board, province)


@rule
def threat_seen(state: State, seat: int, region: int) -> int:
    """A threat as far as a seat knows it: from its own walls' look, or shown; else the mean."""
    if state.threat_fate[region] >= REMOVED:
        return 0
    if state.threat_fate[region] & SHOWN or state.peeked[region] >> seat & 1:
        return int(state.threat[region])
    return MEAN_THREAT


@rule
def region_hold(state: State, board: Board, owner: int, region: int, more: int) -> int:
    """The chance that an owner has most walls on a region at the end, with so many more now."""
    filled, other = 0, 0
    for each in range(OWNERS):
        walls = int(state.region_walls[region, each])
        filled += walls
        if each != owner:
            other = max(other, walls)
    empty = max(0, int(board.region_width[region + state.side_class * AREAS]) - filled - more)
    return hold(int(state.region_walls[region, owner]) + more, other, empty)


@rule
def loss_in_region(state: State, board: Board, seat: int, owner: int, site: int) -> int:
    """What a wall adds to the losses that the Mongols will bring, unless one's tower stands there."""
    region = region_of(state, board, site)
    tower = int(state.tower_at[owner])
    if tower >= 0 and region_of(state, board, tower) == region:
        return 0
    change = region_hold(state, board, owner, region, 1) - region_hold(state, board, owner, region, 0)
    return change * threat_seen(state, seat, region)


@rule
def wall_gain(state: State, board: Board, seat: int, owner: int, site: int) -> int:
    gain = gain_in_province(state, board, seat, owner, site)
    return gain - loss_in_region(state, board, seat, owner, site)


@rule
def tower_gain(state: State, board: Board, seat: int, owner: int, site: int) -> int:
    """A tower is a wall that does not attract losses but spares those that are to come."""
    region = region_of(state, board, site)
    spared = region_hold(state, board, owner, region, 1) * threat_seen(state, seat, region)
    return gain_in_province(state, board, seat, owner, site) + spared


@rule
def neutral_gain(state: State, board: Board, seat: int, site: int) -> int:
    """What a neutral wall does to one's hold on its province and region, against the other seat's."""
    province, region = province_of(state, board, site), region_of(state, board, site)
    empty = int(state.province_empty[province])
    neutral = int(state.province_walls[province, NEUTRAL]) + 1
    own, other = int(state.province_walls[province, seat]), int(state.province_walls[province, 1 - seat])
    old = hold(own, max(other, neutral - 1), empty) - hold(other, max(own, neutral - 1), empty)
    new = hold(own, max(other, neutral), empty - 1) - hold(other, max(own, neutral), empty - 1)
    gain = (new - old) * expected_value(state, board, province)
    for one in range(2):
        change = neutral_relief(state, board, one, region) * threat_seen(state, seat, region)
        gain += change if one == seat else -change
    return gain


@rule
def neutral_relief(state: State, board: Board, seat: int, region: int) -> int:
    """How much less likely a neutral wall makes a seat's most walls on a region."""
    before = region_hold(state, board, seat, region, 0)
    state.region_walls[region, NEUTRAL] += 1
    after = region_hold(state, board, seat, region, 0)
    state.region_walls[region, NEUTRAL] -= 1
    return before - after


@rule
def tile_gain(state: State, board: Board, seat: int, owner: int, rank: int, province: int) -> int:
    """What an action tile may do in a province; the more others lie there the less sure it is."""
    own, other = int(state.province_walls[province, owner]), others_most(state, seat, province)
    empty, value = int(state.province_empty[province]), expected_value(state, board, province)
    now = hold(own, other, empty)
    if rank == CHIEF_ARCHITECT:
        gain = (hold(own + 2, other, empty) - now) * value
    elif rank == ARCHITECT:
        gain = max((hold(own + 1, other, empty) - now) * value, 2 * now)
    elif rank == FLOOD:
        gain = 2 * max(now, POINT - now)
    elif rank == OFFICIAL:
        gain = (hold(own + 1, max(other - 1, 0), empty) - now) * value if other > 0 else POINT
    elif rank == TRAITOR:
        gain = max((hold(own, max(other - 1, 0), empty) - now) * value, 2 * POINT)
    else:
        gain = POINT * (others_tiles(state, seat, province) + 1)
    gain = gain * (8 - min(others_tiles(state, seat, province), 4)) // 10
    if state.card[IMPERIAL_REWARD]:
        gain -= 2 * POINT
    return gain


@rule
def others_tiles(state: State, seat: int, province: int) -> int:
    """Action tiles of others there; everybody sees whose they are, not their ranks."""
    count = int(state.tiles[province])
    for owner in range(state.owners):
        if seat_of(state, owner) == seat:
            for rank in range(1, 7):
                count -= int(state.tile_ranks[province, owner] >> rank & 1)
    return count


@rule
def outcome(state: State, province: int, seat: int, change: int, loser: int, gainer: int, more: int) -> int:
    """A seat's points of a full province less the others' mean, with the tiles that have acted, if the
    value changes, one owner loses a wall (-1 none), one gains some (-1 none)."""
    value = province_value(state, province) + int(state.effect[FLOOD] + state.effect[ARCHITECT]) + change
    most = 0
    for owner in range(OWNERS):
        most = max(most, counted(state, province, owner, loser, gainer, more))
    points = 0
    for owner in range(state.owners):
        if counted(state, province, owner, loser, gainer, more) == most:
            if seat_of(state, owner) == seat:
                points += value * POINT
            else:
                points -= value * POINT // (state.players - 1)
    return points


@rule
def counted(state: State, province: int, owner: int, loser: int, gainer: int, more: int) -> int:
    walls = int(state.province_walls[province, owner])
    if state.gainer[ARCHITECT] == owner:
        walls += 1
    if state.active[CHIEF_ARCHITECT] == owner:
        walls += 2
    if owner == loser:
        walls -= 1
    return walls + more if owner == gainer else walls
