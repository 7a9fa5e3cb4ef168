"""`turns`: one row a turn, with what was possible at its start; each title adds its own facts."""

import pyarrow as pa

from schemas.table import Column, Table

TURNS = Table(
    "turns",
    "one row per game and turn",
    ("game_id", "turn"),
    (
        Column("game_id", pa.int64(), "the game"),
        Column("turn", pa.int32(), "number of the turn", "0-based"),
        Column("ply", pa.int32(), "the turn's first event", "0-based"),
        Column("seat", pa.int8(), "whose turn it is", "0-based"),
        Column("epoch", pa.int16(), "epoch or round; where the rules have none, 0", "0-based"),
        Column("score", pa.int32(), "the seat's score before the turn", "points"),
        Column("deficit", pa.int32(), "best score of all before the turn, less the seat's own", "points"),
    ),
)
"""Columns common to all titles. A title's `facts` stand behind them."""
