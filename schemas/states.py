"""`states`: one row a ply, the state after it; the title's state fields are its further columns."""

import pyarrow as pa

from schemas.table import Column, Table

STATES = Table(
    "states",
    "one row per game and ply",
    ("game_id", "ply"),
    (
        Column("game_id", pa.int64(), "the game"),
        Column("ply", pa.int32(), "the event after which this is the state; -1 before the first", "0-based"),
    ),
)
"""Columns common to all titles. A title's state fields stand behind them as fixed-size lists."""
