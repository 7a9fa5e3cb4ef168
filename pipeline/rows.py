"""Rows of any result as text for a terminal, CSV, JSON, or a Parquet file, batch by batch."""

from __future__ import annotations

import io
import math
import unicodedata
from collections.abc import Sequence
from decimal import Decimal
from typing import IO, TYPE_CHECKING, Any, TextIO, cast

from pipeline.spreadsheet import guarded, guarded_column

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

OUTPUTS = ("table", "csv", "json", "parquet")
WIDEST = 60
"""Characters of a cell on the terminal."""
SMALL_BATCH, LARGE_BATCH = 8_192, 131_072

Sink = TextIO | IO[bytes]


class Writer:
    """Takes a schema, batches, and an end. `write` says whether it wants more."""

    batch_rows = SMALL_BATCH

    def __init__(self, sink: Sink) -> None:
        self.sink = sink

    def begin(self, schema: pa.Schema) -> None:
        """The columns, before the first batch."""

    def write(self, batch: pa.RecordBatch) -> bool:
        raise NotImplementedError

    def end(self) -> None:
        """Nothing more comes."""

    def close(self) -> None:
        """Let go of the sink, also after an error."""

    def put(self, text: str) -> None:
        """Text into a file as UTF-8, or into a text stream in what it can show."""
        if isinstance(self.sink, io.TextIOBase):
            encoding = getattr(self.sink, "encoding", None) or "utf-8"
            self.sink.write(text.encode(encoding, "backslashreplace").decode(encoding))
        else:
            cast(IO[bytes], self.sink).write(text.encode("utf-8", "replace"))


def writer_for(output: str, sink: Sink, rows: int | None) -> Writer:
    """The writer of an output's name; `rows` bounds a table, None does not."""
    if output == "csv":
        return CsvWriter(sink)
    if output == "json":
        return JsonWriter(sink)
    if output == "parquet":
        return ParquetWriter(sink)
    return TableWriter(sink, rows)


class TableWriter(Writer):
    """A table for a person: aligned, long cells cut, as many rows as asked for and a note on the rest."""

    def __init__(self, sink: Sink, rows: int | None) -> None:
        super().__init__(sink)
        self.most = rows
        self.rows: list[list[str]] = []
        self.more = False

    def begin(self, schema: pa.Schema) -> None:
        self.names = [cut(one_line(name)) for name in schema.names]
        self.right = [is_number(field.type) for field in schema]
        self.plan = schema.names == ["explain_key", "explain_value"]

    def write(self, batch: pa.RecordBatch) -> bool:
        room = batch.num_rows if self.most is None else self.most - len(self.rows)
        if self.plan:
            for text in batch.column(1).to_pylist():
                self.put("\n".join(map(printable, str(text).splitlines())) + "\n")
            return True
        columns = [column.to_pylist() for column in batch.slice(0, room).columns]
        self.rows += [[cut(one_line(shown(value))) for value in row] for row in zip(*columns, strict=True)]
        self.more = batch.num_rows > room
        return not self.more

    def end(self) -> None:
        if self.plan:
            return
        for line in table_lines(self.names, self.rows, self.right):
            self.put(line + "\n")
        count = len(self.rows)
        if self.more:
            self.put(f"first {count:,} rows; there are more: --output csv or LIMIT and OFFSET show them\n")
        else:
            self.put(f"{count:,} row{'' if count == 1 else 's'}\n")


class CsvWriter(Writer):
    """Comma-separated, a head, texts in quotes, null empty; lists and the like as JSON text.

    A text that a spreadsheet would take for a formula gets an apostrophe before it.
    """

    batch_rows = LARGE_BATCH

    def begin(self, schema: pa.Schema) -> None:
        import csv

        line = io.StringIO()
        csv.writer(line, lineterminator="\n").writerow(map(guarded, schema.names))
        self.put(line.getvalue())

    def write(self, batch: pa.RecordBatch) -> bool:
        import pyarrow as pa
        import pyarrow.csv

        columns = [csv_column(column) for column in batch.columns]
        # The names stand in the head already, and need not differ.
        plain = pa.record_batch(columns, names=[str(i) for i in range(len(columns))])
        data = pa.BufferOutputStream()
        pa.csv.write_csv(plain, data, pa.csv.WriteOptions(include_header=False))
        self.put(data.getvalue().to_pybytes().decode("utf-8", "replace"))
        return True


class JsonWriter(Writer):
    """A list of objects, one a line; columns of the same name become `a`, `a_1`."""

    def begin(self, schema: pa.Schema) -> None:
        self.names = distinct(schema.names)
        self.first = True
        self.put("[")

    def write(self, batch: pa.RecordBatch) -> bool:
        columns = [column.to_pylist() for column in batch.columns]
        lines = []
        for row in zip(*columns, strict=True):
            text = json_text(dict(zip(self.names, row, strict=True)))
            lines.append(f"{'' if self.first else ','}\n{text}")
            self.first = False
        self.put("".join(lines))
        return True

    def end(self) -> None:
        self.put("\n]\n")


class ParquetWriter(Writer):
    """A Parquet file, compressed with zstd; columns of the same name become `a`, `a_1`."""

    batch_rows = LARGE_BATCH
    file: pq.ParquetWriter | None = None

    def begin(self, schema: pa.Schema) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        self.names = distinct(schema.names)
        named = pa.schema([field.with_name(name) for field, name in zip(schema, self.names, strict=True)])
        self.file = pq.ParquetWriter(self.sink, named, compression="zstd")

    def write(self, batch: pa.RecordBatch) -> bool:
        if batch.num_rows and self.file is not None:
            self.file.write_batch(batch.rename_columns(self.names))
        return True

    def close(self) -> None:
        if self.file is not None:
            self.file.close()


def distinct(names: Sequence[str]) -> list[str]:
    """The names, those that were there already with a number behind them: a, a becomes a, a_1."""
    found: list[str] = []
    taken = set(names)
    for name in names:
        number = 0
        new = name
        while new in taken if number else new in found:
            number += 1
            new = f"{name}_{number}"
        taken.add(new)
        found.append(new)
    return found


def is_number(kind: pa.DataType) -> bool:
    import pyarrow as pa

    types = pa.types
    return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind))


def fits_csv(kind: pa.DataType) -> bool:
    """Whether Arrow writes this type as CSV as we want it."""
    import pyarrow as pa

    types = pa.types
    fitting = (
        types.is_integer, types.is_floating, types.is_boolean, types.is_null, types.is_string,
        types.is_large_string, types.is_date32,
    )  # fmt: skip
    return any(is_kind(kind) for is_kind in fitting)


def csv_column(column: pa.Array) -> pa.Array:
    """A column as Arrow writes it into CSV."""
    import pyarrow as pa

    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        return guarded_column(column)
    return column if fits_csv(column.type) else as_text(column)


def as_text(column: pa.Array) -> pa.Array:
    import pyarrow as pa

    def text(value: Any) -> str | None:
        if value is None:
            return None
        return guarded(value) if isinstance(value, str) else shown(value)

    return pa.array(map(text, column.to_pylist()), pa.string())


def shown(value: Any) -> str:
    """A value as text; lists and the like as JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return f"{value:.6g}" if math.isfinite(value) and not value.is_integer() else repr(value)
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, (bool, dict, list, tuple)):
        return json_text(value)
    if hasattr(value, "isoformat"):
        return str(value.isoformat()).replace("+00:00", "Z")
    return str(value)


def json_text(value: Any) -> str:
    """A value as JSON; what JSON has no form for stands as text, NaN and infinity as null."""
    import msgspec

    return msgspec.json.encode(plain(value)).decode()


def plain(value: Any) -> Any:
    """The same in what JSON knows."""
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, bytes):
        return value.hex()
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    return shown(value)


def printable(text: str) -> str:
    """No control characters: a player's name must not move the cursor."""
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)


def one_line(text: str) -> str:
    return printable(text.replace("\n", "\\n").replace("\t", "\\t"))


def cut(text: str) -> str:
    return text if len(text) <= WIDEST else text[: WIDEST - 3] + "..."


def width(text: str) -> int:
    """Columns that a text takes on a terminal: East Asian characters two, combining ones none."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def table_lines(names: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool]) -> list[str]:
    """Lines of an aligned table with its head, numbers to the right."""
    widths = [max([width(name), *(width(row[i]) for row in rows)]) for i, name in enumerate(names)]

    def line(cells: Sequence[str]) -> str:
        padded = []
        for cell, wide, is_right in zip(cells, widths, right, strict=True):
            space = " " * (wide - width(cell))
            padded.append(space + cell if is_right else cell + space)
        return "  ".join(padded).rstrip()

    return [line(names), "  ".join("-" * wide for wide in widths), *map(line, rows)]
