"""China against its oracle, its printed examples, and what must hold after each ply."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from pipeline import titles
from pipeline.records import read_record
from pipeline.replay import check_record
from pipeline.titles.china.options import OPTIONS
from tests.agreement import assert_agreement, compare_games, engine_states, simulated
from tests.oracles import china as oracle
from tests.titles.china_tables import REGIONS, SITES, Table, exchanges, record, with_other_cards

BOTS = (("random",), ("greedy",), ("random", "greedy"), ("sampling", "greedy"))
FREE = [option for option in OPTIONS if not option.files and option.name != "side"]


def some_options(i: int, players: int) -> dict[str, Any]:
    """Both values of every option within two neighbouring games, in changing company."""
    rng = random.Random(f"{players} {i // 2}")
    first = {option.name: rng.randrange(2) for option in FREE}
    sides = titles.load("china").options[0].legal(players)
    words = {option.name: option.values[first[option.name] ^ (i % 2)] for option in FREE}
    return words | {"side": sides[i % len(sides)]}


@pytest.mark.parametrize("players", [3, 4, 5])
def test_engine_and_oracle_agree(players: int) -> None:
    counts: Counter[str] = Counter()
    for i in range(6):
        given = some_options(i, players)
        counts.update(compare_games("china", players, 1, i, BOTS[i % 4], given, mutations=4))
    assert counts["whole"] == 12
    assert counts["faulty"] > 8


@pytest.mark.parametrize("players", [3, 5])
def test_unseen_cards_of_two_piles(players: int) -> None:
    """Games of exchanges only: what is legal depends on what the unseen cards can have been."""
    rng = random.Random(players)
    counts: Counter[bool] = Counter()
    for i in range(8):
        data = exchanges(rng, players, {"after_second_empty": ("display_only", "no_draw")[i % 2]})
        assert assert_agreement(data, states=False).ok
        counts.update(assert_agreement(with_other_cards(rng, data), states=False).ok for _ in range(3))
    assert counts[True] and counts[False]


def test_states_are_compared_on_all_that_a_table_shows() -> None:
    data = next(simulated("china", 3, 1, 1, ("random",), {}))
    mine, theirs = engine_states(read_record(data))[0], oracle.replay(data).states[0]
    assert mine.keys() & theirs.keys() == {
        "phase", "seat", "turn", "round", "board", "emissaries", "supply", "hands", "display", "pile",
        "empties", "dry", "discards", "played", "placed", "may_stop", "scored", "scores",
    }  # fmt: skip
    assert mine.keys() - theirs.keys() == {"map", "side"}


@pytest.mark.parametrize("players", [3, 5])
def test_no_piece_and_no_card_is_lost_or_made(players: int) -> None:
    data = next(simulated("china", players, 1, 3, ("greedy", "random"), {"fortresses": True}))
    read = read_record(data)
    points = [0] * players
    earned = Counter({(ply, seat): 0 for ply in range(len(data["events"])) for seat in range(players)})
    for ply, seat, _, _, number in check_record(read).score_events:
        earned[ply, seat] += number
    cards = 57 - 5 * (5 - players)
    for ply, shown in enumerate(engine_states(read)):
        owners = [site["house"] for site in shown["board"].values()]
        forts = sum(site["fort"] for site in shown["board"].values())
        assert forts + sum(left["fortress"] for left in shown["supply"]) == players
        for seat in range(players):
            left = shown["supply"][seat]
            sent = sum(numbers[seat] for numbers in shown["emissaries"].values())
            assert (owners.count(seat) + left["house"], sent + left["emissary"]) == (20, 8)
            points[seat] += earned[ply, seat]
        assert shown["scores"] == points
        displayed = sum(card is not None for card in shown["display"].values())
        on_table = displayed + shown["pile"] + sum(shown["discards"].values())
        assert on_table + sum(map(len, shown["hands"])) == cards


# -- the printed examples (4 to 6 are pictures without words) ---------------------------------


def test_example_1_one_piece_in_an_empty_region() -> None:
    table = Table()
    table.hand(0, "purple red red")
    assert table.turn(0, "red", "house wei1", "house wei2") == [None, "no_further_piece"]
    table = Table()
    table.hand(0, "purple red red")
    assert table.turn(0, "red red", "house wei1") == ["payment_wrong"]


def test_example_1_a_card_and_a_joker_for_two() -> None:
    table = Table()
    table.houses(1, "wei1")
    table.hand(0, "red green green")
    pieces = ("house wei2", "emissary wei", "house wei3")
    assert table.turn(0, "red green green", *pieces) == [None, None, "no_further_piece"]


@pytest.mark.parametrize(
    ("cards", "pieces", "fault"),
    [
        (2, ("house qin3", "house qin4"), None),
        (2, ("house qi3", "house qi4"), None),
        (2, ("house chu1",), None),
        (3, ("house qin3",), "payment_wrong"),
    ],
)
def test_example_1_three_yellow_cards(cards: int, pieces: tuple[str, ...], fault: str | None) -> None:
    table = Table()
    table.houses(1, "qi1 qi2 qin1 qin2")
    table.hand(0, "yellow yellow yellow")
    assert table.turn(0, "yellow " * cards, *pieces)[-1] == fault
    assert fault or table.shown()["phase"] == "draw"


def test_rule_emissaries_up_to_the_greatest_number_of_houses() -> None:
    table = Table()
    table.houses(0, "zhao1 zhao2 zhao3")
    table.houses(1, "zhao4 zhao5")
    table.emissaries("zhao", 1, 1)
    table.hand(0, "orange orange red")
    assert table.turn(0, "orange orange", "emissary zhao") == ["payment_wrong"]  # nothing can follow
    table = Table()
    table.houses(0, "zhao1 zhao2 zhao3")
    table.emissaries("zhao", 1, 2)
    table.hand(0, "orange red red")
    assert table.turn(0, "orange", "emissary zhao") == ["emissary_limit"]


def test_example_2_two_emissaries_without_own_houses() -> None:
    table = Table()
    table.houses(1, "chu1 chu2 chu3 chu4")
    table.emissaries("chu", 0, 1, 1)
    table.hand(0, "purple orange orange")
    assert table.turn(0, "purple orange orange", "emissary chu", "emissary chu") == [None, None]
    assert table.shown()["emissaries"]["chu"] == [2, 1, 1, 0]


@pytest.mark.parametrize(
    "pieces",
    [
        ("emissary qin", "emissary qin"),
        ("emissary qin", "house qin5"),
        ("house qin5", "house qin6"),
    ],
)
def test_example_3_a_shared_lead(pieces: tuple[str, str]) -> None:
    table = Table()
    table.houses(1, "qin1 qin2")
    table.houses(2, "qin3 qin4")
    table.hand(0, "yellow yellow red")
    assert table.turn(0, "yellow yellow", *pieces) == [None, None]


def test_example_7_a_branch_does_not_count() -> None:
    table = Table()
    table.houses(0, "qin2 qin4 qin5 qin6 shu1 shu2")
    assert [event for event in table.end() if event[1] == "road"] == [(0, "road", "qin2", 5)]


def test_example_8_a_fortress_and_a_house_on_it() -> None:
    table = Table(fortresses=True)
    table.houses(1, "qi2")
    table.hand(0, "yellow yellow yellow")
    pieces = ("fortress qi1", "house qi1", "house qi3")
    assert table.turn(0, "yellow yellow", *pieces) == [None, None, "no_further_piece"]
    assert [event for event in table.end() if event[2] == "qi"] == [
        (0, "houses", "qi", 2), (0, "houses_fort", "qi", 2), (1, "houses", "qi", 2),
    ]  # fmt: skip


# -- single rules ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sites", "points"),
    [
        ("chu1 chu2 chu3 chu4/chu5 chu6/chu7/chu8", [8, 4, 2, 2]),
        ("chu1 chu2/chu3 chu4/chu5/", [5, 5, 2]),
        ("chu1//chu2 chu3 chu4/chu5 chu6", [2, 6, 3]),
    ],
)
def test_houses_of_a_region(sites: str, points: list[int]) -> None:
    table = Table()
    for seat, own in enumerate(sites.split("/")):
        table.houses(seat, own)
    events = table.end() if table.state.built[8] < 8 else table.events()
    assert [event[3] for event in events if event[1:3] == ("houses", "chu")] == points


def test_a_full_region_is_scored_within_the_turn() -> None:
    table = Table()
    table.houses(1, "shu1 shu2 shu3")
    table.hand(0, "red red green")
    assert table.turn(0, "red red", "house shu4") == [None]
    assert table.events() == [(0, "houses", "shu", 3), (1, "houses", "shu", 4)]
    assert table.act(0, "place", "emissary", "shu") is None
    assert not [event for event in table.end() if event[2] == "shu"]


def test_alliances() -> None:
    table = Table(players=3)
    table.houses(0, "qin1 qin2 qin3 qin4 shu1 shu2 shu3 wei1")
    table.emissaries("qin", 2, 2)
    table.emissaries("shu", 1, 1, 1)
    table.emissaries("wei", 0, 0, 1)
    found = [event for event in table.end() if event[1] == "alliance"]
    assert found == [(0, "alliance", "12", 7), (1, "alliance", "12", 7)]


@pytest.mark.parametrize(("stack", "extra"), [("once", 5), ("each", 15)])
def test_two_fortresses_in_a_chain(stack: str, extra: int) -> None:
    table = Table(fortresses=True, fort_stack=stack)
    table.forts(1, "qin4 shu1")
    table.houses(0, "qin2 qin4 qin5 shu1 shu2")
    roads = [event for event in table.end() if event[1].startswith("road")]
    assert roads == [(0, "road", "qin2", 5), (0, "road_fort", "qin2", extra)]


@pytest.mark.parametrize(("opens", "fault"), [(True, None), (False, "payment_wrong")])
def test_a_fortress_opens_a_region(opens: bool, fault: str | None) -> None:
    table = Table(fortresses=True, fort_opens_region=opens)
    table.forts(1, "wei1")
    table.hand(0, "red red green")
    assert table.turn(0, "red red", "house wei1") == [fault]


@pytest.mark.parametrize(
    ("switches", "cards", "numbers"),
    [
        ({}, "red", {1}),
        ({}, "red red", {2}),
        ({}, "green green", {1}),
        ({}, "red green green", {2}),
        ({}, "red red red", set()),
        ({}, "red green", set()),
        ({"joker": "any_colour"}, "red red", {1, 2}),
        ({"joker": "any_colour"}, "red red red", {2}),
        ({"payment": "at_least"}, "red red red", {1, 2}),
        ({"payment": "at_least"}, "red green yellow", {1}),
        ({"payment": "at_least"}, "green green yellow", {1}),
        ({"payment": "at_least"}, "green yellow", set()),
    ],
)
def test_payment(switches: dict[str, Any], cards: str, numbers: set[int]) -> None:
    found = set()
    for number in (1, 2):
        table = Table(**switches)
        table.houses(1, "wei1")
        table.hand(0, cards)
        faults = table.turn(0, cards, *("house wei2", "house wei3")[:number])
        if not any(faults) and table.act(0, "draw", "yellow", "1") is None:
            found.add(number)
    assert found == numbers


@pytest.mark.parametrize(
    ("event", "fault"),
    [
        ((1, "play", "red"), "wrong_seat"),
        ((0, "place", "house", "wei1"), "nothing_played"),
        ((0, "draw", None, "deck"), "wrong_phase"),
        ((None, "reveal", "red", "1"), "wrong_phase"),
        ((0, "deal", "red"), "wrong_phase"),
        ((0, "play", "green"), "card_not_in_hand"),
    ],
)
def test_faults_at_the_beginning_of_a_turn(event: tuple[Any, ...], fault: str) -> None:
    table = Table()
    table.hand(0, "red red red")
    assert table.act(*event) == fault


def test_drawing_is_compulsory_and_then_the_display() -> None:
    table = Table()
    table.hand(0, "red green green")
    assert table.turn(0, "green green", "house wei1") == [None]
    assert table.act(1, "play", "red") == "hand_not_filled"
    assert table.act(0, "draw", "green", "1") == "other_card"
    assert table.act(0, "draw", None, "1") is None  # the record may leave out what lies there
    assert table.act(0, "draw", "yellow", "1") == "slot_empty"
    assert table.act(0, "draw", "purple", "deck") is None
    assert table.shown()["hands"][0] == ["purple", "red", "yellow"]
    assert table.act(1, "play", "red") == "refill_missing"
    assert table.act(None, "reveal", "red", "2") == "slot_taken"
    assert table.act(None, "reveal", "red", "1") is None
    assert (table.shown()["seat"], table.shown()["turn"]) == (1, 1)


def empty_table(last_seat: bool, **options: Any) -> Table:
    """After the second emptying, nothing to draw, some cards in hand."""
    table = Table(players=3, **options)
    table.houses(1, "wei1")
    table.state.epoch, table.state.pile, table.state.dry, table.state.shown = 2, 0, 1, 0
    table.state.display[:] = -1
    table.state.turn_seat = 2 if last_seat else 0
    table.hand(table.state.turn_seat, "red red red")
    table.state.pile = 0
    return table


def test_a_turn_that_ends_without_a_mark() -> None:
    table = empty_table(False, payment="at_least")
    assert table.turn(0, "red red", "house wei2") == [None]
    assert table.shown()["may_stop"]
    assert table.act(1, "play", "green") is None
    drawing = empty_table(False, payment="at_least")
    assert drawing.turn(0, "red red", "house wei2") == [None]
    assert drawing.act(0, "draw", None, "1") == "wrong_seat"  # there is nothing: the turn is over
    exact = empty_table(False)
    assert exact.turn(0, "red red", "house wei2") == [None]
    assert exact.act(1, "play", "green") == "wrong_seat"  # these cards pay for two
    last = empty_table(True, payment="at_least")
    assert last.turn(2, "red red", "house wei2") == [None]
    assert last.act(0, "play", "green") == "after_end"
    assert last.sink.before == last.sink.count > 0


@pytest.mark.parametrize(("seat", "phase"), [(0, "over"), (1, "turn")])
def test_nobody_can_place(seat: int, phase: str) -> None:
    """The last site; seat 1 has most houses there, so that one more of them allows an emissary."""
    table = Table(players=3)
    for i, site in enumerate(SITES[:-1]):
        table.houses(i % 3, site)
    for number, region in enumerate(REGIONS):
        table.state.supply[:3, 1] = 8  # more than a player has, but that many are needed
        table.emissaries(region, int(table.state.most[number]))
    table.state.turn_seat = seat
    table.hand(seat, "purple red red")
    assert table.turn(seat, "purple", f"house {SITES[-1]}") == [None]
    assert table.act(seat, "draw", "yellow", "1") is None
    assert table.shown()["phase"] == "refill"  # looked for after drawing and refilling
    assert table.act(None, "reveal", "yellow", "1") is None
    assert table.shown()["phase"] == phase


def test_truncated_and_abandoned() -> None:
    data = next(simulated("china", 4, 1, 2, ("random",), {}))
    short = data | {"events": data["events"][:-1]}
    check = check_record(read_record(short))
    assert (check.ok, check.fault, check.ply) == (False, "truncated", len(short["events"]))
    check = check_record(read_record(short | {"ended": "abandoned"}))
    assert (check.ok, check.scores) == (True, None)


def test_an_unseen_hand_can_play_what_may_be_in_it() -> None:
    """With four players nine purple cards are in the deck: four lie open, five have been exchanged."""
    deals = [{"seat": i % 4, "action": "deal", "item": None} for i in range(12)]
    shown = [{"action": "reveal", "item": "purple", "place": slot} for slot in "1234"]
    turns: list[dict[str, Any]] = []
    for seat in range(4):
        turns += [{"seat": seat, "action": "exchange", "item": "purple"}]
        turns += [{"seat": seat, "action": "draw", "item": None, "place": "deck"}]
    turns += [{"seat": 0, "action": "exchange", "item": "purple"}]
    data = record(4, deals + shown + turns, {}) | {"ended": "abandoned"}
    assert check_record(read_record(data)).ok
    data["events"] = [*data["events"], {"seat": 0, "action": "draw", "item": "purple", "place": "deck"}]
    check = check_record(read_record(data))
    assert (check.fault, check.ply) == ("card_count", len(data["events"]) - 1)
