"""Results tables with something wrong in them: one sentence each, and the right games stay."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from pipeline.identity import game_number
from pipeline.ingest.results import read_results
from tests.ingest.results_helpers import HEAD, PLAIN, faults, read, results_of

# What is wrong with tables: content, form, and the expected rejects (line, fault, sentence)

GOOD = "0,1,5\n0,2,6\n"
HALVES = "--score-factor 2 keeps half points as whole numbers"
AT = {"columns": {"played_at": "d"}}
ROW_FAULTS: list[tuple[str, dict[str, Any], int, str, str]] = [
    (HEAD + GOOD + "1,1,5\n1,2,x\n", {}, 5, "bad_score", 'score "x" of seat 2 is not a number'),
    (HEAD + GOOD + "1,1,5\n1,2,NaN\n", {}, 5, "bad_score", 'score "NaN" of seat 2 is not a number'),
    (HEAD + GOOD + "1,1,inf\n1,2,5\n", {}, 4, "bad_score", 'score "inf" of seat 1 is not a number'),
    (HEAD + GOOD + "1,1,1e3\n1,2,5\n", {}, 4, "bad_score", 'score "1e3" of seat 1 is not a number'),
    (HEAD + GOOD + "1,1,0x1F\n1,2,5\n", {}, 4, "bad_score", 'score "0x1F" of seat 1 is not a number'),
    (HEAD + GOOD + "1,1,٣\n1,2,5\n", {}, 4, "bad_score", 'score "٣" of seat 1 is not a number'),
    (HEAD + GOOD + "1,1,5.٣\n1,2,5\n", {}, 4, "bad_score", 'score "5.٣" of seat 1 is not a number'),
    (HEAD + GOOD + "1,1,5\n1,٢,5\n", {}, 5, "bad_seat", 'seat "٢" is not a number'),
    (HEAD + GOOD + "1,1,5\n1,2,\0003\n", {}, 5, "nul", "a row of the game holds a NUL byte; it is not text"),
    (HEAD + GOOD + "1,1,5\n1,2\000,3\n", {}, 5, "nul", "a row of the game holds a NUL byte; it is not text"),
    (HEAD + GOOD + "1,1,--5\n1,2,5\n", {}, 4, "bad_score", 'score "--5" of seat 1 is not a number'),
    (HEAD + GOOD + "1,1,2147483648\n1,2,5\n", {}, 4, "bad_score",
     'score "2147483648" of seat 1 is out of range; the greatest is 2,147,483,647'),
    (HEAD + GOOD + "1,1,99999999999999999999999\n1,2,5\n", {}, 4, "bad_score",
     'score "99999999999999999999999" of seat 1 is out of range; the greatest is 2,147,483,647'),
    (HEAD + GOOD + "1,1,7.5\n1,2,5\n", {}, 4, "bad_score",
     'score "7.5" of seat 1 is not a whole number; ' + HALVES),
    (HEAD + GOOD + "1,1,7.1\n1,2,5\n", {"score_factor": 2}, 4, "bad_score",
     'score "7.1" of seat 1 times 2 is not a whole number; ' + HALVES),
    (HEAD + GOOD + "1,1,7.00000001\n1,2,5\n", {}, 4, "bad_score",
     'score "7.00000001" of seat 1 is not a whole number; ' + HALVES),
    (HEAD + GOOD + "1,1,1.250\n1,2,5\n", {}, 4, "bad_score",
     'score "1.250" of seat 1 may be thousands or a fraction; state --decimal . or --decimal ,'),
    (HEAD + GOOD + "1,1,\n1,2,5\n", {}, 4, "missing_score", "the score of seat 1 is missing"),
    (HEAD + GOOD + "1,1\n1,2,5\n", {}, 4, "missing_score", "the score of seat 1 is missing"),
    (HEAD + GOOD + "1,1,\n1,2,\n", {}, 4, "no_result", "the game has no score, rank or winner"),
    (HEAD + GOOD + "1,,5\n1,2,5\n", {}, 4, "no_seat", "a row of the game has no seat"),
    (HEAD + GOOD + "1,left,5\n1,2,5\n", {}, 4, "bad_seat", 'seat "left" is not a number'),
    (HEAD + GOOD + "1,-1,5\n1,2,5\n", {}, 4, "bad_seat", 'seat "-1" is not a number'),
    (HEAD + GOOD + "1,1.5,5\n1,2,5\n", {}, 4, "bad_seat", 'seat "1.5" is not a number'),
    (HEAD + GOOD + "1,1,5\n1,13,5\n", {}, 5, "seat_range",
     'seat "13" is out of range; seats go from 1 to at most 12'),
    ("game,seat,score\n0,n,1\n0,s,2\n1,n,5\n1,w,5\n", {"seat_order": ("n", "s")}, 5, "bad_seat",
     'seat "w" is not one of "n" or "s"'),
    (HEAD + GOOD + "1,1,5\n", {}, 4, "one_seat", "the game has only one seat"),
    (HEAD + GOOD + "1,1,5\n1,3,5\n", {}, 4, "missing_seat",
     "the game has no row of seat 2 (of 3, counted from 1)"),
    (HEAD + GOOD + "1,2,5\n1,3,5\n", {}, 4, "missing_seat",
     "the game has no row of seat 1 (of 3, counted from 1)"),
    (HEAD + GOOD + "1,1,5\n1,2,5\n1,2,6\n", {}, 4, "seat_twice", "seat 2 stands twice, at lines 5 and 6"),
    (HEAD + GOOD + "1,1,5\n1,2,5\n1,1,5\n1,2,6\n", {}, 4, "conflict",
     "the id stands for several games with other content, at lines 4 and 6"),
    (HEAD + GOOD + "1,1,5,5\n1,2,5\n", {}, 4, "extra_cells",
     'the row has more cells than the heading row ("5" is too many); '
     "is a comma within a cell not in quotation marks?"),
    (HEAD + GOOD + "1,1,5\n1,2,\"6\n7\"\n", {}, 5, "bad_score", 'score "6\\n7" of seat 2 is not a number'),
    (HEAD + GOOD + "1,1,\u202e5\n1,2,6\n", {}, 4, "bad_score", 'score "\\u202e5" of seat 1 is not a number'),
    ("game,seat,score,ended\n0,1,5,\n0,2,6,\n1,1,5,won\n1,2,6,\n", {}, 4, "unknown_ended",
     'ended "won" is not finished, abandoned, conceded or timeout'),
    ("game,seat,rank\n0,1,1\n0,2,2\n1,1,0\n1,2,1\n", {}, 4, "bad_rank",
     'rank "0" of seat 1 is not a whole number from 1'),
    ("game,seat,rank\n0,1,1\n0,2,2\n1,1,1.5\n1,2,1\n", {}, 4, "bad_rank",
     'rank "1.5" of seat 1 is not a whole number from 1'),
    ("game,seat,rank\n0,1,1\n0,2,2\n1,1,3\n1,2,1\n", {}, 4, "bad_rank", "rank 3 among 2 seats"),
    ("game,seat,rank\n0,1,1\n0,2,2\n1,1,2\n1,2,2\n", {}, 4, "no_winner", "no seat has rank 1"),
    ("game,seat,rank\n0,1,1\n0,2,2\n1,1,1\n1,2,\n", {}, 4, "missing_rank", "the rank of seat 2 is missing"),
    ("game,seat,won\n0,1,1\n0,2,0\n1,1,perhaps\n1,2,1\n", {}, 4, "bad_winner",
     'winner "perhaps" of seat 1 is neither yes nor no'),
    ("game,seat,won\n0,1,1\n0,2,0\n1,1,0\n1,2,no\n", {}, 4, "no_winner", "no seat is marked as the winner"),
    ("game,seat,won,rank\n0,1,1,1\n0,2,0,2\n1,1,1,2\n1,2,0,1\n", {}, 4, "winner_rank",
     "the seats marked as winners are not those of rank 1"),
    ("game,seat,score,kind\n0,1,5,\n0,2,6,BOT\n1,1,5,cat\n1,2,6,\n", {}, 4, "bad_kind",
     'kind "cat" of seat 1 is not human or bot'),
    ("game,seat,score,players\n0,1,5,2\n0,2,6,2\n1,1,5,3\n1,2,6,3\n", {}, 4, "players_differ",
     "the game is of 3 players and has 2 seats"),
    ("game,seat,score,players\n0,1,5,2\n0,2,6,2\n1,1,5,two\n1,2,6,2\n", {}, 4, "bad_players",
     'players "two" is not a number of players'),
    ("game,seat,score,players\n0,1,5,2\n0,2,6,2\n1,1,5,2\n1,2,6,3\n", {}, 4, "rows_differ",
     "its rows differ in the number of players: 2 and 3"),
    ("game,seat,score,variant\n0,1,5,a\n0,2,6,a\n1,1,5,a\n1,2,6,b\n", {}, 4, "rows_differ",
     'its rows differ in variant: "a" and "b"'),
    ("game,seat,score,d\n0,1,5,\n0,2,6,\n1,1,5,14/03/26\n1,2,6,\n", AT, 4, "bad_time",
     'played_at "14/03/26" is not an ISO 8601 date or time; state --date-format'),
    ("game,seat,score,d\n0,1,5,\n0,2,6,\n1,1,5,2026-03-14\n1,2,6,\n", AT, 4, "bad_time",
     'played_at "2026-03-14" has no time zone; state --timezone'),
    ("game,seat,score,d\n0,1,5,\n0,2,6,\n1,1,5,2026-13-01\n1,2,6,\n",
     {**AT, "date_format": "%Y-%m-%d"}, 4, "bad_time",
     'played_at "2026-13-01" is not of the form %Y-%m-%d'),
    ("game,seat,score,d\n0,1,5,\n0,2,6,\n1,1,5,0001-01-01T00:00+14:00\n1,2,6,\n", AT, 4,
     "bad_time", 'played_at "0001-01-01T00:00+14:00" is out of range'),
]  # fmt: skip


@pytest.mark.parametrize(("content", "form", "line", "fault", "sentence"), ROW_FAULTS)
def test_a_bad_game_is_one_reject_and_the_good_one_stays(
    tmp_path: Path, content: str, form: dict[str, Any], line: int, fault: str, sentence: str
) -> None:
    batch = read(tmp_path, content, **form).batch
    assert faults(batch) == [(line, fault, f"t.csv, line {line}, game 1: {sentence}")]
    assert batch.games["id"].to_pylist() == ["0"]
    reject = batch.rejects.to_pylist()[0]
    assert (reject["title"], reject["id"], reject["source"]) == ("lanterns", "1", "t")
    assert reject["game_id"] == game_number("lanterns", "t", "1")


def test_a_win_shared_by_seven_has_no_whole_share(tmp_path: Path) -> None:
    batch = read(tmp_path, HEAD + "".join(f"1,{seat},5\n" for seat in range(1, 8))).batch
    assert faults(batch) == [
        (
            2,
            "shared_win",
            "t.csv, line 2, game 1: 7 joint winners: a win is shared in whole 60ths, by 1 to 6, 10 or 12",
        )
    ]


def test_the_same_game_twice_counts_once(tmp_path: Path) -> None:
    batch = read(tmp_path, HEAD + GOOD + "1,1,5\n1,2,7\n" + GOOD + "1,2,7\n1,1,5\n0,2,6\n0,1,5\n").batch
    assert results_of(batch) == {"0": [(5, 2), (6, 1)], "1": [(5, 2), (7, 1)]}
    assert batch.seats.num_rows == 4
    assert faults(batch) == [
        (6, "duplicate", "t.csv, line 6, game 0: the same game as in t.csv, line 2; it counts once"),
        (8, "duplicate", "t.csv, line 8, game 1: the same game as in t.csv, line 4; it counts once"),
        (10, "duplicate", "t.csv, line 10, game 0: the same game as in t.csv, line 2; it counts once"),
    ]


def test_rows_without_a_game_are_records_of_their_own(tmp_path: Path) -> None:
    batch = read(tmp_path, HEAD + GOOD + ",1,5\n,2,6\nAverage,,5.5\n").batch
    assert [fault[:2] for fault in faults(batch)] == [(4, "no_game"), (5, "no_game"), (6, "no_seat")]
    assert batch.records == 4


FILE_FAULTS: list[tuple[bytes, dict[str, Any], int, str, str]] = [
    (b"", {}, 1, "empty_file", "{path} is empty"),
    (b"\n\n", {}, 1, "empty_file", "{path} holds no text"),
    (b"\xef\xbb\xbf", {}, 1, "empty_file", "{path} holds no text"),
    (b"game,seat,score\n", {}, 1, "empty_file", "{path} has headings but no rows"),
    (b"game,seat,score\n,,\n", {}, 1, "empty_file",
     "{path} has no row with a cell in the columns that are used"),
    (b"game,seat,score,\x00\n1,1,5,\n1,2,6,\n", {}, 1, "nul",
     "{path}, line 1: there is a NUL byte; it is not text"),
    (b"game,seat,score\n1,1,5\n1,\x00\x00,6\n", {}, 3, "nul",
     "{path}, line 3: there is a NUL byte; it is not text"),
    (PLAIN.encode("utf-16-le"), {}, 2, "encoding",
     "{path}, line 2: the text is not UTF-8; state its encoding, for instance windows-1250 or windows-1252"),
    ("a,b\n1,2\n".encode("utf-16-le"), {}, 1, "nul",
     "{path}, line 1: there is a NUL byte; it is not text; "
     "if it is UTF-16 without its mark, state utf-16-le"),
    ("game,seat,player,score\n1,1,Ő,5\n".encode("cp1250"), {}, 2, "encoding",
     "{path}, line 2: the text is not UTF-8; state its encoding, for instance windows-1250 or windows-1252"),
    (b"PK\x03\x04 and so on", {}, 1, "not_a_table",
     "{path} is an Excel workbook or another zip file; save the sheet as CSV (UTF-8)"),
    (b"\xd0\xcf\x11\xe0 and so on", {}, 1, "not_a_table",
     "{path} is an old Excel workbook; save the sheet as CSV (UTF-8)"),
    (b"\x1f\x8b and so on", {}, 1, "not_a_table", "{path} is compressed by gzip; unpack it first"),
    (b"%PDF-1.7", {}, 1, "not_a_table", "{path} is a PDF, not a table"),
    (b"PAR1 and so on", {}, 1, "not_a_table", "{path} is a damaged Parquet file"),
    (b'{"game": 1}\n', {}, 1, "not_a_table", '{path} is not a table: it begins with "{{"'),
    (b"\n<html>\n", {}, 2, "not_a_table", '{path} is not a table: it begins with "<"'),
    (b"Dear Anna\nthe games were fun\n", {}, 1, "not_a_table",
     '{path}, line 1: a table has headings parted by comma, semicolon or tab, here is "Dear Anna"'),
    (b'game,seat,score\n1,1,5\n1,2,"6\n2,1,5\n', {}, 3, "quotation",
     "{path}: a quotation mark is opened and never closed in the row of line 3"),
    (b'game,seat,score\n1,1,5\n1,2,"6"7"\n2,1,5\n', {}, 3, "quotation",
     "{path}: text stands behind a closing quotation mark in the row of line 3"),
    (b'game,seat,score\n1,1,5\n1,2,"' + b"6" * 200_000 + b'\n"\n', {}, 3, "quotation",
     "{path}: a cell is longer than 131,072 characters in the row of line 3"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "form", "line", "fault", "sentence"), FILE_FAULTS)
def test_a_file_that_is_no_table_is_one_reject(
    tmp_path: Path, content: bytes, form: dict[str, Any], line: int, fault: str, sentence: str
) -> None:
    batch = read(tmp_path, content, **form).batch
    assert batch.games.num_rows == 0
    assert faults(batch) == [(line, fault, sentence.format(path=tmp_path / "t.csv"))]


def test_no_file_and_a_folder(tmp_path: Path) -> None:
    missing = read_results(tmp_path / "none.csv", "x").batch
    assert faults(missing) == [(1, "unreadable", f"{tmp_path / 'none.csv'} cannot be read: No such file or directory")]
    folder = read_results(tmp_path, "x").batch
    assert faults(folder) == [(1, "folder", f"{tmp_path} is a folder, not a file")]


def test_every_game_ends_in_exactly_one_place(tmp_path: Path) -> None:
    """Random tables with random damage: a game's id is in games or in rejects, never in both or none."""
    draw = random.Random(5)
    for _ in range(60):
        rows = []
        for game in range(12):
            for seat in range(1, draw.choice((2, 3, 4)) + 1):
                rows.append([f"g{game}", str(seat), draw.choice("ABC"), str(draw.randint(0, 9)), ""])
        for _ in range(draw.randint(0, 6)):
            row = draw.choice(rows)
            row[draw.randint(1, 4)] = draw.choice(("", "x", "-3", "7,5", "NaN", "999999999999", "3", "\u2028", '"'))
        for _ in range(draw.randint(0, 3)):
            rows.append(list(draw.choice(rows)))
        for _ in range(draw.randint(0, 2)):
            rows.pop(draw.randrange(len(rows)))
        draw.shuffle(rows)
        table = pl.DataFrame(rows, schema=["game", "seat", "player", "score", "ended"], orient="row")
        table.write_csv(tmp_path / "random.csv")
        batch = read(tmp_path, (tmp_path / "random.csv").read_bytes()).batch
        taken, rejected = batch.games["id"].to_pylist(), batch.rejects["id"].to_pylist()
        assert len(set(taken)) == len(taken)
        repeats = sum(fault == "duplicate" for fault in batch.rejects["fault"].to_pylist())
        assert set(taken) | set(rejected) == {row[0] for row in rows}
        assert len(taken) + len(rejected) - repeats == len({row[0] for row in rows})
        assert sorted(batch.seats["game_id"].to_pylist()) == sorted(
            number for row in batch.games.to_pylist() for number in [row["game_id"]] * row["players"]
        )
