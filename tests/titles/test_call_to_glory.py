"""Call to Glory against its oracle, its printed examples, its pieces, and what its bots may know."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from pipeline import titles
from pipeline.kernels import kernel
from pipeline.loops.play import SAMPLING
from pipeline.records import read_record
from pipeline.replay import Check, check_record, log_of, replay_log, states_of
from pipeline.titles.call_to_glory import FACTS, bots, rules_facts, show
from pipeline.titles.call_to_glory.codes import CHARACTERS, DECKS, DRAW, FIRST_DISCARD, KINDS
from pipeline.titles.call_to_glory.options import load_board
from pipeline.titles.call_to_glory.rules_state import HELD, State
from pipeline.titles.state import Sink, memory_of, random_seeds
from tests.agreement import compare_games, engine_states, oracle_of, simulated

TITLE = titles.load("call_to_glory")
BOARD = load_board("call-to-glory-110")
VARIANTS = [{}, {"tasks": True}, {"ninjas": True}, {"tasks": True, "ninjas": True}]
COPIES = dict(zip(CHARACTERS, (6, 7, 8, 9, 12, 14, 16, 18, 20), strict=True))


@pytest.mark.parametrize("options", VARIANTS, ids=str)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_engine_and_oracle_agree(players: int, options: dict[str, bool]) -> None:
    for bots_in_play in (("random",), ("random", "greedy"), ("sampling", "greedy")):
        counts = compare_games("call_to_glory", players, 1, 7, bots_in_play, options, mutations=4)
        assert counts["whole"] == 2


def test_states_are_compared_on_all_that_a_table_shows() -> None:
    record = next(simulated("call_to_glory", 3, 1, 1, ("random",), {}))
    mine = engine_states(read_record(record))[0].keys()
    assert mine & oracle_of("call_to_glory").replay(record).states[0].keys() == {
        "round", "phase", "seat", "start", "turn", "drawn_from", "hands", "sets", "draw1", "draw2",
        "discard1", "discard2", "must_displace", "mini_supply", "minis", "minis_ready", "tasks", "revealed",
        "scores", "rounds", "round_points",
    }  # fmt: skip


# ---- scripts: a record by hand. Unknown cards let a hand hold whatever the script lays.


class Script:
    """Events of a game whose hands and draws nobody saw."""

    def __init__(self, players: int, **options: bool) -> None:
        self.players = players
        self.options = options
        self.events: list[dict[str, Any]] = []

    def add(self, seat: int, action: str, item: str | None = None, **fields: Any) -> Script:
        self.events.append({"seat": seat, "action": action, "item": item, **fields})
        return self

    def deal(self, tasks: bool = False) -> Script:
        for _ in range(3):
            for seat in range(self.players):
                self.add(seat, "deal")
                if tasks:
                    self.add(seat, "deal_task")
        return self

    def draw(self, seat: int) -> Script:
        return self.add(seat, "draw", place="draw1").add(seat, "draw", place="draw2")

    def lay(self, seat: int, item: str, amount: int) -> Script:
        return self.draw(seat).add(seat, "lay", item, amount=amount)

    def drop(self, seat: int, item: str, place: str = "discard1") -> Script:
        return self.draw(seat).add(seat, "discard", item, place=place)

    def record(self, ended: str = "finished") -> dict[str, Any]:
        return {
            "format": "game-record/1", "title": "call_to_glory", "id": "script", "options": self.options,
            "ended": ended, "seats": [{"player": None}] * self.players, "events": self.events,
        }  # fmt: skip

    def check(self, ended: str = "abandoned") -> Check:
        return check_record(read_record(self.record(ended)), compiled=False)

    def state(self) -> dict[str, Any]:
        block, rows = states_of(read_record(self.record("abandoned")), compiled=False)
        assert len(rows) == len(self.events) + 1, self.check()
        memory_of(block)[:] = rows[-1]
        return show.view(block[0], BOARD)

    def fault(self) -> str | None:
        check = self.check()
        assert check.ok or check.ply == len(self.events) - 1, check
        return check.fault


def fill_piles(script: Script) -> Script:
    """Two turns of two players that open both discard piles."""
    return script.drop(0, "emperor").drop(1, "emperor", "discard2")


# ---- printed examples


def test_printed_scoring_example() -> None:
    """Six sets end the round of two players: 18 + 12 + 9 + 8 + 7 + 6 = 60 against 20 + 16 = 36."""
    script = fill_piles(Script(2).deal())
    theirs = iter(("farmer", "envoy"))
    for item in ("monk", "samurai", "shogun", "daimyo", "empress", "emperor"):
        script.lay(0, item, 2)
        if item != "emperor":
            other = next(theirs, None)
            script.lay(1, other, 2) if other else script.drop(1, "ninja")
    state = script.state()
    assert state["rounds"] == [[60, 36]]
    assert (state["round"], state["start"]) == (2, 1)
    last = len(script.events) - 1
    assert script.check().score_events == sorted(
        (last, int(item in ("envoy", "farmer")), "set", item, COPIES[item]) for item in CHARACTERS if item != "ninja"
    )


def test_printed_example_of_a_beaten_set() -> None:
    """Four farmers are beaten by six; they go to a discard pile of their owner's choice at once."""
    script = fill_piles(Script(2).deal()).lay(0, "farmer", 4).drop(1, "ninja").drop(0, "ninja")
    script.lay(1, "farmer", 6)
    assert script.state()["must_displace"] == [0, "farmer", 4]
    script.add(0, "displace", "farmer", place="discard2", amount=4)
    state = script.state()
    assert state["sets"] == [{}, {"farmer": 6}]
    assert state["discard2"] == ["emperor", "farmer", "farmer", "farmer", "farmer"]


def test_printed_example_of_a_set_that_beats_ones_own() -> None:
    """Three ninjas, later five: the three are put away by the same player."""
    script = fill_piles(Script(3).deal()).drop(2, "monk").lay(0, "ninja", 3).drop(1, "monk").drop(2, "monk")
    script.lay(0, "ninja", 5).add(0, "displace", "ninja", place="discard1", amount=3)
    assert script.state()["sets"] == [{"ninja": 5}, {}, {}]


def test_printed_task_example() -> None:
    """The empress of deck A: two empresses pay their owner 2 x 5 = 10, whoever reveals it."""
    script = Script(2, tasks=True).deal(tasks=True).lay(0, "empress", 2)
    script.drop(1, "ninja").drop(0, "ninja", "discard2")
    for item in ("emperor", "daimyo", "shogun", "samurai", "envoy", "monk"):
        script.lay(1, item, 2)
        if item != "monk":
            script.drop(0, "farmer")
    script.add(0, "task", "B9").add(1, "task", "A7")
    assert script.state()["rounds"] == [[10 + 7, 8 + 6 + 9 + 4 * 2 + 12 + 16 + 18]]
    assert (len(script.events) - 1, 0, "task", "A7", 10) in script.check().score_events


def test_printed_ninja_example() -> None:
    """The miniature goes back, a samurai of the set goes; the beaten ninjas' owner keeps none."""
    script = fill_piles(Script(2, ninjas=True).deal()).drop(0, "farmer").lay(1, "monk", 4).lay(0, "ninja", 2)
    assert script.state()["minis"] == [1, 0]
    script.drop(1, "farmer").drop(0, "farmer").drop(1, "farmer")
    script.add(0, "ninja", "monk", place="discard2", target=1)
    state = script.state()
    assert (state["minis"], state["mini_supply"], state["sets"][1]) == ([0, 0], 4, {"monk": 3})
    script.draw(0).add(0, "discard", "farmer", place="discard1").lay(1, "ninja", 3)
    script.add(0, "displace", "ninja", place="discard2", amount=2)
    assert script.state()["minis"] == [0, 1]


# ---- faults, one of each kind


def test_faults_of_a_turn() -> None:
    start = Script(3).deal()
    assert start.add(0, "draw", place="discard1").fault() == "pile_empty"
    start = Script(3).deal().add(0, "draw", place="draw1")
    assert start.add(0, "draw", place="draw1").fault() == "same_pile_twice"
    assert Script(3).deal().add(1, "draw", place="draw1").fault() == "wrong_seat"
    assert Script(3).deal().lay(0, "samurai", 2).fault() == "set_too_small"
    assert Script(2).deal().lay(0, "samurai", 2).fault() is None
    assert Script(3).deal().lay(0, "farmer", 6).fault() == "not_in_hand"
    assert Script(3).deal().drop(0, "monk", "discard2").fault() == "wrong_pile"
    begun = Script(3).deal().drop(0, "monk")
    assert begun.drop(1, "monk", "discard1").fault() == "wrong_pile"
    top = Script(3).deal().drop(0, "monk")
    assert top.add(1, "draw", "farmer", place="discard1").fault() == "not_on_top"
    beaten = Script(2).deal().lay(0, "monk", 2)
    assert beaten.lay(1, "monk", 2).fault() == "set_not_larger"
    beaten = Script(2).deal().lay(0, "monk", 2).lay(1, "monk", 3)
    assert beaten.add(0, "draw", place="draw1").fault() == "missing_displace"
    beaten.events.pop()
    assert beaten.add(0, "displace", "monk", place="discard1", amount=1).fault() == "wrong_displace"
    assert Script(2).deal().add(0, "deal").fault() == "round_not_ended"
    assert Script(2).deal().draw(0).check("finished").fault == "truncated"


def test_more_cards_than_exist() -> None:
    script = Script(2)
    for seat in (0, 1) * 3:
        script.add(seat, "deal", "emperor")
    assert script.fault() is None
    assert script.add(0, "draw", "emperor", place="draw1").fault() == "no_copy_left"
    hidden = Script(2)
    for _ in range(3):
        hidden.add(0, "deal", "emperor").add(1, "deal")
    hidden.draw(0).add(0, "lay", "emperor", amount=3).lay(1, "emperor", 4)
    assert hidden.fault() == "no_copy_left"


def test_faults_of_tasks() -> None:
    twice = Script(2, tasks=True).add(0, "deal_task", "A6")
    assert twice.add(1, "deal_task", "A6").fault() == "task_dealt_twice"
    assert Script(2, tasks=True).add(0, "deal_task", "B6").fault() == "no_such_task"
    assert Script(2).add(0, "deal_task", "A6").fault() == "not_in_game"
    assert Script(2, tasks=True).deal(tasks=True).add(0, "task", "A6").fault() == "round_not_ended"


def test_faults_of_ninjas() -> None:
    assert Script(2).deal().add(0, "ninja", "monk", place="discard1", target=1).fault() == "not_in_game"
    none = Script(2, ninjas=True).deal().add(0, "ninja", "monk", place="discard1", target=1)
    assert none.fault() == "no_miniature"
    same_turn = fill_piles(Script(2, ninjas=True).deal()).drop(0, "farmer").lay(1, "monk", 2)
    same_turn.lay(0, "ninja", 2)
    assert same_turn.add(0, "ninja", "monk", place="discard1", target=1).check().fault == "wrong_seat"
    ready = fill_piles(Script(2, ninjas=True).deal()).lay(0, "ninja", 2).lay(1, "monk", 2)
    assert ready.add(0, "ninja", "ninja", place="discard1", target=0).fault() == "no_such_target"


# ---- the turn that stays open


def open_turn() -> Script:
    """All nine characters lie there, but seat 0 may still use its miniature."""
    script = Script(2, ninjas=True).deal()
    items = ("ninja", "monk", "emperor", "empress", "daimyo", "shogun", "samurai", "envoy", "farmer")
    for i, item in enumerate(items):
        script.lay(i % 2, item, 2)
    return script


def test_an_open_turn_is_closed_by_what_comes_next() -> None:
    script = open_turn()
    last = len(script.events) - 1
    assert script.state()["round"] == 2, "the record's end closes it too"
    script.add(1, "deal", "monk")
    check = script.check()
    assert check.ok
    assert {ply for ply, *_ in check.score_events} == {last}
    script.events.pop()
    script.add(0, "ninja", "monk", place="discard1", target=1)
    last += 1
    assert script.state()["round"] == 2, "no further miniature: the turn ends with it"
    assert {ply for ply, *_ in script.check().score_events} == {last}


def test_points_of_an_open_turn_stand_before_a_fault() -> None:
    script = open_turn()
    last = len(script.events) - 1
    check = script.add(1, "draw", place="draw1").check()
    assert (check.ply, check.fault) == (last + 1, "round_ended")
    assert {ply for ply, *_ in check.score_events} == {last}


# ---- bots


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_random_bots_reach_every_action(options: dict[str, bool]) -> None:
    seen: Counter[str] = Counter()
    for record in simulated("call_to_glory", 3, 20, 1, ("random",), options):
        seen.update(event["action"] for event in record["events"])
    wanted = {"deal", "draw", "lay", "displace", "discard"}
    wanted |= {"deal_task", "task"} if options.get("tasks") else set()
    wanted |= {"ninja"} if options.get("ninjas") else set()
    assert seen.keys() == wanted


@pytest.mark.parametrize("players", [2, 4])
def test_cards_tasks_and_miniatures_are_conserved(players: int) -> None:
    options = {"tasks": True, "ninjas": True}
    for record in simulated("call_to_glory", players, 3, 5, ("random", "greedy"), options):
        for view in engine_states(read_record(record)):
            if view["phase"] == "setup":
                continue
            seen = Counter(card for hand in view["hands"] for card in hand)
            for sets in view["sets"]:
                seen.update(sets)
            seen.update(view["discard1"] + view["discard2"])
            if view["must_displace"]:
                _, item, cards = view["must_displace"]
                seen[item] += cards
            assert all(seen[item] <= copies for item, copies in COPIES.items())
            assert seen.total() + view["draw1"] + view["draw2"] == 110
            assert sum(view["minis"]) + view["mini_supply"] == 4
            tasks = [task for seat in range(players) for task in view["tasks"][seat] + view["revealed"][seat]]
            assert len(set(tasks)) == len(tasks) == 3 * players


def shuffled_secrets(state: State, seat: int, rng: random.Random) -> None:
    """Exchange among the others and the draw piles what the seat has not seen."""
    places = []
    for other in range(state.players):
        if other != seat:
            for item in range(KINDS):
                places += [(other, item)] * int(state.hand[other, item] - state.shown[other, item])
    pool = [item for _, item in places] + [item for item in range(KINDS) for _ in range(state.unseen[item])]
    rng.shuffle(pool)
    for other, item in places:
        state.hand[other, item] -= 1
    for other, _ in places:
        state.hand[other, pool.pop()] += 1
    for item in range(KINDS):
        state.unseen[item] = pool.count(item)
    for deck in range(len(DECKS) if state.with_tasks else 0):
        others = (other for other in range(state.players) if other != seat)
        holders = [other for other in others if state.task_state[other, deck] == HELD]
        held = [int(state.task[other, deck]) for other in holders]
        for other, item in zip(holders, rng.sample(held, len(held)), strict=True):
            state.task[other, deck] = item


def choice_of(block: Any, policy: int, seed: int) -> list[int]:
    """What the bot at turn would do, but for the card that nature gives it."""
    event = np.full(6, -1, np.int32)
    luck = random_seeds(seed, 0, 1)[0]
    if policy == SAMPLING:
        # The loop's functions that are bound to the title are in its own namespace.
        loop = kernel("call_to_glory", compiled=False, bots=True).simulate_games.__globals__
        trial, options = State.block(), np.zeros((bots.MOST_CANDIDATES, 6), np.int32)
        loop["look_ahead"](
            block[0], memory_of(block), trial[0], memory_of(trial), BOARD, Sink.new(), luck,
            int(block[0].players), 4, options, event, np.zeros(6, np.int32),
        )  # fmt: skip
    else:
        bots.decide(block[0], BOARD, luck, policy, event)
    if event[1] == DRAW and event[3] < FIRST_DISCARD:
        event[2] = -1
    return [int(number) for number in event]


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_bots_see_only_what_their_seat_sees(options: dict[str, bool]) -> None:
    rng = random.Random(1)
    record = next(simulated("call_to_glory", 3, 1, 3, ("random", "greedy"), options))
    block, rows = states_of(read_record(record))
    for i, row in enumerate(rows[::23]):
        memory_of(block)[:] = row
        if show.view(block[0], BOARD)["seat"] is None:
            continue
        for policy in (0, 1, SAMPLING) if i % 4 == 0 else (0, 1):
            wanted = choice_of(block, policy, 9)
            for _ in range(2):
                shuffled_secrets(block[0], int(block[0].turn_seat), rng)
                assert choice_of(block, policy, 9) == wanted


def test_a_look_ahead_deals_the_secrets_anew() -> None:
    """After `hide` nothing is left of the others' secret cards but their number."""
    record = next(simulated("call_to_glory", 4, 1, 3, ("random",), {"tasks": True}))
    block, rows = states_of(read_record(record))
    memory_of(block)[:] = rows[len(rows) // 3]
    before = show.view(block[0], BOARD)
    shown, seat = block[0].shown.copy(), int(block[0].turn_seat)
    hands = set()
    for seed in range(8):
        memory_of(block)[:] = rows[len(rows) // 3]
        bots.hide(block[0], BOARD, seat, random_seeds(seed, 0, 1)[0])
        after = show.view(block[0], BOARD)
        assert [len(hand) for hand in after["hands"]] == [len(hand) for hand in before["hands"]]
        assert after["hands"][seat] == before["hands"][seat]
        assert (block[0].hand >= shown).all()
        hands.add(str(after["hands"]))
    assert len(hands) == 8


def test_uncompiled_equals_compiled() -> None:
    options = {"tasks": True, "ninjas": True}
    compiled, plain = (
        list(simulated("call_to_glory", 3, 2, 8, ("random", "greedy"), options, compiled=compiled))
        for compiled in (True, False)
    )
    assert compiled == plain
    records = [read_record(record) for record in compiled]
    log = log_of(TITLE, records)
    results = [replay_log(TITLE, records[0].board, log, want_turns=True, compiled=value) for value in (True, False)]
    for name in ("score", "rank", "win60", "turns", "fault"):
        assert (getattr(results[0].results, name) == getattr(results[1].results, name)).all()
    assert (results[0].pieces[0].turns == results[1].pieces[0].turns).all()


# ---- facts


def facts_of(script: Script) -> list[dict[str, int]]:
    """The facts of each turn of a script."""
    record = read_record(script.record("abandoned"))
    replay = replay_log(TITLE, record.board, log_of(TITLE, [record]), want_turns=True, compiled=False)
    return [
        dict(zip([fact.name for fact in FACTS], (int(number) for number in row[6:]), strict=True))
        for row in replay.pieces[0].turns
    ]


def test_facts_of_turns() -> None:
    script = Script(2)
    for _ in range(3):
        script.add(0, "deal", "monk").add(1, "deal", "farmer")
    script.add(0, "draw", "monk", place="draw1").add(0, "draw", "emperor", place="draw2")
    script.add(0, "lay", "monk", amount=2)
    script.add(1, "draw", "monk", place="draw1").add(1, "draw", "emperor", place="draw2")
    script.add(1, "discard", "emperor", place="discard1")
    script.add(0, "draw", "emperor", place="discard1").add(0, "draw", place="draw2")
    script.add(0, "lay", "monk", amount=3)
    first, second, third = facts_of(script)
    # Monks: two, three or four; a discard of either character must open discard1.
    assert (first["can_lay"], first["layable_sets"], first["layable_most"], first["choices"]) == (1, 1, 4, 5)
    assert (first["laid_value"], first["laid_cards"], first["beaten_seat"]) == (18, 2, -1)
    assert (second["best_other_worth"], second["discarded"], second["discarded_value"]) == (18, 1, 6)
    assert (second["can_lay"], second["layable_sets"]) == (1, 1)
    assert (third["drew_discard1"], third["drew_draw2"], third["drew_draw1"]) == (1, 1, 0)
    # Two emperors are known: a set could be laid for sure, how many others could is unknown.
    assert (third["can_lay"], third["choices"], third["own_worth"]) == (1, -1, 18)
    assert (third["beaten_seat"], third["beaten_cards"]) == (0, 2)


def test_facts_of_an_open_turn() -> None:
    facts = facts_of(open_turn())
    assert [turn["round_turn"] for turn in facts] == list(range(9))
    assert [turn["round_end"] for turn in facts] == [0] * 8 + [2]
    assert facts[-1]["minis_ready"] == 1


def test_facts_are_named_in_their_order() -> None:
    for place, fact in enumerate(FACTS):
        assert getattr(rules_facts, fact.name.upper()) == place


def test_every_choice_is_counted() -> None:
    """`choices` is the number of second actions that the oracle calls legal."""
    oracle = oracle_of("call_to_glory")
    record = next(simulated("call_to_glory", 3, 1, 2, ("random",), {}))
    counted = []
    game = oracle.Game(3, {})
    for event in record["events"]:
        game.apply(event)
        if game.phase == "act":
            counted.append(len(oracle.legal_moves(game)))
    replay = replay_log(TITLE, "call-to-glory-110", log_of(TITLE, [read_record(record)]), want_turns=True)
    assert replay.pieces[0].turns[:, 6 + rules_facts.CHOICES].tolist() == counted


# ---- show


def test_show_draws_any_state() -> None:
    from matplotlib.figure import Figure

    options = {"tasks": True, "ninjas": True}
    record = next(simulated("call_to_glory", 4, 1, 1, ("random",), options))
    for view in engine_states(read_record(record))[::100]:
        assert f"round {view['round']} of 3" in show.text(view)
        show.draw(view, Figure().add_subplot(), ("#111111", "#222222", "#333333", "#444444"))
