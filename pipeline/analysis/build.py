"""Puts a report together: one part a title, its cells, verdicts, figures, tables, and where it all comes from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from pipeline import titles
from pipeline.analysis import (
    choice_figures,
    exclusions,
    findings,
    lead_figures,
    play_figures,
    seat_figures,
    skill_figures,
    tables,
    variant_figures,
    verdicts,
)
from pipeline.analysis.cells import choose_cells, name_cells, read_where
from pipeline.analysis.context import Context, Question, attempt
from pipeline.analysis.counts import Counts
from pipeline.analysis.model import AnalysisError, Cell, CellLine, FigureData, Report, TitleReport
from pipeline.analysis.provenance import provenance, title_facts
from pipeline.analysis.samples import Sample
from pipeline.lake import Lake
from pipeline.stats.patterns import Patterns
from pipeline.warehouse import Warehouse, open_warehouse
from pipeline.wording import listed, quoted


def build(
    lake: Path, title: str | None, where: str | None, delta: float, seed: int, threads: int
) -> Report:
    """See `pipeline.analysis.build_report`."""
    if not 0 < delta < 50:
        raise AnalysisError(f"delta is a number of percentage points between 0 and 50, not {delta:g}")
    wanted = read_where(where)
    with open_warehouse(lake, threads=threads) as warehouse:
        cells = warehouse.query("cells")
        present = _titles(warehouse, cells, title)
        parts, facts = [], []
        for name in present:
            rows = choose_cells(cells.filter(pl.col("title") == name), wanted)
            if wanted and not rows.height:
                continue
            facts.append(title_facts(Lake(lake), name, rows["board"].to_list()))
            parts.append(_title_report(warehouse, name, rows, facts[-1], delta, seed, bool(wanted)))
    if not parts:
        raise AnalysisError(f"no games fit {quoted(where)}")
    options = {"title": title, "where": where, "delta": delta, "seed": seed}
    return Report(tuple(parts), provenance(facts, options))


def _titles(warehouse: Warehouse, cells: pl.DataFrame, title: str | None) -> list[str]:
    """The titles to report on. Raises AnalysisError when there is nothing."""
    known = sorted(set(cells["title"]))
    if title is None:
        if not known:
            raise AnalysisError("the lake has no games to report on")
        return known
    if title not in known:
        raise AnalysisError(f"the lake has no games of {quoted(title)}; it has {listed(known, 'and') or 'none'}")
    return [title]


def _title_report(
    warehouse: Warehouse, title: str, rows: pl.DataFrame, facts: dict[str, Any], delta: float, seed: int,
    chosen: bool,
) -> TitleReport:  # fmt: skip
    cells = name_cells(rows)
    rules = titles.load(title) if title in titles.names() else None
    label = rules.label if rules else title
    counts = Counts(warehouse, title, rows, cells)
    context = Context(
        title=title, label=label, cells=cells, counts=counts, sample=Sample(warehouse, counts.keys),
        source=_source(label, cells, facts), delta=delta, seed=seed, choice=rules.choice if rules else None,
        has_rules=rules is not None,
    )  # fmt: skip
    shares = context.counts.shares()
    lines = verdicts.cell_lines(cells, shares, delta)
    reasons = context.counts.left_out()
    moved = exclusions.shifts(cells, shares, context.counts.left_out_wins())
    figures = tuple(sorted(_figures(context, lines, shares), key=lambda data: data.number))
    candidates = findings.seat_findings(lines, delta)
    trend = verdicts.trend_sentence(verdicts.trend(shares, cells)) if len(lines) > 1 else ""
    counted = sum(cell.counted for cell in cells)
    return TitleReport(
        title=title,
        label=label,
        delta=delta,
        cells=cells,
        headline=" ".join(filter(None, (verdicts.headline(label, lines), trend))),
        verdicts=lines,
        findings=findings.strongest(candidates),
        left_out=exclusions.left_out_sentences(counted, reasons, moved, delta),
        needed=verdicts.needed_sentences(lines),
        basis=_basis(cells, facts, chosen),
        figures=figures,
        tables=(
            tables.verdict_table(lines),
            tables.needed_table(lines, delta),
            tables.cells_table(cells, _varying(cells)),
            tables.exclusions_table(reasons),
            tables.shift_table(moved),
            skill_figures.skill_table(context),
            *(variant_figures.effects_table(data) for data in figures if data.slug == "variant_effects" and not data.failure),
            tables.methods_table(figures, provenance([], {}), seed),
        ),
    )


def _figures(context: Context, lines: Sequence[CellLine], shares: dict[str, Patterns]) -> list[FigureData]:
    makers: list[tuple[Question, Callable[[Context], FigureData]]] = [
        (seat_figures.SEAT_SHARE, partial(seat_figures.seat_share, verdicts=lines)),
        (skill_figures.SKILL_ADJUSTED, skill_figures.skill_adjusted),
        (seat_figures.FINISH, seat_figures.finish),
        (seat_figures.SCORES, seat_figures.scores),
        (play_figures.SCORE_OVER_TIME, play_figures.score_over_time),
        (lead_figures.LEADER_WINS, lead_figures.leader_wins),
        (lead_figures.COMEBACK, lead_figures.comeback),
        (lead_figures.LEAD_CHANGES, lead_figures.lead_changes),
        (play_figures.LENGTH, play_figures.length),
        (play_figures.MARGIN, play_figures.margin),
        (choice_figures.HAZARD, choice_figures.hazard),
        (choice_figures.RATE, choice_figures.rate),
        (choice_figures.WINS, choice_figures.wins),
        (play_figures.SOURCES, play_figures.points_by_source),
        (variant_figures.EFFECTS, variant_figures.variant_effects),
        (variant_figures.BY_VARIANT, partial(variant_figures.seat_by_variant, lines=lines, shares=shares)),
        (seat_figures.EVIDENCE, seat_figures.evidence),
    ]
    return [attempt(context, question, make) for question, make in makers]


def _varying(cells: Sequence[Cell]) -> list[str]:
    names = sorted({name for cell in cells for name in cell.options})
    return [name for name in names if len({str(cell.options.get(name)) for cell in cells}) > 1]


def _source(label: str, cells: Sequence[Cell], facts: dict[str, Any]) -> str:
    files = [entry["file"] for entry in facts["inputs"]]
    told = listed(files[:3], "and") if len(files) <= 3 else f"{len(files)} files"
    boards = _boards(facts)
    return f"{label}, {told or 'a lake'}{'; ' + boards if boards else ''}; data {facts['data_digest'][:12]}."


def _boards(facts: dict[str, Any]) -> str:
    told = [
        f"board {entry['board']}" + (" (reconstructed)" if entry["reconstructed"] else "")
        for entry in facts["boards"]
    ]
    return listed(told, "and")


def _basis(cells: Sequence[Cell], facts: dict[str, Any], chosen: bool) -> tuple[str, ...]:
    games = sum(cell.games for cell in cells)
    said = [
        f"{facts['records']:,} records of this title went in; {games:,} games"
        f"{' of the chosen cells' if chosen else ''} are sound, {sum(cell.counted for cell in cells):,} count."
    ]
    for entry in facts["boards"]:
        if entry["reconstructed"]:
            said.append(
                f"Board {entry['board']} is reconstructed, not the printed one: what depends on it may differ."
            )
    return tuple(said)
