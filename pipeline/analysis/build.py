"""Puts a report together: one part a title, its cells, verdicts, figures, tables, and where it all comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
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
    measure_figures,
    play_figures,
    seat_figures,
    skill_figures,
    tables,
    variant_figures,
    variant_strata,
    verdicts,
)
from pipeline.analysis.cells import CELL, choose_cells, name_cells, read_where, values_hint
from pipeline.analysis.context import Context, Question, attempt
from pipeline.analysis.counts import VIEWS, Counts, Part
from pipeline.analysis.model import AnalysisError, Cell, CellLine, FigureData, Report, TableData, TitleReport
from pipeline.analysis.provenance import provenance, title_facts
from pipeline.analysis.samples import Sample
from pipeline.analysis.score_units import score_unit
from pipeline.analysis.seat_tables import seat_tests_table, sessions_table
from pipeline.analysis.variant_figures import Pair
from pipeline.lake import Lake
from pipeline.stats.patterns import Patterns
from pipeline.warehouse import open_warehouse
from pipeline.wording import listed, quoted

Tell = Callable[[FigureData], None]


@dataclass(frozen=True)
class Selection:
    """What one part of a report is about."""

    title: str
    cells: tuple[Cell, ...]
    parts: Sequence[Part]
    facts: Sequence[dict[str, Any]]
    """Provenance of the title, one a lake."""
    delta: float
    seed: int
    chosen: bool
    """Whether these are not all cells."""
    pairs: tuple[Pair, ...] = ()
    tell: Tell | None = None
    """Called with each figure as soon as it is known."""


def build(
    lake: Path, title: str | None, where: str | None, delta: float, seed: int, threads: int, tell: Tell | None = None
) -> Report:
    """See `pipeline.analysis.build_report`."""
    if not 0 < delta < 50:
        raise AnalysisError(f"delta is a number of percentage points between 0 and 50, not {delta:g}")
    wanted = read_where(where)
    with open_warehouse(lake, threads, views=VIEWS) as warehouse:
        present = warehouse.query("cells")
        parts, facts, hints = [], [], []
        for name in _titles(present, title):
            mine = present.filter(pl.col("title") == name)
            rows = choose_cells(mine, wanted)
            if not rows.height:
                hints.append(values_hint(mine, wanted))
                continue
            cells = name_cells(rows)
            keys = rows.select(CELL).with_columns(pl.Series("cell", [cell.key for cell in cells]))
            facts.append(title_facts(Lake(lake), name, rows["board"].to_list()))
            selection = Selection(
                name, cells, [Part(warehouse, keys)], facts[-1:], delta, seed, chosen=bool(wanted), tell=tell
            )
            parts.append(title_report(selection))
    if not parts:
        raise AnalysisError(f"no games fit {quoted(where)}{''.join(hints)}")
    if not any(cell.counted for part in parts for cell in part.cells) and any(part.not_replayed for part in parts):
        raise AnalysisError(" ".join(part.headline for part in parts))
    return Report(tuple(parts), provenance(facts, {"title": title, "where": where, "delta": delta, "seed": seed}))


def _titles(cells: pl.DataFrame, title: str | None) -> list[str]:
    """The titles to report on. Raises AnalysisError when there is nothing."""
    known = sorted(set(cells["title"]))
    if title is None:
        if not known:
            raise AnalysisError("the lake has no games to report on")
        return known
    if title not in known:
        raise AnalysisError(f"the lake has no games of {quoted(title)}; it has {listed(known, 'and') or 'none'}")
    return [title]


def title_report(selection: Selection) -> TitleReport:
    """The report on one selection of one title's games."""
    title, cells, facts = selection.title, selection.cells, selection.facts
    rules = titles.load(title) if title in titles.names() else None
    label = rules.label if rules else title.replace("_", " ").replace("-", " ").capitalize()
    unit = score_unit([part.warehouse.lake for part in selection.parts], title)
    context = Context(
        title=title, label=label, cells=cells, counts=Counts(title, selection.parts, unit),
        sample=Sample(title, selection.parts, unit), source=_source(label, facts),
        delta=selection.delta, seed=selection.seed, choice=rules.choice if rules else None,
        has_rules=rules is not None, pairs=selection.pairs,
    )  # fmt: skip
    shares = context.counts.shares()
    lines = verdicts.cell_lines(cells, shares, selection.delta)
    reasons, waiting = context.counts.left_out(), context.counts.not_replayed()
    moved = exclusions.shifts(cells, shares, context.counts.left_out_wins())
    figures = []
    for data in _figures(context, lines, shares):
        figures.append(data)
        if selection.tell:
            selection.tell(data)
    figures.sort(key=lambda data: data.number)
    return TitleReport(
        title=title,
        label=context.label,
        delta=selection.delta,
        cells=cells,
        headline=_headline(context, lines, shares, figures, waiting),
        verdicts=lines,
        findings=findings.strongest(findings.all_findings(context, lines, figures)),
        left_out=exclusions.left_out_sentences(sum(cell.counted for cell in cells), reasons, moved, selection.delta),
        needed=verdicts.needed_sentences(lines, cells),
        basis=(*_basis(cells, facts, selection.chosen), *filter(None, [unit.note()])),
        figures=tuple(figures),
        tables=_tables(context, lines, figures, reasons, moved),
        not_replayed=waiting,
    )


def _headline(
    context: Context, lines: Sequence[CellLine], shares: Mapping[str, Patterns], figures: Sequence[FigureData],
    waiting: int,
) -> str:  # fmt: skip
    """The verdict, or in a comparison what differs; and whether games wait for their replay."""
    told, undone = _told(context, lines, shares, figures), verdicts.waiting_sentence(waiting)
    if undone and not lines:
        return f"{context.label}: {undone}"
    return " ".join(filter(None, (told, undone)))


def _told(
    context: Context, lines: Sequence[CellLine], shares: Mapping[str, Patterns], figures: Sequence[FigureData]
) -> str:
    if context.pairs:
        answers = [data.answer for data in figures if data.slug in ("variant_effects", "seat_by_variant")]
        lacks = [data.failure for data in figures if data.slug == "variant_effects" and data.failure]
        return " ".join(filter(None, [*answers, *(f"No effects: {lack}." for lack in lacks)]))
    trend = verdicts.trend_sentence(verdicts.trend(shares, context.cells, context.seed)) if len(lines) > 1 else ""
    return " ".join(filter(None, (verdicts.headline(context.label, lines), trend)))


def _figures(context: Context, lines: Sequence[CellLine], shares: Mapping[str, Patterns]) -> Iterator[FigureData]:
    """All figures, each as soon as it is known."""
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
    for question, make in makers:
        yield attempt(context, question, make)
    yield from measure_figures.measure_figures(context)


def _tables(
    context: Context, lines: Sequence[CellLine], figures: Sequence[FigureData], reasons: pl.DataFrame,
    moved: Sequence[exclusions.Shift],
) -> tuple[TableData, ...]:  # fmt: skip
    effects = [data for data in figures if data.slug == "variant_effects" and not data.failure]
    return (
        tables.verdict_table(lines),
        seat_tests_table(context.cells, context.counts.shares(), context.counts.ranks(), context.seed),
        *sessions_table(context.cells, context.counts.shares(), context.counts.read("session_counts")),
        tables.needed_table(lines, context.delta),
        tables.cells_table(context.cells, _varying(context.cells)),
        tables.exclusions_table(reasons),
        tables.shift_table(moved),
        *(variant_figures.effects_table(data) for data in effects),
        *variant_strata.strata_table(context),
        skill_figures.skill_table(context),
        *measure_figures.measures_table(context, figures),
        tables.methods_table(figures, context.seed),
    )


def _varying(cells: Sequence[Cell]) -> list[str]:
    names = sorted({name for cell in cells for name in cell.options})
    return [name for name in names if len({str(cell.options.get(name)) for cell in cells}) > 1]


def _source(label: str, facts: Sequence[dict[str, Any]]) -> str:
    files = [entry["file"] for fact in facts for entry in fact["inputs"]]
    told = listed(files, "and") if len(files) <= 2 else f"{len(files)} files"
    boards = [
        f"board {entry['board']}" + (" (reconstructed)" if entry["reconstructed"] else "")
        for entry in {entry["board"]: entry for fact in facts for entry in fact["boards"]}.values()
    ]
    marks = listed([fact["data_digest"][:12] for fact in facts], "and")
    return f"{label}, {told or 'a lake'}{'; ' if boards else ''}{listed(boards, 'and')}; data {marks}."


def _basis(cells: Sequence[Cell], facts: Sequence[dict[str, Any]], chosen: bool) -> tuple[str, ...]:
    games, counted = sum(cell.games for cell in cells), sum(cell.counted for cell in cells)
    said = [
        f"{sum(fact['records'] for fact in facts):,} records of this title went in; {games:,} games"
        f"{' of the chosen cells' if chosen else ''} are sound, {counted:,} count."
    ]
    for board in sorted({e["board"] for fact in facts for e in fact["boards"] if e["reconstructed"]}):
        said.append(f"Board {board} is reconstructed, not the printed one: what depends on it may differ.")
    return tuple(said)
