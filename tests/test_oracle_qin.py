"""The Qin oracle: the printed example, and one small table for each rule of the page."""

from __future__ import annotations

import random
from copy import deepcopy
from typing import Any

import pytest

from tests.oracles import qin
from tests.oracles.common import Fault, Record

Pagoda = tuple[int, str, str, int]  # seat, source, place, points


def table(players: int = 3, **options: str) -> qin.Game:
    """The bird board in seat 0's turn, with nothing but the start fields g5 B, g7 Y, g9 R."""
    game = qin.new_game(players, options)
    game.phase = "turn"
    return game


def lay(game: qin.Game, owner: int | None, colour: str, squares: str) -> None:
    """A province, or lone squares (owner None)."""
    names = squares.split()
    game.colours |= dict.fromkeys(names, colour)
    game.grass -= set(names)
    if owner is not None:
        pagodas = 1 + (len(names) >= qin.MAJOR)
        game.provinces.append(qin.Province(colour, frozenset(names), owner, pagodas))
        game.pagodas[owner] -= pagodas


def hold(game: qin.Game, village: str, seat: int) -> None:
    game.holders[village] = seat
    game.pagodas[seat] -= 1


def put(game: qin.Game, kind: str, place: str, target: str, seat: int = 0) -> list[Pagoda]:
    """Place a tile, and what moved."""
    game.check_placement(seat, kind, (place, target))
    steps = game.place_tile(seat, kind, (place, target))
    return [(step.seat, step.source, step.place, step.points) for step in steps]


def fault(game: qin.Game, kind: str, place: str, target: str, seat: int = 0) -> str:
    with pytest.raises(Fault) as caught:
        game.check_placement(seat, kind, (place, target))
    return caught.value.code


# -- boards and placing ------------------------------------------------------------------------


@pytest.mark.parametrize(("board", "squares", "grass", "villages"), [("bird", 15, 151, 11), ("lion", 16, 142, 14)])
def test_boards(board: str, squares: int, grass: int, villages: int) -> None:
    game = qin.new_game(2, {"board": board})
    assert (len(game.grass), len(game.villages)) == (grass, villages)
    each = qin.new_game(2, {"board": board, "village_squares": "each_square"})
    assert len(each.villages) == squares
    assert sorted(game.colours.values()) == ["B", "R", "Y"]


def test_placing() -> None:
    game = table()
    assert fault(game, "RR", "g6", "g7") == "square_taken"
    assert fault(game, "RR", "j5", "j4") == "not_grass"
    assert fault(game, "RR", "g6", "h7") == "not_neighbouring"
    assert fault(game, "RR", "b3", "b2") == "not_touching"
    assert fault(game, "RR", "b3", "c3") == "not_touching"  # villages do not count
    assert put(game, "RR", "g6", "f6") == [(0, "province", "f6", 1)]  # at blue and yellow


def test_one_square_of_a_start_field_founds() -> None:
    assert put(table(), "RY", "h9", "i9") == [(0, "province", "g9", 1)]


def test_one_tile_founds_two() -> None:
    game = table()
    lay(game, None, "Y", "i8")
    assert put(game, "RY", "h9", "i9") == [(0, "province", "i8", 1), (0, "province", "g9", 1)]


def test_founded_large_gets_both_pagodas() -> None:
    game = table()
    lay(game, None, "R", "h7 i8 h10")
    assert put(game, "RR", "h8", "h9") == [(0, "province", "h7", 1), (0, "major", "h7", 1)]


# -- extending and joining ---------------------------------------------------------------------


def test_the_printed_example() -> None:
    """Two yellow squares against the active player's three: the gap is closed, he has a major."""
    game = table()
    lay(game, 0, "Y", "b11 c11 d11")
    lay(game, 1, "Y", "f11 g11")
    assert put(game, "RY", "e10", "e11") == [(1, "province", "f11", -1), (0, "major", "b11", 1)]
    assert game.scores() == [2, 0, 0]


def test_extending_is_the_owners() -> None:
    game = table()
    lay(game, 1, "Y", "b11 c11 d11")
    assert put(game, "RY", "e10", "e11") == []
    assert put(game, "BY", "f10", "f11") == [(1, "major", "b11", 1)]


def test_the_smaller_may_join_and_loses() -> None:
    game = table()
    lay(game, 1, "Y", "b11 c11 d11")
    lay(game, 0, "Y", "f11 g11")
    assert put(game, "RY", "e10", "e11") == [(0, "province", "f11", -1), (1, "major", "b11", 1)]


def joined_by(game: qin.Game, seat: int = 0) -> int | str | None:
    """Who keeps the yellow area round e11, or the fault."""
    try:
        put(game, "RY", "e12", "e11", seat)
    except Fault as caught:
        return caught.code
    return next(p.owner for p in game.provinces if "e11" in p.squares)


@pytest.mark.parametrize(
    ("switch", "two", "three", "others"),
    [
        ("illegal", "illegal_join", "illegal_join", "illegal_join"),
        ("active_loses", 1, "illegal_join", "illegal_join"),
        ("active_keeps", 0, 0, "illegal_join"),
    ],
)
def test_ties(switch: str, two: int | str, three: int | str, others: int | str) -> None:
    game = table(absorb_tie=switch)
    lay(game, 0, "Y", "c11 d11")
    lay(game, 1, "Y", "f11 g11")
    assert joined_by(deepcopy(game)) == two
    assert joined_by(deepcopy(game), 2) == others  # the active player is not among the tied
    lay(game, 2, "Y", "e10 e9")
    assert joined_by(game) == three


@pytest.mark.parametrize("switch", qin.OPTIONS["absorb_tie"])
def test_tie_below_the_largest_is_none(switch: str) -> None:
    game = table(absorb_tie=switch)
    lay(game, 0, "Y", "c11 d11")
    lay(game, 1, "Y", "f11 g11")
    lay(game, 2, "Y", "e10 e9 f9")
    assert joined_by(game) == 2


@pytest.mark.parametrize(("switch", "keeps"), [("per_player", 0), ("largest_province", 1)])
def test_absorb_count(switch: str, keeps: int) -> None:
    game = table(absorb_count=switch)
    lay(game, 0, "Y", "c11 d11")
    lay(game, 0, "Y", "f11 g11")
    lay(game, 1, "Y", "e10 e9 f9")
    assert joined_by(game) == keeps


def test_two_majors() -> None:
    for owner, squares, keeps in (
        (0, "f11 g11 h11 h10", 1),  # a major always absorbs
        (0, "f11 g11 h11 h10 i10", "illegal_join"),  # two majors are never joined
        (1, "f11 g11 h11 h10 i10", "illegal_join"),  # whoever owns them
    ):
        game = table()
        lay(game, 1, "Y", "b11 c11 d11 b12 c12")
        lay(game, owner, "Y", squares)
        assert joined_by(game) == keeps


def test_a_major_absorbs_more_squares_in_several_provinces() -> None:
    game = table()
    lay(game, 1, "Y", "b11 c11 d11 b12 c12")
    lay(game, 0, "Y", "f11 g11 h11")
    lay(game, 0, "Y", "e10 e9 f9")
    steps = put(game, "RY", "e12", "e11")
    assert steps == [(0, "province", "e9", -1), (0, "province", "f11", -1)]


@pytest.mark.parametrize(
    ("left", "right", "lost", "major"),
    [
        ("c11 d11", "f11 g11 h11", "c11", "c11"),  # the larger stays
        ("c11 d11", "f11 g11", "f11", "c11"),  # equal: the first in reading order
        ("c11 d11", "f11 g11 h11 h10 i10", "c11", None),  # a major has both pagodas already
    ],
)
def test_joining_ones_own(left: str, right: str, lost: str, major: str | None) -> None:
    game = table()
    lay(game, 0, "Y", left)
    lay(game, 0, "Y", right)
    steps: list[Pagoda] = [(0, "province", lost, -1)]
    steps += [(0, "major", major, 1)] if major else []
    assert put(game, "RY", "e12", "e11") == steps


# -- villages ----------------------------------------------------------------------------------


def test_lone_square_takes_no_village() -> None:
    game = table()
    lay(game, None, "R", "i6")
    assert put(game, "YB", "j5", "j6") == []


def test_empty_village() -> None:
    game = table()
    lay(game, 1, "Y", "l4 l3")
    assert put(game, "YR", "k4", "k3") == [(1, "village", "j4", 1)]


def test_empty_village_of_several() -> None:
    """Most pagodas; a tie is the active player's if he is among them, else nobody's."""
    game = table()
    lay(game, 1, "Y", "l4 l3")
    lay(game, 2, "R", "j3 j2")
    tied = deepcopy(game)
    assert put(tied, "YB", "k4", "k5", 0) == []
    assert put(deepcopy(game), "YB", "k4", "k5", 1) == [(1, "village", "j4", 1)]
    assert put(deepcopy(game), "YB", "k4", "k5", 2) == [(2, "village", "j4", 1)]
    lay(game, 2, "B", "i4 h4")
    assert put(game, "YB", "k4", "k5", 1) == [(2, "village", "j4", 1)]


def test_taking_a_village() -> None:
    for squares, tile, taken in (
        ("j3 j2", ("k3", "k2"), []),  # one against one
        (
            "j3 j2 i2 h2",  # a major counts two
            ("k2", "k1"),
            [(0, "major", "h2", 1), (1, "village", "j4", -1), (0, "village", "j4", 1)],
        ),
    ):
        game = table()
        lay(game, 1, "Y", "k4 l4")
        lay(game, 0, "R", squares)
        hold(game, "j4", 1)
        assert put(game, "RB", *tile) == taken


def test_two_challengers() -> None:
    """Equal ones: the active player if among them, else no change."""
    game = table()
    lay(game, 1, "Y", "k4 l4")
    lay(game, 0, "R", "j3 j2")
    hold(game, "j4", 2)  # who touches it no longer: he keeps it until somebody has more
    assert put(deepcopy(game), "RB", "k3", "k2", 2) == []
    for seat in (0, 1):
        taken = [(2, "village", "j4", -1), (seat, "village", "j4", 1)]
        assert put(deepcopy(game), "RB", "k3", "k2", seat) == taken


def test_village_of_two_squares() -> None:
    """A province that touches both squares counts once; with `each_square` they are two."""
    one = table()
    lay(one, 1, "R", "f2 e2")
    assert put(one, "RY", "g2", "h2") == [(1, "village", "f1", 1)]
    each = table(village_squares="each_square")
    lay(each, 1, "R", "f2 e2")
    taken = [(1, "village", "f1", 1), (1, "village", "g1", 1)]
    assert put(each, "RY", "g2", "h2") == taken
    lay(one, 0, "B", "e1 d1")
    lay(one, 0, "B", "h1 i1")  # both squares' sides count together: two against one
    taken = [(1, "village", "f1", -1), (0, "village", "f1", 1)]
    assert put(one, "YB", "j2", "j1") == taken


def test_villages_in_reading_order() -> None:
    game = table()
    lay(game, 1, "R", "b1 b2")
    lay(game, 0, "Y", "c3 d3")
    steps = put(game, "RY", "c1", "c2")
    assert steps == [(0, "village", "c4", 1), (1, "village", "a1", 1)]  # the active player's first


# -- the order of pagodas and the stop ---------------------------------------------------------


def test_stop_at_the_founding() -> None:
    game = table()
    lay(game, None, "R", "k4")
    game.pagodas[0] = 1
    hold(game, "j4", 1)
    # founded at k4; the village is not taken any more, and its holder keeps his pagoda
    assert put(game, "RR", "k5", "j5") == [(0, "province", "k4", 1)]
    assert (game.phase, game.holders["j4"]) == ("over", 1)


def test_stop_at_the_first_of_two_foundings() -> None:
    game = table()
    lay(game, None, "Y", "i8")
    game.pagodas[0] = 1
    assert put(game, "RY", "h9", "i9") == [(0, "province", "i8", 1)]
    assert game.state()["provinces"][1] == {
        "place": "g9",
        "colour": "R",
        "owner": None,
        "pagodas": 0,
        "squares": ["g9", "h9"],
    }


def test_given_back_before_the_last() -> None:
    """One left, one back: the founding does not end the game."""
    game = table()
    lay(game, 0, "Y", "f11 g11")
    lay(game, 1, "Y", "b11 c11 d11")
    lay(game, None, "R", "e9")
    game.pagodas[0] = 1
    assert put(game, "RY", "e10", "e11") == [
        (0, "province", "f11", -1),
        (0, "province", "e9", 1),
        (1, "major", "b11", 1),
    ]
    assert game.phase == "turn"


def test_active_wins_when_both_place_their_last() -> None:
    game = table()
    lay(game, 1, "Y", "b11 c11 d11 d12")
    lay(game, None, "R", "e9")
    game.pagodas[:2] = [1, 1]
    assert put(game, "RY", "e10", "e11") == [(0, "province", "e9", 1)]


def test_another_wins_by_ones_tile() -> None:
    game = table()
    lay(game, 1, "Y", "b11 c11 d11 d12")
    lay(game, None, "R", "e9")
    game.pagodas[1] = 1
    steps = put(game, "RY", "e10", "e11")
    assert steps == [(0, "province", "e9", 1), (1, "major", "b11", 1)]
    assert game.phase == "over" and game.scores()[1] == 19


def test_all_majors_count_before_any_village_is_taken() -> None:
    """The others' new major defends their village though its pagoda comes later."""
    game = table()
    lay(game, 1, "Y", "k4 l4 m4 m5")
    lay(game, 0, "R", "j3 j2")
    lay(game, 0, "B", "i4 h4")
    hold(game, "j4", 1)
    assert put(game, "YR", "l5", "l6") == [(1, "major", "k4", 1)]


# -- hands that are not seen -------------------------------------------------------------------


def unseen(left: dict[str, int], *fits: str, hidden: int = 3) -> qin.Game:
    """Each seat with unknown tiles only; the kinds that fit are given outright."""
    game = table(len(fits))
    game.left |= left
    game.supply = 0
    game.turn = 30
    game.unknown = [[qin.ALL_KINDS] * hidden for _ in fits]
    game.fitting = {seat: frozenset(kinds.split()) for seat, kinds in enumerate(fits)}
    return game


def skips(game: qin.Game) -> list[str]:
    """All seats pass one after the other; the fault codes."""
    codes = []
    for seat in range(game.players):
        game.seat = seat
        try:
            game.skip(seat)
            codes.append("ok")
        except Fault as caught:
            codes.append(caught.code)
    return codes


def test_pass_of_an_unseen_hand() -> None:
    fits = "BB RY RB YB"  # RR and YY do not
    assert skips(unseen({}, fits, fits)) == ["ok", "after_end"]
    assert skips(unseen({}, fits, fits, fits)) == ["ok", "ok", "after_end"]
    assert skips(unseen({"RR": 3, "YY": 3}, fits, fits, fits))[:2] == ["ok", "ok"]
    # six tiles, five copies: each hand by itself could be, both together could not
    assert skips(unseen({"RR": 3, "YY": 2}, fits, fits, fits))[:2] == ["ok", "pass_while_fits"]
    assert skips(unseen({"RR": 1, "YY": 1}, fits, fits))[0] == "pass_while_fits"


def test_pass_needs_somebody_who_can_place() -> None:
    game = unseen({}, "BB", "BB")
    game.unknown[1] = []
    game.known[1]["RR"] += 1
    assert skips(game)[0] == "after_end"


def test_a_later_tile_must_agree_with_the_pass() -> None:
    game = unseen({}, "BB", "BB")
    game.skip(0)
    with pytest.raises(Fault):
        game.play(0, "BB")
    game.unknown[0].append(qin.ALL_KINDS)  # drawn since
    game.play(0, "BB")  # that one
    with pytest.raises(Fault):
        game.play(0, "BB")
    game.play(0, "RR")


def test_the_oldest_unknown_tile_is_played() -> None:
    """RR may be the tile from before the pass: then the drawn one may still be BB."""
    game = unseen({}, "BB", "BB", hidden=1)
    game.skip(0)
    game.unknown[0].append(qin.ALL_KINDS)
    game.play(0, "RR")
    game.play(0, "BB")
    assert game.unknown[0] == []


def test_a_known_tile_is_played_first() -> None:
    game = unseen({}, "BB", "BB", hidden=1)
    game.known[0]["RR"] += 1
    game.play(0, "RR")
    assert game.state()["hands"][0] == [None] and game.left["RR"] == 12


def test_thirteenth_tile() -> None:
    game = table(2)
    game.left["RR"] = 1
    game.take(0, "RR")
    with pytest.raises(Fault, match="copies of RR"):
        game.take(1, "RR")


def test_the_unseen_tiles_decide_whether_it_may_be_over() -> None:
    game = unseen({"RR": 6}, "YY BB RY RB YB", "YY BB RY RB YB")
    assert game.somebody_may_place() and game.may_be_over()  # six RR in the hands, or not
    game.left["RR"] = 5
    assert game.somebody_may_place() and not game.may_be_over()
    game.left = dict.fromkeys(qin.KINDS, 0) | {"RR": 6}
    assert not game.somebody_may_place()


# -- whole records -----------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("policy", ["random", "greedy", "slow", "mean"])
def test_generated(players: int, policy: str) -> None:
    rng = random.Random(f"{players}{policy}")
    options = {name: rng.choice(words) for name, words in qin.OPTIONS.items()}
    record = qin.generate(rng, players, options, policy)
    verdict = qin.replay(record)
    assert verdict.ok and len(verdict.states) == len(record["events"])
    assert verdict.scores == record["result"]["scores"]
    hidden = qin.replay(qin.blind(record))
    assert hidden.ok and hidden.score_events == verdict.score_events


@pytest.fixture(scope="module")
def game_record() -> Record:
    return qin.generate(random.Random(7), 2, {}, "greedy")


EVENTS: list[tuple[int, dict[str, Any], str]] = [
    (0, {"seat": 2, "action": "deal", "item": "RR"}, "unknown_seat"),
    (0, {"action": "deal", "item": "RR"}, "unknown_seat"),
    (0, {"seat": 0, "action": "deal", "item": "YR"}, "unknown_item"),
    (0, {"seat": 0, "action": "deal", "item": "RR", "place": "a2"}, "superfluous_field"),
    (0, {"seat": 0, "action": "discard"}, "unknown_action"),
    (3, {"seat": 0, "action": "draw", "item": "RR"}, "no_draw_due"),
    (5, {"seat": 0, "action": "tile", "item": "RR", "place": "g8", "target": "h8"}, "deal_missing"),
    (6, {"seat": 0, "action": "deal", "item": "RR"}, "deal_after_start"),
    (6, {"seat": 0, "action": "tile", "place": "g8", "target": "h8"}, "missing_field"),
    (6, {"seat": 0, "action": "tile", "item": "RR", "place": "g8", "target": 4}, "unknown_square"),
    (6, {"seat": 1, "action": "pass"}, "not_your_turn"),
    (6, {"seat": 0, "action": "pass"}, "pass_while_fits"),
    (7, {"seat": 1, "action": "pass"}, "draw_missing"),
    (7, {"seat": 1, "action": "draw", "item": None}, "not_your_turn"),
]


@pytest.mark.parametrize(("ply", "event", "code"), EVENTS)
def test_faults(game_record: Record, ply: int, event: dict[str, Any], code: str) -> None:
    record = deepcopy(game_record)
    record["events"][ply:] = [event]
    verdict = qin.replay(record)
    assert (verdict.ok, verdict.ply, verdict.fault) == (False, ply, code)
    assert verdict.scores is None and len(verdict.states) == ply


def test_ends(game_record: Record) -> None:
    plies = len(game_record["events"])
    longer = deepcopy(game_record)
    longer["events"].append({"seat": 0, "action": "pass"})
    assert (qin.replay(longer).fault, qin.replay(longer).ply) == ("after_end", plies)
    shorter = deepcopy(game_record)
    del shorter["events"][-1]
    assert (qin.replay(shorter).fault, qin.replay(shorter).ply) == ("truncated", plies - 1)
    shorter["ended"] = "conceded"
    assert qin.replay(shorter).ok and qin.replay(shorter).scores is None
    other = deepcopy(game_record)
    other["result"]["scores"][0] += 1
    assert (qin.replay(other).fault, qin.replay(other).ply) == ("result_mismatch", None)
    noted = deepcopy(game_record)
    noted["events"][0] |= {"_note": "kept out", "place": None}  # null is as good as absent
    assert qin.replay(noted).ok
    results_only = {name: value for name, value in game_record.items() if name != "events"}
    assert qin.replay(results_only).ok
