"""Counts over a lake of any size: some batches at a time, and the counts added up.

All columns of a view of the layer `counts` but its key are whole numbers that may be added, so memory does
not grow with the lake. One batch is never split: it is the unit of work everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.catalogue import key_of
from pipeline.lake import Lake
from pipeline.lake_views import WarehouseError, identifier
from pipeline.statements import tables_named
from pipeline.warehouse import MEMORY_MB, THREADS, open_warehouse, view_files, view_names

if TYPE_CHECKING:
    import polars as pl

GAMES_AT_ONCE = 32_768
KEPT = ("game_facts", "seat_facts", "phase_totals")
"""Facts that several counts rest on, each on those before it."""


@dataclass(frozen=True)
class Count:
    """A SELECT whose columns but its key are whole numbers that may be added."""

    text: str
    key: tuple[str, ...]


def count_views() -> tuple[str, ...]:
    """The views whose rows may be added up."""
    return tuple(view.name for view in view_files() if view.layer == "counts")


def counts(
    lake: Path,
    views: Sequence[str],
    batches: Sequence[str] | None = None,
    threads: int = THREADS,
    memory_mb: int = MEMORY_MB,
    games_at_once: int = GAMES_AT_ONCE,
) -> dict[str, pl.DataFrame]:
    """The rows of some `counts` views over a lake or some of its batches, by view, each sorted by its key.

    Raises WarehouseError for a view of another layer.
    """
    others = [view for view in views if view not in count_views()]
    if others:
        raise WarehouseError(f"{', '.join(others)} cannot be added up; {', '.join(count_views())} can")
    selects = {view: Count(f"SELECT * FROM {identifier(view)}", key_of(view)) for view in views}
    return count_selects(lake, selects, batches, threads, memory_mb, games_at_once)


def count_selects(
    lake: Path,
    selects: Mapping[str, Count],
    batches: Sequence[str] | None = None,
    threads: int = THREADS,
    memory_mb: int = MEMORY_MB,
    games_at_once: int = GAMES_AT_ONCE,
) -> dict[str, pl.DataFrame]:
    """The rows of some SELECTs over a lake or some of its batches, added up; each sorted by its key."""
    import polars as pl

    found: dict[str, pl.DataFrame] = {}
    for group in groups(lake, batches, games_at_once):
        with open_warehouse(lake, threads, memory_mb, batches=group, views=()) as warehouse:
            named = {table for select in selects.values() for table in tables_named(warehouse.connection, select.text)}
            warehouse.create(sorted(named & view_names()))
            needed = warehouse.below(named)
            warehouse.keep(view for view in KEPT if view in needed)
            for name, select in selects.items():
                rows = pl.DataFrame(warehouse.arrow(select.text))
                found[name] = added([found[name], rows] if name in found else [rows], select.key)
    return found


def groups(lake: Path, batches: Sequence[str] | None, games_at_once: int) -> Iterator[list[str]]:
    """Batches (all of a lake) in groups of about so many games; one empty group where there are none."""
    at_hand: list[str] = []
    games = 0
    for batch in Lake(lake).batches() if batches is None else batches:
        size = int(Lake(lake).manifest(batch)["games"])
        if at_hand and games + size > games_at_once:
            yield at_hand
            at_hand, games = [], 0
        at_hand.append(batch)
        games += size
    yield at_hand


def added(frames: Iterable[pl.DataFrame], key: Sequence[str]) -> pl.DataFrame:
    """Rows of the same key as one, all other columns summed; sorted by the key."""
    import polars as pl

    whole = pl.concat(list(frames))
    rest = [name for name in whole.columns if name not in key]
    return whole.group_by(key).agg(pl.col(rest).sum()).select(whole.columns).sort(key, nulls_last=True)
