"""The oracle of Kingdoms against the page's right values, and against its own games."""

from __future__ import annotations

import copy
import itertools
import random
from collections import Counter
from typing import Any

import pytest

from tests.oracles import kingdoms as k
from tests.oracles.common import Record, Verdict


def points(pieces: dict[str, k.Piece], source: str = "row", place: str = "A") -> dict[int, int]:
    """What each seat earns in one line."""
    return {s: p for _, s, src, pl, p in k.score_board(pieces) if (src, pl) == (source, place)}


def row(*items: str) -> dict[str, k.Piece]:
    """Row A from its left; `castle3/1` is seat 1's castle."""
    board: dict[str, k.Piece] = {}
    for column, item in enumerate(items, 1):
        word, _, owner = item.partition("/")
        board[f"A{column}"] = (word, int(owner) if owner else None)
    return board


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        # value 3, rank 3
        (row("+5", "-2", "castle3/0"), {0: 9}),
        # gold mine: 2 * (3 + 5 - 1) = 14
        (row("+3", "castle3/0", "+5", "gold_mine", "castle1/1", "-1"), {0: 42, 1: 14}),
        # mountain: +4 for rank 1, -6 for rank 3
        (row("castle1/0", "+4", "mountain", "-6", "castle3/1"), {0: 4, 1: -18}),
        # dragon: hazards -8 only
        (row("castle1/0", "+6", "dragon", "-6", "castle3/1", "-2"), {0: -8, 1: -24}),
        # gold mine, +5 +1 +4 and -3
        (row("+5", "+1", "+4", "-3", "gold_mine", "castle1/0"), {0: 14}),
        # dragon and gold mine: twice the hazards
        (row("dragon", "gold_mine", "+6", "-3", "castle2/0"), {0: -12}),
        # neither acts across a mountain
        (row("dragon", "-1", "castle1/1", "mountain", "+6", "castle2/0"), {0: 12, 1: -1}),
        (row("gold_mine", "mountain", "+6", "mountain", "castle4/0", "-1"), {0: -4}),
        # each castle on its own
        (row("castle2/0", "castle1/0", "+4", "castle3/1"), {0: 12, 1: 12}),
        # an empty line and one of value 0 earn nothing
        (row("castle2/0", "+4", "-4"), {}),
    ],
)
def test_right_values(pieces: dict[str, k.Piece], expected: dict[int, int]) -> None:
    """The page's right values; of short lines in a column, too."""
    assert points(pieces) == expected
    turned = {"ABCDE"[int(cell[1]) - 1] + "1": piece for cell, piece in list(pieces.items())[:5]}
    if len(pieces) <= 5:
        assert points(turned, "column", "1") == expected


def test_column_effects_do_not_touch_the_row() -> None:
    """A dragon and a gold mine act in the scored line only."""
    board: dict[str, k.Piece] = {
        "A1": ("+4", None), "B1": ("dragon", None), "C1": ("castle1", 0), "A2": ("castle2", 0),
        "D1": ("gold_mine", None),
    }  # fmt: skip
    assert k.score_board(board) == [(0, 0, "row", "A", 8)]


def games(count: int, policy: str = "random") -> list[Record]:
    """Games of 2, 3 and 4 players by turns."""
    return [k.generate(random.Random(f"{policy} {n}"), 2 + n % 3, {}, policy, f"{policy}-{n}") for n in range(count)]


def check_conservation(verdict: Verdict, players: int) -> None:
    """Every tile and every castle is somewhere, after every event."""
    for state in verdict.states:
        items = Counter(item for item in state["board"].values() if item)
        known = Counter(tile for hand in state["bonus"] for tile in hand if tile)
        unknown = sum(hand == [None] for hand in state["bonus"])
        tiles = items + known + Counter(state["unseen"])
        assert {word: n for word, n in tiles.items() if word in k.TILES} == k.TILES
        assert len(state["unseen"]) == state["supply"] + unknown
        for seat in range(players):
            on_board = Counter(state["board"][c] for c, s in state["owners"].items() if s == seat)
            whole = on_board + Counter(state["castles"][seat]) + Counter(state["castles_out"][seat])
            ones = k.RANK_1_CASTLES[players]
            assert whole == {"castle1": ones, "castle2": 3, "castle3": 2, "castle4": 1}
    assert verdict.states[-1]["phase"] == "over"


@pytest.mark.parametrize(("policy", "count"), [("random", 240), ("greedy", 9)])
def test_own_games(policy: str, count: int) -> None:
    """The generated games replay to their results, seen and blind, and nothing gets lost."""
    passes = 0
    for record in games(count, policy):
        players = len(record["seats"])
        passes += sum(event["action"] == "pass" for event in record["events"])
        for shown in (record, k.blind(record)):
            verdict = k.replay(shown)
            assert verdict.ok, (record["id"], verdict.ply, verdict.message)
            assert verdict.scores == record["result"]["scores"]
            assert verdict.ranks == record["result"]["ranks"]
            assert len(verdict.states) == len(record["events"])
            sums = [50] * players
            for _, seat, _, _, earned in verdict.score_events:
                sums[seat] += earned
            assert sums == verdict.scores
            check_conservation(verdict, players)
    if policy == "random":
        assert passes > 20


def test_start_player_ties_go_clockwise_from_the_previous_one() -> None:
    """Epoch 2: among the richest, the first clockwise from the previous start player."""
    game = k.Game(4)
    game.begin_epoch(2)
    game.scores = [60, 60, 50, 40]
    game.board = dict.fromkeys(k.CELLS, ("+1", None))
    game.epoch = 1
    game._end_epoch(0)
    assert (game.start, game.epoch) == (0, 2)
    game.scores = [50, 50, 50, 40]
    game.start = 2
    game.epoch = 1
    game._end_epoch(0)
    assert game.start == 2


def mutated(rng: random.Random, record: Record) -> Record:
    """One small change somewhere, most of them faults."""
    record = copy.deepcopy(record)
    events: list[dict[str, Any]] = record["events"]
    tiles = [event for event in events if event["action"] in ("tile", "bonus")]
    at = rng.randrange(len(events))
    kind = rng.choice(["item", "item", "item", "swap", "drop", "action", "action"])
    if kind == "item":
        rng.choice(tiles)["item"] = rng.choice(sorted(k.TILES))
    elif kind == "action":
        event = rng.choice(tiles)
        event["action"] = "bonus" if event["action"] == "tile" else "tile"
    elif kind == "swap":
        one, other = rng.sample(tiles, 2)
        one["item"], other["item"] = other["item"], one["item"]
    else:
        del events[at]
    return record


def test_unknowns_are_exact() -> None:
    """With unknowns, the fault is the last of those of all completions (or there is none)."""
    rng = random.Random(7)
    seen: Counter[str | None] = Counter()
    for n in range(40):
        record = mutated(rng, k.generate(rng, 2, {}))
        for event in record["events"][:2]:
            event["item"] = None
        record["events"] = record["events"][:32]  # the epoch, cut: no more unknowns than these
        record["ended"] = "abandoned"
        del record["result"]
        verdict = k.replay(record)
        faults: list[float] = []
        for pair in itertools.product(sorted(k.TILES), repeat=2):
            complete = {**record, "events": [dict(event) for event in record["events"]]}
            for event, tile in zip(complete["events"], pair, strict=False):
                if event["action"] == "deal":
                    event["item"] = tile
            ply = k.replay(complete).ply
            faults.append(float("inf") if ply is None else ply)
        mine = float("inf") if verdict.ply is None else verdict.ply
        assert mine == max(faults), (n, verdict.message)
        seen[verdict.fault] += 1
    assert len(seen) >= 4, seen


def first(players: int, *events: dict[str, Any], **header: Any) -> Verdict:
    """Play the events after the deal of -1, -2, ... to the seats."""
    deals = [{"seat": s, "action": "deal", "item": f"-{s + 1}"} for s in range(players)]
    seats = [{"player": None} for _ in range(players)]
    return k.replay({"title": "kingdoms", "seats": seats, "events": [*deals, *events], **header})


def event(seat: int, action: str, item: Any = None, place: Any = None, **more: Any) -> Any:
    """An event of the given fields."""
    given = {"seat": seat, "action": action, "item": item, "place": place, **more}
    return {name: value for name, value in given.items() if value is not None}


@pytest.mark.parametrize(
    ("events", "ply", "fault"),
    [
        ([event(0, "tile", "+1", "A1")], 3, "truncated"),
        ([event(1, "tile", "+1", "A1")], 2, "wrong_seat"),
        ([event(0, "tile", "+1", "A1"), event(1, "castle", "castle1", "A1")], 3, "occupied_cell"),
        ([event(0, "tile", "-1", "A1")], 2, "tile_not_in_supply"),
        ([event(0, "bonus", "-2", "A1")], 2, "bonus_unlike_dealt"),
        ([event(0, "pass")], 2, "pass_not_forced"),
        ([event(0, "deal", "+1")], 2, "wrong_phase"),
        ([event(0, "tile", None, "A1")], 2, "missing_field"),
        ([event(0, "tile", "+1")], 2, "missing_field"),
        ([event(0, "pass", place="A1")], 2, "superfluous_field"),
        ([event(0, "tile", "+1", "A1", amount=1)], 2, "superfluous_field"),
        ([event(0, "tile", "+1", "A1", foo="x")], 2, "superfluous_field"),
        ([event(0, "tile", "+1", "A1", _foo="x")], 3, "truncated"),
        ([event(0, "tile", "+7", "A1")], 2, "unknown_item"),
        ([event(0, "tile", "castle1", "A1")], 2, "unknown_item"),
        ([event(0, "castle", 1, "A1")], 2, "unknown_item"),
        ([event(0, "tile", "+1", "F1")], 2, "unknown_place"),
        ([event(0, "draw", "+1", "A1")], 2, "unknown_action"),
        (
            [
                event(0, "castle", "castle4", "A1"),
                event(1, "bonus", "-2", "A2"),
                event(0, "castle", "castle4", "A3"),
            ],
            4,
            "castle_not_owned",
        ),
        (
            [
                event(0, "bonus", "-1", "A1"),
                event(1, "bonus", "-2", "A2"),
                event(0, "bonus", "-1", "A3"),
            ],
            4,
            "bonus_already_played",
        ),
    ],
)
def test_faults(events: list[Any], ply: int, fault: str) -> None:
    """Each check of the page, and what the fields may be."""
    verdict = first(2, *events)
    assert (verdict.ok, verdict.ply, verdict.fault) == (False, ply, fault)
    assert verdict.scores is None
    assert verdict.ranks is None


def test_ends() -> None:
    """Unfinished, too long, wrongly scored, wrongly headed and results-only records."""
    record = games(1)[0]
    assert first(2, ended="abandoned").ok
    after = {**record, "events": [*record["events"], event(0, "pass")]}
    assert k.replay(after).ply == len(record["events"])
    assert k.replay(after).fault == "after_end"
    wrong = k.replay({**record, "result": {"ranks": [2, 2]}})
    assert (wrong.ok, wrong.ply, wrong.fault) == (False, None, "result_mismatch")
    assert wrong.scores == record["result"]["scores"]
    assert not first(2, options={"players": 3}).ok
    assert first(2, options={"players": 2}).ply == 2
    assert k.replay({"seats": record["seats"], "result": record["result"]}).ok
