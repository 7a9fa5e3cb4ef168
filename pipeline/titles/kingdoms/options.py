"""Kingdoms: it has no options but the number of players; its tiles and castles are data."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from pipeline.titles.boards import read_board
from pipeline.titles.kingdoms.codes import CASTLES, DRAGON, GOLD_MINE, TILES
from pipeline.titles.state import Ints, Layout, ints

OPTIONS = ()


class Board(Layout):
    """What is in the box."""

    tiles: Ints = ints(len(TILES))  # of each kind
    castles: Ints = ints(5, len(CASTLES))  # a player, by number of players and rank - 1
    # By item; the last number, 0, is that of an empty cell, which is -1.
    weight: Ints = ints(len(TILES) + len(CASTLES) + 1)  # what it adds to its lines, see `weights`
    rank: Ints = ints(len(TILES) + len(CASTLES) + 1)  # of a castle; 0 of a tile


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
    board.weight[:-1] = weights()
    board.rank[len(TILES) : -1] = range(1, len(CASTLES) + 1)
    return board


HAZARDS, DRAGONS, GOLD_MINES = (1 << shift for shift in (8, 16, 20))
"""Units in which a segment's items are added up in one number; resources count by 1."""


def weights() -> list[int]:
    """Each item's part in the sum of its segment: six of them hold less than each unit's room."""
    found = []
    for tile in TILES:
        value = int(tile) if tile[0] in "+-" else 0
        found.append(max(value, 0) + HAZARDS * max(-value, 0))
    found[DRAGON] = DRAGONS
    found[GOLD_MINE] = GOLD_MINES
    return [*found, *[0] * len(CASTLES)]
