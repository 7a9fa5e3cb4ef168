"""Outside logs into the lake: each source is one file here with one verb, `read_...`.

`ingest` takes files of records and folders of canonical tables, finds duplicates and conflicts, and
commits batches. Every record ends up in `games` or in `rejects`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.wording import quoted

if TYPE_CHECKING:
    from pipeline.ingest.chunk import Chunk, Reject
    from pipeline.ingest.seen import Seen
    from pipeline.lake import Batch, Lake

GAMES_A_BATCH = 65_536
PLIES_A_BATCH = 750_000
REJECTS_A_BATCH = 65_536
NO_TITLE = "unreadable"
"""In a batch's name: records whose title could not be read."""

ANEW = "to read it anew, use a new lake"
KEPT = "the first one stays, to correct it use a new lake"
"""A lake's games are never changed; this is what to do."""


@dataclass
class Ingested:
    """What became of the records: `records = games + rejects`, duplicates being among the rejects."""

    records: int = 0
    games: int = 0
    rejects: int = 0
    duplicates: int = 0
    skipped: list[str] = field(default_factory=list)
    """Files that had been ingested before."""
    unreadable: list[str] = field(default_factory=list)
    """Sentences on files that could not be read at all."""
    empty: list[str] = field(default_factory=list)
    """Files without a record."""
    examples: list[str] = field(default_factory=list)
    """Sentences of the first rejects."""


Progress = Callable[[str, int, int], None]
"""Told now and then: the file, bytes (or rows) done, and of how many."""


def _silent(file: str, done: int, of: int) -> None:
    pass


def ingest(lake: Lake, paths: Iterable[Path], source: str | None = None, progress: Progress = _silent) -> Ingested:
    """Read files and folders into the lake. Never raises for what a file holds."""
    from pipeline.ingest.lines import FileFault
    from pipeline.ingest.seen import Seen

    report = Ingested()
    with lake.lock():
        seen = Seen(lake)
        for path in paths:
            try:
                _ingest_file(lake, seen, Path(path), source, progress, report)
            except FileFault as fault:
                report.unreadable.append(str(fault))
    return report


def keep_results(lake: Lake, batch: Batch, report: Ingested) -> None:
    """Put a batch of results into the lake; games that are there already become rejects."""
    from dataclasses import replace

    import pyarrow as pa
    import pyarrow.compute as pc

    from pipeline.ingest.chunk import rejects_table
    from pipeline.ingest.seen import Seen

    entry = batch.inputs[0]
    with lake.lock():
        earlier = _readings(lake, batch.title, entry)
        if any(entry == other for other, _ in earlier):
            report.skipped.append(str(entry["file"]))
            return
        if any(games and _renamed(entry, other) for other, games in earlier):
            # The same rows under other ids would count twice.
            report.unreadable.append(
                f"{entry['file']} is in the lake already, its games named by other columns or another source; {ANEW}"
            )
            return
        games = batch.games
        ids, digests, lines = (games[name].to_numpy() for name in ("game_id", "digest", "line"))
        new, others = Seen(lake).sift(ids, digests, str(entry["file"]), lines)
        twins = [
            _twin(batch.title, games.slice(i, 1).to_pylist()[0], same, file, line) for i, same, file, line in others
        ]
        kept = games.take(pa.array(new))
        seats = batch.seats.filter(pc.is_in(batch.seats["game_id"], kept["game_id"].combine_chunks()))
        rejects = pa.concat_tables([batch.rejects, rejects_table(twins)])
        lake.commit(replace(batch, games=kept, seats=seats, rejects=rejects))
    report.records += batch.records
    report.games += kept.num_rows
    report.rejects += rejects.num_rows
    report.duplicates += rejects["fault"].to_pylist().count("duplicate")
    wrong = rejects.filter(pc.not_equal(rejects["fault"], "duplicate"))
    report.examples += wrong["message"].to_pylist()[: 20 - len(report.examples)]


def _readings(lake: Lake, title: str, entry: Mapping[str, Any]) -> list[tuple[dict[str, Any], int]]:
    """How a file of results was read before, and how many games that gave."""
    manifests = (lake.manifest(name) for name in lake.batches())
    return [
        (other, manifest["games"])
        for manifest in manifests
        if manifest["title"] == title
        for other in manifest["inputs"]
        if (other["file"], other["digest"]) == (entry["file"], entry["digest"])
    ]


def _renamed(entry: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two readings of a file of results take other things for a game's source and id.

    A file that was no table has no columns; lakes of version 0.1.0 do not say the source.
    """
    if "columns" not in entry or "columns" not in other:
        return False
    columns = any(entry["columns"].get(name) != other["columns"].get(name) for name in ("game", "source"))
    return columns or other.get("source", entry["source"]) != entry["source"]


def _ingest_file(lake: Lake, seen: Seen, path: Path, source: str | None, progress: Progress, report: Ingested) -> None:
    from pipeline.ingest.lines import endings_off, file_digest
    from pipeline.ingest.table_rows import table_files

    folder = path.is_dir()
    digest = "+".join(file_digest(file) for file in (table_files(path) if folder else [path]))
    name = path.name
    chosen = None if folder else source or endings_off(path)
    whole, until = _earlier(lake, name, digest, chosen)
    if whole:
        report.skipped.append(str(path))
        return
    builder, before = _Builder(lake, name, digest, chosen, report), report.records
    if chosen is None:
        for chunks, rejects in _from_tables(path, name, progress):
            builder.add(seen, chunks, rejects, until)
    else:
        _from_lines(path, name, chosen, until, progress, builder, seen)
    builder.flush(last=True)
    if report.records == before and not until:
        report.empty.append(str(path))


def _from_tables(path: Path, name: str, progress: Progress) -> Iterator[tuple[list[Chunk], list[Reject]]]:
    from pipeline.ingest.table_rows import row_count, table_files
    from pipeline.ingest.tables import read_tables

    total = row_count(table_files(path)[0])
    done = 0
    for chunks, rejects in read_tables(path, name):
        done += sum(chunk.games.num_rows for chunk in chunks) + len(rejects)
        progress(name, done, total)
        yield chunks, rejects


def _from_lines(
    path: Path, name: str, source: str, until: int, progress: Progress, builder: _Builder, seen: Seen
) -> None:
    from pipeline.ingest.jsonl import read_jsonl

    size = path.stat().st_size
    for chunks, rejects, block in read_jsonl(path, name, source, until):
        builder.add(seen, chunks, rejects, 0)
        progress(name, block.read, size)


def _earlier(lake: Lake, name: str, digest: str, source: str | None) -> tuple[bool, int]:
    """Whether this file is in the lake whole, else up to which line (a killed writer's commits).

    Raises FileFault when it was read with another source: its games would count twice.
    """
    from pipeline.ingest.lines import FileFault

    until = 0
    for batch in lake.batches():
        for entry in lake.manifest(batch).get("inputs", []):
            if entry.get("digest") == digest and entry.get("file") == name:
                before = entry.get("source")
                if before and source and before != source:
                    raise FileFault(f"{name} is in the lake already, with the source {quoted(before)}; {ANEW}")
                if entry.get("last"):
                    return True, 0
                until = max(until, int(entry["until"]))
    return False, until


class _Builder:
    """Gathers one file's games by title and commits batches of a handy size."""

    def __init__(self, lake: Lake, file: str, digest: str, source: str | None, report: Ingested) -> None:
        self.lake = lake
        self.source = source
        self.file = file
        self.digest = digest
        self.report = report
        self.chunks: dict[str, list[Chunk]] = {}
        self.rejects: dict[str, list[Reject]] = {}
        self.until = 0
        self.plies = 0
        self.games = 0
        self.books: set[tuple[str, str]] = set()

    def add(self, seen: Seen, chunks: list[Chunk], rejects: list[Reject], until: int) -> None:
        from pipeline.ingest.chunk import take_games

        twins: list[Reject] = []
        for chunk in sorted(chunks, key=lambda chunk: chunk.games["line"][0].as_py()):
            lines = chunk.games["line"].to_numpy()
            if until and lines[0] <= until:
                continue
            new, others = seen.sift(
                chunk.games["game_id"].to_numpy(), chunk.games["digest"].to_numpy(), self.file, lines
            )
            for i, same, file, line in others:
                row = chunk.games.slice(i, 1).to_pylist()[0]
                twins.append(_twin(chunk.title, row, same, file, line))
            kept = chunk if new.size == lines.size else take_games(chunk, new)
            if new.size:
                self.chunks.setdefault(chunk.title, []).append(kept)
                self.plies += int(kept.offsets[-1])
                self.games += int(new.size)
            self.until = max(self.until, int(lines[-1]))
        for reject in sorted([*rejects, *twins], key=lambda reject: reject.line):
            if reject.line > until:
                self._reject(reject)
                self.until = max(self.until, reject.line)
        waiting = sum(map(len, self.rejects.values()))
        if self.plies >= PLIES_A_BATCH or self.games >= GAMES_A_BATCH or waiting >= REJECTS_A_BATCH:
            self.flush()

    def _reject(self, reject: Reject) -> None:
        duplicate = reject.fault == "duplicate"
        self.rejects.setdefault(_known(reject.title), []).append(reject)
        self.report.duplicates += duplicate
        if not duplicate and len(self.report.examples) < 20:
            self.report.examples.append(reject.message)

    def flush(self, last: bool = False) -> None:
        """Commit what has gathered, one batch a title."""
        names = sorted(self.chunks.keys() | self.rejects.keys())
        if last and not names:
            names = [NO_TITLE]
        for position, title in enumerate(names):
            self._commit(title, last and position == len(names) - 1)
        self.chunks, self.rejects = {}, {}
        self.plies = self.games = 0

    def _commit(self, title: str, last: bool) -> None:
        from pipeline.codebooks import codebook_table
        from pipeline.ingest.chunk import moves_table, rejects_table
        from pipeline.lake import Batch
        from schemas import GAMES, MOVES, SEATS

        chunks = self.chunks.get(title, [])
        rejects = rejects_table(self.rejects.get(title, []))
        for chunk in chunks:
            key = (chunk.title, chunk.board)
            if key not in self.books:
                self.lake.write_codebook(*key, codebook_table(*key))
                self.books.add(key)
        games, seats, moves = _sorted_tables(chunks, moves_table) if chunks else (
            GAMES.empty(), SEATS.empty(), MOVES.empty())  # fmt: skip
        entry: dict[str, Any] = {
            "file": self.file, "digest": self.digest, "until": self.until, "last": last, "source": self.source,
        }  # fmt: skip
        records = games.num_rows + rejects.num_rows
        self.lake.commit(Batch(title, games, seats, moves, rejects, records, (entry,)))
        self.report.records += records
        self.report.games += games.num_rows
        self.report.rejects += rejects.num_rows


def _known(title: str | None) -> str:
    from pipeline import titles

    return title if title in titles.names() else NO_TITLE


def _sorted_tables(chunks: list[Chunk], moves_table: Callable[[Chunk], Any]) -> tuple[Any, Any, Any]:
    """Games, seats and moves of some chunks of one title, sorted by game."""
    import numpy as np
    import pyarrow as pa

    from pipeline.ingest.chunk import join_chunks, take_games

    by_board: dict[str, list[Chunk]] = {}
    for chunk in chunks:
        by_board.setdefault(chunk.board, []).append(chunk)
    tables = []
    for group in by_board.values():
        whole = join_chunks(group)
        order = np.argsort(whole.games["game_id"].to_numpy(), kind="stable")
        ordered = take_games(whole, order)
        tables.append((ordered.games, ordered.seats, moves_table(ordered)))
    if len(tables) == 1:
        return tables[0]
    games, seats, moves = (pa.concat_tables(part) for part in zip(*tables, strict=True))
    return (
        games.sort_by("game_id"),
        seats.sort_by([("game_id", "ascending"), ("seat", "ascending")]),
        moves.sort_by([("game_id", "ascending"), ("ply", "ascending")]),
    )


def _twin(title: str, row: dict[str, Any], same: bool, first_file: str, first_line: int) -> Reject:
    """The reject of a game that is there already."""
    from pipeline.ingest.chunk import Reject, shorten

    first = f"{first_file}, line {first_line}"
    what = (
        f"the same game as in {first}; it counts once"
        if same
        else f"the same id as in {first}, but other content: conflict; {KEPT}"
    )
    where = f"{row['file']}, line {row['line']}, game {shorten(row['id'])}"
    fault = "duplicate" if same else "conflict"
    return Reject(row["file"], row["line"], fault, f"{where}: {what}", title, row["source"], row["id"])
