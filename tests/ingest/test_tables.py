"""Canonical tables as other programs write them, with other types for the same values, and damaged ones."""

from __future__ import annotations

import json
import resource
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

from pipeline.commands.check import check, checked
from pipeline.commands.find import NotFound, record_in_file
from pipeline.commands.simulate import simulate
from pipeline.ingest import Ingested, ingest
from pipeline.ingest.table_rows import Rows, _fitted
from pipeline.lake import Lake
from pipeline.records import RecordFault
from pipeline.simulate import Plan
from schemas import GAMES, MOVES, SEATS, Table
from tests.bad_inputs import whole_game

TABLES = (GAMES, SEATS, MOVES)
Change = Callable[[pa.Table], pa.Table]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tables") / "T"
    assert simulate(Plan("kingdoms", 3, 20, 3, ("random",), {}).checked(), path, 1) == 0
    return path


def rewritten(folder: Path, target: Path, write: Callable[[Path, Path], None]) -> Path:
    target.mkdir()
    for table in TABLES:
        write(folder / f"{table.name}.parquet", target / f"{table.name}.parquet")
    return target


def changed(folder: Path, target: Path, table: Table, change: Change) -> Path:
    """The folder with one table changed."""
    rewritten(folder, target, lambda old, new: pq.write_table(pq.read_table(old), new))
    file = target / f"{table.name}.parquet"
    pq.write_table(change(pq.read_table(file)), file)
    return target


def with_column(name: str, values: pa.Array | pa.ChunkedArray) -> Change:
    return lambda table: table.set_column(table.column_names.index(name), name, values)


def with_value(name: str, row: int, value: object) -> Change:
    """One cell changed."""

    def change(table: pa.Table) -> pa.Table:
        values = table[name].to_pylist()
        values[row] = value
        return with_column(name, pa.array(values, table[name].type))(table)

    return change


def recast(**types: pa.DataType) -> Change:
    def change(table: pa.Table) -> pa.Table:
        for name, kind in types.items():
            table = with_column(name, table[name].cast(kind))(table)
        return table

    return change


def read(folder: Path, tmp_path: Path) -> Ingested:
    return ingest(Lake(tmp_path / "lake"), [folder])


def duckdb_copy(old: Path, new: Path) -> None:
    duckdb.connect().execute(f"COPY (FROM '{old}') TO '{new}' (FORMAT parquet)")


def polars_copy(old: Path, new: Path) -> None:
    pl.read_parquet(old).write_parquet(new)


def nullable_copy(old: Path, new: Path) -> None:
    table = pq.read_table(old)
    pq.write_table(pa.table({name: table[name] for name in table.column_names}), new)


def wide_copy(old: Path, new: Path) -> None:
    """Numbers of 64 bits, texts as dictionaries, times in milliseconds; all with notes for pandas."""
    table = pq.read_table(old)
    columns = {}
    for name in table.column_names:
        values, kind = table[name], table[name].type
        if pa.types.is_string(kind):
            values = values.cast(pa.large_string()).combine_chunks().dictionary_encode()
        elif pa.types.is_timestamp(kind):
            values = values.cast(pa.timestamp("ms", "Europe/Budapest"))
        elif pa.types.is_integer(kind):
            values = values.cast(pa.int64())
        columns[name] = values
    pq.write_table(pa.table(columns).replace_schema_metadata({"pandas": "{}"}), new)


@pytest.mark.parametrize("copy", [duckdb_copy, polars_copy, nullable_copy, wide_copy], ids=lambda copy: copy.__name__)
def test_tables_that_other_programs_wrote_make_the_same_lake(
    folder: Path, tmp_path: Path, copy: Callable[[Path, Path], None]
) -> None:
    lakes = Lake(tmp_path / "one"), Lake(tmp_path / "other")
    for lake, source in zip(lakes, (folder, rewritten(folder, tmp_path / "T", copy)), strict=True):
        report = ingest(lake, [source])
        assert (report.games, report.rejects, report.unreadable) == (20, 0, [])
    for table in TABLES:
        one, other = (
            pq.read_table(lake.batches_folder / lake.batches()[0] / f"{table.name}.parquet") for lake in lakes
        )
        assert one.equals(other)


def test_arrow_files_with_views_and_large_texts(folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "T"
    target.mkdir()
    for table in TABLES:
        frame = pl.read_parquet(folder / f"{table.name}.parquet")
        frame.write_ipc(target / f"{table.name}.arrow", compat_level=pl.CompatLevel.newest())
    report = read(target, tmp_path)
    assert (report.games, report.unreadable) == (20, [])


def test_columns_that_fit_are_not_copied(folder: Path) -> None:
    for table in TABLES:
        (piece,) = pq.read_table(folder / f"{table.name}.parquet").combine_chunks().to_batches()
        fitted = _fitted(piece, table)
        assert fitted.schema.equals(table.schema)
        for mine, given in zip(fitted.columns, piece.columns, strict=True):
            where = [[None if part is None else part.address for part in parts.buffers()] for parts in (mine, given)]
            assert where[0] == where[1]


@pytest.mark.parametrize(
    ("table", "change", "says"),
    [
        (GAMES, with_column("players", pa.array([300] * 20)), "column players: Integer value 300 not in range"),
        (GAMES, recast(plies=pa.float64()), "column plies: type double, wanted int32"),
        (GAMES, with_column("played_at", pa.array([datetime(2026, 1, 1)] * 20)),
         "column played_at: type timestamp[us], wanted timestamp[us, tz=UTC]"),
        (GAMES, with_column("played_at", pa.array([1] * 20, pa.timestamp("ns", "UTC"))), "would lose data"),
        (GAMES, with_column("title", pa.array([b"kingdoms"] * 20)), "column title: type binary, wanted string"),
        (GAMES, with_column("title", pa.array([None] * 20)), "column title: 20 nulls, none allowed"),
        (SEATS, with_value("kind", 3, None), "column kind: 1 nulls, none allowed"),
        (MOVES, recast(action=pa.string()), "column action: type string, wanted int8"),
        (MOVES, lambda table: table.drop_columns("turn"), "table moves: missing turn"),
    ],
)  # fmt: skip
def test_what_would_lose_values_is_refused_in_one_sentence(
    folder: Path, tmp_path: Path, table: Table, change: Change, says: str
) -> None:
    report = read(changed(folder, tmp_path / "T", table, change), tmp_path)
    assert report.games == 0
    (sentence,) = report.unreadable
    assert f"{table.name}.parquet: table {table.name}" in sentence
    assert says in sentence


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_a_wrong_number_of_plies_takes_no_memory(folder: Path, tmp_path: Path, ending: str) -> None:
    target = changed(folder, tmp_path / "T", GAMES, with_value("plies", 4, 2**31 - 1))
    if ending == "arrow":
        for table in TABLES:
            file = target / f"{table.name}.parquet"
            pyarrow.feather.write_feather(pq.read_table(file), str(file.with_suffix(".arrow")))
            file.unlink()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    report = read(target, tmp_path)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 500_000
    (sentence,) = report.unreadable
    assert f"moves.{ending}: its rows are not those of the games table" in sentence


def test_rows_are_counted_as_they_are_taken(folder: Path) -> None:
    rows = Rows(folder / "games.parquet", GAMES)
    assert (rows.has(20), rows.has(21)) == (True, False)
    assert rows.take(5).num_rows == 5
    assert (rows.has(15), rows.has(16)) == (True, False)


def test_an_empty_file_among_the_tables_is_one_sentence(folder: Path, tmp_path: Path) -> None:
    for table in TABLES:
        target = changed(folder, tmp_path / table.name, table, lambda table: table)
        (target / f"{table.name}.parquet").write_bytes(b"")
        (sentence,) = read(target, tmp_path).unreadable
        assert f"{table.name}.parquet cannot be read" in sentence


def test_a_text_that_is_not_utf_8_is_one_sentence(folder: Path, tmp_path: Path) -> None:
    texts = pa.array([b"\xff"] * 20).view(pa.string())
    (sentence,) = read(changed(folder, tmp_path / "T", GAMES, with_column("id", texts)), tmp_path).unreadable
    assert "games.parquet cannot be read: In column 3: Invalid: Invalid UTF8" in sentence


def rejected(folder: Path, tmp_path: Path) -> tuple[str, str, int | None]:
    """Fault, sentence and ply of the one reject among 20 records."""
    lake = Lake(tmp_path / "lake")
    report = ingest(lake, [folder])
    assert (report.records, report.games, report.unreadable) == (20, 19, [])
    (row,) = (
        row
        for batch in lake.batches()
        for row in pq.read_table(lake.batches_folder / batch / "rejects.parquet").to_pylist()
    )
    return row["fault"], row["message"], row["ply"]


@pytest.mark.parametrize("ticks", [-(10**17), 10**18])
def test_a_time_that_no_record_can_state_rejects_its_game(folder: Path, tmp_path: Path, ticks: int) -> None:
    moments = pa.array([ticks] + [0] * 19, pa.int64()).cast(pa.timestamp("us", "UTC"))
    fault, message, _ = rejected(changed(folder, tmp_path / "T", GAMES, with_column("played_at", moments)), tmp_path)
    assert (fault, "outside the years 1 to 9999" in message) == ("played_at", True)


def test_the_first_and_the_last_moment_are_kept(folder: Path, tmp_path: Path) -> None:
    ends = [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)]
    moments = pa.array(ends * 10, pa.timestamp("us", "UTC"))
    lake = Lake(tmp_path / "lake")
    assert ingest(lake, [changed(folder, tmp_path / "T", GAMES, with_column("played_at", moments))]).games == 20
    kept = pq.read_table(lake.batches_folder / lake.batches()[0] / "games.parquet")["played_at"].to_pylist()
    assert set(kept) == set(ends)


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("action", 100, "action 100 is unknown; the actions of kingdoms are 0 to 4"),
        ("seat", 5, "there is no seat 5 among 3"),
        ("seat", -1, "castle needs a seat"),
        ("item", 500, "castle knows no item 500"),
        ("item", 4, 'castle knows no item "+5" (code 4)'),
        ("item", None, "castle needs the field item"),
        ("place", -7, "place -7 is out of range"),
        ("target", 2, "castle takes no target, here it is 2"),
        ("amount", 3, "castle takes no amount, here it is 3"),
    ],
)
def test_an_event_that_the_title_does_not_know_is_told_with_field_and_value(
    folder: Path, tmp_path: Path, field: str, value: int | None, says: str
) -> None:
    moves = pq.read_table(folder / "moves.parquet")
    row = moves["action"].to_pylist().index(1)
    fault, message, ply = rejected(changed(folder, tmp_path / "T", MOVES, with_value(field, row, value)), tmp_path)
    assert (fault, ply) == ("unknown_code", moves["ply"][row].as_py())
    assert message.endswith(f"ply {ply}: {says}")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"a":', "options are '{\"a\":': not JSON: expecting value at character 6"),
        ("[1]", "options are '[1]', wanted a JSON object"),
        ('{"a":1,"a":2}', '"a" stands twice'),
        ('{"a":1}', "no option 'a'"),
    ],
)
def test_options_that_are_none_are_told_as_options(folder: Path, tmp_path: Path, text: str, says: str) -> None:
    fault, message, _ = rejected(changed(folder, tmp_path / "T", GAMES, with_value("options", 0, text)), tmp_path)
    assert fault == "options"
    assert says in message


def test_a_folder_of_tables_is_checked_as_a_file_of_records_is(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    assert simulate(Plan("kingdoms", 3, 20, 3, ("random",), {}).checked(), file, 1) == 0
    assert list(checked(folder)) == list(checked(file))
    assert [line for line, _, _ in checked(folder)] == list(range(1, 21))


def test_checking_a_folder_of_tables_says_row_and_reason(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = pq.read_table(folder / "moves.parquet")["action"].to_pylist().index(1)
    target = changed(folder, tmp_path / "T", MOVES, with_value("item", row, 500))
    assert check([target], False) == 1
    told = capsys.readouterr()
    assert told.out.splitlines()[0] == (
        "T, row 1, game kingdoms-3p-random-s3-00000000, ply 3: castle knows no item 500"
    )
    assert "T, row 2, game kingdoms-3p-random-s3-00000001: right, scores" in told.out
    assert told.err == "19 records right, 1 wrong\n"
    (tmp_path / "other").mkdir()
    assert check([tmp_path / "other"], False) == 2
    assert "a folder without a games.parquet" in capsys.readouterr().err


def test_a_game_is_found_in_a_folder_of_tables(folder: Path, tmp_path: Path) -> None:
    third = record_in_file(folder, "#3")
    assert third.id == "kingdoms-3p-random-s3-00000002"
    assert record_in_file(folder, third.id) == third
    assert record_in_file(folder, None).id == "kingdoms-3p-random-s3-00000000"
    with pytest.raises(NotFound, match="has no game 'nobody'"):
        record_in_file(folder, "nobody")
    target = changed(folder, tmp_path / "T", GAMES, with_value("ended", 1, "won"))
    with pytest.raises(RecordFault, match="row 2, game kingdoms-3p-random-s3-00000001: ended is 'won'"):
        record_in_file(target, "#2")


def test_an_unfinished_game_and_one_of_results_are_checked_in_tables(folder: Path, tmp_path: Path) -> None:
    lines = [whole_game(), whole_game() | {"id": "g2", "result": {"scores": [3, 4]}}]
    del lines[1]["events"]
    file, lake = tmp_path / "a.jsonl", Lake(tmp_path / "lake")
    file.write_text("\n".join(map(json.dumps, lines)))
    assert ingest(lake, [file]).games == 2
    found = {name: (result.ok, result.scores) for _, name, result in checked(lake.batches_folder / lake.batches()[0])}
    assert found == {name: (result.ok, result.scores) for _, name, result in checked(file)}
