"""The lowest layer of the warehouse: a lake's committed files, as views.

One view a kind of file, `batches` from the manifests, and what depends on a title's own columns
(`turns_TITLE`, `states_TITLE`, `opportunities`). Only files that a manifest stands beside are named, so
what is half written is never read; without files a view is empty, with the same columns and types.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline import titles
from pipeline.lake import Lake
from schemas import (
    CODEBOOK,
    GAMES,
    MOVES,
    OUTCOMES,
    REJECTS,
    SCORE_EVENTS,
    SEATS,
    STATES,
    TURNS,
    VERSION,
    Column,
    Table,
)

if TYPE_CHECKING:
    import pyarrow as pa

    from pipeline.titles.contract import Title

LAKE_LAYER = "lake"
TURNS_OF, STATES_OF = "turns_", "states_"

FILES = {
    "recorded_games": (GAMES, True),
    "recorded_seats": (SEATS, False),
    "recorded_moves": (MOVES, False),
    "ingest_rejects": (REJECTS, True),
    "replay_rejects": (REJECTS, True),
    "outcomes": (OUTCOMES, False),
    "score_events": (SCORE_EVENTS, False),
    "turns": (TURNS, False),
    "codebook": (CODEBOOK, False),
}
"""The lake's files as views: the table that each holds, and whether the view also tells the batch."""
OF_GAMES = ("recorded_games", "recorded_seats", "recorded_moves", "outcomes", "score_events", "turns")

BATCH_COLUMNS = {
    "batch": "VARCHAR",
    "title": "VARCHAR",
    "records": "BIGINT",
    "games": "BIGINT",
    "ingest_rejects": "BIGINT",
    "replay_rejects": "BIGINT",
    "events": "BIGINT",
    "replayed": "BOOLEAN",
    "engine": "VARCHAR",
    "inputs": "VARCHAR",
}

OPPORTUNITY_COLUMNS = {
    "title": "VARCHAR",
    "game_id": "BIGINT",
    "turn": "INTEGER",
    "seat": "TINYINT",
    "epoch": "SMALLINT",
    "score": "INTEGER",
    "deficit": "INTEGER",
    "open": "INTEGER",
    "other": "INTEGER",
    "done": "INTEGER",
}


class WarehouseError(ValueError):
    """A lake that cannot be read, or a view that is not there; one sentence."""


@dataclass
class Sources:
    """The committed files of a lake at one moment, by view and by title, and the rows of `batches`."""

    files: dict[str, list[Path]] = field(default_factory=lambda: {name: [] for name in FILES})
    turns: dict[str, list[Path]] = field(default_factory=dict)
    engines: dict[str, set[str]] = field(default_factory=dict)
    states: dict[str, Path] = field(default_factory=dict)
    batches: list[tuple[Any, ...]] = field(default_factory=list)

    @property
    def all_files(self) -> list[Path]:
        return [*(file for files in self.files.values() for file in files), *self.states.values()]


def read_sources(folder: Path, only: Sequence[str] | None = None) -> Sources:
    """What a lake holds now, or of it `only` these batches.

    Raises WarehouseError for another schema version, LakeError for a broken manifest.
    """
    lake = Lake(folder.absolute())
    found = Sources()
    replays = set(lake.replays())
    for batch in lake.batches() if only is None else only:
        manifest = lake.manifest(batch)
        if manifest["schema_version"] != VERSION:
            raise WarehouseError(
                f"batch {batch} of {folder} has schema version {manifest['schema_version']}, "
                f"this is version {VERSION}: ingest it anew"
            )
        home = lake.batches_folder / batch
        for view, file in (
            ("recorded_games", "games"),
            ("recorded_seats", "seats"),
            ("recorded_moves", "moves"),
            ("ingest_rejects", "rejects"),
        ):
            found.files[view].append(home / f"{file}.parquet")
        replay = lake.replay_manifest(batch) if batch in replays else None
        if replay is not None:
            _add_replay(found, lake.replays_folder / batch, str(manifest["title"]), str(replay["engine"]))
        faulty = int((replay or {}).get("rejects", 0))
        found.batches.append(
            (
                batch, manifest["title"], manifest["records"], manifest["games"] - faulty,
                manifest["rejects"], faulty, manifest["moves"], replay is not None,
                (replay or {}).get("engine"), json.dumps(manifest.get("inputs", [])),
            )
        )  # fmt: skip
    if lake.codebooks_folder.is_dir():
        found.files["codebook"] = sorted(lake.codebooks_folder.glob("*.parquet"))
    states = {name: lake.folder / "states" / f"{name}.parquet" for name in titles.names()}
    found.states = {name: file for name, file in states.items() if file.is_file()}
    return found


def _add_replay(found: Sources, home: Path, title: str, engine: str) -> None:
    for view, file in (
        ("replay_rejects", "rejects"),
        ("outcomes", "outcomes"),
        ("score_events", "score_events"),
        ("turns", "turns"),
    ):
        found.files[view].append(home / f"{file}.parquet")
    found.turns.setdefault(title, []).append(home / "turns.parquet")
    found.engines.setdefault(title, set()).add(engine)


def lake_view_names() -> tuple[str, ...]:
    """The views of the lowest layer."""
    of_titles = [f"{kind}{name}" for kind in (TURNS_OF, STATES_OF) for name in titles.names()]
    return (*FILES, "batches", *of_titles, "opportunities")


def is_of_games(name: str) -> bool:
    """Whether a view of the lowest layer has rows of counted games, each under its `game_id`."""
    return name.startswith(TURNS_OF) or name in OF_GAMES


def lake_view(name: str, sources: Sources) -> str:
    """The SELECT of a view of the lowest layer."""
    if name in FILES:
        table, with_batch = FILES[name]
        return _file_select(table, sources.files[name], with_batch)
    if name == "batches":
        return _values(BATCH_COLUMNS, sources.batches)
    if name == "opportunities":
        return _opportunities(sources)
    if name.startswith(STATES_OF):
        file = sources.states.get(name.removeprefix(STATES_OF))
        return f"SELECT * FROM read_parquet({literal(file)})" if file else _empty(STATES)
    title = name.removeprefix(TURNS_OF)
    several = len(sources.engines.get(title, ())) > 1
    return _turns_select(titles.load(title), sources.turns.get(title, []), several)


def _file_select(table: Table, files: Sequence[Path], with_batch: bool) -> str:
    columns = ", ".join(identifier(name) for name in table.names)
    if not files:
        return _empty(table, {"batch": "VARCHAR"} if with_batch else {})
    batch = "parse_path(filename)[-2] AS batch, " if with_batch else ""
    return f"SELECT {batch}{columns} FROM read_parquet({_listed(files)})"


def _empty(table: Table, before: dict[str, str] | None = None) -> str:
    return empty_select((before or {}) | {column.name: sql_type(column.type) for column in table.columns})


def _turns_select(title: Title, files: Sequence[Path], several: bool) -> str:
    """A title's turns with its facts. Of several engines' some may lack a fact: there it is null."""
    if not files:
        facts = (Column(fact.name, fact.type, fact.meaning) for fact in title.facts)
        return _empty(TURNS.with_columns(facts))
    return f"SELECT * FROM read_parquet({_listed(files)}{', union_by_name = true' if several else ''})"


def _opportunities(sources: Sources) -> str:
    """Turns of all titles that have an exchange or its counterpart; -1 in a fact is unknown, here null."""
    parts = []
    for name in titles.names():
        choice = titles.load(name).choice if sources.turns.get(name) else None
        if choice is None:
            continue
        facts = ", ".join(
            f"nullif({identifier(fact)}, -1) AS {word}"
            for fact, word in ((choice.open, "open"), (choice.other, "other"), (choice.done, "done"))
        )
        common = "game_id, turn, seat, epoch, score, deficit"
        parts.append(f"SELECT {literal(name)} AS title, {common}, {facts} FROM turns_{name}")
    return "\nUNION ALL\n".join(parts) or empty_select(OPPORTUNITY_COLUMNS)


def empty_select(columns: dict[str, str]) -> str:
    """No rows of these columns and types."""
    fields = ", ".join(f"NULL::{kind} AS {identifier(name)}" for name, kind in columns.items())
    return f"SELECT {fields} WHERE false"


def _values(columns: dict[str, str], rows: Sequence[tuple[Any, ...]]) -> str:
    if not rows:
        return empty_select(columns)
    names = ", ".join(map(identifier, columns))
    casts = ", ".join(f"{identifier(name)}::{kind} AS {identifier(name)}" for name, kind in columns.items())
    values = ",\n".join(f"({', '.join(map(literal, row))})" for row in rows)
    return f"SELECT {casts} FROM (VALUES {values}) AS rows ({names})"


def literal(value: Any) -> str:
    """A value as SQL text."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    return "'" + str(value).replace("'", "''") + "'"


def identifier(name: str) -> str:
    """A name as SQL text."""
    return '"' + name.replace('"', '""') + '"'


def _listed(files: Iterable[Path]) -> str:
    return "[" + ", ".join(literal(file) for file in files) + "]"


def sql_type(kind: pa.DataType) -> str:
    """DuckDB's name of an Arrow type that the schemas use."""
    import pyarrow as pa

    return {
        pa.int8(): "TINYINT",
        pa.int16(): "SMALLINT",
        pa.int32(): "INTEGER",
        pa.int64(): "BIGINT",
        pa.string(): "VARCHAR",
        pa.timestamp("us", "UTC"): "TIMESTAMPTZ",
    }[kind]
