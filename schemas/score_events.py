"""`score_events`: one row each time that a seat gains or loses points."""

import pyarrow as pa

from schemas.table import Column, Table

SCORE_EVENTS = Table(
    "score_events",
    "one row per game, ply, seat, source and place of points",
    ("game_id", "ply", "seat", "source", "place"),
    (
        Column("game_id", pa.int64(), "the game"),
        Column("ply", pa.int32(), "the event that brings the points about", "0-based"),
        Column("seat", pa.int8(), "who gains or loses", "0-based"),
        Column("source", pa.int8(), "code of the score source in the title's code book"),
        Column("place", pa.int16(), "code of the place, in the source's own vocabulary"),
        Column("points", pa.int32(), "points gained (below 0: lost); never 0", "points"),
    ),
)
