"""Cells of a title: which there are, what tells them apart in words, and which of them are wanted."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from pipeline.analysis.model import AnalysisError, Cell
from pipeline.wording import listed, one_line, quoted

CELL = ("title", "board", "options", "players")
OUTER_COMMA = r",(?![^\[]*\])"
"""A comma that is not within the brackets of a list."""
MOST_VALUES = 12
"""Values of an option that a sentence names."""


def read_where(where: str | None) -> dict[str, str]:
    """`fortresses=true, players=4` as names and values. Raises AnalysisError for anything else."""
    wanted = {}
    for part in re.split(OUTER_COMMA, where or ""):
        name, mark, value = (text.strip() for text in part.partition("="))
        if not part.strip():
            continue
        if not (name and mark and value):
            raise AnalysisError(f"cells are chosen as NAME=VALUE with commas between, not {quoted(part.strip())}")
        wanted[name] = value
    return wanted


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _facts(row: Mapping[str, Any]) -> dict[str, str]:
    """Everything that a cell can be chosen by, as text; an option of the name `board` goes before the board's id."""
    options = json.loads(row["options"])
    return {
        "board": str(row["board"]), **{name: _text(value) for name, value in options.items()},
        "players": str(row["players"]),
    }  # fmt: skip


def _known(rows: pl.DataFrame) -> dict[str, set[str]]:
    """By name the values that cells can be chosen by, the ids of boards among them."""
    known: dict[str, set[str]] = {}
    for row in rows.iter_rows(named=True):
        for name, value in (*_facts(row).items(), ("board", str(row["board"]))):
            known.setdefault(name, set()).add(value)
    return known


def choose_cells(rows: pl.DataFrame, wanted: Mapping[str, str]) -> pl.DataFrame:
    """The rows of the view `cells` that fit, sorted. Raises AnalysisError for a name that no cell has.

    `board` fits the option of that name as well as the board's id. Upper and lower case do not matter
    where no cell has the value as it is written.
    """
    known = _known(rows)
    unknown = [name for name in wanted if name not in known]
    if unknown and rows.height:
        raise AnalysisError(f"no game has an option {quoted(unknown[0])}; there are {listed(sorted(known), 'and')}")
    exact = {name: value in known.get(name, ()) for name, value in wanted.items()}
    fits = [
        all(_is(row, name, value if exact[name] else value.casefold(), exact[name]) for name, value in wanted.items())
        for row in rows.iter_rows(named=True)
    ]
    return rows.filter(pl.Series(fits, dtype=pl.Boolean)).sort("players", "board", "options")


def _is(row: Mapping[str, Any], name: str, value: str, exact: bool) -> bool:
    """Whether a cell has this value; `value` is in lower case unless it is exact."""
    mine = [_facts(row).get(name), str(row["board"]) if name == "board" else None]
    return value in [one if exact or one is None else one.casefold() for one in mine]


def values_hint(rows: pl.DataFrame, wanted: Mapping[str, str]) -> str:
    """`; board is bird or lion`: what the wanted names can be, where no cell has the wanted value."""
    known = _known(rows)
    told = []
    for name, value in wanted.items():
        values = sorted(known.get(name, set()) - {""}, key=lambda text: (len(text), text))
        if values and value.casefold() not in {one.casefold() for one in values}:
            more = [f"{len(values) - MOST_VALUES} more"] if len(values) > MOST_VALUES else []
            told.append(f"; {name} is {listed([*(one_line(v) for v in values[:MOST_VALUES]), *more])}")
    return "".join(told)


def name_cells(rows: pl.DataFrame, lakes: Sequence[str] = ()) -> tuple[Cell, ...]:
    """Cells with keys and labels: a label tells what differs among these cells.

    `lakes`: the lake of each row, where there are several.
    """
    facts = [_facts(row) for row in rows.iter_rows(named=True)]
    homes = [[lake] for lake in lakes] or [[] for _ in facts]
    names = sorted({name for fact in facts for name in fact} - {"players"})
    varying = [name for name in names if len({fact.get(name) for fact in facts}) > 1]
    # A board that an option names is told by the option.
    others = [name for name in varying if name != "board"]
    if "board" in varying and _tells(facts, others, "board"):
        varying = others
    return tuple(
        Cell(
            key=f"c{i + 1}",
            label=", ".join([f"{fact['players']} players", *_words(fact, varying), *homes[i]]),
            title=row["title"],
            board=row["board"],
            options=json.loads(row["options"]),
            players=row["players"],
            games=row["games"],
            counted=row["counted"],
        )
        for i, (row, fact) in enumerate(zip(rows.iter_rows(named=True), facts, strict=True))
    )


def _tells(facts: Sequence[Mapping[str, str]], names: Sequence[str], name: str) -> bool:
    """Whether the values of `names` decide the value of `name`."""
    seen: dict[tuple[str | None, ...], str | None] = {}
    for fact in facts:
        key = tuple(fact.get(other) for other in names)
        if seen.setdefault(key, fact.get(name)) != fact.get(name):
            return False
    return True


def _words(fact: Mapping[str, str], names: Sequence[str]) -> list[str]:
    return [option_words(name, fact[name]) for name in names if name in fact]


def option_words(name: str, value: str) -> str:
    """`fortresses on`, `no fortresses`, `side east`."""
    plain = name.replace("_", " ")
    if value in ("true", "false"):
        return f"with {plain}" if value == "true" else f"no {plain}"
    return f"{plain} {value}"
