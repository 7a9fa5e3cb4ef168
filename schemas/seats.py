"""`seats`: one row a game and seat."""

import pyarrow as pa

from schemas.table import Column, Table

SEATS = Table(
    "seats",
    "one row per game and seat",
    ("game_id", "seat"),
    (
        Column("game_id", pa.int64(), "the game"),
        Column("seat", pa.int8(), "turn order: seat 0 acts first", "0-based"),
        Column("player", pa.string(), "stable name or id of the player", "", "the source does not say"),
        Column("kind", pa.string(), "`human` or `bot`"),
        Column("source_seat", pa.string(), "the source's own label of the seat", "", "it has none"),
        Column(
            "stated_score",
            pa.int64(),
            "the score that the source states; compared with the replayed one, never trusted",
            "points",
            "not stated",
        ),
        Column("stated_rank", pa.int16(), "the rank that the source states", "1 is best", "not stated"),
    ),
)
