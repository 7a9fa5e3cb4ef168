"""The titles: an explicit tuple, and other packages' titles by the entry point `plybook.titles`."""

from __future__ import annotations

import importlib
from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.titles.contract import Title

TITLES = ("kingdoms", "china", "call_to_glory", "qin", "chang_cheng")


@cache
def names() -> tuple[str, ...]:
    """All titles that have rules here, own ones first."""
    plugged = sorted(point.name for point in entry_points(group="plybook.titles"))
    return (*TITLES, *(name for name in plugged if name not in TITLES))


@cache
def load(name: str) -> Title:
    """The title of that name. Raises KeyError when there is none."""
    if name in TITLES:
        title: Title = importlib.import_module(f"pipeline.titles.{name}").TITLE
        return title
    for point in entry_points(group="plybook.titles"):
        if point.name == name:
            plugged: Title = point.load()
            return plugged
    raise KeyError(name)
