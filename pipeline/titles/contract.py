"""What a title is: its words, its options, its facts, and the functions that its rules must offer.

A title is one folder with the same files everywhere (see `CONTRIBUTING.md`). This module has the
plain descriptions; `pipeline.titles.state` has what the compiled rules share.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from types import ModuleType
from typing import Any

import pyarrow as pa

from pipeline.titles.measure import Measure
from pipeline.wording import listed, quoted

Word = str | int
"""A code book's entry: a word, or a whole number where the rules page says value or rank."""

MAX_SEATS = 5
NATURE = -1
NONE = -1
"""In the loops: a field that the action does not take, or an item that the source could not see."""


class Turn(IntEnum):
    """How an action moves the counter of turns."""

    NATURE = 0
    """belongs to the turn at hand"""
    OPENS = 1
    """always a new turn"""
    ACTS = 2
    """a new turn when another seat acts, or after a BREAK"""
    CONTINUES = 3
    """a decision within the turn at hand, whoever makes it"""
    BREAK = 4
    """belongs to the turn at hand (or to the first); what acts next opens a new turn"""


@dataclass(frozen=True)
class Field:
    """What an action takes in one field: these words; `optional` where it may be absent."""

    words: tuple[Word, ...]
    optional: bool = False


@dataclass(frozen=True)
class Action:
    """One word of a record's `action`, and which other fields stand beside it.

    `seat`: True an actor, False nature, None either. `unknown`: the item may be null because the
    source could not see it. `target` is "seat" or a field of words. `amount` says whether a number
    of pieces stands there.
    """

    name: str
    seat: bool | None
    turn: Turn
    item: Field | None = None
    place: Field | None = None
    target: Field | str | None = None
    amount: bool = False
    unknown: bool = False


@dataclass(frozen=True)
class Book:
    """A title's code book: a word's code is its index. Words are only ever added, at the end.

    `score_places` are the words that name the place of a score event. `faults` give each fault a
    short name and a sentence; in it `{a}` and `{b}` stand for the fault's two numbers, and
    `{seat} {action} {item} {place} {target} {amount}` for the event's fields in words;
    `{a_item} {b_item} {a_place} {b_place} {a_target} {b_target}` turn the numbers into words.
    """

    actions: tuple[Action, ...]
    items: tuple[Word, ...]
    places: tuple[str, ...]
    targets: tuple[str, ...]
    sources: tuple[str, ...]
    score_places: tuple[str, ...]
    faults: Mapping[int, tuple[str, str]]

    @cached_property
    def action_code(self) -> dict[str, int]:
        return {action.name: code for code, action in enumerate(self.actions)}

    @cached_property
    def item_code(self) -> dict[Word, int]:
        return {word: code for code, word in enumerate(self.items)}

    @cached_property
    def place_code(self) -> dict[str, int]:
        return {word: code for code, word in enumerate(self.places)}

    @cached_property
    def target_code(self) -> dict[str, int]:
        return {word: code for code, word in enumerate(self.targets)}

    @cached_property
    def turn_classes(self) -> tuple[int, ...]:
        return tuple(int(action.turn) for action in self.actions)


@dataclass(frozen=True)
class Option:
    """An option or switch. `default` may depend on the number of players.

    `values` are all legal ones; `players` (if given) narrows them by player count.
    A list option (`many`) takes up to `many` different values, stored sorted. With `files` any other
    word is legal too: it names a board file, which is checked when the board is loaded.
    """

    name: str
    meaning: str
    values: tuple[Any, ...]
    default: Callable[[int], Any]
    players: Callable[[int], tuple[Any, ...]] | None = None
    many: tuple[int, ...] = ()
    files: bool = False

    def legal(self, players: int) -> tuple[Any, ...]:
        return self.players(players) if self.players else self.values


@dataclass(frozen=True)
class Fact:
    """A column that the title adds to `turns`: one number per turn, int32; -1 where it has none."""

    name: str
    meaning: str
    unit: str = ""
    type: pa.DataType = field(default_factory=pa.int32)


@dataclass(frozen=True)
class Choice:
    """The title's card exchange, or what stands for it: an act that a player may choose or be forced to.

    `open`, `other`, `done` name facts that are 1 or 0 per turn: was the act possible, was its
    alternative possible too, was it done. Done with `other` = 1 is chosen, with 0 forced.
    """

    act: str
    alternative: str
    open: str
    other: str
    done: str


class TitleError(ValueError):
    """Options, player counts or boards that a title does not have; the message is for a person."""


@dataclass(frozen=True)
class Title:
    """One set of rules. `module` is the folder's dotted name; rules, bots and show load when used.

    `encode_options(options, players)` turns complete options into the small integers that
    `rules.reset` reads. `board_id(options)` names the board data that a game rests on; `book(board)`
    is the code book on that board; `load_board(board)` the arrays that the rules read.
    `facts` are the title's columns of `turns`, in the order in which `rules` fills them; `measures` what
    its report shows of them.
    """

    name: str
    label: str
    module: str
    seats: tuple[int, ...]
    options: tuple[Option, ...]
    facts: tuple[Fact, ...]
    encode_options: Callable[[Mapping[str, Any], int], tuple[int, ...]]
    board_id: Callable[[Mapping[str, Any]], str]
    book: Callable[[str], Book]
    load_board: Callable[[str], Any]
    choice: Choice | None = None
    measures: tuple[Measure, ...] = ()
    compiled: bool = True

    @property
    def rules(self) -> ModuleType:
        return importlib.import_module(f"{self.module}.rules")

    @property
    def bots(self) -> ModuleType:
        return importlib.import_module(f"{self.module}.bots")

    @property
    def show(self) -> ModuleType:
        return importlib.import_module(f"{self.module}.show")

    def complete_options(self, given: Mapping[str, Any], players: int) -> dict[str, Any]:
        """All options with their values, sorted by name. Raises TitleError with one sentence."""
        if players not in self.seats:
            raise TitleError(f"{self.name} is for {listed(self.seats)} players, the record has {players} seats")
        known = {option.name for option in self.options}
        for name in given:
            if name == "players" and given[name] == players and type(given[name]) is int:
                continue
            if name not in known:
                raise TitleError(f"{self.name} has no option {name!r}")
        return {
            option.name: _value(self.name, option, given.get(option.name), players)
            for option in sorted(self.options, key=lambda option: option.name)
        }


def _value(title: str, option: Option, given: Any, players: int) -> Any:
    """One option's value, checked."""
    if given is None:
        return option.default(players)
    legal = option.legal(players)
    if option.many:
        fits = isinstance(given, list) and len(given) in option.many
        # Python takes True for 1, so kinds are compared beside values.
        fits = fits and all(_among(value, legal) for value in given)
        if fits and len(set(given)) == len(given):
            return sorted(given)
    elif _among(given, legal) or (option.files and isinstance(given, str)):
        return given
    wanted = listed(quoted(value) for value in legal)
    many = f" a list of {listed(option.many)} different ones of" if option.many else ""
    raise TitleError(
        f"option {option.name!r} of {title} with {players} players takes{many} {wanted}, not {quoted(given)}"
    )


def _among(value: Any, legal: tuple[Any, ...]) -> bool:
    return any(type(value) is type(word) and value == word for word in legal)
