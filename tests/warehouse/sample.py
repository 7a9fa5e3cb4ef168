"""The sample lake of the warehouse's tests and of the cookbook: simulated games, and some that are not right.

The same bytes each time: three titles, several cells, every reason for which a record is left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from pipeline.ingest import ingest
from pipeline.lake import Lake
from pipeline.records import read_record
from pipeline.replay import check_record
from pipeline.replay_lake import replay_lake
from tests.agreement import simulated

PLAYERS = ("anna", "bence", "Žofia", "李明")
CHINA_RESULTS = (
    ({"fortresses": True}, [31, 27, 40], [2, 3, 1]),
    ({"fortresses": True}, [22, 30, 30], [3, 1, 1]),
    ({"fortresses": False}, [18, 12, 9], [1, 2, 3]),
)


@cache
def kingdoms_records() -> tuple[dict[str, Any], ...]:
    """Finished games of Kingdoms, 25 with 2 players and 25 with 3."""
    found = [
        *simulated("kingdoms", 2, 25, 1, ("greedy", "random"), {}),
        *simulated("kingdoms", 3, 25, 2, ("greedy", "greedy", "random"), {}),
    ]
    for i, record in enumerate(found):
        record["id"] = f"evening-{i}"
        record["source"] = "club"
        record["played_at"] = f"2026-01-{i % 28 + 1:02d}T18:00:00Z"
        seats = range(len(record["seats"]))
        record["seats"] = [{"player": PLAYERS[(seat + i) % len(PLAYERS)]} for seat in seats]
    return tuple(found)


def results_only() -> Iterator[dict[str, Any]]:
    """Games of China of which only options and results are known."""
    for i, (options, scores, ranks) in enumerate(CHINA_RESULTS):
        yield {
            "format": "game-record/1",
            "title": "china",
            "id": f"result-{i}",
            "options": options,
            "seats": [{"player": name} for name in PLAYERS[:3]],
            "result": {"scores": scores, "ranks": ranks},
        }


def left_out() -> Iterator[tuple[str, dict[str, Any] | str]]:
    """Records that are in no cell, each with the reason."""
    games = kingdoms_records()

    def changed(i: int, **fields: Any) -> dict[str, Any]:
        return {**games[i], "id": f"odd-{i}", **fields}

    scores = check_record(read_record(games[3])).scores
    events = games[4]["events"]
    yield "abandoned", changed(0, ended="abandoned", events=games[0]["events"][:30])
    yield "conceded", changed(1, ended="conceded", events=games[1]["events"][:20], result={"ranks": [2, 1]})
    yield "timeout", changed(2, ended="timeout", events=games[2]["events"][:10])
    yield "faulty", changed(3, events=games[3]["events"][:-1], result={"scores": scores})
    yield "faulty", changed(4, events=[*events[:8], events[7], *events[9:]])
    yield "faulty", changed(5, result={"ranks": [1, 1]})
    yield "duplicate", games[6]
    yield "conflict", {**games[7], "ended": "abandoned"}
    yield "unreadable", {**changed(8), "title": "ludo"}
    yield "unreadable", '{"format": "game-record/1", '


def write_records(file: Path, records: list[dict[str, Any] | str]) -> Path:
    lines = (each if isinstance(each, str) else json.dumps(each, ensure_ascii=False) for each in records)
    file.write_text("\n".join(lines) + "\n", "utf-8")
    return file


def build(folder: Path) -> Path:
    """Make the sample lake in an empty folder; the lake."""
    files = [
        write_records(folder / "good.jsonl", list(kingdoms_records())),
        write_records(folder / "results.jsonl", list(results_only())),
        write_records(folder / "odd.jsonl", [record for _, record in left_out()]),
    ]
    lake = Lake(folder / "lake")
    ingest(lake, files)
    replay_lake(lake)
    return lake.folder
