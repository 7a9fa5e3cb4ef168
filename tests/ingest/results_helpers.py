"""Results tables read for a test, and what came of them in few words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pipeline.ingest.results import Results, read_results
from pipeline.ingest.results_mapping import Form
from pipeline.lake import Batch
from schemas import GAMES, MOVES, REJECTS, SEATS, check

PLAIN = "game,seat,player,score\nA,1,Zoë,10\nA,2,Łukasz,7\n"
HEAD = "game,seat,score\n"


def read(tmp_path: Path, content: str | bytes, name: str = "t.csv", title: str = "lanterns", **form: Any) -> Results:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    result = read_results(path, title, Form(**form))
    batch = result.batch
    for table, data in (
        (GAMES, batch.games),
        (SEATS, batch.seats),
        (MOVES, batch.moves),
        (REJECTS, batch.rejects),
    ):
        check(data, table)
    assert batch.records == batch.games.num_rows + batch.rejects.num_rows
    return result


def seats_of(batch: Batch) -> dict[str, list[tuple[Any, ...]]]:
    """Per game id, in order of seat: seat, player, source's seat, score, rank."""
    ids = dict(zip(batch.games["game_id"].to_pylist(), batch.games["id"].to_pylist(), strict=True))
    found: dict[str, list[tuple[Any, ...]]] = {id: [] for id in ids.values()}
    for row in batch.seats.sort_by("seat").to_pylist():
        found[ids[row["game_id"]]].append(
            (row["seat"], row["player"], row["source_seat"], row["stated_score"], row["stated_rank"])
        )
    return found


def results_of(batch: Batch) -> dict[str, list[tuple[int | None, int | None]]]:
    """Per game id the scores and ranks in order of seat."""
    return {id: [seat[3:] for seat in seats] for id, seats in seats_of(batch).items()}  # type: ignore[misc]


def faults(batch: Batch) -> list[tuple[int, str, str]]:
    return [(row["line"], row["fault"], row["message"]) for row in batch.rejects.to_pylist()]
