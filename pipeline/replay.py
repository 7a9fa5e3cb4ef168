"""The replay driver: any title, any batch of games. Events in, outcomes and score events and turns out."""

from __future__ import annotations

import queue
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pipeline import titles
from pipeline.kernels import kernel
from pipeline.loops.replay import Log, Result, TurnRow
from pipeline.records import Record
from pipeline.titles.contract import Book, Title
from pipeline.titles.state import COMMON_FAULTS, FORM, NO_FAULT, Sink, empty_sink, ints, memory_of

GAMES_A_TASK = 4096
TURNS_A_PIECE = 1 << 13
"""Rows of the buffer for turns, which is emptied as often as it is full: no more than the cache holds."""


@dataclass
class Events:
    """The score events of some games, in their order; those of one ply in no certain order."""

    ply: npt.NDArray[np.int32]
    seat: npt.NDArray[np.int8]
    source: npt.NDArray[np.int8]
    place: npt.NDArray[np.int16]
    points: npt.NDArray[np.int32]


@dataclass
class Piece:
    """What the loop made of some games, after one another: which, their score events, their turns."""

    games: npt.NDArray[np.int64]
    events: Events
    event_counts: npt.NDArray[np.int32]  # of each game
    turns: npt.NDArray[np.int32]  # [turns, 6 + facts], column after column
    turn_counts: npt.NDArray[np.int32]

    @property
    def event_game(self) -> npt.NDArray[np.int64]:
        """The game of each score event."""
        return np.repeat(self.games, self.event_counts)

    @property
    def turn_game(self) -> npt.NDArray[np.int64]:
        """The game of each turn."""
        return np.repeat(self.games, self.turn_counts)


@dataclass
class Replay:
    """A `Result` for each game of a log, and the pieces in the order of the games."""

    results: Any
    pieces: list[Piece]


def replay_log(
    title: Title,
    board: str,
    log: Log,
    want_turns: bool = False,
    threads: int = 1,
    compiled: bool = True,
) -> Replay:
    """Replay all games of a log, which is of one title and one board.

    The threads share nothing but the log and the results, and the loop releases the GIL.
    """
    loop = kernel(title.name, compiled=compiled)
    classes = np.array(title.book(board).turn_classes, np.int32)
    data = title.load_board(board)
    games = log.players.size
    results = Result.block(games)
    longest = int(np.diff(log.offsets).max(initial=0))
    buffers: queue.SimpleQueue[Buffers] = queue.SimpleQueue()
    for _ in range(threads):
        buffers.put(Buffers.new(title, max(longest, TURNS_A_PIECE) if want_turns else 1))

    def task(first: int) -> list[Piece]:
        which = np.arange(first, min(first + GAMES_A_TASK, games), dtype=np.int64)
        mine = buffers.get()
        found = list(_pieces(loop, data, classes, log, which, want_turns, results, mine))
        buffers.put(mine)
        return found

    starts = range(0, games, GAMES_A_TASK)
    if threads == 1 or len(starts) == 1:
        lists = [task(first) for first in starts]
    else:
        with ThreadPoolExecutor(threads) as pool:
            lists = list(pool.map(task, starts))
    return Replay(results, [piece for pieces in lists for piece in pieces])


@dataclass
class Buffers:
    """What a thread writes into, piece after piece: fresh memory for each would cost more than replaying."""

    state: Any
    sink: Sink
    rows: Any

    @classmethod
    def new(cls, title: Title, turns: int) -> Buffers:
        return cls(title.rules.State.new(), Sink.new(), TurnRow.block(turns, facts=ints(len(title.facts))))


def _pieces(
    loop: Any, board: Any, classes: npt.NDArray[np.int32], log: Log, which: npt.NDArray[np.int64],
    want_turns: bool, results: Any, buffers: Buffers,
) -> Iterator[Piece]:  # fmt: skip
    """Run the loop over some games as often as its buffers need."""
    state, sink, rows = buffers.state, buffers.sink, buffers.rows
    numbers = memory_of(rows).reshape(rows.size, -1)
    done = 0
    while done < which.size:
        empty_sink(sink, 0)
        now = loop.replay_games(log, which, done, classes, board, state, sink, rows, want_turns, results)
        # No game scores or turns so often that the empty buffers were too small for it.
        assert now > done
        games = which[done:now]
        yield Piece(
            games,
            _events(sink),
            np.diff(results.events_end[games], prepend=0),
            numbers[: results.rows_end[games[-1]]].copy(order="F"),
            np.diff(results.rows_end[games], prepend=0),
        )
        done = now


def _events(sink: Sink) -> Events:
    """The sink's events in columns of their own, no wider than they need."""
    used = slice(int(sink.count))
    return Events(
        sink.ply[used].copy(),
        sink.seat[used].astype(np.int8),
        sink.source[used].astype(np.int8),
        sink.place[used].astype(np.int16),
        sink.points[used].copy(),
    )


def log_of_codes(
    codes: npt.NDArray[np.int16],
    offsets: npt.NDArray[np.int64],
    players: npt.NDArray[np.int8],
    options: npt.NDArray[np.int32],
    finished: npt.NDArray[np.bool_],
) -> Log:
    """A log of events as codes [6, events]: seat, action, item, place, target, amount."""
    seat, action, item, place, target, amount = (np.ascontiguousarray(row) for row in codes[:, : offsets[-1]])
    return Log(
        offsets,
        seat.astype(np.int8),
        action.astype(np.int8),
        item,
        place,
        target,
        amount,
        players,
        options,
        finished,
    )


def codes_of_log(log: Log) -> npt.NDArray[np.int16]:
    """The events of a log as codes [6, events]."""
    columns = (log.seat, log.action, log.item, log.place, log.target, log.amount)
    return np.stack([column.astype(np.int16) for column in columns])


def rows_of_games(
    offsets: npt.NDArray[np.int64], which: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The rows of some games (indices into `offsets` [games + 1]), game after game, and their own offsets."""
    lengths = np.diff(offsets)[which]
    ends = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    rows = np.arange(ends[-1]) - np.repeat(ends[:-1] - offsets[which], lengths)
    return rows, ends


def log_of(title: Title, records: Sequence[Record]) -> Log:
    """A log of records of one title and board, in their order."""
    lengths = [len(record.codes) for record in records]
    rows = [code for record in records for code in record.codes]
    players = [len(record.seats) for record in records]
    return log_of_codes(
        np.array(rows, np.int16).reshape(-1, 6).T,
        np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        np.array(players, np.int8),
        option_rows(title, [record.options for record in records], players),
        np.array([record.ended == "finished" for record in records], np.bool_),
    )


def option_rows(title: Title, options: Sequence[dict[str, Any]], players: Sequence[int]) -> npt.NDArray[np.int32]:
    """The options of each game as the rules read them [games, options]."""
    rows = [title.encode_options(each, count) for each, count in zip(options, players, strict=True)]
    return np.array(rows, np.int32).reshape(len(rows), len(rows[0]) if rows else 0)


@dataclass
class Check:
    """What a replay says of one record; `fault` is None when nothing is wrong."""

    ok: bool
    ply: int | None
    fault: str | None
    message: str | None
    scores: list[int] | None
    ranks: list[int] | None
    score_events: list[tuple[int, int, str, str, int]]


def check_record(record: Record, compiled: bool = True) -> Check:
    """Replay one record. Its scores and ranks are None while the game is not over."""
    if not record.has_events:
        return Check(True, None, None, None, record.scores, record.ranks, [])
    title = titles.load(record.title)
    replay = replay_log(title, record.board, log_of(title, [record]), compiled=compiled)
    return verdict(title, record, replay.results, 0, replay.pieces)


def verdict(title: Title, record: Record, results: Any, game: int, pieces: Sequence[Piece]) -> Check:
    """The check of one game of a replay."""
    book = title.book(record.board)
    events = [
        (
            int(piece.events.ply[i]),
            int(piece.events.seat[i]),
            book.sources[piece.events.source[i]],
            book.score_places[piece.events.place[i]],
            int(piece.events.points[i]),
        )
        for piece in pieces
        for i in np.flatnonzero((piece.event_game == game) & (piece.events.points != 0))
    ]
    code = int(results.fault[game])
    if code != NO_FAULT:
        ply = int(results.ply[game])
        name, sentence = fault_sentence(book, record, code, ply, results.numbers[game])
        return Check(False, ply, name, sentence, None, None, sorted(events))
    seats = len(record.seats)
    if results.rank[game, 0] == 0:
        return Check(True, None, None, None, None, None, sorted(events))
    scores = [int(score) for score in results.score[game, :seats]]
    ranks = [int(rank) for rank in results.rank[game, :seats]]
    message = difference((("scores", record.scores, scores), ("ranks", record.ranks, ranks)))
    fault = "result_mismatch" if message else None
    return Check(not message, None, fault, message, scores, ranks, sorted(events))


Pair = tuple[str, Sequence[int | None] | None, Sequence[int]]
"""What is compared, as the source states it (None where it does not), and as replayed."""


def difference(pairs: Iterable[Pair]) -> str | None:
    """The sentence for the first stated result that differs from the replayed one."""
    for name, stated, found in pairs:
        if stated and any(told is not None and told != mine for told, mine in zip(stated, found, strict=True)):
            said = ", ".join("?" if told is None else str(told) for told in stated)
            return f"the record states {name} {said}, the replay gives {', '.join(map(str, found))}"
    return None


def fault_sentence(
    book: Book, record: Record | None, code: int, ply: int, numbers: Sequence[int],
    event: Sequence[int] | None = None,
) -> tuple[str, str]:  # fmt: skip
    """A fault's short name and its sentence, the event's codes turned into words."""
    if code == FORM:
        assert record is not None
        fault = record.form_faults[ply]
        return fault.fault, str(fault)
    name, sentence = book.faults.get(code) or COMMON_FAULTS[code]
    if event is None and record is not None and ply < len(record.codes):
        event = record.codes[ply]
    return name, sentence.format(**_words(book, event, numbers))


def _words(book: Book, event: Sequence[int] | None, numbers: Sequence[int]) -> dict[str, Any]:
    """What a fault's sentence may name."""

    def word(words: Sequence[Any], code: int) -> Any:
        return words[code] if 0 <= code < len(words) else "none"

    seat, action, item, place, target, amount = event if event is not None else (-1,) * 6
    a, b = (int(number) for number in numbers)
    aims = bool(book.actions) and action >= 0 and book.actions[action].target == "seat"
    return {
        "seat": "nature" if seat < 0 else seat,
        "action": word([entry.name for entry in book.actions], action),
        "item": word(book.items, item),
        "place": word(book.places, place),
        "target": target if aims else word(book.targets, target),
        "amount": amount,
        "a": a,
        "b": b,
        "a_item": word(book.items, a),
        "b_item": word(book.items, b),
        "a_place": word(book.places, a),
        "b_place": word(book.places, b),
        "a_target": word(book.targets, a),
        "b_target": word(book.targets, b),
    }


def states_of(record: Record, compiled: bool = False) -> tuple[Any, list[npt.NDArray[np.int32]]]:
    """A scratch state block of the title, and the memory before the first and after each event.

    Put a row into the block (`memory_of(block)[:] = row`) and `block[0]` is the state there.
    """
    title = titles.load(record.title)
    log = log_of(title, [record])
    block = title.rules.State.block()
    rows = np.zeros((len(record.codes) + 1, memory_of(block).size), np.int32)
    loop = kernel(title.name, compiled=compiled)
    count = loop.replay_states(log, 0, title.load_board(record.board), block[0], memory_of(block), Sink.new(), rows)
    return block, list(rows[:count])
