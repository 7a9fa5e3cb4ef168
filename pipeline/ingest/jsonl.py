"""`.jsonl`, `.jsonl.gz`, `.jsonl.zst`: game records, one a line.

Plain records go a fast way: msgspec reads the header, `scan` the events. Everything else goes the slow
way through `records.read_record`, which knows the words for what is wrong. Both ways give the same codes
for the same record.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from pipeline import titles
from pipeline.ingest.chunk import Chunk, Headers, Reject, options_text, shorten, shown
from pipeline.ingest.lines import Block, read_blocks
from pipeline.ingest.scan import scan_events
from pipeline.ingest.vocabulary import vocabulary
from pipeline.records import (
    ENDINGS,
    FORMAT,
    KINDS,
    Record,
    RecordFault,
    ResultFields,
    SeatFields,
    parse_json,
    read_record,
)
from pipeline.replay import check_record
from pipeline.titles.contract import TitleError

SHORTEST_EVENT = 24
"""Bytes of the shortest event that there can be: {"seat":0,"action":""}."""


class _Plain(msgspec.Struct, forbid_unknown_fields=True):
    """A record as the fast way takes it: no time stamp, since those are rare and need judgement."""

    format: str
    title: str
    id: str
    seats: list[SeatFields]
    events: msgspec.Raw
    source: str | None = None
    options: msgspec.Raw = msgspec.Raw(b"")
    ended: str | None = None
    result: ResultFields | None = None


_decoder = msgspec.json.Decoder(_Plain)


@dataclass
class _Plains:
    """Records of one title and board on the fast way, their events as text."""

    headers: Headers
    events: list[bytes] = field(default_factory=list)
    lines: list[bytes] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)


def read_jsonl(path: Path, name: str, source: str, skip: int = 0) -> Iterator[tuple[list[Chunk], list[Reject], Block]]:
    """The file's games block by block, with what is rejected and the block (for the progress).

    `name` is what the tables call the file, `source` the default source; lines up to `skip` are
    passed over. Raises FileFault when the file cannot be read at all.
    """
    for block in read_blocks(path):
        rejects = [
            Reject(name, number, fault, f"{name}, line {number}: {sentence}")
            for number, fault, sentence in block.faults
            if number > skip
        ]
        groups: dict[tuple[str, str], _Plains] = {}
        slow: list[tuple[int, bytes]] = []
        for number, line in zip(block.numbers, block.lines, strict=True):
            if number > skip and not _take_plain(groups, name, source, number, line):
                slow.append((number, line))
        chunks = [chunk for group in groups.values() for chunk in _scan(group, slow)]
        chunks += _slow(slow, name, source, rejects)
        yield chunks, rejects, block


@cache
def _known_options(title: str, raw: bytes, players: int) -> tuple[str, str] | None:
    """Complete options and board for options as they stand in a file; None sends them the slow way."""
    try:
        given = parse_json(raw)
        if not isinstance(given, dict):
            return None
        found = titles.load(title)
        options = found.complete_options(given, players)
        board = found.board_id(options)
        found.load_board(board)
    except (RecordFault, TitleError):
        return None
    return options_text(options), board


def _take_plain(groups: dict[tuple[str, str], _Plains], file: str, source: str, number: int, line: bytes) -> bool:
    """Put a record on the fast way if its header is plain and in order; False sends it the slow way."""
    try:
        plain = _decoder.decode(line)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return False
    if plain.format != FORMAT or plain.title not in titles.names() or not plain.id:
        return False
    events = bytes(plain.events)
    seats = plain.seats
    result = plain.result
    at = line.find(b'"events":') + 9
    at += len(line[at : at + 2]) - len(line[at : at + 2].lstrip())
    if line[at : at + len(events)] != events or not _keys_once(line[:at] + line[at + len(events) :], plain):
        return False
    if plain.ended not in (None, *ENDINGS) or any(seat.kind not in (None, *KINDS) for seat in seats):
        return False
    players = len(seats)
    known = _known_options(plain.title, bytes(plain.options) or b"{}", players)
    if known is None or not _result_fits(result, players):
        return False
    options, board = known
    group = groups.get((plain.title, board))
    if group is None:
        group = groups[plain.title, board] = _Plains(Headers(plain.title, board, file))
    headers = group.headers
    headers.source.append(plain.source or source)
    headers.id.append(plain.id)
    headers.played_at.append(None)
    headers.options.append(options)
    headers.ended.append(plain.ended or ENDINGS[0])
    headers.players.append(players)
    headers.line.append(number)
    for seat in seats:
        headers.player.append(seat.player)
        headers.kind.append(seat.kind or KINDS[0])
        headers.source_seat.append(seat.source_seat)
    blanks: list[int | None] = [None] * players
    headers.score.extend(result.scores if result and result.scores is not None else blanks)
    headers.rank.extend(result.ranks if result and result.ranks is not None else blanks)
    group.events.append(events)
    group.lines.append(line)
    group.numbers.append(number)
    return True


def _keys_once(head: bytes, plain: _Plain) -> bool:
    """Whether the header (its events cut out) has as many keys as fields were read.

    msgspec takes the last of two equal keys; were there two, there would be more keys than fields. A key is
    counted by the quote and colon behind it, so white space before a colon must not hide one.
    """
    if b" :" in head or b"\t:" in head or b"\r:" in head:
        return False
    fields = 5 + (plain.source is not None) + (plain.ended is not None)  # format, title, id, seats, events
    options = bytes(plain.options)
    fields += bool(options) + options.count(b'":')
    if plain.result is not None:
        fields += 1 + (plain.result.scores is not None) + (plain.result.ranks is not None)
    for seat in plain.seats:
        fields += (seat.player is not None) + (seat.kind is not None) + (seat.source_seat is not None)
    return fields == head.count(b'":')


def _result_fits(result: ResultFields | None, players: int) -> bool:
    if result is None:
        return True
    scores, ranks = result.scores, result.ranks
    if scores is not None and (len(scores) != players or max(map(abs, scores)) >= 2**31):
        return False
    return ranks is None or (len(ranks) == players and min(ranks) >= 1 and max(ranks) <= players)


def _scan(group: _Plains, slow: list[tuple[int, bytes]]) -> Iterator[Chunk]:
    """Encode a group's events; records that the scan is not sure of go to `slow`."""
    headers = group.headers
    buffer = np.frombuffer(b"".join(group.events), np.uint8)
    begins = np.concatenate([[0], np.cumsum([len(text) for text in group.events])]).astype(np.int64)
    count = len(group.events)
    codes = np.empty((6, buffer.size // SHORTEST_EVENT + count + 1), np.int16)
    offsets = np.zeros(count + 1, np.int64)
    sure = np.zeros(count, np.bool_)
    scan_events(
        vocabulary(headers.title, headers.board), np.array(headers.players, np.int8), buffer, begins,
        codes, offsets, sure,
    )  # fmt: skip
    if not sure.all():
        slow += [(group.numbers[i], group.lines[i]) for i in np.flatnonzero(~sure)]
        headers = _select(headers, np.flatnonzero(sure).tolist())
        offsets = np.concatenate([offsets[:-1][sure], offsets[-1:]])
    if headers.id:
        yield headers.chunk(codes[:, : offsets[-1]], offsets)


def _select(headers: Headers, keep: list[int]) -> Headers:
    """The headers of some games."""
    chosen = Headers(headers.title, headers.board, headers.file)
    starts = np.concatenate([[0], np.cumsum(headers.players)]).astype(int)
    for name in ("source", "id", "played_at", "options", "ended", "players", "line"):
        setattr(chosen, name, [getattr(headers, name)[i] for i in keep])
    for name in ("player", "kind", "source_seat", "score", "rank"):
        values = getattr(headers, name)
        setattr(chosen, name, [v for i in keep for v in values[starts[i] : starts[i + 1]]])
    return chosen


def _slow(lines: list[tuple[int, bytes]], file: str, source: str, rejects: list[Reject]) -> Iterator[Chunk]:
    """Read records one by one with full checks; what is wrong goes to `rejects`."""
    groups: dict[tuple[str, str], tuple[Headers, list[Record]]] = {}
    for number, line in sorted(lines, key=lambda item: item[0]):
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
