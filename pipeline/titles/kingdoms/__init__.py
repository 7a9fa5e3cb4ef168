"""Kingdoms (Reiner Knizia, 1994), the edition with 22 tiles."""

from __future__ import annotations

from pipeline.titles.contract import Book, Choice, Fact, Title
from pipeline.titles.kingdoms import codes, measures, options

FACTS = (
    Fact("empty_cells", "empty cells before the turn", "cells"),
    Fact("castles_left", "the seat's castles in hand before the turn", "castles"),
    Fact("can_draw", "1 if the supply had a tile"),
    Fact("can_castle", "1 if the seat had a castle to place"),
    Fact("has_bonus", "1 if the seat still held its bonus tile"),
    Fact("choices", "legal placements: kinds of piece x empty cells", "choices"),
    Fact("drew", "1 if the seat drew and placed a tile"),
    Fact("castle_rank", "rank of the castle that was placed; -1 if none was", "rank"),
    Fact("played_bonus", "1 if the bonus tile was placed"),
)


def book(board: str) -> Book:
    return codes.BOOK


TITLE = Title(
    name="kingdoms",
    label="Kingdoms",
    module="pipeline.titles.kingdoms",
    seats=(2, 3, 4),
    options=options.OPTIONS,
    facts=FACTS,
    encode_options=options.encode_options,
    board_id=options.board_id,
    book=book,
    load_board=options.load_board,
    choice=Choice("drawing a tile", "placing a castle", "can_draw", "can_castle", "drew"),
    measures=measures.MEASURES,
)
