"""Results-only tables: right values, kinds of tables, and what is wrong with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest

from pipeline.identity import content_digest, game_number
from pipeline.ingest.results import read_results
from pipeline.ingest.results_mapping import Form
from pipeline.lake import Lake
from pipeline.outcomes import outcomes_from_results
from schemas import GAMES, OUTCOMES, SEATS, check
from tests.ingest.results_helpers import faults, read, results_of, seats_of

SAMPLE = Path(__file__).parents[2] / "data" / "samples" / "harbour-lanterns.csv"


# Right values


def test_sample_gives_its_right_values(tmp_path: Path) -> None:
    result = read_results(SAMPLE, "harbour_lanterns", Form(timezone="Europe/Budapest"))
    games, seats = result.batch.games, result.batch.seats
    assert (result.batch.records, games.num_rows, result.batch.rejects.num_rows) == (40, 40, 0)
    outcomes = outcomes_from_results(games, seats)
    check(outcomes, OUTCOMES)
    frame = pl.DataFrame(pl.from_arrow(outcomes)).join(
        pl.DataFrame(pl.from_arrow(games.select(["game_id", "players", "ended"]))), on="game_id"
    )
    assert frame.filter(pl.col("ended") == "abandoned")["rank"].is_null().all()
    finished = frame.filter(pl.col("ended") == "finished")
    sums = finished.group_by("players", "seat").agg(pl.len(), pl.col("win60", "score").cast(pl.Int64).sum())
    # Summed up from the file by hand, with fractions: 2 of 27 games of four have two winners.
    assert sums.sort("players", "seat").rows() == [
        (3, 0, 12, 240, 542), (3, 1, 12, 300, 536), (3, 2, 12, 180, 541),
        (4, 0, 27, 320, 1099), (4, 1, 27, 650, 1219), (4, 2, 27, 470, 1201), (4, 3, 27, 180, 1102),
    ]  # fmt: skip
    first = games.to_pylist()[games["id"].to_pylist().index("L01")]
    assert first["played_at"].isoformat() == "2026-01-14T23:00:00+00:00"
    assert (first["line"], first["players"], first["plies"], first["source"]) == (2, 4, 0, "harbour-lanterns")
    assert first["options"] == '{"variant":"no tax"}'
    assert seats_of(result.batch)["L01"] == [
        (0, "Anna", "1", 44, 4), (1, "Máté", "2", 48, 1), (2, "Bence", "3", 48, 1), (3, "Zsófia", "4", 45, 3),
    ]  # fmt: skip


def test_sample_goes_into_a_lake_once(tmp_path: Path) -> None:
    lake = Lake(tmp_path / "lake")
    with lake.lock():
        names = {lake.commit(read_results(SAMPLE, "harbour_lanterns").batch) for _ in range(2)}
    assert len(names) == 1
    assert [lake.manifest(name)["games"] for name in lake.batches()] == [40]


def test_a_bare_date_that_was_only_guessed_is_left_out_with_a_note() -> None:
    result = read_results(SAMPLE, "harbour_lanterns")
    assert result.batch.games.num_rows == 40
    assert result.batch.games["played_at"].null_count == 40
    assert 'the column for played_at is not used: played_at "2026-01-15" has no time zone; state --timezone' in (
        result.notes
    )


def test_joint_winners_share_in_60ths(tmp_path: Path) -> None:
    rows = "".join(f"{k},{seat},{9 if seat <= k else 1}\n" for k in (1, 2, 3, 4, 5, 6) for seat in range(1, 8))
    batch = read(tmp_path, "game,seat,score\n" + rows).batch
    outcomes = outcomes_from_results(batch.games, batch.seats).to_pylist()
    ids = {row["game_id"]: int(row["id"]) for row in batch.games.to_pylist()}
    for row in outcomes:
        k = ids[row["game_id"]]
        assert row["win60"] == (60 // k if row["seat"] < k else 0)
        assert row["rank"] == (1 if row["seat"] < k else k + 1)


def test_outcomes_of_records_with_scores_only() -> None:
    """Records of other ways into the lake need not state ranks; then the scores decide."""
    batch = read_results(SAMPLE, "harbour_lanterns").batch
    bare = batch.seats.set_column(6, SEATS.schema.field("stated_rank"), pa.nulls(batch.seats.num_rows, pa.int16()))
    outcomes = outcomes_from_results(batch.games, batch.seats)
    assert outcomes_from_results(batch.games, bare).equals(outcomes)
    turned = outcomes_from_results(batch.games, bare, lowest_wins=True)
    assert turned["rank"].to_pylist() != outcomes["rank"].to_pylist()
    assert outcomes_from_results(batch.games.slice(0, 1), batch.seats).num_rows in (3, 4)
    assert outcomes_from_results(GAMES.empty(), SEATS.empty()).num_rows == 0


def test_game_numbers_are_for_ever() -> None:
    assert game_number("a", "b", "c") == -6581164748364886613
    assert content_digest(b"") == -1970711489451281740
    assert game_number("a", "1:b", "c") != game_number("a1", ":b", "c")
    assert game_number("", "ab", "c") != game_number("", "a", "bc")


# Who won


@pytest.mark.parametrize(
    ("table", "form", "wanted"),
    [
        ("game,seat,score\n1,1,5\n1,2,9\n1,3,5\n", {}, [(5, 2), (9, 1), (5, 2)]),
        ("game,seat,score\n1,1,5\n1,2,9\n1,3,5\n", {"lowest_wins": True}, [(5, 1), (9, 3), (5, 1)]),
        ("game,seat,score\n1,1,-5\n1,2,−9\n1,3,0\n", {}, [(-5, 2), (-9, 3), (0, 1)]),
        # Ranks decide, not the points, and are ranks as in sport: 1, 2, 2, 4.
        (
            "game,seat,score,rank\n1,1,5,2\n1,2,5,1\n1,3,9,2nd\n1,4,1,3\n",
            {},
            [(5, 2), (5, 1), (9, 2), (1, 4)],
        ),
        ("game,seat,place\n1,1,1\n1,2,1\n1,3,3\n", {}, [(None, 1), (None, 1), (None, 3)]),
        # A winner stands first; behind come the others by their points, or together without points.
        ("game,seat,score,won\n1,1,5,yes\n1,2,5,\n1,3,9,no\n", {}, [(5, 1), (5, 3), (9, 2)]),
        ("game,seat,won\n1,1,\n1,2,x\n1,3,\n", {}, [(None, 2), (None, 1), (None, 2)]),
        ("game,seat,won\n1,1,1\n1,2,1\n1,3,0\n", {}, [(None, 1), (None, 1), (None, 3)]),
        ("game,seat,score,rank,won\n1,1,5,1,1\n1,2,5,2,0\n", {}, [(5, 1), (5, 2)]),
        # Not finished: what is stated is kept, nothing is made up.
        ("game,seat,score,ended\n1,1,5,Conceded\n1,2,9,\n", {}, None),
        ("game,seat,score,ended\n1,1,5,abandoned\n1,2,9,abandoned\n", {}, [(5, None), (9, None)]),
        ("game,seat,score,won,ended\n1,1,,1,timeout\n1,2,9,,timeout\n", {}, [(None, 1), (9, 2)]),
    ],
)
def test_ranks(tmp_path: Path, table: str, form: dict[str, Any], wanted: list[Any] | None) -> None:
    batch = read(tmp_path, table, **form).batch
    if wanted is None:
        assert faults(batch) == [
            (2, "rows_differ", 't.csv, line 2, game 1: its rows differ in ended: "conceded" and "finished"')
        ]
    else:
        assert results_of(batch) == {"1": wanted}


def test_a_winner_without_the_most_points_is_noted(tmp_path: Path) -> None:
    notes = read(tmp_path, "game,seat,score,rank\n1,1,5,1\n1,2,9,2\n2,1,9,1\n2,2,5,2\n").notes
    assert notes[-1] == (
        "in 1 of 2 games a stated winner does not have the most points (first: line 2, game 1); "
        "the statement counts; if the lowest score wins, state --lowest-wins"
    )


# Options, sources, times


def test_options_of_a_title_without_rules(tmp_path: Path) -> None:
    table = "game,seat,score,Map,Expert,Round\n1,1,5,big,TRUE,3\n1,2,6,,,\n2,1,5,,false,03\n2,2,6,,,\n"
    games = read(tmp_path, table, options={"map": "Map", "expert": "Expert", "rounds": "Round"}).batch.games
    options = {row["id"]: json.loads(row["options"]) for row in games.to_pylist()}
    assert options == {
        "1": {"map": "big", "expert": True, "rounds": 3},
        "2": {"expert": False, "rounds": "03"},
    }
    assert set(games["board"].to_pylist()) == {""}


def test_a_title_with_rules_checks_its_players_and_options(tmp_path: Path) -> None:
    rows = "".join(f"{n},{seat},{seat}\n" for n in (2, 5) for seat in range(n))
    batch = read(tmp_path, "game,seat,score\n" + rows, title="kingdoms").batch
    assert batch.games["board"].to_pylist() == ["kingdoms-22"]
    assert faults(batch) == [
        (4, "options", "t.csv, line 4, game 5: kingdoms is for 2, 3 or 4 players, the record has 5 seats")
    ]
    batch = read(tmp_path, "game,seat,score,v\n1,0,1,a\n1,1,2,\n", title="kingdoms", options={"fog": "v"}).batch
    assert faults(batch) == [(2, "options", "t.csv, line 2, game 1: kingdoms has no option 'fog'")]


def test_sources_keep_games_apart(tmp_path: Path) -> None:
    table = "game,seat,score,source\n1,1,5,club\n1,2,6,club\n1,1,5,fair\n1,2,6,fair\n2,1,5,\n2,2,5,\n"
    games = read(tmp_path, table, source="desk").batch.games.to_pylist()
    assert sorted((row["source"], row["id"]) for row in games) == [
        ("club", "1"),
        ("desk", "2"),
        ("fair", "1"),
    ]
    assert len({row["game_id"] for row in games}) == 3
    for row in games:
        assert row["game_id"] == game_number("lanterns", row["source"], row["id"])


def test_content_tells_duplicates_from_conflicts(tmp_path: Path) -> None:
    def digest(content: str) -> int:
        return int(read(tmp_path, content).batch.games["digest"][0].as_py())

    base = digest("game,seat,score,player\n1,1,5,Ann\n1,2,6,Bo\n")
    assert digest("player;score;seat;game\nBo;6;2;1\nAnn;5.0;1;1\n") == base
    others = [
        "game,seat,score,player\n1,1,5,Ann\n1,2,7,Bo\n",
        "game,seat,score,player\n1,1,5,Ann\n1,2,6,\n",
        "game,seat,score,player,variant\n1,1,5,Ann,a\n1,2,6,Bo,a\n",
        "game,seat,score,player,ended\n1,1,5,Ann,timeout\n1,2,6,Bo,timeout\n",
        "game,seat,score,player,date\n1,1,5,Ann,2026-01-01T00:00Z\n1,2,6,Bo,\n",
        "game,seat,score,player,rank\n1,1,5,Ann,1\n1,2,6,Bo,2\n",
    ]
    assert len({base, *map(digest, others)}) == 7


def test_times(tmp_path: Path) -> None:
    table = "game,seat,score,date\n1,1,5,14.3.2026 19:30\n1,2,6,\n"
    games = read(tmp_path, table, timezone="Europe/Budapest", date_format="%d.%m.%Y %H:%M").batch.games
    assert games["played_at"][0].as_py().isoformat() == "2026-03-14T18:30:00+00:00"
