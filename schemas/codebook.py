"""`codebook`: one row a word, what the small integers of a title mean."""

import pyarrow as pa

from schemas.table import Column, Table

CODEBOOK = Table(
    "codebook",
    "one row per title, board, kind and code",
    ("title", "board", "kind", "code"),
    (
        Column("title", pa.string(), "the title"),
        Column("board", pa.string(), "id of the board that the words are of"),
        Column(
            "kind",
            pa.string(),
            "`action`, `item`, `place`, `target`, `source`, `score_place`, `fault`, or `seat_target`: "
            "an action whose target is a seat",
        ),
        Column("code", pa.int16(), "the integer that the tables hold"),
        Column("word", pa.string(), "the word that records and reports use"),
    ),
)
