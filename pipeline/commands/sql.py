"""`plybook sql` and `schema`: the guarded door, and what lies behind it."""

from __future__ import annotations

import sys
from pathlib import Path

from pipeline.commands import GOOD, UNUSABLE
from pipeline.commands.output import say


def sql(
    lake: Path, statement: str | None, file: Path | None, output: str, out: Path | None, rows: int,
    seconds: float, memory: int, threads: int,
) -> int:  # fmt: skip
    """Run a statement, or the statement in a file, or a prompt when stdin is a terminal."""
    from pipeline.adhoc import AdhocError, Limits, read_statement, run_adhoc
    from pipeline.outputs import OutputError, existing_lake
    from pipeline.prompt import prompt

    limits = Limits(seconds, memory, threads)
    if statement is not None and file is not None:
        say("plybook sql: give a statement or a file, not both")
        return UNUSABLE
    try:
        existing_lake(lake)
        if file is not None:
            statement = read_statement(file)
    except (AdhocError, OutputError) as error:
        say(f"plybook sql: {error}")
        return UNUSABLE
    if statement is None:
        if sys.stdin.isatty():
            return prompt(lake, limits=limits)
        statement = sys.stdin.read()
    return run_adhoc(lake, statement, output=output, out_file=out, rows=rows, limits=limits)


def schema(view: str | None, as_json: bool) -> int:
    """Print the catalogue."""
    import json

    from pipeline.catalogue import catalogue_json, catalogue_text

    if as_json:
        print(json.dumps(catalogue_json(), indent=1, ensure_ascii=False))
        return GOOD
    try:
        print(catalogue_text(view), end="")
    except KeyError:
        say(f"there is no view {view!r}; `plybook schema` names them all")
        return UNUSABLE
    return GOOD
