"""`plybook export` and `plybook states`: games as text records, and every state as a table."""

from __future__ import annotations

import sys
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
from pipeline.replay_lake import log_of_tables
from pipeline.titles.contract import Title
from pipeline.titles.state import Sink, memory_of
from pipeline.writing import opened_for_records, record_lines
from schemas import STATES, Column, Table


def export(lake: Path, title: str | None, out: Path | None) -> int:
    """Write the lake's games as records, to a file or to stdout."""
    wanted = {title} if title else None
    count = 0
    if out is None:
        for _, chunk in chunks_of(Lake(lake), wanted):
            for line in record_lines(chunk):
                sys.stdout.buffer.write(line + b"\n")
                count += 1
        sys.stdout.flush()
    else:
        with opened_for_records(out) as file:
            for _, chunk in chunks_of(Lake(lake), wanted):
                for line in record_lines(chunk):
                    file.write(line + b"\n")
                    count += 1
    say(f"{plural(count, 'record')} written")
    return GOOD if count else UNUSABLE


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
    found = titles.load(title)
    table = states_schema(found)
    file = out or lake / "states" / f"{title}.parquet"
    file.parent.mkdir(parents=True, exist_ok=True)
    aside = file.with_suffix(".writing")
    rows = count = 0
    with pq.ParquetWriter(aside, table.schema, compression="zstd") as writer:
        for _, chunk in chunks_of(Lake(lake), {title}):
            if games is not None and count >= games:
                break
            for data in _states(found, table, chunk, None if games is None else games - count):
                writer.write_table(data)
                rows += data.num_rows
                count += 1
    aside.replace(file)
    say(f"{plural(rows, 'state')} of {plural(count, 'game')} written to {file}")
    return GOOD if count else UNUSABLE


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
