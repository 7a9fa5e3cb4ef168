"""What a report says, as plain data: cells, verdicts, figures, tables and provenance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import polars as pl

Kind = Literal["text", "whole", "number", "share", "points", "p"]
"""How a column of a table is written: as it is, as a whole number, with two decimals, as a share in
percent, as signed percentage points, or as a p-value."""


def highest(values: pl.Series) -> int:
    """The largest of some whole numbers, 0 where there are none."""
    return max((int(value) for value in values.drop_nulls().to_list()), default=0)


class AnalysisError(ValueError):
    """A report that cannot be made; one sentence for a person."""


@dataclass(frozen=True)
class Cell:
    """Games of one title, board, set of options and player count: what may be counted together."""

    key: str
    """Short name in frames: `c1`, `c2`, .. by player count, board and options."""
    label: str
    """What tells it from the other cells: `4 players, fortresses on`."""
    title: str
    board: str
    options: Mapping[str, Any]
    players: int
    games: int
    """Games recorded, also those that do not count."""
    counted: int
    """Finished games with a result: the n of the figures."""


@dataclass(frozen=True)
class SeatLine:
    """The verdict on one seat of one cell; shares in 0..1, the rest in percentage points."""

    cell: str
    label: str
    seat: int
    """0-based."""
    games: int
    share: float
    difference: float
    """Share less 1/n, percentage points."""
    interval95: tuple[float, float]
    """Of the difference, percentage points."""
    interval90: tuple[float, float]
    p: float
    p_adjusted: float
    verdict: str
    sentence: str
    games_still_needed: int


@dataclass(frozen=True)
class CellLine:
    """The verdict on all seats of one cell together."""

    cell: str
    label: str
    games: int
    balanced: bool | None
    sentence: str
    games_still_needed: int
    seats: tuple[SeatLine, ...]


@dataclass(frozen=True)
class Finding:
    """Something that a publisher should know: what, how large, how sure."""

    sentence: str
    size: str
    certainty: str
    strength: float
    """Size over the size that would matter: what findings are sorted by."""
    figure: str
    """Slug of the figure that shows it."""


@dataclass(frozen=True)
class FigureData:
    """One figure: a question, the numbers that answer it, and what must stand beside them."""

    number: int
    slug: str
    question: str
    answer: str
    """The answer in one sentence."""
    frame: pl.DataFrame
    """All its numbers, tidy, sorted by key; empty with `failure`."""
    n: int
    counted: str
    """What `n` counts: `games`, `turns in which drawing a tile was open`."""
    unit: str
    interval: str
    """What the bars or bands are: `95% Wilson intervals`."""
    source: str
    alt_text: str
    notes: tuple[str, ...] = ()
    failure: str | None = None
    """Why there is no picture, in plain words."""
    shown: tuple[str, ...] = ()
    """Keys of the cells that are drawn, in order; the frame has all."""
    look: str = ""
    """How it is drawn, where several figures look alike; else as its slug says."""


@dataclass(frozen=True)
class Column:
    """One column of a table: its name in the frame, its heading, and how it is written."""

    name: str
    heading: str
    kind: Kind = "text"


@dataclass(frozen=True)
class TableData:
    """One table."""

    slug: str
    title: str
    columns: tuple[Column, ...]
    frame: pl.DataFrame
    note: str = ""


@dataclass(frozen=True)
class TitleReport:
    """The report on one title."""

    title: str
    label: str
    delta: float
    cells: tuple[Cell, ...]
    headline: str
    """The verdict in one sentence."""
    verdicts: tuple[CellLine, ...]
    findings: tuple[Finding, ...]
    left_out: tuple[str, ...]
    """What was left out and whether it matters, in sentences."""
    needed: tuple[str, ...]
    """How many games more would settle what is open, in sentences."""
    basis: tuple[str, ...]
    """What the report rests on: the records, the board and whether it is reconstructed."""
    figures: tuple[FigureData, ...]
    tables: tuple[TableData, ...]
    not_replayed: int = 0
    """Games of these cells that are in the lake, but wait for `plybook replay`: nothing here counts them."""


@dataclass(frozen=True)
class Report:
    """The report on a lake, one part a title, with where everything comes from."""

    titles: tuple[TitleReport, ...]
    provenance: Mapping[str, Any]
    subject: str = "Balance report"
    extra: Mapping[str, Any] = field(default_factory=dict)
