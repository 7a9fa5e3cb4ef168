"""What every view of the warehouse and every column of it means.

The head of a file in `sql/` says it, in comments:

    -- one row per game and seat                  the grain
    -- key: game_id, seat                         the columns that tell rows apart, and sort them
    -- as in: outcomes, games                     columns not named below mean what these tables say
    -- excess: score less the game's mean, points a column; any further comment is a note on the view
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from pipeline import titles
from pipeline.lake_views import FILES, LAKE_LAYER, STATES_OF, TURNS_OF, Sources, lake_view_names
from pipeline.warehouse import ViewFile, view_files
from schemas import STATES, TABLES, TURNS, Column, Table

if TYPE_CHECKING:
    import duckdb

LAKE_NOTES = {
    "recorded_games": "All games that were read, also those in which a replay found a fault: see `games`.",
    "recorded_seats": "Also of games in which a replay found a fault: see `seats`.",
    "recorded_moves": "Also of games in which a replay found a fault: see `moves`.",
    "ingest_rejects": "Records that could not be read, and second records of a game: see `rejects`.",
    "replay_rejects": "Games in which the replay found a fault: see `rejects`.",
    "outcomes": "As the replay computes them; of results-only records as stated.",
    "score_events": "Points as the replay makes them; their sum and the starting score are the outcome.",
    "turns": "What all titles know of a turn; `turns_TITLE` has the title's facts too.",
}
BATCH = "the batch of the lake that holds the record"

BATCHES = {
    "batch": "name of the batch: its title and the digest of its content",
    "title": "the title; `unreadable` for records whose title could not be read",
    "records": "records that went in; always games + ingest_rejects + replay_rejects",
    "games": "games without a fault",
    "ingest_rejects": "records that could not be read, and second records of a game",
    "replay_rejects": "games in which the replay found a fault",
    "events": "events of all recorded games",
    "replayed": "whether the batch has been replayed",
    "engine": "digest of the rules and boards it was replayed with; null: not replayed",
    "inputs": "the files that it comes from, JSON",
}

OPPORTUNITIES = {
    "title": "the title",
    "score": "the seat's score before the turn, points",
    "deficit": "best score of all before the turn, less the seat's own, points",
    "open": "1 if the act (exchanging a card, or its counterpart) was possible, else 0; null: unknown",
    "other": "1 if its alternative was possible too, else 0; null: unknown",
    "done": "1 if it was done, else 0; with `other` = 1 it was chosen, with 0 forced",
}


@dataclass(frozen=True)
class ViewColumn:
    """One column of a view; `unit` and `null` may stand in the meaning."""

    name: str
    type: str
    meaning: str


@dataclass(frozen=True)
class View:
    """One view: its layer, what a row is, the key, notes for the reader, and its columns."""

    name: str
    layer: str
    grain: str
    key: tuple[str, ...]
    note: str
    columns: tuple[ViewColumn, ...]


@dataclass(frozen=True)
class Head:
    """What the comments above a SELECT say."""

    grain: str
    key: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    meanings: tuple[tuple[str, str], ...] = ()
    note: str = ""


def read_head(text: str) -> Head:
    """The head of a view's file; raises ValueError when its first line does not state the grain."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("-- "):
            break
        lines.append(line[3:].strip())
    if not lines or not lines[0].startswith("one row per "):
        raise ValueError("the first line must be a comment that begins with 'one row per'")
    meanings: list[tuple[str, str]] = []
    lists: dict[str, tuple[str, ...]] = {}
    notes = []
    for line in lines[1:]:
        if found := re.fullmatch(r"(key|as in): (.+)", line):
            lists[found[1]] = tuple(word.strip() for word in found[2].split(","))
        elif found := re.fullmatch(r"([a-z_0-9]+): (.+)", line):
            meanings.append((found[1], found[2]))
        else:
            notes.append(line)
    return Head(lines[0], lists.get("key", ()), lists.get("as in", ()), tuple(meanings), " ".join(notes))


@cache
def _heads() -> dict[str, Head]:
    """The heads of all views; those of the lowest layer from the schemas."""
    heads = {
        name: Head(
            table.grain,
            ("batch", *table.key) if with_batch and name.endswith("rejects") else table.key,
            (table.name,),
            (("batch", BATCH),) if with_batch else (),
            LAKE_NOTES.get(name, ""),
        )
        for name, (table, with_batch) in FILES.items()
    }
    heads["batches"] = Head("one row per batch", ("batch",), (), tuple(BATCHES.items()))
    for name in titles.names():
        facts = tuple((fact.name, _with_unit(fact.meaning, fact.unit)) for fact in titles.load(name).facts)
        note = f"The facts of {titles.load(name).label}; -1 where a fact is not known or does not apply."
        heads[f"{TURNS_OF}{name}"] = Head(TURNS.grain, TURNS.key, (TURNS.name,), facts, note)
        note = f"What `plybook states {name}` wrote, else empty; a state's field is a column `state_FIELD`."
        heads[f"{STATES_OF}{name}"] = Head(STATES.grain, STATES.key, (STATES.name,), (), note)
    heads["opportunities"] = Head(
        "one row per game and turn of a title that has a card exchange or a counterpart",
        TURNS.key,
        (TURNS.name,),
        tuple(OPPORTUNITIES.items()),
        _acts(),
    )
    return heads | {view.name: read_head(view.text) for view in view_files()}


def _acts() -> str:
    choices = [(titles.load(name).label, titles.load(name).choice) for name in titles.names()]
    said = [f"{label}: {c.act}, the alternative is {c.alternative}" for label, c in choices if c is not None]
    return ". ".join([*said, ""]).strip()


def key_of(view: str) -> tuple[str, ...]:
    """The columns that tell the rows of a view apart."""
    return _heads()[view].key


@cache
def catalogue() -> tuple[View, ...]:
    """All views in the order of their layers, over any lake."""
    from pipeline.warehouse import connect, create_views

    connection = connect(1, 256)
    try:
        create_views(connection, Sources())
        files = {view.name: view for view in view_files()}
        names = [*lake_view_names(), *files]
        return tuple(_view(connection, name, files.get(name)) for name in names)
    finally:
        connection.close()


def _view(connection: duckdb.DuckDBPyConnection, name: str, file: ViewFile | None) -> View:
    head = _heads()[name]
    meanings = _meanings(head)
    rows = connection.execute(f'DESCRIBE "{name}"').fetchall()
    columns = tuple(ViewColumn(row[0], row[1], meanings.get(row[0], "")) for row in rows)
    return View(name, file.layer if file else LAKE_LAYER, head.grain, head.key, head.note, columns)


def _meanings(head: Head) -> dict[str, str]:
    """By column: the head's own words before those of the tables, the first table's before the next's."""
    tables = {table.name: table for table in TABLES}
    found: dict[str, str] = {}
    for table in reversed([tables[name] for name in head.tables]):
        found |= {column.name: _said(column) for column in table.columns}
    return found | dict(head.meanings)


def _said(column: Column) -> str:
    said = _with_unit(column.meaning, column.unit)
    return f"{said}; null: {column.null}" if column.null else said


def _with_unit(meaning: str, unit: str) -> str:
    return f"{meaning}, {unit}" if unit else meaning


def catalogue_text(view: str | None = None) -> str:
    """The catalogue for a terminal: all views with their grain, or one view with its columns.

    Raises KeyError for a view that is not there.
    """
    if view is None:
        width = max(len(found.name) for found in catalogue())
        lines = []
        for layer in dict.fromkeys(found.layer for found in catalogue()):
            lines += ["", f"{layer}:"]
            lines += [f"  {v.name:{width}}  {v.grain}" for v in catalogue() if v.layer == layer]
        return "\n".join([*lines[1:], ""])
    found = {each.name: each for each in catalogue()}[view]
    width = max(len(column.name) for column in found.columns)
    kinds = max(len(column.type) for column in found.columns)
    lines = [f"{found.name}: {found.grain}", f"key: {', '.join(found.key)}"]
    lines += [found.note] if found.note else []
    lines += [f"  {c.name:{width}}  {c.type:{kinds}}  {c.meaning}" for c in found.columns]
    return "\n".join([*lines, ""])


def catalogue_json() -> list[dict[str, Any]]:
    """The catalogue as plain values."""
    from dataclasses import asdict

    return [asdict(view) for view in catalogue()]


def schema_page() -> str:
    """The page `docs/schema.md`: the lake's files and all views, in Markdown."""
    lines = [
        "# Tables and views",
        "",
        "<!-- Written by `python -m pipeline.docs`; do not edit. -->",
        "",
        "## Files",
        "",
        "The lake's Parquet files. `games`, `seats`, `moves` and the ingest's `rejects` are in `batches/`,",
        "`outcomes`, `score_events`, `turns` and the replay's `rejects` in `replays/`, `codebook` in",
        "`codebooks/`; `states` is what `plybook states` writes.",
    ]
    for table in TABLES:
        lines += _table_section(table)
    for layer in dict.fromkeys(view.layer for view in catalogue()):
        lines += ["", f"## Views: {layer}"]
        for view in catalogue():
            if view.layer == layer:
                lines += _view_section(view)
    return "\n".join([*lines, ""])


def _table_section(table: Table) -> list[str]:
    lines = ["", f"### `{table.name}`", "", f"{table.grain[0].upper()}{table.grain[1:]}."]
    lines += ["", "| column | type | meaning | unit | null |", "|---|---|---|---|---|"]
    for column in table.columns:
        cells = (f"`{column.name}`", str(column.type), column.meaning, column.unit, column.null or "never")
        lines.append("| " + " | ".join(map(_cell, cells)) + " |")
    return lines


def _view_section(view: View) -> list[str]:
    lines = ["", f"### `{view.name}`", "", f"{view.grain[0].upper()}{view.grain[1:]}."]
    lines += ["", f"Key: {', '.join(view.key)}."]
    lines += ["", view.note] if view.note else []
    lines += ["", "| column | type | meaning |", "|---|---|---|"]
    for column in view.columns:
        lines.append("| " + " | ".join(map(_cell, (f"`{column.name}`", column.type, column.meaning))) + " |")
    return lines


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
