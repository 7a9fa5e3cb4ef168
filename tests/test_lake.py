"""The lake: all of a batch or nothing, and `records in = games + rejects`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.commands.simulate import chunks
from pipeline.ingest import ingest
from pipeline.ingest.chunk import moves_table
from pipeline.lake import Batch, Lake, LakeError
from pipeline.replay_lake import replay_lake
from pipeline.simulate import Plan
from schemas import GAMES, MOVES, REJECTS, SEATS, SchemaError, check


def batch_of(games: int, seed: int = 1) -> Batch:
    (chunk,) = chunks(Plan("kingdoms", 2, games, seed, ("random",), {}).checked())
    moves = moves_table(chunk).sort_by([("game_id", "ascending"), ("ply", "ascending")])
    return Batch("kingdoms", chunk.games, chunk.seats, moves, REJECTS.empty(), games)


def test_a_batch_that_loses_a_record_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    lake = Lake(tmp_path)
    with lake.lock(), pytest.raises(LakeError, match="5 records has 4 games and 0 rejects"):
        lake.commit(replace(batch_of(4), records=5))
    assert lake.batches() == []


def test_a_table_unlike_its_schema_is_refused(tmp_path: Path) -> None:
    batch = batch_of(2)
    wrong = batch.moves.set_column(3, "seat", pa.array([0] * batch.moves.num_rows, pa.int16()))
    lake = Lake(tmp_path)
    with lake.lock(), pytest.raises(SchemaError, match="column seat: type int16, wanted int8"):
        lake.commit(replace(batch, moves=wrong))
    assert lake.batches() == []


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        ({"seat": pa.array([None], pa.int8())}, "column seat: 1 nulls"),
        ({"extra": pa.array([1])}, "unknown extra"),
    ],
)
def test_check_names_what_is_wrong(columns: dict[str, pa.Array], says: str) -> None:
    table = batch_of(1).moves.slice(0, 1)
    for name, values in columns.items():
        at = table.schema.get_field_index(name)
        table = table.append_column(name, values) if at < 0 else table.set_column(at, name, values)
    with pytest.raises(SchemaError, match=says):
        check(table, MOVES)


def test_what_is_read_back_is_what_was_committed_sorted_by_game(tmp_path: Path) -> None:
    batch = batch_of(20)
    lake = Lake(tmp_path)
    with lake.lock():
        name = lake.commit(batch)
    folder = lake.batches_folder / name
    for table, data, key in (
        (GAMES, batch.games, ["game_id"]),
        (SEATS, batch.seats, ["game_id", "seat"]),
        (MOVES, batch.moves, ["game_id", "ply"]),
    ):
        found = pq.read_table(folder / f"{table.name}.parquet")
        check(found, table)
        assert found.equals(data.sort_by([(column, "ascending") for column in key]))
    assert name.startswith("kingdoms-")
    with lake.lock():
        assert lake.commit(batch) == name
    assert lake.batches() == [name]


WRITER = """
import sys
from pathlib import Path
from pipeline.ingest import ingest
from pipeline.lake import Lake
import pipeline.ingest as module
module.GAMES_A_BATCH = 50
print("ready", flush=True)
while True:
    report = ingest(Lake(Path(sys.argv[1])), [Path(sys.argv[2])])
    if report.skipped:
        break
print("done", flush=True)
"""


def test_a_killed_writer_leaves_whole_batches_and_is_taken_up_again(tmp_path: Path) -> None:
    """Kill -9 at several moments; then a new run must end with every game once."""
    file = tmp_path / "games.jsonl"
    subprocess.run(
        [sys.executable, "-m", "pipeline", "simulate", "kingdoms", "--games", "3000", "-o", str(file)],
        check=True, capture_output=True,
    )  # fmt: skip
    folder = tmp_path / "lake"
    for pause in (0.05, 0.3, 0.7):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(folder), str(file)], stdout=subprocess.PIPE)
        assert writer.stdout is not None
        writer.stdout.readline()
        time.sleep(pause)
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        for batch in Lake(folder).batches():
            manifest = Lake(folder).manifest(batch)
            games = pq.read_table(folder / "batches" / batch / "games.parquet")
            assert games.num_rows == manifest["games"]
    lake = Lake(folder)
    ingest(lake, [file])
    tables = [pq.read_table(lake.batches_folder / batch / "games.parquet") for batch in lake.batches()]
    ids = [number for table in tables for number in table["game_id"].to_pylist()]
    assert len(ids) == len(set(ids)) == 3000
    assert not (folder / ".writing").exists()
    rejects = [pq.read_table(lake.batches_folder / batch / "rejects.parquet") for batch in lake.batches()]
    assert sum(table.num_rows for table in rejects) == 0


def test_a_full_disk_commits_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pipeline.lake

    written: list[Path] = []
    real = pipeline.lake.write_parquet

    def full(table: pa.Table, file: Path) -> str:
        if len(written) == 2:
            raise OSError(28, "No space left on device")
        written.append(file)
        return real(table, file)

    monkeypatch.setattr(pipeline.lake, "write_parquet", full)
    lake = Lake(tmp_path)
    with lake.lock(), pytest.raises(LakeError, match="cannot be written: No space left"):
        lake.commit(batch_of(3))
    assert lake.batches() == []
    assert not (tmp_path / ".writing").exists()


def test_a_replay_is_made_once_per_engine_version(tmp_path: Path) -> None:
    lake = Lake(tmp_path)
    with lake.lock():
        name = lake.commit(batch_of(5))
    assert replay_lake(lake).games == 5
    assert replay_lake(lake).games == 0
    manifest = lake.replays_folder / name / "manifest.json"
    made = json.loads(manifest.read_text())
    manifest.write_text(json.dumps(made | {"engine": "older rules"}))
    assert replay_lake(lake).games == 5
    assert lake.replays() == [name]


def test_replayed_scores_are_the_stated_ones_and_score_events_sum_to_them(tmp_path: Path) -> None:
    lake = Lake(tmp_path)
    with lake.lock():
        name = lake.commit(batch_of(30))
    replay_lake(lake)
    seats = pq.read_table(lake.batches_folder / name / "seats.parquet")
    outcomes = pq.read_table(lake.replays_folder / name / "outcomes.parquet")
    assert outcomes["score"].to_pylist() == seats["stated_score"].to_pylist()
    assert outcomes["rank"].to_pylist() == seats["stated_rank"].to_pylist()
    events = pq.read_table(lake.replays_folder / name / "score_events.parquet")
    sums = {
        (row["game_id"], row["seat"]): row["points_sum"]
        for row in events.group_by(["game_id", "seat"]).aggregate([("points", "sum")]).to_pylist()
    }
    for row in outcomes.to_pylist():
        assert row["score"] == 50 + sums.get((row["game_id"], row["seat"]), 0)
    shares = outcomes.group_by("game_id").aggregate([("win60", "sum")])["win60_sum"].to_pylist()
    assert set(shares) == {60}


def test_a_lake_that_is_a_file_or_lies_below_one_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder, reason in ((tmp_path / "file", "it is a file, not a folder"), (tmp_path / "file" / "x", "Not a dir")):
        with pytest.raises(LakeError, match=f"the lake {folder} cannot be written: {reason}"), Lake(folder).lock():
            pass


def test_a_lake_that_may_not_be_written_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*words: object, **named: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refused)
    with pytest.raises(LakeError, match="cannot be written: Permission denied"), Lake(tmp_path).lock():
        pass


@pytest.mark.parametrize("file", ["games", "seats", "moves"])
def test_damaged_and_missing_files_are_named_when_something_fails(tmp_path: Path, file: str) -> None:
    lake = Lake(tmp_path)
    with lake.lock():
        name = lake.commit(batch_of(3))
    assert lake.damage() is None
    with pytest.raises(ZeroDivisionError), lake.blamed():
        _ = 1 // 0
    broken = lake.batches_folder / name / f"{file}.parquet"
    broken.write_bytes(broken.read_bytes()[:100])
    with pytest.raises(LakeError, match=f"{broken} is damaged: it is not what was committed"):
        replay_lake(lake)
    broken.unlink()
    with pytest.raises(LakeError, match=f"{broken} is missing"):
        replay_lake(lake)
