"""The three things that a publisher should know first: each with its size and how sure it is."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.analysis.model import CellLine, Finding
from pipeline.analysis.verdicts import p_words
from pipeline.stats.verdicts import LEAST_GAMES

MOST = 3


def strongest(candidates: Sequence[Finding], most: int = MOST) -> tuple[Finding, ...]:
    """The strongest first; of one figure at most two, so that one story does not fill the page."""
    found: list[Finding] = []
    for finding in sorted(candidates, key=lambda f: (-f.strength, f.sentence)):
        if sum(other.figure == finding.figure for other in found) < 2:
            found.append(finding)
    return tuple(found[:most])


def seat_findings(lines: Sequence[CellLine], delta: float) -> list[Finding]:
    """Seats that differ for certain, by size over delta; and cells that are shown to be balanced."""
    found = []
    for line in lines:
        if line.games < LEAST_GAMES:
            continue
        for seat in line.seats:
            if seat.p_adjusted < 0.05:
                found.append(
                    Finding(
                        f"{line.label}: {seat.sentence}.",
                        f"{seat.difference:+.1f} percentage points",
                        f"95% interval {seat.interval95[0]:+.1f} to {seat.interval95[1]:+.1f}, "
                        f"p {p_words(seat.p_adjusted)} after Holm's correction, n = {seat.games:,}",
                        abs(seat.difference) / delta,
                        "seat_share",
                    )
                )
        if line.balanced:
            widest = max(line.seats, key=lambda seat: abs(seat.difference))
            found.append(
                Finding(
                    f"{line.label}: {line.sentence}.",
                    f"at most {abs(widest.difference):.1f} percentage points from 1/{len(line.seats)}",
                    f"all 90% intervals lie within ±{delta:g} points, n = {line.games:,}",
                    0.1,
                    "seat_share",
                )
            )
    return found
