"""`plybook report` and `compare`: from a replayed lake to a folder that a person opens."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.commands import GOOD, SOME_REJECTED
from pipeline.commands.output import say
from pipeline.outputs import existing_lake, outside_lakes

if TYPE_CHECKING:
    from pipeline.analysis.model import FigureData, Report


def report(
    lake: Path, out: Path, title: str | None, where: str | None, delta: float, seed: int, threads: int,
    cells: tuple[str, str] | None,
) -> int:  # fmt: skip
    """Build a report and write it to `out`. Raises a ValueError of our own with one sentence."""
    from reports import FORMATS, write_report
    from reports.worker import Painter

    outside_lakes(out, lake)
    with Painter(FORMATS) as painter:
        if cells is None:
            from pipeline.analysis import build_report

            with _read(lake):
                made = build_report(lake, title, where, delta, seed, threads, painter.draw)
        else:
            made = _compared(lake, cells, title, delta, seed, threads, painter.draw)
        write_report(made, out, FORMATS, painter)
    for part in made.titles:
        # The verdict begins with the title's name, what a comparison found does not.
        say(part.headline if part.headline.startswith(part.label) else f"{part.label}: {part.headline}")
    say(f"report written: {out / 'index.html'}")
    return GOOD


def _compared(
    lake: Path, cells: tuple[str, str], title: str | None, delta: float, seed: int, threads: int,
    tell: Callable[[FigureData], None],
) -> Report:  # fmt: skip
    """Two selections of one lake, or the whole of two lakes."""
    from pipeline.analysis import compare

    first, second = (Path(cell) for cell in cells)
    if (first / "batches").is_dir() and (second / "batches").is_dir():
        with _read(first), _read(second):
            return compare(first, "", "", title, second, delta, seed, threads, tell)
    with _read(lake):
        return compare(lake, *cells, title, None, delta, seed, threads, tell)


def _read(lake: Path) -> AbstractContextManager[None]:
    """Within, a damaged file of the lake is one sentence. Raises OutputError when there is no lake."""
    from pipeline.lake import Lake

    return Lake(existing_lake(lake)).blamed()


def verify_report(folder: Path, lake: Path) -> int:
    """Make the report of a folder again from the lake, and say what differs."""
    from reports import verify

    with _read(lake):
        differences = verify(folder, lake)
    for sentence in differences:
        say(sentence)
    if differences:
        return SOME_REJECTED
    say(f"{folder} is what the lake gives")
    return GOOD
