"""Call to Glory: what the report measures beyond the common figures."""

from __future__ import annotations

from pipeline.titles.call_to_glory.codes import CHARACTERS, VALUES
from pipeline.titles.measure import Bars, By, Line, Matrix, Measure, Places, Starter, When, known

PILES = ("draw1", "draw2", "discard1", "discard2")
DRAWN = tuple(f"drew_{pile}" for pile in PILES)
ROUNDS = By("epoch", tuple((epoch, f"round {epoch + 1}") for epoch in range(4)))
LAID = (When("laid_cards"),)

MEASURES: tuple[Measure, ...] = (
    Bars(
        "draws_by_pile", "Which piles do players draw from?", "percent of cards drawn",
        tuple(
            Line(pile, add=(fact,), over=DRAWN) for pile, fact in zip(PILES, DRAWN, strict=True)
        ),
        per="turn", percent=True,
    ),
    Bars(
        "draws_by_round", "How often do players draw from the discard piles?", "percent of cards drawn",
        (Line("discards", add=DRAWN[2:], over=DRAWN),),
        per="turn", percent=True, by=ROUNDS,
    ),
    Bars(
        "acts", "How often does each seat lay, beat, discard?", "times a game",
        (
            Line("sets laid", where=LAID),
            Line("sets beaten", where=(known("beaten_seat"),)),
            Line("cards discarded", where=(When("discarded"),)),
            Line("miniatures used", add=("ninjas_used",)),
        ),
        note="A set beaten may be one's own.",
    ),
    Bars(
        "beating_rate", "How often does a set beat another?", "percent of sets laid",
        (Line("beats a set", where=(known("beaten_seat"),), among=LAID),),
        per="turn", percent=True, by=ROUNDS,
    ),
    Matrix(
        "who_beats_whom", "Whose sets does each seat beat?", "sets a game", "beaten_seat",
        note="On the diagonal a seat beats its own set with a larger one.",
    ),
    Bars(
        "sets_by_character", "Which characters are laid?", "sets a game", (Line("", where=LAID),),
        by=By("laid_value", tuple(zip(VALUES, CHARACTERS, strict=True))),
    ),
    Bars(
        "round_ends", "What ends the rounds?", "rounds a game", (Line("", where=(When("round_end"),)),),
        by=By("round_end", ((1, "enough sets"), (2, "all nine characters"), (3, "draw piles used up"))),
        seats=False,
    ),
    Starter(
        "round_order", "What is a place in the order of a round worth?", "round", 1,
        "the player with the lowest total starts",
    ),
    Places(
        "points_by_character", "Which characters pay?", "points a game, all seats together", ("set",),
        note="The sets on the table at a round's end.",
    ),
)  # fmt: skip
