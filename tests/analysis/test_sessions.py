"""Seat shares with sessions as clusters."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from scipy.stats import t

from pipeline.analysis import build_report
from tests.analysis.lakes import Game, results_lake, winners
from tests.analysis.test_report import only, table

DAYS = [datetime(2026, 3, day, 20, tzinfo=UTC) for day in range(1, 9)]


def test_shares_clustered_by_day(tmp_path: Path) -> None:
    """Seat 1 wins whole evenings: eight of them tell less than eighty games."""
    games = [
        Game((9, 1) if evening % 2 else (1, 9), played_at=day + timedelta(minutes=i))
        for evening, day in enumerate(DAYS)
        for i in range(10)
    ]
    found = table(only(build_report(results_lake(tmp_path, games))), "sessions")
    assert found.title == "Seats, clustered by session"
    first = found.frame.row(0, named=True)
    assert (first["seat"], first["games"], first["sessions"], first["difference"]) == (1, 80, 8, 0)
    # Each evening is 5 games off the mean: sqrt(8 x 25 x 8/7)/80.
    half = 100 * t.ppf(0.975, 7) * math.sqrt(8 * 25 * 8 / 7) / 80
    assert (first["low"], first["high"]) == pytest.approx((-half, half))
    assert first["plain_high"] < 11 < 40 < first["high"]


def test_a_day_of_another_source_is_another_session(tmp_path: Path) -> None:
    games = [Game((9, 1), played_at=DAYS[0]), Game((1, 9), played_at=DAYS[0]), Game((1, 9))]
    results_lake(tmp_path, games, source="club")
    results_lake(tmp_path, games, source="fair", file="fair.csv")
    frame = table(only(build_report(tmp_path)), "sessions").frame
    # The games without a day are in no session.
    assert frame.select("games", "sessions").unique().rows() == [(4, 2)]


@pytest.mark.parametrize("games", [
    winners(2, 10, 10),
    winners(2, 10, 10, played_at=DAYS[0]),
    [Game((9, 1), played_at=day) for day in DAYS],
])  # fmt: skip
def test_no_table_where_sessions_tell_nothing(games: list[Game], tmp_path: Path) -> None:
    part = only(build_report(results_lake(tmp_path, games)))
    assert "sessions" not in {found.slug for found in part.tables}
