"""Words for an event of canonical tables that its title does not know."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.ingest.vocabulary import ABSENT, OPTIONAL, SEAT, vocabulary
from pipeline.records import FIELDS
from pipeline.titles import load
from pipeline.titles.contract import Book, Word
from pipeline.wording import quoted


def misfit_in_words(title: str, board: str, players: int, codes: Sequence[int]) -> str:
    """What is wrong with an event's six codes, as `scan.event_fits` finds it, with field and value."""
    book = load(title).book(board)
    words = vocabulary(title, board)
    action = int(codes[1])
    if not 0 <= action < len(book.actions):
        return f"action {action} is unknown; the actions of {title} are 0 to {len(book.actions) - 1}"
    name = book.actions[action].name
    allowed = {"item": words.items, "place": words.places, "target": words.targets}
    for at, field in enumerate(FIELDS):
        value, takes = int(codes[at]), int(words.takes[action, at])
        if field == "action":
            continue
        if value < -1:
            return f"{field} {value} is out of range"
        if value == -1 and takes != ABSENT and takes != OPTIONAL:
            return f"{name} needs a seat" if field == "seat" else f"{name} needs the field {field}"
        if value >= 0 and takes == ABSENT:
            return f"{name} takes no {field}, here it is {_named(book, field, value)}"
        if field == "seat" and value >= players:
            return f"there is no seat {value} among {players}"
        known = allowed.get(field)
        if known is not None and value >= 0 and takes != SEAT and not known[action, value : value + 1].any():
            return f"{name} knows no {field} {_named(book, field, value)}"
    return "the event is unknown"


def _named(book: Book, field: str, value: int) -> str:
    """A code with its word, where the title has one."""
    tables: dict[str, tuple[Word, ...]] = {"item": book.items, "place": book.places, "target": book.targets}
    texts = tables.get(field, ())
    return f"{quoted(texts[value])} (code {value})" if value < len(texts) else str(value)
