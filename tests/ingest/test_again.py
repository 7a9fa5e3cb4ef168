"""The same file a second time, read in the same way or in another: what was wrong can be put right."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from pipeline.commands.lake import ingest_files
from pipeline.commands.results import ingest_results
from pipeline.lake import Lake
from tests.bad_inputs import whole_game

GOLF = "Game,Seat,Points,V,Date\n1,1,5,a,2026-03-01\n1,2,3,a,2026-03-01\n2,1,4,b,2026-03-02\n2,2,5,b,2026-03-02\n"


def taken(lake: Path) -> list[tuple[str, str, str]]:
    """Title, source and id of all games."""
    tables = [pq.read_table(Lake(lake).batches_folder / name / "games.parquet") for name in Lake(lake).batches()]
    return sorted((row["title"], row["source"], row["id"]) for table in tables for row in table.to_pylist())


class Golf:
    """A results file, a lake, and what a reading says."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.file, self.lake, self.capsys = folder / "golf.csv", folder / "lake", capsys
        self.file.write_text(GOLF)

    def read(self, *columns: str, title: str = "golf", **changes: Any) -> tuple[int, list[str]]:
        """Exit code and the sentences behind the notes on columns."""
        self.capsys.readouterr()
        code = ingest_results([self.file], self.lake, title, None, [*columns], [], changes)
        told = self.capsys.readouterr().err.splitlines()
        notes = ("golf.csv: columns", "golf.csv: guessed", "golf.csv: seats", "golf.csv: the column for")
        return code, [line for line in told if not line.startswith(notes)]


@pytest.fixture
def golf(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Golf:
    return Golf(tmp_path, capsys)


ALREADY = "golf.csv is in the lake already"


def test_the_same_reading_is_passed_over_with_what_to_do(golf: Golf) -> None:
    assert golf.read()[0] == 0
    code, told = golf.read()
    assert code == 0
    assert told == [f"{ALREADY}; passed over; to read it anew, use a new lake", "0 records = 0 games + 0 rejects"]


def test_another_title_is_another_reading(golf: Golf) -> None:
    golf.read()
    assert golf.read(title="golf2") == (0, ["2 records = 2 games + 0 rejects"])
    assert [title for title, _, _ in taken(golf.lake)] == ["golf", "golf", "golf2", "golf2"]


def test_other_winners_are_conflicts_that_say_what_to_do(golf: Golf) -> None:
    golf.read()
    code, told = golf.read(lowest_wins=True)
    assert code == 2
    assert told[0] == (
        "golf.csv, line 2, game 1: the same id as in golf.csv, line 2, but other content: conflict; "
        "the first one stays, to correct it use a new lake"
    )
    assert len(taken(golf.lake)) == 2


@pytest.mark.parametrize(("columns", "changes"), [((), {"source": "club"}), (("game=V",), {}), (("source=Date",), {})])
def test_the_same_rows_under_other_names_do_not_count_twice(
    golf: Golf, columns: tuple[str, ...], changes: dict[str, Any]
) -> None:
    golf.read()
    before = taken(golf.lake)
    code, told = golf.read(*columns, **changes)
    assert code == 2
    assert told[0].startswith(f"{ALREADY}, its games named by other columns or another source; to read it anew")
    assert taken(golf.lake) == before


def test_the_default_source_may_be_stated(golf: Golf) -> None:
    golf.read()
    assert golf.read(source="golf")[1][0].endswith("passed over; to read it anew, use a new lake")


def test_a_reading_that_failed_can_be_mended_in_the_same_lake(golf: Golf) -> None:
    code, told = golf.read("played_at=Date")
    assert code == 2
    assert "has no time zone; state --timezone" in told[0]
    assert golf.read("played_at=Date", timezone="Europe/Budapest")[0] == 0
    assert len(taken(golf.lake)) == 2


def test_a_file_of_another_encoding_can_be_mended_in_the_same_lake(golf: Golf) -> None:
    golf.file.write_bytes(GOLF.replace("V", "Főnév").encode("windows-1250"))
    assert golf.read()[0] == 2
    assert golf.read(encoding="windows-1250")[0] == 0
    assert len(taken(golf.lake)) == 2


def test_a_wrong_encoding_after_a_good_reading_is_told_as_such(golf: Golf) -> None:
    golf.read()
    code, told = golf.read(encoding="utf-16-le")
    assert code == 2
    assert "is not UTF-16" in told[0] or "not a table" in told[0] or "a table has headings" in told[0]
    assert len(taken(golf.lake)) == 2


def test_a_lake_of_version_0_1_knows_its_games_again(golf: Golf) -> None:
    golf.read()
    for manifest in (golf.lake / "batches").glob("*/manifest.json"):
        found = json.loads(manifest.read_text())
        for entry in found["inputs"]:
            del entry["source"], entry["form"]
        manifest.write_text(json.dumps(found))
    assert golf.read() == (0, ["2 records = 0 games + 2 rejects, 2 duplicates among them"])


def test_records_of_another_source_do_not_count_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = whole_game()
    del record["source"]
    file, lake = tmp_path / "a.jsonl", tmp_path / "lake"
    file.write_text(json.dumps(record))
    assert ingest_files(lake, [file], None) == 0
    capsys.readouterr()
    assert ingest_files(lake, [file], "club") == 2
    assert capsys.readouterr().err.splitlines()[0] == (
        'a.jsonl is in the lake already, with the source "a"; to read it anew, use a new lake'
    )
    assert taken(lake) == [("kingdoms", "a", "g1")]
    assert ingest_files(lake, [file], None) == 0
    assert "passed over; to read it anew, use a new lake" in capsys.readouterr().err
