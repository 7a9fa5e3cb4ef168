"""Makes a report again and compares: the same input must give the same bytes."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reports.write import PDF, ReportError, write


def verify(out: Path, lake: Path | None, threads: int) -> list[str]:
    """See `reports.verify`."""
    from pipeline.analysis import build_report, compare

    facts = _provenance(out)
    options = facts["options"]
    if lake is None:
        raise ReportError(f"to make {out} again, name its lake")
    if "lakes" in options:
        raise ReportError(f"{out} compares two lakes; make it again with `report --compare`")
    arguments = {"title": options["title"], "delta": options["delta"], "seed": options["seed"], "threads": threads}
    if "compare" in options:
        report = compare(lake, *options["compare"], **arguments)
    else:
        report = build_report(lake, where=options["where"], **arguments)
    with tempfile.TemporaryDirectory() as folder:
        write(report, Path(folder), _formats(out))
        found = _differences(out, Path(folder))
    return [*_reasons(facts, report.provenance), *found] if found else []


def _provenance(out: Path) -> Mapping[str, Any]:
    try:
        facts: Mapping[str, Any] = json.loads((out / "report.json").read_text("utf-8"))["provenance"]
        return facts
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ReportError(f"{out} has no report.json that tells how it was made") from error


def _formats(out: Path) -> list[str]:
    """The formats that the folder has."""
    kinds = ["json"]
    kinds += ["html"] * any(out.rglob("index.html")) + ["pdf"] * any(out.rglob(PDF))
    return kinds + [kind for kind in ("png", "svg", "csv", "parquet") if any(out.rglob(f"figures/*.{kind}"))]


def _differences(mine: Path, again: Path) -> list[str]:
    """Files that are not the same in both folders."""
    made = {file.relative_to(again) for file in again.rglob("*") if file.is_file()}
    found = []
    for name in sorted(made):
        old = mine / name
        if not old.is_file():
            found.append(f"{name} is missing")
        elif old.read_bytes() != (again / name).read_bytes():
            found.append(f"{name} is not what the lake gives")
    extra = {f.relative_to(mine) for f in mine.rglob("*") if f.is_file() and f.parent.name in ("figures", "tables")}
    return found + [f"{name} is not part of the report" for name in sorted(extra - made)]


def _reasons(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """What of the provenance differs, which may be why."""
    found = [
        f"made with {name.replace('_', ' ')} {old.get(name)}, this is {new[name]}"
        for name in ("plybook", "schema_version", "sql_digest")
        if old.get(name) != new[name]
    ]
    packages: Mapping[str, Any] = old.get("packages", {})
    found += [
        f"made with {name} {packages.get(name)}, this is {version}"
        for name, version in new["packages"].items()
        if packages.get(name) != version
    ]
    before = {entry["title"]: entry for entry in old.get("titles", [])}
    for entry in new["titles"]:
        for name in ("data_digest", "rules_digest", "boards", "engines"):
            if before.get(entry["title"], {}).get(name) != entry[name]:
                found.append(f"{entry['title']}: the lake has another {name.replace('_', ' ')}")
    return found
