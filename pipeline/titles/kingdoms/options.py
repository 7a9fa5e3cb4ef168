"""Kingdoms: it has no options but the number of players; its tiles and castles are data."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from pipeline.titles.boards import read_board
from pipeline.titles.kingdoms.codes import CASTLES, DRAGON, GOLD_MINE, MOUNTAIN, TILES
from pipeline.titles.state import Ints, Layout, ints

OPTIONS = ()


class Board(Layout):
    """What is in the box."""

    tiles: Ints = ints(len(TILES))  # of each kind
    castles: Ints = ints(5, len(CASTLES))  # a player, by number of players and rank - 1
    weight: Ints = ints(len(TILES) + len(CASTLES))  # what an item adds to its lines, see `weights`


def encode_options(options: Mapping[str, Any], players: int) -> tuple[int, ...]:
    return ()


def board_id(options: Mapping[str, Any]) -> str:
    return "kingdoms-22"


@cache
def load_board(name: str) -> Board:
    """The components of an edition. Raises TitleError when the data are not there or not whole."""
    facts = read_board("kingdoms", name)
    board = Board.new()
    board.tiles[:] = [facts["tiles"][tile] for tile in TILES]
    for players in (2, 3, 4):
        board.castles[players] = facts["castles"][f"players{players}"]
    board.weight[:] = weights()
    return board


HAZARDS, DRAGONS, GOLD_MINES, MOUNTAINS = (1 << shift for shift in (8, 16, 20, 24))
"""Units in which a line's items are added up in one number; resources count by 1."""


def weights() -> list[int]:
    """Each item's part in the sum of its line: a line of six holds less than each unit's room."""
    found = []
    for tile in TILES:
        value = int(tile) if tile[0] in "+-" else 0
        found.append(max(value, 0) + HAZARDS * max(-value, 0))
    found[DRAGON] = DRAGONS
    found[GOLD_MINE] = GOLD_MINES
    found[MOUNTAIN] = MOUNTAINS
    return [*found, *[0] * len(CASTLES)]
