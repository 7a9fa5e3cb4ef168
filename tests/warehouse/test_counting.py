"""Counts added up batch by batch are the counts of the whole."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from pipeline.counting import added, count_views, counts, groups
from pipeline.lake import Lake
from pipeline.lake_views import WarehouseError
from pipeline.warehouse import Warehouse


@pytest.mark.parametrize("games_at_once", [1, 10_000])
def test_in_pieces_and_in_one_go(lake: Path, warehouse: Warehouse, games_at_once: int) -> None:
    found = counts(lake, count_views(), games_at_once=games_at_once)
    for view in count_views():
        assert found[view].equals(pl.DataFrame(warehouse.arrow(view))), view
        assert found[view].equals(warehouse.query(view)), view


def test_groups_hold_whole_batches(lake: Path, tmp_path: Path) -> None:
    batches = Lake(lake).batches()
    assert len(list(groups(lake, None, 1))) > 1
    assert [batch for group in groups(lake, None, 5) for batch in group] == batches
    assert list(groups(lake, None, 10_000)) == [batches]
    assert list(groups(tmp_path / "none", None, 5)) == [[]]


def test_an_empty_lake_counts_nothing(tmp_path: Path) -> None:
    assert all(rows.is_empty() for rows in counts(tmp_path, count_views()).values())


def test_rows_of_the_same_key_are_one() -> None:
    first = pl.DataFrame({"a": ["x", None], "n": [1, 2]})
    second = pl.DataFrame({"a": [None, "y"], "n": [10, 20]})
    assert added([first, second], ["a"]).rows() == [("x", 1), ("y", 20), (None, 12)]


def test_only_counts_can_be_added(lake: Path) -> None:
    with pytest.raises(WarehouseError, match="games cannot be added up"):
        counts(lake, ["games"])
