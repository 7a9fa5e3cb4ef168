"""The files of a folder of canonical tables, as rows that have the schema's types, some at a time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.ipc
import pyarrow.parquet as pq

from pipeline.ingest.lines import FileFault
from schemas import GAMES, MOVES, SEATS, Column, SchemaError, Table, check

ENDINGS_OF_FILES = (".parquet", ".arrow", ".feather", ".ipc")
ROWS_A_PIECE = 1 << 16
"""Rows decoded at once: of games and seats, which have texts, some 10 MB."""


def table_files(path: Path) -> list[Path]:
    """The three files of a folder of canonical tables. Raises FileFault when one is missing."""
    found = [_file(path, table) for table in (GAMES, SEATS, MOVES)]
    for table, file in zip((GAMES, SEATS, MOVES), found, strict=True):
        if file is None:
            raise FileFault(f"{path} is a folder without a {table.name}.parquet or {table.name}.arrow")
    return [file for file in found if file is not None]


def _file(folder: Path, table: Table) -> Path | None:
    for ending in ENDINGS_OF_FILES:
        file = folder / f"{table.name}{ending}"
        if file.is_file():
            return file
    return None


def row_count(file: Path) -> int:
    """How many rows a file says it has, without reading them. Raises FileFault."""
    try:
        if file.suffix == ".parquet":
            return int(pq.read_metadata(file).num_rows)
        from pyarrow import dataset

        return int(dataset.dataset(str(file), format="ipc").count_rows())
    except (pa.ArrowException, OSError) as error:
        raise _unreadable(file, error) from error


def _unreadable(file: Path, error: Exception) -> FileFault:
    return FileFault(f"{file} cannot be read: {str(error).splitlines()[0]}")


def _pieces(file: Path, table: Table) -> Iterator[pa.RecordBatch]:
    """A table's rows in pieces, each with exactly the schema's types. Raises FileFault."""
    try:
        if file.suffix == ".parquet":
            # What is buffered ahead stays in memory until the whole file has been read.
            source = pq.ParquetFile(file, pre_buffer=False)
            pieces: Any = source.iter_batches(batch_size=ROWS_A_PIECE)
        else:
            reader = pyarrow.ipc.open_file(pa.memory_map(str(file)))
            pieces = (reader.get_batch(i) for i in range(reader.num_record_batches))
        for piece in pieces:
            # Offsets that point elsewhere and texts that are not UTF-8 would end the program later.
            piece.validate(full=True)
            yield _fitted(piece, table)
    except (pa.ArrowException, OSError) as error:
        raise _unreadable(file, error) from error
    except SchemaError as error:
        raise FileFault(f"{file}: {error}") from error


def _fitted(piece: pa.RecordBatch, table: Table) -> pa.RecordBatch:
    """A piece with the schema's types; columns that have them are taken as they are. Raises SchemaError.

    Other programs write other types for the same values: DuckDB makes all columns nullable, Polars
    writes large strings, pandas 64-bit numbers.
    """
    if tuple(piece.schema.names) == table.names:
        columns = [_cast(piece.column(column.name), column, table) for column in table.columns]
        piece = pa.RecordBatch.from_arrays(columns, names=list(table.names))
    check(piece, table)
    return pa.RecordBatch.from_arrays(piece.columns, schema=table.schema)


def _cast(values: pa.Array, column: Column, table: Table) -> pa.Array:
    """A column in the schema's type, if that loses nothing; else as it is. Raises SchemaError."""
    if values.type == column.type:
        return values
    if pa.types.is_dictionary(values.type):
        values = values.dictionary_decode()
    if not _castable(values.type, column.type):
        return values
    try:
        return pc.cast(values, column.type, safe=True)
    except pa.ArrowException as error:
        reason = str(error).splitlines()[0]
        raise SchemaError(f"table {table.name}, column {column.name}: {reason}") from error


def _castable(given: pa.DataType, wanted: pa.DataType) -> bool:
    """Whether values of a type can mean the same in another one.

    A time without a zone is not taken for UTC, and numbers with a point are not whole numbers.
    """
    kinds = pa.types
    if kinds.is_null(given):
        return True
    if kinds.is_string(wanted):
        return bool(kinds.is_large_string(given) or kinds.is_string_view(given) or kinds.is_string(given))
    if kinds.is_timestamp(wanted):
        return bool(kinds.is_timestamp(given) and given.tz is not None)
    return bool(kinds.is_integer(wanted) and kinds.is_integer(given))


class Rows:
    """Rows of a table handed out in runs, with a running position."""

    def __init__(self, file: Path, table: Table) -> None:
        self.file = file
        self.pieces = _pieces(file, table)
        self.rest = table.empty()
        self.waiting: int | None = None

    def has(self, count: int) -> bool:
        """Whether the file says that it has as many rows more."""
        if self.waiting is None:
            self.waiting = row_count(self.file)
        return count <= self.waiting

    def take(self, count: int) -> pa.Table:
        """The next `count` rows, or as many as there are."""
        parts = [self.rest]
        have = self.rest.num_rows
        while have < count:
            piece = next(self.pieces, None)
            if piece is None:
                break
            parts.append(pa.Table.from_batches([piece]))
            have += piece.num_rows
        table = pa.concat_tables(parts)
        self.rest = table.slice(count)
        taken = table.slice(0, count)
        if self.waiting is not None:
            self.waiting -= taken.num_rows
        return taken

    def left(self) -> bool:
        return self.rest.num_rows > 0 or next(self.pieces, None) is not None
