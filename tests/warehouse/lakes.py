"""Lakes for the warehouse's tests: simulated games, replayed, put into canonical tables and committed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from pipeline import titles
from pipeline.codebooks import codebook_table
from pipeline.identity import game_number
from pipeline.kernels import kernel
from pipeline.lake import Batch, Lake
from pipeline.loops.replay import FACTS, Log
from pipeline.replay import Piece, Replay, replay_log
from pipeline.simulate import Plan, play, players_of
from pipeline.titles.contract import Title
from schemas import GAMES, MOVES, OUTCOMES, REJECTS, SCORE_EVENTS, SEATS, TURNS, Column, Table

FILE = "simulated.jsonl"


@dataclass
class Tables:
    """A batch and what its replay says, before they are committed."""

    batch: Batch
    outcomes: pa.Table
    score_events: pa.Table
    turns: pa.Table
    turns_schema: Table
    board: str


def commit(lake: Lake, tables: Tables, rejects: pa.Table | None = None) -> str:
    """Commit a batch, its replay and its code book; `rejects` are the replay's."""
    with lake.lock():
        name = lake.commit(tables.batch)
        lake.commit_replay(
            name,
            {
                OUTCOMES: tables.outcomes,
                SCORE_EVENTS: tables.score_events,
                tables.turns_schema: tables.turns,
                REJECTS: REJECTS.empty() if rejects is None else rejects,
            },
            {"rules": "0"},
        )
        title = tables.batch.title
        lake.write_codebook(title, tables.board, codebook_table(title, tables.board))
    return name


def simulated_tables(plan: Plan, source: str = "simulation") -> Tables:
    """All tables of the simulated games of a plan."""
    plan = plan.checked()
    title = titles.load(plan.title)
    board = title.board_id(plan.options)
    parts = []
    for first, log in play(plan):
        ids = np.array(
            [game_number(plan.title, source, f"{plan.seed}-{first + i}") for i in range(log.players.size)]
        )
        replay = replay_log(title, board, log, want_turns=True)
        parts.append(
            (
                _games(plan, source, board, first, log, ids),
                _seats(plan, first, log, ids),
                _moves(title, board, log, ids),
                _outcomes(plan.players, replay, ids),
                _score_events(replay, ids),
                _turns(title, replay, ids),
            )
        )
    games, seats, moves, outcomes, score_events, turns = (
        pa.concat_tables(tables) for tables in zip(*parts, strict=True)
    )
    batch = Batch(plan.title, games, seats, moves, REJECTS.empty(), games.num_rows, ({"name": FILE},))
    return Tables(batch, outcomes, score_events, turns, turns_table(title), board)


def turns_table(title: Title) -> Table:
    return TURNS.with_columns(Column(fact.name, fact.type, fact.meaning, fact.unit) for fact in title.facts)


def _games(plan: Plan, source: str, board: str, first: int, log: Log, ids: Any) -> pa.Table:
    count = ids.size
    return pa.table(
        {
            "game_id": ids,
            "title": [plan.title] * count,
            "source": [source] * count,
            "id": [f"{plan.seed}-{first + i}" for i in range(count)],
            "played_at": pa.nulls(count, pa.timestamp("us", "UTC")),
            "options": [json.dumps(plan.options, sort_keys=True, separators=(",", ":"))] * count,
            "board": [board] * count,
            "ended": ["finished"] * count,
            "players": log.players,
            "plies": np.diff(log.offsets).astype(np.int32),
            "digest": ids,
            "file": [FILE] * count,
            "line": np.arange(first + 1, first + count + 1),
        },
        schema=GAMES.schema,
    )


def _seats(plan: Plan, first: int, log: Log, ids: Any) -> pa.Table:
    names = [name for row in players_of(plan, first, ids.size) for name in row]
    count = len(names)
    return pa.table(
        {
            "game_id": np.repeat(ids, plan.players),
            "seat": np.tile(np.arange(plan.players, dtype=np.int8), ids.size),
            "player": names,
            "kind": ["bot"] * count,
            "source_seat": pa.nulls(count, pa.string()),
            "stated_score": pa.nulls(count, pa.int64()),
            "stated_rank": pa.nulls(count, pa.int16()),
        },
        schema=SEATS.schema,
    )


def _moves(title: Title, board: str, log: Log, ids: Any) -> pa.Table:
    lengths = np.diff(log.offsets)
    turn = np.zeros(int(log.offsets[-1]), np.int32)
    kernel(title.name).number_turns(log, np.array(title.book(board).turn_classes, np.int32), turn)
    codes: Mapping[str, Any] = {
        name: pa.array(getattr(log, name), mask=getattr(log, name) < 0)
        for name in ("item", "place", "target", "amount")
    }
    return pa.table(
        {
            "game_id": np.repeat(ids, lengths),
            "ply": (np.arange(turn.size) - np.repeat(log.offsets[:-1], lengths)).astype(np.int32),
            "turn": turn,
            "seat": log.seat,
            "action": log.action,
            **codes,
        },
        schema=MOVES.schema,
    )


def _outcomes(players: int, replay: Replay, ids: Any) -> pa.Table:
    results = replay.results
    over = np.repeat(results.rank[:, 0] > 0, players)
    return pa.table(
        {
            "game_id": np.repeat(ids, players),
            "seat": np.tile(np.arange(players, dtype=np.int8), ids.size),
            "score": results.score[:, :players].reshape(-1).astype(np.int64),
            "rank": pa.array(results.rank[:, :players].reshape(-1).astype(np.int16), mask=~over),
            "win60": pa.array(results.win60[:, :players].reshape(-1), mask=~over),
            "turns": np.repeat(results.turns, players),
        },
        schema=OUTCOMES.schema,
    )


def _joined(pieces: list[Piece], ids: Any, what: str) -> Any:
    return ids[np.concatenate([getattr(piece, what) for piece in pieces])]


def _score_events(replay: Replay, ids: Any) -> pa.Table:
    pieces = replay.pieces
    columns = {
        name: np.concatenate([getattr(piece.events, name) for piece in pieces])
        for name in ("ply", "seat", "source", "place", "points")
    }
    return pa.table(
        {"game_id": _joined(pieces, ids, "event_game"), **columns}, schema=SCORE_EVENTS.schema
    ).filter(pa.compute.field("points") != 0)


def _turns(title: Title, replay: Replay, ids: Any) -> pa.Table:
    rows = np.concatenate([piece.turns for piece in replay.pieces]).reshape(-1, FACTS + len(title.facts))
    schema = turns_table(title).schema
    columns = [_joined(replay.pieces, ids, "turn_game"), *rows.T]
    return pa.table(
        [
            pa.array(column.astype(kind.type.to_pandas_dtype()), kind.type)
            for column, kind in zip(columns, schema, strict=True)
        ],
        schema=schema,
    )
