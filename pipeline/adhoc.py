"""The guarded door for anybody's SQL: one reading statement over a lake's views, within bounds.

The statement runs in a process of its own (`pipeline.adhoc_child`) that can write nothing, read nothing
but the lake's files, and is ended when its time is over. Rows stream from there to a table on the
terminal, CSV, JSON or Parquet, so that a large result takes no memory here.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, TextIO

from pipeline.outputs import OutputError, outside_lakes, whole_file
from pipeline.rows import OUTPUTS, Writer, writer_for
from pipeline.statements import LONGEST

if TYPE_CHECKING:
    import pyarrow as pa

SECONDS = 60.0
MEMORY_MB = 1024
LEAST_MEMORY_MB = 64
ROWS = 40
"""Rows of a table on the terminal."""

MOST_SAID = 1 << 20
"""Bytes of what the process may say about an error."""

GOOD, FAILED = 0, 2


class AdhocError(ValueError):
    """The statement was refused or did not finish; one sentence says why."""


@dataclass(frozen=True)
class Limits:
    """What one statement may use: wall-clock seconds, megabytes of memory, threads."""

    seconds: float = SECONDS
    memory_mb: int = MEMORY_MB
    threads: int = 2

    def check(self) -> None:
        """Raises AdhocError for limits that nothing could keep."""
        if not 0 < self.seconds <= 86_400:
            raise AdhocError(f"the time limit must be between 0 and 86,400 seconds, not {self.seconds:g}")
        if not LEAST_MEMORY_MB <= self.memory_mb <= 1 << 20:
            raise AdhocError(f"the memory limit must be between {LEAST_MEMORY_MB} and 1,048,576 MB")
        if not 1 <= self.threads <= 256:
            raise AdhocError("the number of threads must be between 1 and 256")


DEFAULTS = Limits()


def run_adhoc(
    lake: Path,
    sql: str,
    *,
    output: str = "table",
    out_file: Path | None = None,
    rows: int = ROWS,
    limits: Limits = DEFAULTS,
    out: TextIO | None = None,
    errors: TextIO | None = None,
) -> int:
    """Run one statement and write its rows to `out` (stdout) or to a file; 0, or 2 and a sentence.

    `output` is table, csv, json (a list of objects) or parquet (needs `out_file`). `rows` bounds the
    terminal's table alone. A file appears only when it is whole.
    """
    out, errors = out or sys.stdout, errors or sys.stderr
    try:
        limits.check()
        if rows < 0:
            raise AdhocError(f"the number of rows to show must not be negative, {rows} is")
        with (
            opened_output(lake, output, out_file, rows, out) as writer,
            Result(lake, sql, limits, writer.batch_rows) as found,
        ):
            writer.begin(found.open())
            for batch in found.batches():
                if not writer.write(batch):
                    break
            writer.end()
    except BrokenPipeError:
        return GOOD  # the reader of our output has enough
    except AdhocError as error:
        print(f"plybook sql: {error}", file=errors)
        return FAILED
    return GOOD


def read_statement(file: Path) -> str:
    """The text of a file with SQL. Raises AdhocError when it is not there or not UTF-8."""
    try:
        if file.is_file() and file.stat().st_size > 4 * LONGEST:
            raise AdhocError(f"{file} is too long for one statement: {LONGEST:,} characters are allowed")
        return file.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise AdhocError(f"{file} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise AdhocError(f"{file} is not UTF-8: byte {error.start + 1}") from error


@contextmanager
def opened_output(lake: Path, output: str, out_file: Path | None, rows: int, out: TextIO) -> Iterator[Writer]:
    """Where the rows go. A file is written aside and takes its name when all rows are in it."""
    if output not in OUTPUTS:
        raise AdhocError(f"output is one of {', '.join(OUTPUTS)}, not {output!r:.40}")
    if out_file is None:
        if output == "parquet":
            raise AdhocError("Parquet is no text for a terminal: name a file with --out")
        yield writer_for(output, out, rows)
        return
    try:
        with (
            whole_file(outside_lakes(out_file, lake)) as aside,
            open(aside, "wb") as sink,
            closing(writer_for(output, sink, None)) as writer,
        ):
            yield writer
    except OutputError as error:
        raise AdhocError(str(error)) from error


class Result:
    """The rows of one statement as they come. Use it in a `with` block: leaving it ends the process.

    `schema` and `batches` raise AdhocError when the statement is refused or fails, also in mid-stream.
    """

    def __init__(self, lake: Path, sql: str, limits: Limits, batch_rows: int) -> None:
        self.limits = limits
        self.request = {
            "lake": str(lake.absolute()), "sql": sql, "seconds": limits.seconds, "threads": limits.threads,
            "memory_mb": limits.memory_mb, "rows": batch_rows,
        }  # fmt: skip
        self.late = False
        self.said = b""

    def __enter__(self) -> Result:
        self.process = _start_child()
        self.clock = threading.Timer(self.limits.seconds, self._end_late)
        self.clock.start()
        self.listener = threading.Thread(target=self._listen)
        self.listener.start()
        return self

    def __exit__(self, *problem: object) -> None:
        self.clock.cancel()
        self.process.kill()
        self.process.wait()
        self.listener.join()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            with suppress(BrokenPipeError):
                _there(pipe).close()

    def open(self) -> pa.Schema:
        """Ask, and wait for the columns."""
        with suppress(BrokenPipeError):
            stdin = _there(self.process.stdin)
            stdin.write(json.dumps(self.request).encode())
            stdin.close()
        import pyarrow as pa  # while the child is at work

        try:
            self.reader = pa.ipc.open_stream(_there(self.process.stdout))
        except (pa.ArrowException, OSError) as error:
            raise AdhocError(self._problem() or "the query gave no rows") from error
        return self.reader.schema

    def batches(self) -> Iterator[pa.RecordBatch]:
        """The rows, a batch at a time."""
        import pyarrow as pa

        try:
            yield from self.reader
        except (pa.ArrowException, OSError) as error:
            raise AdhocError(self._problem() or f"the result cannot be read: {error}") from error
        problem = self._problem()
        if problem is not None:
            raise AdhocError(problem)

    def _end_late(self) -> None:
        self.late = True
        self.process.kill()

    def _listen(self) -> None:
        self.said = _there(self.process.stderr).read(MOST_SAID)

    def _problem(self) -> str | None:
        """What the process died of, once its output has ended; None when all went well."""
        code = self.process.wait()
        self.listener.join()
        if code == 0:
            return None
        if self.late or code == -signal.SIGXCPU:
            return f"the query took longer than {self.limits.seconds:g} seconds (--seconds allows more)"
        for line in reversed(self.said.splitlines()):
            with suppress(ValueError, KeyError, TypeError):
                return str(json.loads(line)["error"])
        return (
            f"the query broke its process (exit code {code}); most likely it needs more than "
            f"{self.limits.memory_mb} MB of memory (--memory allows more)"
        )


def _start_child() -> subprocess.Popen[bytes]:
    """Its environment holds nothing but the way to this package; Ctrl-C does not reach it."""
    return subprocess.Popen(
        [sys.executable, "-S", "-c", "from pipeline.adhoc_child import main; main()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONUTF8": "1", "TZ": "UTC"},
        start_new_session=True,
    )


def _there(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe
