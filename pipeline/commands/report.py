"""`plybook report` and `compare`: from a replayed lake to a folder that a person opens."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.commands import GOOD, SOME_REJECTED
from pipeline.commands.output import say

if TYPE_CHECKING:
    from pipeline.analysis.model import Report


def report(
    lake: Path, out: Path, title: str | None, where: str | None, delta: float, seed: int, threads: int,
    cells: tuple[str, str] | None,
) -> int:  # fmt: skip
    """Build a report and write it to `out`. Raises a ValueError of our own with one sentence."""
    from pipeline.analysis import build_report
    from reports import write_report

    if cells is None:
        made = build_report(lake, title, where, delta, seed, threads)
    else:
        made = _compared(lake, cells, title, delta, seed, threads)
    write_report(made, out)
    for part in made.titles:
        say(f"{part.label}: {part.headline}")
    say(f"report written: {out / 'index.html'}")
    return GOOD


def _compared(lake: Path, cells: tuple[str, str], title: str | None, delta: float, seed: int, threads: int) -> Report:
    """Two selections of one lake, or the whole of two lakes."""
    from pipeline.analysis import compare

    first, second = (Path(cell) for cell in cells)
    if (first / "batches").is_dir() and (second / "batches").is_dir():
        return compare(first, "", "", title, second, delta, seed, threads)
    return compare(lake, *cells, title, None, delta, seed, threads)


def verify_report(folder: Path, lake: Path) -> int:
    """Make the report of a folder again from the lake, and say what differs."""
    from reports import verify

    differences = verify(folder, lake)
    for sentence in differences:
        say(sentence)
    if differences:
        return SOME_REJECTED
    say(f"{folder} is what the lake gives")
    return GOOD
