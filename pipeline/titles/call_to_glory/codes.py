"""Call to Glory: names <-> integers."""

from __future__ import annotations

from pipeline.titles.contract import Action, Book, Field, Turn

CHARACTERS = (
    "emperor", "empress", "daimyo", "shogun", "samurai", "ninja", "envoy", "monk", "farmer",
)  # fmt: skip
VALUES = (6, 7, 8, 9, 12, 14, 16, 18, 20)
"""They name the tasks; what a character scores is the board's."""
DECKS = ("A", "B", "C")
TASKS = tuple(f"{deck}{value}" for deck in DECKS for value in VALUES)
"""All that a deck might have; which ones it has is the board's."""
PILES = ("draw1", "draw2", "discard1", "discard2")

KINDS = len(CHARACTERS)
NINJA_CARD = CHARACTERS.index("ninja")
FIRST_TASK = KINDS
"""The item of a task is FIRST_TASK + KINDS * deck + character."""
FIRST_DISCARD = 2

DEAL, DEAL_TASK, DRAW, LAY, DISPLACE, DISCARD, NINJA, TASK = range(8)
SET_POINTS, TASK_POINTS = range(2)

(
    NO_COPY,
    ALL_DEALT,
    TASK_TWICE,
    NO_SUCH_TASK,
    PILE_EMPTY,
    SAME_PILE,
    NOT_ON_TOP,
    NOT_IN_HAND,
    SET_TOO_SMALL,
    SET_NOT_LARGER,
    WRONG_PILE,
    WRONG_DISPLACE,
    MISSING_DISPLACE,
    NO_MINIATURE,
    NO_TARGET,
    TASK_NOT_HELD,
    ROUND_ENDED,
    ROUND_NOT_ENDED,
    NOT_IN_GAME,
) = range(20, 39)

DISCARD_PILES = Field(PILES[FIRST_DISCARD:])

BOOK = Book(
    actions=(
        Action("deal", True, Turn.BREAK, item=Field(CHARACTERS), unknown=True),
        Action("deal_task", True, Turn.BREAK, item=Field(TASKS), unknown=True),
        Action("draw", True, Turn.ACTS, item=Field(CHARACTERS), place=Field(PILES), unknown=True),
        Action("lay", True, Turn.ACTS, item=Field(CHARACTERS), amount=True),
        Action("displace", True, Turn.CONTINUES, item=Field(CHARACTERS), place=DISCARD_PILES, amount=True),
        Action("discard", True, Turn.ACTS, item=Field(CHARACTERS), place=DISCARD_PILES),
        Action("ninja", True, Turn.ACTS, item=Field(CHARACTERS), place=DISCARD_PILES, target="seat"),
        Action("task", True, Turn.CONTINUES, item=Field(TASKS)),
    ),
    items=(*CHARACTERS, *TASKS),
    places=PILES,
    targets=(),
    sources=("set", "task"),
    score_places=(*CHARACTERS, *TASKS),
    faults={
        NO_COPY: ("no_copy_left", "more cards of {item} than there are would have been seen"),
        ALL_DEALT: ("dealt_too_often", "seat {seat} has been dealt all that it gets"),
        TASK_TWICE: ("task_dealt_twice", "{item} cannot be dealt to seat {seat}: it has been seen, or "
                     "the seat has a task of that deck"),
        NO_SUCH_TASK: ("no_such_task", "the decks of this edition have no task {item}"),
        PILE_EMPTY: ("pile_empty", "there is no card left in {place}"),
        SAME_PILE: ("same_pile_twice", "the second card comes from another pile than {place}"),
        NOT_ON_TOP: ("not_on_top", "the top card of {place} is {a_item}, not {item}"),
        NOT_IN_HAND: ("not_in_hand", "seat {seat} has {a} {item} at most"),
        SET_TOO_SMALL: ("set_too_small", "a set of {item} has {a} cards at least, not {amount}"),
        SET_NOT_LARGER: ("set_not_larger", "{amount} cards do not beat the {a} of {item} on the table"),
        WRONG_PILE: ("wrong_pile", "cards must go to {a_place}, which is empty, not to {place}"),
        WRONG_DISPLACE: ("wrong_displace", "the beaten set is {a} cards of {b_item}, not {amount} of {item}"),
        MISSING_DISPLACE: ("missing_displace", "seat {a} must displace its beaten set of {b_item} first"),
        NO_MINIATURE: ("no_miniature", "seat {seat} has no miniature of an earlier turn to give back"),
        NO_TARGET: ("no_such_target", "seat {target} is no opponent with a set of {item}"),
        TASK_NOT_HELD: ("task_not_held", "seat {seat} does not hold {item}"),
        ROUND_ENDED: ("round_ended", "the round is over; {action} comes too late"),
        ROUND_NOT_ENDED: ("round_not_ended", "the round is not over yet; {action} comes too early"),
        NOT_IN_GAME: ("not_in_game", "{action} belongs to a variant that this game does not use"),
    },
)  # fmt: skip
