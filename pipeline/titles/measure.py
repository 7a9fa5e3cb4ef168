"""What a title's report shows beyond the figures that all titles have: declared, as plain data.

A measure names facts of `turns`, places and sources of score events, nothing else. `pipeline.title_counts`
turns it into SQL, `pipeline.analysis.measure_figures` into figures and a table. A fact of -1 is unknown
or does not apply: it meets no condition, and what would be summed of it is left out of the denominators.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Words = tuple[tuple[int, str], ...]
"""Values of a fact and what they are called."""


@dataclass(frozen=True)
class When:
    """Turns in which a fact is at least `low` and at most `high` (None: no bound)."""

    fact: str
    low: int = 1
    high: int | None = None


def equal(fact: str, value: int) -> When:
    """Turns in which a fact has this value."""
    return When(fact, value, value)


def known(fact: str) -> When:
    """Turns in which a fact is not -1."""
    return When(fact, 0)


@dataclass(frozen=True)
class Line:
    """One quantity: a sum over turns, by its measure's `per` divided by games or by turns.

    Summed is `add` less `less`, facts of the turns that meet `among` and `where`; without either the
    turns are counted. Per turn the denominator is the turns that meet `among`; with `over` it is the
    sum of those facts over these turns. `most`: facts whose largest value in a seat's game is added once (what
    it began with); only per game. `signed`: -1 is a value like others in what is summed.
    """

    label: str
    add: tuple[str, ...] = ()
    less: tuple[str, ...] = ()
    where: tuple[When, ...] = ()
    among: tuple[When, ...] = ()
    over: tuple[str, ...] = ()
    most: tuple[str, ...] = ()
    signed: bool = False
    series: str = ""
    """With `seats` off: lines of one label stand in one row, told apart by this."""

    @property
    def summed(self) -> tuple[str, ...]:
        return (*self.add, *self.less, *self.over)


@dataclass(frozen=True)
class By:
    """What parts a measure's lines: `epoch`, or a fact. Values without a word are left out.

    The words are given, or they are those of a `kind` of the board's code book (`score_place`).
    """

    fact: str
    words: Words = ()
    kind: str = ""


@dataclass(frozen=True)
class Bars:
    """Means or rates in rows, a mark and a 95% interval for each seat (or, `seats` off, for all together).

    `percent`: the quantities are shares, shown in percent.
    """

    slug: str
    question: str
    unit: str
    lines: tuple[Line, ...]
    per: Literal["game", "turn"] = "game"
    percent: bool = False
    by: By | None = None
    seats: bool = True
    note: str = ""


@dataclass(frozen=True)
class Matrix:
    """Who does it to whom: times a game that the seat at turn (row) names a seat by the fact `target` (column)."""

    slug: str
    question: str
    unit: str
    target: str
    where: tuple[When, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Starter:
    """What a place in the order of an epoch is worth, from epoch `first` (0-based) on.

    Shown are win share against 1/n and points made in the epoch against its mean. `rule` says who starts:
    where the standing decides, the figure is an association, no effect.
    """

    slug: str
    question: str
    word: str
    """`epoch` or `round`, as the title says."""
    first: int
    rule: str
    unit: str = "win share in percentage points from 1/n; points from the mean"


@dataclass(frozen=True)
class Grid:
    """A board of squares: a place is called by its column's word and its row's word, in this order."""

    columns: tuple[str, ...]
    rows: tuple[str, ...]


@dataclass(frozen=True)
class Places:
    """Where points are made: points a game of all seats, by source and place.

    Without a grid in rows, gains less losses; on a grid as shades, gains alone.
    """

    slug: str
    question: str
    unit: str
    sources: tuple[str, ...]
    grid: Grid | None = None
    note: str = ""


Measure = Bars | Matrix | Starter | Places
