"""The Chang Cheng oracle against the printed examples, and against itself."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from itertools import combinations, pairwise, product
from typing import Any

import pytest

from tests.oracles.chang_cheng import (
    EVENTS,
    NEUTRAL,
    Game,
    Piece,
    Stop,
    Threat,
    blind,
    draw_token,
    generate,
    legal_events,
    replay,
)
from tests.oracles.common import Event, Record, ScoreEvent

FAME = {"1A.p1": 2, "1A.p2": 3, "1A.p3": 0, "2A.p1": 0, "2A.p2": 1, "2A.p3": 4}
THREATS = {"1A.r1": 2, "1A.r2": 4, "1A.r3": 3, "2A.r1": 2, "2A.r2": 3, "2A.r3": 4}


def board(item: str, place: str, **more: Any) -> Event:
    return {"action": "board", "item": item, "place": place, **more}


def wall(seat: int, place: str, **more: Any) -> Event:
    return {"seat": seat, "action": "wall", "place": place, **more}


def tower(seat: int, place: str) -> Event:
    return {"seat": seat, "action": "tower", "place": place}


def double(seat: int, place: str, target: str) -> Event:
    return {"seat": seat, "action": "double", "place": place, "target": target}


def tile(seat: int, item: int | None, place: str) -> Event:
    return {"seat": seat, "action": "action_tile", "item": item, "place": place}


def show(seat: int, item: int, place: str) -> Event:
    return {"seat": seat, "action": "show", "item": item, "place": place}


def neutral(seat: int, place: str) -> Event:
    return {"seat": seat, "action": "neutral", "place": place}


def tokens(fame: dict[str, int], threats: dict[str, int]) -> list[Event]:
    return [
        *({"action": "fame", "item": value, "place": at} for at, value in fame.items()),
        *({"action": "threat", "item": value, "place": at} for at, value in threats.items()),
    ]


def extension(seat: int, item: str = "3A", place: str = "east") -> list[Event]:
    fame = {f"{item}.p{n}": 1 for n in (1, 2)} | {f"{item}.p3": 2}
    return [
        board(item, place, seat=seat),
        *tokens(fame, {f"{item}.r{n}": n + 1 for n in (1, 2, 3)}),
    ]


SETUP = [board("1A", "west"), board("2A", "east"), *tokens(FAME, THREATS)]


def record(players: int, events: list[Event], **options: Any) -> Record:
    """A record that stops after these events, which follow the set-up."""
    return {
        "format": "game-record/1",
        "title": "chang_cheng",
        "id": "t",
        "ended": "abandoned",
        "options": options,
        "seats": [{"player": None} for _ in range(players)],
        "events": SETUP + events,
    }


def fault(players: int, events: list[Event], **options: Any) -> tuple[int, str] | None:
    """Ply, counted from the first turn, and code of the first fault."""
    verdict = replay(record(players, events, **options))
    if verdict.ok:
        return None
    assert verdict.ply is not None and verdict.fault is not None
    return verdict.ply - len(SETUP), verdict.fault


def points(players: int, events: list[Event], **options: Any) -> list[ScoreEvent]:
    """Score events, their plies counted from the first turn."""
    verdict = replay(record(players, events, **options))
    assert verdict.ok, (verdict.ply, verdict.fault, verdict.message)
    return [(e[0] - len(SETUP), e[1], e[2], e[3], e[4]) for e in verdict.score_events]


# ---- the printed examples --------------------------------------------------------------------


def test_example_g_scored_before_the_second_wall() -> None:
    events = [
        wall(0, "1A.s1"),
        *(wall(1, "1A.s2"), wall(1, "2A.s1")),
        *(wall(2, "1A.s3"), wall(2, "2A.s5")),
        *(wall(0, "1A.s4"), wall(0, "1A.s6")),
    ]
    assert points(3, events) == [(5, 0, "province", "1A.p1", 6)]


EXAMPLE_H = [
    wall(0, "1A.s5"),
    *(tile(1, 2, "1A.p2"), wall(1, "1A.s6")),
    *(tile(2, 3, "1A.p2"), wall(2, "1A.s7")),
    *(wall(0, "2A.s1"), wall(0, "2A.s4")),
    *(wall(1, "1A.s8"), wall(1, "2A.s10")),
    *(wall(2, "2A.s5"), wall(2, "2A.s11")),
    *(tile(0, 4, "1A.p2"), wall(0, "1A.s9")),
    *(show(2, 3, "1A.p2"), show(0, 4, "1A.p2"), show(1, 2, "1A.p2")),
    {"seat": 1, "action": "traitor", "item": "destroy", "place": "1A.s5"},
    {"seat": 2, "action": "flood", "item": "minus", "place": "1A.p2"},
    {"seat": 0, "action": "architect", "item": "virtual", "place": "1A.p2"},
]


def test_example_h_traitor_flood_architect() -> None:
    last = len(EXAMPLE_H) - 1
    assert points(3, EXAMPLE_H) == [
        (last, 0, "province", "1A.p2", 5),
        (last, 1, "province", "1A.p2", 5),
    ]


@pytest.mark.parametrize("wrong", range(len(EXAMPLE_H) - 6, len(EXAMPLE_H) - 1))
def test_example_h_missing_show_or_decision(wrong: int) -> None:
    events = EXAMPLE_H[:wrong] + EXAMPLE_H[wrong + 1 :]
    found = fault(3, events)
    assert found is not None and found[1] in ("show_missing", "decision_missing")
    assert found[0] == max(wrong, len(EXAMPLE_H) - 4)


def position(pieces: dict[str, Piece], players: int = 4) -> Game:
    """Boards 1A and 2A with these pieces, for what happens at the end."""
    events = iter(SETUP)

    def source(game: Game) -> Event:
        event = next(events, None)
        if event is None:
            raise Stop
        return event

    game = Game(players, {}, source)
    with pytest.raises(Stop):
        game.run()
    game.sites.update(pieces)
    return game


def test_example_i_mongols() -> None:
    red, green, blue, purple = range(4)
    owners = [purple, purple, red, green, blue]  # region 1
    owners += [blue, blue, green]  # region 2, of which a tower and half a double wall
    owners += [green, green, red, red, purple]  # region 3
    pieces = {f"1A.s{n + 1}": Piece(owner, "wall") for n, owner in enumerate(owners)}
    pieces["1A.s6"].kind = "tower"
    pieces["1A.s8"].kind = pieces["1A.s9"].kind = "double"
    game = position(pieces)
    game.mongols()
    assert [(seat, place, lost) for _, seat, _, place, lost in game.score_events] == [
        (purple, "1A.r1", -2),
        (green, "1A.r3", -3),
        (red, "1A.r3", -3),
    ]


def test_neutral_lead_spares_all_and_a_neutral_tie_spares_nobody() -> None:
    pieces = {f"1A.s{n}": Piece(NEUTRAL, "wall") for n in (1, 2, 6)}
    pieces |= {"1A.s3": Piece(0, "wall"), "1A.s7": Piece(1, "wall")}
    pieces |= {"1A.s9": Piece(0, "wall", standing=False)}
    game = position(pieces, players=2)
    game.mongols()
    assert [(e[1], e[3], e[4]) for e in game.score_events] == [(1, "1A.r2", -4)]
    game.threats["1A.r2"] = Threat(4, removed=True)
    game.score_events.clear()
    game.mongols()
    assert game.score_events == []


def test_event_cards_count_standing_walls() -> None:
    pieces = {f"1A.s{n}": Piece(0, "wall") for n in (1, 2, 3, 4)}
    pieces["1A.s2"].standing = False
    pieces |= {"1A.s13": Piece(1, "tower"), "2A.s1": Piece(1, "wall"), "2A.s2": Piece(1, "double")}
    pieces["2A.s3"] = Piece(1, "double")
    pieces["2A.s4"] = Piece(NEUTRAL, "wall")
    game = position(pieces, players=2)
    assert [game.longest_run(seat) for seat in (0, 1)] == [2, 4]
    assert [game.provinces_with(seat) for seat in (0, 1)] == [["1A.p1"], ["1A.p3", "2A.p1"]]
    game.award("dominion", {0: 3, 1: 3}, lambda most: most)
    game.award("diplomacy", {0: 0, 1: 0}, lambda most: 4)
    assert [(e[1], e[3], e[4]) for e in game.score_events] == [
        (0, "dominion", 3),
        (1, "dominion", 3),
    ]


# ---- pieces ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "target", "worth", "west"),
    [
        ("1A.s2", "1A.s1", 2, "1A.s1"),
        ("1A.s4", "1A.s5", 3, "1A.s4"),
        ("2A.s9", "2A.s10", 4, "2A.s9"),
        ("2A.s1", "1A.s13", 4, "1A.s13"),
    ],
)
def test_double_wall_points(place: str, target: str, worth: int, west: str) -> None:
    events = [wall(0, "1A.s8"), double(1, place, target)]
    assert points(3, events) == [(1, 1, "double_wall", west, worth)]


FIRST = [wall(0, "1A.s8")]


@pytest.mark.parametrize(
    ("events", "ply", "code"),
    [
        ([tower(0, "1A.s1")], 0, "first_turn"),
        ([wall(0, "1A.s14")], 0, "unknown_place"),
        ([wall(0, "1A.s1", item="blue")], 0, "superfluous_field"),
        ([wall(1, "1A.s1")], 0, "wrong_seat"),
        ([*FIRST, wall(1, "1A.s8")], 1, "site_taken"),
        ([*FIRST, wall(1, "1A.s1"), wall(1, "1A.s2")], 2, "wrong_province"),
        ([*FIRST, wall(1, "1A.s1"), tile(1, 1, "1A.p1")], 2, "second_half_missing"),
        ([*FIRST, tile(1, 1, "1A.p1"), tile(1, 2, "1A.p1")], 2, "wrong_province"),
        ([*FIRST, tile(1, 1, "1A.p1"), wall(1, "2A.s1")], 2, "wrong_province"),
        ([*FIRST, tile(1, 1, "1A.p1"), tile(1, 1, "1A.p2")], 2, "tile_used"),
        ([*FIRST, tile(1, 7, "1A.p1")], 1, "unknown_item"),
        ([*FIRST, wall(1, "1A.s1"), wall(2, "1A.s2")], 2, "wrong_seat"),
        ([*FIRST, double(1, "1A.s1", "1A.s3")], 1, "not_neighbours"),
        ([*FIRST, double(1, "1A.s7", "1A.s8")], 1, "site_taken"),
        ([*FIRST, tower(1, "1A.s1"), tower(2, "1A.s2")], 2, "next_to_tower"),
        ([*FIRST, {"seat": 1, "action": "pass"}], 1, "must_act"),
        ([*FIRST, neutral(0, "1A.s1")], 1, "not_now"),
        ([*FIRST, {"seat": 1, "action": "castle"}], 1, "unknown_action"),
        ([*FIRST, {"seat": 1, "action": "wall"}], 1, "missing_field"),
    ],
)
def test_faults_of_an_action(events: list[Event], ply: int, code: str) -> None:
    assert fault(3, events) == (ply, code)


def test_reservations() -> None:
    start = [wall(0, "1A.s1"), tower(1, "1A.s2")]
    taken = [*start, wall(2, "1A.s3")]
    assert fault(3, taken) == (2, "site_reserved")
    assert fault(3, [*start, double(2, "1A.s3", "1A.s4")]) == (2, "site_reserved")
    later = [*start, wall(2, "2A.s1"), wall(2, "2A.s4"), wall(0, "2A.s2"), wall(0, "2A.s5")]
    assert fault(3, [*later, double(1, "1A.s3", "1A.s4")]) is None
    assert fault(3, [*later, wall(1, "1A.s3"), wall(1, "2A.s6")]) is None
    # At the end of the wall the one neighbour is reserved at once.
    end = [wall(0, "2A.s8"), tower(1, "1A.s1")]
    assert fault(3, [*end, wall(2, "1A.s2")]) == (2, "site_reserved")
    # Two towers on one site: either owner.
    two = [wall(0, "1A.s1"), tower(1, "1A.s2"), tower(2, "1A.s4"), *later[4:]]
    assert fault(3, [*two[:3], wall(0, "1A.s5"), wall(0, "1A.s3")]) == (4, "site_reserved")
    shared = [*two[:3], wall(0, "1A.s5"), wall(0, "2A.s1"), wall(1, "1A.s3"), wall(1, "2A.s4")]
    assert fault(3, shared) is None
    shared = [*shared[:5], wall(1, "2A.s4"), wall(1, "2A.s10"), wall(2, "1A.s3")]
    assert fault(3, [*shared, wall(2, "2A.s5")]) is None


def test_a_reservation_lapses_with_the_last_single_wall() -> None:
    game = position({"1A.s1": Piece(0, "wall"), "1A.s2": Piece(1, "tower")})
    game.reserving = {"1A.s2"}
    assert [game.may_build(seat, "1A.s3") for seat in range(4)] == [False, True, False, False]
    game.walls[1] = 0
    assert game.may_build(0, "1A.s3")


def test_a_neutral_wall_obeys_the_players_reservations() -> None:
    start = [wall(0, "1A.s1"), tower(1, "1A.s2")]
    blocked = [*start, tile(0, 1, "1A.p1"), tile(0, 2, "1A.p2"), neutral(0, "1A.s3")]
    assert fault(2, blocked) == (4, "site_reserved")
    mine = [*start, tile(0, 1, "1A.p1"), tile(0, 2, "1A.p2"), tile(1, 1, "1A.p1")]
    assert fault(2, [*mine, tile(1, 2, "1A.p2"), neutral(1, "1A.s3")]) is None


@pytest.mark.parametrize(
    ("action", "good", "bad"),
    [
        ([wall(1, "1A.s1"), wall(1, "2A.s1")], ["1A.s2", "2A.s2"], ["1A.s5", "2A.s4"]),
        ([tile(1, 1, "1A.p1"), tile(1, 2, "2A.p1")], ["1A.s2", "2A.s2"], ["1A.s5"]),
        ([tile(1, 1, "1A.p1"), wall(1, "1A.s1")], ["1A.s2"], ["1A.s5", "2A.s1"]),
        ([tower(1, "1A.s1")], ["1A.s5", "2A.s1"], ["1A.s3"]),
        ([double(1, "1A.s4", "1A.s5")], ["1A.s10", "2A.s1"], ["1A.s1", "1A.s6"]),
    ],
)
def test_where_the_neutral_wall_goes(action: list[Event], good: list[str], bad: list[str]) -> None:
    for place in good:
        assert fault(2, [*FIRST, *action, neutral(1, place)]) is None
    for place in bad:
        expected = (1 + len(action), "wrong_province")
        assert fault(2, [*FIRST, *action, neutral(1, place)]) == expected
    assert fault(2, [*FIRST, neutral(0, "1A.s7")]) == (1, "not_now")
    assert fault(2, [*FIRST, *action, neutral(0, good[0])]) == (1 + len(action), "wrong_seat")


# ---- completion ------------------------------------------------------------------------------


TWO_DONE_BY_A_DOUBLE = [
    wall(0, "1A.s1"),
    *(wall(1, "1A.s2"), wall(1, "1A.s6")),
    *(wall(2, "1A.s3"), wall(2, "1A.s7")),
    *(wall(0, "1A.s8"), wall(0, "2A.s1")),
    *(wall(1, "1A.s9"), wall(1, "2A.s2")),
    double(2, "1A.s4", "1A.s5"),
]


def test_a_double_wall_completes_two_provinces() -> None:
    last = len(TWO_DONE_BY_A_DOUBLE) - 1
    assert points(3, TWO_DONE_BY_A_DOUBLE) == [
        (last, 1, "province", "1A.p2", 8),
        (last, 2, "double_wall", "1A.s4", 3),
        (last, 2, "province", "1A.p1", 6),
        (last, 2, "province", "1A.p2", 8),
    ]
    order = {"seat": 2, "action": "order", "place": "1A.p2"}
    chosen = {"double_order": "chosen"}
    assert fault(3, [*TWO_DONE_BY_A_DOUBLE, order]) == (last + 1, "not_now")
    assert fault(3, [*TWO_DONE_BY_A_DOUBLE, wall(0, "1A.s10")], **chosen) == (
        last + 1,
        "order_missing",
    )
    ordered = points(3, [*TWO_DONE_BY_A_DOUBLE, order], **chosen)
    assert {event[0] for event in ordered if event[2] == "province"} == {last + 1}


def test_the_third_emperor_tile_brings_a_board_before_the_second_half() -> None:
    third = [
        *TWO_DONE_BY_A_DOUBLE,
        *(wall(0, "2A.s3"), *extension(0), wall(0, "3A.s1")),
    ]
    assert fault(3, third) is None
    verdict = replay(record(3, third))
    assert verdict.states[-1]["boards"] == ["1A", "2A", "3A"]
    assert verdict.states[-1]["emperor"] == 0
    ply = len(TWO_DONE_BY_A_DOUBLE) + 1
    cut = [*third[:ply], wall(0, "1A.s10")]
    assert fault(3, cut) == (ply, "extension_missing")
    wrong = [*third[:ply], board("3A", "west", seat=1)]
    assert fault(3, wrong) == (ply, "wrong_seat")
    used = [*third[:ply], board("2A", "west", seat=0)]
    assert fault(3, used) == (ply, "board_used")
    other = [*third[:ply], board("3B", "west", seat=0)]
    assert fault(3, other) == (ply, "unknown_board")


def test_the_second_province_is_scored_after_the_firsts_extension() -> None:
    pieces = {f"1A.s{n}": Piece(0, "wall") for n in (1, 2, 3, 6, 7, 8, 9)}
    game = position(pieces, players=3)
    game.emperor, before = 2, game.ply
    events = iter([double(2, "1A.s4", "1A.s5"), *extension(2)])
    game.source = lambda game: next(events)
    game.place_piece(game.ask("turn", 2, lambda event: None), 2)
    assert next(events, None) is None
    assert [(e[0] - before, e[1], e[3]) for e in game.score_events] == [
        (1, 2, "1A.s4"),
        (1, 0, "1A.p1"),
        (8, 0, "1A.p2"),
    ]
    assert (game.emperor, game.extensions) == (1, 0)


def finish(tiles: list[Event]) -> list[Event]:
    """Seats 0, 1, 2 and their tiles in two turns each; then seat 0 completes 2A.p1."""
    return [
        wall(0, "2A.s1"),
        *tiles,
        *(wall(0, "2A.s2"), wall(0, "1A.s1")),
        *(wall(1, "1A.s2"), wall(1, "1A.s5")),
        *(wall(2, "1A.s3"), wall(2, "1A.s6")),
        wall(0, "2A.s3"),
    ]


def test_equal_ranks_cancel_and_a_lone_warrior_does_nothing() -> None:
    tiles = [tile(1, 1, "2A.p1"), tile(1, 3, "1A.p3"), tile(2, 6, "1A.p3"), tile(2, 5, "2A.p2")]
    alone = [*finish(tiles), show(1, 1, "2A.p1")]
    assert points(3, alone)[-1] == (len(alone) - 1, 0, "province", "2A.p1", 3)
    tiles = [tile(1, 6, "2A.p1"), tile(1, 3, "1A.p3"), tile(2, 6, "2A.p1"), tile(2, 5, "2A.p2")]
    both = [*finish(tiles), show(1, 6, "2A.p1"), show(2, 6, "2A.p1"), wall(0, "1A.s10")]
    assert fault(3, both) is None


def test_the_warrior_must_strike_even_its_own() -> None:
    tiles = [tile(1, 1, "2A.p1"), tile(1, 3, "1A.p3"), tile(2, 6, "2A.p2"), tile(2, 5, "1A.p3")]
    later = [tile(1, 5, "2A.p1"), tile(1, 6, "2A.p2")]
    events = finish(tiles)
    events[7:9] = later
    ply = len(events) + 2
    events += [show(1, 1, "2A.p1"), show(1, 5, "2A.p1")]
    strike = {"seat": 1, "action": "warrior", "item": 5, "place": "2A.p1", "target": 1}
    assert fault(3, [*events, wall(0, "1A.s10")]) == (ply, "decision_missing")
    assert fault(3, [*events, {**strike, "target": 2}]) == (ply, "wrong_owner")
    assert fault(3, [*events, {**strike, "item": 1}]) == (ply, "wrong_tile")
    assert points(3, [*events, strike])[-1] == (ply, 0, "province", "2A.p1", 3)


def test_official_swaps_or_declines() -> None:
    tiles = [tile(1, 6, "2A.p1"), tile(1, 3, "1A.p3"), tile(2, 1, "2A.p2"), tile(2, 5, "1A.p3")]
    events = [*finish(tiles), show(1, 6, "2A.p1")]
    ply = len(events)
    ask = {"seat": 1, "action": "official"}
    assert points(3, [*events, ask])[-1] == (ply, 0, "province", "2A.p1", 3)
    assert fault(3, [*events, {**ask, "place": "2A.s1", "target": None}]) == (ply, "missing_field")
    assert fault(3, [*events, {**ask, "place": "2A.s1", "target": "2A.s2"}]) == (ply, "wrong_place")
    swap = {**ask, "place": "2A.s1", "target": "1A.s2"}
    assert points(3, [*events, swap])[-1] == (ply, 0, "province", "2A.p1", 3)
    state = replay(record(3, [*events, swap])).states[-1]["sites"]
    assert state["2A.s1"] == [1, "wall", True] and state["1A.s2"] == [0, "wall", True]


# ---- unknown items ---------------------------------------------------------------------------


def test_an_unknown_tile_takes_any_rank_that_is_free() -> None:
    tiles = [tile(1, None, "2A.p1"), tile(1, 3, "1A.p3"), tile(2, 6, "1A.p3"), tile(2, 5, "2A.p2")]
    events = finish(tiles)
    assert fault(3, [*events, show(1, 3, "2A.p1")]) == (len(events), "wrong_tile")
    assert fault(3, [*events, show(1, 5, "2A.p1")]) is None
    hands = replay(record(3, events)).states[-1]["supply"]
    assert hands[1]["hand"] == [None] * 4 and hands[2]["hand"] == [1, 2, 3, 4]
    hands = replay(record(3, [*events, show(1, 5, "2A.p1")])).states[-1]["supply"]
    assert hands[1]["hand"] == [1, 2, 4, 6] and hands[1]["gone"] == [5]


def test_known_and_unknown_tiles_of_one_owner_on_one_province() -> None:
    tiles = [tile(1, None, "2A.p1"), tile(1, None, "1A.p3"), tile(2, 6, "1A.p3")]
    events = finish([*tiles, tile(2, 5, "2A.p2")])
    events[7:9] = [tile(1, 3, "2A.p1"), tile(1, 2, "1A.p3")]
    assert fault(3, [*events, show(1, 3, "2A.p1"), show(1, 5, "2A.p1")]) is None
    assert fault(3, [*events, show(1, 5, "2A.p1"), show(1, 3, "2A.p1")]) is None
    twice = [*events, show(1, 5, "2A.p1"), show(1, 6, "2A.p1")]
    assert fault(3, twice) == (len(events) + 1, "wrong_tile")
    elsewhere = [*events, show(1, 2, "2A.p1")]
    assert fault(3, elsewhere) == (len(events), "wrong_tile")


def test_five_threats_of_a_value() -> None:
    shown = [{"action": "threat_shown", "item": 2, "place": "1A.r2"}]
    setup = [*SETUP[:8], *tokens({}, dict.fromkeys(THREATS, 2))]
    setup[9]["item"] = None
    options = {"events": ["scouts", "diplomacy"]}
    given = {**record(3, []), "options": options, "events": [*setup, wall(0, "1A.s6"), *shown]}
    assert (replay(given).ply, replay(given).fault) == (15, "no_such_token")
    setup[9]["item"], setup[10]["item"] = 2, None
    given["events"] = [*setup, wall(0, "1A.s6"), *shown]
    assert replay(given).ok
    setup[10]["item"] = 2
    assert (replay(given).ply, replay(given).fault) == (13, "no_such_token")


def fault_ply(given: Record) -> float:
    ply = replay(given).ply
    return float("inf") if ply is None else ply


@pytest.mark.parametrize("seed", range(4))
def test_unknown_items_by_trying_all_completions(seed: int) -> None:
    """With two tiles and a threat unknown and one item changed: the latest fault there can be."""
    rng = random.Random(seed)
    options: dict[str, Any] = {"two_players": "teams"} if seed % 2 else {"events": EVENTS[2:]}
    options = {key: [*value] if key == "events" else value for key, value in options.items()}
    given = generate(rng, 2, options)
    events = given["events"]
    given = {**given, "result": {}, "events": events}
    named = {"action_tile": range(1, 7), "threat": (2, 3, 4)}
    at = {name: [n for n, e in enumerate(events) if e["action"] == name] for name in named}
    shows = [n for n, e in enumerate(events) if e["action"] in ("show", "threat_shown")]
    unknown = rng.sample(at["action_tile"], 2) + rng.sample(at["threat"], 1)
    changed = rng.choice([n for n in at["action_tile"] + shows if n not in unknown])
    item = rng.randint(1, 6)
    base = [{**e, "item": item} if n == changed else e for n, e in enumerate(events)]

    def filled(items: tuple[int | None, ...]) -> Record:
        put = dict(zip(unknown, items, strict=True))
        return {
            **given,
            "events": [{**e, "item": put[n]} if n in put else e for n, e in enumerate(base)],
        }

    every = product(*(named[base[n]["action"]] for n in unknown))
    assert fault_ply(filled((None, None, None))) == max(fault_ply(filled(full)) for full in every)


# ---- whole games -----------------------------------------------------------------------------


def choices() -> Iterator[tuple[int, int, dict[str, Any], str]]:
    """Seed, players, options and policy: every value of every option with every player count."""
    cards: list[list[str]] = [[], *([*pair] for pair in combinations(EVENTS, 2))]
    seed = 0
    for players in (2, 3, 4):
        for variant in ("neutral", "teams") if players == 2 else (None,):
            for number, pair in enumerate(cards):
                seed += 1
                options: dict[str, Any] = {"boards": "AB"[number % 2], "events": pair}
                options["double_order"] = ("west_east", "chosen")[seed % 2]
                if variant:
                    options["two_players"] = variant
                yield seed, players, options, ("random", "greedy", "lean")[seed % 3]


@pytest.mark.parametrize(("seed", "players", "options", "policy"), list(choices()))
def test_generated_games(seed: int, players: int, options: dict[str, Any], policy: str) -> None:
    game = generate(random.Random(seed), players, options, policy)
    for given in (game, blind(game)):
        verdict = replay(given)
        assert verdict.ok, (verdict.ply, verdict.fault, verdict.message)
        assert {"scores": verdict.scores, "ranks": verdict.ranks} == game["result"]
        assert len(verdict.states) == len(given["events"])
        assert verdict.states[-1]["phase"] == "over"
        for before, now in pairwise(verdict.states):
            assert now["turn"] - before["turn"] in (0, 1)
        for state in verdict.states:
            conserved(state)
        totals = [0] * players
        for ply, seat, _, _, worth in verdict.score_events:
            assert 0 <= ply < len(given["events"])
            totals[seat] += worth
        assert totals == verdict.scores
    cut = {**game, "events": game["events"][:-1]}
    assert (replay(cut).ply, replay(cut).fault) == (len(cut["events"]), "truncated")
    more = {**game, "events": [*game["events"], {"seat": 0, "action": "pass"}]}
    assert (replay(more).ply, replay(more).fault) == (len(game["events"]), "after_end")
    other = {**game, "result": {"scores": [99] * players}}
    assert (replay(other).ply, replay(other).fault) == (None, "result_mismatch")


def conserved(state: dict[str, Any]) -> None:
    """Every piece is in a supply, on the board or out of the game."""
    pieces = [piece for piece in state["sites"].values() if piece]
    tiles = [tile for province in state["provinces"].values() for tile in province["tiles"]]
    for side, left in state["supply"].items():
        count = {kind: sum(piece[:2] == [side, kind] for piece in pieces) for kind in ("wall", "double", "tower")}
        assert left["walls"] + count["wall"] == 14
        assert 2 * left["double"] + count["double"] == 2
        assert left["tower"] + count["tower"] == 1
        out = [tile[1] for tile in tiles if tile[0] == side]
        ranks = left["hand"] + left["gone"] + out
        assert len(ranks) == 6
        known = [rank for rank in ranks if rank is not None]
        assert len(set(known)) == len(known)
    neutrals = sum(piece[0] == NEUTRAL for piece in pieces)
    assert neutrals + (state["neutral_walls"] or 0) in (0, 12)
    assert all(piece[2] or piece[1] == "wall" for piece in pieces)
    assert 0 <= state["emperor"] <= 3
    assert sum(province["complete"] for province in state["provinces"].values()) >= state["emperor"]


def test_a_stalemate_ends_the_game_with_the_neutral_wall_declined() -> None:
    """Whether the threats are all shown already (scouts) or still to be."""
    for cards in ([], ["scouts", "dominion"]):
        game = generate(random.Random(1), 2, {"events": cards}, "lean")
        state = replay(game).states[-1]
        assert None in state["sites"].values() and state["neutral_walls"] == 12
        assert "pass" not in [event["action"] for event in game["events"][-12:]]
        cut = {**game, "events": game["events"][:-1], "ended": "timeout", "result": {}}
        assert replay(cut).ok and replay(cut).scores is None


def test_a_record_that_is_not_finished_stops_anywhere() -> None:
    game = generate(random.Random(5), 2, {"two_players": "teams"})
    for length in range(len(game["events"])):
        verdict = replay({**game, "events": game["events"][:length], "ended": "conceded"})
        assert (verdict.ok, verdict.ply, verdict.ranks) == (True, None, None)


def test_teams_break_a_tie_by_the_best_single_colour() -> None:
    game = Game(2, {"two_players": "teams"}, lambda game: None)
    game.points = {"blue": 5, "green": 5, "red": 8, "purple": 2}
    assert (game.scores(), game.ranks()) == ([10, 10], [2, 1])
    game.points = {"blue": 2, "green": 8, "red": 8, "purple": 2}
    assert game.ranks() == [1, 1]


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (3, {"two_players": "teams"}),
        (2, {"events": ["scouts"]}),
        (2, {"events": ["scouts", "scouts"]}),
        (2, {"boards": "C"}),
        (5, {}),
    ],
)
def test_a_bad_header_has_no_ply(players: int, options: dict[str, Any]) -> None:
    verdict = replay({**record(players, []), "options": options})
    assert (verdict.ok, verdict.ply) == (False, None)


def test_mutilated_records_never_raise() -> None:
    rng = random.Random(7)
    for seed in range(12):
        game = generate(random.Random(seed), 2 + seed % 3, {})
        for _ in range(10):
            events = [dict(event) for event in game["events"]]
            event = rng.choice(events)
            field = rng.choice(["seat", "action", "item", "place", "target", "amount"])
            event[field] = rng.choice([None, 0, 3, 9, "", "east", "1A.s3", "2A.p1", "4A.r2", "wall"])
            if rng.random() < 0.1:
                rng.shuffle(events)
            verdict = replay({**game, "events": events, "result": {}})
            assert verdict.ok == (verdict.ply is None)


# ---- the look-ahead, by trying ---------------------------------------------------------------


class Unchecked(Game):
    """A game in which a first half need not be followed; for trying what follows."""

    pretend: bool | None = None

    def must_be_whole(self, seat: int) -> bool:
        return super().must_be_whole(seat) if self.pretend is None else self.pretend

    def wall_can_follow_wall(self, side: int | str, site: str) -> bool:
        return self.pretend is not None or super().wall_can_follow_wall(side, site)

    def half_can_follow_tile(self, side: int | str, province: str) -> bool:
        return self.pretend is not None or super().half_can_follow_tile(side, province)


def can_be_followed(given: Record, ply: int, half: Event) -> bool:
    """Play the half whatever the look-ahead says; is there a second half then?"""
    rng = random.Random(ply)
    events = given["events"]
    second: list[Event] = []

    def source(game: Game) -> Event | None:
        assert isinstance(game, Unchecked)
        at = game.ply + 1
        if at < ply:
            game.pretend = None
            neutral = game.phase == "neutral" and events[at]["action"] != "neutral"
            return None if neutral else events[at]
        if at == ply:
            if game.phase == "neutral":
                return None
            return half
        if game.phase in ("tokens", "extension_tokens"):
            return draw_token(rng, game)
        if game.phase == "second_half":
            second.extend(legal_events(game))
        if game.phase in ("second_half", "turn", "neutral"):
            raise Stop
        return rng.choice(legal_events(game))

    game = Unchecked(len(given["seats"]), given["options"], source)
    asked = game.take_turn

    def take_turn(seat: int) -> None:
        game.pretend = True if game.ply + 1 == ply and game.turn else None
        asked(seat)

    game.take_turn = take_turn  # type: ignore[method-assign]
    with suppress(Stop):
        game.run()
    return bool(second)


@pytest.mark.parametrize("seed", range(9))
def test_the_look_ahead_by_trying(seed: int) -> None:
    """Near the end of a game: first halves are legal just when a second half turns out to be."""
    options = {"two_players": "teams"} if seed % 3 == 2 else {}
    players = 3 if seed % 3 == 1 else 2
    given = generate(random.Random(seed), players, options, ("random", "lean")[seed % 2])
    seen: list[tuple[int, bool, list[Event], list[Event]]] = []

    def source(game: Game) -> Event | None:
        at = game.ply + 1
        event: Event | None = given["events"][at] if at < len(given["events"]) else None
        if game.phase == "neutral" and (event is None or event["action"] != "neutral"):
            return None
        if game.phase == "turn" and game.turn > 0 and len(game.empty()) < 12:
            assert game.seat is not None
            whole = game.must_be_whole(game.seat)
            halves = [e for e in legal_events(game) if e["action"] in ("wall", "action_tile")]
            tries = []
            for side in game.sides_of(game.seat):
                colour = {"item": side} if game.teams else {}
                tries += [wall(game.seat, site, **colour) for site in game.wall_sites(side)]
                for province in game.incomplete() if game.hand(side) else []:
                    put = tile(game.seat, game.hand(side)[0], province)
                    tries.append({**put, "target": side} if game.teams else put)
            seen.append((at, whole, halves, tries))
        assert event is not None
        return event

    Game(players, options, source).run()
    assert seen
    for ply, whole, halves, tries in seen:
        for half in tries:
            follows = can_be_followed(given, ply, half)
            assert (half in halves) == (follows or not whole)
            assert whole or not follows
