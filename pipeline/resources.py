"""Where shipped files lie: beside the packages in a checkout, inside `pipeline` in an installed wheel."""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).resolve().parent


def _find(folder: str) -> Path:
    inside = _HERE / folder
    return inside if inside.is_dir() else _HERE.parent / folder


def data_path(*parts: str) -> Path:
    """A file or folder of shipped data."""
    return _find("data").joinpath(*parts)


def sql_path(*parts: str) -> Path:
    """A file or folder of shipped SQL."""
    return _find("sql").joinpath(*parts)
