"""`plybook check`: replay records without a lake and say of each what is right or wrong."""

from __future__ import annotations

import heapq
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from operator import itemgetter
from pathlib import Path
from typing import Any

from pipeline import titles
from pipeline.commands import GOOD, SOME_REJECTED, UNUSABLE
from pipeline.commands.output import plural, progress_bar, say
from pipeline.ingest.chunk import shorten
from pipeline.ingest.lines import FileFault, endings_off, read_blocks
from pipeline.ingest.table_rows import row_count, table_files
from pipeline.ingest.tables import read_tables, sentence_of
from pipeline.records import Record, RecordFault, parse_json, read_record
from pipeline.replay import Check, check_record
from pipeline.titles.contract import TitleError
from pipeline.writing import record_lines


def check(paths: list[Path], as_json: bool) -> int:
    """Check all records of some files, each on one line of stdout; the summary goes to stderr."""
    good = bad = 0
    unreadable = False
    for path in paths:
        try:
            before = good + bad
            for number, name, result in checked(path):
                good += result.ok
                bad += not result.ok
                print(_json_line(name, result) if as_json else _text_line(path, number, name, result))
            if good + bad == before:
                say(f"{path} has no record in it")
        except FileFault as fault:
            unreadable = True
            say(str(fault))
    sys.stdout.flush()
    say(f"{plural(good, 'record')} right, {bad:,} wrong")
    if unreadable or good + bad == 0:
        return UNUSABLE
    return SOME_REJECTED if bad else GOOD


Checked = tuple[int, str | None, Check]
"""Line (or row of the games table), id (None where it cannot be read) and check of a record."""


def checked(path: Path) -> Iterator[Checked]:
    """The checks of a file of records or a folder of canonical tables, in order. Raises FileFault."""
    with progress_bar("checking") as tell:
        yield from (_of_tables if path.is_dir() else _of_lines)(path, tell)


def _of_lines(path: Path, tell: Callable[[str, int, int], None]) -> Iterator[Checked]:
    source = endings_off(path)
    size = path.stat().st_size if path.is_file() else 0
    for block in read_blocks(path):
        lines = ((number, *check_line(line, source)) for number, line in block.lines())
        faults = ((number, None, _failed(RecordFault(fault, text))) for number, fault, text in block.faults)
        yield from heapq.merge(lines, faults, key=itemgetter(0))
        tell(path.name, block.read, size)


def _of_tables(path: Path, tell: Callable[[str, int, int], None]) -> Iterator[Checked]:
    total, done = row_count(table_files(path)[0]), 0
    for chunks, rejects in read_tables(path, path.name):
        found: list[Checked] = [
            (line, *check_line(text, path.name))
            for chunk in chunks
            for line, text in zip(chunk.games["line"].to_pylist(), record_lines(chunk), strict=True)
        ]
        for reject in rejects:
            fault = RecordFault(reject.fault, sentence_of(reject), reject.ply)
            found.append((reject.line, reject.id, _failed(fault)))
        yield from sorted(found, key=itemgetter(0))
        done += len(found)
        tell(path.name, done, total)


def check_line(line: bytes, source: str) -> tuple[str | None, Check]:
    """The id and the check of one line."""
    data: Any = None
    try:
        data = parse_json(line)
        record: Record = read_record(data, source)
        titles.load(record.title).load_board(record.board)
        return record.id, check_record(record)
    except TitleError as error:
        return _id(data), _failed(RecordFault("options", str(error)))
    except RecordFault as fault:
        return _id(data), _failed(fault)


def _id(data: Any) -> str | None:
    name = data.get("id") if isinstance(data, dict) else None
    return name if isinstance(name, str) else None


def _failed(fault: RecordFault) -> Check:
    return Check(False, fault.ply, fault.fault, str(fault), None, None, [])


def _json_line(name: str | None, result: Check) -> str:
    return json.dumps({"id": name, **asdict(result)}, separators=(",", ":"))


def _text_line(path: Path, number: int, name: str | None, result: Check) -> str:
    where = f"{path.name}, {'row' if path.is_dir() else 'line'} {number}" + (f", game {shorten(name)}" if name else "")
    if not result.ok:
        ply = "" if result.ply is None else f", ply {result.ply}"
        text = f"{where}{ply}: {result.message}"
    elif result.scores is None:
        text = f"{where}: right as far as it goes, the game is not over"
    else:
        ranks = " (ranks " + ", ".join(map(str, result.ranks or [])) + ")" if result.ranks else ""
        text = f"{where}: right, scores {', '.join(map(str, result.scores))}{ranks}"
    return text.encode("utf-8", "replace").decode()
