"""`plybook export` and `plybook states`: games as text records, and every state as a table."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from pipeline import titles
from pipeline.commands import GOOD, UNUSABLE
from pipeline.commands.find import chunks_of
from pipeline.commands.output import plural, say
from pipeline.ingest.chunk import Chunk
from pipeline.kernels import kernel
from pipeline.lake import Lake
from pipeline.outputs import existing_lake, outside_lakes, whole_file, written
from pipeline.replay_lake import log_of_tables
from pipeline.titles.contract import Title
from pipeline.titles.state import Sink, memory_of
from pipeline.wording import listed, quoted
from pipeline.writing import opened_for_records, write_records
from schemas import STATES, Column, Table


def export(lake: Path, title: str | None, out: Path | None) -> int:
    """Write the lake's games as records, to a file or to stdout."""
    source = Lake(existing_lake(lake))
    wanted = {title} if title else None
    if out is None:
        count = write_records(_chunks(source, wanted), sys.stdout.buffer)
        sys.stdout.flush()
    else:
        with opened_for_records(outside_lakes(out, lake)) as file:
            count = write_records(_chunks(source, wanted), file)
    for reason in _left_out(source, title):
        say(reason)
    say(f"{plural(count, 'record')} written")
    return GOOD if count else UNUSABLE


def _chunks(lake: Lake, wanted: set[str] | None) -> Iterator[Chunk]:
    """The lake's games. Raises LakeError where a file of the lake is damaged."""
    with lake.blamed():
        yield from (chunk for _, chunk in chunks_of(lake, wanted))


def _left_out(lake: Lake, title: str | None) -> Iterator[str]:
    """Why games that somebody may expect are not written."""
    games: Counter[str] = Counter()
    for batch in lake.batches():
        manifest = lake.manifest(batch)
        games[manifest["title"]] += int(manifest["games"])
    games = +games
    if not games:
        yield f"the lake {lake.folder} has no games"
    elif title is not None and title not in games:
        yield f"the lake {lake.folder} has no games of {quoted(title)}; it has {listed(sorted(games), 'and')}"
    for name in sorted(games.keys() - titles.names()):
        if title in (None, name):
            yield f"{plural(games[name], 'game')} of {name} left out: there are no rules for it, and so no records"


def states_schema(title: Title) -> Table:
    """The states table of a title: a column a field, lists of fixed size where the field has a shape."""
    fields: dict[str, np.dtype[Any]] = title.rules.State.fields()
    columns = []
    for name, kind in fields.items():
        size = int(np.prod(kind.shape)) if kind.shape else 1
        arrow = pa.list_(pa.int32(), size) if kind.shape else pa.int32()
        columns.append(Column(f"state_{name}", arrow, f"the state's field {name}, shape {kind.shape or 1}"))
    return STATES.with_columns(columns)


def states(lake: Path, title: str, out: Path | None, games: int | None) -> int:
    """Write every state of the lake's games of a title: a Parquet file, or the lake's own `states` folder.

    In the lake, SQL finds them as the view `states_TITLE`.
    """
    if title not in titles.names():
        say(f"unknown title {title!r}; known: {', '.join(titles.names())}")
        return UNUSABLE
    source = Lake(existing_lake(lake))
    file = lake / "states" / f"{title}.parquet" if out is None else outside_lakes(out, lake)
    with written(file):
        file.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(file) as aside:
        rows, count = _write_states(titles.load(title), source, aside, games)
    say(f"{plural(rows, 'state')} of {plural(count, 'game')} written to {file}")
    return GOOD if count else UNUSABLE


def _write_states(title: Title, lake: Lake, file: Path, games: int | None) -> tuple[int, int]:
    """States and games written."""
    table = states_schema(title)
    rows = count = 0
    with pq.ParquetWriter(file, table.schema, compression="zstd") as writer:
        for chunk in _chunks(lake, {title.name}):
            if games is not None and count >= games:
                break
            for data in _states(title, table, chunk, None if games is None else games - count):
                writer.write_table(data)
                rows += data.num_rows
                count += 1
    return rows, count


def _states(title: Title, table: Table, chunk: Chunk, most: int | None) -> Any:
    """One table a game."""
    log = log_of_tables(title, chunk.games, list(chunk.codes))
    loop = kernel(title.name)
    block = title.rules.State.block()
    board = title.load_board(chunk.board)
    ids = chunk.games["game_id"].to_numpy()
    for g in range(ids.size if most is None else min(ids.size, most)):
        memory = np.zeros((int(log.offsets[g + 1] - log.offsets[g]) + 1, memory_of(block).size), np.int32)
        count = loop.replay_states(log, g, board, block[0], memory_of(block), Sink.new(), memory)
        yield _states_table(table, title, int(ids[g]), memory[:count])


def _states_table(table: Table, title: Title, game_id: int, memory: Any) -> pa.Table:
    count = memory.shape[0]
    columns: dict[str, Any] = {
        "game_id": np.full(count, game_id, np.int64),
        "ply": np.arange(-1, count - 1, dtype=np.int32),
    }
    at = 0
    for name, kind in title.rules.State.fields().items():
        size = int(np.prod(kind.shape)) if kind.shape else 1
        part = np.ascontiguousarray(memory[:, at : at + size])
        flat = pa.array(part.ravel(), pa.int32())
        columns[f"state_{name}"] = pa.FixedSizeListArray.from_arrays(flat, size) if kind.shape else flat
        at += size
    return pa.table(columns, schema=table.schema)
