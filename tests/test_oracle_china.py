"""The China oracle against the examples of its rules, and against itself."""

from __future__ import annotations

import copy
import random
from collections import Counter
from functools import partial
from itertools import combinations, product
from typing import Any

import networkx as nx
import pytest

from tests.oracles import china as c
from tests.oracles.common import Fault, Record

VALUES = {name: values for name, values in c.CHOICES.items() if name not in ("side", "map")}


def position(
    hand: str,
    houses: dict[str, int] | None = None,
    emissaries: dict[str, list[int]] | None = None,
    forts: str = "",
    players: int = 3,
    **options: Any,
) -> c.Game:
    """A game in its middle: seat 0 to act with this hand, the others with three purple cards."""
    record = {"seats": [{}] * players, "options": options}
    game = c.Game(players, c.settings(record))
    game.board.supply = [{"house": 20, "emissary": 8, "fortress": 1} for _ in range(players)]
    for site, seat in (houses or {}).items():
        game.board.put(seat, "house", site)
    for region, numbers in (emissaries or {}).items():
        for seat, number in enumerate(numbers):
            for _ in range(number):
                game.board.put(seat, "emissary", region)
    game.board.forts = set(forts.split())
    game.cards.known = [Counter(hand.split())] + [Counter(purple=3) for _ in range(players - 1)]
    game.cards.decks[1] = Counter(dict.fromkeys(c.DECK, 99))
    game.display = dict(zip(c.SLOTS, ["red", "green", "yellow", "orange"], strict=True))
    game.phase, game.seat = "turn", 0
    return game


def act(game: c.Game, text: str, seat: int | None = 0, ply: int = 0) -> str | None:
    """Apply events written as `play red, place house wei1`; the first fault's code, or None."""
    for part in text.split(","):
        action, item, *place = part.split()
        event: dict[str, Any] = {"action": action, "item": item}
        if place:
            event["place"] = place[0]
        if action != "reveal":
            event["seat"] = seat
        try:
            game.apply(event, ply)
        except Fault as fault:
            return fault.code
    return None


def outcome(game: c.Game, source: str) -> dict[tuple[int, str], int]:
    """(seat, place) -> points of one source."""
    return {(seat, place): n for _, seat, name, place, n in game.score_events if n and name == source}


# ---------------------------------------------------------------- the printed examples


def test_example_1_one_piece_in_an_empty_region() -> None:
    game = position("purple red red")
    assert act(game, "play red, place house wei1, place house wei2") == "wrong_phase"
    game = position("purple red red")  # two cards would pay for two, which it does not take
    assert act(game, "play red, play red, place house wei1") == "payment"


def test_example_1_a_card_and_a_joker_for_two() -> None:
    game = position("red green green", {"wei1": 1})
    assert act(game, "play red, play green, play green, place house wei2, place house wei3") is None


@pytest.mark.parametrize("region", ["qi", "qin"])
def test_example_1_two_yellow_cards(region: str) -> None:
    houses = {"qi1": 1, "qi2": 1, "qin1": 1, "qin2": 1}
    game = position("yellow yellow yellow", houses)
    turn = f"play yellow, play yellow, place emissary {region}, place house {region}3"
    assert act(game, turn) is None
    assert game.phase == "draw"
    joker = position("yellow yellow yellow", houses)
    assert act(joker, "play yellow, play yellow, place house wei1, place house wei2") is not None
    three = position("yellow yellow yellow", houses)
    assert act(three, f"play yellow, play yellow, play yellow, place house {region}3") == "payment"


def test_rule_emissaries_up_to_the_greatest_number_of_houses() -> None:
    houses = {"zhao1": 1, "zhao2": 1, "zhao3": 1, "zhao4": 2, "zhao5": 2}
    game = position("orange orange red", houses, {"zhao": [0, 1, 0]})
    assert act(game, "play orange, play orange, place emissary zhao, place emissary zhao") is None
    game = position("orange red red", houses, {"zhao": [0, 2, 1]})
    assert act(game, "play orange, place emissary zhao") == "emissary_limit"
    assert act(position("red red red"), "play red, place emissary wei") == "emissary_limit"


def test_example_2_two_emissaries_without_own_houses() -> None:
    game = position("purple orange orange", {f"chu{i}": 1 for i in range(1, 5)}, {"chu": [0, 2, 0]})
    cards = "play orange, play purple, play orange"
    assert act(game, f"{cards}, place emissary chu, place emissary chu") is None


@pytest.mark.parametrize("pieces", [("emissary qin",) * 2, ("emissary qin", "house qin5")])
def test_example_3_shared_lead(pieces: tuple[str, str]) -> None:
    houses = {"qin1": 1, "qin2": 1, "qin3": 2, "qin4": 2}
    game = position("yellow yellow red", houses)
    first, second = pieces
    assert act(game, f"play yellow, play yellow, place {first}, place {second}") is None


def test_example_7_a_branch_does_not_count() -> None:
    own = {"qin4", "qin5", "shu1", "shu2", "shu3", "qin6"}  # qin6 is the lower left one
    assert c.best_chains(c.MAP["3-4"], own, set(), "once") == [("qin4", 5, 0)]
    assert c.best_chains(c.MAP["3-4"], {"qin4", "qin5", "shu1"}, set(), "once") == []


def test_example_8_fortress_then_house_on_it() -> None:
    game = position("yellow yellow yellow", {"qi2": 1}, fortresses=True)
    turn = "play yellow, play yellow, place fortress qi1, place house qi1"
    assert act(game, turn) is None
    assert game.phase == "draw"
    assert act(game, "place house qi3") == "wrong_phase"


def test_a_fortress_is_neutral() -> None:
    game = position("yellow red red", {"qi2": 1}, forts="qi1", fortresses=True)
    assert act(copy.deepcopy(game), "play yellow, place fortress qi1") == "site_taken"
    assert act(copy.deepcopy(game), "play yellow, place fortress qi2") == "site_taken"
    assert act(game, "play yellow, place house qi1") is None
    plain = position("yellow red red")
    plain.board.supply[0]["fortress"] = 0
    assert act(plain, "play yellow, place fortress qi1") == "no_pieces_left"


@pytest.mark.parametrize(
    ("numbers", "points"),
    [
        ([4, 2, 1], [7, 4, 2]),
        ([3, 3, 1], [7, 7, 3]),  # dense: no rank is skipped
        ([5, 1, 1], [7, 5, 5]),
        ([3, 2, 2, 1], [8, 3, 3, 2]),
        ([2, 2, 2, 2], [8, 8, 8, 8]),
        ([4], [4]),
        ([3, 2, 1, 1, 1], [8, 3, 2, 2, 2]),
    ],
)
def test_houses_of_a_region(numbers: list[int], points: list[int]) -> None:
    assert list(c.house_points(Counter(dict(enumerate(numbers)))).values()) == points


def test_a_full_region_is_scored_in_the_turn_and_takes_emissaries_later() -> None:
    game = position("yellow yellow red", {"qi1": 1, "qi2": 1, "qi3": 2})
    assert act(game, "play yellow, play yellow, place house qi4, place emissary qi", ply=9) is None
    assert game.scores == [2, 4, 2]
    assert {event[0] for event in game.score_events} == {9}


# ------------------------------------------------------------------ payment and switches


@pytest.mark.parametrize(
    ("cards", "joker", "payment", "numbers"),
    [
        ("red", "other_colour", "exact", {1}),
        ("red red", "other_colour", "exact", {2}),
        ("green green", "other_colour", "exact", {1}),
        ("red green", "other_colour", "exact", set()),
        ("red green green", "other_colour", "exact", {2}),
        ("red red green", "other_colour", "exact", set()),
        ("red red red", "other_colour", "exact", set()),
        ("green green green", "other_colour", "exact", set()),
        ("red red", "any_colour", "exact", {1, 2}),
        ("red red red", "any_colour", "exact", {2}),
        ("red red green", "any_colour", "exact", set()),
        ("red green", "other_colour", "at_least", {1}),
        ("red red", "other_colour", "at_least", {1, 2}),
        ("red red green", "other_colour", "at_least", {1, 2}),
        ("red green green", "other_colour", "at_least", {1, 2}),
        ("red green yellow", "other_colour", "at_least", {1}),
        ("green green green", "other_colour", "at_least", {1}),
        ("green yellow", "other_colour", "at_least", set()),
        ("red red red", "any_colour", "at_least", {1, 2}),
    ],
)
def test_payment(cards: str, joker: str, payment: str, numbers: set[int]) -> None:
    for order in (tuple(cards.split()), tuple(reversed(cards.split()))):
        assert c.payable(order, "red", joker, payment) == numbers


def test_payment_is_judged_when_placing_ends() -> None:
    game = position("red red green", {"wei1": 1})
    assert act(game, "play red, play red, place house wei2") is None
    assert act(copy.deepcopy(game), "draw red 1") == "payment"
    assert act(game, "place house wei3, draw red 1") is None
    loose = position("red red green", {"wei1": 1}, payment="at_least")
    assert act(loose, "play red, play red, place house wei2, draw red 1") is None
    bad = position("red green yellow", {"wei1": 1})
    assert act(bad, "play red, play green, play yellow") is None  # not at `play`
    assert act(bad, "place house wei2") == "payment"


def test_payment_for_a_number_out_of_reach() -> None:
    """The last site, no emissary fits: two cards cannot be for two pieces."""
    houses = {"shu1": 1, "shu2": 2, "shu3": 0}
    full = {"shu": [1, 0, 0]}
    game = position("red red green", houses, full)
    assert act(game, "play red, play red, place house shu4") is None  # two houses: one more fits
    game = position("red red green", houses, {"shu": [1, 1, 0]})
    assert act(game, "play red, play red, place house shu4") == "payment"
    game = position("red red green", houses, {"shu": [1, 1, 0]}, fortresses=True)
    assert act(game, "play red, play red, place house shu4") == "payment"
    game = position("red red green", houses, {"shu": [1, 1, 0]}, fortresses=True)
    assert act(game, "play red, play red, place fortress shu4, place house shu4") is None


def test_two_regions_and_a_third_piece() -> None:
    game = position("red red green", {"wei1": 1, "shu1": 1})
    assert act(game, "play red, play red, place house wei2, place house shu2") == "two_regions"


@pytest.mark.parametrize(("opens", "code"), [(True, None), (False, "payment")])
def test_fort_opens_region(opens: bool, code: str | None) -> None:
    game = position("red red green", forts="wei1", fortresses=True, fort_opens_region=opens)
    assert act(game, "play red, play red, place house wei2") == code


@pytest.mark.parametrize(("stack", "extra"), [("once", 4), ("each", 12)])
def test_fortified_houses(stack: str, extra: int) -> None:
    houses = {"qi1": 0, "qi2": 0, "qi3": 1}
    game = position("yellow", houses, forts="qi1 qi2 qi3 qi4", fort_stack=stack, fortresses=True)
    assert act(game, "play yellow, place house qi4") is None
    assert outcome(game, "houses") == {(0, "qi"): 4, (1, "qi"): 3}
    forts = 28 if stack == "each" else 4  # three fortified houses
    assert outcome(game, "houses_fort") == {(0, "qi"): forts, (1, "qi"): 3}
    own = {"shu1", "shu2", "shu3", "shu4"}
    chain = c.best_chains(c.MAP["3-4"], own, {"shu1", "shu2"}, stack)
    assert chain == [("shu1", 4, extra)]


# ------------------------------------------------------------------------ end of the game


def test_alliances() -> None:
    game = position("red", emissaries={"qin": [2, 2, 0], "shu": [1, 0, 0], "chu": [0, 1, 0]})
    game.score_end(5)
    assert outcome(game, "alliance") == {(0, "12"): 5}  # chu and shu have no leader in common


def test_a_tie_counts_for_all_in_an_alliance() -> None:
    game = position("red", emissaries={"qin": [2, 2, 0], "shu": [1, 1, 0]})
    game.score_end(5)
    assert outcome(game, "alliance") == {(0, "12"): 6, (1, "12"): 6}


def test_ranks_by_pieces_left() -> None:
    game = position("red", {"wei1": 0, "wei2": 0, "shu1": 1}, fortresses=True)
    game.scores = [7, 7, 9]
    assert game.ranks() == [3, 2, 1]
    game.board.supply[1]["fortress"] = 0
    assert game.ranks() == [2, 2, 1]


@pytest.mark.parametrize(("in_chu", "phase"), [(2, "turn"), (3, "over")])
def test_nobody_can_place(in_chu: int, phase: str) -> None:
    houses = {site: i % 3 for i, site in enumerate(c.REGION) if site != "chu8"}
    game = position("purple red red", houses)
    for region in c.SITES:
        game.board.emissaries[region][0] = max(game.board.houses_in(region).values())
    game.board.emissaries["chu"][0] = in_chu
    assert act(game, "play purple, place house chu8, draw red 1") is None
    assert max(game.board.houses_in("chu").values()) == 3
    assert game.phase == "refill"  # checked after drawing and refilling
    assert act(game, "reveal green 1", None) is None
    assert game.phase == phase


@pytest.mark.parametrize("after", ["display_only", "no_draw"])
def test_second_time_empty(after: str) -> None:
    game = position("red red red", {"wei1": 1}, after_second_empty=after)
    game.cards.empties, game.cards.pile = 1, 1
    game.cards.decks[2] = Counter(red=1)
    game.display |= {"3": None, "4": None}
    # the pile's last card is taken, the hand still filled from the display, nothing refilled
    turn = "play red, play red, place house wei2, place house wei3, draw red deck, draw red 1"
    assert act(game, turn) is None
    assert (game.phase, game.seat, game.cards.empties) == ("turn", 1, 2)
    assert act(copy.deepcopy(game), "exchange purple, draw red deck", seat=1) is not None
    assert act(game, "exchange purple", seat=1) is None
    if after == "display_only":
        assert act(copy.deepcopy(game), "exchange purple", seat=2) == "wrong_seat"
        assert act(game, "draw green 2", seat=1) is None
    else:
        assert game.display["2"] == "green"
    # no display: the turn ends without a mark, as soon as no piece can follow
    assert game.seat == 2
    assert act(game, "play purple, place house chu1", seat=2) is None
    assert game.phase == "over"
    assert act(game, "play purple", seat=2) == "after_end"


def test_a_turn_without_a_mark() -> None:
    """Nothing to draw, one piece placed, a second possible: the next event tells."""
    game = position("red red red", {"wei1": 1}, payment="at_least")
    game.cards.empties, game.cards.pile, game.dry = 2, 0, True
    game.display = dict.fromkeys(c.SLOTS)
    assert act(game, "play red, play red, place house wei2") is None
    assert game.may_stop()
    assert act(copy.deepcopy(game), "place house wei3") is None
    assert act(copy.deepcopy(game), "draw red 1") == "wrong_seat"
    assert act(copy.deepcopy(game), "play purple", seat=1) is None
    exact = position("red red red", {"wei1": 1})
    exact.cards.empties, exact.cards.pile, exact.dry = 2, 0, True
    exact.display = dict.fromkeys(c.SLOTS)
    assert act(exact, "play red, play red, place house wei2") is None
    assert act(exact, "play purple", seat=1) == "wrong_seat"  # the cards were for two


def test_first_time_empty_in_the_middle_of_a_hand() -> None:
    game = position("red red red", {"wei1": 1})
    game.cards.pile = 1
    turn = "play red, play red, place house wei2, place house wei3, draw green deck"
    assert act(game, turn) is None
    assert (game.cards.empties, game.cards.pile, game.phase) == (1, 2, "draw")
    assert game.cards.decks[2] == Counter(red=2)  # the discards of this turn included
    assert act(copy.deepcopy(game), "draw yellow deck") == "card_count"
    assert act(game, "draw red 1, reveal red 1") is None
    assert game.phase == "turn"


# ------------------------------------------------------------------------- unknown cards


def deck_of(text: str) -> c.Cards:
    return c.Cards(Counter(text.split()), 2)


def test_an_unknown_card_cannot_be_what_is_gone() -> None:
    cards = deck_of("red red green green green")
    cards.take(None, 0)
    cards.take("red", 1)
    cards.discard(0, "red")  # so it was the other red one
    with pytest.raises(Fault):
        cards.take("red", 1)


def test_two_seats_claim_the_same_card() -> None:
    cards = deck_of("red green green green")
    cards.take(None, 0)
    cards.take(None, 1)
    cards.discard(0, "red")
    with pytest.raises(Fault):
        cards.discard(1, "red")


def test_which_generation_a_claim_is_of_stays_open() -> None:
    cards = deck_of("red green green")
    cards.take(None, 0)
    cards.take(None, 0)
    cards.take("green", 1)
    assert cards.empties == 1  # seat 0 has red and green; nothing was discarded
    cards = deck_of("red green green red")
    for seat in (0, 0, 1):
        cards.take(None, seat)
    cards.discard(1, "red")
    cards.take("green", 0)
    assert (cards.empties, cards.pile) == (1, 1)
    cards.take(None, 1)  # the red one that was discarded
    cards.discard(0, "red")
    with pytest.raises(Fault):
        cards.discard(1, "green")


class Physical:
    """All cards known: one completion of the unknown ones."""

    def __init__(self, deck: Counter[str]) -> None:
        self.pile, self.discards, self.second = Counter(deck), Counter[str](), False
        self.hands = [Counter[str](), Counter[str]()]

    def take(self, card: str, seat: int) -> bool:
        if not self.pile[card]:
            return False
        self.pile[card] -= 1
        self.hands[seat][card] += 1
        if not self.pile.total() and not self.second:
            self.pile, self.discards, self.second = self.discards, Counter(), True
        return True

    def discard(self, seat: int, card: str) -> bool:
        if not self.hands[seat][card]:
            return False
        self.hands[seat][card] -= 1
        self.discards[card] += 1
        return True


def test_unknown_cards_against_all_completions() -> None:
    colours, faults, seconds = ["red", "green", "yellow"], 0, 0
    for seed in range(400):
        rng = random.Random(seed)
        deck = Counter(rng.choices(colours, k=rng.randint(4, 7)))
        cards, worlds = c.Cards(Counter(deck), 2), [Physical(deck)]
        for _ in range(18):
            seat = rng.randrange(2)
            size = cards.hand_size(seat)
            if size < 3 and cards.pile and (size == 0 or rng.random() < 0.55):
                card = None if rng.random() < 0.7 else rng.choice(colours)
                guesses = colours if card is None else [card]
                tried = [(copy.deepcopy(w), guess) for w in worlds for guess in guesses]
                worlds = [w for w, guess in tried if w.take(guess, seat)]
                event = partial(cards.take, card, seat)
            elif size:
                played = rng.choice(colours)
                worlds = [w for w in worlds if w.discard(seat, played)]
                event = partial(cards.discard, seat, played)
            else:
                continue
            unlike = {repr((w.pile, w.hands, w.second)): w for w in worlds}
            worlds = list(unlike.values())
            if not worlds:
                with pytest.raises(Fault):
                    event()
                faults += 1
                seconds += cards.empties > 0
                break
            event()
            split = cards.find_split()  # also where the last witness would still do
            assert split is not None
            assert cards.fits(split)
    assert faults > 100
    assert seconds > 40


# --------------------------------------------------------------------------------- roads


def naive_best(roads: nx.Graph, own: set[str], forts: set[str], stack: str) -> tuple[int, ...]:
    """(points, -chains, points without fortresses) over every set of disjoint paths."""
    graph = roads.subgraph(own)
    paths = {
        frozenset(path)
        for one, other in combinations(graph, 2)
        for path in nx.all_simple_paths(graph, one, other)
        if len(path) >= 4
    }

    def best(free: frozenset[str]) -> tuple[int, int, int]:
        found = [(0, 0, 0)]
        for path in paths:
            if path <= free:
                points, chains, base = best(frozenset(s for s in free - path if s > min(path)))
                times = c.factor(len(path & forts), stack)
                found.append((points + len(path) * times, chains - 1, base + len(path)))
        return max(found)

    return best(frozenset(own))


@pytest.mark.parametrize("side", ["3-4", "4-5"])
def test_chains_against_all_sets_of_paths(side: str) -> None:
    roads = c.MAP[side]
    for seed in range(60):
        rng = random.Random(seed)
        own = {rng.choice(list(c.ORDER))}
        while len(own) < 11:
            own.add(rng.choice([s for o in sorted(own) for s in roads[o] if s not in own]))
        forts = set(rng.sample(sorted(own), rng.randint(0, 3)))
        stack = rng.choice(["once", "each"])
        chains = c.best_chains(roads, own, forts, stack)
        base = sum(points for _, points, _ in chains)
        total = base + sum(extra for *_, extra in chains)
        assert (total, -len(chains), base) == naive_best(roads, own, forts, stack)


def test_chain_tie_breaks() -> None:
    roads = nx.path_graph([f"chu{i}" for i in range(1, 9)])
    assert c.best_chains(roads, set(roads), set(), "once") == [("chu1", 8, 0)]
    assert c.best_chains(roads, set(roads), {"chu8"}, "once") == [("chu1", 8, 8)]
    cycle = nx.cycle_graph(["chu1", "chu2", "chu3", "chu4", "chu5"])
    assert c.best_chains(cycle, set(cycle), set(), "once") == [("chu1", 5, 0)]
    star = nx.path_graph(["chu2", "chu3", "chu4", "chu5"])
    star.add_edge("chu1", "chu3")  # either branch: the first in board order
    assert c.best_chains(star, set(star), set(), "once") == [("chu1", 4, 0)]


# --------------------------------------------------------------------------- whole games


def games() -> list[tuple[int, dict[str, Any], str]]:
    """Every player count and side with every choice of switches, by all policies in turn."""
    answer: list[tuple[int, dict[str, Any], str]] = []
    for players, side in ((3, "3-4"), (4, "3-4"), (4, "4-5"), (5, "4-5")):
        for combo in product(*VALUES.values()):
            options = {"side": side, **dict(zip(VALUES, combo, strict=True))}
            answer.append((players, options, ["random", "greedy", "fill"][len(answer) % 3]))
    return answer


def check_pieces(record: Record, states: list[dict[str, Any]]) -> None:
    players = len(record["seats"])
    deck = c.composition(players).total()
    for state in states:
        on_board = Counter(site["house"] for site in state["board"].values())
        forts = sum(site["fort"] for site in state["board"].values())
        for seat in range(players):
            supply = state["supply"][seat]
            assert on_board[seat] + supply["house"] == 20
            envoys = sum(numbers[seat] for numbers in state["emissaries"].values())
            assert envoys + supply["emissary"] == 8
            assert len(state["hands"][seat]) <= 3
        if record["options"].get("fortresses"):
            assert forts + sum(supply["fortress"] for supply in state["supply"]) == players
        for region, numbers in state["emissaries"].items():
            owners = Counter(state["board"][site]["house"] for site in c.SITES[region])
            del owners[None]
            assert sum(numbers) <= max(owners.values(), default=0)
        hands = sum(map(len, state["hands"]))
        shown = sum(card is not None for card in state["display"].values())
        assert hands + shown + state["pile"] + sum(state["discards"].values()) == deck


def test_generated_games() -> None:
    endings = Counter[str]()
    some = random.Random(0).sample(games(), 80)
    for seed, (players, options, policy) in enumerate(some):
        record = c.generate(random.Random(seed), players, options, policy)
        seen = c.replay(record)
        unseen = c.replay(c.blind(record))
        for verdict in (seen, unseen):
            assert verdict.ok, (seed, verdict)
            assert verdict.scores == record["result"]["scores"]
            assert verdict.ranks == record["result"]["ranks"]
            assert verdict.score_events == seen.score_events
            check_pieces(record, verdict.states)
        assert verdict.scores is not None
        points = Counter[int]()
        for _, seat, _, _, earned in seen.score_events:
            points[seat] += earned
        assert [points[seat] for seat in range(players)] == verdict.scores
        last = seen.states[-1]
        dry = last["empties"] == 2 and last["turn"] % players == 0
        endings["round" if dry else "nobody"] += 1
    assert endings["nobody"] >= 3
    assert endings["round"] >= 50


def sample() -> Record:
    return c.generate(random.Random(5), 4, {"fortresses": True}, "greedy")


def test_truncated_abandoned_and_after_the_end() -> None:
    record = sample()
    events = record["events"]
    for length in range(0, len(events), 7):
        short = record | {"events": events[:length]}
        assert (c.replay(short).ply, c.replay(short).fault) == (length, "truncated")
        verdict = c.replay(short | {"ended": "abandoned"})
        assert (verdict.ok, verdict.scores, verdict.ranks) == (True, None, None)
    longer = c.replay(record | {"events": [*events, events[-1]]})
    assert (longer.ply, longer.fault, longer.scores) == (len(events), "after_end", None)


@pytest.mark.parametrize("result", [{"scores": [0, 0, 0, 0]}, {"ranks": [1, 1, 1, 1]}])
def test_result_mismatch(result: dict[str, Any]) -> None:
    record = sample()
    verdict = c.replay(record | {"result": result})
    assert (verdict.ok, verdict.ply, verdict.fault) == (False, None, "result_mismatch")
    assert verdict.scores == record["result"]["scores"]


@pytest.mark.parametrize(
    "change",
    [
        {"action": "steal"},
        {"action": None},
        {"item": "blue"},
        {"item": 3},
        {"amount": 1},
        {"target": 0},
        {"colour": "red"},
        {"seat": 3},
        {"seat": None},
    ],
)
def test_words_and_fields(change: dict[str, Any]) -> None:
    record = sample()
    for ply in (0, *range(20, 60)):
        events = copy.deepcopy(record["events"])
        if change == {"seat": 3} and (ply == 0 or events[ply].get("seat") == 3):
            continue
        if change == {"seat": None} and "seat" not in events[ply]:
            continue
        events[ply] |= change
        assert c.replay(record | {"events": events}).ply == ply
    events = [event | {"_note": "kept out", "amount": None} for event in record["events"]]
    assert c.replay(record | {"events": events}).ok


def test_only_deals_and_draws_may_be_unknown() -> None:
    record = sample()
    for ply, event in enumerate(record["events"]):
        events = copy.deepcopy(record["events"])
        events[ply]["item"] = None
        verdict = c.replay(record | {"events": events})
        assert verdict.ok == (event["action"] in ("deal", "draw"))
        assert verdict.ply in (None, ply)


@pytest.mark.parametrize(
    ("players", "options"),
    [(2, {}), (6, {}), (3, {"side": "4-5"}), (4, {"joker": "no"}), (4, {"fortresses": 1})],
)
def test_headers(players: int, options: dict[str, Any]) -> None:
    verdict = c.replay({"seats": [{}] * players, "options": options, "events": []})
    assert (verdict.ok, verdict.ply) == (False, None)


def test_mutated_records_never_raise() -> None:
    rng = random.Random(1)
    record = sample()
    for _ in range(150):
        events = copy.deepcopy(record["events"])
        one, other = rng.randrange(len(events)), rng.randrange(len(events))
        change = rng.choice(["swap", "drop", "copy", "field"])
        if change == "swap":
            events[one], events[other] = events[other], events[one]
        elif change == "drop":
            del events[one]
        elif change == "copy":
            events.insert(one, events[other])
        else:
            field = rng.choice(["seat", "item", "place", "action"])
            events[one][field] = events[other].get(field)
        verdict = c.replay(record | {"events": events})
        assert verdict.ok or verdict.ply is not None or verdict.fault == "result_mismatch"
        blind = c.replay(c.blind(record | {"events": events}))
        if not blind.ok and verdict.ply is not None and blind.ply is not None:
            assert blind.ply >= verdict.ply  # who sees less finds no fault sooner
