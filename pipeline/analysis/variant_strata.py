"""What a variant does to yes/no metrics over all player counts together, and whether the player counts agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from pipeline.analysis.context import Context
from pipeline.analysis.lead_figures import dynamics
from pipeline.analysis.model import Cell, Column, TableData
from pipeline.analysis.variant_figures import LEAST_GAMES, context_pairs
from pipeline.stats.errors import NotEnough
from pipeline.stats.mantel_haenszel import Stratum, mantel_haenszel
from pipeline.stats.multiplicity import benjamini_hochberg
from pipeline.stats.patterns import SHARE_UNIT, Patterns, games_of
from pipeline.wording import listed

Events = Mapping[str, tuple[float, int]]
"""Events and games, by cell."""


def strata_table(context: Context) -> tuple[TableData, ...]:
    """Mantel-Haenszel over player counts, one row a variant and metric; nothing where none has two player counts."""
    several = []
    for pair in context_pairs(context):
        cells = [(on, off) for on, off in pair.cells if on.players == off.players]
        if len({on.players for on, _ in cells}) > 1:
            several.append((pair.label, cells))
    if not several:
        return ()
    rows = [
        {"variant": label, "what": what, **row}
        for label, cells in several
        for what, events in _metrics(context).items()
        if (row := _combined(cells, events)) is not None
    ]
    return (_table(context, rows),) if rows else ()


def _metrics(context: Context) -> dict[str, Events]:
    """Events and games of every yes/no metric; of shares and joint wins over all games, of comebacks a sample's."""
    shares = context.counts.shares()
    known = dynamics(context).filter(pl.col("comeback").is_not_null())
    sums = known.group_by("cell").agg(pl.col("comeback").sum(), pl.len().alias("games"))
    return {
        "the 1st seat wins": {key: (_first(table), games_of(table)) for key, table in shares.items()},
        "shared win": {key: (_shared(table), games_of(table)) for key, table in shares.items()},
        "comeback from half time": {key: (float(events), games) for key, events, games in sums.iter_rows()},
    }


def _first(table: Patterns) -> float:
    """Wins of the first seat, 1/k for each of k joint winners."""
    return sum(pattern[0] * games for pattern, games in table.items()) / SHARE_UNIT


def _shared(table: Patterns) -> float:
    return float(sum(games for pattern, games in table.items() if sum(share > 0 for share in pattern) > 1))


def _combined(cells: Sequence[tuple[Cell, Cell]], events: Events) -> dict[str, Any] | None:
    """One row; None where games are too few, of one player count only, or all alike."""
    used = [(on, off) for on, off in cells if on.key in events and off.key in events]
    strata = [Stratum(*events[on.key], *events[off.key]) for on, off in used]
    games_on, games_off = (sum(row[i] for row in strata) for i in (1, 3))
    players = sorted({on.players for on, _ in used})
    if len(players) < 2 or min(games_on, games_off) < LEAST_GAMES:
        return None
    try:
        found = mantel_haenszel(strata)
    except NotEnough:
        return None
    low, high = found.odds_ratio_interval or (None, None)
    return {
        "players": listed([str(n) for n in players], "and"), "strata": found.strata, "n_on": int(games_on),
        "n_off": int(games_off), "off": sum(row.off_events for row in strata) / games_off,
        "on": sum(row.on_events for row in strata) / games_on, "difference": 100 * found.risk_difference,
        "low": 100 * found.risk_difference_interval.low, "high": 100 * found.risk_difference_interval.high,
        "odds_ratio": found.odds_ratio, "odds_low": low, "odds_high": high, "p": found.cmh_p,
        "alike_p": found.breslow_day_p,
    }  # fmt: skip


def _table(context: Context, rows: Sequence[Mapping[str, Any]]) -> TableData:
    frame = pl.DataFrame(rows, infer_schema_length=None)
    frame = frame.with_columns(pl.Series("p_adjusted", benjamini_hochberg(frame["p"].to_list())))
    columns = (
        Column("variant", "Variant"),
        Column("what", "Changes"),
        Column("players", "Players"),
        Column("n_off", "Games without", "whole"),
        Column("n_on", "with", "whole"),
        Column("off", "Without", "share"),
        Column("on", "With", "share"),
        Column("difference", "Risk difference", "points"),
        Column("low", "95% from", "points"),
        Column("high", "to", "points"),
        Column("odds_ratio", "Odds ratio", "number"),
        Column("odds_low", "95% from", "number"),
        Column("odds_high", "to", "number"),
        Column("p", "p (CMH)", "p"),
        Column("p_adjusted", "p (BH)", "p"),
        Column("alike_p", "p that odds ratios are alike (Breslow-Day)", "p"),
    )
    note = (
        f"Mantel-Haenszel over player counts and other options; games taken as independent. Family of the correction:"
        f" {frame.height} tests. Shares with and without are plain sums. Comebacks: from at most"
        f" {context.sample.most:,} games a cell, taken at random."
    )
    return TableData("variant_strata", "Variants over player counts", columns, frame, note)
