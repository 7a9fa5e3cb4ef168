"""Replays the lake's batches: outcomes, score events, turns and rejects beside each, once per engine version."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pipeline import titles
from pipeline.kernels import kernel, rules_digest
from pipeline.lake import Lake
from pipeline.loops.replay import DEFICIT, EPOCH, FACTS, PLY, SCORE, SEAT, TURN, Log
from pipeline.records import FIELDS
from pipeline.replay import (
    Piece,
    Replay,
    codes_of_log,
    difference,
    fault_sentence,
    log_of_codes,
    option_rows,
    replay_log,
    rows_of_games,
)
from pipeline.titles.boards import board_digest
from pipeline.titles.contract import MAX_SEATS, NONE, Title, TitleError
from pipeline.titles.state import NO_FAULT
from schemas import OUTCOMES, REJECTS, SCORE_EVENTS, TURNS, VERSION, Column, Table


@dataclass
class Replayed:
    """What replaying the lake found."""

    batches: int = 0
    games: int = 0
    plies: int = 0
    rejects: int = 0
    examples: tuple[str, ...] = ()

    def add(self, other: Replayed) -> None:
        """Count another part too; it comes after what is here."""
        self.batches += other.batches
        self.games += other.games
        self.plies += other.plies
        self.rejects += other.rejects
        self.examples = (*self.examples, *other.examples)[:20]


def turns_table(title: Title) -> Table:
    """The schema of a title's turns: the common columns and its facts."""
    return TURNS.with_columns(Column(fact.name, fact.type, fact.meaning, fact.unit) for fact in title.facts)


def replay_lake(
    lake: Lake,
    threads: int = 1,
    progress: Callable[[int, int], None] = lambda done, of: None,
    batches: Sequence[str] | None = None,
) -> Replayed:
    """Replay what has not been replayed with these rules and boards, as many batches at once as threads.

    `progress` is told batches done and of how many.
    """
    report = Replayed()
    with lake.lock():
        due = [batch for batch in batches or lake.batches() if _due(lake, batch)]
        for title in {lake.manifest(batch)["title"] for batch in due} & set(titles.names()):
            kernel(title)
        at_once = max(1, min(threads, len(due)))
        with ThreadPoolExecutor(at_once) as pool:
            parts = pool.map(lambda batch: _replay_batch(lake, batch, threads // at_once), due)
            for done, part in enumerate(parts):
                progress(done, len(due))
                report.add(part)
        progress(len(due), len(due))
    return report


def engine_digest(title: str, boards: Sequence[str]) -> str:
    """Digest of everything that a replay of games on these boards rests on."""
    if title not in titles.names():
        return f"results {VERSION}"
    parts = [str(VERSION), rules_digest(title), *(board_digest(title, b) for b in sorted(boards) if b)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _due(lake: Lake, batch: str) -> bool:
    made = lake.replay_manifest(batch)
    if made is None:
        return True
    try:
        return bool(made["engine"] != engine_digest(made["title"], made["boards"]))
    except TitleError:
        return False


def _replay_batch(lake: Lake, batch: str, threads: int) -> Replayed:
    """Replay one batch and put the tables beside it."""
    folder = lake.batches_folder / batch
    manifest = lake.manifest(batch)
    title = manifest["title"]
    games = pq.read_table(folder / "games.parquet")
    seats = pq.read_table(folder / "seats.parquet")
    boards = sorted(set(games["board"].to_pylist()))
    with_moves = pc.greater(games["plies"], 0).to_numpy(zero_copy_only=False)
    tables = {
        OUTCOMES: OUTCOMES.empty(),
        SCORE_EVENTS: SCORE_EVENTS.empty(),
        TURNS: TURNS.empty(),
        REJECTS: REJECTS.empty(),
    }
    if title in titles.names() and games.num_rows:
        found = titles.load(title)
        tables.pop(TURNS)
        tables |= _replay_tables(found, folder, games, seats, with_moves, threads)
    tables = _with_results(tables, games, seats, with_moves)
    rejects = tables[REJECTS]
    lake.commit_replay(
        batch,
        tables,
        {
            "schema_version": VERSION,
            "title": title,
            "boards": boards,
            "engine": engine_digest(title, boards),
            "games": games.num_rows - rejects.num_rows,
            "rejects": rejects.num_rows,
        },
    )
    return Replayed(
        1, games.num_rows, int(manifest["moves"]), rejects.num_rows, tuple(rejects["message"].to_pylist()[:20])
    )


def _with_results(
    tables: dict[Table, pa.Table], games: pa.Table, seats: pa.Table, with_moves: npt.NDArray[np.bool_]
) -> dict[Table, pa.Table]:
    """Add the outcomes of results-only games."""
    if with_moves.all():
        return tables
    from pipeline.outcomes import outcomes_from_results

    bare = games.filter(pa.array(~with_moves))
    mine = seats.filter(pc.is_in(seats["game_id"], bare["game_id"].combine_chunks()))
    outcomes = pa.concat_tables([tables[OUTCOMES], outcomes_from_results(bare, mine)])
    tables[OUTCOMES] = outcomes.sort_by([("game_id", "ascending"), ("seat", "ascending")])
    return tables


def read_columns(file: Path) -> list[npt.NDArray[Any]]:
    """Seat, action (int8), item, place, target, amount (int16) of a moves file, -1 for null.

    As few passes over the memory as there can be: the file's decoding is what replaying is measured by.
    """
    import polars as pl

    moves = pl.read_parquet(file, columns=list(FIELDS))
    return [column.to_numpy() for column in moves.fill_null(NONE)]


def read_moves(file: Path) -> npt.NDArray[np.int16]:
    """The same as codes [6, events]."""
    return np.stack([column.astype(np.int16) for column in read_columns(file)])


def log_of_tables(title: Title, games: pa.Table, columns: Sequence[npt.NDArray[Any]]) -> Log:
    """The log of a batch's games, all of them in their order; `columns` as `read_columns` gives them."""
    players = games["players"].to_numpy()
    options = games["options"].combine_chunks().dictionary_encode()
    texts = options.dictionary.to_pylist()
    # One row of numbers for each pair of options and players that occurs.
    keys = options.indices.to_numpy().astype(np.int64) * (MAX_SEATS + 1) + players
    pairs, where = np.unique(keys, return_inverse=True)
    rows = option_rows(
        title,
        [json.loads(texts[key // (MAX_SEATS + 1)]) for key in pairs],
        [int(key % (MAX_SEATS + 1)) for key in pairs],
    )
    seat, action, item, place, target, amount = columns
    return Log(
        np.concatenate([[0], np.cumsum(games["plies"].to_numpy(), dtype=np.int64)]),
        np.asarray(seat, np.int8),
        np.asarray(action, np.int8),
        item,
        place,
        target,
        amount,
        players,
        np.ascontiguousarray(rows[where]),
        pc.equal(games["ended"], "finished").to_numpy(zero_copy_only=False),
    )


def _replay_tables(
    title: Title, folder: Path, games: pa.Table, seats: pa.Table, with_moves: npt.NDArray[np.bool_],
    threads: int,
) -> dict[Table, pa.Table]:  # fmt: skip
    """Replay all games of a batch, board by board, and join the tables."""
    log = log_of_tables(title, games, read_columns(folder / "moves.parquet"))
    kinds = turns_table(title)
    parts: dict[Table, list[pa.Table]] = {table: [] for table in (OUTCOMES, SCORE_EVENTS, kinds, REJECTS)}
    boards = games["board"].to_numpy(zero_copy_only=False)
    for board in sorted(set(boards[with_moves])):
        which = np.flatnonzero((boards == board) & with_moves)
        mine = log if which.size == games.num_rows else _some(log, which)
        replay = replay_log(title, board, mine, want_turns=True, threads=threads)
        chosen = games.take(which)
        stated = _stated(seats, log.players, which)
        for table, data in _tables(title, board, kinds, mine, replay, chosen, stated).items():
            parts[table].append(data)
    return {
        table: pa.concat_tables(found).sort_by([(name, "ascending") for name in table.key])
        if len(found) > 1
        else (found[0] if found else table.empty())
        for table, found in parts.items()
    }


def _some(log: Log, which: npt.NDArray[np.int64]) -> Log:
    rows, offsets = rows_of_games(log.offsets, which)
    return log_of_codes(
        codes_of_log(log)[:, rows],
        offsets,
        log.players[which],
        log.options[which],
        log.finished[which],
    )


Stated = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]


def _stated(seats: pa.Table, players: npt.NDArray[np.int8], which: npt.NDArray[np.int64]) -> Stated:
    """Stated scores and ranks [games, 5]; NaN where there is none."""
    counts = players.astype(np.int64)
    rows = np.repeat(np.arange(counts.size), counts)
    columns = seats["seat"].to_numpy()
    found = []
    for name in ("stated_score", "stated_rank"):
        whole = np.full((counts.size, MAX_SEATS), np.nan)
        whole[rows, columns] = pc.cast(seats[name], pa.float64()).to_numpy()
        found.append(whole[which])
    return found[0], found[1]


def _mismatch(replay: Replay, stated: Stated) -> npt.NDArray[np.bool_]:
    """Games whose stated scores or ranks differ from the replayed ones."""
    results = replay.results
    over = results.rank[:, 0] > 0
    scores = (~np.isnan(stated[0]) & (stated[0] != results.score)).any(axis=1)
    ranks = (~np.isnan(stated[1]) & (stated[1] != results.rank)).any(axis=1)
    return np.asarray(over & (results.fault == NO_FAULT) & (scores | ranks))


def _tables(
    title: Title, board: str, kinds: Table, log: Log, replay: Replay, games: pa.Table, stated: Stated
) -> dict[Table, pa.Table]:
    """The four tables of a replay; faulty games are in `rejects` alone."""
    wrong = _mismatch(replay, stated)
    good = (replay.results.fault == NO_FAULT) & ~wrong
    ids = games["game_id"].to_numpy()
    return {
        OUTCOMES: _outcomes(log, replay, good, ids),
        SCORE_EVENTS: _score_events(replay.pieces, good, ids),
        kinds: _turns(kinds, replay.pieces, good, ids),
        REJECTS: _rejects(title, board, log, replay, games, wrong, stated),
    }


def _outcomes(log: Log, replay: Replay, good: npt.NDArray[np.bool_], ids: npt.NDArray[np.int64]) -> pa.Table:
    results = replay.results
    seated = (np.arange(MAX_SEATS)[None, :] < log.players[:, None]) & good[:, None]
    rows, seats = np.nonzero(seated)
    rank = results.rank[rows, seats]
    return pa.table(
        {
            "game_id": ids[rows],
            "seat": seats.astype(np.int8),
            "score": results.score[rows, seats].astype(np.int64),
            "rank": pa.array(rank.astype(np.int16), mask=rank == 0),
            "win60": pa.array(results.win60[rows, seats], mask=rank == 0),
            "turns": pa.array(results.turns[rows]),
        },
        schema=OUTCOMES.schema,
    )


def _score_events(pieces: Sequence[Piece], good: npt.NDArray[np.bool_], ids: npt.NDArray[np.int64]) -> pa.Table:
    """Sorted by game, ply, seat, source, place; events that came to nothing are left out."""
    tables = []
    for piece in pieces:
        events = piece.events
        event_game = piece.event_game
        keep = np.flatnonzero(good[event_game] & (events.points != 0))
        # Games and plies come in order: only the events within a ply need sorting, by one number each.
        new_ply = (np.diff(event_game[keep], prepend=-1) != 0) | (np.diff(events.ply[keep], prepend=-1) != 0)
        key = np.cumsum(new_ply, dtype=np.int64) << 27
        key += (events.seat[keep].astype(np.int64) << 24) + (events.source[keep].astype(np.int64) << 16)
        keep = keep[np.argsort(key + events.place[keep], kind="stable")]
        tables.append(
            pa.table(
                {
                    "game_id": ids[event_game[keep]],
                    "ply": events.ply[keep],
                    "seat": events.seat[keep],
                    "source": events.source[keep],
                    "place": events.place[keep],
                    "points": events.points[keep],
                },
                schema=SCORE_EVENTS.schema,
            )
        )
    return pa.concat_tables(tables) if tables else SCORE_EVENTS.empty()


def _turns(kinds: Table, pieces: Sequence[Piece], good: npt.NDArray[np.bool_], ids: npt.NDArray[np.int64]) -> pa.Table:
    order = (TURN, PLY, SEAT, EPOCH, SCORE, DEFICIT, *range(FACTS, FACTS + len(kinds.columns) - 7))
    tables = []
    for piece in pieces:
        turn_game = piece.turn_game
        keep = good[turn_game]
        rows = piece.turns if keep.all() else piece.turns[keep]
        columns: dict[str, Any] = {"game_id": ids[turn_game[keep]]}
        for column, at in zip(kinds.columns[1:], order, strict=True):
            columns[column.name] = rows[:, at].astype(column.type.to_pandas_dtype(), copy=False)
        tables.append(pa.table(columns, schema=kinds.schema))
    return pa.concat_tables(tables) if tables else kinds.empty()


def _rejects(
    title: Title, board: str, log: Log, replay: Replay, games: pa.Table, wrong: npt.NDArray[np.bool_],
    stated: Stated,
) -> pa.Table:  # fmt: skip
    """Games with a fault or with a result other than the replayed one."""
    book = title.book(board)
    results = replay.results
    bad = np.flatnonzero((results.fault != NO_FAULT) | wrong)
    rows = games.take(bad).to_pylist()
    found = []
    for game, row in zip(bad, rows, strict=True):
        ply: int | None = None
        if wrong[game]:
            fault = "result_mismatch"
            sentence = _difference(int(log.players[game]), replay, int(game), stated)
        else:
            ply = int(results.ply[game])
            at = int(log.offsets[game]) + ply
            event = None
            if at < log.offsets[game + 1]:
                columns = (log.seat, log.action, log.item, log.place, log.target, log.amount)
                event = [int(column[at]) for column in columns]
            fault, sentence = fault_sentence(book, None, int(results.fault[game]), ply, results.numbers[game], event)
        where = f"{row['file']}, line {row['line']}, game {row['id']}"
        where += "" if ply is None else f", ply {ply}"
        found.append(
            {name: row[name] for name in ("file", "line", "title", "source", "id", "game_id")}
            | {"ply": ply, "fault": fault, "message": f"{where}: {sentence}", "record": None}
        )
    table = pa.Table.from_pylist(found, schema=REJECTS.schema)
    return table.sort_by([(name, "ascending") for name in REJECTS.key])


def _difference(players: int, replay: Replay, game: int, stated: Stated) -> str:
    """The sentence for a game whose stated result differs."""
    pairs = []
    for name, told, found in (
        ("scores", stated[0], replay.results.score),
        ("ranks", stated[1], replay.results.rank),
    ):
        known = [None if np.isnan(value) else int(value) for value in told[game, :players]]
        pairs.append((name, known, found[game, :players].tolist()))
    return difference(pairs) or "the record's result differs from the replayed one"
