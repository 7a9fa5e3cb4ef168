"""Chang Cheng: the decisions of action tiles' owners, weighed at random or by worth."""

from __future__ import annotations

from pipeline.titles.chang_cheng.bots_keep import NOISE, chance, keep
from pipeline.titles.chang_cheng.bots_value import outcome, region_hold, threat_seen
from pipeline.titles.chang_cheng.codes import (
    ARCHITECT,
    ARCHITECT_DECISION,
    DESTROY,
    FLOOD,
    FLOOD_DECISION,
    MINUS,
    OFFICIAL_DECISION,
    PLUS,
    REMOVE,
    SITES,
    SITES_A_BOARD,
    TRAITOR,
    TRAITOR_DECISION,
    VIRTUAL,
    WARRIOR,
    WARRIOR_DECISION,
)
from pipeline.titles.chang_cheng.options import Board
from pipeline.titles.chang_cheng.rules_state import (
    NEUTRAL,
    RANKS_END,
    REMOVED,
    SINGLE,
    State,
    end_site,
    first_site,
    place_of_province,
    place_of_region,
    place_of_site,
    province_of,
    region_of,
    seat_of,
)
from pipeline.titles.contract import NONE
from pipeline.titles.state import Ints, Longs, random_below, rule


@rule
def weigh_decision(state: State, board: Board, rng: Longs, greedy: bool, options: Ints, seat: int) -> int:
    """What the owner of an action tile may choose."""
    rank, province = int(state.rank_at), int(state.completing[state.completing_at])
    if rank == WARRIOR:
        return weigh_warrior(state, rng, greedy, options, seat, province)
    if rank == TRAITOR:
        return weigh_traitor(state, board, rng, greedy, options, seat, province)
    if rank in (FLOOD, ARCHITECT):
        place = place_of_province(state, province)
        action = FLOOD_DECISION if rank == FLOOD else ARCHITECT_DECISION
        weight = outcome(state, province, seat, 2, NONE, NONE, 0) if greedy else chance(rng)
        count = keep(options, 0, seat, action, PLUS, place, NONE, weight)
        if rank == FLOOD:
            weight = outcome(state, province, seat, -2, NONE, NONE, 0) if greedy else chance(rng)
            return keep(options, count, seat, action, MINUS, place, NONE, weight)
        owner = int(state.active[ARCHITECT])
        weight = outcome(state, province, seat, 0, NONE, owner, 1) if greedy else chance(rng)
        return keep(options, count, seat, action, VIRTUAL, place, NONE, weight)
    if greedy:
        return weigh_swaps(state, board, rng, options, seat, province)
    return draw_swaps(state, board, rng, options, seat, province)


@rule
def weigh_warrior(state: State, rng: Longs, greedy: bool, options: Ints, seat: int, province: int) -> int:
    count = 0
    for rank in range(TRAITOR, RANKS_END):
        owner = int(state.active[rank])
        if owner >= 0:
            weight = chance(rng)
            if greedy:
                mine = seat_of(state, owner) == seat
                weight = random_below(rng, NOISE) + (0 if mine else rank * NOISE)
            place = place_of_province(state, province)
            target = seat_of(state, owner)
            count = keep(options, count, seat, WARRIOR_DECISION, rank, place, target, weight)
    return count


@rule
def weigh_traitor(state: State, board: Board, rng: Longs, greedy: bool, options: Ints, seat: int, province: int) -> int:
    """A wall of the province, or an adjoining region's threat."""
    owner, count, last = int(state.active[TRAITOR]), 0, NONE
    now = outcome(state, province, seat, 0, NONE, NONE, 0)
    for site in range(first_site(state, board, province), end_site(state, board, province)):
        if state.kind[site] == SINGLE:
            weight = chance(rng)
            if greedy:
                weight = outcome(state, province, seat, -1, int(state.owner[site]), NONE, 0) - now
            place = place_of_site(state, site)
            count = keep(options, count, seat, TRAITOR_DECISION, DESTROY, place, NONE, weight)
        region = region_of(state, board, site)
        if region != last and state.threat_fate[region] < REMOVED:
            weight = chance(rng)
            if greedy:
                weight = region_hold(state, board, owner, region, 0) * threat_seen(state, seat, region)
            place = place_of_region(state, region)
            count = keep(options, count, seat, TRAITOR_DECISION, REMOVE, place, NONE, weight)
        last = region
    return count


@rule
def weigh_swaps(state: State, board: Board, rng: Longs, options: Ints, seat: int, province: int) -> int:
    """The official: for each two colours one swap, from a place elsewhere taken at random; or none."""
    now = outcome(state, province, seat, 0, NONE, NONE, 0)
    count = keep(options, 0, seat, OFFICIAL_DECISION, NONE, NONE, NONE, 0)
    done = 0
    for here in range(first_site(state, board, province), end_site(state, board, province)):
        goes = int(state.owner[here])
        if state.kind[here] != SINGLE or done >> goes & 1:
            continue
        done |= 1 << goes
        for comes in range(NEUTRAL + 1):
            there = wall_elsewhere(state, board, rng, province, comes) if comes != goes else NONE
            if there >= 0:
                weight = outcome(state, province, seat, 0, goes, comes, 1) - now
                place, target = place_of_site(state, here), place_of_site(state, there)
                count = keep(options, count, seat, OFFICIAL_DECISION, NONE, place, target, weight)
    return count


@rule
def wall_elsewhere(state: State, board: Board, rng: Longs, province: int, owner: int) -> int:
    """A standing single wall of an owner in another province, taken at random; or -1."""
    found, seen = NONE, 0
    for site in range(SITES):
        single = state.laid[site // SITES_A_BOARD] and state.kind[site] == SINGLE
        if single and state.owner[site] == owner and province_of(state, board, site) != province:
            seen += 1
            if random_below(rng, seen) == 0:
                found = site
    return found


@rule
def draw_swaps(state: State, board: Board, rng: Longs, options: Ints, seat: int, province: int) -> int:
    """The official: every swap, weighed at random; or none."""
    count = 0
    for here in range(first_site(state, board, province), end_site(state, board, province)):
        if state.kind[here] != SINGLE:
            continue
        for there in range(SITES):
            if not state.laid[there // SITES_A_BOARD] or state.kind[there] != SINGLE:
                continue
            if province_of(state, board, there) != province:
                place, target = place_of_site(state, here), place_of_site(state, there)
                count = keep(options, count, seat, OFFICIAL_DECISION, NONE, place, target, chance(rng))
    weight = 1 << 30 if random_below(rng, 4) == 0 else 0
    return keep(options, count, seat, OFFICIAL_DECISION, NONE, NONE, NONE, weight)
