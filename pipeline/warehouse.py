"""DuckDB over a lake: the views of `sql/`, built on the files that the manifests name.

    open_warehouse(Path("lake")).query("seat_counts", title="kingdoms")

A view is one file of `sql/`: its name is the view's, its folder the layer, its head says what a row and
each column is (`pipeline.catalogue`). The layer below them is made by `pipeline.lake_views`.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.lake_views import (
    Sources,
    WarehouseError,
    identifier,
    is_of_games,
    lake_view,
    lake_view_names,
    read_sources,
)
from pipeline.resources import sql_path
from pipeline.statements import tables_named

if TYPE_CHECKING:
    import duckdb
    import polars as pl
    import pyarrow as pa

THREADS = 2
MEMORY_MB = 1024


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


def connect(threads: int, memory_mb: int, spill: Path | None = None) -> duckdb.DuckDBPyConnection:
    """An empty in-memory database that reads no extension, no settings file and no Python variable."""
    import duckdb

    connection = duckdb.connect(
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
    connection.execute("SET enable_progress_bar = false")
    connection.execute("SET TimeZone = 'UTC'")
    return connection


CHOSEN = "chosen_games"
"""In a narrowed warehouse: the table of its games."""


def create_views(
    connection: duckdb.DuckDBPyConnection, sources: Sources, wanted: Iterable[str] | None = None, narrowed: bool = False
) -> None:
    """Create all views, or the wanted ones and those that they rest on; narrowed, with the rows of CHOSEN alone."""
    files = {view.name: view for view in view_files()}
    done: set[str] = set()

    def create(name: str) -> None:
        if name in done:
            return
        done.add(name)
        text = files[name].text if name in files else lake_view(name, sources)
        for other in sorted(view_names().intersection(tables_named(connection, text))):
            create(other)
        if narrowed and is_of_games(name):
            text = f"SELECT * FROM ({text}) SEMI JOIN {CHOSEN} USING (game_id)"
        connection.execute(f"CREATE VIEW {identifier(name)} AS {text}")

    for name in sorted(view_names()) if wanted is None else wanted:
        create(name)


class Warehouse:
    """The views of one lake as it was when this was opened. Close it, or use it in a `with` block."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        sources: Sources,
        lake: Path,
        threads: int,
        memory_mb: int,
        spill: Path,
    ) -> None:
        self.connection = connection
        self.sources = sources
        self.lake = lake
        self.threads = threads
        self.memory_mb = memory_mb
        self.spill = spill
        self.children: list[Warehouse] = []

    def __enter__(self) -> Warehouse:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the memory and of what did not fit into it."""
        for child in self.children:
            child.close()
        self.connection.close()
        shutil.rmtree(self.spill, ignore_errors=True)

    def query(self, name_or_sql: str, **equal: Any) -> pl.DataFrame:
        """The rows of a view, or of a SELECT, as a Polars frame; `equal` keeps rows with these values.

        A view's rows are sorted by its key, a SELECT's by all columns: the same lake, the same frame.
        The views of the layer `counts` are worked out together at the first call, some batches at a time,
        so that their memory does not grow with the lake. Raises WarehouseError for a view that is not there.
        """
        import polars as pl

        from pipeline.counting import count_views

        if name_or_sql not in count_views():
            return pl.DataFrame(self.arrow(name_or_sql, **equal))
        frame = self._counts[name_or_sql]
        wanted = [pl.col(name).eq_missing(pl.lit(value)) for name, value in equal.items()]
        return frame.filter(wanted) if wanted else frame

    @cached_property
    def _counts(self) -> dict[str, pl.DataFrame]:
        from pipeline.counting import count_views, counts

        batches = [row[0] for row in self.sources.batches]
        return counts(self.lake, count_views(), batches, self.threads, self.memory_mb)

    def arrow(self, name_or_sql: str, **equal: Any) -> pa.Table:
        """The same as an Arrow table, always worked out in one go."""
        return self._execute(name_or_sql, equal, ordered=True).to_arrow_table()

    @contextmanager
    def stream(self, name_or_sql: str, rows: int = 1_000_000, **equal: Any) -> Iterator[pa.RecordBatchReader]:
        """The same as a stream of record batches of about `rows` rows, in no order; memory stays flat."""
        reader = self._execute(name_or_sql, equal, ordered=False).to_arrow_reader(rows)
        try:
            yield reader
        finally:
            reader.close()

    def below(self, views: Iterable[str]) -> set[str]:
        """The views of `sql/` that these rest on, and themselves."""
        files = {view.name: view for view in view_files()}
        found: set[str] = set()
        waiting = list(views)
        while waiting:
            name = waiting.pop()
            if name in files and name not in found:
                found.add(name)
                waiting.extend(tables_named(self.connection, files[name].text))
        return found

    def create(self, views: Iterable[str]) -> None:
        """Create these views and those that they rest on, in a warehouse that was opened with none."""
        create_views(self.connection, self.sources, views)

    def narrowed(self, games: pl.DataFrame, views: Iterable[str]) -> Warehouse:
        """These views over some games alone, closed with this one: what they work out grows with those games.

        `games` has a column `game_id`, and is there itself as the table CHOSEN.
        """
        child = _opened(self.lake, self.sources, self.threads, self.memory_mb, views, games)
        self.children.append(child)
        return child

    def keep(self, views: Iterable[str]) -> None:
        """Work these views out once and hold their rows in memory, for several that rest on them."""
        for view in views:
            held = identifier(f"held {view}")
            self.connection.execute(f"CREATE TABLE {held} AS FROM {identifier(view)}")
            self.connection.execute(f"DROP VIEW {identifier(view)}")
            self.connection.execute(f"ALTER TABLE {held} RENAME TO {identifier(view)}")

    def _execute(self, name_or_sql: str, equal: dict[str, Any], ordered: bool) -> duckdb.DuckDBPyRelation:
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
        return self.connection.sql(text, params=list(equal.values()))


@cache
def view_names() -> frozenset[str]:
    """The names of all views over any lake."""
    return frozenset([*lake_view_names(), *(view.name for view in view_files())])


def open_warehouse(
    lake: Path,
    threads: int = THREADS,
    memory_mb: int = MEMORY_MB,
    batches: Sequence[str] | None = None,
    views: Iterable[str] | None = None,
) -> Warehouse:
    """The views over a lake, or over some batches of it; a folder that is not there is an empty lake.

    `memory_mb` bounds DuckDB's memory; what does not fit goes into a temporary folder until it is closed.
    `views`: only these and those that they rest on, which is quicker than all.
    """
    return _opened(lake, read_sources(lake, batches), threads, memory_mb, views)


def _opened(
    lake: Path, sources: Sources, threads: int, memory_mb: int, views: Iterable[str] | None,
    games: pl.DataFrame | None = None,
) -> Warehouse:  # fmt: skip
    """The views over some files, or of these over some games alone."""
    spill = Path(tempfile.mkdtemp(prefix="plybook-"))
    connection = connect(threads, memory_mb, spill)
    if games is not None:
        connection.register("given", games.to_arrow())
        connection.execute(f"CREATE TABLE {CHOSEN} AS FROM given")
        connection.unregister("given")
    create_views(connection, sources, views, narrowed=games is not None)
    return Warehouse(connection, sources, lake, threads, memory_mb, spill)
