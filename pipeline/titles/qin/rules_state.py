"""Qin: the state of a game, and the table before the first deal."""

from __future__ import annotations

from pipeline.titles.qin.codes import COLUMNS, ROWS
from pipeline.titles.qin.options import CELLS, MOST_VILLAGES, WIDTH, Board
from pipeline.titles.state import Ints, Layout, Sink, award, ints, rule

NOBODY = -1
HAND = 3
MAJOR = 5
"""Squares of a major province."""
STEPS = (-WIDTH, -1, 1, WIDTH)
DEALING, TURN, DRAWING, OVER = range(4)
SWINGS = 7
"""Pagodas by which a tile may change who is first at a village; the last stands for more, too."""

# What the tile at hand did, in the order of `tally`.
FOUNDED, RAISED, SETTLED, CONQUERED, ABSORBED, LOST, GIVEN, TAKEN_BACK = range(8)


class State(Layout):
    """The board, the hands as far as known, and the tile at hand.

    Areas are connected squares of one colour; an area is named by one of its cells, its root, which
    `area` gives for each cell, and its facts stand at that root.
    """

    score: Ints = ints(5)  # pagodas on the board, by seat
    epoch: int = ints()  # always 0
    turn_seat: int = ints()  # who is to act
    players: int = ints()
    fault: Ints = ints(2)  # numbers of the fault
    tie_rule: int = ints()  # switch absorb_tie
    count_rule: int = ints()  # switch absorb_count
    village_rule: int = ints()  # switch village_squares
    pagodas: int = ints()  # of each player, on the board or not
    phase: int = ints()
    turns: int = ints()  # turns completed
    after_tile: int = ints()  # 1 if a tile ended the last turn, 0 if a pass
    # Hands
    supply: int = ints()  # tiles to draw
    unseen: Ints = ints(6)  # tiles of each kind in the supply or among unknown ones
    held: Ints = ints(5)  # tiles in hand, by seat
    known: Ints = ints(5, 6)  # known tiles in hand, by seat and kind
    unknowns: Ints = ints(5)  # unknown tiles in hand
    maybe: Ints = ints(5, 3)  # kinds that each may be, as bits, the oldest first
    narrowed: int = ints()  # 1 once a pass has told something about an unknown tile
    fits: Ints = ints(5)  # kinds that fit somewhere, as bits; filled when asked
    open_pair: int = ints()  # pair of cells where the last tile looked for would fit
    # Land
    colour: Ints = ints(CELLS)  # GRASS, BLOCKED, or 1 + colour
    beside: Ints = ints(CELLS)  # coloured neighbours
    area: Ints = ints(CELLS)  # root of the area
    link: Ints = ints(CELLS)  # next cell of the area, in a ring
    squares: Ints = ints(CELLS)  # by root: squares
    first: Ints = ints(CELLS)  # by root: first cell in reading order
    touches: Ints = ints(CELLS)  # by root: villages beside it, as bits
    owner: Ints = ints(CELLS)  # by root: seat or NOBODY
    height: Ints = ints(CELLS)  # by root: pagodas
    holder: Ints = ints(MOST_VILLAGES)  # by village: seat or NOBODY
    covers: int = ints()
    cover: Ints = ints(CELLS)  # coloured cells in the order in which they became so
    # The tile at hand: it makes or changes one area, or two of unlike colours
    parts: int = ints()
    part_colour: Ints = ints(2)
    joins: Ints = ints(2)  # areas that it joins
    joined: Ints = ints(2, 6)  # their roots
    kept: Ints = ints(2)  # root of the province that absorbs the others, or NOBODY
    part_owner: Ints = ints(2)  # seat, NOBODY for a single square
    part_squares: Ints = ints(2)
    part_first: Ints = ints(2)
    part_touches: Ints = ints(2)
    part_raised: Ints = ints(2)  # 1 if it becomes major
    given_villages: int = ints()  # villages that it gives to others, as bits
    near: Ints = ints(5)  # pagodas in provinces that touch the village looked at, by seat
    tally: Ints = ints(8)  # what the last tile did
    # Marks: a root is marked while its entry is the mark's number
    mark: int = ints()
    marked: Ints = ints(CELLS)  # areas that the tile at hand joins
    near_mark: int = ints()
    near_marked: Ints = ints(CELLS)  # provinces counted at the village looked at
    # What a hand could do; see `rules_choices`
    covers_seen: int = ints()  # coloured cells that the next fields know of
    signs: Ints = ints(CELLS)  # what lies beside each cell, as bits
    side: Ints = ints(CELLS, 3)  # a cell of each colour beside it, or cell 0, of which nothing is beside
    spots: int = ints()
    spot: Ints = ints(2 * ROWS * COLUMNS)  # where a tile touches: two cells, and colours of one area beside both
    odd: Ints = ints(2 * ROWS * COLUMNS)  # spots that are looked at
    standing: Ints = ints(MOST_VILLAGES, 5)  # pagodas in provinces that touch each village, by seat
    growing: Ints = ints(MOST_VILLAGES)  # whose minor provinces touch it, as bits; bit 5 for lone squares
    within: Ints = ints(SWINGS)  # others' villages, as bits, that so many pagodas more would win


@rule
def reset(state: State, board: Board, players: int, options: Ints) -> None:
    """Setup: the empty board, all tiles in the supply."""
    state.players = players
    state.epoch = 0
    state.tie_rule, state.count_rule, state.village_rule = options[0], options[1], options[2]
    state.pagodas = board.pagodas[players]
    state.phase = DEALING
    state.turn_seat = 0
    state.turns = 0
    state.after_tile = 0
    state.open_pair = 0
    state.mark = 0
    state.near_mark = 0
    state.covers = state.covers_seen = state.spots = 0
    reset_hands(state, board)
    for cell in range(CELLS):
        state.colour[cell] = board.ground[cell]
        state.beside[cell] = 0
        state.marked[cell] = 0
        state.near_marked[cell] = 0
        state.signs[cell] = 0
        for hue in range(3):
            state.side[cell, hue] = 0
    state.area[0] = state.squares[0] = state.touches[0] = 0
    state.owner[0] = NOBODY
    for village in range(MOST_VILLAGES):
        state.holder[village] = NOBODY
    for i in range(board.starts):
        begin_area(state, board, board.start[i], board.ground[board.start[i]])
    for i in range(state.tally.size):
        state.tally[i] = 0


@rule
def reset_hands(state: State, board: Board) -> None:
    state.supply = 0
    for kind in range(6):
        state.unseen[kind] = board.tiles[kind]
        state.supply += board.tiles[kind]
    state.narrowed = 0
    for seat in range(state.players):
        state.score[seat] = 0
        state.held[seat] = 0
        state.unknowns[seat] = 0
        for kind in range(6):
            state.known[seat, kind] = 0


@rule
def begin_area(state: State, board: Board, cell: int, colour: int) -> None:
    """A single square, which nobody owns."""
    state.colour[cell] = colour
    state.cover[state.covers] = cell
    state.covers += 1
    for step in STEPS:
        state.beside[cell + step] += 1
    state.area[cell] = cell
    state.link[cell] = cell
    state.squares[cell] = 1
    state.first[cell] = cell
    state.touches[cell] = board.touch[state.village_rule, cell]
    state.owner[cell] = NOBODY
    state.height[cell] = 0


@rule
def put_pagoda(state: State, sink: Sink, seat: int, source: int, square: int) -> bool:
    """A player's pagoda goes onto the board; True if it was his last and the game stops (End)."""
    award(state.score, sink, seat, source, square, 1)
    return bool(state.score[seat] == state.pagodas)
