"""Studies see what is sound, and see what is broken."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats

from pipeline.commands.study import study
from pipeline.stats import power
from pipeline.stats.seats import SeatShare
from pipeline.stats.verdicts import seat_verdicts
from pipeline.study import STUDIES, StudyError, exchange, load, run_studies, seats, skill, tests_of_seats
from pipeline.study.games import one_seat_off, planted
from pipeline.study.model import Column, Rate, StudyTable, markdown, rate, shown


def column(table: StudyTable, name: str) -> list[Any]:
    at = [c.name for c in table.columns].index(name)
    return [row[at] for row in table.rows]


@pytest.mark.parametrize("name", STUDIES)
def test_every_study_runs_and_repeats_itself(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(skill, "GAMES_A_PLAYER", (50,))
    monkeypatch.setattr(seats, "GAMES", (30, 936))
    monkeypatch.setattr(seats, "PER_GAMES", (Column("30", "percent"), Column("936", "percent")))
    monkeypatch.setattr(seats, "PLAYERS", (2, 4))
    monkeypatch.setattr(exchange, "GAMES", 60)
    first = load(name)(20, 5)
    assert first.name == name
    assert first.rows
    assert all(len(row) == len(first.columns) for row in first.rows)
    if name in ("false_alarms", "labels", "evidence"):
        assert load(name)(20, 5) == first
        assert load(name)(20, 6).rows != first.rows
    assert markdown(first).startswith(f"### {name}: ")


@pytest.mark.parametrize(("games", "share"), [(30, 0.3), (100, 0.65), (7, 0.2)])
def test_exact_coverage_is_the_binomial_sum(games: int, share: float) -> None:
    z = scipy_stats.norm.ppf(0.975)
    covered = 0.0
    for won in range(games + 1):
        # Wilson's interval holds the share exactly when its score test does not reject it; the
        # effective number of games of whole wins is N - 1 (N where all games are alike).
        n = games - 1 if 0 < won < games else games
        if abs(won / games - share) <= z * math.sqrt(share * (1 - share) / n):
            covered += scipy_stats.binom.pmf(won, games, share)
    assert seats.exact_coverage(games, share) == pytest.approx(covered, abs=1e-12)


def test_simulated_coverage_agrees_with_the_exact_one() -> None:
    truth = planted(one_seat_off(3, 0.05))
    exact = seats.seat_coverage(truth, 100, 1, np.random.default_rng(1))
    drawn = planted(one_seat_off(3, 0.05), 1e-12)
    simulated = seats.seat_coverage(drawn, 100, 2000, np.random.default_rng(1))
    for one, other in zip(exact, simulated, strict=True):
        assert other.between(one.value, one.value)
        assert (one.trials, other.trials) == (0, 2000)


def test_too_narrow_an_interval_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = seats.seat_shares

    def narrow(counts: dict[tuple[int, ...], int]) -> tuple[SeatShare, ...]:
        return whole(counts, 0.9)

    monkeypatch.setattr(seats, "GAMES", (400,))
    monkeypatch.setattr(seats, "seat_shares", narrow)
    assert len(seats.coverage(400, 1).missed) > 30


def alarmed_by_the_uncorrected(counts: dict[tuple[int, ...], int], *rest: float) -> Any:
    return seat_verdicts(counts, *rest, correction="none")


def test_verdicts_without_correction_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "GAMES", (400,))
    assert not seats.false_alarms(300, 1).missed
    monkeypatch.setattr(seats, "seat_verdicts", alarmed_by_the_uncorrected)
    missed = seats.false_alarms(300, 1).missed
    assert any(sentence.startswith("5 players") for sentence in missed)


def test_too_few_games_for_the_promised_power_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    table = seats.planted_advantage(300, 1)
    assert not table.missed
    assert min(column(table, "seat 1 advantaged")) > 0.74
    assert max(column(table, "another seat advantaged")) < 0.02
    enough = power.games_to_find
    monkeypatch.setattr(power, "games_to_find", lambda *asked: 2 * enough(*asked) // 3)
    assert len(seats.planted_advantage(300, 1).missed) >= 10


def test_fair_cells_of_936_games_are_called_balanced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "PLAYERS", (4,))
    table = seats.balanced(500, 1)
    assert not table.missed
    assert min(column(table, "936 games")) > 0.75
    assert max(column(table, "100 games")) == 0.0


def test_sessions_that_are_alike_need_clustering() -> None:
    table = tests_of_seats.sessions(300, 1)
    assert not table.missed
    alike = [row for row in table.rows if row[2]]
    assert max(float(row[3] or 0) for row in alike) < 0.92


def test_better_players_first_mislead_raw_shares_and_not_adjusted_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(skill, "GAMES_A_PLAYER", (200,))
    table = skill.skill(160, 1)
    at_random, first = table.rows
    assert abs(float(at_random[4] or 0)) < 0.01
    assert float(first[2] or 0) > 0.1
    assert float(first[3] or 0) < 0.1
    assert abs(float(first[4] or 0)) < 0.02
    assert float(first[5] or 0) > 0.8


def test_only_the_adjusted_association_is_free_of_who_trails() -> None:
    table = exchange.exchange(120, 1)
    assert not table.missed
    _, trailing, worth = table.rows
    assert float(trailing[1] or 0) < -0.08
    assert float(trailing[3] or 0) < 0.7
    assert abs(math.log(float(trailing[5] or 0))) < 0.1
    assert float(worth[5] or 0) > 1.2


def test_a_rate_is_held_to_its_bound_within_simulation_error() -> None:
    assert Rate(0.06, 100).at_most(0.05)
    assert not Rate(0.06, 10_000).at_most(0.05)
    assert not Rate(0.0501).at_most(0.05)
    assert Rate(0.78, 1000).at_least(0.8)
    assert not Rate(0.7, 1000).at_least(0.8)
    assert Rate(0.95).between(0.935, 0.965)
    assert rate([True, False, True, True]) == Rate(0.75, 4)


def test_values_are_shown_in_their_unit() -> None:
    assert shown(0.0512, "percent") == "5.1%"
    assert shown(-0.0001, "points") == "+0.0"
    assert shown(1200, "whole") == "1,200"
    assert shown(None, "percent") == ""
    table = StudyTable("x", "how?", "all", (Column("a", "text"), Column("b", "percent")), (("one", 0.5),), ("no",))
    lines = ["| a   |     b |", "| --- | ----: |", "| one | 50.0% |", "", "Promise, missed: all", "- no"]
    assert markdown(table).splitlines()[2:8] == lines


def test_wrong_use_is_one_sentence() -> None:
    with pytest.raises(StudyError, match='no study "nope"; there are coverage, '):
        list(run_studies(["nope"], 100, 0))
    with pytest.raises(StudyError, match="20 replicates"):
        list(run_studies(None, 5, 0))
    with pytest.raises(StudyError, match="seed"):
        list(run_studies(None, 50, -1))


def test_the_command_prints_and_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert study(["labels"], 80, 0, tmp_path / "out") == 0
    said = capsys.readouterr()
    assert said.out.startswith("### labels: ")
    assert (tmp_path / "out" / "studies.md").read_text() == said.out.removesuffix("\n")
    head, *rows = (tmp_path / "out" / "labels.csv").read_text().splitlines()
    assert head.startswith("games of a session,")
    assert len(rows) == 4


def test_a_missed_promise_is_said_and_is_the_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(seats, "GAMES", (936,))
    monkeypatch.setattr(seats, "PER_GAMES", (Column("936", "percent"),))
    monkeypatch.setattr(seats, "seat_verdicts", alarmed_by_the_uncorrected)
    assert study(["false_alarms"], 300, 0, None) == 1
    assert "promises missed: false_alarms" in capsys.readouterr().err
