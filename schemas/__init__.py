"""What each table of Plybook looks like; one file a table.

`games`, `seats`, `moves` and `rejects` make a batch; `outcomes`, `score_events`, `turns` and a second
`rejects` are what a replay adds. `check` holds a table against its schema.
"""

from schemas.codebook import CODEBOOK
from schemas.games import GAMES
from schemas.moves import MOVES
from schemas.outcomes import OUTCOMES
from schemas.rejects import REJECTS
from schemas.score_events import SCORE_EVENTS
from schemas.seats import SEATS
from schemas.states import STATES
from schemas.table import VERSION, Column, SchemaError, Table, check
from schemas.turns import TURNS

TABLES = (GAMES, SEATS, MOVES, OUTCOMES, SCORE_EVENTS, TURNS, STATES, REJECTS, CODEBOOK)

__all__ = [
    "CODEBOOK",
    "GAMES",
    "MOVES",
    "OUTCOMES",
    "REJECTS",
    "SCORE_EVENTS",
    "SEATS",
    "STATES",
    "TABLES",
    "TURNS",
    "VERSION",
    "Column",
    "SchemaError",
    "Table",
    "check",
]
