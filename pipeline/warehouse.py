"""DuckDB over a lake: the views of `sql/`, built on the files that the manifests name.

    open_warehouse(Path("lake")).query("seat_counts", title="kingdoms")

A view is one file of `sql/`: its name is the view's, its folder the layer, its head says what a row and
each column is (`pipeline.catalogue`). The lowest layer, `lake`, is made here: one view a kind of file,
`batches` from the manifests, and what depends on a title's own columns (`turns_TITLE`, `opportunities`).
Only files of committed batches are named, so what is half written is never read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline import titles
from pipeline.lake import Lake
from pipeline.resources import sql_path
from pipeline.statements import tables_named
from schemas import CODEBOOK, GAMES, MOVES, OUTCOMES, REJECTS, SCORE_EVENTS, SEATS, TURNS, VERSION, Table

if TYPE_CHECKING:
    import duckdb
    import polars as pl
    import pyarrow as pa

    from pipeline.titles.contract import Title

THREADS = 2
MEMORY_MB = 1024
LAKE_LAYER = "lake"
TURNS_OF = "turns_"

FILES = {
    "recorded_games": (GAMES, True),
    "recorded_seats": (SEATS, False),
    "recorded_moves": (MOVES, False),
    "ingest_rejects": (REJECTS, True),
    "replay_rejects": (REJECTS, True),
    "outcomes": (OUTCOMES, False),
    "score_events": (SCORE_EVENTS, False),
    "turns": (TURNS, False),
    "codebook": (CODEBOOK, False),
}
"""The lake's files as views: the table that each holds, and whether the view also tells the batch."""

BATCH_COLUMNS = {
    "batch": "VARCHAR",
    "title": "VARCHAR",
    "records": "BIGINT",
    "games": "BIGINT",
    "ingest_rejects": "BIGINT",
    "replay_rejects": "BIGINT",
    "events": "BIGINT",
    "replayed": "BOOLEAN",
    "engine": "VARCHAR",
    "inputs": "VARCHAR",
}

OPPORTUNITY_COLUMNS = {
    "title": "VARCHAR",
    "game_id": "BIGINT",
    "turn": "INTEGER",
    "seat": "TINYINT",
    "epoch": "SMALLINT",
    "score": "INTEGER",
    "deficit": "INTEGER",
    "open": "INTEGER",
    "other": "INTEGER",
    "done": "INTEGER",
}


class WarehouseError(ValueError):
    """A lake that cannot be read, or a view that is not there; one sentence."""


@dataclass(frozen=True)
class ViewFile:
    """One file of `sql/`: a plain SELECT under the name of the view."""

    name: str
    layer: str
    file: Path

    @property
    def text(self) -> str:
        return self.file.read_text("utf-8")


@cache
def view_files() -> tuple[ViewFile, ...]:
    """The views of `sql/`, layer by layer; within a layer by name."""
    return tuple(
        ViewFile(file.stem, folder.name.split("_", 1)[1], file)
        for folder in sorted(sql_path().glob("[0-9]*_*"))
        for file in sorted(folder.glob("*.sql"))
    )


@dataclass
class Sources:
    """The committed files of a lake at one moment, by view, and the rows of `batches`."""

    files: dict[str, list[Path]] = field(default_factory=lambda: {name: [] for name in FILES})
    turns: dict[str, list[Path]] = field(default_factory=dict)
    batches: list[tuple[Any, ...]] = field(default_factory=list)

    @property
    def all_files(self) -> list[Path]:
        return [file for files in self.files.values() for file in files]


def read_sources(folder: Path) -> Sources:
    """What a lake holds now. Raises WarehouseError for another schema version, LakeError for a broken manifest."""
    lake = Lake(folder.absolute())
    found = Sources()
    replays = set(lake.replays())
    for batch in lake.batches():
        manifest = lake.manifest(batch)
        if manifest["schema_version"] != VERSION:
            raise WarehouseError(
                f"batch {batch} of {folder} has schema version {manifest['schema_version']}, "
                f"this is version {VERSION}: ingest it anew"
            )
        home = lake.batches_folder / batch
        for view, file in (
            ("recorded_games", "games"),
            ("recorded_seats", "seats"),
            ("recorded_moves", "moves"),
            ("ingest_rejects", "rejects"),
        ):
            found.files[view].append(home / f"{file}.parquet")
        replay = lake.replay_manifest(batch) if batch in replays else None
        if replay is not None:
            _add_replay(found, lake.replays_folder / batch, str(manifest["title"]))
        faulty = int((replay or {}).get("rejects", 0))
        found.batches.append(
            (
                batch, manifest["title"], manifest["records"], manifest["games"] - faulty,
                manifest["rejects"], faulty, manifest["moves"], replay is not None,
                (replay or {}).get("engine"), json.dumps(manifest.get("inputs", [])),
            )
        )  # fmt: skip
    if lake.codebooks_folder.is_dir():
        found.files["codebook"] = sorted(lake.codebooks_folder.glob("*.parquet"))
    return found


def _add_replay(found: Sources, home: Path, title: str) -> None:
    for view, file in (
        ("replay_rejects", "rejects"),
        ("outcomes", "outcomes"),
        ("score_events", "score_events"),
        ("turns", "turns"),
    ):
        found.files[view].append(home / f"{file}.parquet")
    found.turns.setdefault(title, []).append(home / "turns.parquet")


def lake_view_names() -> tuple[str, ...]:
    """The views of the lowest layer."""
    return (*FILES, "batches", *(f"{TURNS_OF}{name}" for name in titles.names()), "opportunities")


def lake_view(name: str, sources: Sources) -> str:
    """The SELECT of a view of the lowest layer."""
    if name in FILES:
        table, with_batch = FILES[name]
        return _file_select(table, sources.files[name], with_batch)
    if name == "batches":
        return _values(BATCH_COLUMNS, sources.batches)
    if name == "opportunities":
        return _opportunities(sources)
    title = name.removeprefix(TURNS_OF)
    return _turns_select(titles.load(title), sources.turns.get(title, []))


def _file_select(table: Table, files: Sequence[Path], with_batch: bool) -> str:
    columns = ", ".join(identifier(name) for name in table.names)
    if not files:
        types = {"batch": "VARCHAR"} if with_batch else {}
        return empty_select(types | {column.name: sql_type(column.type) for column in table.columns})
    batch = "parse_path(filename)[-2] AS batch, " if with_batch else ""
    return f"SELECT {batch}{columns} FROM read_parquet({_listed(files)})"


def _turns_select(title: Title, files: Sequence[Path]) -> str:
    """A title's turns with its facts. Replays of older rules may lack some of them: these are null."""
    if not files:
        columns = {column.name: sql_type(column.type) for column in TURNS.columns}
        return empty_select(columns | {fact.name: sql_type(fact.type) for fact in title.facts})
    return f"SELECT * FROM read_parquet({_listed(files)}, union_by_name = true)"


def _opportunities(sources: Sources) -> str:
    """Turns of all titles that have an exchange or its counterpart; -1 in a fact is unknown, here null."""
    parts = []
    for name in titles.names():
        choice = titles.load(name).choice if sources.turns.get(name) else None
        if choice is None:
            continue
        facts = ", ".join(
            f"nullif({identifier(fact)}, -1) AS {word}"
            for fact, word in ((choice.open, "open"), (choice.other, "other"), (choice.done, "done"))
        )
        common = "game_id, turn, seat, epoch, score, deficit"
        parts.append(f"SELECT {literal(name)} AS title, {common}, {facts} FROM turns_{name}")
    return "\nUNION ALL\n".join(parts) or empty_select(OPPORTUNITY_COLUMNS)


def empty_select(columns: dict[str, str]) -> str:
    """No rows of these columns and types."""
    fields = ", ".join(f"NULL::{kind} AS {identifier(name)}" for name, kind in columns.items())
    return f"SELECT {fields} WHERE false"


def _values(columns: dict[str, str], rows: Sequence[tuple[Any, ...]]) -> str:
    if not rows:
        return empty_select(columns)
    names = ", ".join(map(identifier, columns))
    casts = ", ".join(f"{identifier(name)}::{kind} AS {identifier(name)}" for name, kind in columns.items())
    values = ",\n".join(f"({', '.join(map(literal, row))})" for row in rows)
    return f"SELECT {casts} FROM (VALUES {values}) AS rows ({names})"


def literal(value: Any) -> str:
    """A value as SQL text."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    return "'" + str(value).replace("'", "''") + "'"


def identifier(name: str) -> str:
    """A name as SQL text."""
    return '"' + name.replace('"', '""') + '"'


def _listed(files: Iterable[Path]) -> str:
    return "[" + ", ".join(literal(file) for file in files) + "]"


def sql_type(kind: pa.DataType) -> str:
    """DuckDB's name of an Arrow type that the schemas use."""
    import pyarrow as pa

    return {
        pa.int8(): "TINYINT",
        pa.int16(): "SMALLINT",
        pa.int32(): "INTEGER",
        pa.int64(): "BIGINT",
        pa.string(): "VARCHAR",
        pa.timestamp("us", "UTC"): "TIMESTAMPTZ",
    }[kind]


def connect(threads: int, memory_mb: int, spill: Path | None = None) -> duckdb.DuckDBPyConnection:
    """An empty in-memory database that reads no extension, no settings file and no Python variable."""
    import duckdb

    return duckdb.connect(
        config={
            "threads": str(threads),
            "memory_limit": f"{memory_mb}MB",
            "temp_directory": "" if spill is None else str(spill),
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "allow_community_extensions": "false",
            "allow_persistent_secrets": "false",
            "python_enable_replacements": "false",
        }
    )


def create_views(
    connection: duckdb.DuckDBPyConnection, sources: Sources, wanted: Iterable[str] | None = None
) -> None:
    """Create all views, or the wanted ones and those that they rest on."""
    connection.execute("SET TimeZone = 'UTC'")
    files = {view.name: view for view in view_files()}
    done: set[str] = set()

    def create(name: str) -> None:
        if name in done:
            return
        done.add(name)
        text = files[name].text if name in files else lake_view(name, sources)
        for other in sorted(view_names().intersection(tables_named(connection, text))):
            create(other)
        connection.execute(f"CREATE VIEW {identifier(name)} AS {text}")

    for name in sorted(view_names()) if wanted is None else wanted:
        create(name)


class Warehouse:
    """The views of one lake as it was when this was opened. Close it, or use it in a `with` block."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, sources: Sources) -> None:
        self.connection = connection
        self.sources = sources

    def __enter__(self) -> Warehouse:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def close(self) -> None:
        self.connection.close()

    def query(self, name_or_sql: str, **equal: Any) -> pl.DataFrame:
        """The rows of a view, or of a SELECT, as a Polars frame; `equal` keeps rows with these values.

        A view's rows are sorted by its key, a SELECT's by all columns: the same lake, the same frame.
        Raises WarehouseError when a key that the catalogue names is not there.
        """
        import polars as pl

        return pl.DataFrame(self.arrow(name_or_sql, **equal))

    def arrow(self, name_or_sql: str, **equal: Any) -> pa.Table:
        """The same as an Arrow table."""
        return self._execute(name_or_sql, equal, ordered=True).to_arrow_table()

    @contextmanager
    def batches(self, name_or_sql: str, rows: int = 1_000_000, **equal: Any) -> Iterator[pa.RecordBatchReader]:
        """The same as a stream of record batches of about `rows` rows, in no order; memory stays flat."""
        reader = self._execute(name_or_sql, equal, ordered=False).to_arrow_reader(rows)
        try:
            yield reader
        finally:
            reader.close()

    def _execute(self, name_or_sql: str, equal: dict[str, Any], ordered: bool) -> duckdb.DuckDBPyConnection:
        from pipeline.catalogue import key_of

        plain = name_or_sql.replace("_", "").isalnum()
        if plain and name_or_sql not in view_names():
            raise WarehouseError(f"there is no view {name_or_sql!r}; `plybook schema` lists all views")
        source = identifier(name_or_sql) if plain else f"({name_or_sql})"
        text = f"SELECT * FROM {source}"
        if equal:
            conditions = (f"{identifier(name)} IS NOT DISTINCT FROM ?" for name in equal)
            text += f" WHERE {' AND '.join(conditions)}"
        if ordered:
            key = key_of(name_or_sql) if plain else ()
            text += f" ORDER BY {', '.join(map(identifier, key)) if key else 'ALL'}"
        return self.connection.execute(text, list(equal.values()))


@cache
def view_names() -> frozenset[str]:
    """The names of all views over any lake."""
    return frozenset([*lake_view_names(), *(view.name for view in view_files())])


def open_warehouse(
    lake: Path, threads: int = THREADS, memory_mb: int = MEMORY_MB, spill: Path | None = None
) -> Warehouse:
    """The views over a lake; a folder that is not there is an empty lake.

    `memory_mb` bounds DuckDB's memory; with a folder `spill` what does not fit goes there.
    """
    sources = read_sources(lake)
    connection = connect(threads, memory_mb, spill)
    create_views(connection, sources)
    return Warehouse(connection, sources)
