"""Qin: names <-> integers."""

from __future__ import annotations

from pipeline.titles.contract import Action, Book, Field, Turn

KINDS = ("RR", "YY", "BB", "RY", "RB", "YB")
COLOURS = ("R", "Y", "B")
ROWS, COLUMNS = 13, 13
SQUARES = tuple(f"{column}{row}" for row in range(1, ROWS + 1) for column in "abcdefghijklm")

DEAL, TILE, DRAW, PASS = range(4)
PROVINCE, MAJOR_PROVINCE, VILLAGE = range(3)

(
    NOT_GRASS,
    TAKEN,
    NOT_NEIGHBOURS,
    NOT_TOUCHING,
    TWO_MAJORS,
    EQUAL_SQUARES,
    NOT_IN_HAND,
    NO_MORE,
    HAND_FULL,
    SUPPLY_EMPTY,
    DRAW_DUE,
    CAN_PLACE,
    CONTRADICTION,
    DEAL_DUE,
) = range(20, 34)

BOOK = Book(
    actions=(
        Action("deal", True, Turn.NATURE, item=Field(KINDS), unknown=True),
        Action("tile", True, Turn.OPENS, item=Field(KINDS), place=Field(SQUARES), target=Field(SQUARES)),
        Action("draw", True, Turn.NATURE, item=Field(KINDS), unknown=True),
        Action("pass", True, Turn.OPENS),
    ),
    items=KINDS,
    places=SQUARES,
    targets=SQUARES,
    sources=("province", "major", "village"),
    score_places=SQUARES,
    faults={
        NOT_GRASS: ("not_grass", "{a_place} is no grass: no tile can lie there"),
        TAKEN: ("square_taken", "{a_place} is taken already"),
        NOT_NEIGHBOURS: ("not_neighbouring", "{place} and {target} are no neighbours"),
        NOT_TOUCHING: ("not_touching", "{item} on {place} and {target} touches no coloured square"),
        TWO_MAJORS: ("joins_majors", "{item} on {place} and {target} would join two major provinces"),
        EQUAL_SQUARES: (
            "join_of_equals",
            "{item} on {place} and {target} would join provinces of equally strong players",
        ),
        NOT_IN_HAND: ("tile_not_in_hand", "seat {seat} has no {item}"),
        NO_MORE: ("tile_used_up", "no {item} is left: all of them have been seen"),
        HAND_FULL: ("hand_full", "seat {seat} has three tiles already"),
        SUPPLY_EMPTY: ("supply_empty", "no tile is left to draw"),
        DRAW_DUE: ("draw_missing", "seat {a} must draw a tile first"),
        CAN_PLACE: ("pass_not_forced", "seat {seat} may pass only when none of its tiles fits"),
        CONTRADICTION: (
            "unknown_tiles_contradict",
            "seat {seat} cannot have {item}: the tiles that made players pass would not go round",
        ),
        DEAL_DUE: ("deal_missing", "seat {a} has not been dealt its three tiles yet"),
    },
)
