"""`outcomes`: one row a game and seat, as the replay computes it (results-only: as stated)."""

import pyarrow as pa

from schemas.table import Column, Table

OUTCOMES = Table(
    "outcomes",
    "one row per game and seat",
    ("game_id", "seat"),
    (
        Column("game_id", pa.int64(), "the game"),
        Column("seat", pa.int8(), "turn order", "0-based"),
        Column(
            "score",
            pa.int64(),
            "the score, also of a game that is not over",
            "points",
            "a results-only record states none",
        ),
        Column(
            "rank",
            pa.int16(),
            "1 + the number of players strictly better, tie-breaks included",
            "1 is best",
            "the game is not over",
        ),
        Column(
            "win60",
            pa.int8(),
            "win share: 60/k for each of k joint winners, else 0",
            "60ths of a win",
            "the game is not over",
        ),
        Column("turns", pa.int32(), "turns that were played in the game", "turns", "results-only record"),
    ),
)
