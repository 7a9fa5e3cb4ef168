"""`plybook study`: how well the statistics keep what they promise, measured by simulation."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.commands import GOOD, SOME_REJECTED
from pipeline.commands.output import progress_bar, say

if TYPE_CHECKING:
    from pipeline.study.model import StudyTable


def study(names: list[str] | None, replicates: int, seed: int, out: Path | None) -> int:
    """Run studies (all by default), print their tables, and write them to the folder `out`.

    Returns 1 when a promise was missed. Raises StudyError with one sentence.
    """
    from pipeline.study import run_studies
    from pipeline.study.model import markdown

    tables = []
    with progress_bar("studies") as tell:
        for table in run_studies(names, replicates, seed, tell):
            tables.append(table)
            print(markdown(table), flush=True)
    if out is not None:
        _write(out, tables)
        say(f"studies written: {out / 'studies.md'}")
    missed = [table.name for table in tables if table.missed]
    if missed:
        say(f"promises missed: {', '.join(missed)}")
    return SOME_REJECTED if missed else GOOD


def _write(out: Path, tables: list[StudyTable]) -> None:
    """`studies.md`, and one CSV a study with the numbers in full."""
    from pipeline.study.model import markdown

    out.mkdir(parents=True, exist_ok=True)
    (out / "studies.md").write_text("\n".join(map(markdown, tables)), "utf-8")
    for table in tables:
        with (out / f"{table.name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(column.name for column in table.columns)
            writer.writerows(table.rows)
