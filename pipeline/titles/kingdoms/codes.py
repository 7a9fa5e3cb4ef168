"""Kingdoms: names <-> integers."""

from __future__ import annotations

from pipeline.titles.contract import Action, Book, Field, Turn

TILES = (
    *(f"+{value}" for value in range(1, 7)),
    *(f"-{value}" for value in range(1, 7)),
    "mountain",
    "dragon",
    "gold_mine",
)
CASTLES = ("castle1", "castle2", "castle3", "castle4")
CELLS = tuple(f"{row}{column}" for row in "ABCDE" for column in range(1, 7))

DEAL, CASTLE, TILE, BONUS, PASS = range(5)
MOUNTAIN, DRAGON, GOLD_MINE = 12, 13, 14
FIRST_CASTLE = len(TILES)
ROW, COLUMN = range(2)

(
    OCCUPIED,
    NO_CASTLE,
    NO_TILE,
    SUPPLY_EMPTY,
    NO_BONUS,
    OTHER_BONUS,
    CAN_ACT,
) = range(20, 27)

BOOK = Book(
    actions=(
        Action("deal", True, Turn.BREAK, item=Field(TILES), unknown=True),
        Action("castle", True, Turn.OPENS, item=Field(CASTLES), place=Field(CELLS)),
        Action("tile", True, Turn.OPENS, item=Field(TILES), place=Field(CELLS)),
        Action("bonus", True, Turn.OPENS, item=Field(TILES), place=Field(CELLS)),
        Action("pass", True, Turn.OPENS),
    ),
    items=(*TILES, *CASTLES),
    places=CELLS,
    targets=(),
    sources=("row", "column"),
    score_places=(*"ABCDE", *"123456"),
    faults={
        OCCUPIED: ("occupied_cell", "{place} is taken already"),
        NO_CASTLE: ("castle_not_owned", "seat {seat} has no {item} left to place"),
        NO_TILE: ("tile_not_in_supply", "no {item} is left: all of them have been seen in this epoch"),
        SUPPLY_EMPTY: ("supply_empty", "no tile is left in the supply"),
        NO_BONUS: ("bonus_already_played", "seat {seat} has no bonus tile in this epoch any more"),
        OTHER_BONUS: ("bonus_unlike_dealt", "seat {seat} was dealt {a_item} as bonus tile, not {item}"),
        CAN_ACT: ("pass_not_forced", "seat {seat} may pass only when it can neither draw nor place"),
    },
)
