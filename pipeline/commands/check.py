"""`plybook check`: replay records without a lake and say of each what is right or wrong."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pipeline import titles
from pipeline.commands import GOOD, SOME_REJECTED, UNUSABLE
from pipeline.commands.output import plural, progress_bar, say
from pipeline.ingest.chunk import shorten
from pipeline.ingest.lines import FileFault, endings_off, read_blocks
from pipeline.records import Record, RecordFault, parse_json, read_record
from pipeline.replay import Check, check_record
from pipeline.titles.contract import TitleError


def check(paths: list[Path], as_json: bool) -> int:
    """Check all records of some files, each on one line of stdout; the summary goes to stderr."""
    good = bad = 0
    unreadable = False
    for path in paths:
        try:
            for number, name, result in checked(path):
                good += result.ok
                bad += not result.ok
                print(_json_line(name, result) if as_json else _text_line(path, number, name, result))
        except FileFault as fault:
            unreadable = True
            say(str(fault))
    sys.stdout.flush()
    say(f"{plural(good, 'record')} right, {bad:,} wrong")
    if unreadable or good + bad == 0:
        return UNUSABLE
    return SOME_REJECTED if bad else GOOD


def checked(path: Path) -> Iterator[tuple[int, str | None, Check]]:
    """Line number, id (None where it cannot be read) and check of each record. Raises FileFault."""
    source = endings_off(path)
    size = path.stat().st_size if path.is_file() else 0
    with progress_bar("checking") as tell:
        for block in read_blocks(path):
            for number, line in block.lines():
                yield number, *check_line(line, source)
            for number, fault, sentence in block.faults:
                yield number, None, _failed(RecordFault(fault, sentence))
            tell(path.name, block.read, size)


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
    where = f"{path.name}, line {number}" + (f", game {shorten(name)}" if name else "")
    if not result.ok:
        ply = "" if result.ply is None else f", ply {result.ply}"
        text = f"{where}{ply}: {result.message}"
    elif result.scores is None:
        text = f"{where}: right as far as it goes, the game is not over"
    else:
        ranks = " (ranks " + ", ".join(map(str, result.ranks or [])) + ")" if result.ranks else ""
        text = f"{where}: right, scores {', '.join(map(str, result.scores))}{ranks}"
    return text.encode("utf-8", "replace").decode()
