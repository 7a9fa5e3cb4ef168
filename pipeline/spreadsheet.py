"""Text cells of CSV that a spreadsheet would take for formulas: they get an apostrophe before them.

Such a text begins with `=`, `@`, a tab or a carriage return, or with `+` or `-` and is no number (`+3`, `-1` stay as
they are). Numbers, and text in JSON and Parquet, are never changed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

MARK = "'"
STARTS = r"^[=@\t\r]"
SIGNED = r"^[+-](?s:.)"
NUMBER = r"^[+-][0-9]+([.,][0-9]+)*([eE][+-]?[0-9]+)?\z"
"""In the words that RE2 and Rust's `regex` share, which have no look-ahead."""


def is_formula(text: str) -> bool:
    """Whether a spreadsheet may take this text for a formula."""
    number = NUMBER.replace(r"\z", r"\Z")
    return bool(re.match(STARTS, text) or (re.match(SIGNED, text) and not re.match(number, text)))


def guarded(text: str) -> str:
    """The text as it stands in a cell of CSV."""
    return MARK + text if is_formula(text) else text


def guarded_column(column: pa.Array) -> pa.Array:
    """A column of texts as it stands in CSV."""
    import pyarrow as pa
    import pyarrow.compute as pc

    starts, signed, number = (pc.match_substring_regex(column, pattern) for pattern in (STARTS, SIGNED, NUMBER))
    risky = pc.or_(starts, pc.and_not(signed, number))
    marked = pc.binary_join_element_wise(pa.scalar(MARK, column.type), column, pa.scalar("", column.type))
    return pc.if_else(risky, marked, column)


def csv_of(frame: pl.DataFrame) -> bytes:
    """A frame as CSV, its texts and headings guarded."""
    import polars as pl

    texts = [pl.Series(column.name, guarded_column(column.to_arrow())) for column in frame.select(pl.col(pl.String))]
    return frame.with_columns(texts).rename(guarded).write_csv().encode()
