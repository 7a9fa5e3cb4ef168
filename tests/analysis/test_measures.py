"""Titles' own measures: against brute force over the records, on a toy title, and as they are declared."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest

from pipeline import titles
from pipeline.analysis import build_report
from pipeline.analysis.measure_figures import FIRST_NUMBER, GRID
from pipeline.analysis.measure_frames import BARS_COLUMNS, Counted, bars_frame, grid_frame
from pipeline.analysis.measure_words import bars_answer
from pipeline.analysis.model import Cell, FigureData, Report
from pipeline.counting import count_selects
from pipeline.records import read_record
from pipeline.replay import check_record
from pipeline.stats.intervals import wilson
from pipeline.stats.means import mean_of
from pipeline.title_counts import TOGETHER, asked_lines, title_selects
from pipeline.titles.contract import Title
from pipeline.titles.measure import Bars, By, Line, Matrix, Places, Starter, When, equal, known
from reports.draw import drawing, sheet
from reports.figures import DRAWN_BY
from tests.analysis.lakes import results_lake, winners
from tests.analysis.test_report import figure, only

Data = dict[str, Any]


def records_of(lake: Path, seed: int = 5) -> list[Data]:
    (log,) = lake.parent.glob(f"{lake.name}-*-{seed}.jsonl")
    return [json.loads(line) for line in log.read_text("utf-8").splitlines()]


def in_epochs(record: Data) -> Iterator[tuple[int, int, Data]]:
    """Ply, epoch and event: an epoch begins where dealing begins."""
    epoch, before = -1, ""
    for ply, event in enumerate(record["events"]):
        epoch += event["action"] == "deal" != before
        before = event["action"]
        yield ply, epoch, event


def cell_of(report: Report, **same: Any) -> str:
    (cell,) = [
        cell for cell in only(report).cells
        if all({**cell.options, "players": cell.players}[name] == value for name, value in same.items())
    ]  # fmt: skip
    return cell.key


def rows_of(data: FigureData, key: str) -> dict[tuple[Any, ...], Data]:
    mine = data.frame.filter(pl.col("cell") == key)
    return {(row["row"], row["seat"]): row for row in mine.iter_rows(named=True)}


# Against the records.


@pytest.mark.parametrize("players", [2, 3])
def test_castles_are_those_of_the_records(kingdoms: Path, kingdoms_report: Report, players: int) -> None:
    records = [record for record in records_of(kingdoms) if len(record["seats"]) == players]
    spent = [Counter[tuple[str, int, int]]() for _ in records]
    for found, record in zip(spent, records, strict=True):
        for _, epoch, event in in_epochs(record):
            if event["action"] == "castle":
                found[event["item"][-1], epoch, event["seat"]] += 1
    rows = rows_of(figure(only(kingdoms_report), "castles_spent"), cell_of(kingdoms_report, players=players))
    assert len(rows) == 4 * 3 * (players + 1)
    for rank in "1234":
        for epoch in range(3):
            for seat in range(players):
                wanted = mean_of(np.array([found[rank, epoch, seat] for found in spent], float))
                row = rows[f"rank {rank}, epoch {epoch + 1}", seat]
                assert row["value"] == pytest.approx(wanted.mean)
                assert (row["low"], row["high"]) == pytest.approx(wanted.interval)
            whole = [sum(found[rank, epoch, seat] for seat in range(players)) for found in spent]
            assert rows[f"rank {rank}, epoch {epoch + 1}", TOGETHER]["total"] == sum(whole)


def test_rates_are_clustered_by_game(kingdoms: Path, kingdoms_report: Report) -> None:
    records = [record for record in records_of(kingdoms) if len(record["seats"]) == 3]
    done, turns = np.zeros(len(records)), np.zeros(len(records))
    for i, record in enumerate(records):
        for _, epoch, event in in_epochs(record):
            if event["action"] != "deal" and epoch == 1 and event["seat"] == 2:
                turns[i] += 1
                done[i] += event["action"] == "castle"
    row = rows_of(figure(only(kingdoms_report), "turn_use"), cell_of(kingdoms_report, players=3))["castle, epoch 2", 2]
    assert (row["total"], row["of"]) == (done.sum(), turns.sum())
    rate = done.sum() / turns.sum()
    n = len(records)
    variance = n / (n - 1) * ((done - rate * turns) ** 2).sum() / turns.sum() ** 2
    trials = rate * (1 - rate) / variance
    assert row["value"] == pytest.approx(100 * rate)
    assert (row["low"], row["high"]) == pytest.approx(tuple(100 * x for x in wilson(rate * trials, trials)))


def test_order_of_epochs_is_that_of_the_records(kingdoms: Path, kingdoms_report: Report) -> None:
    wins: dict[tuple[int, int], list[float]] = defaultdict(list)
    leads: dict[tuple[int, int], list[float]] = defaultdict(list)
    for record in records_of(kingdoms):
        if len(record["seats"]) != 3:
            continue
        check = check_record(read_record(record))
        assert check.ranks is not None
        epochs = {ply: epoch for ply, epoch, _ in in_epochs(record)}
        first = {
            epoch: event["seat"] for _, epoch, event in reversed(list(in_epochs(record))) if event["action"] != "deal"
        }
        made = Counter[tuple[int, int]]()
        for ply, seat, _, _, points in check.score_events:
            made[epochs[ply], seat] += points
        for epoch in (1, 2):
            for seat in range(3):
                position = (seat - first[epoch]) % 3
                wins[epoch, position].append((check.ranks[seat] == 1) / check.ranks.count(1))
                leads[epoch, position].append(made[epoch, seat] - sum(made[epoch, s] for s in range(3)) / 3)
    frame = figure(only(kingdoms_report), "epoch_order").frame
    frame = frame.filter(pl.col("cell") == cell_of(kingdoms_report, players=3))
    assert frame.height == 6
    for row in frame.iter_rows(named=True):
        at = row["epoch"], row["position"]
        assert row["share"] == pytest.approx(np.mean(wins[at]))
        assert row["pp"] == pytest.approx(100 * (np.mean(wins[at]) - 1 / 3))
        wanted = mean_of(np.array(leads[at]))
        assert (row["lead"], row["lead_low"]) == pytest.approx((wanted.mean, wanted.interval and wanted.interval.low))
    assert frame["pp"].sum() == pytest.approx(0) and frame["lead"].sum() == pytest.approx(0)


def test_points_by_place_are_those_of_the_score_events(kingdoms: Path, kingdoms_report: Report) -> None:
    records = [record for record in records_of(kingdoms) if len(record["seats"]) == 2]
    points = np.zeros((len(records), 11))
    for i, record in enumerate(records):
        for _, _, _, place, made in check_record(read_record(record)).score_events:
            points[i, "ABCDE123456".index(place)] += made
    frame = figure(only(kingdoms_report), "points_by_line").frame
    frame = frame.filter(pl.col("cell") == cell_of(kingdoms_report, players=2))
    assert frame["row"].to_list() == list("ABCDE123456")
    assert frame["series"].to_list() == ["row"] * 5 + ["column"] * 6
    for i, row in enumerate(frame.iter_rows(named=True)):
        wanted = mean_of(points[:, i])
        assert (row["value"], row["low"]) == pytest.approx((wanted.mean, wanted.interval and wanted.interval.low))
        assert row["gained"] + row["lost"] == pytest.approx(row["value"])


@pytest.mark.parametrize(("seed", "tasks"), [(5, False), (77, True)])
def test_who_beats_whom_is_that_of_the_records(glory: Path, glory_report: Report, seed: int, tasks: bool) -> None:
    records = records_of(glory, seed)
    beaten = Counter[tuple[int, int]]()
    laid = 0
    for record in records:
        actor = -1
        for event in record["events"]:
            if event["action"] == "lay":
                actor = event["seat"]
                laid += 1
            elif event["action"] == "displace":
                beaten[actor, event["seat"]] += 1
    key = cell_of(glory_report, tasks=tasks)
    frame = figure(only(glory_report), "who_beats_whom").frame.filter(pl.col("cell") == key)
    assert {(row["seat"], row["target"]): row["total"] for row in frame.iter_rows(named=True)} == {
        (seat, target): beaten[seat, target] for seat in range(3) for target in range(3)
    }
    assert frame["value"].sum() == pytest.approx(beaten.total() / len(records))
    acts = rows_of(figure(only(glory_report), "acts"), key)
    assert acts["sets laid", TOGETHER]["total"] == laid
    assert acts["sets beaten", TOGETHER]["total"] == beaten.total()


# Counting.


def test_batches_are_added_up(glory: Path) -> None:
    selects = title_selects(titles.load("call_to_glory"))
    whole, one_by_one = (count_selects(glory, selects, games_at_once=n) for n in (10**9, 1))
    assert set(whole) == set(selects) and whole["games"]["games"].sum() == 80
    for name, frame in whole.items():
        assert frame.height and frame.equals(one_by_one[name])


def test_the_same_lake_the_same_figures(kingdoms: Path, kingdoms_report: Report) -> None:
    again = only(build_report(kingdoms, threads=1))
    for data, other in zip(only(kingdoms_report).figures, again.figures, strict=True):
        if data.number >= FIRST_NUMBER:
            assert data.frame.equals(other.frame) and data.answer == other.answer and data.notes == other.notes


HOSTILE = 'odd "name"; --'
TOY = (
    # game, turn, seat, epoch, act, odd (-1: unknown)
    (1, 0, 0, 0, 1, 5), (1, 1, 1, 0, 0, -1), (1, 2, 0, 0, 1, 2), (1, 3, 1, 0, 1, 4),
    (2, 0, 0, 0, 0, 3), (2, 1, 1, 0, 1, 1), (2, 2, 0, 1, 2, 6), (2, 3, 1, 1, 0, 0),
    (3, 0, 0, 0, 1, 9), (3, 1, 1, 0, 1, 9),
)  # fmt: skip
"""Game 3 does not count."""


def toy(*measures: Bars | Matrix) -> tuple[Title, Counted]:
    """A title with these measures, and what is counted of the turns above."""
    title = replace(titles.load("kingdoms"), name="toy", measures=measures)
    connection = duckdb.connect()
    quoted = '"' + HOSTILE.replace('"', '""') + '"'
    connection.execute(
        "CREATE TABLE game_facts (game_id BIGINT, title VARCHAR, board VARCHAR, options VARCHAR, players TINYINT,"
        "left_out VARCHAR, plies INTEGER)"
    )
    for game, left_out in ((1, None), (2, None), (3, "conceded"), (4, None)):
        # Game 4 has a result only.
        row = [game, "toy", "b", "{}", 2, left_out, 0 if game == 4 else 10]
        connection.execute("INSERT INTO game_facts VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    connection.execute(
        "CREATE TABLE turns_toy (game_id BIGINT, turn INTEGER, seat TINYINT, epoch SMALLINT, act INTEGER,"
        f"{quoted} INTEGER)"
    )
    connection.executemany("INSERT INTO turns_toy VALUES (?, ?, ?, ?, ?, ?)", TOY)
    cell = Cell("c1", "2 players", "toy", "b", {}, 2, 3, 3)
    frames = {
        name: pl.DataFrame(connection.sql(select.text).to_arrow_table()).with_columns(pl.lit("c1").alias("cell"))
        for name, select in title_selects(title).items()
    }
    return title, Counted([cell], frames, {})


def values(measure: Bars) -> dict[tuple[str, int], tuple[int, int, int]]:
    """By row and seat: games, numerator, denominator."""
    _, counted = toy(measure)
    frame = bars_frame(counted, measure)
    assert dict(frame.schema) == BARS_COLUMNS
    return {(r["row"], r["seat"]): (r["n"], r["total"], r["of"]) for r in frame.iter_rows(named=True)}


def test_unknown_is_no_denominator() -> None:
    lines = (
        Line("mean", add=(HOSTILE,)),
        Line("signed", add=(HOSTILE,), signed=True),
        Line("rate", where=(When("act"),), among=(known(HOSTILE),)),
        Line("ratio", add=("act",), over=("act", HOSTILE)),
        Line("never", among=(equal("act", 7),)),
    )
    found = values(Bars("m", "Why?", "points", lines, per="turn"))
    assert found["mean", 0] == (2, 5 + 2 + 3 + 6, 4)
    assert found["mean", 1] == (2, 4 + 1 + 0, 3)
    assert found["mean", TOGETHER] == (2, 21, 7)
    assert found["signed", 1] == (2, 4, 4)
    assert found["rate", 1] == (2, 2, 3)
    assert found["ratio", 1] == (2, 2, 2 + 5)
    assert not [row for row, _ in found if row == "never"]


def test_a_game_with_something_unknown_is_left_out_of_a_mean_a_game() -> None:
    lines = (
        Line("sum", add=(HOSTILE,)),
        Line("of acts", add=(HOSTILE,), where=(When("act"),)),
        Line("times", where=(When("act"),)),
        Line("left", most=(HOSTILE,), less=("act",)),
        Line("never", where=(equal("act", 7),)),
    )
    found = values(Bars("m", "Why?", "points a game", lines))
    assert found["sum", 0] == (2, 16, 2)
    assert found["sum", 1] == (1, 1, 1)
    assert found["sum", TOGETHER] == (1, 10, 1)
    # The unknown one is of a turn that does not count here.
    assert found["of acts", 1] == (2, 5, 2)
    assert found["times", TOGETHER] == (2, 5, 2)
    assert found["left", 0] == (2, (5 - 2) + (6 - 2), 2)
    assert found["never", 0] == (2, 0, 2)


def test_parts_have_their_words() -> None:
    by = By("act", ((1, "one"), (2, "two")))
    found = values(Bars("m", "Why?", "times a game", (Line("turns"),), by=by))
    # One line needs no name beside its parts; values without a word are left out.
    assert found == {
        ("one", 0): (2, 2, 2), ("one", 1): (2, 2, 2), ("one", TOGETHER): (2, 4, 2),
        ("two", 0): (2, 1, 2), ("two", 1): (2, 0, 2), ("two", TOGETHER): (2, 1, 2),
    }  # fmt: skip
    by_epoch = Bars("m", "Why?", "percent", (Line("a", where=(When("act"),)), Line("b")), "turn", True, EPOCHS)
    found = values(by_epoch)
    assert found["a, first", 0] == (2, 2, 3) and found["a, second", TOGETHER] == (1, 1, 2)


EPOCHS = By("epoch", ((0, "first"), (1, "second")))


def test_without_seats_there_is_one_mark_a_series() -> None:
    lines = (Line("act", add=("act",), series="done"), Line("act", series="turns"))
    _, counted = toy(measure := Bars("m", "Why?", "a game", lines, seats=False))
    frame = bars_frame(counted, measure)
    assert frame.select("row", "series", "seat", "total").rows() == [
        ("act", "done", TOGETHER, 6), ("act", "turns", TOGETHER, 8)
    ]  # fmt: skip


# Sentences.


def bars_rows(*rows: tuple[str, int, float, float]) -> pl.DataFrame:
    """Rows of label, seat, value and half an interval."""
    made = [("c1", row, None, seat, 100, 1, 1, value, value - half, value + half) for row, seat, value, half in rows]
    return pl.DataFrame(made, schema=BARS_COLUMNS, orient="row")


MEASURE = Bars("m", "Why?", "points a game", (Line("x"), Line("y")))


def test_a_difference_is_told_only_when_it_is_more_than_chance() -> None:
    close = bars_rows(
        ("x", -1, 5.0, 0.5), ("x", 0, 2.0, 0.3), ("x", 1, 3.0, 0.6), ("y", 0, 1.0, 0.0), ("y", 1, 2.0, 0.0)
    )
    # Two pairs, so 1.0 is below 2.24/1.96 of 0.9; and what rules fix is no finding.
    assert bars_answer(MEASURE, close).endswith("; no two seats differ by more than chance")
    apart = bars_rows(("x", 0, 2.0, 0.3), ("x", 1, 3.1, 0.6))
    assert bars_answer(MEASURE, apart).endswith("seats differ most in x: 2 (1st) against 3.1 (2nd), more than chance")


# As they are declared.


@pytest.mark.parametrize("name", titles.TITLES)
def test_measures_name_what_the_title_has(name: str) -> None:
    title = titles.load(name)
    facts = {fact.name for fact in title.facts}
    board = title.board_id({**title.complete_options({}, title.seats[0]), "players": title.seats[0]})
    book = title.book(board)
    slugs = [measure.slug for measure in title.measures]
    assert title.measures and len(set(slugs)) == len(slugs) and not set(slugs) & set(DRAWN_BY)
    for measure in title.measures:
        assert measure.question.endswith("?") and measure.unit
        for asked in asked_lines(measure):
            named = [
                *asked.line.summed,
                *asked.line.most,
                *(when.fact for when in (*asked.line.where, *asked.line.among)),
            ]
            assert set(named) <= facts, (measure.slug, asked.line.label)
            assert asked.by is None or asked.by.fact in facts | {"epoch"}
            assert not (asked.line.most and (asked.by or not asked.per_game))
        if isinstance(measure, Bars) and measure.by is not None and measure.by.kind:
            assert measure.by.kind == "score_place"
        if isinstance(measure, Places):
            assert set(measure.sources) <= set(book.sources)
            if measure.grid:
                squares = {column + row for row in measure.grid.rows for column in measure.grid.columns}
                assert squares == set(book.score_places)


def test_results_only_games_have_no_measures(tmp_path: Path) -> None:
    part = only(build_report(results_lake(tmp_path / "known", winners(3, 5, 5, 5), title="kingdoms")))
    own = [data for data in part.figures if data.number >= FIRST_NUMBER]
    assert len(own) == len(titles.load("kingdoms").measures)
    assert all("needs games with moves" in str(data.failure) for data in own)
    assert not [table for table in part.tables if table.slug == "measures"]


def test_titles_without_measures_have_no_further_figures(tmp_path: Path) -> None:
    part = only(build_report(results_lake(tmp_path / "unknown", winners(3, 5, 5, 5))))
    assert max(data.number for data in part.figures) < FIRST_NUMBER
    assert title_selects(replace(titles.load("kingdoms"), measures=())) == {}


def test_the_table_has_all_seats_together(kingdoms_report: Report) -> None:
    part = only(kingdoms_report)
    (table,) = [table for table in part.tables if table.slug == "measures"]
    castles = table.frame.filter(
        pl.col("question") == "When is each castle spent?", pl.col("what") == "rank 1, epoch 1"
    )
    rows = figure(part, "castles_spent").frame.filter(pl.col("row") == "rank 1, epoch 1", pl.col("seat") == TOGETHER)
    assert castles["value"].to_list() == rows["value"].to_list() and castles.height == 2


def test_a_board_of_squares_is_drawn_whole() -> None:
    measure = next(m for m in titles.load("qin").measures if isinstance(m, Places) and m.grid)
    assert measure.grid is not None
    cell = Cell("c1", "3 players", "qin", "qin-bird", {}, 3, 50, 50)
    rows = [("c1", "province", 14, 30, 40, 35), ("c1", "village", 0, 5, 5, 5)]
    names = ("cell", "source", "place", "points", "points_squares", "gained")
    places = dict(enumerate(titles.load("qin").book("qin-bird").score_places))
    games = pl.DataFrame({"cell": ["c1"], "games": [50]})
    frames = {"games": games, measure.slug: pl.DataFrame(rows, schema=names, orient="row")}
    frame = grid_frame(Counted([cell], frames, {("qin-bird", "score_place"): places}), measure, measure.grid)
    assert frame.height == 2 * 169
    made = frame.filter(pl.col("gained") > 0)
    assert made.select("series", "across", "down", "gained", "lost", "value").rows() == [
        ("province", "b", "2", 0.7, pytest.approx(-0.1), 0.6), ("village", "a", "1", 0.1, 0.0, 0.1)
    ]  # fmt: skip
    data = FigureData(
        number=24, slug=measure.slug, question="Where?", answer="There.", n=50, counted="games", unit="pagodas",
        frame=frame.with_columns(label=pl.lit("3 players"), players=pl.lit(3), games=pl.lit(50)), interval="",
        source="", alt_text="Where?", shown=("c1",), look=GRID,
    )  # fmt: skip
    with drawing():
        maps = sheet(data).figure.axes
    # A frame, and a square for each place with points.
    assert [len(axes.patches) for axes in maps] == [2, 2]


def test_who_starts_is_said_to_be_an_association(kingdoms_report: Report) -> None:
    data = figure(only(kingdoms_report), "epoch_order")
    measure = next(m for m in titles.load("kingdoms").measures if isinstance(m, Starter))
    assert measure.rule in data.notes[0] and "association" in data.notes[0]
