"""Call to Glory: the two variants; cards, minimum sizes and tasks are data."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from pipeline.titles.boards import read_board
from pipeline.titles.call_to_glory.codes import CHARACTERS, DECKS, KINDS, VALUES
from pipeline.titles.contract import Option, TitleError
from pipeline.titles.state import Ints, Layout, ints

NAME = "call_to_glory"
MOST_CARDS = 128


def _off(players: int) -> bool:
    return False


OPTIONS = (
    Option("tasks", "imperial tasks: three rounds, after each of them a task", (False, True), _off),
    Option("ninjas", "the power of the ninja: miniatures take cards off sets", (False, True), _off),
)


class Board(Layout):
    """What is in the box, and the numbers that depend on the number of players."""

    hand: int = ints()  # cards dealt to each player
    cards: int = ints()  # in all
    miniatures: int = ints()
    rounds: Ints = ints(2)  # without and with tasks
    values: Ints = ints(KINDS)
    copies: Ints = ints(KINDS)
    minimum: Ints = ints(5, KINDS)  # least cards of a set, by number of players
    sets_to_end: Ints = ints(5)  # by number of players
    bonus: Ints = ints(len(DECKS))  # points a card
    has_task: Ints = ints(len(DECKS), KINDS)  # 1 if the deck has a task of that character


def encode_options(options: Mapping[str, Any], players: int) -> tuple[int, ...]:
    return int(options["tasks"]), int(options["ninjas"])


def board_id(options: Mapping[str, Any]) -> str:
    return "call-to-glory-110"


@cache
def load_board(name: str) -> Board:
    """The components of an edition. Raises TitleError when the data are not there or not whole."""
    facts = read_board(NAME, name)
    board = Board.new()
    try:
        _fill(board, facts)
    except (KeyError, TypeError, ValueError) as error:
        raise TitleError(f"board {name!r} of {NAME} lacks or misstates {error}") from error
    return board


def _fill(board: Board, facts: Mapping[str, Any]) -> None:
    board.hand = facts["hand"]
    board.miniatures = facts["miniatures"]
    board.rounds[:] = [facts["rounds"], facts["rounds_with_tasks"]]
    board.values[:] = [facts["values"][character] for character in CHARACTERS]
    board.copies[:] = [facts["copies"][character] for character in CHARACTERS]
    board.cards = sum(board.copies)
    for players in (2, 3, 4):
        least = facts["minimum"][f"players{players}"]
        board.minimum[players] = [least.get(character, 2) for character in CHARACTERS]
        board.sets_to_end[players] = facts["sets_to_end"][f"players{players}"]
    for i, deck in enumerate(DECKS):
        board.bonus[i] = facts["tasks"][deck]["bonus"]
        for value in facts["tasks"][deck]["values"]:
            board.has_task[i, VALUES.index(value)] = 1
    if board.cards > MOST_CARDS:
        raise ValueError(f"copies: there are {board.cards} cards, at most {MOST_CARDS} can be")
    if any(sum(deck) < 4 for deck in board.has_task):
        raise ValueError("tasks: a deck has fewer than four")
    if max(board.rounds) > 4 or min(board.rounds) < 1 or board.rounds[1] > len(DECKS):
        raise ValueError("rounds: at most four, and with tasks at most three")
