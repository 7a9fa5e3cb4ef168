"""The interactive prompt: statements, commands, and errors that do not end it."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.adhoc import Limits
from pipeline.prompt import is_complete, prompt


def typed(*lines: str) -> tuple[Callable[[str], str], list[str]]:
    """Somebody who types these lines, and the prompts that they saw."""
    waiting, seen = list(lines), list[str]()

    def read(text: str) -> str:
        seen.append(text)
        if not waiting:
            raise EOFError
        line = waiting.pop(0)
        if line == "^C":
            raise KeyboardInterrupt
        return line

    return read, seen


def session(lake: Path, *lines: str) -> tuple[str, str, list[str]]:
    read, seen = typed(*lines)
    out, errors = io.StringIO(), io.StringIO()
    assert prompt(lake, limits=Limits(30, 256, 1), read=read, out=out, errors=errors) == 0
    return out.getvalue(), errors.getvalue(), seen


def test_a_statement_over_several_lines(lake: Path) -> None:
    out, errors, seen = session(lake, "SELECT count(*) AS games", "", "FROM games", "  ; -- done", ".quit")
    assert errors == ""
    assert out.splitlines()[:3] == ["games", "-----", "   56"]
    assert seen == ["plybook> ", "    ...> ", "    ...> ", "    ...> ", "plybook> "]


def test_errors_do_not_end_it(lake: Path) -> None:
    out, errors, _ = session(lake, "DROP VIEW games;", "FROM 'x.csv';", "SELECT 'x;", "';", "SELECT 42 AS a;")
    assert errors.splitlines()[0].startswith("plybook sql: DROP is no read")
    assert "would be a file" in errors.splitlines()[1]
    assert "   42" not in errors and "42" in out
    assert out.endswith("1 row\n\n")


def test_interrupt_gives_the_statement_up(lake: Path) -> None:
    out, errors, seen = session(lake, "SELECT nonsense", "^C", "SELECT 1 AS a;", ".exit")
    assert errors == "" and "1 row" in out
    assert seen[2] == "plybook> "


def test_commands(lake: Path) -> None:
    out, _, _ = session(lake, ".help", ".tables", ".schema", ".schema games", ".schema nothing", ".nothing")
    assert "A statement ends with ;" in out
    assert "\nseat_counts\n" in out
    assert "one row per cell and seat, over its counted games" in out
    assert "stable number of the game" in out
    assert "there is no view nothing; .tables lists them" in out
    assert "there is no command .nothing; .help lists them" in out


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ("SELECT 1;", True),
        ("SELECT 1 ; -- a comment", True),
        ("SELECT 1; /* a\ncomment */\n", True),
        ("SELECT 1", False),
        ("SELECT ';'", False),
        ("SELECT 1 -- ;", False),
        ("SELECT 1 /* ;", False),
        ('SELECT ";', False),
        ("SELECT $$ ;", False),
        ("SELECT 'é';", True),
        ("-- only a comment", False),
    ],
)
def test_where_a_statement_ends(text: str, complete: bool) -> None:
    assert is_complete(text) is complete
