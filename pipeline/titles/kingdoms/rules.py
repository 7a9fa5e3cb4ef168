"""Kingdoms: the rules, each stated once. Section numbers are those of the README beside this file."""

from __future__ import annotations

from pipeline.titles.contract import NONE
from pipeline.titles.kingdoms.codes import (
    BONUS,
    CAN_ACT,
    CASTLE,
    COLUMN,
    DEAL,
    FIRST_CASTLE,
    MOUNTAIN,
    NO_BONUS,
    NO_CASTLE,
    NO_TILE,
    OCCUPIED,
    OTHER_BONUS,
    PASS,
    ROW,
    SUPPLY_EMPTY,
    TILE,
)
from pipeline.titles.kingdoms.options import DRAGONS, GOLD_MINES, HAZARDS, Board
from pipeline.titles.state import (
    NO_FAULT,
    TRUNCATED,
    WRONG_PHASE,
    WRONG_SEAT,
    Ints,
    Layout,
    Sink,
    inlined,
    ints,
    note,
    rule,
)

ROWS, COLUMNS, CELLS = 5, 6, 30
LINES = ROWS + COLUMNS
EPOCHS = 3
START_GOLD = 50
EMPTY = -1
NOTHING, UNKNOWN = -1, -2


class State(Layout):
    """All that a table shows, and what is known of the hidden tiles."""

    score: Ints = ints(5)  # gold, by seat
    epoch: int = ints()  # epoch, from 0
    turn_seat: int = ints()  # who acts next, or is dealt to next
    players: int = ints()
    start: int = ints()  # start player of the epoch
    to_deal: int = ints()  # bonus tiles still to be dealt
    filled: int = ints()  # cells taken
    supply: int = ints()  # tiles in the supply
    unseen: Ints = ints(15)  # tiles of each kind in the supply or among unknown bonus tiles
    bonus: Ints = ints(5)  # tile in hand, NOTHING or UNKNOWN
    castles: Ints = ints(5, 4)  # in hand, by seat and rank - 1
    cell: Ints = ints(CELLS)  # item there, or EMPTY
    owner: Ints = ints(CELLS)  # seat of the castle there
    # Scoring, of each row, then each column
    items: Ints = ints(LINES)  # of the segment at hand: sum of the items' weights
    ranks: Ints = ints(LINES)  # of the segment at hand: sum of each seat's castle ranks, a byte a seat
    points: Ints = ints(LINES, 5)  # of the whole line, by seat
    fault: Ints = ints(2)  # numbers of the fault


@rule
def reset(state: State, board: Board, players: int, options: Ints) -> None:
    """The table before the first deal."""
    state.players = players
    state.epoch = 0
    state.start = 0
    for seat in range(players):
        state.score[seat] = START_GOLD
        for rank in range(4):
            state.castles[seat, rank] = board.castles[players, rank]
    begin_epoch(state, board)


@rule
def begin_epoch(state: State, board: Board) -> None:
    """Epoch, 1: all tiles are the supply, each player will get a bonus tile."""
    state.supply = 0
    for tile in range(board.tiles.size):
        state.unseen[tile] = board.tiles[tile]
        state.supply += board.tiles[tile]
    for cell in range(CELLS):
        state.cell[cell] = EMPTY
    for seat in range(state.players):
        state.bonus[seat] = NOTHING
    state.filled = 0
    state.to_deal = state.players
    state.turn_seat = state.start


@rule
def is_over(state: State, board: Board) -> bool:
    return bool(state.epoch == EPOCHS)


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
    """Check one event and carry it out; the fault's code, or 0."""
    if (action == DEAL) != (state.to_deal > 0):
        return WRONG_PHASE
    if seat != state.turn_seat:
        state.fault[0] = state.turn_seat
        return WRONG_SEAT
    if action == DEAL:
        return deal(state, seat, item)
    if action == PASS:
        if can_act(state, seat):
            return CAN_ACT
        next_seat(state)
        return NO_FAULT
    if state.cell[place] != EMPTY:
        return OCCUPIED
    fault = NO_FAULT
    if action == CASTLE:
        fault = take_castle(state, seat, item - FIRST_CASTLE)
    elif action == TILE:
        fault = take_from_supply(state, item)
    else:
        fault = take_bonus(state, seat, item)
    if fault != NO_FAULT:
        return fault
    state.cell[place] = item
    state.owner[place] = seat
    state.filled += 1
    if state.filled == CELLS:
        end_epoch(state, board, sink)
    else:
        next_seat(state)
    return NO_FAULT


@rule
def deal(state: State, seat: int, item: int) -> int:
    """Epoch, 1: a bonus tile; an unknown one stays among the unseen."""
    if item == NONE:
        if state.supply == 0:
            return SUPPLY_EMPTY
        state.supply -= 1
        state.bonus[seat] = UNKNOWN
    else:
        fault = take_from_supply(state, item)
        if fault != NO_FAULT:
            return fault
        state.bonus[seat] = item
    state.to_deal -= 1
    next_seat(state)
    return NO_FAULT


@rule
def next_seat(state: State) -> None:
    seat = state.turn_seat + 1
    state.turn_seat = 0 if seat == state.players else seat


@rule
def can_act(state: State, seat: int) -> bool:
    """Epoch, 3: a pass is allowed only without castle, supply and bonus tile."""
    if state.supply > 0 or state.bonus[seat] != NOTHING:
        return True
    for rank in range(4):
        if state.castles[seat, rank] > 0:
            return True
    return False


@rule
def take_castle(state: State, seat: int, rank: int) -> int:
    if state.castles[seat, rank] == 0:
        return NO_CASTLE
    state.castles[seat, rank] -= 1
    return NO_FAULT


@rule
def take_from_supply(state: State, tile: int) -> int:
    """Unknown bonus tiles are among the unseen too, so a kind may be drawn while one is unseen."""
    if state.supply == 0:
        return SUPPLY_EMPTY
    if state.unseen[tile] == 0:
        return NO_TILE
    state.unseen[tile] -= 1
    state.supply -= 1
    return NO_FAULT


@rule
def take_bonus(state: State, seat: int, tile: int) -> int:
    held = state.bonus[seat]
    if held == NOTHING:
        return NO_BONUS
    if held == UNKNOWN:
        if state.unseen[tile] == 0:
            return NO_TILE
        state.unseen[tile] -= 1
    elif held != tile:
        state.fault[0] = held
        return OTHER_BONUS
    state.bonus[seat] = NOTHING
    return NO_FAULT


@rule
def end_epoch(state: State, board: Board, sink: Sink) -> None:
    """Epoch, 4: score, rank-1 castles back to their owners, the others leave the game."""
    sum_lines(state, board)
    for line in range(LINES):
        end_segment(state, line)
        source = ROW if line < ROWS else COLUMN
        for seat in range(state.players):
            note(state.score, sink, seat, source, line, state.points[line, seat])
    for cell in range(CELLS):
        state.castles[state.owner[cell], 0] += state.cell[cell] == FIRST_CASTLE
    state.epoch += 1
    if state.epoch < EPOCHS:
        state.start = richest(state)
        begin_epoch(state, board)


@rule
def sum_lines(state: State, board: Board) -> None:
    """Scoring: mountains cut rows and columns into segments; the last one of each is left open."""
    for line in range(LINES):
        state.items[line] = 0
        state.ranks[line] = 0
        for seat in range(state.players):
            state.points[line, seat] = 0
    for row in range(ROWS):
        for column in range(COLUMNS):
            cell = row * COLUMNS + column
            item = state.cell[cell]
            if item == MOUNTAIN:
                end_segment(state, row)
                end_segment(state, ROWS + column)
                continue
            weight, ranks = board.weight[item], board.rank[item] << 8 * state.owner[cell]
            state.items[row] += weight
            state.ranks[row] += ranks
            state.items[ROWS + column] += weight
            state.ranks[ROWS + column] += ranks


@rule
def end_segment(state: State, line: int) -> None:
    """Scoring: a seat's castles of a line are one event, whatever segments they stand in."""
    value = worth(state.items[line])
    for seat in range(state.players):
        state.points[line, seat] += (state.ranks[line] >> 8 * seat & 255) * value
    state.items[line] = 0
    state.ranks[line] = 0


@rule
def worth(total: int) -> int:
    """value = (2 if gold mine else 1) * ((0 if dragon else resources) + hazards), of a sum of weights."""
    resources = 0 if total & DRAGONS else total % HAZARDS
    value = resources - total % DRAGONS // HAZARDS
    return value * 2 if total & GOLD_MINES else value


@rule
def richest(state: State) -> int:
    """Epoch, 2: most gold; of equals the first clockwise from the previous start player on."""
    best = state.start
    for i in range(1, state.players):
        seat = (state.start + i) % state.players
        if state.score[seat] > state.score[best]:
            best = seat
    return int(best)


@rule
def close(state: State, board: Board, sink: Sink, finished: bool) -> int:
    """The record stops here. A finished one must be over; any other is left as it stands."""
    return TRUNCATED if finished and not is_over(state, board) else NO_FAULT


@rule
def standing(state: State, board: Board, seat: int) -> int:
    """End: most gold wins, nothing breaks a tie."""
    return int(state.score[seat])


# Facts of a turn, in the order of FACTS in `__init__`.
EMPTY_CELLS, CASTLES_LEFT, CAN_DRAW, CAN_CASTLE, HAS_BONUS, CHOICES, DREW, RANK, PLAYED_BONUS = range(9)


@rule
def observe_turn(state: State, board: Board, seat: int, row: Ints) -> None:
    """What was possible before the turn."""
    row[EMPTY_CELLS] = CELLS - state.filled
    kinds = 0
    for rank in range(4):
        row[CASTLES_LEFT] += state.castles[seat, rank]
        kinds += state.castles[seat, rank] > 0
    row[CAN_DRAW] = state.supply > 0
    row[CAN_CASTLE] = kinds > 0
    row[HAS_BONUS] = state.bonus[seat] != NOTHING
    row[CHOICES] = (kinds + row[CAN_DRAW] + row[HAS_BONUS]) * row[EMPTY_CELLS]
    row[RANK] = NONE


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
    row[DREW] = action == TILE
    row[PLAYED_BONUS] = action == BONUS
    if action == CASTLE:
        row[RANK] = item - FIRST_CASTLE + 1
