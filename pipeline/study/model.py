"""What a study gives back: a table of measured rates, and which of them miss what is promised."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

ERRORS = 3.0
"""Simulation errors (standard errors of a measured rate) that a promise is given, either way."""

ALARMS = 0.05
"""False alarms that a test may raise."""

LOW, HIGH = 0.935, 0.965
"""Where the coverage of a 95% interval must lie."""

Unit = Literal["text", "whole", "percent", "points", "number"]
Value = str | int | float | None


class Column(NamedTuple):
    """A column of a study's table. Percent and points are kept as shares, and shown times 100."""

    name: str
    unit: Unit


class Rate(NamedTuple):
    """Hits over trials, as measured by simulation; an exact rate has ``trials`` 0."""

    value: float
    trials: int = 0

    def _slack(self, bound: float) -> float:
        """What simulation alone may move a rate at the bound by."""
        return ERRORS * math.sqrt(bound * (1.0 - bound) / self.trials) if self.trials else 0.0

    def at_most(self, bound: float) -> bool:
        """Not above the bound by more than simulation explains."""
        return self.value <= bound + self._slack(bound)

    def at_least(self, bound: float) -> bool:
        """Not below the bound by more than simulation explains."""
        return self.value >= bound - self._slack(bound)

    def between(self, low: float, high: float) -> bool:
        """Within both bounds."""
        return self.at_least(low) and self.at_most(high)


def rate(hits: Any, trials: int | None = None) -> Rate:
    """The rate of an iterable of truth values, or of ``hits`` among ``trials``."""
    if trials is not None:
        return Rate(float(hits) / trials, trials)
    listed = [bool(hit) for hit in hits]
    return Rate(sum(listed) / len(listed), len(listed))


@dataclass(frozen=True, slots=True)
class StudyTable:
    """One study's result."""

    name: str
    question: str
    promise: str
    """What must hold, in one sentence; empty when the study only measures."""
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]
    missed: tuple[str, ...]
    """One sentence for each number that misses the promise by more than simulation explains."""
    notes: tuple[str, ...] = ()


Study = Callable[[int, int], StudyTable]
"""(replicates, seed) -> table."""


def shown(value: Value, unit: Unit) -> str:
    """A value as a person reads it."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if unit == "percent":
        return f"{100 * value:.1f}%"
    if unit == "points":
        return f"{round(100 * value, 1) + 0.0:+.1f}"
    return f"{value:,}" if unit == "whole" else f"{value:.2f}"


def markdown(table: StudyTable) -> str:
    """The study as a Markdown section, its columns aligned for the terminal too."""
    heads = [column.name for column in table.columns]
    cells = [[shown(v, c.unit) for v, c in zip(row, table.columns, strict=True)] for row in table.rows]
    widths = [max(len(text) for text in (head, *column)) for head, *column in zip(heads, *cells, strict=True)]
    left = [column.unit == "text" for column in table.columns]

    def line(texts: Sequence[str]) -> str:
        padded = (t.ljust(w) if is_left else t.rjust(w) for t, w, is_left in zip(texts, widths, left, strict=True))
        return f"| {' | '.join(padded)} |"

    rule = [("-" * w if is_left else "-" * (w - 1) + ":") for w, is_left in zip(widths, left, strict=True)]
    parts = [f"### {table.name}: {table.question}", "", line(heads), line(rule), *map(line, cells), ""]
    if table.promise:
        held = "held" if not table.missed else "missed"
        parts += [f"Promise, {held}: {table.promise}", *(f"- {sentence}" for sentence in table.missed), ""]
    for note in table.notes:
        parts += [note, ""]
    return "\n".join(parts)
