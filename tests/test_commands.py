"""The commands as a person types them: exit codes, sentences, no tracebacks."""

from __future__ import annotations

import csv
import io
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.commands.export import export, states
from pipeline.commands.report import report
from pipeline.commands.show import show
from pipeline.commands.sql import sql
from pipeline.ingest import ingest
from pipeline.lake import Lake, LakeError
from pipeline.outputs import OutputError, whole_file
from pipeline.replay_lake import replay_lake
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
        (("report",), "the lake has no games to report on"),
        (("compare", "players=3", "players=4", "--lake", "none"), "there is no lake none"),
        (("run", "none.jsonl", "--out", "lake/report"), "lake/report lies in the lake"),
        (("replay", "--lake", "file"), "file is a file, not a lake"),
        (("ingest", "none.jsonl", "--lake", "file"), "the lake file cannot be written: it is a file"),
        (("simulate", "kingdoms", "--boards", "none", "-o", "x.jsonl"), "with boards"),
        (("states", "ludo"), "unknown title"),
        (("ingest-results", "none.csv"), "name the title"),
        (("sql", "DROP TABLE games"), "DROP is no read"),
    ],
)
def test_wrong_usage_is_one_sentence_and_exits_2(words: tuple[str, ...], says: str, tmp_path: Path) -> None:
    (tmp_path / "lake").mkdir()
    (tmp_path / "file").write_text("")
    run = plybook(*words, cwd=tmp_path)
    assert run.returncode == 2, run.stderr
    assert says.lower() in run.stderr.lower()
    assert len(run.stderr.splitlines()) == 1


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


@pytest.fixture(scope="module")
def lake(games: Path) -> Path:
    """A replayed lake that nobody writes into."""
    found = Lake(games / "lake")
    ingest(found, [games / "k.jsonl"])
    replay_lake(found)
    return found.folder


def make(folder: Path, out: Path | None = None) -> int:
    """A report on a lake."""
    return report(folder, out or folder.parent / "out", None, None, 5.0, 0, 1, None)


def ask(folder: Path, statement: str, out: Path | None = None, output: str = "csv") -> int:
    return sql(folder, statement, None, output, out, 40, 60.0, 512, 1)


@pytest.mark.parametrize("name", ["none", "file"])
def test_a_lake_that_is_not_there_is_a_sentence(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    folder = tmp_path / name
    says = {"none": f"there is no lake {folder}", "file": f"{folder} is a file, not a lake"}[name]
    for command in (
        lambda: make(folder),
        lambda: export(folder, None, None),
        lambda: states(folder, "kingdoms", None, None),
        lambda: show("g1", None, folder, None, None, False),
    ):
        with pytest.raises(OutputError, match=says):
            command()
    assert ask(folder, "FROM games") == 2
    assert capsys.readouterr().err.startswith(f"plybook sql: {says}")
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


def test_an_empty_lake_is_a_lake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ask(tmp_path, "SELECT count(*) AS n FROM games") == 0
    assert capsys.readouterr().out == "n\n0\n"
    assert plybook("replay", "--lake", str(tmp_path)).returncode == 0
    assert export(tmp_path, None, None) == 2
    assert f"the lake {tmp_path} has no games\n" in capsys.readouterr().err


@pytest.mark.parametrize("file", ["batches/*/games", "batches/*/seats", "replays/*/outcomes", "codebooks/*"])
@pytest.mark.parametrize("missing", [True, False])
def test_a_report_on_a_damaged_lake_names_the_file(lake: Path, file: str, missing: bool, tmp_path: Path) -> None:
    copy = tmp_path / "lake"
    shutil.copytree(lake, copy)
    for broken in copy.glob(f"{file}.parquet"):
        if not missing:
            broken.write_bytes(broken.read_bytes()[:60])
        elif not file.startswith("codebooks"):  # without them there is just less to say
            broken.unlink()
    if missing and file.startswith("codebooks"):
        assert make(copy) == 0
        return
    with pytest.raises(LakeError, match=r"cannot be read: \S+parquet is " + ("missing" if missing else "damaged")):
        make(copy)


@pytest.mark.parametrize("file", ["games", "seats", "moves"])
def test_games_of_a_damaged_lake_are_a_sentence(lake: Path, file: str, tmp_path: Path) -> None:
    copy = tmp_path / "lake"
    shutil.copytree(lake, copy)
    (broken,) = copy.glob(f"batches/*/{file}.parquet")
    broken.write_bytes(broken.read_bytes()[:60])
    for command in (
        lambda: export(copy, None, tmp_path / "out.jsonl"),
        lambda: states(copy, "kingdoms", tmp_path / "out.parquet", None),
        lambda: show("kingdoms-3p-random-s1-00000003", None, copy, None, None, False),
    ):
        with pytest.raises(LakeError, match=f"{broken} is damaged: it is not what was committed"):
            command()
    assert [file.name for file in tmp_path.iterdir()] == ["lake"]


def test_files_that_cannot_be_written_are_a_sentence(lake: Path, games: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder, reason in (("none", "No such file or directory"), ("file", "Not a directory")):
        out = tmp_path / folder / "x"
        with pytest.raises(OutputError, match=f"{out}.jsonl cannot be written: {reason}"):
            export(lake, None, out.with_suffix(".jsonl"))
        with pytest.raises(OutputError, match=f"{out}.png cannot be written: {reason}"):
            show(None, games / "k.jsonl", lake, None, out.with_suffix(".png"), False)
    with pytest.raises(OutputError, match="cannot be written: a file stands where a folder is wanted"):
        states(lake, "kingdoms", tmp_path / "file" / "x.parquet", None)
    with pytest.raises(OutputError, match="is a folder, not a file"):
        export(lake, None, tmp_path)


def test_states_of_a_lake_that_may_not_be_written(lake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*words: object, **named: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refused)
    with pytest.raises(OutputError, match=r"states/kingdoms.parquet cannot be written: Permission denied"):
        states(lake, "kingdoms", None, None)


def test_a_board_is_drawn_into_a_png_only(games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert show(None, games / "k.jsonl", tmp_path, None, tmp_path / "b.txt", False) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert "into a file that ends in .png" in said.err


def test_nothing_is_written_into_a_lake(lake: Path, games: Path, tmp_path: Path) -> None:
    before = sorted(lake.rglob("*"))
    (tmp_path / "link").symlink_to(lake / "batches")
    for inside in (lake, lake / "batches", lake / "replays" / ".." / "x", tmp_path / "link" / "x"):
        for command in (
            lambda out: make(lake, out),
            lambda out: make(tmp_path, out),
            lambda out: report(lake, out, None, None, 5.0, 0, 1, ("players=3", "players=2")),
            lambda out: export(lake, None, out / "x.jsonl"),
            lambda out: states(lake, "kingdoms", out / "x.parquet", None),
            lambda out: show(None, games / "k.jsonl", tmp_path, None, out / "x.png", False),
        ):
            with pytest.raises(OutputError, match="lies in the lake, which is only read"):
                command(inside)
    assert sorted(lake.rglob("*")) == before


def test_an_older_file_stays_when_the_new_one_breaks_off(tmp_path: Path) -> None:
    file = tmp_path / "a.png"
    file.write_text("old")
    with pytest.raises(ZeroDivisionError), whole_file(file) as aside:
        1 // aside.write_text("")
    assert aside.suffix == ".png"
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("a.png", "old")]
    with whole_file(file) as aside:
        aside.write_text("new")
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("a.png", "new")]


RESULTS = "game,seat,score,tip\n" + "".join(
    f"g{game},{seat},{(game * 7 + seat * 3) % 11},{('=HYPERLINK(1)', 'plain')[game % 2]}\n"
    for game in range(40)
    for seat in (1, 2)
)


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A lake of results of a title without rules, with a formula for an option's value."""
    (tmp_path / "r.csv").write_text(RESULTS)
    words = ("ingest-results", "r.csv", "--title", "ludo", "--lake", "results", "--option", "tip=tip")
    assert plybook(*words, cwd=tmp_path).returncode == 0
    return tmp_path / "results"


def test_export_says_why_games_are_left_out(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert export(results, None, None) == 2
    says = "40 games of ludo left out: there are no rules for it, and so no records"
    assert capsys.readouterr().err.splitlines() == [says, "0 records written"]
    assert export(results, "kingdoms", None) == 2
    assert 'has no games of "kingdoms"; it has ludo\n' in capsys.readouterr().err


def test_no_cell_of_a_report_s_csv_is_a_formula(results: Path, tmp_path: Path) -> None:
    replay_lake(Lake(results))
    assert make(results) == 0
    cells = [
        cell
        for file in (tmp_path / "out").rglob("*.csv")
        for row in csv.reader(io.StringIO(file.read_text("utf-8")))
        for cell in row
    ]
    assert "'=HYPERLINK(1)" in cells
    assert not [cell for cell in cells if cell.startswith(("=", "@"))]
