"""Qin against its oracle, its printed example, and what must hold after each ply."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pipeline import titles
from pipeline.records import RecordFault, read_record
from pipeline.replay import check_record, replay_log, states_of
from pipeline.simulate import Plan, play
from pipeline.titles.contract import TitleError
from pipeline.titles.qin import bots, options, rules_facts
from pipeline.titles.state import random_seeds
from tests.agreement import compare_games, engine_states, simulated
from tests.oracles import qin as oracle
from tests.oracles.common import Verdict
from tests.oracles.selfcheck_qin import check_conservation
from tests.titles.qin_tables import Table

NAMES = ("board", "absorb_tie", "absorb_count", "village_squares")
WORDS = tuple(itertools.product(options.BOARDS, options.TIES, options.COUNTS, options.VILLAGES))
BOTS = (("random",), ("greedy",), ("sampling", "greedy"))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_engine_and_oracle_agree(players: int) -> None:
    """One game of each combination of options, with each kind of bots in turn."""
    counts: Counter[str] = Counter()
    for i, words in enumerate(WORDS):
        given = dict(zip(NAMES, words, strict=True))
        counts.update(compare_games("qin", players, 1, i, BOTS[(i + players) % 3], given, mutations=2))
    assert counts["whole"] == 48
    assert counts["faulty"] > 20


def test_states_are_compared_on_all_that_a_table_shows() -> None:
    record = next(simulated("qin", 3, 1, 1, ("random",), {}))
    mine, theirs = engine_states(read_record(record))[0], oracle.replay(record).states[0]
    assert mine.keys() & theirs.keys() == {
        "phase", "seat", "turn", "may_be_over", "colours", "provinces", "villages", "hands", "pagodas",
        "supply", "unseen", "scores",
    }  # fmt: skip


@pytest.mark.parametrize("board", options.BOARDS)
def test_long_games_replay_to_their_result(board: str) -> None:
    """The oracle's games that avoid pagodas last until nothing fits."""
    record = oracle.generate(random.Random(5), 3, {"board": board}, "slow", "long")
    for form in (record, oracle.blind(record)):
        check = check_record(read_record(form))
        assert (check.ok, check.scores) == (True, record["result"]["scores"]), check.message


@pytest.mark.parametrize("players", [2, 4])
def test_no_piece_is_lost_or_made(players: int) -> None:
    for record in simulated("qin", players, 2, 3, ("greedy", "random"), {"board": "lion"}):
        read = read_record(record)
        events = check_record(read).score_events
        check_conservation(record, Verdict(True, score_events=events, states=engine_states(read)))


# -- the printed example, as a record ----------------------------------------------------------


def example(*tiles: tuple[str, str, str], **switches: str) -> dict[str, Any]:
    """A record of two players with unseen hands: tiles by turns, an unseen draw after each."""
    events: list[dict[str, Any]] = [{"seat": i // 3, "action": "deal", "item": None} for i in range(6)]
    for turn, (kind, one, two) in enumerate(tiles):
        events.append({"seat": turn % 2, "action": "tile", "item": kind, "place": one, "target": two})
        events.append({"seat": turn % 2, "action": "draw", "item": None})
    return {
        "format": "game-record/1", "title": "qin", "id": "example", "ended": "abandoned",
        "options": switches, "seats": [{}, {}], "events": events,
    }  # fmt: skip


BEFORE = (
    ("RY", "h8", "h7"),  # seat 0 founds g7 h7, two yellow squares
    ("RB", "i8", "j8"),
    ("RB", "f9", "f10"),
    ("YY", "j7", "k7"),  # seat 1 founds j7 k7, one square away, beside the village k8 l8
    ("RB", "e9", "e10"),
)
AFTER = (("YB", "l7", "l6"), ("BB", "f11", "e11"))  # a third yellow square of seat 1


def test_printed_example_of_conquering_a_province() -> None:
    record = example(*BEFORE, *AFTER, ("YB", "i7", "i6"))
    check = check_record(read_record(record))
    assert check.ok, check.message
    at = {ply: [event[1:] for event in check.score_events if event[0] == ply] for ply in (6, 12, 20)}
    assert at[6] == [(0, "province", "g7", 1)]
    assert at[12] == [(1, "province", "j7", 1), (1, "village", "k8", 1)]
    # Two squares against three: the loser takes his pagoda back, six squares are a major province.
    assert at[20] == [(0, "province", "g7", -1), (1, "major", "g7", 1)]
    assert check.scores is None


@pytest.mark.parametrize(
    ("switch", "found"),
    [
        ("illegal", None),
        ("active_loses", [(0, "major", "g7", 1), (1, "province", "j7", -1)]),
        ("active_keeps", [(0, "province", "g7", -1), (1, "major", "g7", 1)]),
    ],
)
def test_the_tile_that_joins_does_not_count(switch: str, found: list[Any] | None) -> None:
    """Two squares against two: only a switch lets them be joined."""
    record = example(*BEFORE, ("YB", "i7", "i6"), absorb_tie=switch)
    check = check_record(read_record(record))
    if found is None:
        assert (check.ply, check.fault) == (16, "join_of_equals")
    else:
        events = [event[1:] for event in check.score_events if event[0] == 16]
        assert [event for event in events if event[1] != "village"] == found


# -- single rules ------------------------------------------------------------------------------


def test_one_tile_founds_two() -> None:
    table = Table()
    table.lay(None, "Y", "i8")
    assert table.put("RY", "h9", "i9") == [(0, "province", "i8", 1), (0, "province", "g9", 1)]


def test_founded_with_five_squares() -> None:
    table = Table()
    for square in ("k4", "l5", "i5", "j6"):
        table.lay(None, "R", square)
    assert table.put("RR", "j5", "k5") == [
        (0, "province", "k4", 1),
        (0, "major", "k4", 1),
        (0, "village", "j4", 1),
    ]


@pytest.mark.parametrize("switch", options.TIES)
def test_a_tie_below_the_largest_is_none(switch: str) -> None:
    """Four squares against two and two."""
    table = Table(absorb_tie=switch)
    table.lay(0, "R", "h2 g2")
    table.lay(1, "R", "i3 i4")
    table.lay(2, "R", "j2 j1 k1 k2")
    found = table.put("RB", "i2", "i1")
    assert found[:3] == [(0, "province", "g2", -1), (1, "province", "i3", -1), (2, "major", "j1", 1)]


@pytest.mark.parametrize(("switch", "keeps"), [("per_player", 0), ("largest_province", 1)])
def test_whose_squares_count(switch: str, keeps: int) -> None:
    """Two and two of seat 0 against three of seat 1."""
    table = Table(absorb_count=switch)
    table.lay(0, "R", "c11 b11")
    table.lay(0, "R", "e11 f11")
    table.lay(1, "R", "d12 d13 c13")
    assert (keeps, "major", "b11", 1) in table.put("RB", "d11", "d10")


def test_two_majors_are_not_joined_and_one_always_keeps() -> None:
    table = Table()
    table.lay(0, "R", "j2 j1 i1 h1 i2")
    table.lay(1, "R", "l2 l3 m3 m4 l4")
    assert table.put("RB", "k2", "k3") == "joins_majors"
    table = Table()
    table.lay(0, "R", "j2 j1 i1 h1 i2")  # five squares against six
    table.lay(1, "R", "l2 m2 m3 m4")
    table.lay(1, "R", "k3 k4")
    assert set(table.put("RB", "k2", "k1")) >= {(1, "province", "l2", -1), (1, "province", "k3", -1)}


@pytest.mark.parametrize(("right", "lost", "major"), [("e11 e10 f10", "b11", "e10"), ("e11 f11", "e11", "b11")])
def test_the_larger_of_ones_own_stays_else_the_first(right: str, lost: str, major: str) -> None:
    table = Table()
    table.lay(0, "R", "c11 b11")
    table.lay(0, "R", right)
    assert table.put("RB", "d11", "d12") == [(0, "province", lost, -1), (0, "major", major, 1)]


def test_a_village_goes_to_whoever_has_more() -> None:
    """One pagoda each; the fifth square makes it two to one."""
    table = Table()
    table.lay(0, "R", "j3 j2 j1 i1")
    table.lay(1, "B", "i4 h4")
    table.hold("j4", 1)
    found = table.put("RB", "k1", "l1")
    assert found == [(0, "major", "i1", 1), (1, "village", "j4", -1), (0, "village", "j4", 1)]


@pytest.mark.parametrize(("active", "found"), [(0, [(2, "village", "j4", -1), (0, "village", "j4", 1)]), (2, [])])
def test_of_equal_challengers_only_the_active_one_takes_a_village(active: int, found: list[Any]) -> None:
    table = Table()
    table.lay(0, "R", "j3 j2")
    table.lay(1, "B", "i4 h4")
    table.hold("j4", 2)
    assert table.put("RY", "k3", "l3", active) == found


def test_the_game_stops_at_the_last_pagoda() -> None:
    """Founded with the last one: the village is not taken any more, its holder keeps his."""
    table = Table()
    table.lay(None, "R", "k4")
    table.game.pagodas[0] = 1
    table.hold("j4", 1)
    assert table.put("RR", "k5", "j5") == [(0, "province", "k4", 1)]
    assert titles.load("qin").show.view(table.state, table.board)["phase"] == "over"
    assert table.state.holder[list(table.game.villages).index("j4")] == 1


def test_the_first_in_reading_order_gets_the_last_pagoda() -> None:
    table = Table()
    table.lay(None, "Y", "i8")
    table.game.pagodas[0] = 1
    assert table.put("RY", "h9", "i9") == [(0, "province", "i8", 1)]
    shown = titles.load("qin").show.view(table.state, table.board)
    assert [province["owner"] for province in shown["provinces"]] == [0, None]


def test_the_active_player_comes_first_and_others_may_win() -> None:
    for left, last in ((1, (0, "province", "e9", 1)), (2, (1, "major", "b11", 1))):
        table = Table()
        table.lay(1, "Y", "b11 c11 d11 d12")
        table.lay(None, "R", "e9")
        table.game.pagodas[:2] = [left, 1]
        found = table.put("RY", "e10", "e11")
        assert isinstance(found, list) and found[-1] == last


# -- boards, facts, bots -----------------------------------------------------------------------


@pytest.mark.parametrize(("board", "grass", "villages"), [("bird", 151, 11), ("lion", 142, 14)])
def test_boards(board: str, grass: int, villages: int) -> None:
    found = titles.load("qin").load_board(f"qin-{board}")
    assert ((found.ground == options.GRASS).sum(), found.villages[0], found.starts) == (grass, villages, 3)
    assert (found.tiles.sum(), list(found.pagodas[2:])) == (72, [24, 19, 15])


ROW = "R" + "." * 12
FACTS = {
    "tiles": dict.fromkeys(oracle.KINDS, 2),
    "pagodas": {"players2": 24, "players3": 19, "players4": 15},
}  # fmt: skip


@pytest.mark.parametrize(
    ("grid", "sentence"),
    [
        ([ROW] * 12, "13 rows"),
        (["." * 13] * 13, "no start field"),
        (["?" * 13] * 13, "no sign '\\?'"),
        ([ROW] * 13, "must not be neighbours"),
        ([ROW, "a.a" + "." * 10, *["." * 13] * 11], "two neighbouring"),
        ([ROW, *["abcdefghijklm", "nopqrstuvwxyz"], "aa...........", *["." * 13] * 9], "a village has one"),
    ],
)  # fmt: skip
def test_a_board_that_is_not_in_order_is_refused(grid: list[str], sentence: str) -> None:
    with pytest.raises(TitleError, match=sentence):
        options.board_of(FACTS | {"grid": grid}, "mine")


def test_another_board_file_can_be_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A narrow board with few tiles, where the game ends because nothing fits."""
    grid = ["Y....~~~~~~~~", "...R.~~~~~~~~", ".B..a~~~~~~~~", *["~" * 13] * 10]
    tiles = "\n".join(f"{kind} = 3" for kind in oracle.KINDS)
    (tmp_path / "narrow.toml").write_text(
        f'title = "qin"\nid = "narrow"\ngrid = {grid}\n[tiles]\n{tiles}\n'
        "[pagodas]\nplayers2 = 24\nplayers3 = 19\nplayers4 = 15\n".replace("'", '"')
    )
    monkeypatch.setenv("PLYBOOK_BOARDS", str(tmp_path))
    monkeypatch.setitem(oracle.BOARDS, "narrow", tuple(grid))
    monkeypatch.setitem(oracle.OPTIONS, "board", ("bird", "lion", "narrow"))
    monkeypatch.setattr(oracle, "COPIES", 3)
    counts = compare_games("qin", 2, 40, 1, ("random",), {"board": "narrow"}, mutations=4)
    assert counts["whole"] == 80 and counts["faulty"] > 80
    with pytest.raises(RecordFault, match="no board 'nowhere'"):
        read_record(example(board="nowhere"))


def middle_of_a_game(plies: int) -> tuple[Any, Any]:
    record = next(simulated("qin", 3, 1, 8, ("greedy",), {}))
    record["events"] = record["events"][:plies]
    record["ended"] = "abandoned"
    block, states = states_of(read_record(record), compiled=True)
    block.view(np.int32)[:] = states[-1]
    return block, titles.load("qin").load_board("qin-bird")


@pytest.mark.parametrize("plies", [9, 33, 61])
def test_bots_see_only_what_their_seat_sees(plies: int) -> None:
    """The others' hands dealt anew change no decision, and nothing that a looking-ahead player tries."""
    block, board = middle_of_a_game(plies)
    state, seat = block[0], int(block[0].turn_seat)
    other = block.copy()
    bots.hide(other[0], board, seat, random_seeds(9, 0, 1)[0])
    assert other[0].known.tolist() != state.known.tolist()
    for policy in (0, 1):
        events = np.full((2, 6), -1, np.int32)
        for event, each in zip(events, (state, other[0]), strict=True):
            bots.decide(each, board, random_seeds(1, 0, 1)[0], policy, event)
        assert events[0].tolist() == events[1].tolist()
    options_of = np.full((2, bots.MOST_CANDIDATES, 6), -1, np.int32)
    for row, each in zip(options_of, (state, other[0]), strict=True):
        bots.candidates(each, board, random_seeds(1, 0, 1)[0], row)
        bots.hide(each, board, seat, random_seeds(2, 0, 1)[0])
    assert options_of[0].tolist() == options_of[1].tolist()
    for name in ("known", "unseen"):
        assert other[0][name].tolist() == state[name].tolist()


def test_uncompiled_is_compiled() -> None:
    plan = Plan("qin", 2, 1, 4, ("random",), {"board": "lion"}).checked()
    (_, fast), (_, slow) = next(play(plan)), next(play(plan, compiled=False))
    for name in fast._fields:
        assert np.array_equal(getattr(fast, name), getattr(slow, name))
    title = titles.load("qin")
    quick, plain = (replay_log(title, "qin-lion", fast, True, compiled=flag) for flag in (True, False))
    assert quick.results.tobytes() == plain.results.tobytes()
    assert (quick.pieces[0].turns == plain.pieces[0].turns).all()


def test_facts_stand_in_the_order_of_their_names() -> None:
    for i, fact in enumerate(titles.load("qin").facts):
        assert getattr(rules_facts, fact.name.upper()) == i
