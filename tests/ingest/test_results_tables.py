"""The same results as CSV of many kinds, Parquet, long and wide, with stated and guessed columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from pipeline.ingest.results import read_results
from pipeline.ingest.results_mapping import Form, ResultsError, override, pairs, read_form
from tests.ingest.results_helpers import PLAIN, faults, read, results_of, seats_of

# Kinds of tables

PLAIN_SEATS = {"A": [(0, "Zoë", "1", 10, 1), (1, "Łukasz", "2", 7, 2)]}


@pytest.mark.parametrize(
    ("content", "form"),
    [
        (PLAIN, {}),
        (b"\xef\xbb\xbf" + PLAIN.encode(), {}),
        (PLAIN.encode("utf-16"), {}),
        (b"\xfe\xff" + PLAIN.encode("utf-16-be"), {}),
        (PLAIN.encode("utf-16-le"), {"encoding": "utf-16-le"}),
        (PLAIN.encode("cp1250"), {"encoding": "windows-1250"}),
        (PLAIN.replace("\n", "\r\n"), {}),
        (PLAIN.replace("\n", "\r"), {}),
        (PLAIN.removesuffix("\n"), {}),
        (PLAIN.replace(",", ";"), {}),
        (PLAIN.replace(",", "\t"), {}),
        (PLAIN.replace(",", "|"), {}),
        ("sep=;\n" + PLAIN.replace(",", ";"), {}),
        (PLAIN.replace(",", "#"), {"separator": "#"}),
        ("\n,,,\n" + PLAIN, {}),
        (PLAIN + ",,,\n\n,,,\n", {}),
        (PLAIN.replace("Zoë", '"Zoë"'), {}),
        (PLAIN.replace("10", " 10 ").replace("A,1", "A , 1"), {}),
        (PLAIN.replace("A,1", "A,Seat 1").replace("A,2", "A,seat 2"), None),
        (PLAIN.replace("10", "10.0").replace("7", "7.00"), {}),
        (PLAIN.replace("\n", ",\n"), {}),
    ],
)
def test_the_same_game_in_any_dress(tmp_path: Path, content: str | bytes, form: dict[str, Any] | None) -> None:
    found = seats_of(read(tmp_path, content, **(form or {})).batch)
    if form is None:
        assert [seat[2] for seat in found["A"]] == ["Seat 1", "seat 2"]
        found = {"A": [(*seat[:2], seat[2][-1], *seat[3:]) for seat in found["A"]]}
    assert found == PLAIN_SEATS


@pytest.mark.parametrize(
    ("table", "form", "scores"),
    [
        ("game;seat;score\n1;1;7,0\n1;2;8\n", {}, [7, 8]),
        ("game;seat;score\n1;1;7,5\n1;2;8\n", {"score_factor": 2}, [15, 16]),
        ("game;seat;score\n1;1;-7.25\n1;2;8\n", {"score_factor": 4}, [-29, 32]),
        ("game;seat;score\n1;1;1,250\n1;2;12\n", {"decimal": "."}, [1250, 12]),
        ("game;seat;score\n1;1;1.250.000\n1;2;12,0\n", {"decimal": ","}, [1250000, 12]),
        ("game;seat;score\n1;1;1,000\n1;2;12\n", {"decimal": ","}, [1, 12]),
        ("game;seat;score\n1;1;2147483647\n1;2;-2147483647\n", {}, [2147483647, -2147483647]),
        ("game;seat;score\n1;1;007\n1;2;+8\n", {}, [7, 8]),
    ],
)
def test_scores(tmp_path: Path, table: str, form: dict[str, Any], scores: list[int]) -> None:
    assert [score for score, _ in results_of(read(tmp_path, table, **form).batch)["1"]] == scores


@pytest.mark.parametrize(
    ("seats", "form", "order"),
    [
        ((0, 1, 2), {}, (0, 1, 2)),
        ((1, 2, 3), {}, (0, 1, 2)),
        (("P2", "P1", "p3"), {}, (1, 0, 2)),
        (("3rd", "1st", "2nd"), {}, (2, 0, 1)),
        (("red", "Blue", "green"), {"seat_order": ("blue", "green", "red")}, (2, 0, 1)),
        ((1, 0, 2), {"first_seat": 0}, (1, 0, 2)),
    ],
)
def test_seats(tmp_path: Path, seats: Sequence[Any], form: dict[str, Any], order: Sequence[int]) -> None:
    rows = "".join(f"1,{seat},{i}\n" for i, seat in enumerate(seats))
    found = seats_of(read(tmp_path, "game,seat,score\n" + rows, **form).batch)["1"]
    assert [(seat[0], seat[2], seat[3]) for seat in found] == sorted(
        (place, str(seat), i) for i, (place, seat) in enumerate(zip(order, seats, strict=True))
    )


def test_one_wrong_seat_does_not_shift_the_others(tmp_path: Path) -> None:
    rows = "".join(f"{game},{seat},{seat}\n" for game in range(9) for seat in (1, 2))
    batch = read(tmp_path, "game,seat,score\n" + rows + "x,0,1\nx,1,2\n").batch
    assert batch.games.num_rows == 9
    assert faults(batch) == [
        (20, "seat_range", 't.csv, line 20, game x: seat "0" is out of range; seats go from 1 to at most 12')
    ]


def test_lines_are_those_of_the_file(tmp_path: Path) -> None:
    table = 'game,seat,score,note\n1,1,5,"two\nlines"\n1,2,6,\n\n2,1,x,"a ""word"""\n2,2,5,5" board" x\n'
    result = read(tmp_path, table)
    batch = result.batch
    assert "1 lines go on a cell of the line before" in result.notes
    assert batch.games["line"].to_pylist() == [2]
    assert faults(batch) == [(6, "bad_score", 't.csv, line 6, game 2: score "x" of seat 1 is not a number')]


def test_rows_may_stand_anywhere(tmp_path: Path) -> None:
    batch = read(tmp_path, "seat,game,score\n2,b,1\n1,a,5\n1,b,2\n2,a,4\n").batch
    assert results_of(batch) == {"a": [(5, 1), (4, 2)], "b": [(2, 1), (1, 2)]}


def test_parquet(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {"game": [7, 7, 8, 8], "seat": [0.0, 1.0, 0.0, 1.0], "score": [3.0, float("nan"), 2.5, 1.0],
         "won": [True, False, False, True]}
    )  # fmt: skip
    frame.write_parquet(tmp_path / "p.parquet")
    result = read_results(tmp_path / "p.parquet", "x", Form(score_factor=2))
    assert results_of(result.batch) == {"8": [(5, 2), (2, 1)]}
    assert faults(result.batch) == [
        (2, "bad_score", 'p.parquet, line 2, game 7: score "NaN" of seat 1 is not a number')
    ]


def test_parquet_times(tmp_path: Path) -> None:
    moments = pl.Series("date", ["2026-03-01T10:00:00+01:00"] * 2).str.to_datetime(time_zone="UTC")
    pl.DataFrame({"game": ["a", "a"], "seat": [1, 2], "score": [1, 2]}).with_columns(moments).write_parquet(
        tmp_path / "p.parquet"
    )
    games = read_results(tmp_path / "p.parquet", "x").batch.games
    assert games["played_at"][0].as_py().isoformat() == "2026-03-01T09:00:00+00:00"


# Wide tables

WIDE = "id,date,p1 name,p1 points,p2 name,p2 points,p3 name,p3 points\n"


def test_wide(tmp_path: Path) -> None:
    table = WIDE + "a,,Ann,5,Bo,7,,\nb,,Bo,3,Ann,2,Cy,9\n"
    result = read(tmp_path, table)
    assert seats_of(result.batch) == {
        "a": [(0, "Ann", "1", 5, 2), (1, "Bo", "2", 7, 1)],
        "b": [(0, "Bo", "1", 3, 2), (1, "Ann", "2", 2, 3), (2, "Cy", "3", 9, 1)],
    }
    assert result.notes[0] == (
        'columns: game = "id"; played_at = "date"; player = "p1 name", "p2 name", "p3 name"; '
        'score = "p1 points", "p2 points", "p3 points"'
    )
    stated = read(tmp_path, table, columns=pairs(["score=P* points", "player=p* name", "game=id"]), guess=False)
    assert seats_of(stated.batch) == seats_of(result.batch)


def test_wide_faults(tmp_path: Path) -> None:
    table = (
        WIDE
        + "a,,Ann,5,,,Bo,7\nb,,,,,,,\nc,,Ann,5,Bo,,,\n,,Ann,5,Bo,3,,\n"
        + "d,,Ann,5,,,,\ne,,A,1,B,2,,\ne,,A,2,B,2,,\n"
    )
    assert faults(read(tmp_path, table).batch) == [
        (2, "missing_seat", "t.csv, line 2, game a: the game has no row of seat 2 (of 3, counted from 1)"),
        (3, "no_seat", "t.csv, line 3, game b: a row of the game has no seat"),
        (4, "missing_score", "t.csv, line 4, game c: the score of seat 2 is missing"),
        (5, "no_game", "t.csv, line 5: the row has no game"),
        (6, "one_seat", "t.csv, line 6, game d: the game has only one seat"),
        (
            7,
            "conflict",
            "t.csv, line 7, game e: the id stands for several games with other content, at lines 7 and 8",
        ),
    ]


@pytest.mark.parametrize(("winner", "ranks"), [("Bo", [2, 1]), ("bo, Ann", [1, 1]), ("2", [2, 1]), ("1", [1, 2])])
def test_wide_winner_is_named(tmp_path: Path, winner: str, ranks: list[int]) -> None:
    batch = read(tmp_path, f'winner,player1,player2\n"{winner}",Ann,Bo\n').batch
    assert [rank for _, rank in results_of(batch)["2"]] == ranks


def test_wide_winner_nobody_knows(tmp_path: Path) -> None:
    assert faults(read(tmp_path, "winner,player1,player2\nCy,Ann,Bo\n").batch) == [
        (2, "no_winner", 't.csv, line 2, game 2: no seat or player of the game is the winner "Cy"')
    ]


def test_wide_with_labels(tmp_path: Path) -> None:
    batch = read(
        tmp_path, "game,red pts,blue pts\n1,4,6\n", columns={"score": "* pts"}, seat_order=("blue", "red")
    ).batch
    assert seats_of(batch) == {"1": [(0, None, "blue", 6, 1), (1, None, "red", 4, 2)]}


def test_players_columns_of_numbers_are_scores(tmp_path: Path) -> None:
    assert results_of(read(tmp_path, "game,player 1,player 2\n1,4,6\n").batch) == {"1": [(4, 2), (6, 1)]}


# Mapping

COLUMNS = 'the columns are "game", "seat", "score"'


def test_headings_empty_and_doubled(tmp_path: Path) -> None:
    table = "gameNum,player,points,,,points\n1,1,5,x,,1\n1,2,9,,y,2\n"
    with pytest.raises(ResultsError) as error:
        read(tmp_path, table, columns={"score": "points"})
    assert str(error.value) == '2 columns are called "points"; say which: score=#3 or score=#6'
    with pytest.raises(ResultsError, match="no column for score, rank or winner"):
        read(tmp_path, table)
    assert results_of(read(tmp_path, table, columns={"score": "#3"}).batch) == {"1": [(5, 2), (9, 1)]}
    assert results_of(read(tmp_path, table, columns={"score": "#6"}).batch) == {"1": [(1, 2), (2, 1)]}


def test_a_player_column_of_numbers_is_the_seat_only_without_a_seat_column(tmp_path: Path) -> None:
    result = read(tmp_path, "game,player,points\n1,1,5\n1,2,9\n")
    assert "guessed from the headings: game, score, seat" in result.notes
    result = read(tmp_path, "game,player,seat,points\n1,17,1,5\n1,4,2,9\n")
    assert [seat[1] for seat in seats_of(result.batch)["1"]] == ["17", "4"]
    with pytest.raises(ResultsError, match="no column for seat"):
        read(tmp_path, "game,player,points\n1,Ann,5\n1,Bo,9\n")


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"columns": {"points": "x"}}, 'unknown field "points"; known: game, seat, player, kind, score, '
         "rank, winner, players, played_at, source, ended"),
        ({"columns": {"score": "Pts"}}, 'there is no column "Pts" for score; ' + COLUMNS),
        ({"columns": {"score": "#9"}}, "there is no column #9 for score: the table has 3"),
        ({"columns": {"score": "x*"}}, 'no column is like "x*" for score; ' + COLUMNS),
        ({"columns": {"game": "g*"}}, 'game is one column a game, not one a seat: "g*" has a *'),
        ({"options": {"variant": "V"}}, 'there is no column "V" for variant; ' + COLUMNS),
        ({"guess": False}, 'no column for game: state --map game=COLUMN; ' + COLUMNS),
        ({"first_seat": 2}, "the first seat is 0 or 1, not 2"),
        ({"encoding": "latin-7"}, 'unknown encoding "latin-7"; known: utf-8, utf-16, utf-16-le, utf-16-be, '
         "windows-1250, windows-1252"),
        ({"separator": ",,"}, 'the separator is one character, not ",,"'),
        ({"decimal": "'"}, 'unknown decimal sign "\'"; known: ., ,'),
        ({"score_factor": 0}, "the score factor is a number from 1 to 100, not 0"),
        ({"seat_order": ("a", "A")}, "the seat order names a seat twice"),
        ({"timezone": "Mars/Base"}, 'unknown time zone "Mars/Base"; wanted a name as Europe/Budapest'),
    ],
)  # fmt: skip
def test_wrong_forms(tmp_path: Path, form: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ResultsError) as error:
        read(tmp_path, "game,seat,score\n1,1,5\n1,2,6\n", **form)
    assert str(error.value) == sentence


def test_labels_need_their_order(tmp_path: Path) -> None:
    with pytest.raises(ResultsError) as error:
        read(tmp_path, "game,seat,score\n1,North,5\n1,South,6\n")
    assert str(error.value) == 'seats are labels ("North", "South"); state their turn order: --seat-order North,South'


def test_a_title_has_a_plain_name(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match="small letters"):
        read(tmp_path, PLAIN, title="../Catan")


@pytest.mark.parametrize("texts", [["score"], ["=x"], ["score="], ["score=a", "score=b"]])
def test_pairs_that_are_none(texts: list[str]) -> None:
    with pytest.raises(ResultsError):
        pairs(texts)


def test_mapping_file(tmp_path: Path) -> None:
    file = tmp_path / "m.toml"
    file.write_text(
        'title = "catan"\nlowest_wins = true\nseat_order = ["n", "s"]\n'
        '[columns]\ngame = "Nr"\nscore = "Pts"\n[options]\nvariant = "V"\n'
    )
    form, title = read_form(file)
    assert title == "catan"
    assert form == Form({"game": "Nr", "score": "Pts"}, {"variant": "V"}, True, seat_order=("n", "s"))
    changed = override(form, {"score": "Total"}, {}, lowest_wins=None, source="club")
    assert (changed.columns, changed.lowest_wins, changed.source) == (
        {"game": "Nr", "score": "Total"},
        True,
        "club",
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = ", "is not TOML"),
        ("titel = 'x'", 'unknown key "titel"'),
        ("lowest_wins = 1", "lowest_wins takes true or false, not 1"),
        ("score_factor = true", "score_factor takes a whole number, not true"),
        ("seat_order = 'ab'", 'seat_order takes a list of texts, not "ab"'),
        ("columns = 'ab'", 'columns takes a table of name = column, not "ab"'),
        ("title = 4", "title takes text, not 4"),
        ("[columns]\npoints = 'x'", 'unknown field "points"'),
    ],
)
def test_wrong_mapping_files(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "m.toml"
    file.write_text(text)
    with pytest.raises(ResultsError) as error:
        read_form(file)
    assert str(error.value).startswith(f"the mapping file {file}")
    assert words in str(error.value)


def test_no_mapping_file(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match="cannot be read"):
        read_form(tmp_path / "none.toml")


def test_the_page_names_all_fields_and_keys(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "results.md").read_text("utf-8")
    assert tuple(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) == (
        *("game", "seat", "player", "score", "rank", "winner"),
        *("kind", "players", "played_at", "source", "ended"),
    )
    file = tmp_path / "page.toml"
    file.write_text(page.split("```toml\n")[1].split("```")[0], "utf-8")
    form, title = read_form(file)
    assert title == "harbour_lanterns"
    sample = Path(__file__).parents[2] / "data" / "samples" / "harbour-lanterns.csv"
    assert read_results(sample, title, form).batch.games.num_rows == 40
    told = set(re.findall(r"`(\w+)`", page.split("Further keys:")[1].splitlines()[0]))
    assert told | {"columns", "options", "timezone", "lowest_wins"} == {entry.name for entry in fields(Form)}
