"""`rejects`: one row a record that is not among the games, with the reason."""

import pyarrow as pa

from schemas.table import Column, Table

REJECTS = Table(
    "rejects",
    "one row per rejected record",
    ("file", "line"),
    (
        Column("file", pa.string(), "the file that the record was read from"),
        Column("line", pa.int64(), "its line, from 1 (for tables: its row)"),
        Column("title", pa.string(), "the title", "", "it could not be read"),
        Column("source", pa.string(), "the source", "", "it could not be read"),
        Column("id", pa.string(), "the source's name of the game", "", "it could not be read"),
        Column("game_id", pa.int64(), "the game's number", "", "it could not be read"),
        Column("ply", pa.int32(), "the first event that cannot stand there", "0-based", "a fault of the header"),
        Column("fault", pa.string(), "short name of the fault, for counting"),
        Column("message", pa.string(), "the reason, one sentence for a person"),
        Column("record", pa.string(), "the record's first 2,000 characters", "", "it is in `moves`"),
    ),
)
