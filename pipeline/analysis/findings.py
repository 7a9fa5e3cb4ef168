"""The three things that a publisher should know first: each with its size and how sure it is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import polars as pl

from pipeline.analysis.choice_figures import odds
from pipeline.analysis.model import CellLine, FigureData, Finding
from pipeline.analysis.verdicts import p_words
from pipeline.stats.verdicts import LEAST_GAMES

if TYPE_CHECKING:
    from pipeline.analysis.context import Context

MOST = 3


def all_findings(context: Context, lines: Sequence[CellLine], figures: Sequence[FigureData]) -> list[Finding]:
    """Everything that is more than chance, and what is shown to be balanced."""
    drawn = {data.slug: data for data in figures if not data.failure}
    found = seat_findings(lines, context.delta)
    for slug, make in (
        ("variant_effects", _variant_findings), ("leader_wins", _lead_findings), ("exchange_wins", _choice_findings)
    ):  # fmt: skip
        if slug in drawn:
            found += make(context, drawn[slug].frame)
    return found


def _variant_findings(context: Context, frame: pl.DataFrame) -> list[Finding]:
    """Sure effects of variants, by g over a middling effect."""
    return [
        Finding(
            f"{row['variant'][:1].upper()}{row['variant'][1:]}: {row['what']} {row['mean_on']:,.3g} instead of "
            f"{row['mean_off']:,.3g}.",
            f"difference {row['difference']:+,.3g}, Hedges g {row['g']:+.2f}",
            f"95% interval of g {row['low']:+.2f} to {row['high']:+.2f}, p {p_words(row['p_adjusted'])} after "
            f"Benjamini-Hochberg, n = {row['n_on'] + row['n_off']:,}",
            abs(row["g"]) / 0.5,
            "variant_effects",
        )
        for row in frame.iter_rows(named=True)
        if row["p_adjusted"] < 0.05
    ]


def _lead_findings(context: Context, frame: pl.DataFrame) -> list[Finding]:
    """Whether the leader at half time nearly always wins, by the runaway index over one half."""
    return [
        Finding(
            f"{context.by_key[row['cell']].label}: who leads at half time wins {100 * row['share']:.0f}% of the games "
            f"(a lead that told nothing: {100 * row['fair']:.0f}%).",
            f"runaway index {row['runaway']:.2f} (0: a lead tells nothing, 1: the leader always wins)",
            f"95% interval {100 * row['low']:.1f}% to {100 * row['high']:.1f}%, n = {row['n']:,}",
            row["runaway"] / 0.5,
            "leader_wins",
        )
        for row in frame.filter(pl.col("phase") == 5).iter_rows(named=True)
        if row["n"] >= LEAST_GAMES and row["low"] > row["fair"]
    ]


def _choice_findings(context: Context, frame: pl.DataFrame) -> list[Finding]:
    """Associations of the title's choice with winning, by log odds over those of 2 : 1."""
    act = context.choice.act if context.choice else ""
    return [
        Finding(
            f"{context.by_key[row['cell']].label}: {act} goes with {'higher' if row['odds_ratio'] > 1 else 'lower'} "
            "odds of winning (an association, not an effect).",
            f"odds ratio {odds(row['odds_ratio'])}",
            f"95% interval {odds(row['low'])} to {odds(row['high'])}, p {p_words(row['p'])}, n = {row['n']:,} turns",
            abs(math.log(row["odds_ratio"])) / math.log(2),
            "exchange_wins",
        )
        for row in frame.iter_rows(named=True)
        if row["p"] < 0.05 and row["sampled_games"] >= LEAST_GAMES and 0 < row["odds_ratio"] < math.inf
    ]


def strongest(candidates: Sequence[Finding], most: int = MOST) -> tuple[Finding, ...]:
    """The strongest first; of a figure one only, of the seats two, so that one story does not fill the page."""
    found: list[Finding] = []
    for finding in sorted(candidates, key=lambda f: (-f.strength, f.sentence)):
        if sum(other.figure == finding.figure for other in found) < (2 if finding.figure == "seat_share" else 1):
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
