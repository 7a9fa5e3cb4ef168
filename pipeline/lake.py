"""The lake: immutable batches of games, each committed by one directory rename, and what replays add.

    lake/batches/BATCH/{games,seats,moves,rejects}.parquet, manifest.json
    lake/replays/BATCH/{outcomes,score_events,turns,rejects}.parquet, manifest.json
    lake/codebooks/TITLE@BOARD.parquet

A batch is of one title. `records in = games + rejects` is checked at each commit. The same game twice
is one game: its second record is a reject named `duplicate`.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pipeline.identity import bytes_digest
from schemas import GAMES, MOVES, REJECTS, SEATS, VERSION, Table, check

ROWS_A_GROUP = 1_000_000


class LakeError(ValueError):
    """The lake is not what it should be, or a commit would break its promise; one sentence."""


@dataclass(frozen=True)
class Batch:
    """Some records of one title, in canonical tables; `records` is how many records went in."""

    title: str
    games: pa.Table
    seats: pa.Table
    moves: pa.Table
    rejects: pa.Table
    records: int
    inputs: tuple[Mapping[str, Any], ...] = ()
    """Where it comes from: file name, digest, first and last line."""


class Lake:
    """A folder with batches. Making one does nothing; the folders come with the first commit."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.batches_folder = folder / "batches"
        self.replays_folder = folder / "replays"
        self.codebooks_folder = folder / "codebooks"

    def batches(self) -> list[str]:
        """The ids of all committed batches, sorted."""
        return _committed(self.batches_folder)

    def replays(self) -> list[str]:
        """The ids of the batches that have been replayed."""
        return _committed(self.replays_folder)

    def manifest(self, batch: str) -> dict[str, Any]:
        return _manifest(self.batches_folder / batch)

    def replay_manifest(self, batch: str) -> dict[str, Any] | None:
        folder = self.replays_folder / batch
        return _manifest(folder) if (folder / "manifest.json").exists() else None

    @contextmanager
    def lock(self) -> Iterator[None]:
        """One writer at a time, also among processes."""
        with self._written():
            self.folder.mkdir(parents=True, exist_ok=True)
            file = open(self.folder / ".lock", "w")  # noqa: SIM115 - closed below
        with file:
            fcntl.flock(file, fcntl.LOCK_EX)
            try:
                self._sweep()
                with self.blamed():
                    yield
            finally:
                self._sweep()
                fcntl.flock(file, fcntl.LOCK_UN)

    @contextmanager
    def _written(self) -> Iterator[None]:
        """What the system does not allow is a LakeError."""
        try:
            yield
        except FileExistsError as error:
            raise LakeError(f"the lake {self.folder} cannot be written: it is a file, not a folder") from error
        except OSError as error:
            raise LakeError(f"the lake {self.folder} cannot be written: {error.strerror or error}") from error

    @contextmanager
    def blamed(self) -> Iterator[None]:
        """Whatever fails within while a file of the lake is damaged is a LakeError that names the file."""
        try:
            yield
        except Exception as error:
            ours = type(error).__module__.startswith(("pipeline", "schemas", "reports"))
            reason = None if ours else self.damage()
            if reason is None:
                raise
            raise LakeError(reason) from error

    def damage(self) -> str | None:
        """A sentence on the first file that is missing or not what was written; reads all committed files."""
        reason = next(filter(None, self._differences()), None)
        return None if reason is None else f"the lake {self.folder} cannot be read: {reason}"

    def _differences(self) -> Iterator[str | None]:
        """For each file how it differs from what was written, if it does."""
        for committed in (self.batches_folder, self.replays_folder):
            for name in _committed(committed):
                for file, digest in _manifest(committed / name).get("files", {}).items():
                    yield _difference(committed / name / file, digest)
        # Of these no digest is kept.
        for folder in (self.codebooks_folder, self.folder / "states"):
            yield from map(_unreadable, sorted(folder.glob("*.parquet")))

    def _sweep(self) -> None:
        """Remove what a killed writer left behind; whoever holds the lock is the only writer."""
        shutil.rmtree(self.folder / ".writing", ignore_errors=True)

    def commit(self, batch: Batch) -> str:
        """Write a batch, all of it or nothing; its id. The lock must be held.

        Raises LakeError when `records in = games + rejects` does not hold.
        """
        if batch.records != batch.games.num_rows + batch.rejects.num_rows:
            raise LakeError(
                f"a batch of {batch.records} records has {batch.games.num_rows} games and "
                f"{batch.rejects.num_rows} rejects; nothing was written"
            )
        tables = {
            GAMES: batch.games.sort_by("game_id"),
            SEATS: batch.seats.sort_by([("game_id", "ascending"), ("seat", "ascending")]),
            MOVES: batch.moves,
            REJECTS: batch.rejects,
        }
        for table, data in tables.items():
            check(data, table)
        name = f"{batch.title}-{_content_digest(batch)[:16]}"
        if not (self.batches_folder / name).exists():
            manifest = {
                "schema_version": VERSION,
                "title": batch.title,
                "records": batch.records,
                "games": batch.games.num_rows,
                "rejects": batch.rejects.num_rows,
                "moves": batch.moves.num_rows,
                "inputs": list(batch.inputs),
            }
            self._write(self.batches_folder / name, tables, manifest)
        return name

    def commit_replay(self, batch: str, tables: Mapping[Table, pa.Table], manifest: Mapping[str, Any]) -> None:
        """Put a replay's tables beside a batch, in the place of an older replay's."""
        for table, data in tables.items():
            check(data, table)
        self._write(self.replays_folder / batch, tables, manifest)

    def _write(self, target: Path, tables: Mapping[Table, pa.Table], manifest: Mapping[str, Any]) -> None:
        """Write aside, flush, and rename. Raises LakeError where that cannot be done."""
        with self._written():
            self._write_aside(target, tables, manifest)

    def _write_aside(self, target: Path, tables: Mapping[Table, pa.Table], manifest: Mapping[str, Any]) -> None:
        aside = self.folder / ".writing" / uuid.uuid4().hex
        aside.mkdir(parents=True)
        try:
            digests = {
                f"{table.name}.parquet": write_parquet(data, aside / f"{table.name}.parquet")
                for table, data in tables.items()
            }
            text = json.dumps({**manifest, "files": digests}, indent=1, sort_keys=True)
            _write_flushed(aside / "manifest.json", text.encode())
            _flush_folder(aside)
            target.parent.mkdir(parents=True, exist_ok=True)
            old = None
            if target.exists():
                old = self.folder / ".writing" / uuid.uuid4().hex
                target.rename(old)
            aside.rename(target)
            _flush_folder(target.parent)
            if old is not None:
                shutil.rmtree(old)
        except BaseException:
            shutil.rmtree(aside, ignore_errors=True)
            raise

    def write_codebook(self, title: str, board: str, table: pa.Table) -> None:
        """Keep the code book of a title on a board beside the games that use it."""
        with self._written():
            self.codebooks_folder.mkdir(parents=True, exist_ok=True)
            file = self.codebooks_folder / f"{title}@{board}.parquet"
            aside = file.with_suffix(f".{os.getpid()}")
            write_parquet(table, aside)
            aside.replace(file)


def _committed(folder: Path) -> list[str]:
    if not folder.is_dir():
        return []
    return sorted(entry.name for entry in folder.iterdir() if (entry / "manifest.json").exists())


def _manifest(folder: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads((folder / "manifest.json").read_text("utf-8"))
        return found
    except (OSError, ValueError) as error:
        raise LakeError(f"{folder} has no readable manifest: {error}") from error


def _difference(file: Path, digest: str) -> str | None:
    """How a file differs from what was committed, if it does."""
    try:
        if bytes_digest(file) == digest:
            return None
    except FileNotFoundError:
        return f"{file} is missing"
    except OSError as error:
        return f"{file}: {error.strerror or error}"
    return f"{file} is damaged: it is not what was committed"


def _unreadable(file: Path) -> str | None:
    """Why a file is no Parquet, if it is none."""
    try:
        pq.read_metadata(file)
    except (OSError, pa.ArrowException):
        return f"{file} is damaged: it is no Parquet"
    return None


def _content_digest(batch: Batch) -> str:
    """A digest of the games' ids and contents and of the rejects: the same input, the same batch."""
    digest = hashlib.sha256(f"{VERSION} {batch.title} {batch.records}".encode())
    digest.update(json.dumps(list(batch.inputs), sort_keys=True).encode())
    games = batch.games.sort_by("game_id")
    for column in ("game_id", "digest"):
        digest.update(pc.cast(games[column], pa.int64()).to_numpy().tobytes())
    for row in batch.rejects.select(["file", "line", "fault"]).to_pylist():
        digest.update(json.dumps(list(row.values())).encode())
    return digest.hexdigest()


def write_parquet(table: pa.Table, file: Path) -> str:
    """Write one file, flushed to the disk; the SHA-256 of its bytes."""
    with open(file, "wb") as sink:
        pq.write_table(
            table, sink, compression="zstd", row_group_size=ROWS_A_GROUP,
            store_schema=True, write_page_index=False,
        )  # fmt: skip
        sink.flush()
        os.fsync(sink.fileno())
    return bytes_digest(file)


def _write_flushed(file: Path, data: bytes) -> None:
    with open(file, "wb") as sink:
        sink.write(data)
        sink.flush()
        os.fsync(sink.fileno())


def _flush_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
