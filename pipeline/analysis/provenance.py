"""Where a report comes from: versions, digests, seed and options, so that it can be made again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from pipeline import titles
from pipeline.kernels import rules_digest
from pipeline.lake import Lake
from pipeline.resources import sql_path
from pipeline.titles.boards import board_digest, is_reconstructed
from pipeline.titles.contract import TitleError
from schemas import VERSION

PACKAGES = ("duckdb", "matplotlib", "numba", "numpy", "openskill", "polars", "pyarrow", "scipy")


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def sql_digest() -> str:
    """Digest of all files of `sql/`."""
    digest = hashlib.sha256()
    root = sql_path()
    for file in sorted(root.rglob("*.sql")):
        digest.update(f"{file.relative_to(root).as_posix()}\n".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()


def data_facts(lake: Lake, title: str) -> dict[str, Any]:
    """The batches of a title: their digest, their inputs, and the engines that replayed them."""
    digest = hashlib.sha256()
    inputs: set[tuple[str, str]] = set()
    engines, records = set(), 0
    for batch in lake.batches():
        manifest = lake.manifest(batch)
        if manifest["title"] != title:
            continue
        digest.update(json.dumps([batch, manifest["files"]], sort_keys=True).encode())
        records += int(manifest["records"])
        for entry in manifest.get("inputs", []):
            inputs.add((str(entry.get("file", entry.get("name", ""))), str(entry.get("digest", ""))))
        replayed = lake.replay_manifest(batch)
        engines.add(str((replayed or {}).get("engine", "not replayed")))
    return {
        "data_digest": digest.hexdigest(),
        "records": records,
        "inputs": [{"file": file, "digest": mark} for file, mark in sorted(inputs)],
        "engines": sorted(engines),
    }


def board_facts(title: str, boards: Sequence[str]) -> list[dict[str, Any]]:
    """Digest of each board, and whether it is reconstructed; null where its file is not here."""
    found = []
    for board in sorted(set(boards) - {""}):
        try:
            facts = {"digest": board_digest(title, board), "reconstructed": is_reconstructed(title, board)}
        except TitleError:
            facts = {"digest": None, "reconstructed": None}
        found.append({"board": board, **facts})
    return found


def title_facts(lake: Lake, title: str, boards: Sequence[str]) -> dict[str, Any]:
    """Everything that a title's figures rest on."""
    known = title in titles.names()
    return {
        "title": title,
        "rules_digest": rules_digest(title) if known else None,
        "boards": board_facts(title, boards),
        **data_facts(lake, title),
    }


def provenance(titles_facts: Sequence[Mapping[str, Any]], options: Mapping[str, Any]) -> dict[str, Any]:
    """The whole: no date and no place, since the same input must give the same bytes."""
    return {
        "plybook": _version("plybook"),
        "schema_version": VERSION,
        "sql_digest": sql_digest(),
        "packages": {name: _version(name) for name in PACKAGES},
        "options": dict(options),
        "titles": list(titles_facts),
    }
