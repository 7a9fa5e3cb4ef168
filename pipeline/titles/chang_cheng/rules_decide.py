"""Chang Cheng: what the owners of action tiles decide. Section numbers are those of the README."""

from __future__ import annotations

from pipeline.titles.chang_cheng.codes import (
    ARCHITECT,
    ARCHITECT_DECISION,
    DECISION_MISSING,
    DESTROY,
    FIRST_PROVINCE,
    FIRST_REGION,
    FLOOD,
    FLOOD_DECISION,
    NO_SINGLE_WALL,
    NOT_HERE,
    OFFICIAL,
    OFFICIAL_DECISION,
    PLUS,
    THREAT_GONE,
    TRAITOR,
    TRAITOR_DECISION,
    WARRIOR,
    WARRIOR_DECISION,
    WRONG_CHOICE,
    WRONG_OWNER,
)
from pipeline.titles.chang_cheng.options import Board
from pipeline.titles.chang_cheng.rules_state import (
    DESTROYED,
    REMOVED,
    SINGLE,
    State,
    area_of,
    end_site,
    first_site,
    place_of_province,
    place_of_site,
    province_of,
    region_of,
    seat_of,
    site_of,
)
from pipeline.titles.contract import NONE
from pipeline.titles.state import NO_FAULT, WRONG_PHASE, rule


@rule
def decision_rank(action: int) -> int:
    """The rank of the tile that an action belongs to, or 0."""
    if action == WARRIOR_DECISION:
        return WARRIOR
    if action == TRAITOR_DECISION:
        return TRAITOR
    if action == FLOOD_DECISION:
        return FLOOD
    if action == ARCHITECT_DECISION:
        return ARCHITECT
    return OFFICIAL if action == OFFICIAL_DECISION else 0


@rule
def make_decision(state: State, board: Board, seat: int, action: int, item: int, place: int, target: int) -> int:
    """Completion, 3: one decision, of the rank whose turn it is, by the tile's owner."""
    rank = decision_rank(action)
    if rank == 0:
        return WRONG_PHASE
    if rank != state.rank_at:
        state.fault[0] = state.rank_at
        return DECISION_MISSING
    if seat != state.turn_seat:
        state.fault[0] = state.turn_seat
        return WRONG_OWNER
    province = int(state.completing[state.completing_at])
    if rank == TRAITOR:
        fault = betray(state, board, province, item, place)
    elif rank == OFFICIAL:
        fault = swap(state, board, province, place, target)
    elif area_of(state, place, FIRST_PROVINCE) != province:
        state.fault[0] = place_of_province(state, province)
        fault = NOT_HERE
    elif rank == WARRIOR:
        fault = neutralise(state, item, target)
    else:
        change_value(state, rank, item)
        fault = NO_FAULT
    state.rank_at += 1
    return int(fault)


@rule
def neutralise(state: State, rank: int, target: int) -> int:
    """The warrior must silence one other tile that is not cancelled, his owner's included."""
    if rank == WARRIOR or state.active[rank] < 0:
        return WRONG_CHOICE
    owner = seat_of(state, state.active[rank])
    if target != owner:
        state.fault[0] = owner
        return WRONG_OWNER
    state.active[rank] = NONE
    return NO_FAULT


@rule
def betray(state: State, board: Board, province: int, item: int, place: int) -> int:
    """The traitor destroys a single wall of the province or removes an adjoining region's threat."""
    if item == DESTROY:
        site = site_of(state, place)
        if not is_single_in(state, board, site, province, True):
            state.fault[0] = place
            return NO_SINGLE_WALL
        owner = state.owner[site]
        state.kind[site] = DESTROYED
        state.province_walls[province, owner] -= 1
        state.region_walls[region_of(state, board, site), owner] -= 1
        state.effect[TRAITOR] = -1
        state.loser[TRAITOR] = owner
        return NO_FAULT
    region = area_of(state, place, FIRST_REGION)
    if region < 0 or state.threat_fate[region] >= REMOVED:
        return THREAT_GONE
    for site in range(first_site(state, board, province), end_site(state, board, province)):
        if region_of(state, board, site) == region:
            state.threat_fate[region] |= REMOVED
            return NO_FAULT
    return THREAT_GONE


@rule
def is_single_in(state: State, board: Board, site: int, province: int, inside: bool) -> bool:
    """A standing single wall in the province (or outside of it)."""
    if site < 0 or state.kind[site] != SINGLE:
        return False
    return (province_of(state, board, site) == province) == inside


@rule
def change_value(state: State, rank: int, item: int) -> None:
    """Flood and architect: the value, or a wall that only counts for the majority."""
    if rank == FLOOD:
        state.effect[FLOOD] = 2 if item == PLUS else -2
    elif item == PLUS:
        state.effect[ARCHITECT] = 2
    else:
        state.gainer[ARCHITECT] = state.active[ARCHITECT]
        state.gained[ARCHITECT] = 1


@rule
def swap(state: State, board: Board, province: int, place: int, target: int) -> int:
    """The official swaps a single wall here with one elsewhere; nothing is scored again. Or not."""
    if place == NONE and target == NONE:
        return NO_FAULT
    if place == NONE or target == NONE:
        return WRONG_CHOICE
    here, there = site_of(state, place), site_of(state, target)
    if not is_single_in(state, board, here, province, True):
        state.fault[0] = place
        return NO_SINGLE_WALL
    if not is_single_in(state, board, there, province, False):
        state.fault[0] = place_of_site(state, there) if there >= 0 else target
        return NO_SINGLE_WALL
    goes, comes = int(state.owner[here]), int(state.owner[there])
    move_wall(state, board, here, comes)
    move_wall(state, board, there, goes)
    state.loser[OFFICIAL] = goes
    state.gainer[OFFICIAL] = comes
    state.gained[OFFICIAL] = 1
    return NO_FAULT


@rule
def move_wall(state: State, board: Board, site: int, owner: int) -> None:
    """A single wall changes its colour."""
    province, region, old = province_of(state, board, site), region_of(state, board, site), state.owner[site]
    state.province_walls[province, old] -= 1
    state.region_walls[region, old] -= 1
    state.province_walls[province, owner] += 1
    state.region_walls[region, owner] += 1
    state.owner[site] = owner
