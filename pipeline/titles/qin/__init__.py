"""Qin (Reiner Knizia, 2012): tiles, provinces, villages and pagodas."""

from __future__ import annotations

from pipeline.titles.contract import Book, Choice, Fact, Title
from pipeline.titles.qin import codes, measures, options

FACTS = (
    Fact("tiles", "tiles in hand before the turn", "tiles"),
    Fact("placements", "legal placements: kind, squares and direction", "choices"),
    Fact("takeovers", "of them, those that take a province or a village from another", "choices"),
    Fact("can_take", "1 if a takeover was possible"),
    Fact("can_spare", "1 if a placement without takeover was possible"),
    Fact("took", "1 if a province or a village was taken from another"),
    Fact("passed", "1 if nothing fitted and the seat passed"),
    Fact("new_provinces", "provinces that were founded", "pagodas"),
    Fact("new_majors", "own provinces that became major", "pagodas"),
    Fact("new_villages", "empty villages that were settled", "pagodas"),
    Fact("conquered_villages", "villages taken from others", "pagodas"),
    Fact("absorbed_provinces", "others' provinces that an own one absorbed", "pagodas"),
    Fact("own_lost", "own pagodas that went back", "pagodas"),
    Fact("others_gained", "pagodas that others placed by this tile", "pagodas"),
    Fact("others_lost", "others' pagodas that went back", "pagodas"),
    Fact("last_pagoda", "1 if somebody placed his last pagoda"),
)


def book(board: str) -> Book:
    """One code book for all boards; it is asked for first, so a missing board is found here."""
    options.load_board(board)
    return codes.BOOK


TITLE = Title(
    name="qin",
    label="Qin",
    module="pipeline.titles.qin",
    seats=(2, 3, 4),
    options=options.OPTIONS,
    facts=FACTS,
    encode_options=options.encode_options,
    board_id=options.board_id,
    book=book,
    load_board=options.load_board,
    choice=Choice("taking over", "placing without taking over", "can_take", "can_spare", "took"),
    measures=measures.MEASURES,
)
