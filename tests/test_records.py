"""Text -> Arrow -> text, the fast and the slow way of reading, and canonical tables."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline import titles
from pipeline.commands.export import export
from pipeline.commands.simulate import chunks, simulate
from pipeline.ingest import ingest, jsonl, plain
from pipeline.ingest.chunk import Chunk
from pipeline.ingest.jsonl import read_jsonl
from pipeline.lake import Lake
from pipeline.records import decode_event, parse_json, read_record
from pipeline.simulate import Plan
from pipeline.writing import record_lines
from tests.agreement import simulated
from tests.bad_inputs import whole_game
from tests.mutate import mutate

TITLES = titles.TITLES


def plan(title: str, games: int = 20) -> Plan:
    players = titles.load(title).seats[-1]
    return Plan(title, players, games, 3, ("random",), {}).checked()


def read_all(path: Path) -> tuple[list[Chunk], list[Any]]:
    found: list[Chunk] = []
    rejects: list[Any] = []
    for parts, bad, _ in read_jsonl(path, path.name, "club"):
        found += parts
        rejects += bad
    return found, rejects


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("ending", [".jsonl", ".jsonl.gz", ".jsonl.zst"])
def test_text_to_arrow_to_text_is_the_identity(tmp_path: Path, title: str, ending: str) -> None:
    file, back = tmp_path / f"a{ending}", tmp_path / f"b{ending}"
    assert simulate(plan(title), file, 1) == 0
    lake = tmp_path / "lake"
    assert ingest(Lake(lake), [file]).games == 20
    assert export(lake, None, back) == 0
    first, second = (set(lines_of(path)) for path in (file, back))
    assert len(first) == 20
    assert first == second


def lines_of(path: Path) -> list[bytes]:
    from pipeline.ingest.lines import read_blocks

    return [line for block in read_blocks(path) for _, line in block.lines()]


@pytest.mark.parametrize("title", TITLES)
def test_tables_and_text_make_the_same_lake(tmp_path: Path, title: str) -> None:
    text, tables = tmp_path / "a.jsonl", tmp_path / "tables"
    simulate(plan(title), text, 1)
    simulate(plan(title), tables, 1)
    lakes = Lake(tmp_path / "text-lake"), Lake(tmp_path / "table-lake")
    for lake, path in zip(lakes, (text, tables), strict=True):
        assert ingest(lake, [path]).games == 20
    for name in ("seats", "moves"):
        one, other = (pq.read_table(lake.batches_folder / lake.batches()[0] / f"{name}.parquet") for lake in lakes)
        assert one.equals(other)
    digests = [
        pq.read_table(lake.batches_folder / lake.batches()[0] / "games.parquet")["digest"].to_pylist() for lake in lakes
    ]
    assert digests[0] == digests[1]
    assert ingest(lakes[0], [tables]).duplicates == 20


@pytest.mark.parametrize("title", TITLES)
def test_the_fast_and_the_slow_way_give_the_same_codes(
    tmp_path: Path, title: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the fast way takes, the slow way reads in the same way, and both reject the same."""
    rng = random.Random(5)
    found = titles.load(title)
    book = found.book(found.board_id(plan(title).options))
    lines = []
    for number, record in enumerate(simulated(title, found.seats[0], 30, 2, ("random",), {})):
        changed = mutate(record, book, rng) if number % 3 else record
        changed.pop("_change", None)
        lines.append(json.dumps(changed | {"id": str(number)}))
    file = tmp_path / "mixed.jsonl"
    file.write_text("\n".join(lines))
    fast, fast_rejects = read_all(file)
    monkeypatch.setattr(plain, "_take", lambda *given: False)
    slow, slow_rejects = read_all(file)
    assert [row.message for row in fast_rejects] == [row.message for row in slow_rejects]

    def rows(chunks: list[Chunk]) -> dict[int, tuple[Any, ...]]:
        return {
            chunk.games["game_id"][i].as_py(): (
                chunk.games["digest"][i].as_py(),
                chunk.codes[:, chunk.offsets[i] : chunk.offsets[i + 1]].tolist(),
            )
            for chunk in chunks
            for i in range(chunk.games.num_rows)
        }

    assert len(rows(fast)) >= 10
    assert rows(fast) == rows(slow)


@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")])
def test_most_plain_records_go_the_fast_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, separators: tuple[str, str]
) -> None:
    file = tmp_path / "a.jsonl"
    simulate(plan("kingdoms"), file, 1)
    lines = [json.dumps(json.loads(line), separators=separators) for line in lines_of(file)]
    file.write_text("\n".join(lines))
    monkeypatch.setattr(jsonl, "read_record", None)
    assert sum(chunk.games.num_rows for chunk in read_all(file)[0]) == 20


@given(st.binary(max_size=200))
@settings(max_examples=300, deadline=None)
def test_no_bytes_crash_the_reader(tmp_path_factory: pytest.TempPathFactory, noise: bytes) -> None:
    file = tmp_path_factory.mktemp("noise") / "a.jsonl"
    record = json.dumps(whole_game()).encode()
    middle = len(record) // 2
    file.write_bytes(record[:middle] + noise + record[middle:] + b"\n" + noise + b"\n" + record)
    found, rejects = read_all(file) if noise[:4] != b"PAR1" else ([], [1])
    assert sum(chunk.games.num_rows for chunk in found) + len(rejects) >= 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


@given(field=st.sampled_from([*whole_game(), "result", "played_at", "_note"]), value=JSON)
@settings(max_examples=400, deadline=None)
def test_no_value_of_a_header_field_crashes_the_check(field: str, value: Any) -> None:
    from pipeline.commands.check import check_line

    line = json.dumps(whole_game() | {field: value}).encode()
    _, result = check_line(line, "club")
    assert result.ok or (result.message and "\n" not in result.message)


@given(at=st.integers(0, 4), field=st.sampled_from(["seat", "action", "item", "place", "target", "amount"]), value=JSON)
@settings(max_examples=400, deadline=None)
def test_no_value_of_an_event_field_crashes_the_check(at: int, field: str, value: Any) -> None:
    from pipeline.commands.check import check_line

    record = whole_game()
    record["events"][at][field] = value
    _, result = check_line(json.dumps(record).encode(), "club")
    assert result.ok or (result.message and "\n" not in result.message)


def test_a_time_keeps_its_moment_and_is_written_in_utc() -> None:
    record = read_record(whole_game() | {"played_at": "2026-03-14T19:02:00.5+01:00"})
    assert record.played_at is not None
    assert record.played_at.isoformat() == "2026-03-14T18:02:00.500000+00:00"


def test_events_decode_to_what_was_encoded() -> None:
    record = read_record(whole_game())
    book = titles.load("kingdoms").book(record.board)
    assert [decode_event(codes, book) for codes in record.codes] == whole_game()["events"]


def test_written_records_read_back() -> None:
    for chunk in chunks(plan("kingdoms")):
        for i, line in enumerate(record_lines(chunk)):
            record = read_record(parse_json(line))
            begin, end = chunk.offsets[i], chunk.offsets[i + 1]
            assert np.array_equal(np.array(record.codes).T, chunk.codes[:, begin:end])
