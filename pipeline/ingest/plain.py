"""The fast way from a line of text to a game: msgspec reads the header, `scan` the events.

It takes only what is certainly in order and never decides that a record is bad; what it does not take, `jsonl`
reads the slow way.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import UNSET, Meta, UnsetType

from pipeline import titles
from pipeline.ingest.chunk import MOST_OPTIONS, Chunk, Headers, known_options
from pipeline.ingest.lines import Block
from pipeline.ingest.memo import Memo, new_memo
from pipeline.ingest.scan import scan_events
from pipeline.ingest.vocabulary import vocabulary
from pipeline.records import ENDINGS, FORMAT, KINDS, RecordFault, moment_of

SHORTEST_EVENT = 24
"""Bytes of the shortest event that there can be: {"seat":0,"action":""}."""
NO_OPTIONS = msgspec.Raw(b"{}")
EVENTS = b'"events":'
STAND_IN = b"[0]"
"""Stands for the list of events in what msgspec reads; no option has such a value."""


class _Seat(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """One of `seats`; UNSET tells an absent field from null."""

    player: str | UnsetType | None = UNSET
    kind: str | UnsetType | None = UNSET
    source_seat: str | UnsetType | None = UNSET


class _Result(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """`result`, likewise."""

    scores: list[Annotated[int, Meta(gt=-(2**31), lt=2**31)]] | UnsetType | None = UNSET
    ranks: list[Annotated[int, Meta(ge=1)]] | UnsetType | None = UNSET


class _Plain(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A record as the fast way takes it, its events replaced by STAND_IN."""

    format: str
    title: str
    id: str
    seats: list[_Seat]
    events: msgspec.Raw
    source: str | UnsetType | None = UNSET
    played_at: str | UnsetType | None = UNSET
    options: msgspec.Raw = NO_OPTIONS
    ended: str | UnsetType | None = UNSET
    result: _Result | UnsetType | None = UNSET


class _Row(msgspec.Struct, gc=False):
    """A record on the fast way: what was read of it, its place in the block and that of its events."""

    plain: _Plain
    moment: datetime | None
    options: str
    line: int
    begin: int
    end: int


_decode = msgspec.json.Decoder(_Plain).decode
_encode = msgspec.json.Encoder().encode
_ENDINGS = {None, UNSET, *ENDINGS}
_KINDS = {None, UNSET, *KINDS}


class PlainReader:
    """Reads plain records of one file; what it learns of their events it remembers from block to block.

    `name` is what the tables call the file, `source` the default source.
    """

    def __init__(self, name: str, source: str) -> None:
        self.name = name
        self.source = source
        self.memos: dict[tuple[str, str], Memo] = {}

    def read(self, block: Block, lines: list[int], slow: list[int]) -> Iterator[Chunk]:
        """The games of a block's lines, given by their places; what is not plain goes to `slow`."""
        groups: dict[tuple[str, str], list[_Row]] = {}
        for line in lines:
            if not _take(groups, block, line):
                slow.append(line)
        for (title, board), rows in groups.items():
            if (title, board) not in self.memos:
                self.memos[title, board] = new_memo()
            sure, codes, offsets = _scan(rows, title, board, block, self.memos[title, board])
            slow += [row.line for row, fits in zip(rows, sure, strict=True) if not fits]
            rows = [row for row, fits in zip(rows, sure, strict=True) if fits]
            if rows:
                headers = Headers(title, board, self.name)
                _fill(headers, rows, block, self.source)
                yield headers.chunk(codes, offsets)


def _take(groups: dict[tuple[str, str], list[_Row]], block: Block, line: int) -> bool:
    """Put a record on the fast way if its header is plain and in order; False sends it the slow way.

    Its list of events is taken to end at the first closing bracket. Whether it is a list and ends there, `_scan`
    finds out later: if so, the line is JSON just when it is with STAND_IN, and its header is the same.
    """
    data, begin, end = block.data, block.begins[line], block.ends[line]
    first, last = _list_of_events(data, begin, end)
    if last == 0:
        return False
    head = data[begin:first] + STAND_IN + data[last:end]
    try:
        plain = _decode(head)
        moment = moment_of(plain.played_at) if isinstance(plain.played_at, str) else None
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError, RecordFault):
        return False
    if plain.format != FORMAT or plain.title not in titles.names() or not plain.id or plain.ended not in _ENDINGS:
        return False
    raw = bytes(plain.options)
    # The list found might have been one of the options, or another one behind it might have hidden it.
    if bytes(plain.events) != STAND_IN or STAND_IN in raw or len(raw) > MOST_OPTIONS or not _keys_once(head, plain):
        return False
    players = len(plain.seats)
    known = known_options(plain.title, raw, players)
    if known is None or not _KINDS.issuperset([seat.kind for seat in plain.seats]) or not _result_fits(plain):
        return False
    options, board = known
    row = _Row(plain, moment, options, line, first, last)
    groups.setdefault((plain.title, board), []).append(row)
    return True


def _list_of_events(data: bytes, begin: int, end: int) -> tuple[int, int]:
    """Where the list of events should lie, 0 and 0 if nowhere. (`events` among the options is no list of objects.)"""
    at = data.find(EVENTS, begin, end)
    while at >= 0:
        first = at + len(EVENTS)
        first += data[first] == 32
        if data.startswith(b"[{", first):
            return first, data.find(b"]", first, end) + 1
        at = data.find(EVENTS, first, end)
    return 0, 0


def _keys_once(head: bytes, plain: _Plain) -> bool:
    """Whether no key of the header stands twice; msgspec takes the last of two equal ones.

    Written anew every key stands once: if a key was lost, colons are missing. Colons within texts are as many as
    before, since none of them may be written as an escape; for keys among the options see `_known_options`.
    """
    if b"\\" in head and b"\\u003" in head:
        return False
    missing = plain.options is NO_OPTIONS
    return head.count(b":") == _encode(plain).count(b":") - missing


def _result_fits(plain: _Plain) -> bool:
    if not plain.result:
        return True
    scores, ranks, players = plain.result.scores, plain.result.ranks, len(plain.seats)
    if isinstance(scores, list) and len(scores) != players:
        return False
    return not isinstance(ranks, list) or (len(ranks) == players and max(ranks) <= players)


def _scan(
    rows: list[_Row], title: str, board: str, block: Block, memo: Memo
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int16], npt.NDArray[np.int64]]:
    """Encode the events of some records: of which the scan is sure, and the codes and offsets of those."""
    players = np.array([len(row.plain.seats) for row in rows], np.int8)
    begins = np.array([row.begin for row in rows], np.int64)
    ends = np.array([row.end for row in rows], np.int64)
    most = int((ends - begins).sum()) // SHORTEST_EVENT + len(rows) + 1
    codes = np.empty((6, most), np.int16)
    offsets = np.zeros(len(rows) + 1, np.int64)
    sure = np.zeros(len(rows), np.bool_)
    buffer = np.frombuffer(block.data, np.uint8)
    scan_events(vocabulary(title, board), memo, players, buffer, begins, ends, codes, offsets, sure)
    return sure, codes[:, : offsets[-1]], np.concatenate([offsets[:-1][sure], offsets[-1:]])


def _fill(headers: Headers, rows: list[_Row], block: Block, source: str) -> None:
    """Fill in the columns of games and seats; `source` is for records that name none."""
    headers.source = [row.plain.source or source for row in rows]
    headers.id = [row.plain.id for row in rows]
    headers.played_at = [row.moment for row in rows]
    headers.options = [row.options for row in rows]
    headers.ended = [row.plain.ended or ENDINGS[0] for row in rows]
    headers.players = [len(row.plain.seats) for row in rows]
    headers.line = [block.numbers[row.line] for row in rows]
    seats = [seat for row in rows for seat in row.plain.seats]
    headers.player = [None if seat.player is UNSET else seat.player for seat in seats]
    headers.kind = [seat.kind or KINDS[0] for seat in seats]
    headers.source_seat = [None if seat.source_seat is UNSET else seat.source_seat for seat in seats]
    for row in rows:
        result = row.plain.result or _Result()
        blanks: list[None] = [None] * len(row.plain.seats)
        headers.score += result.scores or blanks
        headers.rank += result.ranks or blanks
