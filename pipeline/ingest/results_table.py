"""A results table as it lies on the disk -- CSV of any common kind, or Parquet -- as columns of text.

Nothing is understood here: all cells are text, empty ones null, white space around them gone. What is
not a table at all is a `TableFault`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from pipeline.ingest.lines import FileFault
from pipeline.wording import quoted

PROBE = 200
NEW_LINE = "\n"
LONGEST_HEADINGS = 1 << 20
"""Characters; a spreadsheet has at most some thousand columns."""
MOST_NULS = 20
"""With more than one NUL in so many characters a file is not text."""
SEPARATORS = (",", ";", "\t", "|")
LINE, EXTRA = "line", "extra"
CODECS = {"windows-1250": "cp1250", "windows-1252": "cp1252"}
# First bytes of what people take for a table, and what to do about it.
OTHER_KINDS = (
    (b"PK\x03\x04", "is an Excel workbook or another zip file; save the sheet as CSV (UTF-8)"),
    (b"\xd0\xcf\x11\xe0", "is an old Excel workbook; save the sheet as CSV (UTF-8)"),
    (b"\x1f\x8b", "is compressed by gzip; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "is compressed by zstd; unpack it first"),
    (b"%PDF", "is a PDF, not a table"),
    (b"ARROW1", "is an Arrow file; save it as Parquet or CSV"),
)


class TableFault(FileFault):
    """The file is no table; `fault` is the short name, `line` where it shows."""

    def __init__(self, fault: str, message: str, line: int = 1) -> None:
        super().__init__(message)
        self.fault = fault
        self.line = line


@dataclass
class Sheet:
    """A table: headings (empty and doubled ones too), its first rows, and a way to read columns.

    Parquet has a frame; CSV has the body in UTF-8 behind the headings and the line on which it begins.
    """

    path: Path
    headings: list[str]
    frame: pl.DataFrame | None = None
    body: bytes = b""
    first_line: int = 2
    separator: str = ","
    folded: int = 0
    """Line breaks within cells, known after `read`."""

    def first_rows(self) -> list[tuple[str | None, ...]]:
        """Up to 200 rows with all their cells; too little for a verdict, enough for a guess."""
        if self.frame is not None:
            return _cleaned(self.frame.head(PROBE).select(_as_text(self.frame))).rows()
        rows = csv.reader(
            io.StringIO(self.body[: 1 << 20].decode("utf-8", "ignore"), newline=""), delimiter=self.separator
        )
        width = len(self.headings)
        found: list[tuple[str | None, ...]] = []
        try:
            for row in rows:
                if any(row):
                    found.append(tuple(cell.strip() or None for cell in (row + [""] * width)[:width]))
                if len(found) == PROBE:
                    break
        except csv.Error:
            # `read` says it, with its line.
            return found
        return found

    def read(self, positions: Sequence[int]) -> pl.DataFrame:
        """These columns as text, named `0`, `1` ... by position, `line` (from 1), and `extra`.

        `extra` is what stands behind the last heading's cell. Rows with no cell at all are left out.
        Raises TableFault.
        """
        names = [str(i) for i in positions]
        if self.frame is not None:
            frame = self.frame.select(_as_text(self.frame)).select(names)
            frame = frame.with_columns(
                pl.int_range(1, pl.len() + 1, dtype=pl.Int64).alias(LINE),
                pl.lit(None, pl.String).alias(EXTRA),
            )
        else:
            frame = self._read_csv(names)
        frame = _cleaned(frame)
        return frame.filter(pl.any_horizontal(pl.col(*names, EXTRA).is_not_null()))

    def _read_csv(self, names: list[str]) -> pl.DataFrame:
        wanted = [*names, EXTRA]
        try:
            frame = self._parse(wanted)
            if frame.height == self.body.count(b"\n") + (not self.body.endswith(b"\n")):
                lines = pl.int_range(self.first_line, self.first_line + pl.len(), dtype=pl.Int64)
                return frame.with_columns(lines.alias(LINE))
        except pl.exceptions.PolarsError:
            # Polars takes no stray quotation marks; the slow way does, or tells where one is wrong.
            pass
        return self._read_slowly(wanted)

    def _parse(self, wanted: list[str]) -> pl.DataFrame:
        """The fast way; a line is a row, so no cell may hold a line break."""
        heading = self.separator.join([*(str(i) for i in range(len(self.headings))), EXTRA]) + "\n"
        return pl.read_csv(
            io.BytesIO(heading.encode() + self.body), separator=self.separator, columns=wanted,
            infer_schema=False, truncate_ragged_lines=True,
        ).select(wanted)  # fmt: skip

    def _read_slowly(self, wanted: list[str]) -> pl.DataFrame:
        """The same by Python's reader, which knows the line of each row and of what is wrong."""
        rows = csv.reader(io.StringIO(self.body.decode("utf-8"), newline=""), delimiter=self.separator, strict=True)
        width = len(self.headings)
        places = [width if name == EXTRA else int(name) for name in wanted]
        lines: list[int] = []
        cells: list[list[str | None]] = [[] for _ in wanted]
        line = self.first_line
        try:
            for row in rows:
                lines.append(line)
                line = self.first_line + rows.line_num
                row = [*row[:width], "".join(row[width:])] if len(row) > width else row
                for column, place in zip(cells, places, strict=True):
                    column.append(row[place] if place < len(row) else None)
        except csv.Error as error:
            raise TableFault(
                "quotation", f"{self.path}: {_csv_words(error)} in the row of line {line}", line
            ) from error
        self.folded = rows.line_num - len(lines)
        columns: dict[str, Any] = dict(zip(wanted, cells, strict=True))
        schema = {**dict.fromkeys(wanted, pl.String), LINE: pl.Int64}
        return pl.DataFrame({**columns, LINE: lines}, schema=schema)


def _csv_words(error: csv.Error) -> str:
    text = str(error)
    if "end of data" in text:
        return "a quotation mark is opened and never closed"
    if "expected after" in text:
        return "text stands behind a closing quotation mark"
    if "larger than field limit" in text:
        return "a cell is longer than 131,072 characters"
    return text


def _cleaned(frame: pl.DataFrame) -> pl.DataFrame:
    """White space around cells off (no-break spaces too), empty cells null."""
    stripped = pl.col(pl.String).str.strip_chars()
    return frame.with_columns(pl.when(stripped != "").then(stripped).name.keep())


def _as_text(frame: pl.DataFrame) -> list[pl.Expr]:
    """Each column of a Parquet file as text, named by its position; 7.0 is 7, a time is ISO 8601."""
    made = []
    for i, (name, kind) in enumerate(frame.schema.items()):
        cell = pl.col(name)
        if kind.is_float():
            whole = cell.is_finite() & (cell == cell.round()) & (cell.abs() < 2**53)
            text = (
                pl.when(whole).then(cell.cast(pl.Int64, strict=False).cast(pl.String)).otherwise(cell.cast(pl.String))
            )
        elif isinstance(kind, pl.Datetime):
            text = cell.dt.to_string("iso:strict")
        elif kind.is_nested() or kind == pl.Binary:
            # A list or a picture is no cell; whoever maps it reads that it is not what was wanted.
            text = pl.when(cell.is_not_null()).then(pl.lit(f"({kind})"))
        else:
            text = cell.cast(pl.String)
        made.append(text.alias(str(i)))
    return made


def open_sheet(path: Path, encoding: str | None, separator: str | None) -> Sheet:
    """Look at a file and find its headings. Raises TableFault when there is no table in it."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except IsADirectoryError as error:
        raise TableFault("folder", f"{path} is a folder, not a file") from error
    except OSError as error:
        raise TableFault("unreadable", f"{path} cannot be read: {error.strerror or error}") from error
    if not data:
        raise TableFault("empty_file", f"{path} is empty")
    if data[:4] == b"PAR1":
        return _open_parquet(path, data)
    for start, words in OTHER_KINDS:
        if data.startswith(start):
            raise TableFault("not_a_table", f"{path} {words}")
    text = _decoded(path, data, encoding)
    return _open_csv(path, text, separator)


def _open_parquet(path: Path, data: bytes) -> Sheet:
    try:
        frame = pl.read_parquet(io.BytesIO(data))
    except (pl.exceptions.PolarsError, OSError, ValueError) as error:
        raise TableFault("not_a_table", f"{path} is a damaged Parquet file") from error
    if not frame.height:
        raise TableFault("empty_file", f"{path} has columns but no rows")
    return Sheet(path, list(frame.columns), frame)


def _decoded(path: Path, data: bytes, encoding: str | None) -> str:
    """The text: as stated, as the byte order mark says, or UTF-8."""
    if data.startswith(b"\xef\xbb\xbf"):
        data, codec = data[3:], "utf-8"
    elif data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        codec = "utf-16"
    else:
        codec = encoding or "utf-8"
    try:
        text = data.decode(CODECS.get(codec, codec))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        hint = "; state its encoding, for instance windows-1250 or windows-1252" if encoding is None else ""
        raise TableFault("encoding", f"{path}, line {line}: the text is not {codec.upper()}{hint}", line) from error
    # A stray one or two cost only their rows.
    nuls = text.count("\0")
    if nuls * MOST_NULS > len(text):
        hint = "; if it is UTF-16 without its mark, state utf-16-le" if nuls * 3 > len(text) else ""
        raise _nul(path, text.count("\n", 0, text.find("\0")) + 1, hint)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.removeprefix("\ufeff")


def _nul(path: Path, line: int, hint: str = "") -> TableFault:
    return TableFault("nul", f"{path}, line {line}: there is a NUL byte; it is not text{hint}", line)


def _open_csv(path: Path, text: str, separator: str | None) -> Sheet:
    """Skip what stands above the headings, tell the separator, and part headings from rows."""
    start, skipped = 0, 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        line = text[start:end].strip()
        if line[:4].casefold() == "sep=" and len(line) == 5:
            # Excel writes and wants this line.
            separator = separator or line[4]
        elif line.strip(',;|\t "'):
            break
        start, skipped = end + 1, skipped + 1
    if start >= len(text):
        raise TableFault("empty_file", f"{path} holds no text")
    if text[start] in "{[<":
        raise TableFault("not_a_table", f"{path} is not a table: it begins with {quoted(text[start])}", skipped + 1)
    top = text[start : start + LONGEST_HEADINGS]
    sign = separator or max(SEPARATORS, key=lambda sign: len(_headings(top, sign)[0]))
    headings, length, lines = _headings(top, sign)
    if any("\0" in heading for heading in headings):
        raise _nul(path, skipped + 1)
    if len(headings) < 2 or length > LONGEST_HEADINGS:
        raise TableFault(
            "not_a_table",
            f"{path}, line {skipped + 1}: a table has headings parted by comma, semicolon or tab, "
            f"here is {quoted(top[:200].partition(NEW_LINE)[0].strip())}",
            skipped + 1,
        )
    body = text[start + length :]
    if not body.strip():
        raise TableFault("empty_file", f"{path} has headings but no rows")
    return Sheet(path, headings, None, body.encode("utf-8"), skipped + lines + 1, sign)


def _headings(text: str, separator: str) -> tuple[list[str], int, int]:
    """The first row's cells, its length in characters, and how many lines it takes."""
    lines = io.StringIO(text, newline="")
    reader = csv.reader(lines, delimiter=separator)
    try:
        cells = next(reader, [])
    except csv.Error:
        return [], 0, 1
    length = sum(len(line) for line in text.split("\n", reader.line_num)[: reader.line_num]) + reader.line_num
    return [" ".join(cell.split()) for cell in cells], length, reader.line_num
