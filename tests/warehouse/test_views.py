"""The views say of the sample lake what its records say one by one."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest

from pipeline.catalogue import catalogue
from pipeline.codebooks import codebook_table
from pipeline.lake import Batch, Lake
from pipeline.lake_views import WarehouseError, read_sources
from pipeline.records import decode_event, read_record
from pipeline.replay import Check, check_record
from pipeline.titles import load
from pipeline.warehouse import Warehouse, open_warehouse, view_files, view_names
from schemas import GAMES, MOVES, REJECTS, SEATS, TABLES
from tests.warehouse.sample import CHINA_RESULTS, kingdoms_records, left_out

REASONS = Counter(reason for reason, _ in left_out())
COUNTS = [view.name for view in view_files() if view.layer == "counts"]


@pytest.fixture(scope="module")
def checks() -> list[tuple[dict[str, Any], Check]]:
    """Each finished game with what the replay of it alone says."""
    return [(record, check_record(read_record(record))) for record in kingdoms_records()]


def test_records_in_are_games_and_rejects(warehouse: Warehouse) -> None:
    games = warehouse.query("games").height
    rejects = warehouse.query("rejects").height
    records = warehouse.query("batches")["records"].sum()
    assert records == games + rejects == 50 + 3 + sum(REASONS.values())
    assert rejects == sum(REASONS[reason] for reason in ("faulty", "duplicate", "conflict", "unreadable"))


def test_counted_and_left_out_are_all_records(warehouse: Warehouse) -> None:
    counted = warehouse.query("cells")["counted"].sum()
    counts = warehouse.query("left_out_counts")
    assert counted == 53
    assert counted + counts["records"].sum() == warehouse.query("batches")["records"].sum()
    found = dict(counts.group_by("reason").agg(pl.col("records").sum()).iter_rows())
    assert found == REASONS


def test_a_game_that_the_replay_rejected_is_nowhere_but_in_rejects(warehouse: Warehouse) -> None:
    faulty = warehouse.query("SELECT id, game_id FROM rejects WHERE stage = 'replay'")
    assert set(faulty["id"]) == {"odd-3", "odd-4", "odd-5"}
    assert set(faulty["game_id"]) <= set(warehouse.query("recorded_games")["game_id"])
    for view in ("games", "seats", "moves", "outcomes", "score_events", "turns", "game_facts", "turns_kingdoms"):
        assert not set(faulty["game_id"]) & set(warehouse.query(view)["game_id"]), view


def test_a_duplicate_does_not_take_its_game_away(warehouse: Warehouse) -> None:
    twice = warehouse.query("SELECT game_id FROM rejects WHERE fault IN ('duplicate', 'conflict')")
    assert twice.height == 2
    assert set(twice["game_id"]) <= set(warehouse.query("games")["game_id"])


@pytest.mark.parametrize("view", sorted(view_names()))
def test_the_key_tells_rows_apart_and_sorts_them(warehouse: Warehouse, view: str) -> None:
    key = next(found.key for found in catalogue() if found.name == view)
    rows = warehouse.query(view)
    assert key and rows.select(key).is_unique().all()
    assert rows.equals(rows.sort(key, nulls_last=True))


@pytest.mark.parametrize("view", COUNTS)
def test_counts_are_whole_numbers(warehouse: Warehouse, view: str) -> None:
    rows = warehouse.query(view)
    key = next(found.key for found in catalogue() if found.name == view)
    assert not rows.is_empty()
    squares = {"score_squares", "excess_squares"} if view == "seat_counts" else set()
    assert {rows.schema[name] for name in rows.columns if name not in {*key, *squares}} == {pl.Int64}
    assert {rows.schema[name] for name in squares} <= {pl.Decimal(38, 0)}


def test_seat_counts_are_those_of_the_games_one_by_one(
    warehouse: Warehouse, checks: list[tuple[dict[str, Any], Check]]
) -> None:
    wanted: dict[tuple[int, int], list[int]] = {}
    for _, check in checks:
        assert check.scores and check.ranks
        players = len(check.scores)
        winners = check.ranks.count(1)
        for seat, (score, rank) in enumerate(zip(check.scores, check.ranks, strict=True)):
            share = 60 // winners if rank == 1 else 0
            excess = score * players - sum(check.scores)
            row = [1, share, share**2, share == 60, 0 < share < 60, rank, 1, score, score**2, excess, excess**2]
            sums = wanted.setdefault((players, seat), [0] * len(row))
            wanted[players, seat] = [a + b for a, b in zip(sums, row, strict=True)]
    rows = warehouse.query("seat_counts", title="kingdoms").drop("title", "board", "options")
    assert {(row[0], row[1]): list(row[2:]) for row in rows.iter_rows()} == wanted


def test_patterns_finishes_scores_and_margins(warehouse: Warehouse, checks: list[tuple[dict[str, Any], Check]]) -> None:
    ranks: Counter[tuple[int, ...]] = Counter()
    finishes: Counter[tuple[int, int, int]] = Counter()
    scores: Counter[tuple[int, int, int]] = Counter()
    margins: Counter[tuple[int, int, int]] = Counter()
    for _, check in checks:
        assert check.scores and check.ranks
        players = len(check.scores)
        ranks[tuple(check.ranks)] += 1
        finishes.update((players, seat, rank) for seat, rank in enumerate(check.ranks))
        scores.update((players, seat, score) for seat, score in enumerate(check.scores))
        best, second, *_ = sorted(check.scores, reverse=True)
        margins[players, best - second, best - min(check.scores)] += 1

    def rows(view: str, *columns: str) -> list[tuple[Any, ...]]:
        return list(warehouse.query(view, title="kingdoms").select(*columns, "games").iter_rows())

    assert {tuple(pattern): n for pattern, n in rows("rank_patterns", "pattern")} == ranks
    assert {tuple(row[:3]): row[3] for row in rows("finish_counts", "players", "seat", "rank")} == finishes
    assert {tuple(row[:3]): row[3] for row in rows("score_counts", "players", "seat", "score")} == scores
    found = rows("margin_counts", "players", "margin", "score_range")
    assert {tuple(row[:3]): row[3] for row in found} == margins
    wins = {tuple(pattern): n for pattern, n in rows("win_patterns", "pattern")}
    wanted: Counter[tuple[int, ...]] = Counter()
    for pattern, n in ranks.items():
        wanted[tuple(60 // pattern.count(1) if rank == 1 else 0 for rank in pattern)] += n
    assert wins == wanted


def test_points_by_source(warehouse: Warehouse, checks: list[tuple[dict[str, Any], Check]]) -> None:
    wanted: dict[tuple[int, str, int], list[int]] = {}
    for _, check in checks:
        a_game: dict[tuple[int, str, int], list[int]] = {}
        for _, seat, source, _, points in check.score_events:
            key = (len(check.scores or ()), source, seat)
            events = a_game.setdefault(key, [])
            events.append(points)
        for key, events in a_game.items():
            row = [
                1, len(events), sum(events), sum(events) ** 2,
                sum(p for p in events if p > 0), sum(p for p in events if p < 0),
            ]  # fmt: skip
            wanted[key] = [a + b for a, b in zip(wanted.get(key, [0] * 6), row, strict=True)]
    rows = warehouse.query("source_counts").drop("title", "board", "options")
    assert {row[:3]: list(row[3:]) for row in rows.iter_rows()} == wanted


def test_scores_over_time_and_leaders(warehouse: Warehouse, checks: list[tuple[dict[str, Any], Check]]) -> None:
    phases: Counter[tuple[int, int, int, int]] = Counter()
    leaders: dict[tuple[int, int, int], list[int]] = {}
    for record, check in checks:
        assert check.scores and check.ranks
        players, plies = len(check.scores), len(record["events"])
        shares = [60 // check.ranks.count(1) if rank == 1 else 0 for rank in check.ranks]
        for phase in range(11):
            then = [50] * players
            for ply, seat, _, _, points in check.score_events:
                # The event has been when it is among the first phase/10 of all events.
                if 10 * (ply + 1) <= phase * plies:
                    then[seat] += points
            phases.update((players, phase, seat, score) for seat, score in enumerate(then))
            for score, share in zip(then, shares, strict=True):
                lead = 60 // then.count(max(then)) if score == max(then) else 0
                row = [1, lead, share, lead * share]
                key = (players, phase, max(then) - score)
                leaders[key] = [a + b for a, b in zip(leaders.get(key, [0] * 4), row, strict=True)]
    rows = warehouse.query("phase_counts").drop("title", "board", "options")
    assert {row[:4]: row[4] for row in rows.iter_rows()} == phases
    rows = warehouse.query("leader_counts").drop("title", "board", "options")
    assert {row[:3]: list(row[3:]) for row in rows.iter_rows()} == leaders


def test_points_by_turn_sum_to_the_outcome(warehouse: Warehouse) -> None:
    points = warehouse.query("turn_points").group_by("game_id", "seat").agg(pl.col("points").sum())
    joined = points.join(warehouse.query("seat_facts", left_out=None), on=["game_id", "seat"])
    assert joined.height == 25 * 2 + 25 * 3
    assert (joined["points"] + 50 == joined["score"]).all()
    turns = warehouse.query("SELECT max(turn) AS last, max(turns) AS turns FROM moves JOIN game_facts USING (game_id)")
    assert turns.row(0)[0] == turns.row(0)[1] - 1


def test_opportunities_are_the_titles_facts(warehouse: Warehouse) -> None:
    facts = warehouse.query("turns_kingdoms").select("game_id", "turn", "can_draw", "can_castle", "drew")
    rows = warehouse.query("opportunities").select("game_id", "turn", "open", "other", "done")
    assert facts.rename({"can_draw": "open", "can_castle": "other", "drew": "done"}).equals(rows)
    counts = warehouse.query("opportunity_counts")
    counted = rows.join(warehouse.query("game_facts", left_out=None), on="game_id")
    assert counts["turns"].sum() == counts["known"].sum() == counted.height
    assert counts["done"].sum() == counted["done"].sum() == (counts["chosen"] + counts["forced"]).sum()
    assert counts["choice"].sum() == counted.filter((pl.col("open") == 1) & (pl.col("other") == 1)).height


def test_moves_in_words_are_the_records_words(warehouse: Warehouse) -> None:
    record = kingdoms_records()[0]
    game = warehouse.query("games", id=record["id"]).row(0, named=True)
    rows = warehouse.query("moves_in_words", game_id=game["game_id"])
    fields = ("seat", "action", "item", "place", "target", "amount")
    assert [tuple(event.get(field) for field in fields) for event in record["events"]] == list(
        rows.select(fields).iter_rows()
    )


def test_score_events_in_words(warehouse: Warehouse, checks: list[tuple[dict[str, Any], Check]]) -> None:
    record, check = checks[30]
    game = warehouse.query("games", id=record["id"]).row(0, named=True)
    rows = warehouse.query("score_events_in_words", game_id=game["game_id"])
    assert sorted(rows.drop("game_id").iter_rows()) == check.score_events


def test_options_stand_apart(warehouse: Warehouse) -> None:
    rows = warehouse.query("SELECT id, value FROM game_options JOIN games USING (game_id) WHERE option = 'fortresses'")
    assert list(rows["value"]) == [str(options["fortresses"]).lower() for options, _, _ in CHINA_RESULTS]


def test_results_only_games_count(warehouse: Warehouse) -> None:
    rows = warehouse.query("seat_facts", title="china").sort("game_id", "seat")
    found = sorted(rows.group_by("game_id").agg("score", "win60").select("score", "win60").iter_rows())
    assert found == [([18, 12, 9], [60, 0, 0]), ([22, 30, 30], [0, 30, 30]), ([31, 27, 40], [0, 0, 60])]


def test_left_out_games_with_a_stated_result(warehouse: Warehouse) -> None:
    rows = warehouse.query("left_out_seat_counts").select("reason", "seat", "games", "win60")
    conceded = [row for row in rows.iter_rows() if row[0] == "conceded"]
    assert conceded == [("conceded", 0, 1, 0), ("conceded", 1, 1, 60)]
    assert warehouse.query("left_out_counts")["with_result"].sum() == 3


def test_an_empty_lake_has_the_same_columns(warehouse: Warehouse, tmp_path: Path) -> None:
    with open_warehouse(tmp_path / "nothing") as empty:
        for view in sorted(view_names()):
            rows = empty.query(view)
            assert rows.is_empty(), view
            assert rows.schema == warehouse.query(view).schema, view
    assert not (tmp_path / "nothing").exists()


def test_what_is_half_written_is_not_read(lake: Path, tmp_path: Path) -> None:
    copy = tmp_path / "lake's copy"
    shutil.copytree(lake, copy)
    batch = Lake(copy).batches()[0]
    shutil.copytree(copy / "batches" / batch, copy / "batches" / "kingdoms-half")
    (copy / "batches" / "kingdoms-half" / "manifest.json").unlink()
    (copy / "batches" / "kingdoms-half" / "games.parquet").write_bytes(b"half")
    with open_warehouse(copy) as found:
        assert found.query("games").height == 56


def test_a_batch_that_has_not_been_replayed(lake: Path, tmp_path: Path) -> None:
    copy = tmp_path / "lake"
    shutil.copytree(lake, copy)
    batch = next(name for name in Lake(copy).batches() if Lake(copy).manifest(name)["games"] == 50)
    shutil.rmtree(copy / "replays" / batch)
    with open_warehouse(copy) as found:
        assert found.query("games").height == 56
        assert found.query("batches", batch=batch)["replayed"].to_list() == [False]
        counts = found.query("left_out_counts", reason="not replayed")
        assert counts["records"].sum() == 50
        assert found.query("cells", title="kingdoms")["counted"].sum() == 0


def test_some_batches_alone(lake: Path) -> None:
    china = [batch for batch in Lake(lake).batches() if batch.startswith("china")]
    with open_warehouse(lake, batches=china) as found:
        assert set(found.query("games")["title"]) == {"china"}
        assert set(found.query("seat_counts")["title"]) == {"china"}


def test_another_schema_version_is_refused(lake: Path, tmp_path: Path) -> None:
    copy = tmp_path / "lake"
    shutil.copytree(lake, copy)
    manifest = copy / "batches" / Lake(copy).batches()[0] / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"schema_version": 1', '"schema_version": 0'))
    with pytest.raises(WarehouseError, match="schema version 0, this is version 1"):
        read_sources(copy)


def test_an_unknown_view_is_one_sentence(warehouse: Warehouse) -> None:
    with pytest.raises(WarehouseError, match="there is no view 'seat_count'"):
        warehouse.query("seat_count")


def test_nothing_is_left_on_the_disk(lake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with open_warehouse(lake, memory_mb=64) as found:
        rows = found.query("SELECT range AS i FROM range(3000000) ORDER BY hash(range)")
        assert rows.height == 3000000
        assert len(list(tmp_path.iterdir())) == 1
    assert not list(tmp_path.iterdir())


def test_rows_stream(warehouse: Warehouse) -> None:
    with warehouse.stream("moves", rows=2048) as reader:
        sizes = [batch.num_rows for batch in reader]
    assert sum(sizes) == warehouse.query("moves").height
    assert max(sizes) <= 2048 < sum(sizes)


def test_states_of_a_title_are_a_view(lake: Path, tmp_path: Path) -> None:
    copy = tmp_path / "lake"
    shutil.copytree(lake, copy)
    (copy / "states").mkdir()
    rows = pa.table({"game_id": [7], "ply": pa.array([-1], pa.int32()), "state_epoch": [0]})
    pa.parquet.write_table(rows, copy / "states" / "kingdoms.parquet")
    with open_warehouse(copy) as found:
        assert found.query("states_kingdoms").row(0) == (7, -1, 0)
        assert found.query("states_china").is_empty()


def test_a_target_that_is_a_seat_is_no_place(tmp_path: Path) -> None:
    """Chang Cheng has words for targets, and an action whose target is a seat: code 0 is both."""
    title = load("chang_cheng")
    board = title.board_id(title.complete_options({}, 2))
    book = title.book(board)
    events = [
        {"seat": 0, "action": "double", "place": book.places[3], "target": book.targets[0]},
        {"seat": 1, "action": "warrior", "item": 3, "place": book.places[5], "target": 0},
    ]
    codes = [_codes(event, book) for event in events]
    assert [decode_event(row, book)["target"] for row in codes] == [book.targets[0], 0]
    lake = Lake(tmp_path)
    with lake.lock():
        lake.commit(_one_game("chang_cheng", board, codes))
        lake.write_codebook("chang_cheng", board, codebook_table("chang_cheng", board))
    with open_warehouse(tmp_path) as found:
        assert found.query("moves_in_words")["target"].to_list() == [book.targets[0], "seat 0"]


def _codes(event: dict[str, Any], book: Any) -> tuple[int, ...]:
    target = event["target"]
    return (
        event["seat"],
        book.action_code[event["action"]],
        book.item_code.get(event.get("item"), -1),
        book.place_code[event["place"]],
        target if isinstance(target, int) else book.target_code[target],
        -1,
    )


def _one_game(title: str, board: str, codes: list[tuple[int, ...]]) -> Batch:
    game = {
        "game_id": 1, "title": title, "source": "s", "id": "1", "played_at": None, "options": "{}", "board": board,
        "ended": "finished", "players": 2, "plies": len(codes), "digest": 1, "file": "f", "line": 1,
    }  # fmt: skip
    seat = {"player": None, "kind": "human", "source_seat": None, "stated_score": None, "stated_rank": None}
    names = ("seat", "action", "item", "place", "target", "amount")
    moves = [
        {"game_id": 1, "ply": ply, "turn": ply}
        | {name: None if code < 0 else code for name, code in zip(names, row, strict=True)}
        for ply, row in enumerate(codes)
    ]
    return Batch(
        title,
        pa.Table.from_pylist([game], schema=GAMES.schema),
        pa.Table.from_pylist([{"game_id": 1, "seat": i, **seat} for i in range(2)], schema=SEATS.schema),
        pa.Table.from_pylist(moves, schema=MOVES.schema),
        REJECTS.empty(),
        1,
    )


def test_view_names_are_no_words_of_sql_and_say_what_they_hold() -> None:
    for name in view_names():
        assert name.isidentifier() and name.islower()
    assert {table.name for table in TABLES} - {"states"} <= view_names()
