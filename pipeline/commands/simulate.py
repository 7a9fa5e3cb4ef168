"""`plybook simulate`: games by bots, as records or as canonical tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline import titles
from pipeline.commands import GOOD, UNUSABLE
from pipeline.commands.output import plural, progress_bar, say
from pipeline.ingest.chunk import Chunk, Headers, moves_table, options_text
from pipeline.loops.replay import Log
from pipeline.outputs import OutputError, outside_lakes, written
from pipeline.replay import codes_of_log, replay_log
from pipeline.simulate import Plan, play, players_of
from pipeline.titles.contract import TitleError
from pipeline.writing import opened_for_records, write_records
from schemas import GAMES, MOVES, SEATS, Table

SOURCE = "simulation"
TEXT = re.compile(r"\.(jsonl|json|ndjson)(\.gz|\.zst)?$")
ENDING = re.compile(r"\.[A-Za-z][A-Za-z0-9]*$")
"""`games-1.5` has none."""


def simulate(plan: Plan, out: Path, threads: int) -> int:
    """Write the plan's games to `out`: a .jsonl, .jsonl.gz or .jsonl.zst file, else a folder of Parquet."""
    try:
        plan = plan.checked()
        if plan.games == 0:
            raise TitleError("0 games are nothing to write; --games takes a number from 1")
        as_text = _is_text(outside_lakes(out))
        with written(out):
            if as_text:
                out.parent.mkdir(parents=True, exist_ok=True)
                with opened_for_records(out) as file:
                    write_records(chunks(plan, threads), file)
            else:
                _write_tables(plan, out, threads)
    except (TitleError, OutputError) as error:
        say(str(error))
        return UNUSABLE
    say(f"{plural(plan.games, 'game')} of {plan.title} written to {out}")
    return GOOD


def _is_text(out: Path) -> bool:
    """Whether a path is a file of records; a folder is there, or has no ending. Raises OutputError for others."""
    if TEXT.search(out.name):
        return True
    if out.is_dir() or not ENDING.search(out.name):
        return False
    raise OutputError(
        f"{out}: records go into a file that ends in .jsonl, .jsonl.gz or .jsonl.zst, "
        "Parquet into a folder, whose name has no ending"
    )


def chunks(plan: Plan, threads: int = 1) -> Iterator[Chunk]:
    """A checked plan's games with their results, in order."""
    title = titles.load(plan.title)
    board = title.board_id(plan.options)
    with progress_bar("playing") as tell:
        for first, log in play(plan, threads):
            results = replay_log(title, board, log).results
            names = players_of(plan, first, log.players.size)
            yield _chunk(plan, title.name, board, first, log, results, names)
            tell(", ".join(plan.bots), first + log.players.size, plan.games)


def _chunk(plan: Plan, title: str, board: str, first: int, log: Log, results: Any, names: list[Any]) -> Chunk:
    count = log.players.size
    headers = Headers(title, board, f"{SOURCE}-{plan.seed}")
    bots = "-".join(plan.bots)
    # The id names all that decides the game, so that two simulations never share one by accident.
    options = options_text(dict(plan.options))
    varied = "" if options == options_text(titles.load(title).complete_options({}, plan.players)) else options
    headers.source = [SOURCE] * count
    headers.id = [
        f"{title}-{plan.players}p-{bots}-s{plan.seed}-{number:08d}{varied}" for number in range(first, first + count)
    ]
    headers.played_at = [None] * count
    headers.options = [options] * count
    headers.ended = ["finished"] * count
    headers.players = [plan.players] * count
    headers.line = list(range(first + 1, first + count + 1))
    headers.player = [name for row in names for name in row]
    headers.kind = ["bot"] * (count * plan.players)
    headers.source_seat = [None] * (count * plan.players)
    headers.score = results.score[:, : plan.players].ravel().tolist()
    headers.rank = results.rank[:, : plan.players].ravel().tolist()
    return headers.chunk(codes_of_log(log), log.offsets)


def _write_tables(plan: Plan, out: Path, threads: int) -> None:
    out.mkdir(parents=True, exist_ok=True)
    tables: tuple[Table, ...] = (GAMES, SEATS, MOVES)
    writers = [pq.ParquetWriter(out / f"{table.name}.parquet", table.schema, compression="zstd") for table in tables]
    waiting: list[tuple[pa.Table, ...]] = []
    try:
        for chunk in chunks(plan, threads):
            waiting.append((chunk.games, chunk.seats, moves_table(chunk)))
            if sum(parts[2].num_rows for parts in waiting) >= 1_000_000:
                _flush(writers, waiting)
        _flush(writers, waiting)
    finally:
        for writer in writers:
            writer.close()


def _flush(writers: list[Any], waiting: list[tuple[pa.Table, ...]]) -> None:
    for writer, parts in zip(writers, zip(*waiting, strict=True), strict=False):
        writer.write_table(pa.concat_tables(parts), row_group_size=1_000_000)
    waiting.clear()
