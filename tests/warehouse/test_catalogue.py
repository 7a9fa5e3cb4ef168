"""Every view and column has a meaning, and the page that says so is up to date."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline import titles
from pipeline.catalogue import catalogue, catalogue_json, catalogue_text, read_head
from pipeline.warehouse import Warehouse, view_files, view_names
from tests.warehouse import cookbook

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_every_view_and_column_has_a_meaning() -> None:
    assert {view.name for view in catalogue()} == view_names()
    for view in catalogue():
        assert view.grain.startswith("one row per "), view.name
        assert view.key and set(view.key) <= {column.name for column in view.columns}, view.name
        for column in view.columns:
            assert column.meaning, f"{view.name}.{column.name}"


def test_no_head_names_a_column_that_is_not_there() -> None:
    columns = {view.name: {column.name for column in view.columns} for view in catalogue()}
    for view in view_files():
        named = {name for name, _ in read_head(view.text).meanings}
        assert named <= columns[view.name], view.name


def test_columns_and_types_are_those_of_a_full_lake(warehouse: Warehouse) -> None:
    for view in catalogue():
        rows = warehouse.connection.execute(f'DESCRIBE "{view.name}"').fetchall()
        assert [(column.name, column.type) for column in view.columns] == [row[:2] for row in rows]


def test_titles_facts_stand_with_their_meaning() -> None:
    views = {view.name: view for view in catalogue()}
    for name in titles.names():
        found = {column.name: column.meaning for column in views[f"turns_{name}"].columns}
        for fact in titles.load(name).facts:
            assert found[fact.name].startswith(fact.meaning)


def test_a_head_without_grain_is_refused() -> None:
    with pytest.raises(ValueError, match="one row per"):
        read_head("SELECT 1")


def test_text_and_json() -> None:
    text = catalogue_text()
    assert "\ncounts:\n" in text and "  games " in text
    one = catalogue_text("seat_counts")
    assert one.splitlines()[:2] == [
        "seat_counts: one row per cell and seat, over its counted games",
        "key: title, board, options, players, seat",
    ]
    assert {view["name"] for view in catalogue_json()} == view_names()
    with pytest.raises(KeyError):
        catalogue_text("nothing")


def test_the_cookbook_is_up_to_date(lake: Path) -> None:
    assert len(cookbook.queries()) >= 12
    assert cookbook.PAGE.read_text("utf-8") == cookbook.page(lake), "run python -m tests.warehouse.cookbook"


def test_each_query_of_the_cookbook_asks_a_question() -> None:
    for query in cookbook.queries():
        first = query.read_text("utf-8").splitlines()[0]
        assert first.startswith("-- ") and first.endswith("?"), query.name
