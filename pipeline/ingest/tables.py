"""Canonical tables: a folder with `games`, `seats` and `moves` as Parquet or Arrow IPC files."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from pipeline import titles
from pipeline.ingest.chunk import (
    MOST_OPTIONS,
    Chunk,
    Headers,
    Reject,
    known_options,
    options_and_board,
    shorten,
    take_games,
)
from pipeline.ingest.lines import FileFault
from pipeline.ingest.misfits import misfit_in_words
from pipeline.ingest.scan import first_misfit
from pipeline.ingest.table_rows import Rows, table_files
from pipeline.ingest.vocabulary import vocabulary
from pipeline.records import ENDINGS, KINDS, RecordFault, parse_json
from pipeline.replay import rows_of_games
from pipeline.titles.contract import TitleError
from schemas import GAMES, MOVES, SEATS

GAMES_A_CHUNK = 2_000
FILLED = ("item", "place", "target", "amount")
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
FIRST_MOMENT = (datetime.min.replace(tzinfo=UTC) - EPOCH) // timedelta(microseconds=1)
LAST_MOMENT = (datetime.max.replace(tzinfo=UTC) - EPOCH) // timedelta(microseconds=1)
"""Microseconds from 1970 to the ends of the years 1 to 9999, as records can state them."""


def read_tables(folder: Path, name: str) -> Iterator[tuple[list[Chunk], list[Reject]]]:
    """The games of a folder of canonical tables, some thousand at a time, with what is rejected.

    The three tables must hold their games in the same order, each game's seats and moves together.
    Raises FileFault when a file cannot be read or the tables do not belong together.
    """
    game_file, seat_file, move_file = table_files(folder)
    games_rows, seats_rows, moves_rows = (
        Rows(game_file, GAMES), Rows(seat_file, SEATS), Rows(move_file, MOVES),
    )  # fmt: skip
    row = 0
    while True:
        games = games_rows.take(GAMES_A_CHUNK).combine_chunks()
        if games.num_rows == 0:
            break
        players = games["players"].to_numpy().astype(np.int64)
        plies = games["plies"].to_numpy().astype(np.int64)
        if players.min() < 0 or plies.min() < 0:
            raise FileFault(f"{game_file}: a game has a negative number of players or plies")
        seats = _rows_of(games, players, seats_rows)
        moves = _rows_of(games, plies, moves_rows)
        yield _convert(games, seats, moves, players, plies, name, row)
        row += games.num_rows
    if seats_rows.left() or moves_rows.left():
        raise FileFault(f"{folder}: seats or moves has rows of games that the games table does not have")


def _rows_of(games: pa.Table, counts: npt.NDArray[np.int64], rows: Rows) -> pa.Table:
    """The next rows, which must be those of these games, `counts` [games] of each. Raises FileFault."""
    wanted = int(counts.sum())
    # A wrong count may be of billions: nothing is made for rows that are not there.
    if rows.has(wanted):
        found = rows.take(wanted).combine_chunks()
        ids = found["game_id"].to_numpy()
        if ids.size == wanted and np.array_equal(ids, np.repeat(games["game_id"].to_numpy(), counts)):
            return found
    raise FileFault(f"{rows.file}: its rows are not those of the games table, game after game")


def _convert(
    games: pa.Table, seats: pa.Table, moves: pa.Table, players: npt.NDArray[np.int64],
    plies: npt.NDArray[np.int64], name: str, row: int,
) -> tuple[list[Chunk], list[Reject]]:  # fmt: skip
    """Chunks by title and board, and the rejects; `row` is the number of games before these."""
    rejects: list[Reject] = []
    offsets = np.concatenate([[0], np.cumsum(plies)]).astype(np.int64)
    seat_offsets = np.concatenate([[0], np.cumsum(players)]).astype(np.int64)
    codes = _codes(moves)
    broken = _misplaced(moves, offsets) | _misplaced(seats, seat_offsets, "seat")
    moments, far = _moments(games["played_at"])
    groups: dict[tuple[str, str], tuple[Headers, list[int]]] = {}
    columns = {column: games[column].to_pylist() for column in GAMES.names if column != "played_at"}
    columns["played_at"] = moments
    people = {column: seats[column].to_pylist() for column in SEATS.names[2:]}
    for i in range(games.num_rows):
        try:
            span = slice(seat_offsets[i], seat_offsets[i + 1])
            options, board = _checked(columns, people, i, int(players[i]), span, bool(broken[i]))
            if far[i]:
                raise RecordFault("played_at", "played_at is outside the years 1 to 9999")
        except RecordFault as fault:
            rejects.append(_reject(columns, i, name, row, fault.fault, str(fault)))
            continue
        key = (columns["title"][i], board)
        headers, indices = groups.setdefault(key, (Headers(*key, name), []))
        _add(headers, columns, people, i, row, int(players[i]), options, span)
        indices.append(i)
    chunks = []
    for (title, board), (headers, indices) in groups.items():
        chunk = _chunk(headers, codes, offsets, np.array(indices, np.int64))
        chunks.append(_without_misfits(chunk, title, board, columns, indices, name, row, rejects))
    return [chunk for chunk in chunks if chunk.games.num_rows], rejects


def _codes(moves: pa.Table) -> npt.NDArray[np.int16]:
    rows = [moves["seat"].to_numpy(), moves["action"].to_numpy()]
    rows += [pc.fill_null(moves[field], -1).to_numpy() for field in FILLED]
    return np.array(rows, np.int16).reshape(6, -1)


def _moments(column: pa.ChunkedArray) -> tuple[list[datetime | None], npt.NDArray[np.bool_]]:
    """`played_at` of each game, and whether it is a time that no record can state (which is None then)."""
    ticks = pc.cast(column, pa.int64())
    far = pc.fill_null(pc.or_(pc.less(ticks, FIRST_MOMENT), pc.greater(ticks, LAST_MOMENT)), False)
    return pc.if_else(far, None, column).to_pylist(), far.to_numpy()


def _misplaced(rows: pa.Table, offsets: npt.NDArray[np.int64], column: str = "ply") -> npt.NDArray[np.bool_]:
    """Per game, whether its rows are not numbered 0, 1, 2 .."""
    values = rows[column].to_numpy().astype(np.int64)
    wanted = np.arange(values.size) - np.repeat(offsets[:-1], np.diff(offsets))
    wrong = np.concatenate([[0], np.cumsum(values != wanted)])
    return np.asarray(wrong[offsets[1:]] > wrong[offsets[:-1]])


def _checked(
    columns: dict[str, list[Any]], people: dict[str, list[Any]], i: int, players: int, span: slice,
    broken: bool,
) -> tuple[str, str]:  # fmt: skip
    """Complete options and board of a game. Raises RecordFault."""
    title = columns["title"][i]
    if title not in titles.names():
        raise RecordFault("unknown_title", f"unknown title {shorten(title)!r}")
    if broken:
        raise RecordFault("numbering", "its plies or seats are not numbered 0, 1, 2 and so on")
    if columns["ended"][i] not in ENDINGS:
        raise RecordFault("header", f"ended is {shorten(columns['ended'][i])!r}")
    if any(kind not in KINDS for kind in people["kind"][span]):
        raise RecordFault("header", "a seat's kind is neither human nor bot")
    if not columns["id"][i]:
        raise RecordFault("id", "the id is empty")
    text = columns["options"][i].encode()
    known = known_options(title, text, players) if len(text) <= MOST_OPTIONS else None
    try:
        return known or options_and_board(title, _given(columns["options"][i]), players)
    except TitleError as error:
        raise RecordFault("options", str(error)) from error


def _given(text: str) -> dict[str, Any]:
    """The options that a games table states. Raises RecordFault."""
    try:
        given = parse_json(text)
    except RecordFault as fault:
        raise RecordFault("options", f"options are {shorten(text)!r}: {fault}") from fault
    if not isinstance(given, dict):
        raise RecordFault("options", f"options are {shorten(text)!r}, wanted a JSON object")
    return given


def _add(
    headers: Headers, columns: dict[str, list[Any]], people: dict[str, list[Any]], i: int, row: int,
    players: int, options: str, span: slice,
) -> None:  # fmt: skip
    moment: datetime | None = columns["played_at"][i]
    headers.source.append(columns["source"][i])
    headers.id.append(columns["id"][i])
    headers.played_at.append(moment)
    headers.options.append(options)
    headers.ended.append(columns["ended"][i])
    headers.players.append(players)
    headers.line.append(row + i + 1)
    headers.player += people["player"][span]
    headers.kind += people["kind"][span]
    headers.source_seat += people["source_seat"][span]
    headers.score += people["stated_score"][span]
    headers.rank += people["stated_rank"][span]


def _chunk(
    headers: Headers, codes: npt.NDArray[np.int16], offsets: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int64],
) -> Chunk:  # fmt: skip
    if indices.size == offsets.size - 1:
        return headers.chunk(codes, offsets)
    rows, kept = rows_of_games(offsets, indices)
    return headers.chunk(np.ascontiguousarray(codes[:, rows]), kept)


def _without_misfits(
    chunk: Chunk, title: str, board: str, columns: dict[str, list[Any]], indices: list[int], name: str,
    row: int, rejects: list[Reject],
) -> Chunk:  # fmt: skip
    """The chunk less the games with events that the title does not know, which become rejects."""
    plies = np.zeros(chunk.offsets.size - 1, np.int32)
    players = chunk.games["players"].to_numpy()
    first_misfit(vocabulary(title, board), players, chunk.codes, chunk.offsets, plies)
    for at in np.flatnonzero(plies >= 0):
        event = chunk.codes[:, chunk.offsets[at] + plies[at]].tolist()
        sentence = misfit_in_words(title, board, int(players[at]), event)
        rejects.append(_reject(columns, indices[at], name, row, "unknown_code", sentence, int(plies[at])))
    return chunk if (plies < 0).all() else take_games(chunk, np.flatnonzero(plies < 0))


def _reject(
    columns: dict[str, list[Any]], i: int, name: str, row: int, fault: str, sentence: str,
    ply: int | None = None,
) -> Reject:  # fmt: skip
    reject = Reject(
        name, row + i + 1, fault, "", columns["title"][i], columns["source"][i], columns["id"][i], ply,
    )  # fmt: skip
    reject.message = _where(reject) + sentence
    return reject


def _where(reject: Reject) -> str:
    ply = "" if reject.ply is None else f", ply {reject.ply}"
    return f"{reject.file}, row {reject.line}, game {shorten(reject.id or '')}{ply}: "


def sentence_of(reject: Reject) -> str:
    """What is wrong with a game of canonical tables, without where it stands."""
    return reject.message.removeprefix(_where(reject))
