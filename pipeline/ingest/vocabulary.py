"""A title's code book as arrays: which words there are, and which an action takes."""

from __future__ import annotations

from functools import cache

from pipeline import titles
from pipeline.records import FIELDS
from pipeline.titles.contract import Book, Field, TitleError, Word
from pipeline.titles.state import Ints, Layout, ints

KEY, ACTION, ITEM, PLACE, TARGET = range(5)
SLOTS = 2048
INTS = 64
MOST_TEXT, MOST_ACTIONS, MOST_WORDS = 8192, 32, 512
ABSENT, REQUIRED, OPTIONAL, SEAT = range(4)


class Vocabulary(Layout):
    """Open-addressed tables of words [kinds, slots] over one buffer, and what each action takes.

    `takes` [actions, 6] is ABSENT, REQUIRED, OPTIONAL, or SEAT (a target that is a seat);
    `items`, `places`, `targets` [actions, words] say which words it takes; `numbers` [64] are the
    codes of items that are whole numbers. One layout for all titles: the scan is compiled once.
    """

    text: Ints = ints(MOST_TEXT)
    begin: Ints = ints(5, SLOTS)
    length: Ints = ints(5, SLOTS)
    code: Ints = ints(5, SLOTS)
    numbers: Ints = ints(INTS)
    actions: int = ints()
    takes: Ints = ints(MOST_ACTIONS, len(FIELDS))
    items: Ints = ints(MOST_ACTIONS, MOST_WORDS)
    places: Ints = ints(MOST_ACTIONS, MOST_WORDS)
    targets: Ints = ints(MOST_ACTIONS, MOST_WORDS)


def word_slot(word: bytes) -> int:
    """Where a word's search begins: FNV-1a, as in `scan.find_word`."""
    value = 0x811C9DC5
    for byte in word:
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return value % SLOTS


@cache
def vocabulary(title: str, board: str) -> Vocabulary:
    """The arrays of a title's code book on a board. Raises TitleError when the book is too large."""
    book = titles.load(title).book(board)
    found = Vocabulary.new()
    found.begin[:] = -1
    found.numbers[:] = -1
    kinds: tuple[tuple[Word, ...], ...] = (
        FIELDS,
        tuple(action.name for action in book.actions),
        book.items,
        book.places,
        book.targets,
    )
    if len(book.actions) > MOST_ACTIONS or max(map(len, kinds)) > MOST_WORDS:
        raise TitleError(f"{title} has more than {MOST_ACTIONS} actions or {MOST_WORDS} words of a kind")
    text = bytearray()
    for kind, words in enumerate(kinds):
        for index, word in enumerate(words):
            if isinstance(word, int):
                if 0 <= word < INTS:
                    found.numbers[word] = index
                continue
            raw = word.encode()
            slot = word_slot(raw)
            while found.begin[kind, slot] >= 0:
                slot = (slot + 1) % SLOTS
            found.begin[kind, slot], found.length[kind, slot] = len(text), len(raw)
            found.code[kind, slot] = index
            text += raw
    if len(text) > MOST_TEXT:
        raise TitleError(f"the words of {title} have more than {MOST_TEXT} bytes in all")
    found.text[: len(text)] = list(text)
    _fill_actions(found, book)
    return found


def _fill_actions(found: Vocabulary, book: Book) -> None:
    found.actions = len(book.actions)
    for row, action in enumerate(book.actions):
        found.takes[row, 0] = {True: REQUIRED, False: ABSENT, None: OPTIONAL}[action.seat]
        found.takes[row, 1] = REQUIRED
        found.takes[row, 5] = REQUIRED if action.amount else ABSENT
        target = action.target if isinstance(action.target, Field) else None
        for column, field, allowed, words in (
            (2, action.item, found.items, book.items),
            (3, action.place, found.places, book.places),
            (4, target, found.targets, book.targets),
        ):
            if field is None:
                continue
            optional = field.optional or (column == 2 and action.unknown)
            found.takes[row, column] = OPTIONAL if optional else REQUIRED
            wanted = set(field.words)
            allowed[row, : len(words)] = [word in wanted for word in words]
        if action.target == "seat":
            found.takes[row, 4] = SEAT
