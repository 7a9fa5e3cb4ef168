"""Games on their way into the lake: canonical columns of one title and board, in the order of the input."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pipeline import titles
from pipeline.identity import content_digest, game_number
from pipeline.ingest.scan import hash_events
from pipeline.kernels import kernel
from pipeline.loops.replay import Log
from pipeline.records import RecordFault, parse_json
from pipeline.replay import log_of_codes, rows_of_games
from pipeline.titles.contract import TitleError
from schemas import GAMES, MOVES, REJECTS, SEATS

RECORD_SHOWN = 2000
MOST_OPTIONS = 2000
"""Bytes of options that are looked up by their text; no title has half as many."""


@dataclass
class Reject:
    """One record that does not become a game."""

    file: str
    line: int
    fault: str
    message: str
    title: str | None = None
    source: str | None = None
    id: str | None = None
    ply: int | None = None
    record: str | None = None


@dataclass
class Chunk:
    """Some games of one title and board. `codes` [6, events] with `offsets` [games + 1]."""

    title: str
    board: str
    games: pa.Table
    seats: pa.Table
    codes: npt.NDArray[np.int16]
    offsets: npt.NDArray[np.int64]


@dataclass
class Headers:
    """Columns of games and seats while they are being read."""

    title: str
    board: str
    file: str
    source: list[str] = field(default_factory=list)
    id: list[str] = field(default_factory=list)
    played_at: list[datetime | None] = field(default_factory=list)
    options: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    players: list[int] = field(default_factory=list)
    line: list[int] = field(default_factory=list)
    player: list[str | None] = field(default_factory=list)
    kind: list[str] = field(default_factory=list)
    source_seat: list[str | None] = field(default_factory=list)
    score: list[int | None] = field(default_factory=list)
    rank: list[int | None] = field(default_factory=list)

    def chunk(self, codes: npt.NDArray[np.int16], offsets: npt.NDArray[np.int64]) -> Chunk:
        """These headers with their events."""
        count = len(self.id)
        players = np.array(self.players, np.int8)
        numbers = [game_number(self.title, s, i) for s, i in zip(self.source, self.id, strict=True)]
        ids = np.array(numbers, np.int64)
        games = pa.table(
            {
                "game_id": ids,
                "title": [self.title] * count,
                "source": self.source,
                "id": self.id,
                "played_at": pa.array(self.played_at, pa.timestamp("us", "UTC")),
                "options": self.options,
                "board": [self.board] * count,
                "ended": self.ended,
                "players": players,
                "plies": np.diff(offsets).astype(np.int32),
                "digest": self._digests(codes, offsets),
                "file": [self.file] * count,
                "line": pa.array(self.line, pa.int64()),
            },
            schema=GAMES.schema,
        )
        seats = pa.table(
            {
                "game_id": np.repeat(ids, players),
                "seat": seat_numbers(players),
                "player": self.player,
                "kind": self.kind,
                "source_seat": self.source_seat,
                "stated_score": self.score,
                "stated_rank": self.rank,
            },
            schema=SEATS.schema,
        )
        return Chunk(self.title, self.board, games, seats, codes, offsets)

    def _digests(self, codes: npt.NDArray[np.int16], offsets: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        hashes = np.zeros(len(self.id), np.int64)
        hash_events(codes, offsets, hashes)
        digests = np.zeros(len(self.id), np.int64)
        first = 0
        for i, players in enumerate(self.players):
            last = first + players
            moment = self.played_at[i]
            content = (
                self.options[i], self.ended[i], moment.isoformat() if moment else None,
                self.player[first:last], self.kind[first:last], self.source_seat[first:last],
                self.score[first:last], self.rank[first:last], int(hashes[i]),
            )  # fmt: skip
            digests[i] = content_digest(repr(content).encode("utf-8", "surrogatepass"))
            first = last
        return digests


def seat_numbers(players: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    """0, 1, .. for each game's seats, game after game."""
    total = int(players.sum(dtype=np.int64))
    starts = np.repeat(np.cumsum(players, dtype=np.int64) - players, players)
    return (np.arange(total) - starts).astype(np.int8)


def options_text(options: dict[str, Any]) -> str:
    """Complete options as the games table holds them."""
    return json.dumps(options, sort_keys=True, separators=(",", ":"))


def options_and_board(title: str, given: Mapping[str, Any], players: int) -> tuple[str, str]:
    """Complete options as the games table holds them, and the board, whose data are there. Raises TitleError."""
    found = titles.load(title)
    options = found.complete_options(given, players)
    board = found.board_id(options)
    found.load_board(board)
    return options_text(options), board


@lru_cache(4096)
def known_options(title: str, raw: bytes, players: int) -> tuple[str, str] | None:
    """`options_and_board` for options as they stand in a file, at most MOST_OPTIONS bytes; None: something is wrong."""
    try:
        given = parse_json(raw)
        return options_and_board(title, given, players) if isinstance(given, dict) else None
    except (RecordFault, TitleError):
        return None


def moves_table(chunk: Chunk) -> pa.Table:
    """The canonical moves of a chunk, its games in their order."""
    title = titles.load(chunk.title)
    book = title.book(chunk.board)
    count = int(chunk.offsets[-1])
    turn = np.zeros(count, np.int32)
    log = bare_log(chunk.codes, chunk.offsets)
    kernel(title.name).number_turns(log, np.array(book.turn_classes, np.int32), turn)
    lengths = np.diff(chunk.offsets)
    starts = np.repeat(chunk.offsets[:-1], lengths)
    fields = {
        name: pa.array(chunk.codes[row, :count], pa.int16(), mask=chunk.codes[row, :count] < 0)
        for row, name in ((2, "item"), (3, "place"), (4, "target"), (5, "amount"))
    }
    return pa.table(
        {
            "game_id": np.repeat(chunk.games["game_id"].to_numpy(), lengths),
            "ply": (np.arange(count) - starts).astype(np.int32),
            "turn": turn,
            "seat": chunk.codes[0, :count].astype(np.int8),
            "action": chunk.codes[1, :count].astype(np.int8),
            **fields,
        },
        schema=MOVES.schema,
    )


def bare_log(codes: npt.NDArray[np.int16], offsets: npt.NDArray[np.int64]) -> Log:
    """A log of events alone, without players and options."""
    games = offsets.size - 1
    return log_of_codes(
        codes, offsets, np.zeros(games, np.int8), np.zeros((games, 0), np.int32), np.zeros(games, np.bool_)
    )


def take_games(chunk: Chunk, order: npt.NDArray[np.int64]) -> Chunk:
    """Some of a chunk's games, in this order (indices)."""
    ends = np.cumsum(chunk.games["players"].to_numpy(), dtype=np.int64)
    seats, _ = rows_of_games(np.concatenate([[0], ends]), order)
    events, offsets = rows_of_games(chunk.offsets, order)
    return Chunk(
        chunk.title,
        chunk.board,
        chunk.games.take(order),
        chunk.seats.take(seats),
        np.ascontiguousarray(chunk.codes[:, events]),
        offsets,
    )


def join_chunks(chunks: Sequence[Chunk]) -> Chunk:
    """Chunks of one title and board as one."""
    sizes = np.array([chunk.offsets[-1] for chunk in chunks], np.int64)
    shifts = np.cumsum(sizes) - sizes
    offsets = [chunk.offsets[:-1] + shift for chunk, shift in zip(chunks, shifts, strict=True)]
    return Chunk(
        chunks[0].title,
        chunks[0].board,
        pa.concat_tables([chunk.games for chunk in chunks]).combine_chunks(),
        pa.concat_tables([chunk.seats for chunk in chunks]).combine_chunks(),
        np.concatenate([chunk.codes[:, : chunk.offsets[-1]] for chunk in chunks], axis=1),
        np.concatenate([*offsets, [sizes.sum()]]).astype(np.int64),
    )


def rejects_table(rejects: Sequence[Reject]) -> pa.Table:
    """Rejects in the order of their files and lines."""
    rows = sorted(rejects, key=lambda reject: (reject.file, reject.line))
    numbers = [
        None if row.title is None or row.id is None else game_number(row.title, row.source or "", row.id)
        for row in rows
    ]
    return pa.table(
        {
            "file": [row.file for row in rows],
            "line": pa.array([row.line for row in rows], pa.int64()),
            "title": pa.array([row.title for row in rows], pa.string()),
            "source": pa.array([row.source for row in rows], pa.string()),
            "id": pa.array([row.id for row in rows], pa.string()),
            "game_id": pa.array(numbers, pa.int64()),
            "ply": pa.array([row.ply for row in rows], pa.int32()),
            "fault": [row.fault for row in rows],
            "message": [row.message for row in rows],
            "record": pa.array([row.record for row in rows], pa.string()),
        },
        schema=REJECTS.schema,
    )


def shown(line: bytes) -> str:
    """The record's beginning, for the rejects table; NUL is shown, not kept."""
    return line[:RECORD_SHOWN].decode("utf-8", "replace").replace("\x00", "\ufffd")


def shorten(name: str) -> str:
    """A name from outside, fit for one line of a message."""
    plain = "".join(c if c.isprintable() else "\ufffd" for c in name)
    return plain if len(plain) <= 60 else plain[:57] + "..."
