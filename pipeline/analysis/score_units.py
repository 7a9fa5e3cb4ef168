"""In what unit a title's scores are kept: whole numbers, which are points times the score factor of their batch.

A spreadsheet with half points is read with `--score-factor 2`, and its scores are kept doubled. Batches of
different factors are brought to one unit, a common multiple of them, so that sums stay whole and exact; figures
divide by it and show points.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pipeline.lake import Lake

WORDS = {1: "points", 2: "half points", 4: "quarter points"}


@dataclass(frozen=True)
class ScoreUnit:
    """A point is `a_point` of the common unit, a multiple of all factors."""

    a_point: int = 1
    factors: Mapping[tuple[Path, str], int] = field(default_factory=dict)
    """By lake and batch: what its points were multiplied by, where that is not 1."""

    def factor(self, lake: Path, batch: str) -> int:
        """What the points of a batch were multiplied by."""
        return self.factors.get((lake, batch), 1)

    def by_factor(self, lake: Path, batches: Sequence[str]) -> dict[int, list[str]]:
        """Some batches of a lake by their factor."""
        found: dict[int, list[str]] = {}
        for batch in batches:
            found.setdefault(self.factor(lake, batch), []).append(batch)
        return found

    def points(self, value: float) -> float:
        """A value in the common unit as points; whole numbers stay what they are where a point is a unit."""
        return value if self.a_point == 1 else value / self.a_point

    def note(self) -> str:
        """What a reader who knows the kept numbers has to be told; empty where they are points."""
        if self.a_point == 1:
            return ""
        kept = sorted(set(self.factors.values()))
        told = WORDS.get(kept[0], f"points times {kept[0]}") if len(kept) == 1 else "points times a score factor"
        return f"Scores are points; the lake, and SQL on it, keeps them in {told}."


def score_unit(lakes: Sequence[Path], title: str) -> ScoreUnit:
    """The unit for a title's scores in some lakes, from the manifests of its batches."""
    factors = {}
    for folder in dict.fromkeys(lakes):
        lake = Lake(folder)
        for batch in lake.batches():
            manifest = lake.manifest(batch)
            factor = max((int(entry.get("score_factor", 1)) for entry in manifest.get("inputs", ())), default=1)
            if manifest["title"] == title and factor > 1:
                factors[folder, batch] = factor
    return ScoreUnit(math.lcm(*factors.values()), factors)
