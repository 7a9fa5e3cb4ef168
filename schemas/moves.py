"""`moves`: one row an event, the canonical log."""

import pyarrow as pa

from schemas.table import Column, Table

MOVES = Table(
    "moves",
    "one row per event",
    ("game_id", "ply"),
    (
        Column("game_id", pa.int64(), "the game"),
        Column("ply", pa.int32(), "index of the event in its game", "0-based"),
        Column(
            "turn",
            pa.int32(),
            "the players' turn that the event belongs to; set-up belongs to turn 0",
            "0-based",
        ),
        Column("seat", pa.int8(), "who acts; -1 is nature", "0-based"),
        Column("action", pa.int8(), "code of the action in the title's code book"),
        Column(
            "item",
            pa.int16(),
            "code of the item",
            "",
            "the action takes none, or the source could not see it",
        ),
        Column("place", pa.int16(), "code of the place", "", "the action takes none"),
        Column("target", pa.int16(), "code of the target, or a seat", "", "the action takes none"),
        Column("amount", pa.int16(), "how many", "pieces", "the action takes none"),
    ),
)
