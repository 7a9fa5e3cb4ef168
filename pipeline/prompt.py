"""The interactive prompt for SQL: each statement goes through the same guarded door as `plybook sql`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from pipeline.adhoc import DEFAULTS, GOOD, Limits, run_adhoc

HELP = """\
A statement ends with ; and may go over several lines.
.tables        all views
.schema        all views and what a row of each is
.schema VIEW   the columns of a view and what they mean
.help          this
.quit          leave (or Ctrl-D)
"""
FIRST, NEXT = "plybook> ", "    ...> "
HISTORY = Path("~/.local/state/plybook/history")


def prompt(
    lake: Path,
    *,
    limits: Limits = DEFAULTS,
    read: Callable[[str], str] | None = None,
    out: TextIO | None = None,
    errors: TextIO | None = None,
) -> int:
    """Read statements and answer them until .quit or the end of input; 0. No error ends it.

    `read` gives the next line for a prompt's text and raises EOFError at the end (default: `input`,
    with history where readline is there).
    """
    out, errors = out or sys.stdout, errors or sys.stderr
    if read is None:
        read = input
        _remember()
    held = ""
    while True:
        try:
            line = read(NEXT if held else FIRST)
        except EOFError:
            print(file=out)
            return GOOD
        except KeyboardInterrupt:
            print(file=out)
            held = ""
            continue
        if not held and line.strip().startswith("."):
            if not _command(line.strip(), out):
                return GOOD
            continue
        held = f"{held}\n{line}" if held else line
        if not held.strip():
            held = ""
        elif is_complete(held):
            try:
                run_adhoc(lake, held, limits=limits, out=out, errors=errors)
            except KeyboardInterrupt:
                print("interrupted", file=errors)
            held = ""


def is_complete(text: str) -> bool:
    """Whether the last token is a semicolon; one in a text, a name or a comment is none."""
    import duckdb

    raw = text.encode("utf-8", "replace")
    try:
        tokens = [(at, kind.name) for at, kind in duckdb.tokenize(raw.decode()) if kind.name != "comment"]
    except (duckdb.Error, ValueError):
        return raw.rstrip().endswith(b";")  # let the door say what is wrong with it
    if not tokens:
        return False
    at, kind = tokens[-1]
    return kind == "operator" and raw[at : at + 1] == b";"


def _command(line: str, out: TextIO) -> bool:
    """Carry out a command with a dot; False for leaving."""
    from pipeline.catalogue import catalogue, catalogue_text

    word, _, rest = line.partition(" ")
    view = rest.strip().rstrip(";")
    if word in (".quit", ".exit"):
        return False
    if word == ".help":
        print(HELP, end="", file=out)
    elif word == ".tables":
        print("\n".join(found.name for found in catalogue()), file=out)
    elif word == ".schema":
        try:
            print(catalogue_text(view or None), end="", file=out)
        except KeyError:
            print(f"there is no view {view}; .tables lists them", file=out)
    else:
        print(f"there is no command {word}; .help lists them", file=out)
    return True


def _remember() -> None:
    """History across sessions, where readline is there and a folder for it can be had."""
    with suppress(ImportError, OSError):
        import atexit
        import readline

        file = HISTORY.expanduser()
        file.parent.mkdir(parents=True, exist_ok=True)
        readline.set_history_length(1000)
        with suppress(FileNotFoundError):
            readline.read_history_file(file)
        atexit.register(_keep, file)


def _keep(file: Path) -> None:
    import readline

    with suppress(OSError):
        readline.write_history_file(file)
