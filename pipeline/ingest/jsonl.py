"""`.jsonl`, `.jsonl.gz`, `.jsonl.zst`: game records, one a line.

Plain records go the fast way of `plain`. Everything else goes the slow way through `records.read_record`,
which knows the words for what is wrong. Both ways give the same codes for the same record.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from pipeline import titles
from pipeline.ingest.chunk import Chunk, Headers, Reject, options_text, shorten, shown
from pipeline.ingest.lines import Block, read_blocks
from pipeline.ingest.plain import PlainReader
from pipeline.records import Record, RecordFault, parse_json, read_record
from pipeline.replay import check_record
from pipeline.titles.contract import TitleError


def read_jsonl(path: Path, name: str, source: str, skip: int = 0) -> Iterator[tuple[list[Chunk], list[Reject], Block]]:
    """The file's games block by block, with what is rejected and the block (for the progress).

    `name` is what the tables call the file, `source` the default source; lines up to `skip` are
    passed over. Raises FileFault when the file cannot be read at all.
    """
    fast = PlainReader(name, source)
    for block in read_blocks(path):
        rejects = [
            Reject(name, number, fault, f"{name}, line {number}: {sentence}")
            for number, fault, sentence in block.faults
            if number > skip
        ]
        lines = [line for line, number in enumerate(block.numbers) if number > skip]
        slow: list[int] = []
        chunks = list(fast.read(block, lines, slow))
        chunks += _slow([block.line(line) for line in sorted(slow)], name, source, rejects)
        yield chunks, rejects, block


def _slow(lines: Iterable[tuple[int, bytes]], file: str, source: str, rejects: list[Reject]) -> Iterator[Chunk]:
    """Read records one by one with full checks; what is wrong goes to `rejects`."""
    groups: dict[tuple[str, str], tuple[Headers, list[Record]]] = {}
    for number, line in lines:
        data: Any = None
        try:
            data = parse_json(line)
            record = read_record(data, source)
            titles.load(record.title).load_board(record.board)
        except TitleError as error:
            rejects.append(_rejected(file, source, number, line, data, RecordFault("options", str(error))))
            continue
        except RecordFault as fault:
            rejects.append(_rejected(file, source, number, line, data, fault))
            continue
        check = check_record(record) if record.form_faults or not record.codes else None
        if check is not None and not check.ok:
            # With a fault of form an earlier event may break a rule: then that is the first fault.
            first = RecordFault(check.fault or "form", check.message or "", check.ply)
            rejects.append(_rejected(file, source, number, line, data, first))
            continue
        key = (record.title, record.board)
        group = groups.setdefault(key, (Headers(*key, file), []))
        _add(group[0], record, number)
        group[1].append(record)
    for headers, records in groups.values():
        rows = [code for record in records for code in record.codes]
        codes = np.array(rows, np.int16).reshape(-1, 6).T
        lengths = [len(record.codes) for record in records]
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        yield headers.chunk(np.ascontiguousarray(codes), offsets)


def _add(headers: Headers, record: Record, number: int) -> None:
    headers.source.append(record.source)
    headers.id.append(record.id)
    headers.played_at.append(record.played_at)
    headers.options.append(options_text(record.options))
    headers.ended.append(record.ended)
    headers.players.append(len(record.seats))
    headers.line.append(number)
    for i, seat in enumerate(record.seats):
        headers.player.append(seat.player)
        headers.kind.append(seat.kind)
        headers.source_seat.append(seat.source_seat)
        headers.score.append(record.scores[i] if record.scores else None)
        headers.rank.append(record.ranks[i] if record.ranks else None)


def _rejected(file: str, source: str, number: int, line: bytes, data: Any, fault: RecordFault) -> Reject:
    """The reject of a line, with as much of its header as could be read."""

    def text(name: str) -> str | None:
        value = data.get(name) if isinstance(data, dict) else None
        # Lone surrogates are legal JSON, but no text that Arrow holds.
        return value.encode("utf-8", "replace").decode() if isinstance(value, str) else None

    title, name = text("title"), text("id")
    where = f"{file}, line {number}"
    if name:
        where += f", game {shorten(name)}"
    if fault.ply is not None:
        where += f", ply {fault.ply}"
    message = f"{where}: {fault}".encode("utf-8", "replace").decode()
    return Reject(file, number, fault.fault, message, title, text("source") or source, name, fault.ply, shown(line))
