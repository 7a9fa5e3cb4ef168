"""Chang Cheng: what is possible. Section numbers are those of the README beside this file."""

from __future__ import annotations

from pipeline.titles.chang_cheng.codes import AREAS, SITES, SITES_A_BOARD
from pipeline.titles.chang_cheng.options import Board
from pipeline.titles.chang_cheng.rules_state import (
    EMPTY,
    NEUTRAL,
    SINGLE,
    State,
    east_of,
    end_owner,
    end_site,
    first_owner,
    first_site,
    has_tower,
    is_empty,
    province_of,
    west_of,
)
from pipeline.titles.state import rule


@rule
def reserves(state: State, tower: int) -> bool:
    """Reservation: a tower that had an empty neighbour when placed keeps the last one for its owner,
    as long as he has a single wall; judged afresh each time, for an extension may add a neighbour."""
    owner = state.owner[tower]
    if not state.reserving[owner] or state.walls[owner] == 0:
        return False
    west, east = is_empty(state, west_of(state, tower)), is_empty(state, east_of(state, tower))
    return west != east


@rule
def may_build(state: State, owner: int, site: int) -> bool:
    """An empty site, not reserved for others; of two towers that reserve it, either owner may build."""
    if state.kind[site] != EMPTY:
        return False
    west, east = west_of(state, site), east_of(state, site)
    bound = False
    if has_tower(state, west) and reserves(state, west):
        if state.owner[west] == owner:
            return True
        bound = True
    if has_tower(state, east) and reserves(state, east):
        if state.owner[east] == owner:
            return True
        bound = True
    return not bound


@rule
def province_has_site(state: State, board: Board, owner: int, province: int) -> bool:
    """Whether the owner may put a wall somewhere in a province."""
    if state.province_clear[province] > 0:
        return True
    if state.province_empty[province] == 0:
        return False
    for site in range(first_site(state, board, province), end_site(state, board, province)):
        if may_build(state, owner, site):
            return True
    return False


@rule
def site_outside(state: State, board: Board, owner: int, provinces: int) -> bool:
    """Whether the owner may put a wall anywhere but in these provinces (bits)."""
    clear = state.clear
    for province in range(AREAS):
        if provinces >> province & 1:
            clear -= state.province_clear[province]
    if clear > 0:
        return True
    for province in range(AREAS):
        if not provinces >> province & 1 and province_has_site(state, board, owner, province):
            return True
    return False


@rule
def has_wall_site(state: State, board: Board, owner: int) -> bool:
    return state.walls[owner] > 0 and site_outside(state, board, owner, 0)


@rule
def brings_extension(state: State, board: Board, province: int) -> bool:
    """Extension: whether filling one more site there lays the third emperor tile."""
    last = state.province_empty[province] == 1
    return last and state.extensions > 0 and state.emperor == board.emperors - 1


@rule
def wall_can_follow(state: State, board: Board, owner: int, site: int) -> bool:
    """Actions, 1: whether after a first wall at a site a second one can go into another province.

    What the first wall brings counts: a board always has room, a reservation may take a site away.
    """
    if state.walls[owner] < 2:
        return False
    province = province_of(state, board, site)
    if state.clear > state.province_clear[province] or brings_extension(state, board, province):
        return True
    state.kind[site] = SINGLE
    state.walls[owner] -= 1
    found = site_outside(state, board, owner, 1 << province)
    state.walls[owner] += 1
    state.kind[site] = EMPTY
    return found


@rule
def half_can_follow_tile(state: State, board: Board, owner: int, province: int) -> bool:
    """Actions, 2 and 3: whether after a tile a second one or a wall beside it can follow."""
    if state.hand[owner] > 1 and state.incomplete > 1:
        return True
    return state.walls[owner] > 0 and province_has_site(state, board, owner, province)


@rule
def can_tower(state: State, owner: int) -> bool:
    """Actions, 5. A site beside no tower is never reserved."""
    return state.towers[owner] > 0 and state.clear > 0


@rule
def may_double(state: State, owner: int, site: int) -> bool:
    """Actions, 4: a double wall from this site eastward."""
    east = east_of(state, site)
    return east >= 0 and may_build(state, owner, site) and may_build(state, owner, east)


@rule
def can_double(state: State, owner: int) -> bool:
    if state.doubles[owner] == 0:
        return False
    for site in range(SITES):
        if state.laid[site // SITES_A_BOARD] and may_double(state, owner, site):
            return True
    return False


@rule
def can_two_walls(state: State, board: Board, owner: int) -> bool:
    if state.walls[owner] < 2:
        return False
    for province in range(AREAS):
        if state.province_empty[province] == 0:
            continue
        for site in range(first_site(state, board, province), end_site(state, board, province)):
            if may_build(state, owner, site) and wall_can_follow(state, board, owner, site):
                return True
    return False


@rule
def can_whole_with_tile(state: State, board: Board, owner: int) -> bool:
    if state.hand[owner] == 0:
        return False
    return (state.hand[owner] > 1 and state.incomplete > 1) or has_wall_site(state, board, owner)


@rule
def can_whole_without_tile(state: State, board: Board, owner: int) -> bool:
    return (
        can_tower(state, owner)
        or can_two_walls(state, board, owner)
        or can_double(state, owner)
    )  # fmt: skip


@rule
def whole_possible(state: State, board: Board, seat: int) -> bool:
    """Actions: a whole action must be done if any is possible, in teams with either colour."""
    for owner in range(first_owner(state, seat), end_owner(state, seat)):
        if can_whole_with_tile(state, board, owner) or can_whole_without_tile(state, board, owner):
            return True
    return False


@rule
def can_part(state: State, board: Board, owner: int) -> bool:
    """One wall or one action tile."""
    if state.hand[owner] > 0 and state.incomplete > 0:
        return True
    return has_wall_site(state, board, owner)


@rule
def can_place(state: State, board: Board, seat: int) -> bool:
    """Whether a seat can place anything at all."""
    for owner in range(first_owner(state, seat), end_owner(state, seat)):
        if can_part(state, board, owner) or can_tower(state, owner) or can_double(state, owner):
            return True
    return False


@rule
def is_stalemate(state: State, board: Board) -> bool:
    """End: nobody can place anything. The next seat is asked first: it mostly can."""
    for i in range(1, state.players + 1):
        seat = state.actor + i
        if seat >= state.players:
            seat -= state.players
        if can_place(state, board, seat):
            return False
    return True


@rule
def may_neutral(state: State, board: Board, site: int) -> bool:
    """Two players: where a neutral wall may follow the action; reservations bind its player."""
    inside = state.used >> province_of(state, board, site) & 1
    return inside != state.elsewhere and may_build(state, first_owner(state, state.actor), site)


@rule
def can_neutral(state: State, board: Board) -> bool:
    """Two players: whether a neutral wall may follow."""
    if state.walls[NEUTRAL] == 0:
        return False
    owner = first_owner(state, state.actor)
    if state.elsewhere:
        return site_outside(state, board, owner, int(state.used))
    for province in range(AREAS):
        if state.used >> province & 1 and province_has_site(state, board, owner, province):
            return True
    return False
