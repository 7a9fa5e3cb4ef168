"""Kingdoms: what the report measures beyond the common figures."""

from __future__ import annotations

from pipeline.titles.measure import Bars, By, Line, Measure, Places, Starter, When, equal

EPOCHS = By("epoch", ((0, "epoch 1"), (1, "epoch 2"), (2, "epoch 3")))
RANKS = (1, 2, 3, 4)

MEASURES: tuple[Measure, ...] = (
    Bars(
        "turn_use", "What do players do with their turns?", "percent of turns",
        (
            Line("draw", where=(When("drew"),)),
            Line("castle", where=(When("castle_rank"),)),
            Line("bonus tile", where=(When("played_bonus"),)),
        ),
        per="turn", percent=True, by=EPOCHS,
    ),
    Bars(
        "castles_spent", "When is each castle spent?", "castles a game",
        tuple(Line(f"rank {rank}", where=(equal("castle_rank", rank),)) for rank in RANKS),
        by=EPOCHS, note="Castles of rank 1 come back after each epoch, the others once spent do not.",
    ),
    Bars(
        "castle_moment", "How empty is the board when a castle is placed?", "empty cells before the turn",
        tuple(
            Line(f"rank {rank}", add=("empty_cells",), among=(equal("castle_rank", rank),)) for rank in RANKS
        ),
        per="turn", by=EPOCHS, note="Of 30 cells; an epoch ends with the last.",
    ),
    Bars(
        "bonus_moment", "How empty is the board when the bonus tile is played?", "empty cells before the turn",
        (Line("bonus tile", add=("empty_cells",), among=(When("played_bonus"),)),),
        per="turn", by=EPOCHS, note="Of 30 cells; bonus tiles that were never played have no moment.",
    ),
    Bars(
        "bonus_played", "How often is the bonus tile played?", "bonus tiles a game",
        (Line("bonus tile", where=(When("played_bonus"),)),),
        by=EPOCHS, note="Each player gets one an epoch and may keep it.",
    ),
    Starter(
        "epoch_order", "What is a place in the order of epochs 2 and 3 worth?", "epoch", 1,
        "the player with most gold starts",
    ),
    Places(
        "points_by_line", "Which rows and columns pay?", "points a game, all seats together", ("row", "column")
    ),
)  # fmt: skip
