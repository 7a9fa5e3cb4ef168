"""A title's code book as a table, for the lake and for SQL."""

from __future__ import annotations

import pyarrow as pa

from pipeline import titles
from schemas import CODEBOOK


def codebook_table(title: str, board: str) -> pa.Table:
    """All words of a title on a board with their codes. Raises KeyError for an unknown title."""
    book = titles.load(title).book(board)
    kinds = {
        "action": [action.name for action in book.actions],
        "item": [str(word) for word in book.items],
        "place": list(book.places),
        "target": list(book.targets),
        "source": list(book.sources),
        "score_place": list(book.score_places),
    }
    rows = [(kind, code, word) for kind, words in kinds.items() for code, word in enumerate(words)]
    rows += [("fault", code, name) for code, (name, _) in sorted(book.faults.items())]
    seats = [(code, action.name) for code, action in enumerate(book.actions) if action.target == "seat"]
    rows += [("seat_target", code, name) for code, name in seats]
    return pa.table(
        {
            "title": [title] * len(rows),
            "board": [board] * len(rows),
            "kind": [kind for kind, _, _ in rows],
            "code": pa.array([code for _, code, _ in rows], pa.int16()),
            "word": [word for _, _, word in rows],
        },
        schema=CODEBOOK.schema,
    )
