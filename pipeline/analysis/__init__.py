"""From a lake's counts to a report: what is asked, what the estimators say, what is left out.

`build_report` reads the count views, runs `pipeline.stats` on them and returns a plain `Report` (see
`model`): numbers, sentences and provenance, neither pictures nor pages. Importing this does no work.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.analysis.model import FigureData, Report

DELTA = 5.0
"""Half width of the band that counts as balanced, percentage points."""


def build_report(
    lake: Path,
    title: str | None = None,
    where: str | None = None,
    delta: float = DELTA,
    seed: int = 0,
    threads: int = 2,
    tell: Callable[[FigureData], None] | None = None,
) -> Report:
    """Everything that a report on a lake says.

    `title`: only this one; `where`: only cells that fit, as `fortresses=true, players=4`; `delta`:
    half width of the balanced band, percentage points; `seed`: of the Monte Carlo tests; `tell`: called
    with each figure of the report as soon as it is known.
    Raises AnalysisError (one sentence) when there is nothing to report on.
    """
    from pipeline.analysis.build import build

    return build(lake, title, where, delta, seed, threads, tell)


def compare(
    lake: Path,
    cell_a: str,
    cell_b: str,
    title: str | None = None,
    lake_b: Path | None = None,
    delta: float = DELTA,
    seed: int = 0,
    threads: int = 2,
    tell: Callable[[FigureData], None] | None = None,
) -> Report:
    """A report on two selections of games side by side: what B changes from A, the base.

    `cell_a`, `cell_b` as `where` of `build_report`; `lake_b` if B lies in another lake; `tell` as there.
    """
    from pipeline.analysis.comparison import compare_cells

    return compare_cells(lake, cell_a, cell_b, title, lake_b, delta, seed, threads, tell)
