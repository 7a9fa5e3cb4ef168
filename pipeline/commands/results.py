"""`plybook ingest-results`: a spreadsheet of results into the lake."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pipeline.commands.lake import tell_ingested
from pipeline.commands.output import say
from pipeline.ingest import Ingested, keep_results
from pipeline.ingest.results import read_results
from pipeline.ingest.results_mapping import Form, ResultsError, override, pairs, read_form
from pipeline.lake import Lake


def ingest_results(
    files: list[Path], lake: Path, title: str | None, mapping: Path | None, columns: list[str],
    options: list[str], changes: dict[str, Any],
) -> int:  # fmt: skip
    """Read results tables of one title. Raises ResultsError for a wrong mapping."""
    form, named = read_form(mapping) if mapping else (Form(), None)
    form = override(form, pairs(columns), pairs(options), **changes)
    chosen = title or named
    if chosen is None:
        raise ResultsError("name the title: --title my_game")
    report = Ingested()
    for file in files:
        results = read_results(file, chosen, form)
        for note in results.notes:
            say(f"{file.name}: {note}")
        keep_results(Lake(lake), results.batch, report)
    return tell_ingested(report)
