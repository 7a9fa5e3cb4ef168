"""What a table is: columns with a meaning, a unit and a null rule, and the check that holds data to them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import pyarrow as pa

VERSION = 1
"""Version of all schemas together; it rises when a column changes its meaning, type or null rule."""


class SchemaError(ValueError):
    """A table does not hold what its schema says; the message names table, column and reason."""


@dataclass(frozen=True)
class Column:
    """One column: its Arrow type, what it means, its unit, and when it is null (never, if empty)."""

    name: str
    type: pa.DataType
    meaning: str
    unit: str = ""
    null: str = ""

    @property
    def field(self) -> pa.Field:
        return pa.field(self.name, self.type, nullable=bool(self.null))


@dataclass(frozen=True)
class Table:
    """One table: `grain` says what a row is, `key` the columns that sort it and tell rows apart."""

    name: str
    grain: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]

    @property
    def schema(self) -> pa.Schema:
        return pa.schema([column.field for column in self.columns])

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    def with_columns(self, more: Iterable[Column]) -> Table:
        """This table with further columns behind its own (a title's facts behind `turns`)."""
        return Table(self.name, self.grain, self.key, (*self.columns, *more))

    def empty(self) -> pa.Table:
        """No rows, the right columns."""
        return self.schema.empty_table()


def check(data: pa.Table | pa.RecordBatch, table: Table) -> None:
    """Hold data against its schema: the same columns in the same order, types, and nulls only where allowed.

    Raises SchemaError with one sentence for the first thing that is wrong.
    """
    if tuple(data.schema.names) != table.names:
        missing = [name for name in table.names if name not in data.schema.names]
        extra = [name for name in data.schema.names if name not in table.names]
        detail = "; ".join(
            part
            for part in (
                f"missing {', '.join(missing)}" if missing else "",
                f"unknown {', '.join(extra)}" if extra else "",
            )
            if part
        )
        raise SchemaError(f"table {table.name}: {detail or 'columns are in another order'}")
    for column in table.columns:
        values = data.column(column.name)
        if values.type != column.type:
            raise SchemaError(f"table {table.name}, column {column.name}: type {values.type}, wanted {column.type}")
        if not column.null and values.null_count:
            raise SchemaError(f"table {table.name}, column {column.name}: {values.null_count} nulls, none allowed")
