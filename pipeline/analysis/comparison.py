"""Two selections of games side by side: of one lake, or of two."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import polars as pl

from pipeline.analysis.build import Selection, Tell, title_report
from pipeline.analysis.cells import CELL, choose_cells, name_cells, option_words, read_where, values_hint
from pipeline.analysis.counts import NOT_REPLAYED, VIEWS, Part
from pipeline.analysis.model import AnalysisError, Cell, Report
from pipeline.analysis.provenance import provenance, title_facts
from pipeline.analysis.variant_figures import Pair, match_cells
from pipeline.analysis.verdicts import waiting_sentence
from pipeline.lake import Lake
from pipeline.warehouse import Warehouse, open_warehouse
from pipeline.wording import listed, quoted


def compare_cells(
    lake: Path, cell_a: str, cell_b: str, title: str | None, lake_b: Path | None, delta: float, seed: int, threads: int,
    tell: Tell | None = None,
) -> Report:  # fmt: skip
    """See `pipeline.analysis.compare`."""
    wanted = (read_where(cell_a), read_where(cell_b))
    lakes = (lake, lake_b or lake)
    with ExitStack() as stack:
        first = stack.enter_context(open_warehouse(lake, threads, views=VIEWS))
        second = first if lake_b is None else stack.enter_context(open_warehouse(lake_b, threads, views=VIEWS))
        tables = [warehouse.query("cells") for warehouse in (first, second)]
        name = _title(tables, title)
        rows = [
            choose_cells(table.filter(pl.col("title") == name), want).with_columns(pl.lit(i).alias("side"))
            for i, (table, want) in enumerate(zip(tables, wanted, strict=True))
        ]
        for i, warehouse in enumerate((first, second)):
            if not rows[i]["counted"].sum():
                hint = values_hint(tables[i].filter(pl.col("title") == name), wanted[i])
                raise AnalysisError(
                    f"no counted game of {name} fits {quoted((cell_a, cell_b)[i])}{hint or _undone(warehouse, name)}"
                )
        whole = pl.concat(rows)
        if lake_b is None and whole.select("board", "options", "players").is_duplicated().any():
            raise AnalysisError(f"{quoted(cell_a)} and {quoted(cell_b)} have games in common")
        homes = _homes(lakes)
        names = [] if lake_b is None else [homes[i] for i in whole["side"]]
        cells = name_cells(whole, names)
        keyed = whole.with_columns(pl.Series("cell", [cell.key for cell in cells]))
        sides = [[c for c, s in zip(cells, whole["side"], strict=True) if s == i] for i in (0, 1)]
        keys = keyed.select("cell", *CELL)
        parts = [Part(first, keys)]
        if lake_b is not None:
            parts = [Part(w, keys.filter(keyed["side"] == i)) for i, w in enumerate((first, second))]
        pair = _pair(sides, wanted, homes if lake_b else ["", ""])
        facts = [title_facts(Lake(place), name, whole["board"].to_list()) for place in dict.fromkeys(lakes)]
        selection = Selection(name, cells, parts, facts, delta, seed, chosen=True, pairs=(pair,), tell=tell)
        part = title_report(selection)
    options = {"title": title, "where": None, "delta": delta, "seed": seed, "compare": [cell_a, cell_b]}
    options |= {"lakes": [place.absolute().name for place in lakes]} if lake_b else {}
    return Report((part,), provenance(facts, options), f"{pair.label}")


def _undone(warehouse: Warehouse, title: str) -> str:
    """Says so when games of the title wait for their replay."""
    waiting = warehouse.query("left_out_counts", title=title, reason=NOT_REPLAYED)["records"].sum()
    return f"; {waiting_sentence(int(waiting)).rstrip('.')}" if waiting else ""


def _homes(lakes: Sequence[Path]) -> list[str]:
    """What the lakes are called."""
    names = [place.absolute().name for place in lakes]
    return [f"lake {name}" for name in names] if names[0] != names[1] else ["lake A", "lake B"]


def _title(tables: Sequence[pl.DataFrame], title: str | None) -> str:
    """The title to compare within. Raises AnalysisError unless there is one."""
    known: list[str] = sorted(set(tables[0]["title"]) & set(tables[1]["title"]))
    if title is None and len(known) == 1:
        return known[0]
    if title is not None and title in known:
        return title
    if title is None and known:
        raise AnalysisError(f"there are games of {listed(known, 'and')}: name the title")
    raise AnalysisError("there are no games to compare" if title is None else f"there are no games of {quoted(title)}")


def _pair(sides: Sequence[Sequence[Cell]], wanted: Sequence[dict[str, str]], homes: Sequence[str]) -> Pair:
    """B against A, the base, over the cells that are equal in all that was not chosen."""
    matched = match_cells(sides[1], sides[0], {name for want in wanted for name in want})
    if not matched and len(sides[0]) == len(sides[1]) == 1:
        matched = [(sides[1][0], sides[0][0])]
    if not matched:
        raise AnalysisError("no cell of the one has a counterpart in the other that is equal in all else")
    base, other = (_words(want, home) for want, home in zip(wanted, homes, strict=True))
    return Pair(f"{other} against {base}", other, base, tuple(matched))


def _words(want: dict[str, str], lake: str) -> str:
    told: list[Any] = [
        f"{value} players" if name == "players" else option_words(name, value) for name, value in want.items()
    ]
    return ", ".join([*told, *([lake] if lake else [])]) or "all games"
