"""Chang Cheng: options and switches, and the boards as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from pipeline.titles.boards import read_board
from pipeline.titles.chang_cheng.codes import (
    AREAS_A_BOARD,
    CARDS,
    FAME_VALUES,
    SIDES,
    SITES_A_BOARD,
    THREAT_VALUES,
)
from pipeline.titles.contract import Option, TitleError
from pipeline.titles.state import Ints, Layout, ints

BOARD_ID = "chang-cheng-reconstructed"


def _two_player_games(players: int) -> tuple[Any, ...]:
    return ("neutral", "teams") if players == 2 else ("neutral",)


OPTIONS = (
    Option("boards", "side class of the boards in play", ("A", "B"), lambda players: "A"),
    Option(
        "two_players",
        "two players: a neutral colour of 12 walls, or two colours each; without meaning for more",
        ("neutral", "teams"),
        lambda players: "neutral",
        players=_two_player_games,
    ),
    Option("events", "event cards in play: none or two", CARDS, lambda players: [], many=(0, 2)),
    Option(
        "double_order",
        "a double wall that completes two provinces: scored from the west, or as its owner chooses",
        ("west_east", "chosen"),
        lambda players: "west_east",
    ),
)

CLASS, TEAMS, NEUTRAL, CHOSEN_ORDER, FIRST_CARD = range(5)


class Board(Layout):
    """What is in the box. Sites are numbered over all sides as in the code book."""

    province: Ints = ints(len(SIDES) * SITES_A_BOARD)  # of each site, numbered on its board
    region: Ints = ints(len(SIDES) * SITES_A_BOARD)
    first: Ints = ints(len(SIDES) * AREAS_A_BOARD)  # first site of each province, on its board
    width: Ints = ints(len(SIDES) * AREAS_A_BOARD)  # sites of each province
    region_width: Ints = ints(len(SIDES) * AREAS_A_BOARD)  # sites of each region
    fame: Ints = ints(5)  # tokens of each value
    threat: Ints = ints(5)
    walls: int = ints()  # of a colour
    neutral_walls: int = ints()
    emperors: int = ints()  # tiles that bring an extension
    extensions: Ints = ints(5)  # by number of players


def encode_options(options: Mapping[str, Any], players: int) -> tuple[int, ...]:
    teams = players == 2 and options["two_players"] == "teams"
    return (
        "AB".index(options["boards"]),
        int(teams),
        int(players == 2 and not teams),
        int(options["double_order"] == "chosen"),
        *(int(card in options["events"]) for card in CARDS),
    )


def board_id(options: Mapping[str, Any]) -> str:
    return BOARD_ID


@cache
def load_board(name: str) -> Board:
    """The boards and tokens. Raises TitleError when the data are not there or not whole."""
    facts = read_board("chang_cheng", name)
    board = Board.new()
    try:
        for number, side in enumerate(SIDES):
            _read_side(board, number, facts["sides"][side])
        for value in FAME_VALUES:
            board.fame[value] = facts["fame_tokens"][str(value)]
        for value in THREAT_VALUES:
            board.threat[value] = facts["threat_tokens"][str(value)]
        board.walls = facts["single_walls"]
        board.neutral_walls = facts["neutral_walls"]
        board.emperors = facts["emperor_tiles"]
        for players in (2, 3, 4):
            board.extensions[players] = facts["extensions"][f"players{players}"]
    except (KeyError, TypeError, ValueError) as error:
        raise TitleError(f"board {name!r} of chang_cheng lacks {error}") from error
    if not all(0 <= board.extensions[players] <= 2 for players in (2, 3, 4)):
        raise TitleError(f"board {name!r} of chang_cheng: four boards allow two extensions at most")
    if board.emperors < 1 or board.fame.sum() < 12 or board.threat.sum() < 12:
        raise TitleError(f"board {name!r} of chang_cheng has too few tokens for four boards")
    return board


def _read_side(board: Board, number: int, facts: Mapping[str, Any]) -> None:
    """One side: the widths of its provinces and regions, west to east."""
    first = number * SITES_A_BOARD
    for kind, areas in (("provinces", board.province), ("regions", board.region)):
        widths = facts[kind]
        if len(widths) != AREAS_A_BOARD or sum(widths) != SITES_A_BOARD or min(widths) < 1:
            raise TitleError(
                f"side {SIDES[number]} of chang_cheng: its {kind} must be {AREAS_A_BOARD} with "
                f"{SITES_A_BOARD} sites together, not {widths}"
            )
        site = first
        for i, width in enumerate(widths):
            areas[site : site + width] = i
            if kind == "provinces":
                board.first[number * AREAS_A_BOARD + i] = site - first
                board.width[number * AREAS_A_BOARD + i] = width
            else:
                board.region_width[number * AREAS_A_BOARD + i] = width
            site += width
