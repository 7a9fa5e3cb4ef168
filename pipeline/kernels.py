"""Joins the files of `loops/` and a title's functions, compiled by Numba or uncompiled.

Compiled, the two become one generated module in the user's cache folder, named by a digest of all the
source that went into it: Numba keeps its machine code beside it, and a changed rule can never meet
stale code.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import os
import sys
import tempfile
import types
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numba

from pipeline.loops import play, replay
from pipeline.titles import contract, load, state
from pipeline.titles.contract import Title

RULES = ("reset", "apply", "is_over", "close", "standing", "observe_turn", "observe_event")
BOTS = ("nature", "decide", "candidates", "resolve", "hide")
REPLAYS = ("replay_games", "replay_states", "number_turns")
SIMULATIONS = ("simulate_games",)


@cache
def kernel(title: str, compiled: bool = True, bots: bool = False) -> Any:
    """The loops bound to a title: a namespace with `replay_games` and its companions.

    With `bots`, `simulate_games` instead. Raises KeyError for an unknown title.
    """
    found = load(title)
    if not (compiled and found.compiled):
        return _uncompiled(found, bots)
    return _compiled(found, bots)


def _parts(title: Title, bots: bool) -> tuple[ModuleType, tuple[str, ...], dict[str, Any]]:
    """The loop's module, its entry points, and the title's functions by name."""
    functions = {name: getattr(title.rules, name) for name in RULES}
    if not bots:
        return replay, REPLAYS, functions
    return play, SIMULATIONS, functions | {name: getattr(title.bots, name) for name in BOTS}


def _uncompiled(title: Title, bots: bool) -> SimpleNamespace:
    module, wanted, functions = _parts(title, bots)
    bound: dict[str, Any] = {**vars(module), **functions}
    for name, value in vars(module).items():
        if inspect.isfunction(value) and value.__module__ == module.__name__ and name not in functions:
            bound[name] = types.FunctionType(value.__code__, bound, name, value.__defaults__)
    return SimpleNamespace(**{name: bound[name] for name in wanted})


@cache
def rules_digest(title: str) -> str:
    """SHA-256 over the source of everything that decides a replay's outcome, boards aside."""
    found = load(title)
    folder = Path(inspect.getfile(importlib.import_module(found.module))).parent
    files = [folder / name for name in ("__init__.py", "codes.py", "options.py", "rules.py")]
    files += sorted(folder.glob("rules_*.py"))
    files += [Path(inspect.getfile(module)) for module in (replay, contract, state)]
    return _digest(files)


def _digest(files: list[Path], *more: str) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    for text in more:
        digest.update(text.encode() + b"\0")
    return digest.hexdigest()


def cache_folder() -> Path:
    """Where compiled loops lie: PLYBOOK_CACHE, else the user's cache folder, else a temporary one."""
    given = os.environ.get("PLYBOOK_CACHE")
    root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = Path(given) if given else root / "plybook"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except OSError:
        pass
    return Path(tempfile.mkdtemp(prefix="plybook-"))


def _compiled(title: Title, bots: bool) -> Any:
    """Write the generated module if it is not there yet, and import it."""
    folder = Path(inspect.getfile(importlib.import_module(title.module))).parent
    source = _source(title, bots)
    shared = [Path(inspect.getfile(module)) for module in (replay, contract, state)]
    # What a report measures does not enter the loops.
    files = [*sorted(set(folder.glob("*.py")) - {folder / "measures.py"}), *shared]
    digest = _digest(files, source, numba.__version__, sys.version)[:16]
    name = f"{title.name}_{'bots' if bots else 'rules'}_{digest}"
    file = cache_folder() / name / f"{name}.py"
    if not file.exists():
        file.parent.mkdir(exist_ok=True)
        written = file.with_suffix(f".{os.getpid()}")
        written.write_text(source, encoding="utf-8")
        written.replace(file)
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _source(title: Title, bots: bool) -> str:
    module, wanted, functions = _parts(title, bots)
    lines = [inspect.getsource(module), "", "import numba"]
    lines += [f"from {function.__module__} import {name}" for name, function in functions.items()]
    # Without it each division is checked for zero; the rules divide by numbers of players and columns.
    lines += [f"{name} = numba.njit(nogil=True, cache=True, error_model='numpy')({name})" for name in wanted]
    return "\n".join(lines) + "\n"
