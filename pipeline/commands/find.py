"""Finding one game: in a lake by id, or in a file by id or line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pipeline import titles
from pipeline.ingest.chunk import Chunk, take_games
from pipeline.ingest.lines import endings_off, read_blocks
from pipeline.ingest.tables import read_tables
from pipeline.lake import Lake
from pipeline.records import Record, RecordFault, parse_json, read_record
from pipeline.replay_lake import read_moves
from pipeline.writing import record_lines


class NotFound(ValueError):
    """There is no such game; one sentence."""


def record_in_file(path: Path, name: str | None) -> Record:
    """The record of that id, or on that line (`#12`), or the first; of a folder of tables, in that row.

    Raises NotFound, RecordFault, FileFault.
    """
    if path.is_dir():
        return _record_in_tables(path, name)
    source = endings_off(path)
    fault: RecordFault | None = None
    for block in read_blocks(path):
        for number, line in block.lines():
            wanted = name is None or name == f"#{number}"
            if not wanted and name is not None and name.encode() not in line:
                continue
            try:
                record = read_record(parse_json(line), source)
            except RecordFault as broken:
                if wanted:
                    raise RecordFault(broken.fault, f"{path.name}, line {number}: {broken}") from broken
                fault = broken
                continue
            if wanted or record.id == name:
                return record
    raise NotFound(f"{path} has no game {name!r}" + (f" ({fault})" if fault else ""))


def _record_in_tables(path: Path, name: str | None) -> Record:
    wanted = "#1" if name is None else name
    for chunks, rejects in read_tables(path, path.name):
        for reject in rejects:
            if wanted in (reject.id, f"#{reject.line}"):
                raise RecordFault(reject.fault, reject.message)
        for chunk in chunks:
            names = zip(chunk.games["id"].to_pylist(), chunk.games["line"].to_pylist(), strict=True)
            for i, (game, line) in enumerate(names):
                if wanted in (game, f"#{line}"):
                    return _of_chunk(chunk, i)
    raise NotFound(f"{path} has no game {wanted!r}")


def _of_chunk(chunk: Chunk, i: int) -> Record:
    return read_record(parse_json(next(record_lines(take_games(chunk, np.array([i]))))))


def chunks_of(lake: Lake, titles_wanted: set[str] | None = None) -> Iterator[tuple[str, Chunk]]:
    """Each batch's games as chunks by board, with the batch's id."""
    for batch in lake.batches():
        manifest = lake.manifest(batch)
        title = manifest["title"]
        if title not in titles.names() or (titles_wanted and title not in titles_wanted):
            continue
        yield from ((batch, chunk) for chunk in _chunks(lake, batch, title))


def _chunks(lake: Lake, batch: str, title: str) -> Iterator[Chunk]:
    folder = lake.batches_folder / batch
    games = pq.read_table(folder / "games.parquet").combine_chunks()
    if games.num_rows == 0:
        return
    seats = pq.read_table(folder / "seats.parquet").combine_chunks()
    codes = read_moves(folder / "moves.parquet")
    offsets = np.concatenate([[0], np.cumsum(games["plies"].to_numpy(), dtype=np.int64)])
    boards = games["board"].to_numpy(zero_copy_only=False)
    whole = Chunk(title, boards[0], games, seats, codes, offsets)
    for board in sorted(set(boards)):
        part = take_games(whole, np.flatnonzero(boards == board))
        yield Chunk(title, board, part.games, part.seats, part.codes, part.offsets)


def record_in_lake(lake: Lake, name: str) -> Record:
    """The game of that id or game_id; `source:id` where several sources have the id. Raises NotFound."""
    found: list[tuple[str, Any]] = []
    for batch in lake.batches():
        games = pq.read_table(lake.batches_folder / batch / "games.parquet")
        by_number = pc.equal(pc.cast(games["game_id"], "string"), name)
        by_id = pc.equal(games["id"], name)
        full = pc.binary_join_element_wise(games["source"], games["id"], ":")
        hits = games.filter(pc.or_(pc.or_(by_id, by_number), pc.equal(full, name)))
        found += [(batch, row) for row in hits.to_pylist()]
    if not found:
        raise NotFound(f"the lake {lake.folder} has no game {name!r}")
    if len(found) > 1:
        names = ", ".join(f"{row['source']}:{row['id']}" for _, row in found[:5])
        raise NotFound(f"{len(found)} games are called {name!r}: {names}; name the source too")
    batch, row = found[0]
    return _record(lake, batch, row)


def _record(lake: Lake, batch: str, row: dict[str, Any]) -> Record:
    if row["title"] not in titles.names() or row["plies"] == 0:
        raise NotFound(f"game {row['id']} is a result only: there are no moves to show")
    for chunk in _chunks(lake, batch, row["title"]):
        at = np.flatnonzero(chunk.games["game_id"].to_numpy() == row["game_id"])
        if at.size:
            return _of_chunk(chunk, int(at[0]))
    raise NotFound(f"game {row['id']} is not in batch {batch}")
