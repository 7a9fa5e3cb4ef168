"""Kingdoms: it has no options but the number of players; its tiles and castles are data."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from pipeline.titles.boards import read_board
from pipeline.titles.kingdoms.codes import CASTLES, TILES
from pipeline.titles.state import Ints, Layout, ints

OPTIONS = ()


class Board(Layout):
    """What is in the box."""

    tiles: Ints = ints(len(TILES))  # of each kind
    castles: Ints = ints(5, len(CASTLES))  # a player, by number of players and rank - 1


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
    return board
