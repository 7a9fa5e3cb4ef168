"""`games`: one row a game."""

import pyarrow as pa

from schemas.table import Column, Table

GAMES = Table(
    "games",
    "one row per game",
    ("game_id",),
    (
        Column("game_id", pa.int64(), "stable number of the game: a hash of title, source and id"),
        Column("title", pa.string(), "the set of rules, for instance `kingdoms`"),
        Column("source", pa.string(), "where the record comes from"),
        Column("id", pa.string(), "the source's own name of the game, unique within title and source"),
        Column(
            "played_at",
            pa.timestamp("us", "UTC"),
            "when the game was played",
            "UTC",
            "the source does not say",
        ),
        Column("options", pa.string(), "all options and switches with their values, JSON with sorted keys"),
        Column("board", pa.string(), "id of the board, map or deck data; empty where a title has none"),
        Column("ended", pa.string(), "`finished`, `abandoned`, `conceded` or `timeout`"),
        Column("players", pa.int8(), "number of seats", "seats"),
        Column("plies", pa.int32(), "number of events; 0 in a results-only record", "events"),
        Column("digest", pa.int64(), "hash of the record's content; tells a duplicate from a conflict"),
        Column("file", pa.string(), "the file that the record was read from"),
        Column("line", pa.int64(), "its line in that file, from 1 (for tables: its row)"),
    ),
)
