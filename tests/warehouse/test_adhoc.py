"""The ad-hoc door as a whole: results, limits, and a lock that holds without the parser's help."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow.parquet as pq
import pytest

from pipeline.adhoc import AdhocError, Limits, read_statement, run_adhoc
from pipeline.adhoc_child import lock
from pipeline.lake_views import read_sources
from pipeline.spreadsheet import csv_of
from pipeline.warehouse import connect, create_views
from tests.warehouse.hostile import REFUSED

SMALL = Limits(seconds=60, memory_mb=256)


def ask(lake: Path, sql: str, **options: Any) -> tuple[int, str, str]:
    """Exit code, what was printed, and what was said of errors."""
    out, errors = io.StringIO(), io.StringIO()
    options.setdefault("limits", SMALL)
    code = run_adhoc(lake, sql, out=out, errors=errors, **options)
    return code, out.getvalue(), errors.getvalue()


def test_a_table_for_a_person(lake: Path) -> None:
    sql = "SELECT players, count(*) AS games, 'Žofia 李明' AS who FROM cells GROUP BY ALL ORDER BY 1"
    code, out, errors = ask(lake, sql)
    assert (code, errors) == (0, "")
    assert out == (
        "players  games  who\n"
        "-------  -----  ----------\n"
        "      2      1  Žofia 李明\n"
        "      3      3  Žofia 李明\n"
        "2 rows\n"
    )  # fmt: skip


def test_the_table_is_cut_and_says_so(lake: Path) -> None:
    code, out, _ = ask(lake, "SELECT * FROM range(1000000000000)", rows=3)
    assert code == 0
    assert out.splitlines()[2:] == [
        "    0", "    1", "    2", "first 3 rows; there are more: --output csv or LIMIT and OFFSET show them"
    ]  # fmt: skip
    code, out, _ = ask(lake, "SELECT repeat('x', 500) AS a, E'two\\nlines\\x1b[2J' AS b")
    row = out.splitlines()[2]
    assert row == "x" * 57 + "...  two\\nlines\\u001b[2J"


def test_exactly_as_many_rows_as_fit_are_all(lake: Path) -> None:
    code, out, _ = ask(lake, "SELECT * FROM range(3)", rows=3)
    assert (code, out.splitlines()[-1]) == (0, "3 rows")


ODD_VALUES = """
SELECT 1 AS a, 'say "hi", ok' AS b, NULL AS c, [1, NULL] AS d, {'k': 'ž'} AS e, 1.5::DECIMAL(9, 2) AS f,
    sum(x) AS g, true AS h, 'nan'::DOUBLE AS i, TIMESTAMPTZ '2026-01-02 03:04:05+00' AS j, DATE '2026-01-02' AS k,
    '\\x01'::BLOB AS l, 9007199254740993 AS m, MAP {'p': 1} AS n
FROM range(3) AS t(x)
"""


def test_json(lake: Path) -> None:
    code, out, _ = ask(lake, ODD_VALUES, output="json")
    assert code == 0
    assert json.loads(out) == [
        {
            "a": 1, "b": 'say "hi", ok', "c": None, "d": [1, None], "e": {"k": "ž"}, "f": 1.5, "g": 3, "h": True,
            "i": None, "j": "2026-01-02T03:04:05Z", "k": "2026-01-02", "l": "01", "m": 9007199254740993,
            "n": [["p", 1]],
        }
    ]  # fmt: skip
    assert json.loads(ask(lake, "FROM games WHERE false", output="json")[1]) == []


def test_csv(lake: Path) -> None:
    code, out, _ = ask(lake, ODD_VALUES, output="csv")
    assert code == 0
    head, row = csv.reader(io.StringIO(out))
    assert head == list("abcdefghijklmn")
    assert row == [
        "1", 'say "hi", ok', "", "[1,null]", '{"k":"ž"}', "1.50", "3", "true", "nan", "2026-01-02T03:04:05Z",
        "2026-01-02", "01", "9007199254740993", '[["p",1]]',
    ]  # fmt: skip


FORMULAS = ["=1+1", "@x", "\tx", "\rx", "+A1", "-x", "+3\n", "--1", "-\n=1", "+3-cmd|x", "-1 2"]
NO_FORMULAS = ["+3", "-1", "-1.5", "-1,5", "+1e-5", "-", "+", "a=1", "", "'=1", "castle3", "3"]


def test_texts_that_are_formulas_get_an_apostrophe_in_csv_alone(lake: Path, tmp_path: Path) -> None:
    texts = [*FORMULAS, *NO_FORMULAS]
    values = ", ".join(f"({i}, '{text.replace(chr(39), chr(39) * 2)}')" for i, text in enumerate(texts))
    sql = f"""SELECT text, -i AS number, '=a'::ENUM ('=a', '+3') AS word, NULL AS "=none"
        FROM (VALUES {values}) AS rows (i, text) ORDER BY i"""
    code, _, errors = ask(lake, sql, output="csv", out_file=tmp_path / "x.csv")
    assert (code, errors) == (0, "")
    head, *rows = csv.reader(io.StringIO((tmp_path / "x.csv").read_bytes().decode(), newline=""))
    assert head == ["text", "number", "word", "'=none"]
    wanted = [*("'" + text for text in FORMULAS), *NO_FORMULAS]
    assert rows == [[text, str(-i), "'=a", ""] for i, text in enumerate(wanted)]
    assert [row["text"] for row in json.loads(ask(lake, sql, output="json")[1])] == texts
    frame = pl.DataFrame({"text": [*texts, None], "=none": 1})
    head, *rows = csv.reader(io.StringIO(csv_of(frame).decode(), newline=""))
    assert head == ["text", "'=none"]
    assert [row[0] for row in rows] == [*wanted, ""]


def test_columns_of_the_same_name_all_stay(lake: Path, tmp_path: Path) -> None:
    sql = "SELECT 1 AS a, 2 AS a, 3 AS a_1, 4 AS a, 5 AS b"
    named = {"a": 1, "a_2": 2, "a_1": 3, "a_3": 4, "b": 5}
    assert json.loads(ask(lake, sql, output="json")[1]) == [named]
    assert json.loads(ask(lake, "SELECT 1 AS a, 2 AS a", output="json")[1]) == [{"a": 1, "a_1": 2}]
    assert ask(lake, sql, output="parquet", out_file=tmp_path / "x")[0] == 0
    assert pq.read_table(tmp_path / "x").to_pylist() == [named]


def test_csv_and_parquet_stream_all_rows_into_a_file(lake: Path, tmp_path: Path) -> None:
    sql = "SELECT range AS i, 'row ' || range AS text FROM range(140000)"
    for output in ("csv", "parquet", "json", "table"):
        file = tmp_path / f"rows.{output}"
        assert ask(lake, sql, output=output, out_file=file) == (0, "", "")
        text = "" if output == "parquet" else file.read_text()
        if output == "parquet":
            assert pq.read_table(file)["i"].to_pylist() == list(range(140000))
        elif output == "json":
            assert len(json.loads(text)) == 140000
        else:
            assert len(text.splitlines()) == 140000 + (1 if output == "csv" else 3)
    assert len(list(tmp_path.iterdir())) == 4


def test_no_file_stays_behind_when_the_query_fails_in_the_middle(lake: Path, tmp_path: Path) -> None:
    sql = "SELECT CASE WHEN range > 135000 THEN error('late') ELSE range END AS x FROM range(140000)"
    for output in ("csv", "parquet"):
        code, _, errors = ask(lake, sql, output=output, out_file=tmp_path / "x")
        assert (code, errors) == (2, "plybook sql: late\n")
        assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"output": "xml"}, "output is one of table, csv, json, parquet, not 'xml'"),
        ({"output": "parquet"}, "Parquet is no text for a terminal: name a file with --out"),
        ({"rows": -1}, "the number of rows to show must not be negative, -1 is"),
        ({"limits": Limits(seconds=0)}, "the time limit must be between 0 and 86,400 seconds, not 0"),
        ({"limits": Limits(seconds=float("nan"))}, "the time limit must be between 0 and 86,400 seconds, not nan"),
        ({"limits": Limits(memory_mb=1)}, "the memory limit must be between 64 and 1,048,576 MB"),
        ({"limits": Limits(threads=0)}, "the number of threads must be between 1 and 256"),
    ],
)
def test_wrong_usage_is_one_sentence(lake: Path, options: dict[str, Any], sentence: str) -> None:
    assert ask(lake, "SELECT 1", **options) == (2, "", f"plybook sql: {sentence}\n")


def test_a_result_may_not_lie_in_the_lake_or_nowhere(lake: Path, tmp_path: Path) -> None:
    for file, sentence in (
        (lake / "x.csv", "lies in the lake, which is only read"),
        (lake / "batches" / ".." / "x.csv", "lies in the lake, which is only read"),
        (tmp_path, "is a folder, not a file"),
        (tmp_path / "no" / "x.csv", "cannot be written: No such file or directory"),
    ):
        code, out, errors = ask(lake, "SELECT 1", output="csv", out_file=file)
        assert (code, out) == (2, "") and sentence in errors


def test_a_file_with_sql(tmp_path: Path) -> None:
    file = tmp_path / "x.sql"
    file.write_bytes(b"\xef\xbb\xbfSELECT 1")
    assert read_statement(file) == "SELECT 1"
    for content, sentence in (
        ("SELECT 'é'".encode("latin-1"), "is not UTF-8: byte 9"),
        ("SELECT 1".encode("utf-16"), "is not UTF-8: byte 1"),
        (b"x" * 500_000, "is too long for one statement: 100,000 characters are allowed"),
    ):
        file.write_bytes(content)
        with pytest.raises(AdhocError, match=sentence):
            read_statement(file)
    for path, sentence in ((tmp_path, "Is a directory"), (tmp_path / "no.sql", "No such file")):
        with pytest.raises(AdhocError, match=sentence):
            read_statement(path)


@pytest.mark.parametrize(("sql", "sentence"), REFUSED[:: len(REFUSED) // 6])
def test_the_door_refuses_what_the_parser_side_refuses(lake: Path, sql: str, sentence: str) -> None:
    code, out, errors = ask(lake, sql)
    assert (code, out) == (2, "")
    assert errors.startswith("plybook sql: ") and sentence in errors and errors.count("\n") == 1


MEMORY = "the query needs more than 256 MB of memory (--memory allows more)"


@pytest.mark.parametrize(
    ("sql", "sentence"),
    [
        ("SELECT repeat('x', 4000000000)", MEMORY),
        ("SELECT repeat('x', 140000000)", MEMORY),
        ("SELECT length(repeat('x', 4000000000))", MEMORY),
        ("SELECT repeat(repeat('0', 24), 4611686018427387904)", "Cannot create a string of size"),
        ("SELECT printf('%2000000000d', 1)", MEMORY),
        ("SELECT list(range) FROM range(1000000000)", MEMORY),
        ("SELECT range(4000000000)", MEMORY),
        ("SELECT * FROM range(100000000) ORDER BY hash(range)", MEMORY),
        ("SELECT range, repeat('x', 10000000) FROM range(1000)", MEMORY),
        ("SELECT (repeat('[', 10000000) || repeat(']', 10000000))::JSON", MEMORY),
        ("SELECT 'x'::INTEGER", "Could not convert string 'x' to INT32"),
        ("SELECT no_such_column FROM games", '"no_such_column" not found'),
        ("SELECT no_such_function(1)", "no_such_function does not exist"),
    ],
)
def test_what_is_too_large_or_wrong_ends_with_a_sentence(lake: Path, sql: str, sentence: str) -> None:
    code, out, errors = ask(lake, sql)
    assert (code, out) == (2, "")
    assert sentence in errors and errors.count("\n") == 1


MEMORY_PROBE = """
import resource, sys
from pathlib import Path
from pipeline.adhoc import Limits, run_adhoc
for sql in ("SELECT repeat('x', 4000000000)", "SELECT string_agg(range::VARCHAR) FROM range(1000000000)"):
    run_adhoc(Path(sys.argv[1]), sql, limits=Limits(seconds=20, memory_mb=256))
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def test_memory_stays_within_the_limit(lake: Path) -> None:
    """The query's process, started by a small one: a child's peak counts its parent's size at the fork too."""
    run = subprocess.run([sys.executable, "-c", MEMORY_PROBE, str(lake)], capture_output=True, text=True, check=True)
    assert int(run.stdout.split()[-1]) / 1024 < 256 + 192 + 200


@pytest.mark.parametrize(
    "sql",
    [
        "WITH RECURSIVE a AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM a) SELECT max(i) FROM a",
        "SELECT count(*) FROM range(30000) a, range(30000) b, range(30000) c WHERE hash(a.range, b.range, c.range) = 1",
        "SELECT sum(length(regexp_replace(repeat('a', 2000) || range, '(a|aa)*b', 'x', 'g'))) FROM range(10000000)",
    ],
)
def test_what_never_ends_is_ended(lake: Path, sql: str) -> None:
    code, out, errors = ask(lake, sql, limits=Limits(seconds=3, memory_mb=256))
    assert (code, out) == (2, "")
    assert "the query took longer than 3 seconds (--seconds allows more)" in errors


def test_nothing_gets_between_the_rows_of_a_slow_query(lake: Path, tmp_path: Path) -> None:
    """DuckDB would print a bar of its progress after two seconds."""
    sql = """SELECT range, sleep.n FROM range(20000)
        JOIN (SELECT max(hash(a.range, b.range)) % 2 AS n FROM range(20000) a, range(20000) b) AS sleep ON true"""
    assert ask(lake, sql, output="parquet", out_file=tmp_path / "x") == (0, "", "")
    assert pq.read_table(tmp_path / "x").num_rows == 20000


def test_rows_that_never_end_are_ended_too(lake: Path, tmp_path: Path) -> None:
    limits = Limits(seconds=3, memory_mb=256)
    code, _, errors = ask(lake, "FROM range(1000000000000)", output="csv", out_file=tmp_path / "x", limits=limits)
    assert code == 2 and "longer than 3 seconds" in errors
    assert not list(tmp_path.iterdir())


def test_the_lake_is_the_same_afterwards(lake: Path) -> None:
    def digest() -> str:
        whole = hashlib.sha256()
        for file in sorted(path for path in lake.rglob("*") if path.is_file()):
            whole.update(str(file).encode() + file.read_bytes() + str(file.stat().st_mtime_ns).encode())
        return whole.hexdigest()

    before = digest()
    game = next(lake.glob("batches/*/games.parquet"))
    for sql in ("FROM games", f"COPY (SELECT 1) TO '{game}'", "CREATE TABLE games (a INTEGER)"):
        ask(lake, sql)
    assert digest() == before


ENGINE_HOLDS = (
    "FROM read_text('/etc/passwd')",
    "FROM read_csv('/etc/passwd')",
    "FROM '{lake}/../good.jsonl'",
    "FROM read_text('{lake}/../good.jsonl')",
    "FROM glob('/*')",
    "FROM glob('{lake}/*')",
    "FROM read_parquet('{lake}/batches/*/games.parquet')",
    "FROM sniff_csv('/etc/passwd')",
    "COPY (SELECT 1) TO '{games}'",
    "COPY (SELECT 1) TO '{lake}/x.parquet'",
    "COPY (SELECT 1) TO '/tmp/plybook-x.parquet'",
    "EXPORT DATABASE '{lake}/x'",
    "ATTACH '{lake}/x.db'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET enable_external_access = true",
    "SET allowed_paths = ['/etc/passwd']",
    "SET allowed_directories = ['/']",
    "SET memory_limit = '100GB'",
    "SET threads = 99",
    "SET temp_directory = '/tmp'",
    "RESET lock_configuration",
    "FROM query('FROM read_text(''/etc/passwd'')')",
    "FROM 'https://example.org/a.parquet'",
    "SELECT getenv('HOME')",
    "CREATE PERSISTENT SECRET s (TYPE http)",
    "FROM probe",
)


@pytest.mark.parametrize("sql", ENGINE_HOLDS)
def test_the_engine_is_locked_also_for_what_the_parser_side_refuses(lake: Path, sql: str) -> None:
    """The same connection as in the child, but nobody looks at the statement and no limit of the system holds."""
    probe = [1]  # a Python variable that a replacement scan would find
    sources = read_sources(lake)
    connection = connect(1, 256)
    try:
        create_views(connection, sources)
        lock(connection, sources)
        games = sources.files["recorded_games"][0]
        before = games.read_bytes()
        with pytest.raises(duckdb.Error):
            connection.execute(sql.format(lake=lake, games=games)).fetchall()
        assert connection.execute("SELECT count(*) FROM games").fetchone() == (56,)
        assert games.read_bytes() == before and probe == [1]
        assert not (lake / "x.parquet").exists() and not Path("/tmp/plybook-x.parquet").exists()
    finally:
        connection.close()


def test_the_child_can_write_no_file(tmp_path: Path) -> None:
    """What neither the parser nor the engine would hold, the system does."""
    script = (
        "import sys; from pipeline.adhoc_child import forbid_files_and_endless_work as forbid\n"
        "forbid({'seconds': 1, 'threads': 1})\n"
        "with open(sys.argv[1], 'w') as file: file.write('x')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "x")],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode != 0 and "File too large" in done.stderr
    assert (tmp_path / "x").read_bytes() == b""


def test_an_empty_lake_answers(tmp_path: Path) -> None:
    assert ask(tmp_path / "none", "SELECT count(*) AS n FROM games")[1].splitlines()[2] == "0"


def test_a_broken_manifest_is_one_sentence(lake: Path, tmp_path: Path) -> None:
    folder = tmp_path / "lake" / "batches" / "kingdoms-0"
    folder.mkdir(parents=True)
    (folder / "manifest.json").write_text("{")
    code, _, errors = ask(tmp_path / "lake", "FROM games")
    assert code == 2 and "has no readable manifest" in errors and errors.count("\n") == 1


def test_explain_shows_the_plan(lake: Path) -> None:
    code, out, _ = ask(lake, "EXPLAIN SELECT count(*) FROM games")
    assert code == 0 and "Read Parquet" in out.replace("READ_PARQUET", "Read Parquet") and "rows;" not in out
