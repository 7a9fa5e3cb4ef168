"""Qin: board and switches; boards are data, with their tiles and pagodas."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from pipeline.titles.boards import read_board
from pipeline.titles.contract import Option, TitleError
from pipeline.titles.qin.codes import COLOURS, COLUMNS, KINDS, ROWS
from pipeline.titles.state import Ints, Layout, ints

BOARDS = ("bird", "lion")
TIES = ("illegal", "active_loses", "active_keeps")
COUNTS = ("per_player", "largest_province")
VILLAGES = ("one_village", "each_square")

OPTIONS = (
    Option("board", "side of the board, or the id of another board file", BOARDS, lambda _: "bird", files=True),
    Option("absorb_tie", "provinces of equally strong players are joined", TIES, lambda _: TIES[0]),
    Option("absorb_count", "whose squares count when provinces are joined", COUNTS, lambda _: COUNTS[0]),
    Option("village_squares", "a village of two squares", VILLAGES, lambda _: VILLAGES[0]),
)

WIDTH = COLUMNS + 1
CELLS = (ROWS + 2) * WIDTH
"""Squares with a margin: one column serves both sides, so a neighbour is 1 or WIDTH away."""
GRASS, BLOCKED = 0, -1
MOST_VILLAGES = 31
"""Villages are bits of a 32-bit number."""
SIDES = 6


class Board(Layout):
    """A board and what is in the box. Index 0 of a pair is for villages as printed, 1 by squares."""

    ground: Ints = ints(CELLS)  # GRASS, BLOCKED, or 1 + colour of a start field
    cell: Ints = ints(ROWS * COLUMNS)  # of a square's code
    square: Ints = ints(CELLS)  # code of a cell's square
    starts: int = ints()  # start fields
    start: Ints = ints(ROWS * COLUMNS)  # their cells
    pairs: int = ints()  # of neighbouring cells of grass
    pair: Ints = ints(2 * ROWS * COLUMNS, 2)  # the left or upper one, and the other
    villages: Ints = ints(2)
    village_cell: Ints = ints(2, MOST_VILLAGES)  # first one in reading order
    village_at: Ints = ints(2, CELLS)  # village on a cell, or -1
    sides: Ints = ints(2, MOST_VILLAGES)  # cells around each village
    around: Ints = ints(2, MOST_VILLAGES, SIDES)
    touch: Ints = ints(2, CELLS)  # villages beside a cell, as bits
    tiles: Ints = ints(len(KINDS))  # copies of each kind
    pagodas: Ints = ints(5)  # of a player, by number of players


def encode_options(options: Mapping[str, Any], players: int) -> tuple[int, ...]:
    return (
        TIES.index(options["absorb_tie"]),
        COUNTS.index(options["absorb_count"]),
        VILLAGES.index(options["village_squares"]),
    )


def board_id(options: Mapping[str, Any]) -> str:
    name: str = options["board"]
    return f"qin-{name}" if name in BOARDS else name


@cache
def load_board(name: str) -> Board:
    """A board from its file. Raises TitleError when the file is not there or not in order."""
    return board_of(read_board("qin", name), f"board {name}")


def board_of(facts: Mapping[str, Any], name: str) -> Board:
    """A board from its facts, each checked. Raises TitleError with one sentence."""
    board = Board.new()
    grid = _grid(facts, name)
    _fill_ground(board, grid, name)
    _fill_pairs(board)
    for by_square in (0, 1):
        _fill_villages(board, by_square, _villages(grid, bool(by_square), name), name)
    board.tiles[:] = _numbers(facts, "tiles", KINDS, 0, name)
    if board.tiles.sum() < 12:
        raise TitleError(f"{name}: twelve tiles are the least, for four hands")
    board.pagodas[2:] = _numbers(facts, "pagodas", ("players2", "players3", "players4"), 1, name)
    return board


def _grid(facts: Mapping[str, Any], name: str) -> list[str]:
    grid = facts.get("grid")
    rows = grid if isinstance(grid, list) else []
    if len(rows) != ROWS or any(not isinstance(row, str) or len(row) != COLUMNS for row in rows):
        raise TitleError(f"{name}: grid must be {ROWS} rows of {COLUMNS} signs")
    for sign in "".join(rows):
        if sign not in ".~RYB" and not "a" <= sign <= "z":
            raise TitleError(f"{name}: grid takes no sign {sign!r}")
    return rows


def _cell(row: int, column: int) -> int:
    return (row + 1) * WIDTH + column


def _fill_ground(board: Board, grid: list[str], name: str) -> None:
    """Grass and start fields; the margin is blocked like water and villages."""
    board.ground[:] = BLOCKED
    board.square[:] = -1
    for row in range(ROWS):
        for column in range(COLUMNS):
            cell, sign = _cell(row, column), grid[row][column]
            board.square[cell] = row * COLUMNS + column
            board.cell[row * COLUMNS + column] = cell
            if sign == ".":
                board.ground[cell] = GRASS
            elif sign in COLOURS:
                board.ground[cell] = 1 + COLOURS.index(sign)
                board.start[board.starts] = cell
                board.starts += 1
                if board.ground[cell] in (board.ground[cell - 1], board.ground[cell - WIDTH]):
                    raise TitleError(f"{name}: two start fields of one colour must not be neighbours")
    if board.starts == 0:
        raise TitleError(f"{name}: there is no start field")


def _fill_pairs(board: Board) -> None:
    for cell in range(CELLS):
        for step in (1, WIDTH):
            if board.ground[cell] == GRASS and board.ground[cell + step] == GRASS:
                board.pair[board.pairs] = cell, cell + step
                board.pairs += 1


def _villages(grid: list[str], by_square: bool, name: str) -> list[list[int]]:
    """The cells of each village, in reading order of their first ones."""
    found: dict[str, list[int]] = {}
    for row in range(ROWS):
        for column in range(COLUMNS):
            sign = grid[row][column]
            if "a" <= sign <= "z":
                key = f"{row} {column}" if by_square else sign
                found.setdefault(key, []).append(_cell(row, column))
    for cells in found.values():
        if len(cells) > 2 or cells[-1] - cells[0] not in (0, 1, WIDTH):
            raise TitleError(f"{name}: a village has one square or two neighbouring ones")
    if len(found) > MOST_VILLAGES:
        raise TitleError(f"{name}: {MOST_VILLAGES} village squares are the most")
    return list(found.values())


def _fill_villages(board: Board, by_square: int, villages: list[list[int]], name: str) -> None:
    board.villages[by_square] = len(villages)
    board.village_at[by_square] = -1
    for village, cells in enumerate(villages):
        board.village_cell[by_square, village] = cells[0]
        board.village_at[by_square, cells] = village
        beside = {cell + step for cell in cells for step in (-WIDTH, -1, 1, WIDTH)}
        usable = sorted(cell for cell in beside if board.ground[cell] != BLOCKED)
        board.sides[by_square, village] = len(usable)
        board.around[by_square, village, : len(usable)] = usable
        board.touch[by_square, usable] |= 1 << village


def _numbers(facts: Mapping[str, Any], table: str, keys: tuple[str, ...], least: int, name: str) -> list[int]:
    """A table of whole numbers with just these keys."""
    given = facts.get(table)
    if not isinstance(given, dict) or set(given) != set(keys):
        raise TitleError(f"{name}: {table} must have {', '.join(keys)}")
    if any(type(value) is not int or not least <= value <= 1000 for value in given.values()):
        raise TitleError(f"{name}: the numbers of {table} go from {least} to 1000")
    return [given[key] for key in keys]
