"""Where commands read and write: a lake that is there, files outside it that appear whole or not at all.

Light to import: no Arrow, no NumPy.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


class OutputError(ValueError):
    """A lake that is not there, or a file that cannot be written; one sentence."""


def existing_lake(folder: Path) -> Path:
    """The same folder; an empty one is a lake without games. Raises OutputError when it is not there."""
    if not folder.is_dir():
        reason = f"{folder} is a file, not a lake" if folder.exists() else f"there is no lake {folder}"
        raise OutputError(f"{reason}; --lake names the folder of a lake")
    return folder


def outside_lakes(out: Path, lake: Path | None = None) -> Path:
    """The same path. Raises OutputError when it lies in `lake`, or in whatever else is a lake."""
    place = out.absolute().resolve()
    mine = None if lake is None else lake.absolute().resolve()
    for folder in (place, *place.parents):
        if folder == mine or _is_lake(folder):
            raise OutputError(f"{out} lies in the lake, which is only read")
    return out


def _is_lake(folder: Path) -> bool:
    """Whether a batch has been committed here."""
    try:
        return any((folder / "batches").glob("*/manifest.json"))
    except OSError:
        return False


@contextmanager
def whole_file(out: Path) -> Iterator[Path]:
    """The file to write instead of `out`: it takes its name, and an older file's place, when all is in it.

    It has the ending of `out`. What is no plain file, such as a pipe, is written as it is.
    Raises OutputError when it cannot be written.
    """
    if out.is_dir():
        raise OutputError(f"{out} is a folder, not a file")
    place = out.resolve()
    aside = out if out.exists() and not out.is_file() else place.with_name(f".{os.getpid()}.{place.name}")
    with written(out):
        try:
            yield aside
            if aside != out:
                aside.replace(place)
        finally:
            if aside != out:
                with suppress(NotADirectoryError):  # below a file there is nothing
                    aside.unlink(missing_ok=True)


@contextmanager
def written(out: Path) -> Iterator[None]:
    """Where the system does not allow what is done within to write `out`, it is an OutputError."""
    try:
        yield
    except BrokenPipeError:
        raise  # the reader has enough
    except FileExistsError as error:
        raise OutputError(f"{out} cannot be written: a file stands where a folder is wanted") from error
    except OSError as error:
        raise OutputError(f"{out} cannot be written: {error.strerror or error}") from error
