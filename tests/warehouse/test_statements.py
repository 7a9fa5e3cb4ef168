"""The parser's side of the ad-hoc door."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

from pipeline.statements import RefusedError, judge, tables_named
from pipeline.warehouse import connect, view_names
from tests.warehouse.hostile import READ, REFUSED


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    opened = connect(1, 256)
    yield opened
    opened.close()


@pytest.mark.parametrize(("sql", "sentence"), REFUSED, ids=[sql[:40] for sql, _ in REFUSED])
def test_refused_with_its_sentence(connection: duckdb.DuckDBPyConnection, sql: str, sentence: str) -> None:
    with pytest.raises(RefusedError) as refused:
        judge(connection, sql, view_names())
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 250


@pytest.mark.parametrize("sql", READ)
def test_reads_are_let_in(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    text, _ = judge(connection, sql, view_names())
    assert not text.endswith(";")


def test_the_views_that_a_statement_names(connection: duckdb.DuckDBPyConnection) -> None:
    def named(sql: str) -> set[str] | None:
        return judge(connection, sql, view_names())[1]

    assert named("SELECT 1") == set()
    assert named("FROM Games JOIN main.seats USING (game_id)") == {"games", "seats"}
    assert named("DESCRIBE cells") == {"cells"}
    assert named("SHOW cells") == {"cells"}
    assert named("SELECT (SELECT max(seat) FROM outcomes) FROM (FROM moves)") == {"outcomes", "moves"}
    assert named("SHOW TABLES") is None


def test_tables_named_by_a_select(connection: duckdb.DuckDBPyConnection) -> None:
    assert tables_named(connection, "WITH a AS (FROM x) FROM a JOIN y USING (b)") == {"a", "x", "y"}
