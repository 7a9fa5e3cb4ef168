"""The verdict per seat, and the sentence that says it.

Rules, with delta set before looking (5 percentage points by default):

- below 30 games: counts and interval, no verdict;
- *inside* means that the 90% interval lies within 1/n +- delta (two one-sided tests at 5%);
- *significant* means that the exact binomial test against 1/n, at the effective number of games,
  has p < 0.05 after Holm's correction over the seats of the cell (two seats are one and the same
  question, so there is nothing to correct). The score test that belongs to the interval will not
  do: in small cells it raises false alarms in up to 6.5% of fair games;
- inside and not significant: balanced; inside and significant: trivial difference; significant
  only: advantaged or disadvantaged; neither: inconclusive, with the games still needed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from pipeline.stats import distributions as dist
from pipeline.stats import multiplicity, power
from pipeline.stats.intervals import Interval
from pipeline.stats.patterns import Patterns
from pipeline.stats.seats import SeatShare, seat_shares

LEAST_GAMES = 30
DELTA = 0.05
ALPHA = 0.05

Verdict = Literal["balanced", "advantaged", "disadvantaged", "trivial difference", "inconclusive", "no verdict"]
UNSETTLED = ("inconclusive", "no verdict")
"""Verdicts that more games would change."""


def _points(share: float) -> str:
    """Percentage points with one decimal, never "-0.0"."""
    return f"{round(100.0 * share, 1) + 0.0:.1f}"


@dataclass(frozen=True, slots=True)
class SeatVerdict:
    """What can be said about one seat (0-based) of one cell. Intervals are of the share."""

    share: SeatShare
    delta: float
    interval95: Interval
    interval90: Interval
    p_difference: float
    """Score test of "the share is 1/n"; agrees with the 95% interval."""
    p_exact: float
    """Exact binomial test of the same, with fewer false alarms in small cells."""
    p_adjusted: float
    """``p_exact`` after Holm's correction: it decides."""
    family: int
    """Number of tests that ``p_adjusted`` was corrected for."""
    p_equivalence: float
    """Two one-sided tests of "within 1/n +- delta"; agrees with the 90% interval."""
    verdict: Verdict
    games_still_needed: int
    """0 unless the verdict is inconclusive or missing."""

    @property
    def seat(self) -> int:
        """The seat, 0-based."""
        return self.share.seat

    @property
    def games(self) -> int:
        """Games in the cell."""
        return self.share.games

    @property
    def settled(self) -> bool:
        """Whether there is a verdict other than that more games are needed."""
        return self.verdict not in UNSETTLED

    def finding(self) -> str:
        """The estimate in words: "seat 1 wins 3.1 points too often (95% 2.2 to 4.0)"."""
        return self._told("wins", "{size} points too often", "{size} points too seldom", "its fair share")

    def observed(self) -> str:
        """The same of a seat of which nothing is shown: "seat 1 won 3.1 percentage points more than its share ..."."""
        more, less = (f"{{size}} percentage points {word} than its share" for word in ("more", "less"))
        return self._told("won", more, less, "its fair share")

    def _told(self, verb: str, above: str, below: str, fair: str) -> str:
        """The gap to the fair share in these words, its interval counted in the gap's direction."""
        gap, share = self.share.difference, self.share.expected
        low, high = self.interval95.low - share, self.interval95.high - share
        size = _points(abs(gap))
        words = fair if size == "0.0" else (above if gap > 0 else below).format(size=size)
        if words != fair and gap < 0:
            low, high = -high, -low
        return f"seat {self.seat + 1} {verb} {words} (95% {_points(low)} to {_points(high)})"

    def conclusion(self) -> str:
        """The verdict in words, without the estimate."""
        band = f"{100.0 * self.delta:g} points"
        more = f"{self.games_still_needed:,} more " + ("game" if self.games_still_needed == 1 else "games")
        uncorrected = self.verdict == "inconclusive" and self.p_exact < ALPHA and self.family > 1
        caution = f" after correcting for {self.family} seats" if uncorrected else ""
        return {
            "balanced": f"balanced within {band}",
            "trivial difference": f"a real difference, yet balanced within {band}",
            "advantaged": "advantaged",
            "disadvantaged": "disadvantaged",
            "inconclusive": f"inconclusive{caution}, needs about {more}",
            "no verdict": f"no verdict below {LEAST_GAMES} games, has {self.games}",
        }[self.verdict]

    def sentence(self) -> str:
        """Finding and verdict in one plain sentence, without a full stop."""
        return f"{self.finding()}; {self.conclusion()}"


def _score_p(row: SeatShare) -> float:
    fair = row.expected
    return dist.normal_two_sided_p(row.difference / math.sqrt(fair * (1.0 - fair) / row.effective_games))


def _exact_p(row: SeatShare) -> float:
    """Binomial p at the effective games; its variance has divisor N, so whole wins count as N."""
    games = row.effective_games
    if row.variance > 0.0:
        games *= row.games / (row.games - 1.0)
    return dist.binomial_doubled_p(row.share * games, games, row.expected)


def _equivalence_p(row: SeatShare, delta: float) -> float:
    """The larger one-sided score p at the ends of the band; an end outside 0..1 passes."""
    worst = 0.0
    for bound, sign in ((row.expected - delta, 1.0), (row.expected + delta, -1.0)):
        if 0.0 < bound < 1.0:
            error = math.sqrt(bound * (1.0 - bound) / row.effective_games)
            worst = max(worst, dist.normal_cdf(-sign * (row.share - bound) / error))
    return worst


def _games_still_needed(row: SeatShare, delta: float, family: int, chance: float) -> int:
    """Games more for a verdict with probability ``chance``.

    First what a plan would ask for: to detect delta, or to show a fair seat to be within it.
    Where the plan is used up, what the observed difference would need to be significant or to
    lie inside, whichever is less.
    """
    plan = max(
        power.games_to_find(row.seats, delta, chance),
        power.games_for_equivalence(row.seats, delta, chance),
    )
    if row.games < plan:
        return max(plan, LEAST_GAMES) - row.games
    gap, room = abs(row.difference), delta - abs(row.difference)
    z = dist.normal_quantile(chance)
    options = []
    if gap > 0.0:
        options.append((dist.normal_quantile(1.0 - ALPHA / 2.0 / family) + z) / gap)
    if room > 0.0:
        options.append((dist.normal_quantile(1.0 - ALPHA) + z) / room)
    variance = row.variance or row.expected * (1.0 - row.expected)
    return max(1, math.ceil(min(options) ** 2 * variance) - row.games)


def _decide(row: SeatShare, p_adjusted: float, p_equivalence: float) -> Verdict:
    if row.games < LEAST_GAMES:
        return "no verdict"
    inside, significant = p_equivalence < ALPHA, p_adjusted < ALPHA
    if inside:
        return "trivial difference" if significant else "balanced"
    if significant:
        return "advantaged" if row.difference > 0 else "disadvantaged"
    return "inconclusive"


def seat_verdicts(
    shares: Patterns,
    delta: float = DELTA,
    correction: Literal["holm", "none"] = "holm",
    chance: float = 0.8,
) -> tuple[SeatVerdict, ...]:
    """One verdict per seat of a cell.

    ``shares``: win shares in 60ths -> games; ``delta``: the band as a share; ``chance``: the
    probability with which the games still needed should settle it.
    """
    rows = seat_shares(shares)
    raw = [_exact_p(row) for row in rows]
    correct = correction == "holm" and len(rows) > 2
    adjusted = multiplicity.holm(raw) if correct else tuple(raw)
    family = len(rows) if correct else 1
    out = []
    for row, p_exact, p_adjusted in zip(rows, raw, adjusted, strict=True):
        p_equivalence = _equivalence_p(row, delta)
        verdict = _decide(row, p_adjusted, p_equivalence)
        out.append(
            SeatVerdict(
                share=row,
                delta=delta,
                interval95=row.interval_at(1.0 - ALPHA),
                interval90=row.interval_at(1.0 - 2.0 * ALPHA),
                p_difference=_score_p(row),
                p_exact=p_exact,
                p_adjusted=p_adjusted,
                family=family,
                p_equivalence=p_equivalence,
                verdict=verdict,
                games_still_needed=(_games_still_needed(row, delta, family, chance) if verdict in UNSETTLED else 0),
            )
        )
    return tuple(out)


@dataclass(frozen=True, slots=True)
class CellVerdict:
    """All seats of a cell at once."""

    seats: tuple[SeatVerdict, ...]
    balanced: bool | None
    """Every seat inside: intersection-union, no correction. None below 30 games."""
    p_joint: float
    games_still_needed: int
    """For all seats at once, power 80%, if the game is fair; 0 when shown or not open."""

    def sentence(self) -> str:
        """One plain sentence about the cell, without a full stop."""
        band = f"{100.0 * self.seats[0].delta:g} points"
        n, games = len(self.seats), self.seats[0].games
        if self.balanced is None:
            return f"no verdict below {LEAST_GAMES} games, has {games:,}"
        if self.balanced:
            return f"all {n} seats are balanced within {band} ({games:,} games)"
        off = [v for v in self.seats if v.verdict in ("advantaged", "disadvantaged")]
        if off:
            names = ", ".join(f"seat {v.seat + 1} is {v.verdict}" for v in off)
            return f"not balanced: {names} ({games:,} games)"
        return (
            f"not shown to be balanced within {band} ({games:,} games, about {self.games_still_needed:,} more needed)"
        )


def cell_verdict(seats: tuple[SeatVerdict, ...]) -> CellVerdict:
    """Put the seats' verdicts together: balanced only if every seat is inside its band."""
    p_joint = max(v.p_equivalence for v in seats)
    games, delta = seats[0].games, seats[0].delta
    balanced = None if games < LEAST_GAMES else p_joint < ALPHA
    settled = balanced or any(v.verdict in ("advantaged", "disadvantaged") for v in seats)
    needed = 0
    if not settled:
        plan = power.games_for_joint_equivalence(len(seats), delta)
        worst = max(v.games_still_needed for v in seats)
        needed = max(plan - games, worst, 1)
    return CellVerdict(seats, balanced, p_joint, needed)
