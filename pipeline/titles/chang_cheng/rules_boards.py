"""Chang Cheng: boards and tokens, at the set-up and at an extension. Sections as in the README."""

from __future__ import annotations

from pipeline.titles.chang_cheng.codes import (
    AREAS_A_BOARD,
    BOARD_LAID,
    BOARDS,
    EAST,
    FIRST_PROVINCE,
    FIRST_REGION,
    FIRST_SIDE,
    HAS_TOKEN,
    NO_FAME,
    NO_THREAT,
    NOT_ON_TABLE,
    OTHER_CLASS,
    OTHER_REGION,
    OTHER_THREAT,
    SITES_A_BOARD,
)
from pipeline.titles.chang_cheng.options import Board
from pipeline.titles.chang_cheng.rules_state import (
    EMPTY,
    NEUTRAL,
    OWNERS,
    PLACED,
    SHOWN,
    UNKNOWN,
    State,
    area_of,
    has_tower,
    place_of_region,
)
from pipeline.titles.contract import NONE
from pipeline.titles.state import NO_FAULT, rule


@rule
def add_board(state: State, board: Board, item: int, place: int) -> int:
    """Set-up, 1, and Extension: a board of the side class in play, at an end of the wall."""
    number = item - FIRST_SIDE - state.side_class * BOARDS
    if number < 0 or number >= BOARDS:
        return OTHER_CLASS
    if state.laid[number]:
        return BOARD_LAID
    lay_board(state, board, number, place == EAST)
    return NO_FAULT


@rule
def lay_board(state: State, board: Board, number: int, east: bool) -> None:
    state.laid[number] = 1
    state.west[number] = NONE
    state.east[number] = NONE
    if state.boards == 0:
        state.line[0] = number
    elif east:
        other = state.line[state.boards - 1]
        state.line[state.boards] = number
        state.west[number] = other
        state.east[other] = number
    else:
        other = state.line[0]
        for slot in range(state.boards, 0, -1):
            state.line[slot] = state.line[slot - 1]
        state.line[0] = number
        state.east[number] = other
        state.west[other] = number
    state.boards += 1
    state.incomplete += AREAS_A_BOARD
    state.empty += SITES_A_BOARD
    state.clear += SITES_A_BOARD
    clear_board(state, board, number)
    meet_towers(state, board, number)


@rule
def clear_board(state: State, board: Board, number: int) -> None:
    """Empty sites, no tokens yet."""
    for site in range(number * SITES_A_BOARD, (number + 1) * SITES_A_BOARD):
        state.kind[site] = EMPTY
    for area in range(number * AREAS_A_BOARD, (number + 1) * AREAS_A_BOARD):
        width = board.width[area + state.side_class * BOARDS * AREAS_A_BOARD]
        state.province_empty[area] = width
        state.province_clear[area] = width
        state.fame[area] = UNKNOWN
        state.threat[area] = UNKNOWN
        state.threat_fate[area] = 0
        state.peeked[area] = 0
        state.scored[area] = 0
        state.tiles[area] = 0
        for owner in range(OWNERS):
            state.province_walls[area, owner] = 0
            state.region_walls[area, owner] = 0
        for owner in range(NEUTRAL):
            state.tile_ranks[area, owner] = 0
            state.tile_unknown[area, owner] = 0
    state.tokens_due += 2 * AREAS_A_BOARD


@rule
def meet_towers(state: State, board: Board, number: int) -> None:
    """A new board's end site may lie beside a tower at the old end of the wall."""
    first, last = number * SITES_A_BOARD, (number + 1) * SITES_A_BOARD - 1
    west, east = state.west[number], state.east[number]
    if west >= 0 and has_tower(state, west * SITES_A_BOARD + SITES_A_BOARD - 1):
        state.clear -= 1
        state.province_clear[first // SITES_A_BOARD * AREAS_A_BOARD] -= 1
    if east >= 0 and has_tower(state, east * SITES_A_BOARD):
        state.clear -= 1
        state.province_clear[last // SITES_A_BOARD * AREAS_A_BOARD + AREAS_A_BOARD - 1] -= 1


@rule
def put_fame(state: State, item: int, place: int) -> int:
    """Set-up, 2: a fame token, face up."""
    province = area_of(state, place, FIRST_PROVINCE)
    if province < 0:
        return NOT_ON_TABLE
    if state.fame[province] != UNKNOWN:
        return HAS_TOKEN
    if state.fame_left[item] == 0:
        return NO_FAME
    state.fame_left[item] -= 1
    state.fame[province] = item
    state.tokens_due -= 1
    return NO_FAULT


@rule
def put_threat(state: State, item: int, place: int) -> int:
    """Set-up, 2: a threat token, face down; its value may be unknown to the source.

    With at most 12 of 15 tokens out, an unknown one never runs out of values that it could be.
    """
    region = area_of(state, place, FIRST_REGION)
    if region < 0:
        return NOT_ON_TABLE
    if state.threat_fate[region] != 0:
        return HAS_TOKEN
    if item != NONE:
        if state.threat_left[item] == 0:
            return NO_THREAT
        state.threat_left[item] -= 1
    state.threat[region] = item
    state.threat_fate[region] = PLACED
    state.tokens_due -= 1
    return NO_FAULT


@rule
def show_threat(state: State, item: int, place: int, wanted: int) -> int:
    """Scouts, and End, 1: a threat is turned up, the wanted one; an unknown one gets its value."""
    if area_of(state, place, FIRST_REGION) != wanted:
        state.fault[0] = place_of_region(state, wanted)
        return OTHER_REGION
    if state.threat[wanted] == UNKNOWN:
        if state.threat_left[item] == 0:
            return NO_THREAT
        state.threat_left[item] -= 1
        state.threat[wanted] = item
    elif state.threat[wanted] != item:
        state.fault[0] = state.threat[wanted]
        return OTHER_THREAT
    state.threat_fate[wanted] |= SHOWN
    return NO_FAULT
