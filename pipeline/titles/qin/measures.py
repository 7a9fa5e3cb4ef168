"""Qin: what the report measures beyond the common figures."""

from __future__ import annotations

from pipeline.titles.measure import Bars, Grid, Line, Measure, Places, When
from pipeline.titles.qin.codes import COLUMNS, ROWS

GAINED = ("new_provinces", "new_majors", "new_villages", "conquered_villages")
TOOK = (When("took"),)

MEASURES: tuple[Measure, ...] = (
    Bars(
        "acts", "How often does each seat take over, pass, end the game?", "times a game",
        (
            Line("takeovers", where=TOOK),
            Line("passes", where=(When("passed"),)),
            Line("last pagoda placed", where=(When("last_pagoda"),)),
        ),
        note="The last pagoda ends the game at once; it may be another's that the tile brought.",
    ),
    Bars(
        "pagodas_by_cause", "How do tiles move pagodas?", "pagodas a game",
        (
            Line("provinces founded", add=("new_provinces",)),
            Line("provinces made major", add=("new_majors",)),
            Line("villages settled", add=("new_villages",)),
            Line("villages conquered", add=("conquered_villages",)),
            Line("own given back", less=("own_lost",)),
            Line("others' gained", add=("others_gained",)),
            Line("others' given back", less=("others_lost",)),
        ),
        note="By the seat that lays the tile; given back counts below 0.",
    ),
    Bars(
        "takeover_swing", "What does a takeover bring?", "pagodas a takeover",
        (
            Line("own", add=GAINED, less=("own_lost",), among=TOOK, signed=True),
            Line("others'", add=("others_gained",), less=("others_lost",), among=TOOK, signed=True),
        ),
        per="turn", note="Gained less given back, by the whole tile.",
    ),
    Places(
        "points_by_square", "Where on the board are pagodas placed?", "pagodas a game, all seats together",
        ("province", "major", "village"),
        Grid(tuple("abcdefghijklm"[:COLUMNS]), tuple(str(row + 1) for row in range(ROWS))),
        note="A province is where its first square is, row by row from the top, as it is then.",
    ),
)  # fmt: skip
