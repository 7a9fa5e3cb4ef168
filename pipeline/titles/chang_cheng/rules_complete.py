"""Chang Cheng: what follows a piece: scouts, completion, tiles, points, extension. Sections as in
the README."""

from __future__ import annotations

from pipeline.titles.chang_cheng.codes import (
    ARCHITECT,
    AREAS,
    CHIEF_ARCHITECT,
    FIRST_COLOUR_TARGET,
    FIRST_PROVINCE,
    FLOOD,
    NO_SUCH_TILE,
    NOT_HERE,
    OFFICIAL,
    OTHER_ORDER,
    PROVINCE,
    SCORE_PROVINCE,
    SITES,
    SITES_A_BOARD,
    TRAITOR,
    WARRIOR,
)
from pipeline.titles.chang_cheng.options import Board
from pipeline.titles.chang_cheng.rules_end import begin_end, earn, finish_game
from pipeline.titles.chang_cheng.rules_legal import can_neutral, is_stalemate
from pipeline.titles.chang_cheng.rules_state import (
    BEGIN,
    DECIDING,
    EXTENDED,
    EXTENDING,
    EXTENSION_TOKENS,
    FINAL_REVEAL,
    JUDGE,
    MAY_NEUTRAL,
    NEUTRAL,
    NO_HALF,
    ORDERING,
    OWNERS,
    RANKS_END,
    REMOVED,
    SCORED,
    SCOUTING,
    SECOND_HALF,
    SET_UP_TOKENS,
    SHOWING,
    SINGLE,
    TURN,
    State,
    area_of,
    end_site,
    first_site,
    next_hidden,
    place_of_province,
    region_of,
    seat_of,
)
from pipeline.titles.contract import NONE
from pipeline.titles.state import NO_FAULT, Sink, rule

START_BOARDS = 2


@rule
def go_on(state: State, board: Board, sink: Sink) -> None:
    """Do all that needs no event, up to the next one that must come: its phase is set then."""
    if state.phase < TURN:
        set_up(state)
    elif state.phase == FINAL_REVEAL:
        if next_hidden(state) < 0:
            finish_game(state, board, sink)
    elif state.scouts[0] >= 0:
        state.phase = SCOUTING
    elif completes_all(state, board, sink):
        go_on_acting(state, board, sink)


@rule
def set_up(state: State) -> None:
    """Set-up: two boards, then their tokens, then the first turn."""
    if state.boards == START_BOARDS:
        state.phase = TURN if state.tokens_due == 0 else SET_UP_TOKENS


@rule
def completes_all(state: State, board: Board, sink: Sink) -> bool:
    """Go through the provinces that the piece completed; False where an event must come."""
    while state.completing_at < state.completing_count:
        if not complete_province(state, board, sink):
            return False
        state.completing_at += 1
        state.stage = BEGIN
    state.completing_count = 0
    state.completing_at = 0
    return True


@rule
def go_on_acting(state: State, board: Board, sink: Sink) -> None:
    """The piece is done with: the end, the second half, a neutral wall, or the next turn."""
    if state.empty == 0:
        begin_end(state, board, sink)
    elif state.second:
        state.phase = SECOND_HALF
        state.turn_seat = state.actor
    elif state.neutral_open and can_neutral(state, board):
        state.phase = MAY_NEUTRAL
        state.turn_seat = state.actor
    else:
        end_turn(state, board, sink)


@rule
def end_turn(state: State, board: Board, sink: Sink) -> None:
    """The next seat is at turn, unless nobody can place anything any more (End)."""
    if is_stalemate(state, board):
        begin_end(state, board, sink)
        return
    seat = state.actor + 1
    state.actor = 0 if seat == state.players else seat
    state.turn += 1
    begin_turn(state)


@rule
def begin_turn(state: State) -> None:
    state.phase = TURN
    state.turn_seat = state.actor
    state.half = NO_HALF
    state.second = 0
    state.used = 0
    state.elsewhere = 0
    state.neutral_open = 0
    state.declines = 0


@rule
def complete_province(state: State, board: Board, sink: Sink) -> bool:
    """Completion: as far as it goes without an event; True when it is done, extension and all."""
    if state.stage == BEGIN:
        if state.completing_count == 2 and state.chosen_order and not state.ordered:
            state.phase = ORDERING
            state.turn_seat = state.actor
            return False
        begin_completion(state)
    province = int(state.completing[state.completing_at])
    if state.to_show > 0:
        state.phase = SHOWING
        return False
    if state.stage == JUDGE:
        if state.rank_at == 0:
            cancel_tiles(state, province)
        if next_decision(state, board, province):
            state.phase = DECIDING
            return False
        score_province(state, board, sink, province)
        state.stage = SCORED
        if state.extensions > 0 and state.emperor == board.emperors:
            state.phase = EXTENDING
            state.turn_seat = state.actor
            return False
    return extended(state)


@rule
def extended(state: State) -> bool:
    """Extension: when the new board has its tokens, the emperor tiles come off."""
    if state.tokens_due > 0:
        state.phase = EXTENSION_TOKENS
        return False
    if state.stage == EXTENDED:
        state.extensions -= 1
        state.emperor = 0
        state.epoch += 1
    return True


@rule
def begin_completion(state: State) -> None:
    province = state.completing[state.completing_at]
    state.to_show = state.tiles[province]
    state.stage = JUDGE
    state.rank_at = 0


@rule
def forget_tiles(state: State) -> None:
    """Before a province's first tile is shown, what the tiles of the one before did is forgotten."""
    for owner in range(state.owners):
        state.shown[owner] = 0
    for rank in range(1, RANKS_END):
        state.cancelled[rank] = 0
        state.effect[rank] = 0
        state.gainer[rank] = NONE
        state.gained[rank] = 0
        state.loser[rank] = NONE


@rule
def show_tile(state: State, seat: int, item: int, place: int, target: int) -> int:
    """Completion, 1: a tile is turned up. It is the owner's known one of that rank, else one of his
    unknown ones, if the rank can still be one."""
    province = state.completing[state.completing_at]
    if area_of(state, place, FIRST_PROVINCE) != province:
        state.fault[0] = place_of_province(state, province)
        return NOT_HERE
    owner = tile_owner(state, seat, target)
    if owner < 0:
        return NO_SUCH_TILE
    if state.to_show == state.tiles[province]:
        forget_tiles(state)
    bit = 1 << item
    if not state.tile_ranks[province, owner] & bit:
        if state.tile_unknown[province, owner] == 0 or state.ranks_known[owner] & bit:
            return NO_SUCH_TILE
        state.tile_unknown[province, owner] -= 1
        state.tile_ranks[province, owner] |= bit
        state.ranks_known[owner] |= bit
    elif state.shown[owner] & bit:
        return NO_SUCH_TILE
    state.shown[owner] |= bit
    state.to_show -= 1
    return NO_FAULT


@rule
def tile_owner(state: State, seat: int, target: int) -> int:
    """Who owns an action tile: in teams the target's colour, which must be of the seat; or -1."""
    if not state.teams:
        return seat if target == NONE else NONE
    owner = target - FIRST_COLOUR_TARGET
    return owner if owner >= 0 and owner >> 1 == seat else NONE


@rule
def cancel_tiles(state: State, province: int) -> None:
    """Completion, 2: ranks that show more than once cancel themselves, all copies."""
    state.rank_at = 1
    if state.tiles[province] == 0:
        state.rank_at = RANKS_END
        return
    for rank in range(1, RANKS_END):
        copies = 0
        state.active[rank] = NONE
        for owner in range(state.owners):
            if state.shown[owner] >> rank & 1:
                copies += 1
                state.active[rank] = owner
        if copies > 1:
            state.active[rank] = NONE
            state.cancelled[rank] = copies


@rule
def next_decision(state: State, board: Board, province: int) -> bool:
    """Completion, 3: go through the ranks; True at one whose owner must decide."""
    while state.rank_at < RANKS_END:
        owner = state.active[state.rank_at]
        if owner >= 0:
            if state.rank_at == CHIEF_ARCHITECT:
                state.gainer[CHIEF_ARCHITECT] = owner
                state.gained[CHIEF_ARCHITECT] = 2
            elif has_effect(state, board, province, state.rank_at):
                state.turn_seat = seat_of(state, owner)
                return True
        state.rank_at += 1
    return False


@rule
def has_effect(state: State, board: Board, province: int, rank: int) -> bool:
    """Completion, 3: a tile that can have no effect asks nobody."""
    if rank == WARRIOR:
        for other in range(TRAITOR, RANKS_END):
            if state.active[other] >= 0:
                return True
        return False
    if rank == TRAITOR:
        return has_single(state, board, province) or has_threat(state, board, province)
    if rank == OFFICIAL:
        return has_single(state, board, province) and single_elsewhere(state, board, province)
    return rank in (FLOOD, ARCHITECT)


@rule
def has_single(state: State, board: Board, province: int) -> bool:
    """A standing single wall, neutral ones included."""
    for site in range(first_site(state, board, province), end_site(state, board, province)):
        if state.kind[site] == SINGLE:
            return True
    return False


@rule
def single_elsewhere(state: State, board: Board, province: int) -> bool:
    first, end = first_site(state, board, province), end_site(state, board, province)
    for site in range(SITES):
        outside = site < first or site >= end
        if outside and state.laid[site // SITES_A_BOARD] and state.kind[site] == SINGLE:
            return True
    return False


@rule
def has_threat(state: State, board: Board, province: int) -> bool:
    """A threat token in a region that adjoins the province: they share a site."""
    for site in range(first_site(state, board, province), end_site(state, board, province)):
        if state.threat_fate[region_of(state, board, site)] < REMOVED:
            return True
    return False


@rule
def province_value(state: State, province: int) -> int:
    """Completion, 4: standing walls, fame, and what the tiles changed."""
    value = int(state.fame[province])
    for owner in range(OWNERS):
        value += state.province_walls[province, owner]
    return value


@rule
def score_province(state: State, board: Board, sink: Sink, province: int) -> None:
    """Completion, 4 and 5: most walls earns the value, all tied ones in full; neutral ones count."""
    value, most = province_value(state, province), 0
    judged = state.tiles[province] > 0
    mine = False
    for owner in range(OWNERS):
        walls = state.province_walls[province, owner]
        if judged:
            walls += virtual_walls(state, owner)
        most = max(most, walls)
    if judged:
        value += state.effect[FLOOD] + state.effect[ARCHITECT]
        state.judged = province + 1
    for owner in range(state.owners):
        walls = state.province_walls[province, owner]
        if judged:
            walls += virtual_walls(state, owner)
        if walls == most:
            earn(state, sink, owner, PROVINCE, SCORE_PROVINCE + province + state.side_class * AREAS, value)
            mine |= seat_of(state, owner) == state.actor
    state.scored_now += 1
    state.scored_for += mine
    state.scored[province] = 1
    state.emperor += 1
    if judged:
        state.tiles[province] = 0
        for owner in range(NEUTRAL):
            state.ranks_gone[owner] |= state.tile_ranks[province, owner]
            state.tile_ranks[province, owner] = 0


@rule
def virtual_walls(state: State, owner: int) -> int:
    """Walls that only the architects have drawn."""
    count = 0
    if state.gainer[ARCHITECT] == owner:
        count += 1
    if state.gainer[CHIEF_ARCHITECT] == owner:
        count += 2
    return count


@rule
def choose_order(state: State, place: int) -> int:
    """Completion: which of two provinces is scored first, where the players choose (`double_order`)."""
    province = area_of(state, place, FIRST_PROVINCE)
    if province == state.completing[1]:
        state.completing[1] = state.completing[0]
        state.completing[0] = province
    elif province != state.completing[0]:
        return OTHER_ORDER
    state.ordered = 1
    return NO_FAULT
