"""The process in which one ad-hoc statement runs, and which the system itself keeps in bounds.

It reads a request (JSON) from stdin and writes the result as an Arrow stream to stdout; a refusal or an
error goes to stderr as one line of JSON. `pipeline.adhoc` is the other end. It may write no file (not even
into the lake), reads the files of the views that the statement names and no others, and has bounded
address space and processor time: what slips past DuckDB's memory limit ends here.

DuckDB's `allowed_paths` lets a COPY write such a file as well as read it, so that statements other than
reads must not get as far as the engine: `pipeline.statements` sees to that.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb

    from pipeline.lake_views import Sources

MEGABYTE = 1 << 20
SLACK_MB = 192
"""Address space beyond DuckDB's limit: Arrow's copies of the rows at hand, threads' stacks."""

FAILED = 2


def main() -> None:
    """Serve the request on stdin, then leave at once."""
    request = json.load(sys.stdin)
    output = os.fdopen(os.dup(1), "wb")
    # Whatever a library prints must not get between the rows.
    os.dup2(2, 1)
    try:
        run(request, output)
        output.flush()
        code = 0
    except BrokenPipeError:
        code = 0  # the reader has enough
    except BaseException as error:
        print(json.dumps({"error": sentence(error, request)}), file=sys.stderr, flush=True)
        code = FAILED
    # Threads that are at work on an endless query are not waited for.
    os._exit(code)


def run(request: dict[str, Any], output: IO[bytes]) -> None:
    """Judge and run the statement; its rows go to `output`."""
    import pyarrow as pa

    from pipeline.lake_views import read_sources
    from pipeline.statements import judge
    from pipeline.warehouse import connect, create_views, view_names

    forbid_files_and_endless_work(request)
    connection = connect(request["threads"], request["memory_mb"])
    text, wanted = judge(connection, request["sql"], view_names())
    sources = read_sources(Path(request["lake"]))
    create_views(connection, sources, wanted)
    lock(connection, sources)
    bound_memory(request["memory_mb"])
    reader = connection.sql(text).to_arrow_reader(request["rows"])
    with pa.ipc.new_stream(output, reader.schema) as stream:
        for batch in reader:
            stream.write_batch(batch)


def forbid_files_and_endless_work(request: dict[str, Any]) -> None:
    """No file may be written, no memory image kept, no more processor time used than the limit allows."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    seconds = int(request["seconds"] * (request["threads"] + 1)) + 10
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def lock(connection: duckdb.DuckDBPyConnection, sources: Sources) -> None:
    """From here on: the lake's committed files for reading, nothing else, and no way back."""
    from pipeline.lake_views import literal

    files = ", ".join(literal(file) for file in sources.all_files)
    connection.execute(f"SET allowed_paths = [{files}]")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def bound_memory(memory_mb: int) -> None:
    """No more address space than now and the limit. DuckDB does not count what one value takes."""
    now = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    most = now + (memory_mb + SLACK_MB) * MEGABYTE
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def sentence(error: BaseException, request: dict[str, Any]) -> str:
    """What went wrong, for a person."""
    import duckdb
    import pyarrow as pa

    from pipeline.lake import LakeError
    from pipeline.lake_views import WarehouseError
    from pipeline.statements import RefusedError, first_line

    if isinstance(error, (RefusedError, LakeError, WarehouseError)):
        return str(error)
    out_of_memory = isinstance(error, (MemoryError, pa.ArrowMemoryError, duckdb.OutOfMemoryException))
    # Arrow's buffers inside DuckDB have no class of error of their own.
    if out_of_memory or "failed to allocate" in str(error).lower():
        return f"the query needs more than {request['memory_mb']} MB of memory (--memory allows more)"
    if isinstance(error, duckdb.IOException) and "No such file" in str(error):
        return "the lake changed while it was read; run the query again"
    return first_line(error) if isinstance(error, Exception) else type(error).__name__


if __name__ == "__main__":
    main()
