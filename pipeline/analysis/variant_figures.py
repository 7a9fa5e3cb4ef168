"""Figures 15 and 16: what each variant changes, and whether it widens the gap between the seats."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import polars as pl

from pipeline.analysis.cells import option_words
from pipeline.analysis.context import Context, Question, answered
from pipeline.analysis.lead_figures import dynamics
from pipeline.analysis.model import Cell, CellLine, Column, FigureData, TableData
from pipeline.analysis.variant_tests import Effect, effect, method_note
from pipeline.analysis.verdicts import p_words
from pipeline.stats.errors import NotEnough
from pipeline.stats.multiplicity import benjamini_hochberg
from pipeline.stats.patterns import Patterns
from pipeline.stats.spread import seat_spread
from pipeline.stats.variants import spread_difference

EFFECTS = Question(
    15, "variant_effects", "What does each variant change?", "games",
    "Hedges g (difference over spread)", "95% intervals; p after Benjamini-Hochberg",
)  # fmt: skip
BY_VARIANT = Question(
    16, "seat_by_variant", "Does a variant widen the gap between the seats?", "games",
    "win share, percentage points from 1/n", "95% Wilson intervals",
)  # fmt: skip
NO_VARIANTS = "needs two cells that differ in one option only, has none"
METRICS = {
    "turns": ("length", "turns"), "margin": ("margin of 1st over 2nd", "points"),
    "score_range": ("range of scores", "points"), "total": ("all points together", "points"),
    "lead_changes": ("lead changes", "a game"), "clinch": ("decided at", "of the game"),
    "drama": ("winner's mean deficit", "points"), "comeback": ("comeback from half time", "of games"),
    "shared_win": ("shared win", "of games"),
}  # fmt: skip
LEAST_GAMES = 30
"""On each side: a variant's effect on fewer games is not shown."""


@dataclass(frozen=True)
class Pair:
    """A variant against what it is compared with, over the cells that differ in nothing else."""

    label: str
    on: str
    off: str
    cells: tuple[tuple[Cell, Cell], ...]
    """(with the variant, without), one pair a stratum."""


def _told(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def pairs(cells: Sequence[Cell]) -> list[Pair]:
    """All variants that can be told apart; the base is `false`, else the value with most games."""
    found = []
    for option in sorted({name for cell in cells for name in cell.options}):
        games: dict[str, int] = {}
        for cell in cells:
            if option in cell.options and cell.counted:
                value = _told(cell.options[option])
                games[value] = games.get(value, 0) + cell.counted
        if len(games) < 2:
            continue
        base = "false" if "false" in games else min(games, key=lambda value: (-games[value], value))
        for value in sorted(set(games) - {base}):
            matched = tuple(_matched(cells, option, value, base))
            if matched:
                on, off = option_words(option, value), option_words(option, base)
                found.append(Pair(f"{on} against {off}", on, off, matched))
    return found


def _matched(cells: Sequence[Cell], option: str, value: str, base: str) -> list[tuple[Cell, Cell]]:
    mine = [cell for cell in cells if option in cell.options]
    on = [cell for cell in mine if _told(cell.options[option]) == value]
    off = [cell for cell in mine if _told(cell.options[option]) == base]
    return match_cells(on, off, {option})


def match_cells(on: Sequence[Cell], off: Sequence[Cell], varied: Collection[str]) -> list[tuple[Cell, Cell]]:
    """Cells with games that are equal in players and in all options but the varied ones."""

    def rest(cell: Cell) -> str:
        facts = {"players": cell.players, **cell.options}
        return json.dumps({name: facts[name] for name in sorted(facts) if name not in varied})

    others = {rest(cell): cell for cell in off if cell.counted}
    return [(cell, others[rest(cell)]) for cell in on if cell.counted and rest(cell) in others]


def context_pairs(context: Context) -> list[Pair]:
    """What is to be compared: as chosen, else every variant."""
    return list(context.pairs) if context.pairs else pairs(context.cells)


def variant_effects(context: Context) -> FigureData:
    """Figure 15: standardised effects of every variant on every metric, within player count."""
    found = context_pairs(context)
    if not found:
        raise NotEnough(NO_VARIANTS)
    metrics = game_metrics(context)
    rows = [
        {"cell": pair.cells[0][0].key, "variant": pair.label, "metric": name, **asdict(had)}
        for pair in found
        for name in METRICS
        if (had := _effect(metrics, pair, name, context.seed)) is not None
    ]
    if not rows:
        raise NotEnough(f"needs {LEAST_GAMES} games with and without a variant, has fewer")
    frame = pl.DataFrame(rows)
    frame = frame.with_columns(pl.Series("p_adjusted", benjamini_hochberg(frame["p"].to_list())))
    words = {name: f"{said} ({unit})" for name, (said, unit) in METRICS.items()}
    frame = frame.with_columns(pl.col("metric").replace_strict(words).alias("what"))
    sure = frame.filter(pl.col("p_adjusted") < 0.05).sort(pl.col("g").abs(), descending=True)
    answer = f"Of {frame.height} effects none is more than chance."
    if sure.height:
        best = sure.row(0, named=True)
        answer = (
            f"Of {frame.height} effects {sure.height} are more than chance, the largest: {best['variant']} changes "
            f"{best['what']} from {best['mean_off']:.3g} to {best['mean_on']:.3g} (p {p_words(best['p_adjusted'])}"
            " after correction)."
        )
    n = sum(cell.counted for cell in {c.key: c for p in found for two in p.cells for c in two}.values())
    notes = (
        f"Within player count and equal other options. {method_note(frame['method'].to_list())}"
        f" From at most {context.sample.most:,} games a cell, taken at random.",
    )
    data = answered(context, EFFECTS, frame, answer, answer, notes=notes, n=min(n, metrics.height))
    return data


def game_metrics(context: Context) -> pl.DataFrame:
    """One row a sampled game with all metrics; null where a metric needs moves or scores."""
    totals = context.sample.seats.group_by("game_id").agg(pl.col("score").sum().alias("total"))
    games = context.sample.games.join(totals, on="game_id", how="left")
    drawn = dynamics(context).drop("cell")
    shared = context.sample.seats.group_by("game_id").agg(
        ((pl.col("win60") > 0).sum() > 1).cast(pl.Int64).alias("shared")
    )
    whole = games.join(drawn, on="game_id", how="left").join(shared, on="game_id", how="left")
    whole = whole.with_columns(pl.coalesce("shared_win", "shared").alias("shared_win"))
    return whole.sort("cell", "game_id")


def _effect(metrics: pl.DataFrame, pair: Pair, name: str, seed: int) -> Effect | None:
    """The effect on one metric; None where it cannot be had."""
    known = metrics.filter(pl.col(name).is_not_null())
    known = known.select("cell", pl.col(name).cast(pl.Float64).alias("value"), "seeded", "session")
    strata = [tuple(known.filter(pl.col("cell") == cell.key) for cell in two) for two in pair.cells]
    used = [(on, off) for on, off in strata if min(on.height, off.height) >= LEAST_GAMES]
    return effect(used, seed) if used else None


def effects_table(data: FigureData) -> TableData:
    """The effects with their adjusted p."""
    columns = (
        Column("variant", "Variant"),
        Column("what", "Changes"),
        Column("mean_off", "Without", "number"),
        Column("mean_on", "With", "number"),
        Column("difference", "Difference", "number"),
        Column("g", "Hedges g", "number"),
        Column("low", "95% from", "number"),
        Column("high", "to", "number"),
        Column("p", "p", "p"),
        Column("p_adjusted", "p (BH)", "p"),
        Column("method", "p of"),
    )
    family = data.frame.height
    return TableData(
        "variants", "Variant effects", columns, data.frame, f"Family of the correction: {family} tests." * (family > 0)
    )


def seat_by_variant(context: Context, lines: Sequence[CellLine], shares: Mapping[str, Patterns]) -> FigureData:
    """Figure 16: seat shares with and without each variant, and the change of the seats' spread."""
    by_key = {line.cell: line for line in lines}
    rows, told = [], []
    for pair in context_pairs(context):
        for on, off in pair.cells:
            if on.players != off.players:
                continue
            gap = _gap(shares, on, off, context.seed)
            for cell, side in ((on, "with"), (off, "base")):
                for seat in by_key[cell.key].seats:
                    rows.append(
                        (cell.key, f"{pair.label}, {_stratum(pair, on)}", side, pair.on if side == "with" else pair.off,
                         seat.seat, seat.games, seat.difference, *seat.interval95, *gap[:5])
                    )  # fmt: skip
            if gap[4] is not None:
                told.append((gap[4], f"{pair.label}, {_stratum(pair, on)}", gap))
    if not rows:
        raise NotEnough(NO_VARIANTS)
    names = (
        "cell", "pair", "side", "value", "seat", "n", "pp", "low", "high", "spread_with", "spread_base", "spread_low",
        "spread_high", "spread_p",
    )  # fmt: skip
    frame = pl.DataFrame(rows, schema=names, orient="row", infer_schema_length=None)
    answer = "Too few games to say whether a variant widens the gap."
    if told:
        p, label, gap = min(told, key=lambda entry: (entry[0], entry[1]))
        change = "widens" if gap[0] > gap[1] else "narrows"
        sure = f"{change} the gap" if p < 0.05 / len(told) else "is not shown to change the gap"
        family = f", smallest of {len(told)}" if len(told) > 1 else ""
        answer = (
            f"{label[:1].upper()}{label[1:]}: {sure} (spread of the seats {100 * gap[1]:.1f} to {100 * gap[0]:.1f} "
            f"points, p {p_words(p)}{family})."
        )
    keys = set(frame["cell"])
    return answered(context, BY_VARIANT, frame, answer, answer, n=context.games(keys), notes=("Spread: debiased.",))


def _stratum(pair: Pair, cell: Cell) -> str:
    told = set(pair.on.split(", "))
    return ", ".join(part for part in cell.label.split(", ") if part not in told)


def _gap(shares: Mapping[str, Patterns], on: Cell, off: Cell, seed: int) -> tuple[Any, ...]:
    """Spread with, spread without, interval of the difference, p."""
    if min(on.counted, off.counted) < LEAST_GAMES:
        spreads = [seat_spread(shares[c.key]).rms_debiased if c.counted > 1 else None for c in (on, off)]
        return (*spreads, None, None, None)
    found = spread_difference(shares[on.key], shares[off.key], seed, resamples=1_999)
    return (found.on, found.off, found.interval.low, found.interval.high, found.p)
