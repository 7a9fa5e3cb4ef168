"""The commands as a person types them: exit codes, sentences, no tracebacks."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.titles import TITLES, load
from tests.bad_inputs import whole_game
from tests.test_docs import ROOT, environment


def plybook(*words: str, cwd: Path | None = None, stdin: str = "") -> subprocess.CompletedProcess[str]:
    run = subprocess.run(
        [sys.executable, "-m", "pipeline", *words],
        cwd=cwd or ROOT, capture_output=True, text=True, input=stdin, env=environment(), check=False,
    )  # fmt: skip
    assert "Traceback" not in run.stderr, run.stderr
    return run


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("games")
    assert plybook("simulate", "kingdoms", "--games", "40", "-o", str(folder / "k.jsonl")).returncode == 0
    return folder


def test_help_names_every_command() -> None:
    text = plybook("--help").stdout
    for name in ("run", "check", "ingest", "replay", "report", "sql", "simulate", "show", "compare"):
        assert f"\n  {name} " in text


def test_importing_and_helping_load_nothing_heavy() -> None:
    code = (
        "import sys, pipeline.cli; "
        "heavy = {'numpy', 'numba', 'polars', 'pyarrow', 'duckdb', 'matplotlib', 'scipy', 'rich'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=True)
    assert run.stdout.strip() == "[]"


def test_check_says_right_and_wrong_and_exits_1(games: Path, tmp_path: Path) -> None:
    good = plybook("check", str(games / "k.jsonl"))
    assert (good.returncode, good.stdout.count(": right, scores")) == (0, 40)
    file = tmp_path / "mixed.jsonl"
    file.write_text((games / "k.jsonl").read_text() + "{broken\n")
    mixed = plybook("check", str(file))
    assert mixed.returncode == 1
    assert "mixed.jsonl, line 41: not JSON" in mixed.stdout
    assert plybook("check", str(tmp_path / "none.jsonl")).returncode == 2


def test_check_json_has_its_fields(games: Path) -> None:
    run = plybook("check", "--json", str(games / "k.jsonl"))
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(rows) == 40
    for row in rows:
        assert list(row) == ["id", "ok", "ply", "fault", "message", "scores", "ranks", "score_events"]
        assert row["ok"] is True
        assert sum(points for *_, points in row["score_events"]) == sum(row["scores"]) - 150


def test_the_main_job_from_logs_to_a_report(games: Path, tmp_path: Path) -> None:
    run = plybook("run", str(games / "k.jsonl"), "--lake", "lake", "--out", "report", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert "40 records = 40 games + 0 rejects" in run.stderr
    for name in ("index.html", "report.pdf", "report.json"):
        assert (tmp_path / "report" / name).stat().st_size > 1000
    again = plybook("run", str(games / "k.jsonl"), "--lake", "lake", "--out", "again", cwd=tmp_path)
    assert again.returncode == 0
    first, second = (
        {file.relative_to(tmp_path / out): file.read_bytes() for file in (tmp_path / out).rglob("*") if file.is_file()}
        for out in ("report", "again")
    )
    assert first == second


def test_run_lists_rejects_and_exits_1(games: Path, tmp_path: Path) -> None:
    file = tmp_path / "k.jsonl"
    bad = whole_game() | {"id": "bad"}
    bad["events"][3]["place"] = "B3"
    file.write_text((games / "k.jsonl").read_text() + json.dumps(bad) + "\n")
    run = plybook("run", str(file), "--lake", "lake", "--out", "report", cwd=tmp_path)
    assert run.returncode == 1
    assert "k.jsonl, line 41, game bad, ply 3: B3 is taken already" in run.stderr
    rows = plybook("sql", "SELECT ply, fault FROM rejects", "--lake", "lake", "--output", "csv", cwd=tmp_path)
    assert rows.stdout.split() == ["ply,fault", '3,"occupied_cell"']


@pytest.mark.parametrize("content", ["", "\n\n", "{broken\n"])
def test_nothing_usable_exits_2(tmp_path: Path, content: str) -> None:
    (tmp_path / "a.jsonl").write_text(content)
    assert plybook("run", "a.jsonl", "--lake", "lake", "--out", "report", cwd=tmp_path).returncode == 2


@pytest.mark.parametrize("title", TITLES)
def test_show_prints_moves_in_words_and_the_board(title: str, tmp_path: Path) -> None:
    players = str(load(title).seats[0])
    plybook("simulate", title, "--players", players, "--games", "2", "-o", str(tmp_path / "a.jsonl"))
    run = plybook("show", "--file", "a.jsonl", "#2", "--ply", "30", "--png", "board.png", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert load(title).label in run.stdout
    assert "after ply 30" in run.stdout
    assert (tmp_path / "board.png").read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("simulate", "ludo", "-o", "x.jsonl"), "unknown title 'ludo'"),
        (("simulate", "kingdoms", "--option", "x", "-o", "x.jsonl"), "an option is NAME=VALUE"),
        (("show", "nobody"), "has no game 'nobody'"),
        (("show", "--file", "none.jsonl"), "cannot be read"),
        (("report", "--lake", "none"), "lake"),
        (("states", "ludo"), "unknown title"),
        (("ingest-results", "none.csv"), "name the title"),
        (("sql", "DROP TABLE games"), "DROP is no read"),
    ],
)
def test_wrong_usage_is_one_sentence_and_exits_2(words: tuple[str, ...], says: str, tmp_path: Path) -> None:
    run = plybook(*words, cwd=tmp_path)
    assert run.returncode == 2, run.stderr
    assert says.lower() in run.stderr.lower()


def test_states_and_export_of_a_lake(games: Path, tmp_path: Path) -> None:
    plybook("ingest", str(games / "k.jsonl"), "--lake", "lake", cwd=tmp_path)
    assert plybook("states", "kingdoms", "--lake", "lake", "--games", "2", cwd=tmp_path).returncode == 0
    rows = plybook(
        "sql", "SELECT count(*) AS n, min(ply) AS first FROM states_kingdoms", "--lake", "lake",
        "--output", "json", cwd=tmp_path,
    )  # fmt: skip
    (row,) = json.loads(rows.stdout)
    assert row["first"] == -1
    assert row["n"] > 150
    text = plybook("export", "--lake", "lake", cwd=tmp_path).stdout
    assert sorted(text.splitlines()) == sorted((games / "k.jsonl").read_text().splitlines())
