"""Simulation studies: do the intervals, tests and verdicts of `pipeline.stats` keep what they promise?

Each study simulates games whose truth is known, applies the functions that reports use, and counts. A
study is one function ``(replicates, seed) -> StudyTable``; they are listed here, in the order in which
they are told. The random numbers of a study do not depend on which others run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module

from pipeline.study.model import Study, StudyTable
from pipeline.wording import listed, quoted

STUDIES = {
    "coverage": "seats:coverage",
    "false_alarms": "seats:false_alarms",
    "balanced": "seats:balanced",
    "power": "seats:planted_advantage",
    "trend": "tests_of_seats:trend",
    "seat_test": "tests_of_seats:seat_test",
    "sessions": "tests_of_seats:sessions",
    "skill": "skill:skill",
    "labels": "variants:labels",
    "exchange": "exchange:exchange",
    "evidence": "evidence:evidence",
}
"""Name of the study -> module and function."""


class StudyError(ValueError):
    """A study that does not exist, or that cannot be run so."""


def load(name: str) -> Study:
    """The function of a study. Raises StudyError for an unknown name."""
    if name not in STUDIES:
        raise StudyError(f"there is no study {quoted(name)}; there are {listed(STUDIES, 'and')}")
    module, function = STUDIES[name].split(":")
    found: Study = getattr(import_module(f"pipeline.study.{module}"), function)
    return found


def run_studies(
    names: Sequence[str] | None, replicates: int, seed: int, tell: Callable[[str, int, int], None] | None = None
) -> Iterator[StudyTable]:
    """Run studies (all of them by default) one after the other; ``tell`` hears (name, done, of how many)."""
    if replicates < 20:
        raise StudyError(f"a study needs 20 replicates or more to say anything, not {replicates}")
    if seed < 0:
        raise StudyError(f"a seed is a whole number from 0, not {seed}")
    chosen = [load(name) for name in dict.fromkeys(names or STUDIES)]
    for done, study in enumerate(chosen, 1):
        table = study(replicates, seed)
        if tell is not None:
            tell("", done, len(chosen))
        yield table
