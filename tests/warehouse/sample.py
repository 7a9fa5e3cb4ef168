"""The sample lake of the warehouse's tests and of the cookbook: simulated games, and some that are not right.

The same bytes each time: two titles, several cells, every reason for which a record is left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from pipeline.ingest import ingest
from pipeline.lake import Lake
from pipeline.replay import check_record
from pipeline.records import read_record
from pipeline.replay_lake import replay_lake
from tests.agreement import simulated

PLAYERS = ("anna", "bence", "Žofia", "李明")


@cache
def good_records() -> tuple[dict[str, Any], ...]:
    """Finished games: Kingdoms with 2 and 3 players, Chang Cheng with 2 in two variants."""
    found = [
        *simulated("kingdoms", 2, 20, 1, ("greedy", "random"), {}),
        *simulated("kingdoms", 3, 20, 2, ("greedy", "greedy", "random"), {}),
        *simulated("chang_cheng", 2, 5, 3, ("greedy",), {}),
    ]
    for i, record in enumerate(found):
        record["id"] = f"{record['title']}-{i}"
        record["source"] = "club"
        record["played_at"] = f"2026-01-{i % 28 + 1:02d}T18:00:00Z"
        seats = range(len(record["seats"]))
        record["seats"] = [{"player": PLAYERS[(seat + i) % len(PLAYERS)]} for seat in seats]
    return tuple(found)


def other_records() -> Iterator[tuple[str, dict[str, Any] | str]]:
    """Records that are in no cell, each with the reason."""
    games = [record for record in good_records() if record["title"] == "kingdoms"]

    def changed(i: int, **fields: Any) -> dict[str, Any]:
        return {**games[i], "id": f"odd-{i}", **fields}

    check = check_record(read_record(games[3]))
    yield "abandoned", changed(0, ended="abandoned", events=games[0]["events"][:30])
    yield "conceded", changed(
        1, ended="conceded", events=games[1]["events"][:20], result={"ranks": [2, 1]}
    )
    yield "timeout", changed(2, ended="timeout", events=games[2]["events"][:10])
    yield "faulty", changed(3, events=games[3]["events"][:-1], result={"scores": check.scores})
    yield "faulty", changed(4, events=[*games[4]["events"][:8], games[4]["events"][7], *games[4]["events"][9:]])
    yield "faulty", changed(5, result={"ranks": [1, 1]})
    yield "duplicate", games[6]
    yield "conflict", {**games[7], "ended": "abandoned"}
    yield "unreadable", {**changed(8), "title": "ludo"}
    yield "unreadable", '{"format": "game-record/1", '


def write_records(file: Path, records: list[dict[str, Any] | str]) -> None:
    lines = (each if isinstance(each, str) else json.dumps(each, ensure_ascii=False) for each in records)
    file.write_text("\n".join(lines) + "\n", "utf-8")


def build(folder: Path) -> Path:
    """Make the sample lake in a folder that is not there yet; the lake."""
    folder.mkdir(parents=True)
    good, odd = folder / "good.jsonl", folder / "odd.jsonl"
    write_records(good, list(good_records()))
    write_records(odd, [record for _, record in other_records()])
    lake = Lake(folder / "lake")
    ingest(lake, [good, odd])
    replay_lake(lake)
    return lake.folder
