"""Right numbers and sentences on small lakes whose counts are known."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from pipeline.analysis import build_report, compare
from pipeline.analysis.measure_figures import FIRST_NUMBER
from pipeline.analysis.model import AnalysisError, FigureData, Report, TableData, TitleReport
from tests.analysis.lakes import Game, played_lake, results_lake, winners

CATAN = (8, 18, 14, 10)
"""Wins by seat of the 50 four-player games of Catan that are widely shared; chi-square 4.72."""


def only(report: Report) -> TitleReport:
    (part,) = report.titles
    return part


def figure(part: TitleReport, slug: str) -> FigureData:
    return next(data for data in part.figures if data.slug == slug)


def table(part: TitleReport, slug: str) -> TableData:
    return next(data for data in part.tables if data.slug == slug)


def test_win_shares_of_known_games(tmp_path: Path) -> None:
    part = only(build_report(results_lake(tmp_path, winners(4, *CATAN))))
    frame = figure(part, "seat_share").frame
    assert frame["share"].to_list() == [0.16, 0.36, 0.28, 0.2]
    assert frame["pp"].to_list() == pytest.approx([-9.0, 11.0, 3.0, -5.0])
    # Wilson's 95% interval of 36% at 49 effective games: 50 p(1 - p)/s2, s2 with divisor 49.
    assert frame["pp_low"][1] + 25 == pytest.approx(24.0358, abs=1e-3)
    assert frame["pp_high"][1] + 25 == pytest.approx(49.9998, abs=1e-3)
    assert [seat.verdict for seat in part.verdicts[0].seats] == ["inconclusive"] * 4
    second = part.verdicts[0].seats[1]
    assert f"about {second.games_still_needed:,} more games" in second.sentence
    tests = table(part, "seat_tests").frame.row(0, named=True)
    assert tests["statistic"] == pytest.approx(4.72)
    assert tests["p"] == pytest.approx(0.1935, abs=0.02)
    assert "50 games" in part.headline
    assert part.findings == ()


def test_finish_counts_and_shared_wins(tmp_path: Path) -> None:
    games = [Game((7, 7, 1)), Game((7, 7, 1)), Game((1, 2, 3)), Game((9, 2, 3))]
    part = only(build_report(results_lake(tmp_path, games)))
    frame = figure(part, "finish").frame
    counts = {(s, r): n for s, r, n in frame.select("seat", "rank", "count").iter_rows()}
    assert counts == {
        (0, 1): 3, (0, 2): 0, (0, 3): 1, (1, 1): 2, (1, 2): 1, (1, 3): 1, (2, 1): 1, (2, 2): 1, (2, 3): 2,
    }  # fmt: skip
    assert figure(part, "seat_share").frame["share"].to_list() == [0.5, 0.25, 0.25]


def test_scores_have_right_quantiles_and_leads(tmp_path: Path) -> None:
    games = [Game((score, 10)) for score in (10, 20, 30, 40)]
    frame = figure(only(build_report(results_lake(tmp_path, games))), "scores").frame
    first = frame.row(0, named=True)
    assert (first["q25"], first["median"], first["q75"], first["mean"]) == (15, 25, 35, 25)
    # The mean lead over the game's mean: (25 - 10) / 2, with Student's t on three degrees of freedom.
    assert first["lead"] == pytest.approx(7.5)
    half = 3.1824463 * math.sqrt(sum((x - 7.5) ** 2 for x in (0, 5, 10, 15)) / 3 / 4)
    assert first["lead_high"] == pytest.approx(7.5 + half, abs=1e-6)


HALVES = ((7.5, 9), (8, 8), (10.5, 6.5), (20, 4), (3, 2.5), (6, 11.5))
"""Scores of games of two, in points."""


def halves(kept: int, bonus: float = 0, **more: Any) -> list[Game]:
    """The games of HALVES thirty times, their scores kept times `kept`; `bonus` goes to the first seat."""
    return [Game((int(kept * (a + bonus)), int(kept * b)), **more) for a, b in HALVES * 30]


def test_half_points_are_shown_as_points(tmp_path: Path) -> None:
    """A report on scores that are kept doubled has the numbers of the one on points; only notes differ."""
    games = [*halves(2, options={"x": False}), *halves(2, 2, options={"x": True})]
    plain, part = (only(build_report(results_lake(tmp_path / str(kept), games, factor=kept))) for kept in (1, 2))
    for slug, columns in (
        ("scores", ("q05", "q25", "median", "q75", "q95", "mean", "mean_low", "mean_high", "sd", "lead", "lead_high")),
        ("margin", ("value", "q25", "median", "q75")),
    ):
        doubled, points = figure(plain, slug), figure(part, slug)
        for name in columns:
            assert points.frame[name].to_list() == pytest.approx([v / 2 for v in doubled.frame[name]]), (slug, name)
        assert "Scores are points; the lake, and SQL on it, keeps them in half points." in points.notes
        assert not any("half points" in note for note in doubled.notes)
    assert figure(part, "scores").frame["mean"][0] == pytest.approx(sum(a for a, _ in HALVES) / 6)
    # Margins 0, 0.5, 1.5, 4, 5.5 and 16.
    assert "no x: median 2.75 points, middle half 0.5 to 5.5" in figure(part, "margin").answer
    assert any("half points" in sentence for sentence in part.basis)
    effects = [figure(p, "variant_effects").frame.sort("metric") for p in (plain, part)]
    for metric in ("margin", "total", "score_range"):
        twice, once = (frame.row(by_predicate=pl.col("metric") == metric, named=True) for frame in effects)
        assert once["mean_on"] == pytest.approx(twice["mean_on"] / 2)
        assert (once["g"], once["p"]) == pytest.approx((twice["g"], twice["p"]))


def test_lakes_of_different_score_factors_are_compared_in_points(tmp_path: Path) -> None:
    """The same games, kept doubled in one lake and times four in the other, do not differ."""
    lakes = [results_lake(tmp_path / f"by{kept}", halves(kept), factor=kept) for kept in (2, 4)]
    part = only(compare(lakes[0], "", "", lake_b=lakes[1]))
    means = figure(part, "scores").frame["mean"].to_list()
    assert means[:2] == pytest.approx(means[2:])
    effects = figure(part, "variant_effects").frame
    assert set(effects["metric"]) >= {"margin", "total", "score_range"}
    assert effects["difference"].to_list() == pytest.approx([0.0] * effects.height)


def test_batches_of_different_score_factors_are_counted_in_points(tmp_path: Path) -> None:
    for name, factors in (("same", (6, 6, 6)), ("mixed", (2, 4, 6))):
        for i, factor in enumerate(factors):
            results_lake(tmp_path / name, halves(factor), source=f"evening {i}", file=f"{i}.csv", factor=factor)
    same, mixed = (only(build_report(tmp_path / name)) for name in ("same", "mixed"))
    for slug in ("scores", "margin"):
        one, other = (figure(part, slug).frame.drop("grain", strict=False) for part in (same, mixed))
        for name in one.columns:
            values = one[name].to_list()
            assert other[name].to_list() == (pytest.approx(values) if one[name].dtype.is_float() else values), name
    assert "the lake, and SQL on it, keeps them in points times a score factor" in figure(mixed, "scores").notes[0]


def test_margin_is_between_the_two_best(tmp_path: Path) -> None:
    games = [Game((9, 4, 8)), Game((9, 9, 0)), Game((1, 5, 2))]
    frame = figure(only(build_report(results_lake(tmp_path, games))), "margin").frame
    assert dict(frame.select("value", "count").iter_rows()) == {0: 1, 1: 1, 3: 1}


def test_below_thirty_games_there_is_no_verdict(tmp_path: Path) -> None:
    part = only(build_report(results_lake(tmp_path, winners(2, 12, 0))))
    assert [seat.verdict for seat in part.verdicts[0].seats] == ["no verdict"] * 2
    assert "needs 30 games, has 12" in part.needed[0]
    assert figure(part, "seat_share").frame["pp"].to_list() == [50.0, -50.0]
    # What was seen is told as seen: nothing is shown, so nobody wins "too often".
    first, second = (seat.sentence for seat in part.verdicts[0].seats)
    assert first == (
        "seat 1 won 50.0 percentage points more than its share (95% 25.8 to 50.0); no verdict below 30 games, has 12"
    )
    assert second.startswith("seat 2 won 50.0 percentage points less than its share (95% 25.8 to 50.0); ")
    assert figure(part, "seat_share").answer == f"S{first[1:]}."


def test_an_even_seat_won_its_fair_share_and_a_settled_one_wins_too_often(tmp_path: Path) -> None:
    part = only(build_report(results_lake(tmp_path / "even", winners(2, 20, 20))))
    assert part.verdicts[0].seats[0].sentence.startswith("seat 1 won its fair share (95% -15.0 to 15.0); inconclusive")
    part = only(build_report(results_lake(tmp_path / "off", winners(2, 300, 200))))
    assert "seat 1 wins 10.0 points too often" in part.verdicts[0].seats[0].sentence


def test_a_trend_over_cells_of_one_player_count_says_so(tmp_path: Path) -> None:
    games = [game for deck in "ab" for game in winners(4, 9, 9, 9, 9, options={"deck": deck})]
    headline = only(build_report(results_lake(tmp_path, games))).headline
    assert headline.startswith("Lanterns, 2 cells: 2 undecided (4 players, deck a; 4 players, deck b).")
    assert "Over all cells of 4 players, turn order shows no trend" in headline


def test_the_table_of_cells_has_the_board_once(tmp_path: Path) -> None:
    for seed, board in enumerate(("bird", "lion")):
        played_lake(tmp_path / "qin", 3, "qin", seed=seed, board=board)
    for lake in (tmp_path / "qin", results_lake(tmp_path / "results", winners(2, 3, 3))):
        headings = [column.heading for column in table(only(build_report(lake)), "cells").columns]
        assert len(headings) == len({heading.casefold() for heading in headings})
        assert ("Board" in headings) == (lake.name == "qin")


def test_a_sure_advantage_is_the_first_finding(tmp_path: Path) -> None:
    part = only(build_report(results_lake(tmp_path, winners(2, 300, 200))))
    assert [seat.verdict for seat in part.verdicts[0].seats] == ["advantaged", "disadvantaged"]
    assert part.findings[0].size == "+10.0 percentage points"
    assert part.findings[0].figure == "seat_share"
    assert (
        part.headline
        == "Lanterns with 2 players is not balanced: seat 1 is advantaged, seat 2 is disadvantaged (500 games)."
    )


def test_balanced_cells_are_said_to_be(tmp_path: Path) -> None:
    part = only(build_report(results_lake(tmp_path, winners(2, 1500, 1500))))
    assert part.verdicts[0].balanced is True
    assert "all 2 seats are balanced within 5 points" in part.headline
    assert part.needed == ("Nothing is open: every seat of every cell has its verdict.",)


def test_delta_is_the_callers(tmp_path: Path) -> None:
    lake = results_lake(tmp_path, winners(2, 1500, 1500))
    assert only(build_report(lake, delta=1.0)).verdicts[0].balanced is False
    with pytest.raises(AnalysisError, match="delta is a number of percentage points"):
        build_report(lake, delta=0)


def test_what_is_left_out_and_whether_it_matters(tmp_path: Path) -> None:
    games = [*winners(2, 50, 50), *winners(2, 20, 0, ended="conceded"), Game((None, None), ended="abandoned")]
    part = only(build_report(results_lake(tmp_path, games)))
    assert part.verdicts[0].games == 100
    assert part.left_out[0] == "21 of 121 records were left out: 20 conceded, 1 abandoned."
    # 70 of 120 instead of 50 of 100.
    assert "more than 8.3 points (seat 1, 2 players: +8.3)" in part.left_out[1]
    assert "matters" in part.left_out[1]
    rows = table(part, "exclusions").frame
    assert dict(rows.select("reason", "records").iter_rows()) == {"abandoned": 1, "conceded": 20}
    assert table(part, "shifts").frame["games"].to_list() == [20]


def test_cells_are_told_apart_by_what_differs(tmp_path: Path) -> None:
    games = [
        *winners(2, 3, 3, options={"moons": True, "side": "east"}),
        *winners(2, 3, 3, options={"moons": False, "side": "east"}),
        *winners(3, 2, 2, 2, options={"moons": True, "side": "east"}),
    ]
    part = only(build_report(results_lake(tmp_path, games)))
    assert [cell.label for cell in part.cells] == [
        "2 players, no moons",
        "2 players, with moons",
        "3 players, with moons",
    ]


def test_where_chooses_cells(tmp_path: Path) -> None:
    games = [*winners(2, 3, 3, options={"moons": True}), *winners(3, 2, 2, 2, options={"moons": False})]
    lake = results_lake(tmp_path, games)
    assert [cell.players for cell in only(build_report(lake, where="moons=true")).cells] == [2]
    assert [cell.players for cell in only(build_report(lake, where="players=3")).cells] == [3]
    with pytest.raises(AnalysisError, match='no game has an option "suns"; there are board, moons and players'):
        build_report(lake, where="suns=true")
    with pytest.raises(AnalysisError, match='no games fit "moons=maybe"; moons is true or false'):
        build_report(lake, where="moons=maybe")
    with pytest.raises(AnalysisError, match="NAME=VALUE"):
        build_report(lake, where="moons")


def test_cells_are_chosen_in_the_words_of_the_options_or_by_the_id_of_the_board(tmp_path: Path) -> None:
    """An option may be called `board` too; who writes TRUE means true; who errs is told the values."""
    for seed, board in enumerate(("bird", "lion")):
        played_lake(tmp_path / "lake", 3, "qin", seed=seed, board=board)
    lake = tmp_path / "lake"
    for where in ("board=bird", "board=qin-bird", "board=Bird", "board=bird, absorb_tie=ILLEGAL"):
        assert [cell.board for cell in only(build_report(lake, where=where)).cells] == ["qin-bird"], where
    assert compare(lake, "board=bird", "board=lion").subject == "board lion against board bird"
    hint = "; board is bird, lion, qin-bird or qin-lion$"
    with pytest.raises(AnalysisError, match=f'no games fit "board=eagle"{hint}'):
        build_report(lake, where="board=eagle")
    with pytest.raises(AnalysisError, match=f'no counted game of qin fits "board=eagle"{hint}'):
        compare(lake, "board=eagle", "board=lion")
    assert [cell.label for cell in only(build_report(lake)).cells] == ["3 players, board bird", "3 players, board lion"]


def test_a_value_as_it_is_written_goes_before_upper_and_lower_case(tmp_path: Path) -> None:
    games = [*winners(2, 3, 3, options={"deck": "A"}), *winners(2, 2, 2, options={"deck": "a"})]
    lake = results_lake(tmp_path, games)
    assert [cell.games for cell in only(build_report(lake, where="deck=a")).cells] == [4]


def test_an_empty_lake_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(AnalysisError, match="the lake has no games to report on"):
        build_report(tmp_path / "nothing")


def test_an_unknown_title_names_those_that_are_there(tmp_path: Path) -> None:
    lake = results_lake(tmp_path, winners(2, 3, 3))
    with pytest.raises(AnalysisError, match="it has lanterns"):
        build_report(lake, title="chess")


def test_no_counted_game_at_all(tmp_path: Path) -> None:
    part = only(build_report(results_lake(tmp_path, [Game((3, 4), ended="abandoned")])))
    assert "no games with a result" in part.headline
    assert {data.failure for data in part.figures} == {"needs games that count, has none"}
    assert part.needed == ("2 players: no game counts yet, so there is no verdict.",)


def test_games_that_are_not_replayed_are_no_result(tmp_path: Path) -> None:
    lake = results_lake(tmp_path, winners(2, 25, 15, players=("ann", "bob")), replay=False)
    with pytest.raises(AnalysisError) as fault:
        build_report(lake)
    assert str(fault.value) == "Lanterns: 40 games are not replayed yet, so not counted: run `plybook replay`."
    with pytest.raises(AnalysisError, match="40 games are not replayed yet"):
        compare(lake, "players=2", "players=3")


def test_a_lake_that_is_replayed_in_part_says_so_high_up(tmp_path: Path) -> None:
    results_lake(tmp_path, winners(2, 25, 15))
    lake = results_lake(tmp_path, winners(3, 1, 1, 2), source="late", replay=False)
    part = only(build_report(lake))
    assert part.headline.endswith("more needed). 4 games are not replayed yet, so not counted: run `plybook replay`.")
    assert part.not_replayed == 4
    assert part.needed[-1] == "3 players: no game counts yet, so there is no verdict."
    # Of two titles the other one alone is replayed.
    results_lake(tmp_path, winners(2, 3, 3), title="abacus", source="late", replay=False)
    first, second = build_report(lake).titles
    assert first.headline == "Abacus: 6 games are not replayed yet, so not counted: run `plybook replay`."
    assert second.headline == part.headline


def test_seats_without_a_verdict_in_a_settled_cell_are_open(tmp_path: Path) -> None:
    part = only(build_report(results_lake(tmp_path, winners(3, 100, 90, 60))))
    (line,) = part.verdicts
    verdicts = [seat.verdict for seat in line.seats]
    assert verdicts == ["inconclusive", "inconclusive", "disadvantaged"] and not line.games_still_needed
    more = max(seat.games_still_needed for seat in line.seats)
    assert part.needed == (
        f"3 players: the cell has its verdict; about {more:,} more games to settle seats 1 and 2 too.",
    )
    needed = table(part, "needed")
    assert needed.frame.select("needed", "needed_seats").row(0) == (0, more)
    assert "not what was observed" in needed.note
    assert [column.heading for column in needed.columns if column.name == "detectable"] == [
        "Smallest advantage that these games would show"
    ]


def test_results_only_say_why_figures_are_absent(tmp_path: Path) -> None:
    part = only(build_report(results_lake(tmp_path, winners(3, 20, 20, 20))))
    absent = {data.slug: data.failure for data in part.figures if data.failure}
    assert set(absent) == {
        "skill_adjusted", "score_over_time", "leader_wins", "comeback", "lead_changes", "length", "exchange_hazard",
        "exchange_rate", "exchange_wins", "points_by_source", "variant_effects", "seat_by_variant",
    }  # fmt: skip
    assert absent["length"] == "needs games with moves, these records have results only"
    assert absent["skill_adjusted"] == "needs the players' names, the records have none"
    assert absent["variant_effects"] == "needs two cells that differ in one option only, has none"


def test_known_players_take_the_blame_from_their_seats(tmp_path: Path) -> None:
    # The strong one sits first in 60 games and second in 20, and wins three in four games wherever they sit.
    games = []
    for seats, count in ((("strong", "weak"), 60), (("weak", "strong"), 20)):
        strong = seats.index("strong")
        for i in range(count):
            winner = strong if i % 4 else 1 - strong
            games.append(Game([int(seat == winner) for seat in range(2)], players=seats))
    frame = figure(only(build_report(results_lake(tmp_path, games))), "skill_adjusted").frame
    assert frame["raw"][0] == pytest.approx(12.5)
    assert abs(frame["adjusted"][0]) < 1.0


def test_a_planted_variant_is_found(tmp_path: Path) -> None:
    games = [
        Game((base + (i * 7) % 5 + extra * (seat == i % 2), base), options={"moons": bool(extra)})
        for extra in (0, 6)
        for i in range(60)
        for base, seat in ((10, 0),)
    ]
    part = only(build_report(results_lake(tmp_path, games)))
    frame = figure(part, "variant_effects").frame
    margin = frame.filter(pl.col("metric") == "margin").row(0, named=True)
    on = [abs((i * 7) % 5 + 6 * (i % 2 == 0)) for i in range(60)]
    off = [(i * 7) % 5 for i in range(60)]
    assert margin["difference"] == pytest.approx(sum(on) / 60 - sum(off) / 60)
    assert margin["p_adjusted"] < 0.05
    assert margin["variant"] == "with moons against no moons"
    assert any(finding.figure == "variant_effects" for finding in part.findings)
    seats = figure(part, "seat_by_variant").frame
    assert set(seats["side"]) == {"with", "base"}
    assert table(part, "variants").note == f"Family of the correction: {frame.height} tests."


def test_compare_two_selections(tmp_path: Path) -> None:
    games = [*winners(2, 40, 20, options={"moons": True}), *winners(2, 30, 30, options={"moons": False})]
    lake = results_lake(tmp_path, games)
    report = compare(lake, "moons=false", "moons=true")
    part = only(report)
    assert report.subject == "with moons against no moons"
    frame = figure(part, "seat_by_variant").frame
    first = frame.filter(pl.col("seat") == 0).select("side", "pp").rows()
    assert dict(first) == {"with": pytest.approx(100 / 6), "base": pytest.approx(0.0)}
    with pytest.raises(AnalysisError, match="have games in common"):
        compare(lake, "moons=true", "players=2")


def test_compare_two_lakes(tmp_path: Path) -> None:
    one = results_lake(tmp_path / "old", winners(2, 40, 20))
    two = results_lake(tmp_path / "new", winners(2, 20, 40))
    report = compare(one, "", "", lake_b=two)
    assert report.subject == "lake new against lake old"
    lines = only(report).verdicts
    assert [line.label for line in lines] == ["2 players, lake old", "2 players, lake new"]
    assert [line.seats[0].share for line in lines] == pytest.approx([2 / 3, 1 / 3])


def test_evidence_stops_where_the_e_value_reaches_twenty(tmp_path: Path) -> None:
    frame = figure(only(build_report(results_lake(tmp_path, winners(2, 100, 0)))), "evidence").frame
    assert frame["game"][-1] == 100
    assert frame["log10_e"][-1] > math.log10(20)
    assert frame["log10_e"].is_sorted()


def test_every_figure_of_played_games(kingdoms_report: Report, glory_report: Report) -> None:
    drawn = {
        data.slug
        for report in (kingdoms_report, glory_report)
        for data in only(report).figures
        if not data.failure and data.number < FIRST_NUMBER
    }
    numbers = sorted(data.number for data in only(glory_report).figures if data.number < FIRST_NUMBER)
    assert numbers[:17] == list(range(1, 18))
    assert len(drawn) >= 17
    for data in (*only(kingdoms_report).figures, *only(glory_report).figures):
        if data.failure:
            assert not data.frame.height and data.failure[0].islower()
            continue
        assert data.n > 0 and data.counted and data.unit and data.interval and data.source
        assert data.alt_text.startswith(data.question) and len(data.alt_text) > len(data.question) + 20
        assert data.answer.endswith(".") and data.shown
        assert set(data.shown) <= set(data.frame["cell"])


def test_points_by_source_add_up_to_scores(kingdoms_report: Report) -> None:
    part = only(kingdoms_report)
    sums = (
        figure(part, "points_by_source").frame.group_by("cell", "seat").agg(pl.col("mean").sum()).sort("cell", "seat")
    )
    means = figure(part, "scores").frame.sort("cell", "seat")["mean"]
    # Kingdoms starts with 50 points.
    assert sums["mean"].to_list() == pytest.approx((means - 50).to_list())


def test_the_runaway_index_is_explained_where_it_stands(kingdoms_report: Report, glory_report: Report) -> None:
    found = [
        f for report in (kingdoms_report, glory_report) for f in only(report).findings if f.figure == "leader_wins"
    ]
    assert found
    assert all(f.size.endswith("(0: a lead tells nothing, 1: the leader always wins)") for f in found)


def test_the_command_says_the_title_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from pipeline.commands.report import report

    games = [*winners(2, 40, 20, options={"moons": True}), *winners(2, 30, 30, options={"moons": False})]
    lake = results_lake(tmp_path / "lake", games)
    said = []
    for where, cells in (("moons=true", None), (None, None), (None, ("moons=true", "moons=false"))):
        assert report(lake, tmp_path / "out", "lanterns", where, 5.0, 0, 1, cells) == 0
        said.append("".join(capsys.readouterr()).splitlines()[0])
    assert [line.count("Lanterns") for line in said] == [1, 1, 1]
    assert [line.startswith("Lanterns") for line in said] == [True, True, True]


def test_at_the_end_the_leader_has_won(kingdoms_report: Report) -> None:
    frame = figure(only(kingdoms_report), "leader_wins").frame
    assert frame.filter(pl.col("phase") == 10)["share"].to_list() == [1.0, 1.0]
    start = frame.filter(pl.col("phase") == 0)
    assert start["share"].to_list() == pytest.approx(start["fair"].to_list())


def test_exchange_counts_agree_with_the_turns(kingdoms: Path, kingdoms_report: Report) -> None:
    from pipeline.warehouse import open_warehouse

    with open_warehouse(kingdoms) as warehouse:
        known = warehouse.query("SELECT count(*) AS n, sum(done) AS done FROM opportunities WHERE open = 1")
    frame = figure(only(kingdoms_report), "exchange_hazard").frame
    assert (frame["open"].sum(), frame["done"].sum()) == known.row(0)
    rates = figure(only(kingdoms_report), "exchange_rate").frame
    assert (rates["open"].sum(), rates["done"].sum()) == known.row(0)


def test_who_has_not_drawn_yet(kingdoms: Path, kingdoms_report: Report) -> None:
    from pipeline.warehouse import open_warehouse

    with open_warehouse(kingdoms) as warehouse:
        turns = warehouse.query(
            "SELECT players, game_id, seat, turn, open, done FROM opportunities JOIN games USING (game_id)"
        )
    frame = figure(only(kingdoms_report), "exchange_hazard").frame
    for (players,), mine in turns.group_by("players"):
        at_risk: dict[int, int] = {}
        first: dict[int, int] = {}
        for _, seat in mine.sort("turn").group_by("game_id", "seat", maintain_order=True):
            for turn, open_, done in seat.select("turn", "open", "done").iter_rows():
                round_ = turn // players + 1
                at_risk[round_] = at_risk.get(round_, 0) + open_
                first[round_] = first.get(round_, 0) + done
                if done:
                    break
        not_yet = 1.0
        for row in frame.filter(pl.col("players") == players).sort("round").iter_rows(named=True):
            known = at_risk.get(row["round"], 0)
            assert (row["at_risk"] or 0, row["first_done"] or 0) == (known, first[row["round"]] if known else 0)
            if known:
                not_yet *= 1 - first[row["round"]] / known
                assert row["not_yet"] == pytest.approx(not_yet)


def test_scores_near_the_greatest_stated_ones(tmp_path: Path) -> None:
    greatest = 2**31 - 1
    games = [Game((greatest, -greatest + i)) for i in range(40)] + [Game((-greatest, greatest))] * 40
    frame = figure(only(build_report(results_lake(tmp_path, games))), "scores").frame
    leads = [greatest - i / 2 for i in range(40)] + [-greatest] * 40
    assert frame["lead"][0] == pytest.approx(sum(leads) / 80)
    half = 1.990450210 * math.sqrt(sum((x - sum(leads) / 80) ** 2 for x in leads) / 79 / 80)
    assert frame["lead_high"][0] == pytest.approx(sum(leads) / 80 + half, rel=1e-6)


def test_the_same_lake_gives_the_same_report(kingdoms: Path, kingdoms_report: Report) -> None:
    again = build_report(kingdoms, threads=1)
    for mine, theirs in zip(only(again).figures, only(kingdoms_report).figures, strict=True):
        assert mine.frame.equals(theirs.frame), mine.slug
    assert only(again).findings == only(kingdoms_report).findings
    assert again.provenance == kingdoms_report.provenance


def test_provenance_names_everything(kingdoms_report: Report) -> None:
    facts = kingdoms_report.provenance
    (title,) = facts["titles"]
    assert len(facts["sql_digest"]) == len(title["data_digest"]) == len(title["rules_digest"]) == 64
    assert title["boards"][0]["board"] == "kingdoms-22"
    assert title["boards"][0]["reconstructed"] in (True, False)
    assert title["records"] == 120
    assert len(title["engines"]) == 1


def test_several_titles_are_parts_of_one_report(tmp_path: Path) -> None:
    results_lake(tmp_path, winners(2, 3, 3), title="lanterns")
    results_lake(tmp_path, winners(2, 3, 3), title="abacus")
    report = build_report(tmp_path)
    assert [part.title for part in report.titles] == ["abacus", "lanterns"]
    assert [part.title for part in build_report(tmp_path, title="lanterns").titles] == ["lanterns"]
