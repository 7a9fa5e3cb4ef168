"""Chang Cheng against its oracle, its printed examples, and positions that bots seldom reach."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest

from pipeline import titles
from pipeline.records import read_record
from pipeline.replay import check_record, replay_log, states_of
from pipeline.simulate import Plan, play
from pipeline.titles.chang_cheng import bots, rules_end, rules_pieces
from pipeline.titles.chang_cheng.codes import CARDS, SCORE_REGION, SITES_A_BOARD
from pipeline.titles.chang_cheng.rules_state import (
    DECIDING,
    DOUBLE_HALF,
    EXTENDING,
    MAY_NEUTRAL,
    SECOND_HALF,
    SINGLE,
    TOWER_PIECE,
    TURN,
)
from pipeline.titles.state import Sink, memory_of
from tests.agreement import assert_agreement, compare_games, engine_states, oracle_of, simulated

Event = dict[str, Any]
Data = dict[str, Any]


def cells() -> list[tuple[int, dict[str, Any]]]:
    """Every value of every option with every number of players."""
    pairs = [[], *map(list, itertools.combinations(CARDS, 2))]
    found = []
    for players, variant in ((2, "neutral"), (2, "teams"), (3, "neutral"), (4, "neutral")):
        for i in range(4):
            cards = pairs[(i + 3 * players + (variant == "teams")) % 7]
            order = ("west_east", "chosen")[(i // 2 + players) % 2]
            found.append(
                (players, {"boards": "AB"[i % 2], "two_players": variant, "events": cards, "double_order": order})
            )
    return found


@pytest.mark.parametrize(("players", "options"), cells())
def test_engine_and_oracle_agree(players: int, options: dict[str, Any]) -> None:
    for seed, kinds in enumerate((("random",), ("greedy", "random"))):
        counts = compare_games("chang_cheng", players, 1, seed + 40, kinds, options, mutations=4)
        assert counts["whole"] == 2


def test_sampling_games_agree_too() -> None:
    for players in (2, 3):
        counts = compare_games("chang_cheng", players, 1, 3, ("sampling", "greedy"), {}, mutations=2)
        assert counts["whole"] == 2


@pytest.mark.parametrize("cards", [[], ["scouts", "dominion"]])
def test_stalemates_agree(cards: list[str]) -> None:
    """Without neutral walls two players cannot fill the wall; with scouts nothing is left to reveal."""
    oracle = oracle_of("chang_cheng")
    for seed in range(3):
        record = oracle.generate(random.Random(seed), 2, {"events": cards}, "lean")
        verdict = assert_agreement(record)
        assert None in verdict.states[-1]["sites"].values()
        for more in ({"seat": 0, "action": "pass"}, {"seat": 1, "action": "neutral", "place": "1A.s1"}):
            longer = {**record, "events": [*record["events"], more], "result": {}}
            assert not assert_agreement(longer, states=False).ok
        for ended in ("finished", "timeout"):
            cut = {**record, "events": record["events"][:-1], "ended": ended, "result": {}}
            assert assert_agreement(cut, states=False).scores is None


def test_states_are_compared_on_all_that_a_table_shows() -> None:
    record = next(simulated("chang_cheng", 3, 1, 1, ("random",), {}))
    mine = engine_states(read_record(record))[0].keys()
    assert mine & oracle_of("chang_cheng").replay(record).states[0].keys() == {
        "phase", "seat", "turn", "boards", "sites", "provinces", "regions", "supply", "neutral_walls", "emperor",
        "extensions_left", "scores", "side_scores",
    }  # fmt: skip


# ---- positions, written by hand ----------------------------------------------------------------------


def wall(seat: int, place: str, **more: Any) -> Event:
    return {"seat": seat, "action": "wall", "place": place, **more}


def walls(seat: int, *places: str) -> list[Event]:
    return [wall(seat, place) for place in places]


def tower(seat: int, place: str, **more: Any) -> Event:
    return {"seat": seat, "action": "tower", "place": place, **more}


def double(seat: int, place: str, target: str, **more: Any) -> Event:
    return {"seat": seat, "action": "double", "place": place, "target": target, **more}


def tile(seat: int, item: int | None, place: str) -> Event:
    return {"seat": seat, "action": "action_tile", "item": item, "place": place}


def show(seat: int, item: int, place: str) -> Event:
    return {"seat": seat, "action": "show", "item": item, "place": place}


def tokens(side: str, fame: tuple[int, ...], threats: tuple[int, ...]) -> list[Event]:
    return [
        *({"action": "fame", "item": value, "place": f"{side}.p{i + 1}"} for i, value in enumerate(fame)),
        *({"action": "threat", "item": value, "place": f"{side}.r{i + 1}"} for i, value in enumerate(threats)),
    ]


SET_UP = [
    {"action": "board", "item": "1A", "place": "west"},
    {"action": "board", "item": "2A", "place": "east"},
    *tokens("1A", (2, 3, 0), (2, 4, 3)),
    *tokens("2A", (0, 1, 4), (2, 3, 4)),
]


def record(players: int, events: list[Event], **options: Any) -> Data:
    """A record that was broken off after these events, which follow the set-up."""
    return {
        "format": "game-record/1", "title": "chang_cheng", "id": "by-hand", "ended": "abandoned",
        "options": options, "seats": [{"player": None}] * players, "events": SET_UP + events,
    }  # fmt: skip


def fault(players: int, events: list[Event], **options: Any) -> tuple[int, str] | None:
    """Where, counted from the first turn, and why; the oracle must say the same."""
    data = record(players, events, **options)
    assert_agreement(data)
    check = check_record(read_record(data))
    return None if check.ok else (check.ply - len(SET_UP), str(check.fault))


def points(players: int, events: list[Event], **options: Any) -> list[tuple[Any, ...]]:
    """Score events, their plies counted from the first turn; the oracle must say the same."""
    data = record(players, events, **options)
    assert_agreement(data)
    check = check_record(read_record(data))
    assert check.ok, check.message
    return [(ply - len(SET_UP), *rest) for ply, *rest in check.score_events]


def test_example_g() -> None:
    """4 walls and fame 2 make 6 for the one with 2 walls against 1 and 1, before his second wall."""
    events = [
        *walls(0, "1A.s1"), *walls(1, "1A.s2", "2A.s1"), *walls(2, "1A.s3", "2A.s5"), *walls(0, "1A.s4", "1A.s6"),
    ]  # fmt: skip
    assert points(3, events) == [(5, 0, "province", "1A.p1", 6)]


def test_example_h() -> None:
    """4 standing walls + 3 - 2 = 5, for both of the tied: 2 walls, and 1 wall with a virtual one."""
    events = [
        wall(0, "1A.s5"),
        *(tile(1, 2, "1A.p2"), wall(1, "1A.s6")),
        *(tile(2, 3, "1A.p2"), wall(2, "1A.s7")),
        *walls(0, "2A.s1", "2A.s4"),
        *walls(1, "1A.s8", "2A.s10"),
        *walls(2, "2A.s5", "2A.s11"),
        *(tile(0, 4, "1A.p2"), wall(0, "1A.s9")),
        *(show(2, 3, "1A.p2"), show(0, 4, "1A.p2"), show(1, 2, "1A.p2")),
        {"seat": 1, "action": "traitor", "item": "destroy", "place": "1A.s5"},
        {"seat": 2, "action": "flood", "item": "minus", "place": "1A.p2"},
        {"seat": 0, "action": "architect", "item": "virtual", "place": "1A.p2"},
    ]
    last = len(events) - 1
    assert points(3, events) == [(last, 0, "province", "1A.p2", 5), (last, 1, "province", "1A.p2", 5)]
    for missing in range(last - 5, last):
        assert fault(3, events[:missing] + events[missing + 1 :]) is not None


def test_example_i() -> None:
    """Threat 2 falls on 2 walls against ones; 4 on a majority with its own tower: nobody; 3 on both tied."""
    red, green, blue, purple = range(4)
    title = titles.load("chang_cheng")
    data = read_record(record(4, []))
    board = title.load_board(data.board)
    block, rows = states_of(data)
    memory_of(block)[:] = rows[-1]
    state, sink = block[0], Sink.new()
    owners = [purple, purple, red, green, blue, blue, blue, green, green, green, red, red, purple]
    kinds = dict.fromkeys(range(SITES_A_BOARD), SINGLE) | {5: TOWER_PIECE, 7: DOUBLE_HALF, 8: DOUBLE_HALF}
    for site, owner in enumerate(owners):
        rules_pieces.fill(state, board, owner, kinds[site], site)
        state.completing_count = 0
    state.tower_at[blue] = 5
    for region in range(3):
        rules_end.raid(state, board, sink, region)
    found = [(int(sink.seat[i]), int(sink.place[i]) - SCORE_REGION, int(sink.points[i])) for i in range(sink.count)]
    assert sorted(found) == sorted([(purple, 0, -2), (green, 2, -3), (red, 2, -3)])
    assert state.spared[blue] == 4


TWO_AT_ONCE = [
    *walls(0, "1A.s1"), *walls(1, "1A.s2", "1A.s6"), *walls(2, "1A.s3", "1A.s7"), *walls(0, "1A.s8", "2A.s1"),
    *walls(1, "1A.s9", "2A.s2"), *walls(2, "2A.s3", "1A.s10"), *walls(0, "1A.s11", "2A.s10"),
    *walls(1, "1A.s12", "2A.s11"), *walls(2, "1A.s13", "2A.s12"), double(0, "1A.s5", "1A.s4"),
]  # fmt: skip
EXTENSION = [
    {"seat": 0, "action": "board", "item": "3A", "place": "west"},
    *tokens("3A", (1, 1, 2), (2, 3, 3)),
]


def test_a_double_wall_completes_two_provinces_with_the_extension_between() -> None:
    last = len(TWO_AT_ONCE) - 1
    events = [*TWO_AT_ONCE, *EXTENSION, *walls(1, "3A.s1", "2A.s4")]
    scored = [event for event in points(3, events) if event[0] >= last]
    assert [(ply, source, place) for ply, _, source, place, _ in scored] == [
        (last, "double_wall", "1A.s4"),
        (last, "province", "1A.p1"),
        (last + len(EXTENSION), "province", "1A.p2"),
        (last + len(EXTENSION), "province", "1A.p2"),
    ]
    assert fault(3, [*TWO_AT_ONCE, *walls(1, "2A.s4")]) == (last + 1, "extension_missing")


@pytest.mark.parametrize("first", ["1A.p1", "1A.p2"])
def test_the_order_of_two_provinces_is_chosen(first: str) -> None:
    last = len(TWO_AT_ONCE) - 1
    order = {"seat": 0, "action": "order", "place": first}
    events = [*TWO_AT_ONCE, order, *EXTENSION]
    scored = [event for event in points(3, events, double_order="chosen") if event[0] > last]
    assert scored[0][3] == first and {event[0] for event in scored} == {last + 1, last + 1 + len(EXTENSION)}
    assert fault(3, [*TWO_AT_ONCE, order]) == (last + 1, "extension_missing")
    assert fault(3, [*TWO_AT_ONCE, *EXTENSION], double_order="chosen") == (last + 1, "wrong_phase")
    for wrong in ({**order, "seat": 1}, {**order, "place": "2A.p1"}, {**order, "place": "3A.p1"}):
        found = fault(3, [*TWO_AT_ONCE, wrong], double_order="chosen")
        assert found is not None and found[0] == last + 1


def test_an_official_is_asked_when_all_walls_are_of_one_colour() -> None:
    events = [
        wall(0, "2A.s1"),
        *(tile(1, 6, "2A.p1"), tile(1, 1, "1A.p3")),
        tower(2, "1A.s7"),
        *walls(0, "2A.s2", "1A.s1"),
        double(1, "1A.s10", "1A.s11"),
        double(2, "2A.s7", "2A.s8"),
        *(wall(0, "2A.s3"), show(1, 6, "2A.p1")),
    ]
    ask = {"seat": 1, "action": "official"}
    assert points(3, [*events, ask])[-1] == (len(events), 0, "province", "2A.p1", 3)
    assert fault(3, [*events, {**ask, "place": "2A.s1", "target": "1A.s1"}]) is None
    assert fault(3, [*events, wall(0, "1A.s2")]) == (len(events), "wrong_phase")
    for wrong in ({"place": "2A.s1"}, {"target": "1A.s1"}, {"place": "2A.s1", "target": "2A.s2"},
                  {"place": "2A.s1", "target": "1A.s10"}, {"place": "1A.s1", "target": "2A.s1"}):  # fmt: skip
        found = fault(3, [*events, {**ask, **wrong}])
        assert found is not None and found[0] == len(events)


def test_reservations() -> None:
    start = [wall(0, "1A.s1"), tower(1, "1A.s2")]
    assert fault(3, [*start, wall(2, "1A.s3")]) == (2, "site_reserved")
    assert fault(3, [*start, double(2, "1A.s3", "1A.s4")]) == (2, "site_reserved")
    end = [wall(0, "2A.s8"), tower(1, "1A.s1")]
    assert fault(3, [*end, wall(2, "1A.s2")]) == (2, "site_reserved")
    colours = {"two_players": "teams"}
    teams = [wall(0, "1A.s1", item="blue"), tower(1, "1A.s2", item="red")]
    later = [*teams, wall(0, "2A.s1", item="green"), wall(0, "2A.s4", item="green")]
    assert fault(2, [*later, wall(1, "1A.s3", item="purple")], **colours) == (4, "site_reserved")
    assert fault(2, [*later, wall(1, "1A.s3", item="red")], **colours) is None
    assert fault(2, [*later, wall(1, "1A.s3", item="blue")], **colours) == (4, "wrong_colour")


def test_an_extension_releases_a_reserved_site() -> None:
    """A tower at the end of the wall has one empty neighbour; the new board gives it a second one."""
    before = [
        *walls(0, "1A.s6"), tower(1, "1A.s1"), *walls(2, "1A.s7", "2A.s1"), *walls(0, "1A.s8", "2A.s2"),
        *walls(1, "1A.s9", "2A.s4"), *walls(2, "1A.s5", "2A.s3"), *walls(0, "1A.s10", "2A.s5"),
        *walls(1, "1A.s11", "2A.s6"), *walls(2, "1A.s12", "2A.s7"),
    ]  # fmt: skip
    taken = [*before, wall(0, "1A.s2")]
    assert fault(3, taken) == (len(before), "site_reserved")
    grown = [*before, wall(0, "1A.s13"), *EXTENSION]
    assert fault(3, [*grown, wall(0, "1A.s2")]) is None
    assert fault(3, [*grown, wall(0, "3A.s13")]) is None
    again = [*grown, wall(0, "3A.s13")]
    assert fault(3, [*again, *walls(1, "3A.s1", "2A.s8"), wall(2, "1A.s2")]) == (len(again) + 2, "site_reserved")


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([tower(0, "1A.s1")], (0, "first_turn")),
        ([*walls(0, "1A.s8", "1A.s1")], (1, "wrong_seat")),
        ([*walls(0, "1A.s8"), *walls(1, "1A.s1", "1A.s2")], (2, "same_province")),
        ([*walls(0, "1A.s8"), wall(1, "1A.s1"), tile(1, 1, "1A.p2")], (2, "other_half")),
        ([*walls(0, "1A.s8"), tile(1, 1, "1A.p1"), wall(1, "2A.s1")], (2, "other_province")),
        ([*walls(0, "1A.s8"), tile(1, 1, "1A.p1"), tile(1, 1, "1A.p2")], (2, "tile_used")),
        ([*walls(0, "1A.s8"), tower(1, "1A.s1"), tower(2, "1A.s2")], (2, "site_reserved")),
        ([*walls(0, "1A.s8"), tower(1, "1A.s3"), tower(2, "1A.s2")], (2, "beside_tower")),
        ([*walls(0, "1A.s8"), double(1, "1A.s1", "1A.s3")], (1, "not_neighbours")),
        ([*walls(0, "1A.s8"), wall(1, "3A.s1")], (1, "not_on_table")),
        ([*walls(0, "1A.s8"), {"seat": 1, "action": "pass"}], (1, "pass_not_forced")),
        ([wall(0, "1A.s1", item="blue")], (0, "wrong_colour")),
    ],
)
def test_faults_of_an_action(events: list[Event], expected: tuple[int, str]) -> None:
    assert fault(3, events) == expected


# ---- pieces, bots, compilation -----------------------------------------------------------------------


def conserved(state: dict[str, Any]) -> None:
    """Every piece is in a supply, on the boards or out of the game."""
    pieces = [piece for piece in state["sites"].values() if piece]
    tiles = [found for province in state["provinces"].values() for found in province["tiles"]]
    for owner, left in state["supply"].items():
        on = {kind: sum(piece[:2] == [owner, kind] for piece in pieces) for kind in ("wall", "double", "tower")}
        assert left["walls"] + on["wall"] == 14
        assert 2 * left["double"] + on["double"] == 2
        assert left["tower"] + on["tower"] == 1
        ranks = left["hand"] + left["gone"] + [rank for name, rank, _ in tiles if name == owner]
        assert sorted(ranks) == [1, 2, 3, 4, 5, 6]
    neutral = sum(piece[0] == "neutral" for piece in pieces)
    assert neutral + (state["neutral_walls"] or 0) in (0, 12)
    fame = [province["fame"] for province in state["provinces"].values() if province["fame"] is not None]
    assert all(fame.count(value) <= 3 for value in range(5))
    assert sum(state["side_scores"].values()) == sum(state["scores"])


@pytest.mark.parametrize(("players", "options"), cells()[::3])
def test_pieces_are_conserved(players: int, options: dict[str, Any]) -> None:
    for data in simulated("chang_cheng", players, 1, 11, ("random",), options):
        for state in engine_states(read_record(data)):
            conserved(state)


@pytest.mark.parametrize(("players", "options"), [(2, {}), (2, {"two_players": "teams"}), (3, {}), (4, {})])
def test_a_bot_sees_what_its_seat_sees(players: int, options: dict[str, Any]) -> None:
    """The same decisions, candidates and look-ahead worlds whatever lies where it cannot look."""
    title = titles.load("chang_cheng")
    data = read_record(next(simulated("chang_cheng", players, 1, 21, ("random", "greedy"), options)))
    board = title.load_board(data.board)
    block, rows = states_of(data, compiled=True)
    other = title.rules.State.block()
    checked = 0
    for row in rows[1::2]:
        memory_of(block)[:] = memory_of(other)[:] = row
        state, twin = block[0], other[0]
        if state.phase not in (TURN, SECOND_HALF, DECIDING, EXTENDING, MAY_NEUTRAL):
            continue
        seat = int(state.turn_seat)
        bots.hide(twin, board, seat, np.array([5, 6, 7, 8]))
        checked += not np.array_equal(memory_of(other), row)
        for policy in (0, 1):
            found = [np.full(6, -1, np.int32) for _ in range(2)]
            for each, event in zip((state, twin), found, strict=True):
                bots.decide(each, board, np.array([1, 2, 3, 4]), policy, event)
                each.declines = 0
            assert found[0].tolist() == found[1].tolist()
        lists = [np.zeros((bots.MOST_CANDIDATES, 6), np.int32) for _ in range(2)]
        counts = [
            bots.candidates(each, board, np.array([1, 2, 3, 4]), options)
            for each, options in zip((state, twin), lists, strict=True)
        ]
        assert counts[0] == counts[1] and np.array_equal(lists[0], lists[1])
        for each in (state, twin):
            bots.hide(each, board, seat, np.array([9, 8, 7, 6]))
        assert np.array_equal(memory_of(block), memory_of(other))
    assert checked > 10


@pytest.mark.parametrize(("players", "options"), [(2, {"events": ["scouts", "diplomacy"]}), (4, {"boards": "B"})])
def test_uncompiled_is_compiled(players: int, options: dict[str, Any]) -> None:
    title = titles.load("chang_cheng")
    plan = Plan("chang_cheng", players, 2, 9, ("random", "greedy"), options).checked()
    logs = [next(play(plan, compiled=compiled))[1] for compiled in (True, False)]
    for one, two in zip(logs[0], logs[1], strict=True):
        assert np.array_equal(one, two)
    board = title.board_id(plan.options)
    found = [replay_log(title, board, logs[0], want_turns=True, compiled=compiled) for compiled in (True, False)]
    for one, two in zip(found[0].results, found[1].results, strict=True):
        assert np.array_equal(one, two)
    assert np.array_equal(found[0].pieces[0].turns, found[1].pieces[0].turns)


def test_every_kind_of_event_is_reached_by_random_bots() -> None:
    title = titles.load("chang_cheng")
    book = title.book("")
    seen = set()
    for options in ({"two_players": "neutral"}, {"two_players": "teams", "events": ["scouts", "diplomacy"]}):
        plan = Plan("chang_cheng", 2, 1500, 1, ("random",), {**options, "double_order": "chosen"}).checked()
        for _, log in play(plan):
            seen |= {book.actions[code].name for code in np.unique(log.action)}
    assert seen == {action.name for action in book.actions}


def test_facts_of_a_turn() -> None:
    """They add up to what the events say."""
    title = titles.load("chang_cheng")
    plan = Plan("chang_cheng", 3, 50, 2, ("random",), {}).checked()
    log = next(play(plan))[1]
    replay = replay_log(title, title.board_id(plan.options), log, want_turns=True)
    names = [fact.name for fact in title.facts]
    facts = {name: replay.pieces[0].turns[:, 6 + i] for i, name in enumerate(names)}
    book = title.book("")
    shows = [log.item[log.action == book.action_code["show"]] == rank for rank in range(1, 7)]
    for rank, name in enumerate(("warrior", "traitor", "flood", "architect", "chief_architect", "official")):
        assert facts[f"shown_{name}"].sum() == shows[rank].sum()
        left = facts[f"shown_{name}"] - facts[f"cancelled_{name}"]
        assert (facts[f"acted_{name}"] <= left).all() and (facts[f"won_{name}"] <= facts[f"acted_{name}"]).all()
    events = replay.pieces[0].events
    games = replay.pieces[0].event_game
    scored = set(zip(games[events.source == 0], events.place[events.source == 0], strict=True))
    assert len(scored) <= facts["completed"].sum() <= 50 * 9
    assert facts["completed_won"].sum() <= facts["completed"].sum()
    assert (facts["act"] >= 0).all() and (facts["can_tile"] | facts["can_build"] | (facts["act"] == 8)).all()
    assert ((facts["act"] == 0) == (facts["empty_sites"] == 26)).all()
    assert (facts["choices"][facts["act"] != 8] > 0).all()
