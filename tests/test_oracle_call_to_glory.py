"""The oracle of Call to Glory against the printed examples, and against itself."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracles import call_to_glory as oracle
from tests.oracles.common import Event, Record, Verdict

OPTIONS: list[dict[str, bool]] = [
    {},
    {"tasks": True},
    {"ninjas": True},
    {"tasks": True, "ninjas": True},
]


class Script:
    """A record written turn by turn, by default as a spectator sees it."""

    def __init__(self, players: int, **options: bool) -> None:
        self.players = players
        self.options = options
        self.events: list[Event] = []

    def add(self, seat: int, action: str, item: str | None = None, **fields: Any) -> Script:
        event: Event = {"seat": seat, "action": action}
        if item is not None or action in ("deal", "deal_task", "draw"):
            event["item"] = item
        self.events.append({**event, **fields})
        return self

    def deal(self) -> Script:
        for seat in range(self.players):
            for _ in range(3):
                self.add(seat, "deal")
        return self

    def deal_tasks(self, tasks: dict[int, list[str]] | None = None) -> Script:
        for seat in range(self.players):
            known = (tasks or {}).get(seat, [])
            for item in [*known, *[None] * (3 - len(known))]:
                self.add(seat, "deal_task", item)
        return self

    def draw(self, seat: int, first: str = "draw1", second: str = "draw2") -> Script:
        return self.add(seat, "draw", place=first).add(seat, "draw", place=second)

    def lay(self, seat: int, item: str, amount: int) -> Script:
        return self.add(seat, "lay", item, amount=amount)

    def discard(self, seat: int, item: str, place: str) -> Script:
        return self.add(seat, "discard", item, place=place)

    def displace(self, owner: int, item: str, amount: int, place: str) -> Script:
        return self.add(owner, "displace", item, place=place, amount=amount)

    def ninja(self, seat: int, target: int, item: str, place: str) -> Script:
        return self.add(seat, "ninja", item, place=place, target=target)

    def record(self, ended: str = "abandoned") -> Record:
        return {
            "title": "call_to_glory",
            "options": self.options,
            "ended": ended,
            "seats": [{"player": None} for _ in range(self.players)],
            "events": self.events,
        }

    def verdict(self) -> Verdict:
        return oracle.replay(self.record())

    def state(self) -> dict[str, Any]:
        verdict = self.verdict()
        assert verdict.ok, (verdict.ply, verdict.fault)
        return verdict.states[-1]

    def fault(self) -> str | None:
        """The fault, which must be that of the last event."""
        verdict = self.verdict()
        assert not verdict.ok
        assert verdict.ply == len(self.events) - 1
        return verdict.fault


def idle(script: Script, seat: int, item: str = "farmer") -> Script:
    """A turn that draws face-down, and discards to where it may."""
    pile = "discard1"
    if script.events[-1]["action"] != "deal":
        state = script.state()
        pile = "discard2" if state["discard1"] and not state["discard2"] else "discard1"
    return script.draw(seat).discard(seat, item, pile)


def layers(script: Script, plan: list[tuple[int, str]]) -> Script:
    """Turn after turn, each laying the least set."""
    for seat, item in plan:
        least = 3 if script.players > 2 and item in oracle.THREE_AT_LEAST else 2
        script.draw(seat).lay(seat, item, least)
    return script


# ---- printed examples


def test_scoring_example_60_and_36() -> None:
    """A lies with 18+12+9+8+7+6, B with 20+16, and the sixth set ends the round."""
    a = ["monk", "samurai", "shogun", "daimyo", "empress", "emperor"]
    script = Script(2).deal()
    for turn, item in enumerate(a):
        layers(script, [(0, item)])
        if turn < 2:
            layers(script, [(1, ("farmer", "envoy")[turn])])
        elif turn < 5:
            idle(script, 1)
    verdict = script.verdict()
    assert verdict.ok
    assert verdict.states[-1]["rounds"] == [[60, 36]]
    last = len(script.events) - 1
    assert verdict.score_events == sorted(
        [(last, 0, "set", item, oracle.VALUE[item]) for item in a]
        + [(last, 1, "set", item, oracle.VALUE[item]) for item in ("farmer", "envoy")]
    )
    assert verdict.states[-1]["start"] == 1  # the fewest points start
    assert verdict.states[-1]["phase"] == "setup"
    assert script.draw(1).verdict().fault == "not_in_draw_phase"  # nothing is dealt yet


def test_six_farmers_beat_four() -> None:
    """A has four farmers in front; B lays six, and A discards the four at once."""
    script = Script(2).deal()
    script.draw(0).lay(0, "farmer", 4)
    for _ in range(2):
        idle(script, 1, "monk")
        idle(script, 0, "monk")
    script.draw(1).lay(1, "farmer", 6)
    state = script.state()
    assert state["phase"] == "displace"
    assert state["must_displace"] == [0, "farmer", 4]
    script.displace(0, "farmer", 4, "discard2")
    state = script.state()
    assert state["sets"] == [{}, {"farmer": 6}]
    assert state["discard2"][-4:] == ["farmer"] * 4


def test_own_ninjas_beaten_by_more() -> None:
    """A has three ninjas in front, lays five, and discards the three."""
    script = Script(2).deal()
    script.draw(0).lay(0, "ninja", 3)
    for _ in range(2):
        idle(script, 1, "monk")
        idle(script, 0, "monk")
    idle(script, 1, "monk")
    script.draw(0).lay(0, "ninja", 5)
    assert script.state()["must_displace"] == [0, "ninja", 3]
    script.displace(0, "ninja", 3, "discard1")
    assert script.state()["sets"] == [{"ninja": 5}, {}]


def test_task_example_two_empresses() -> None:
    """Task 7 of deck A is revealed, C has two empresses: 2 x 5 = 10; A has none."""
    script = Script(3, tasks=True).deal().deal_tasks({0: ["A7"]})
    layers(script, [(0, "monk"), (1, "farmer"), (2, "empress")])
    for item in ("emperor", "daimyo", "shogun"):
        layers(script, [(0, item)])
        idle(script, 1, "monk")
        idle(script, 2, "monk")
    layers(script, [(0, "samurai")])
    assert script.state()["phase"] == "task"
    script.add(0, "task", "A7")
    verdict = script.verdict()
    assert verdict.score_events == [(len(script.events) - 1, 2, "task", "A7", 10)]
    script.add(1, "task", "B16").add(2, "task", "C18")
    verdict = script.verdict()
    assert verdict.ok
    # the third task pays deck C's 3 for each of the two monks in front of A
    assert verdict.states[-1]["rounds"] == [[18 + 6 + 8 + 9 + 12 + 6, 20, 7 + 10]]
    last = len(script.events) - 1
    assert {ply for ply, _, source, _, _ in verdict.score_events if source == "set"} == {last}


def test_ninja_example() -> None:
    """Two ninjas bring a miniature, it costs B a samurai; three ninjas beat the two."""
    script = Script(2, ninjas=True).deal()
    script.draw(0).lay(0, "ninja", 2)
    assert script.state()["minis"] == [1, 0]
    script.draw(1).lay(1, "monk", 4)
    idle(script, 0)
    idle(script, 1)
    idle(script, 0)
    idle(script, 1)
    idle(script, 0)
    script.draw(1).lay(1, "samurai", 5)
    script.ninja(0, 1, "samurai", "discard1")
    state = script.state()
    assert state["sets"][1] == {"monk": 4, "samurai": 4}
    assert state["discard1"][-1] == "samurai"
    assert (state["minis"], state["mini_supply"]) == ([0, 0], 4)
    script.draw(0).discard(0, "farmer", "discard2")
    idle(script, 1)
    idle(script, 0)
    script.draw(1).lay(1, "ninja", 3).displace(0, "ninja", 2, "discard1")
    assert script.state()["minis"] == [0, 1]


# ---- set-up and draw


@pytest.mark.parametrize(("players", "sizes"), [(2, (52, 52)), (3, (51, 50)), (4, (49, 49))])
def test_pile_sizes(players: int, sizes: tuple[int, int]) -> None:
    state = Script(players).deal().state()
    assert (state["draw1"], state["draw2"]) == sizes


def test_draws() -> None:
    def start() -> Script:
        return Script(2).deal()

    assert start().draw(0, "draw1", "draw1").fault() == "same_pile_twice"
    assert start().add(0, "draw", place="discard1").fault() == "empty_pile"
    assert start().add(1, "draw", place="draw1").fault() == "wrong_seat"
    script = start().draw(0).discard(0, "monk", "discard1")
    script.add(1, "draw", "farmer", place="discard1")
    assert script.fault() == "not_on_top"
    script.events.pop()
    script.add(1, "draw", place="discard1")  # unknown, but there is only one card it can be
    assert script.state()["hands"][1] == ["monk", None, None, None]


def test_discard_rule() -> None:
    script = Script(2).deal().draw(0)
    assert script.discard(0, "monk", "discard2").fault() == "wrong_discard_pile"
    script.events.pop()
    script.discard(0, "monk", "discard1").draw(1)
    assert script.discard(1, "monk", "discard1").fault() == "wrong_discard_pile"
    script.events.pop()
    script.discard(1, "monk", "discard2")
    script.draw(0, "discard1", "draw1")  # an emptied pile must be opened again
    assert script.discard(0, "monk", "discard2").fault() == "wrong_discard_pile"
    script.events.pop()
    script.discard(0, "monk", "discard1").draw(1, "discard1", "discard2")
    assert script.discard(1, "monk", "discard2").fault() == "wrong_discard_pile"


def test_discard_rule_holds_for_a_beaten_set() -> None:
    script = Script(2).deal().draw(0).lay(0, "farmer", 2).draw(1).lay(1, "farmer", 3)
    assert script.displace(0, "farmer", 2, "discard2").fault() == "wrong_discard_pile"
    script.events.pop()
    script.displace(0, "farmer", 2, "discard1")
    assert script.state()["discard1"] == ["farmer"] * 2


# ---- sets


def test_set_sizes() -> None:
    for players, item, least in [
        (2, "samurai", 2),
        (3, "samurai", 3),
        (4, "ninja", 3),
        (3, "envoy", 3),
        (4, "monk", 2),
        (4, "farmer", 2),
    ]:
        script = Script(players).deal().draw(0).lay(0, item, least)
        assert script.state()["sets"][0] == {item: least}
        script = Script(players).deal().draw(0).lay(0, item, least - 1)
        assert script.fault() == "set_too_small"
    script = Script(2).deal().draw(0).lay(0, "monk", 3).draw(1)
    assert script.lay(1, "monk", 3).fault() == "set_not_larger"


def test_displace_is_due_at_once_and_whole() -> None:
    script = Script(2).deal().draw(0).lay(0, "farmer", 2).draw(1).lay(1, "farmer", 3)
    for wrong in [
        {"seat": 0, "action": "draw", "item": None, "place": "draw1"},
        {"seat": 0, "action": "displace", "item": "farmer", "place": "discard1", "amount": 1},
        {"seat": 1, "action": "displace", "item": "farmer", "place": "discard1", "amount": 2},
        {"seat": 0, "action": "displace", "item": "monk", "place": "discard1", "amount": 2},
    ]:
        script.events.append(wrong)
        assert script.fault() in ("missing_displace", "wrong_displace")
        script.events.pop()


# ---- round end


@pytest.mark.parametrize(("players", "sets"), [(2, 6), (3, 5), (4, 4)])
def test_round_ends_with_enough_sets(players: int, sets: int) -> None:
    items = ["emperor", "empress", "daimyo", "shogun", "monk", "farmer"][:sets]
    script = Script(players).deal()
    for item in items[:-1]:
        layers(script, [(0, item)])
        for seat in range(1, players):
            idle(script, seat, "envoy")
    assert script.state()["round"] == 1
    layers(script, [(0, items[-1])])
    assert script.state()["round"] == 2
    assert script.add(0, "deal").verdict().ok
    script.events.pop()
    assert script.draw(1).verdict().ply == len(script.events) - 2


def test_round_ends_with_all_nine_on_the_table() -> None:
    script = Script(2).deal()
    nine = list(oracle.VALUE)
    layers(script, [(turn % 2, item) for turn, item in enumerate(nine)])
    assert script.state()["rounds"] == [[6 + 8 + 12 + 16 + 20, 7 + 9 + 14 + 18]]


def test_round_ends_with_one_draw_pile_left() -> None:
    script = Script(3).deal()
    for turn in range(50):
        assert script.state()["round"] == 1
        idle(script, turn % 3, "farmer" if turn < 20 else "monk" if turn < 38 else "envoy")
        if turn == 0:
            assert script.add(1, "deal").fault() == "not_in_setup"  # ended too early
            script.events.pop()
    state = script.state()
    assert (state["round"], state["rounds"]) == (2, [[0, 0, 0]])
    assert state["start"] == 1  # all equal: the first clockwise after the previous one


def test_next_start_player() -> None:
    game = oracle.Game(4, {})
    game.start = 2
    for scores, last, start in [
        ([30, 10, 20, 40], [0, 0, 0, 0], 1),
        ([30, 30, 30, 40], [9, 7, 8, 0], 1),
        ([30, 30, 30, 40], [8, 8, 8, 0], 0),
        ([30, 30, 30, 30], [8, 8, 8, 8], 3),
        ([40, 30, 30, 40], [8, 8, 8, 8], 1),
    ]:
        game.scores, game.rounds = scores, [last]
        assert game.next_start() == start


def test_ranks_by_best_round() -> None:
    game = oracle.Game(4, {})
    game.scores = [50, 50, 50, 60]
    game.rounds = [[20, 30, 25, 15]] * 2
    assert game.ranks() == [4, 2, 3, 1]
    game.rounds = [[20, 20, 10, 15]] * 2
    assert game.ranks() == [2, 2, 4, 1]


# ---- the ninja variant


def ninja_start() -> Script:
    """Seat 0 has a miniature of an earlier turn, seat 1 two monks in front; seat 0 is next."""
    return Script(2, ninjas=True).deal().draw(0).lay(0, "ninja", 2).draw(1).lay(1, "monk", 2)


def test_ninja_needs_a_miniature_of_an_earlier_turn() -> None:
    script = Script(2, ninjas=True).deal().draw(0).discard(0, "farmer", "discard1")
    layers(script, [(1, "monk"), (0, "ninja")])
    assert script.ninja(0, 1, "monk", "discard2").fault() in ("not_in_turn", "wrong_seat")
    script = Script(2, ninjas=True).deal().draw(0)
    assert script.ninja(0, 1, "monk", "discard1").fault() == "no_miniature"
    script = ninja_start().ninja(0, 1, "monk", "discard1")
    assert script.ninja(0, 1, "monk", "discard2").fault() == "no_miniature"
    # two miniatures, one of them of this turn: one may go back
    script = ninja_start().draw(0).lay(0, "ninja", 3).displace(0, "ninja", 2, "discard1")
    script.ninja(0, 1, "monk", "discard2")
    assert script.state()["minis"] == [1, 0]
    verdict = script.ninja(0, 1, "monk", "discard2").verdict()
    assert verdict.ply == len(script.events) - 1


@pytest.mark.parametrize("moment", range(4))
def test_ninja_at_any_moment(moment: int) -> None:
    script = ninja_start()
    turn = Script(2).draw(0).discard(0, "farmer", "discard1" if moment == 3 else "discard2").events
    script.events += turn[:moment]
    script.ninja(0, 1, "monk", "discard2" if moment == 3 else "discard1")
    script.events += turn[moment:]
    state = script.state()
    assert state["sets"][1] == {"monk": 1}
    assert state["seat"] == 1


def test_no_ninja_before_the_displace() -> None:
    script = ninja_start().draw(0).lay(0, "monk", 3).ninja(0, 1, "monk", "discard1")
    assert script.fault() == "missing_displace"


def test_shrunk_set() -> None:
    """A set of one card is beaten by two, the minimum; of none it is free."""
    script = ninja_start().ninja(0, 1, "monk", "discard1").draw(0)
    assert script.lay(0, "monk", 1).fault() == "set_too_small"
    script.events.pop()
    script.lay(0, "monk", 2).displace(1, "monk", 1, "discard2")
    assert script.verdict().ok


def test_ninja_after_the_second_action_saves_the_round() -> None:
    """All nine lie there, but the check closes with the last ninja."""
    script = Script(2, ninjas=True).deal()
    order = ["ninja", "monk", "emperor", "empress", "daimyo", "shogun", "samurai", "envoy"]
    layers(script, [(turn % 2, item) for turn, item in enumerate(order)])
    script.draw(0).lay(0, "farmer", 2)
    ends = script.verdict()
    assert (ends.states[-1]["phase"], ends.states[-1]["round"]) == ("setup", 2)
    assert {ply for ply, *_ in ends.score_events} == {len(script.events) - 1}
    script.ninja(0, 1, "monk", "discard1")
    assert script.state()["rounds"] == [[14 + 6 + 8 + 12 + 20, 18 + 7 + 9 + 16]]
    script = Script(2, ninjas=True).deal()
    layers(script, [(0, "ninja"), (1, "ninja")])
    assert script.verdict().fault == "set_not_larger"


@pytest.mark.parametrize("give_back", [False, True])
def test_four_miniatures_only(give_back: bool) -> None:
    """None is left; unless one goes back before the set is laid."""
    game = oracle.Game(2, {"ninjas": True})
    for event in ninja_start().draw(0).events:
        game.apply(event)
    game.minis, game.supply = [2, 2], 0
    if give_back:
        for event in Script(2).ninja(0, 1, "monk", "discard1").events:
            game.apply(event)
    for event in Script(2).lay(0, "ninja", 3).events:
        game.apply(event)
    assert (game.minis, game.supply) == ([2, 2], 0)
    assert game.ready_minis() == (1 if give_back else 2)


def test_miniatures_go_back_at_the_round_end() -> None:
    script = Script(4, ninjas=True).deal()
    script.draw(0).lay(0, "ninja", 3)
    for item in ("farmer", "monk", "emperor"):
        for seat in (1, 2, 3):
            idle(script, seat, "envoy")
        script.draw(0).lay(0, item, 2)
    for seat in range(4):
        script.add(seat, "deal")
    state = script.state()
    assert (state["round"], state["minis"], state["mini_supply"]) == (2, [0] * 4, 4)


# ---- fields and header


def test_fields() -> None:
    script = Script(2).deal().draw(0)
    good: Event = {"seat": 0, "action": "discard", "item": "monk", "place": "discard1"}
    changes: list[tuple[Event, str]] = [
        ({"amount": 1}, "superfluous_field"),
        ({"colour": "red"}, "unknown_field"),
        ({"item": None}, "missing_item"),
        ({"place": None}, "missing_place"),
        ({"place": "draw1"}, "unknown_place"),
        ({"item": "pope"}, "unknown_item"),
        ({"item": 6}, "unknown_item"),
        ({"seat": 2}, "wrong_seat"),
        ({"seat": None}, "missing_seat"),
        ({"action": "pass"}, "unknown_action"),
        ({"action": "ninja", "target": 1}, "variant_off"),
        ({"action": "task", "item": "A7", "place": None}, "variant_off"),
    ]
    for change, code in changes:
        script.events.append({**good, **change})
        assert script.fault() == code
        script.events.pop()
    script.events.append({**good, "_note": "x", "target": None})
    assert script.verdict().ok


def test_result_is_compared() -> None:
    record = oracle.generate(random.Random(1), 2, {})
    for name, value in [("scores", [0, 0]), ("ranks", [1, 1])]:
        verdict = oracle.replay({**record, "result": {**record["result"], name: value}})
        assert (verdict.ok, verdict.ply, verdict.fault) == (False, None, "result_mismatch")
        assert verdict.scores == record["result"]["scores"]
    cut = {**record, "events": record["events"][:-1]}
    verdict = oracle.replay(cut)
    assert (verdict.ok, verdict.ply, verdict.fault) == (False, len(cut["events"]), "truncated")
    verdict = oracle.replay({**cut, "ended": "conceded"})
    assert (verdict.ok, verdict.scores) == (True, None)


# ---- unknown items


def test_unknown_card_is_bound_by_the_copies() -> None:
    """Seven emperors cannot be, whoever's unknown cards they were."""
    script = Script(2).deal().draw(0).lay(0, "emperor", 5).draw(1)
    script.discard(1, "emperor", "discard1").draw(0)
    assert script.discard(0, "emperor", "discard2").fault() == "too_many_copies"


def test_unknown_cards_are_as_many_as_they_are() -> None:
    script = Script(2).deal().draw(0)
    assert script.lay(0, "farmer", 6).fault() == "not_in_hand"
    script.events.pop()
    script.lay(0, "farmer", 5)
    assert script.state()["hands"][0] == []


def test_unknown_tasks() -> None:
    def at_round_end(**tasks: list[str]) -> Script:
        known = {int(seat[1:]): items for seat, items in tasks.items()}
        script = Script(2, tasks=True).deal().deal_tasks(known)
        layers(script, [(turn % 2, item) for turn, item in enumerate(oracle.VALUE)])
        assert script.state()["phase"] == "task"
        return script

    assert at_round_end().add(0, "task", "B9").verdict().ok
    assert at_round_end(s0=["B9"]).add(0, "task", "B9").verdict().ok
    assert at_round_end(s0=["B9"]).add(0, "task", "B12").fault() == "task_not_held"
    assert at_round_end(s1=["B9"]).add(0, "task", "B9").fault() == "task_not_held"
    script = at_round_end().add(0, "task", "B9").add(1, "task", "B9")
    assert script.fault() == "task_not_held"
    assert at_round_end().add(1, "task", "B9").fault() == "wrong_seat"
    script = Script(2, tasks=True).deal().add(0, "deal_task", "A6")
    assert script.add(0, "deal_task", "A7").fault() == "task_deck_twice"
    script.events.pop()
    assert script.add(1, "deal_task", "A6").fault() == "task_twice"


def completions(record: Record) -> list[Record]:
    """Every way to fill in a record's unknown items."""
    events = record["events"]
    unknown = [ply for ply, event in enumerate(events) if event.get("item", "") is None]
    words = [list(oracle.TASKS if events[ply]["action"] == "deal_task" else oracle.VALUE) for ply in unknown]
    filled = []
    for choice in itertools.product(*words):
        copy = list(events)
        for ply, item in zip(unknown, choice, strict=True):
            copy[ply] = {**copy[ply], "item": item}
        filled.append({**record, "events": copy})
    return filled


@pytest.mark.parametrize("seed", range(24))
def test_unknown_items_against_every_completion(seed: int) -> None:
    """A fault stands where the best of all completions breaks, not before and not after."""
    rng = random.Random(seed)
    record = oracle.generate(rng, rng.choice((2, 3, 4)), OPTIONS[seed % 4])
    cut = [dict(event) for event in record["events"][: rng.randrange(40, 110)]]
    hidden = [
        ply
        for ply, event in enumerate(cut)
        if event["action"] in ("deal", "deal_task") or event.get("place") in oracle.DRAW_PILES
    ]
    for ply in rng.sample(hidden, 2):
        cut[ply]["item"] = None
    for _ in range(rng.randrange(4)):  # something that may or may not contradict
        event = rng.choice(cut[9:])
        if event.get("item") in oracle.VALUE:
            event["item"] = rng.choice(("emperor", "empress", "farmer"))
        elif "amount" in event:
            event["amount"] += 1
    part: Record = {**record, "events": cut, "ended": "abandoned", "result": {}}
    verdict = oracle.replay(part)
    furthest = max(len(cut) if full.ok else int(full.ply or 0) for full in map(oracle.replay, completions(part)))
    assert (len(cut) if verdict.ok else verdict.ply) == furthest


# ---- whole games


def check_pieces(state: dict[str, Any], players: int) -> None:
    """110 cards, four miniatures, and no character in front of two."""
    cards: Counter[str | None] = Counter()
    for hand in state["hands"]:
        cards.update(hand)
    for sets in state["sets"]:
        cards.update(sets)
    cards.update(state["discard1"] + state["discard2"])
    if state["must_displace"]:
        _, character, amount = state["must_displace"]
        cards[character] += amount
    seen = cards.total() + state["draw1"] + state["draw2"]
    if state["phase"] == "setup":
        seen += 3 * players - sum(len(hand) for hand in state["hands"])
    assert seen == 110
    assert all(cards[character] <= copies for character, copies in oracle.VALUE.items())
    assert sum(state["minis"]) + state["mini_supply"] == 4
    in_front = [character for sets in state["sets"] for character in sets]
    assert len(in_front) == len(set(in_front))
    totals = [sum(points) for points in zip(*state["rounds"], state["round_points"], strict=True)]
    assert state["scores"] == totals


@pytest.mark.parametrize("policy", ["random", "greedy"])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_generated_games(players: int, options: dict[str, bool], policy: str) -> None:
    for seed in range(9):
        record = oracle.generate(random.Random(seed), players, options, policy)
        verdict = oracle.replay(record)
        assert verdict.ok
        assert verdict.scores == record["result"]["scores"]
        assert verdict.ranks == record["result"]["ranks"]
        assert len(verdict.states) == len(record["events"])
        for state in verdict.states:
            check_pieces(state, players)
        by_seat = [0] * players
        for _, seat, _, _, points in verdict.score_events:
            by_seat[seat] += points
        assert by_seat == verdict.scores
        hidden = oracle.replay(oracle.blind(record))
        assert hidden.ok
        assert (hidden.scores, hidden.ranks) == (verdict.scores, verdict.ranks)
        assert hidden.score_events == verdict.score_events
        for state in hidden.states:
            check_pieces(state, players)


WORDS = st.one_of(
    st.none(),
    st.sampled_from([*oracle.VALUE, *oracle.TASKS, *oracle.PILES, "x"]),
    st.integers(-2, 30),
)
EVENTS = st.fixed_dictionaries(
    {"action": st.sampled_from([*oracle.FIELDS, "pass"])},
    optional=dict.fromkeys(("seat", "item", "place", "target", "amount"), WORDS),
)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 30),
    at=st.integers(0, 400),
    events=st.lists(EVENTS, max_size=3),
    options=st.sampled_from(OPTIONS),
)
def test_never_raises(seed: int, at: int, events: list[Event], options: dict[str, bool]) -> None:
    record = oracle.generate(random.Random(seed), 2 + seed % 3, options)
    changed = [*record["events"][:at], *events, *record["events"][at + 1 :]]
    for ended in ("finished", "abandoned"):
        verdict = oracle.replay({**record, "ended": ended, "events": changed})
        assert verdict.ok or verdict.ply is None or 0 <= verdict.ply <= len(changed)
