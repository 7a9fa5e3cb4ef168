"""Chang Cheng: the rules, each stated once; this file has the turn and its actions.

`rules_state` has the table, `rules_boards` boards and tokens, `rules_legal` what is possible,
`rules_complete` what follows a piece, `rules_decide` the action tiles, `rules_end` the end,
`rules_facts` what is measured. Section numbers are those of the README beside this file.
"""

from __future__ import annotations

from pipeline.titles.chang_cheng.codes import (
    ACTION_TILE,
    AREAS,
    BOARD,
    CAN_PLACE,
    COLOUR_WRONG,
    DOUBLE,
    EXTENSION_MISSING,
    FAME,
    FIRST_TURN,
    NEUTRAL_WALL,
    NOT_ON_TABLE,
    ORDER,
    OTHER_HALF,
    PASS,
    REVEAL_MISSING,
    SHOW,
    SHOW_MISSING,
    THREAT,
    THREAT_SHOWN,
    TOWER,
    WALL,
)
from pipeline.titles.chang_cheng.options import CHOSEN_ORDER, CLASS, FIRST_CARD, TEAMS, Board
from pipeline.titles.chang_cheng.options import NEUTRAL as NEUTRAL_OPTION
from pipeline.titles.chang_cheng.rules_boards import add_board, put_fame, put_threat, show_threat
from pipeline.titles.chang_cheng.rules_complete import (
    begin_turn,
    choose_order,
    end_turn,
    go_on,
    show_tile,
    tile_owner,
)
from pipeline.titles.chang_cheng.rules_decide import make_decision
from pipeline.titles.chang_cheng.rules_end import standing
from pipeline.titles.chang_cheng.rules_facts import observe_event, observe_turn
from pipeline.titles.chang_cheng.rules_legal import can_place
from pipeline.titles.chang_cheng.rules_pieces import (
    piece_owner,
    place_double,
    place_neutral,
    place_tile,
    place_tower,
    place_wall,
    wrong_seat,
)
from pipeline.titles.chang_cheng.rules_state import (
    BEGIN,
    DECIDING,
    EXTENDED,
    EXTENDING,
    EXTENSION_TOKENS,
    FINAL_REVEAL,
    MAY_NEUTRAL,
    NEUTRAL,
    OVER,
    SCOUTING,
    SECOND_HALF,
    SET_UP_BOARDS,
    SET_UP_TOKENS,
    SHOWING,
    TURN,
    State,
    next_hidden,
    place_of_province,
    site_of,
)
from pipeline.titles.contract import NATURE, NONE
from pipeline.titles.state import AFTER_END, NO_FAULT, TRUNCATED, WRONG_PHASE, Ints, Sink, inlined, rule

__all__ = ["State", "apply", "close", "is_over", "observe_event", "observe_turn", "reset", "standing"]

TILES = 6


@rule
def reset(state: State, board: Board, players: int, options: Ints) -> None:
    """The table before the first board."""
    state.players = players
    state.epoch = 0
    state.turn = 0
    state.actor = 0
    state.turn_seat = 0
    state.phase = SET_UP_BOARDS
    state.side_class = options[CLASS]
    state.teams = options[TEAMS]
    state.neutral = options[NEUTRAL_OPTION]
    state.chosen_order = options[CHOSEN_ORDER]
    for card in range(4):
        state.card[card] = options[FIRST_CARD + card]
    state.owners = 4 if state.teams else players
    state.boards = 0
    state.tokens_due = 0
    state.emperor = 0
    state.extensions = board.extensions[players]
    state.empty = 0
    state.clear = 0
    state.incomplete = 0
    state.scouts[0] = NONE
    state.scouts[1] = NONE
    state.completing_count = 0
    state.completing_at = 0
    state.stage = BEGIN
    state.to_show = 0
    state.judged = 0
    state.scored_now = 0
    state.scored_for = 0
    begin_turn(state)
    state.phase = SET_UP_BOARDS
    reset_supplies(state, board)


@rule
def reset_supplies(state: State, board: Board) -> None:
    """Components: what each owner and the bags have."""
    for owner in range(NEUTRAL):
        state.score[owner] = 0
        state.side_score[owner] = 0
        state.spared[owner] = 0
        state.laid[owner] = 0
        state.walls[owner] = board.walls
        state.doubles[owner] = 1
        state.towers[owner] = 1
        state.hand[owner] = TILES
        state.ranks_known[owner] = 0
        state.ranks_gone[owner] = 0
        state.shown[owner] = 0
        state.tower_at[owner] = NONE
        state.reserving[owner] = 0
    state.walls[NEUTRAL] = board.neutral_walls if state.neutral else 0
    for value in range(5):
        state.fame_left[value] = board.fame[value]
        state.threat_left[value] = board.threat[value]
    for area in range(AREAS):
        state.province_empty[area] = 0
        state.province_clear[area] = 0


@rule
def is_over(state: State, board: Board) -> bool:
    return bool(state.phase == OVER)


@inlined
def apply(
    state: State,
    board: Board,
    sink: Sink,
    seat: int,
    action: int,
    item: int,
    place: int,
    target: int,
    amount: int,
) -> int:
    """Check one event and carry it out; the fault's code, or 0.

    Two players: that no neutral wall follows is told only by what comes instead.
    """
    state.judged = 0
    state.scored_now = 0
    state.scored_for = 0
    if state.phase == MAY_NEUTRAL and action != NEUTRAL_WALL:
        end_turn(state, board, sink)
        if state.phase == OVER:
            sink.before = sink.count
            return AFTER_END
    if state.phase in (TURN, SECOND_HALF):
        fault = act(state, board, sink, seat, action, item, place, target)
    elif state.phase == MAY_NEUTRAL:
        fault = place_neutral(state, board, seat, place)
    else:
        fault = follow(state, board, seat, action, item, place, target)
    if fault == NO_FAULT:
        go_on(state, board, sink)
    return int(fault)


@rule
def follow(state: State, board: Board, seat: int, action: int, item: int, place: int, target: int) -> int:
    """All but the pieces: what nature brings, what is shown, what is decided."""
    phase = state.phase
    if phase in (SET_UP_BOARDS, EXTENDING):
        return bring_board(state, board, seat, action, item, place)
    if phase in (SET_UP_TOKENS, EXTENSION_TOKENS):
        return bring_token(state, action, item, place)
    if phase in (SCOUTING, FINAL_REVEAL):
        return reveal(state, action, item, place)
    if phase == SHOWING:
        if action != SHOW:
            state.fault[0] = place_of_province(state, state.completing[state.completing_at])
            return SHOW_MISSING
        return show_tile(state, seat, item, place, target)
    if phase == DECIDING:
        return make_decision(state, board, seat, action, item, place, target)
    if action != ORDER:
        return WRONG_PHASE
    if seat != state.actor:
        return wrong_seat(state, state.actor)
    return choose_order(state, place)


@rule
def bring_board(state: State, board: Board, seat: int, action: int, item: int, place: int) -> int:
    """Set-up, 1, by nature; Extension, by the player who completed the province."""
    setting_up = state.phase == SET_UP_BOARDS
    if action != BOARD:
        return WRONG_PHASE if setting_up else EXTENSION_MISSING
    wanted = NATURE if setting_up else state.actor
    if seat != wanted:
        return wrong_seat(state, wanted)
    if not setting_up:
        state.stage = EXTENDED
    return add_board(state, board, item, place)


@rule
def bring_token(state: State, action: int, item: int, place: int) -> int:
    """Set-up, 2: tokens in any order, here and after an extension."""
    if action == FAME:
        return put_fame(state, item, place)
    if action == THREAT:
        return put_threat(state, item, place)
    return WRONG_PHASE


@rule
def reveal(state: State, action: int, item: int, place: int) -> int:
    """Scouts, and End, 1: the threats in their order, from the west."""
    if action != THREAT_SHOWN:
        return REVEAL_MISSING
    scouting = state.phase == SCOUTING
    wanted = state.scouts[0] if scouting else next_hidden(state)
    if scouting:
        state.scouts[0] = state.scouts[1]
        state.scouts[1] = NONE
    return show_threat(state, item, place, wanted)


@rule
def act(state: State, board: Board, sink: Sink, seat: int, action: int, item: int, place: int, target: int) -> int:
    """Actions: a piece, or a pass."""
    if action < WALL or (action > TOWER and action != PASS):
        return WRONG_PHASE
    if seat != state.actor:
        return wrong_seat(state, state.actor)
    if state.turn == 0 and action != WALL:
        return FIRST_TURN
    if state.phase == SECOND_HALF and action != WALL and action != ACTION_TILE:
        return OTHER_HALF
    if action == PASS:
        if can_place(state, board, seat):
            return CAN_PLACE
        return NO_FAULT
    if action == NEUTRAL_WALL:
        return WRONG_PHASE
    if action == ACTION_TILE:
        return place_tile(state, board, tile_owner(state, seat, target), item, place)
    owner = piece_owner(state, seat, item)
    if owner < 0:
        return COLOUR_WRONG
    site = site_of(state, place)
    if site < 0:
        return NOT_ON_TABLE
    if action == WALL:
        return place_wall(state, board, owner, site)
    if action == DOUBLE:
        return place_double(state, board, sink, owner, site, site_of(state, target))
    return place_tower(state, board, owner, site)


@rule
def close(state: State, board: Board, sink: Sink, finished: bool) -> int:
    """The record stops here, or a bot leaves the neutral wall. A finished record has left it too."""
    if state.phase == MAY_NEUTRAL and (finished or state.declines):
        end_turn(state, board, sink)
    return TRUNCATED if finished and state.phase != OVER else NO_FAULT
