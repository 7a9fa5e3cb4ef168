"""Kingdoms: nature, and the simple players. A bot reads only what its seat can see."""

from __future__ import annotations

from pipeline.titles.contract import NONE
from pipeline.titles.kingdoms.codes import (
    BONUS,
    CASTLE,
    DEAL,
    DRAGON,
    FIRST_CASTLE,
    GOLD_MINE,
    MOUNTAIN,
    PASS,
    TILE,
)
from pipeline.titles.kingdoms.options import Board
from pipeline.titles.kingdoms.rules import CELLS, COLUMNS, EMPTY, NOTHING, ROWS, State
from pipeline.titles.state import Ints, Longs, random_below, random_weighted, rule

MOST_CANDIDATES = 64
EVENTS_A_GAME = 110


@rule
def write(event: Ints, seat: int, action: int, item: int, place: int) -> None:
    event[0], event[1], event[2], event[3] = seat, action, item, place


@rule
def nature(state: State, board: Board, rng: Longs, event: Ints) -> bool:
    """Deal a bonus tile, if one is due."""
    if state.to_deal == 0:
        return False
    write(event, state.turn_seat, DEAL, random_weighted(rng, state.unseen), NONE)
    return True


@rule
def decide(state: State, board: Board, rng: Longs, policy: int, event: Ints) -> None:
    """The next event of the seat that is to act; policy 0 is random, 1 greedy."""
    seat = int(state.turn_seat)
    if policy == 0:
        decide_randomly(state, rng, seat, event)
    else:
        decide_greedily(state, rng, seat, event)


@rule
def decide_randomly(state: State, rng: Longs, seat: int, event: Ints) -> None:
    """One of the kinds of piece that the seat has, on any empty cell."""
    kinds = int(state.supply > 0) + int(state.bonus[seat] != NOTHING)
    for rank in range(4):
        kinds += int(state.castles[seat, rank] > 0)
    if kinds == 0:
        write(event, seat, PASS, NONE, NONE)
        return
    pick = random_below(rng, kinds)
    cell = random_cell(state, rng)
    if state.supply > 0:
        if pick == 0:
            write(event, seat, TILE, random_weighted(rng, state.unseen), cell)
            return
        pick -= 1
    if state.bonus[seat] != NOTHING:
        if pick == 0:
            write(event, seat, BONUS, state.bonus[seat], cell)
            return
        pick -= 1
    for rank in range(4):
        if state.castles[seat, rank] > 0:
            if pick == 0:
                write(event, seat, CASTLE, FIRST_CASTLE + rank, cell)
                return
            pick -= 1


@rule
def random_cell(state: State, rng: Longs) -> int:
    left = random_below(rng, CELLS - state.filled)
    for cell in range(CELLS):
        if state.cell[cell] == EMPTY:
            if left == 0:
                return cell
            left -= 1
    return 0


@rule
def segment(state: State, cell: int, step: int, low: int, high: int, seat: int) -> tuple[int, int, int]:
    """Of the segment around a cell in one direction: its value, its resources, and the ranks of the
    seat's castles there less the others'."""
    resources, hazards, times, dragon, balance = 0, 0, 1, False, 0
    for direction in (-1, 1):
        at = cell + direction * step
        while low <= at < high:
            item = state.cell[at]
            if item == MOUNTAIN:
                break
            if item >= FIRST_CASTLE:
                rank = item - FIRST_CASTLE + 1
                balance += rank if state.owner[at] == seat else -rank
            elif item == GOLD_MINE:
                times = 2
            elif item == DRAGON:
                dragon = True
            elif item >= 6:
                hazards -= item - 5
            elif item >= 0:
                resources += item + 1
            at += direction * step
    return times * ((0 if dragon else resources) + hazards), resources, balance


@rule
def tile_gain(state: State, seat: int, tile: int, cell: int) -> int:
    """What a tile at a cell brings the seat's castles there, less what it brings the others'."""
    gain = 0
    row = cell // COLUMNS
    for line in range(2):
        step = 1 if line == 0 else COLUMNS
        low = row * COLUMNS if line == 0 else 0
        high = low + COLUMNS if line == 0 else ROWS * COLUMNS
        value, resources, balance = segment(state, cell, step, low, high, seat)
        if tile < 6:
            change = tile + 1
        elif tile < 12:
            change = -(tile - 5)
        elif tile == DRAGON:
            change = -resources
        elif tile == GOLD_MINE:
            change = value
        else:
            change = -value // 2
        gain += change * balance
    return gain


@rule
def castle_gain(state: State, seat: int, cell: int) -> int:
    """What a castle of rank 1 at a cell would earn as the board stands."""
    row = cell // COLUMNS
    across, _, _ = segment(state, cell, 1, row * COLUMNS, row * COLUMNS + COLUMNS, seat)
    down, _, _ = segment(state, cell, COLUMNS, 0, ROWS * COLUMNS, seat)
    return across + down


@rule
def best_cell(state: State, rng: Longs, seat: int, tile: int) -> tuple[int, int]:
    """The cell with the greatest gain for a tile (for a castle of rank 1: tile < 0), and the gain."""
    best, best_gain, equal = 0, -(1 << 30), 0
    for cell in range(CELLS):
        if state.cell[cell] != EMPTY:
            continue
        gain = tile_gain(state, seat, tile, cell) if tile >= 0 else castle_gain(state, seat, cell)
        if gain > best_gain:
            best, best_gain, equal = cell, gain, 1
        elif gain == best_gain:
            equal += 1
            if random_below(rng, equal) == 0:
                best = cell
    return best, best_gain


@rule
def decide_greedily(state: State, rng: Longs, seat: int, event: Ints) -> None:
    """A castle where it earns enough already, high ranks only where it is much; else a tile where
    it helps most; what is left over at the end of the epoch in any order."""
    cell, gain = best_cell(state, rng, seat, -1)
    empty = CELLS - state.filled
    for i in range(4):
        rank = 3 - i
        if state.castles[seat, rank] > 0 and gain >= (4 + 3 * rank if empty > 3 else 1):
            write(event, seat, CASTLE, FIRST_CASTLE + rank, cell)
            return
    held = int(state.bonus[seat])
    if held != NOTHING:
        cell, gain = best_cell(state, rng, seat, held)
        if gain >= 8 or state.supply == 0:
            write(event, seat, BONUS, held, cell)
            return
    if state.supply > 0:
        write(event, seat, TILE, NONE, NONE)
        resolve_draw(state, rng, event)
        return
    for rank in range(4):
        if state.castles[seat, rank] > 0:
            cell, gain = best_cell(state, rng, seat, -1)
            write(event, seat, CASTLE, FIRST_CASTLE + rank, cell)
            return
    write(event, seat, PASS, NONE, NONE)


@rule
def resolve_draw(state: State, rng: Longs, event: Ints) -> None:
    """A tile is drawn first and placed then, where it gains most."""
    event[2] = random_weighted(rng, state.unseen)
    event[3], _ = best_cell(state, rng, int(event[0]), int(event[2]))


@rule
def candidates(state: State, board: Board, rng: Longs, options: Ints) -> int:
    """What a looking-ahead player weighs: a draw, and each other piece on its two best cells or so."""
    seat = int(state.turn_seat)
    count = 0
    options[:] = -1
    if state.supply > 0:
        write(options[count], seat, TILE, NONE, NONE)
        count += 1
    held = int(state.bonus[seat])
    if held != NOTHING:
        cell, _ = best_cell(state, rng, seat, held)
        write(options[count], seat, BONUS, held, cell)
        count += 1
    for rank in range(4):
        if state.castles[seat, rank] > 0:
            cell, _ = best_cell(state, rng, seat, -1)
            write(options[count], seat, CASTLE, FIRST_CASTLE + rank, cell)
            other = random_cell(state, rng)
            write(options[count + 1], seat, CASTLE, FIRST_CASTLE + rank, other)
            count += 2
    if count == 0:
        write(options[0], seat, PASS, NONE, NONE)
        count = 1
    return count


@rule
def resolve(state: State, board: Board, rng: Longs, event: Ints) -> None:
    """Fill in what nature adds to a candidate: the tile that is drawn."""
    if event[1] == TILE and event[2] == NONE:
        resolve_draw(state, rng, event)


@rule
def hide(state: State, board: Board, seat: int, rng: Longs) -> None:
    """Deal the others' bonus tiles anew from all that the seat has not seen."""
    for other in range(state.players):
        if other != seat and state.bonus[other] != NOTHING:
            state.unseen[state.bonus[other]] += 1
    for other in range(state.players):
        if other != seat and state.bonus[other] != NOTHING:
            state.bonus[other] = random_weighted(rng, state.unseen)
            state.unseen[state.bonus[other]] -= 1
