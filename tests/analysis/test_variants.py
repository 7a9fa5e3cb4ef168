"""Variants combined over player counts, paired by seed, and by session: numbers and truth."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from pipeline.analysis import build_report
from pipeline.analysis.samples import SEEDED
from pipeline.analysis.variant_tests import effect, pairs_of
from pipeline.commands.simulate import simulate
from pipeline.ingest import ingest
from pipeline.lake import Lake
from pipeline.replay_lake import replay_lake
from pipeline.simulate import Plan
from pipeline.stats.labels import label_test, paired_test
from pipeline.stats.mantel_haenszel import Stratum, mantel_haenszel
from tests.analysis.lakes import Game, results_lake, winners
from tests.analysis.test_report import figure, only, table

MOONS, NO_MOONS = {"moons": True}, {"moons": False}
START = datetime(2026, 1, 1, 18, tzinfo=UTC)


def strata_lake(folder: Path, *wins: tuple[tuple[int, ...], tuple[int, ...]]) -> Path:
    """Games with and without moons; (wins with, wins without) by seat for each player count."""
    games = [
        game
        for on, off in wins
        for side, options in ((on, MOONS), (off, NO_MOONS))
        for game in winners(len(side), *side, options=options)
    ]
    return results_lake(folder, games)


def test_player_counts_are_combined_by_mantel_haenszel(tmp_path: Path) -> None:
    lake = strata_lake(tmp_path, ((70, 30), (50, 50)), ((50, 25, 25), (33, 33, 34)))
    found = table(only(build_report(lake)), "variant_strata")
    assert found.title == "Variants over player counts"
    (row,) = found.frame.rows(named=True)
    right = mantel_haenszel([Stratum(70, 100, 50, 100), Stratum(50, 100, 33, 100)])
    assert row["what"] == "the 1st seat wins" and row["players"] == "2 and 3"
    assert (row["n_on"], row["n_off"], row["on"], row["off"]) == (200, 200, 0.6, 0.415)
    # Equal strata: the mean of 20 and 17 points.
    assert row["difference"] == pytest.approx(18.5)
    assert (row["low"] / 100, row["high"] / 100) == pytest.approx(tuple(right.risk_difference_interval))
    assert (row["odds_ratio"], row["p"], row["alike_p"]) == (right.odds_ratio, right.cmh_p, right.breslow_day_p)
    assert row["p"] == row["p_adjusted"] < 0.001 < 0.5 < row["alike_p"]


def test_player_counts_that_disagree_are_told(tmp_path: Path) -> None:
    lake = strata_lake(tmp_path, ((70, 30), (40, 60)), ((20, 40, 40), (50, 25, 25)))
    (row,) = table(only(build_report(lake)), "variant_strata").frame.rows(named=True)
    assert row["alike_p"] < 0.001 and row["p"] > 0.05


def test_shared_wins_count_half_for_the_seat(tmp_path: Path) -> None:
    games = [
        Game(scores + (1,) * (players - 2), options=options)
        for players in (2, 3)
        for options, ties in ((MOONS, 20), (NO_MOONS, 4))
        for scores in [(5, 5)] * ties + [(5, 1)] * (20 - ties // 2) + [(1, 5)] * (20 - ties // 2)
    ]
    frame = table(only(build_report(results_lake(tmp_path, games))), "variant_strata").frame
    rows = {row["what"]: row for row in frame.rows(named=True)}
    assert rows["shared win"]["on"] == 0.5 and rows["shared win"]["off"] == 0.1
    assert rows["shared win"]["p_adjusted"] < 0.001
    assert rows["the 1st seat wins"]["on"] == rows["the 1st seat wins"]["off"] == 0.5
    assert rows["the 1st seat wins"]["p"] == pytest.approx(1)


def test_one_player_count_is_not_combined(tmp_path: Path) -> None:
    part = only(build_report(strata_lake(tmp_path, ((70, 30), (50, 50)))))
    assert "variant_strata" not in {found.slug for found in part.tables}


def seeded(number: int, options: str = "") -> str:
    return f"lanterns-2p-random-random-s7-{number:08d}{options}"


def margins(games: Sequence[Game]) -> np.ndarray[Any, Any]:
    return np.array([(first or 0) - (second or 0) for first, second in (game.scores for game in games)], np.float64)


def paired_games(gain: int, count: int = 60, noise: int = 40) -> list[Game]:
    """The same luck with and without moons; with them the first seat makes `gain` points more."""
    rng = np.random.default_rng(3)
    games = []
    for i in range(count):
        luck, jitter = int(rng.integers(100, 100 + 20 * noise)), int(rng.integers(0, 3))
        games.append(Game((luck, 50), options=NO_MOONS, id=seeded(i)))
        games.append(Game((luck + gain + jitter, 50), options=MOONS, id=seeded(i, '{"moons":true}')))
    return games


def of_metric(frame: pl.DataFrame, metric: str) -> dict[str, Any]:
    return frame.filter(pl.col("metric") == metric).row(0, named=True)


def test_simulated_games_are_paired_by_seed(tmp_path: Path) -> None:
    games = paired_games(gain=3)
    frame = figure(only(build_report(results_lake(tmp_path / "pairs", games, source="simulation"))), "variant_effects")
    margin = of_metric(frame.frame, "margin")
    off, on = (margins(games[i::2]) for i in (0, 1))
    right = paired_test(on, off, 0)
    assert margin["method"] == f"paired by seed, 60 pairs; {right.method}"
    assert margin["difference"] == pytest.approx(right.difference.mean) and 3 <= margin["difference"] <= 5
    assert margin["p"] == pytest.approx(right.p) and margin["p_adjusted"] < 0.01
    assert margin["low"] < margin["g"] < margin["high"] and margin["low"] > 0
    assert "Games simulated from the same seeds are paired." in frame.notes[0]
    # The same games of a club have nothing in common that is known, and luck hides the gain.
    alone = figure(only(build_report(results_lake(tmp_path / "club", games))), "variant_effects")
    margin = of_metric(alone.frame, "margin")
    assert margin["method"].startswith("by game; ") and margin["p"] > 0.5
    assert margin["p"] == pytest.approx(
        label_test(np.append(on, off), np.repeat([1, 0], 60), np.ones(120), 0).p, abs=0.02
    )
    assert "Labels permuted by game." in alone.notes[0]


def test_fewer_than_thirty_pairs_are_no_pairs(tmp_path: Path) -> None:
    games = paired_games(gain=3, count=29)
    games += [Game((90, 50), options=MOONS, id=seeded(98)), Game((91, 50), options=NO_MOONS, id=seeded(99))]
    frame = figure(only(build_report(results_lake(tmp_path, games, source="simulation"))), "variant_effects").frame
    assert of_metric(frame, "margin")["method"].startswith("by game; ")


def side(values: Any, seeds: Sequence[str | None], sessions: Sequence[str | None] | None = None) -> pl.DataFrame:
    rows = {
        "value": [float(v) for v in values],
        "seeded": list(seeds),
        "session": list(sessions or [None] * len(seeds)),
    }
    return pl.DataFrame(rows, schema={"value": pl.Float64, "seeded": pl.String, "session": pl.String})


def test_pairs_need_half_of_the_smaller_side() -> None:
    rng = np.random.default_rng(1)
    names = [f"s{i}" for i in range(40)] + [None] * 60
    found = effect([(side(rng.normal(size=100), names), side(rng.normal(size=100), names))], 0)
    assert found is not None and found.method.startswith("by game") and (found.n_on, found.n_off) == (100, 100)
    found = effect([(side(rng.normal(size=100), names), side(rng.normal(size=40), names[:40]))], 0)
    assert found is not None and found.method.startswith("paired by seed, 40 pairs")
    assert (found.n_on, found.n_off) == (40, 40)


def test_names_that_stand_twice_are_no_pairs() -> None:
    assert pairs_of(side([1, 2, 3], ["a", "a", "b"]), side([4, 5], ["a", "b"]))["value"].to_list() == [3]


def test_false_alarms_and_power_of_pairs() -> None:
    rng = np.random.default_rng(5)
    names = [f"s{i}" for i in range(40)]
    alarms = found = covered = 0
    for i in range(200):
        luck, noise = rng.normal(0, 5, 40), rng.normal(0, 1, (2, 40))
        fair = effect([(side(luck + noise[0], names), side(luck + noise[1], names))], i)
        planted = effect([(side(luck + noise[0] + 1, names), side(luck + noise[1], names))], i)
        assert fair is not None and planted is not None
        alarms += fair.p < 0.05
        found += planted.p < 0.05
        covered += planted.low <= 1 / np.sqrt(26) <= planted.high
    assert 1 <= alarms <= 22
    assert found >= 190
    assert covered >= 180


def test_ids_of_simulations_say_what_is_alike(tmp_path: Path) -> None:
    lake = Lake(tmp_path / "lake")
    for name, options in (("off", {"tasks": False}), ("on", {"tasks": True})):
        log = tmp_path / f"{name}.jsonl"
        assert simulate(Plan("call_to_glory", 2, 32, 4, ("random", "greedy"), options), log, 1) == 0
        ingest(lake, [log])
    replay_lake(lake)
    frame = figure(only(build_report(tmp_path / "lake")), "variant_effects").frame
    turns = of_metric(frame, "turns")
    assert turns["method"].startswith("paired by seed, 32 pairs")
    assert turns["difference"] == pytest.approx(turns["mean_on"] - turns["mean_off"])


@pytest.mark.parametrize(("name", "same"), [
    ("china-3p-random-greedy-s-1-00000012", None),
    ("china-3p-random-greedy-s1-00000012", "china-3p-random-greedy-s1-00000012"),
    ('china-3p-random-greedy-s1-123456789{"a":"{b-s2-00000001}"}', "china-3p-random-greedy-s1-123456789"),
    ("7-12", None),
])  # fmt: skip
def test_the_pattern_of_ids(name: str, same: str | None) -> None:
    import duckdb

    row = duckdb.execute("SELECT nullif(regexp_extract(?, ?, 1), '')", [name, SEEDED]).fetchone()
    assert row == (same,)


def session_games(rng: np.random.Generator, planted: float, sessions: int = 12, size: int = 10) -> list[Game]:
    """Evenings with a mood of their own: each plays one variant."""
    games = []
    for evening in range(sessions):
        mood = rng.normal(0, 10)
        for i in range(size):
            score = 100 + round(mood + rng.normal(0, 3) + planted * (evening % 2))
            when = START + timedelta(days=evening, minutes=i)
            games.append(Game((score, 50), options=MOONS if evening % 2 else NO_MOONS, played_at=when))
    return games


def test_labels_are_permuted_by_session(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    games = session_games(rng, 0)
    data = figure(only(build_report(results_lake(tmp_path / "a", games))), "variant_effects")
    margin = of_metric(data.frame, "margin")
    values = margins(games)
    on = np.array([game.options["moons"] for game in games])
    evening = np.repeat(np.arange(12), 10)
    right = label_test(values, on, np.ones(120), 0, session=evening)
    assert margin["method"] == f"by session, 12 sessions; {right.method}"
    assert margin["p"] == pytest.approx(right.p, abs=0.02)
    assert "permuted by session (one source on one day, UTC)" in data.notes[0]
    # An evening that played both variants cannot be dealt as a whole.
    mixed = [*games, Game((120, 50), options=MOONS, played_at=START)]
    data = figure(only(build_report(results_lake(tmp_path / "b", mixed))), "variant_effects")
    assert of_metric(data.frame, "margin")["method"].startswith("by game; ")


def p_of_evenings(values: np.ndarray[Any, Any], on: np.ndarray[Any, Any], with_sessions: bool, seed: int) -> float:
    """p of games of evenings, five games each."""
    sessions = np.array([f"day {i // 5}" for i in range(len(values))])
    sides = [
        side(values[mask], [None] * int(mask.sum()), sessions[mask].tolist() if with_sessions else None)
        for mask in (on, ~on)
    ]
    had = effect([(sides[0], sides[1])], seed)
    assert had is not None
    return had.p


def test_moody_evenings_raise_no_alarm_and_hide_no_effect() -> None:
    rng = np.random.default_rng(9)
    alarms = by_game = found = 0
    for i in range(150):
        values = np.repeat(rng.normal(0, 2, 16), 5) + rng.normal(0, 1, 80)
        on = np.repeat(rng.permutation(16) < 8, 5)
        alarms += p_of_evenings(values, on, True, i) < 0.05
        by_game += p_of_evenings(values, on, False, i) < 0.05
        found += p_of_evenings(values + 6 * on, on, True, i) < 0.05
    assert alarms <= 17 < 40 < by_game
    assert found >= 140
