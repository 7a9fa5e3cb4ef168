"""`plybook ingest`, `replay`, `run`: from logs to a lake, to outcomes, to a report."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from pipeline.commands import GOOD, SOME_REJECTED, UNUSABLE
from pipeline.commands.output import plural, progress_bar, say
from pipeline.ingest import ANEW, Ingested, ingest
from pipeline.lake import Lake, LakeError
from pipeline.replay_lake import Replayed, replay_lake

SHOWN = 10


def ingest_files(lake: Path, paths: list[Path], source: str | None) -> int:
    """Read logs into the lake and say what became of them."""
    return _code(_ingest(lake, paths, source), 0)


def replay_files(lake: Path, threads: int) -> int:
    """Replay what is due and say what was found."""
    report = _replay(lake, threads)
    return SOME_REJECTED if report.rejects else GOOD


def run(lake: Path, paths: list[Path], source: str | None, threads: int) -> int:
    """Ingest and replay; the report is the caller's next step. The exit code so far."""
    report = _ingest(lake, paths, source)
    if not Lake(lake).batches():
        return UNUSABLE
    replayed = _replay(lake, threads)
    return _code(report, replayed.rejects)


def tell_ingested(report: Ingested) -> int:
    """Say what became of the records; the exit code."""
    for sentence in report.unreadable:
        say(sentence)
    for name in report.skipped:
        say(f"{name} is in the lake already; passed over; {ANEW}")
    for name in report.empty:
        say(f"{name} has no record in it")
    for sentence in report.examples[:SHOWN]:
        say(sentence)
    wrong = report.rejects - report.duplicates
    if wrong > SHOWN:
        say(f"... and {wrong - SHOWN:,} more; see the view rejects")
    twice = f", {plural(report.duplicates, 'duplicate')} among them" if report.duplicates else ""
    games, rejects = plural(report.games, "game"), plural(report.rejects, "reject")
    say(f"{plural(report.records, 'record')} = {games} + {rejects}{twice}")
    return _code(report, 0)


def _ingest(lake: Path, paths: list[Path], source: str | None) -> Ingested:
    try:
        with progress_bar("reading") as tell:
            report = ingest(Lake(lake), paths, source, tell)
    except OSError as error:
        raise LakeError(f"the lake {lake} cannot be written: {error.strerror or error}") from error
    _give_back()
    tell_ingested(report)
    return report


def _replay(lake: Path, threads: int) -> Replayed:
    with progress_bar("replaying") as tell:
        report = replay_lake(Lake(lake), threads, lambda done, of: tell("", done, of))
    _give_back()
    for sentence in report.examples[:SHOWN]:
        say(sentence)
    if report.rejects > SHOWN:
        say(f"... and {report.rejects - SHOWN:,} more; see the view rejects")
    if report.batches:
        bad = f", {report.rejects:,} with a fault" if report.rejects else ", none with a fault"
        say(f"{plural(report.games, 'game')} replayed ({plural(report.plies, 'event')}){bad}")
    return report


def _give_back() -> None:
    """Hand freed memory back to the system, Arrow's and glibc's: so no step's peak stands on another's."""
    import ctypes

    import pyarrow as pa

    pa.default_memory_pool().release_unused()
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def _code(report: Ingested, faulty: int) -> int:
    if report.unreadable or (report.records and not report.games and report.rejects > report.duplicates):
        return UNUSABLE
    if report.records == 0 and not report.skipped:
        return UNUSABLE
    return SOME_REJECTED if faulty or report.rejects > report.duplicates else GOOD
