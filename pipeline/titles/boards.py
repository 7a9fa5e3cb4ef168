"""Where boards and decks lie: TOML files in `data/boards/` and in folders that the user names."""

from __future__ import annotations

import hashlib
import os
import tomllib
from pathlib import Path
from typing import Any

from pipeline.resources import data_path
from pipeline.titles.contract import TitleError

BOARDS_VARIABLE = "PLYBOOK_BOARDS"
"""Folders with further boards, separated as in PATH; `--boards` adds to it."""


def board_folders() -> list[Path]:
    """The folders that are searched, the user's first."""
    own = [Path(folder) for folder in os.environ.get(BOARDS_VARIABLE, "").split(os.pathsep) if folder]
    return [*own, data_path("boards")]


def add_board_folder(folder: Path) -> None:
    """Search this folder first, here and in child processes. Raises TitleError when it is not there."""
    if not folder.is_dir():
        raise TitleError(f"there is no folder {folder} with boards")
    known = os.environ.get(BOARDS_VARIABLE, "")
    os.environ[BOARDS_VARIABLE] = os.pathsep.join(filter(None, (str(folder), known)))


def board_file(title: str, name: str) -> Path:
    """The file `NAME.toml` of a board. Raises TitleError when there is none."""
    plain = name.replace("-", "").replace("_", "").isalnum() and name.isascii() and len(name) <= 80
    for folder in board_folders() if plain else ():
        file = folder / f"{name}.toml"
        if file.is_file():
            return file
    raise TitleError(f"{title} has no board {name!r:.80}")


def read_board(title: str, name: str) -> dict[str, Any]:
    """A board's facts. Raises TitleError when the file is missing, broken, or of another title."""
    file = board_file(title, name)
    try:
        facts = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise TitleError(f"board file {file} cannot be read: {error}") from error
    if facts.get("title") != title or facts.get("id") != name:
        raise TitleError(f"board file {file} must have title = {title!r} and id = {name!r}")
    return facts


def board_digest(title: str, name: str) -> str:
    """SHA-256 of the board's file, for provenance."""
    return hashlib.sha256(board_file(title, name).read_bytes()).hexdigest()


def is_reconstructed(title: str, name: str) -> bool:
    """Whether any part of the board is a reconstruction, not the printed one."""
    return bool(read_board(title, name).get("reconstructed", False))
