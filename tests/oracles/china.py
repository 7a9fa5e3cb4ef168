"""China, slow and obvious: the rules page in sets, counters and networkx graphs.

`replay` walks a record event by event. `generate` plays legal games by the same legality;
`blind` hides from a record what a spectator could not see.

The state after an event, as plain values:

    phase       deal, reveal (set-up), turn (nothing done yet), play, place, draw, refill, over
    seat        who acts; None in deal, reveal, refill and over
    turn        turns that are finished; at the end that of the last event is counted too
    round       turn // players, from 0
    board       site -> {"house": seat or None, "fort": bool}
    emissaries  region -> number by seat
    supply      by seat {"house": n, "emissary": n, "fortress": n}: what is not placed yet
    hands       by seat: known cards sorted, then one None for each unknown one; a card that is
                played counts as a known one where the hand has one of that colour
    display     slot -> card or None
    pile        cards in the draw pile
    empties     how often the pile has been empty: 0, 1, 2
    dry         the pile was empty for the second time before this turn
    discards    colour -> number, since the last shuffle
    played      the cards of this turn, in order
    placed      pieces of this turn as [item, place]
    may_stop    the seat may end its turn without a mark, or place once more
    scored      regions whose houses are scored, in board order
    scores      by seat, so far
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

import networkx as nx

from tests.oracles.common import (
    Event,
    Fault,
    Record,
    ScoreEvent,
    Verdict,
    ranks_of,
    summed,
)

# ------------------------------------------------------------------------------ the facts

DECK = {"yellow": 11, "orange": 11, "green": 12, "red": 13, "purple": 10}
SIZES = {  # region: colour, house sites
    "qi": ("yellow", 4),
    "qin": ("yellow", 6),
    "zhao": ("orange", 5),
    "lu": ("orange", 4),
    "yan": ("green", 5),
    "han": ("green", 5),
    "wei": ("red", 7),
    "shu": ("red", 4),
    "chu": ("purple", 8),
}
COLOUR = {region: colour for region, (colour, _) in SIZES.items()}
SITES = {r: [f"{r}{i}" for i in range(1, n + 1)] for r, (_, n) in SIZES.items()}
REGION = {site: region for region, sites in SITES.items() for site in sites}
ORDER = {site: index for index, site in enumerate(REGION)}  # "board order"
ALLIANCES = [
    ("yan", "zhao"),
    ("yan", "qi"),
    ("zhao", "qi"),
    ("zhao", "qin"),
    ("zhao", "wei"),
    ("qin", "wei"),
    ("wei", "qi"),
    ("qi", "lu"),
    ("wei", "lu"),
    ("wei", "han"),
    ("qin", "han"),
    ("qin", "shu"),
    ("han", "chu"),
    ("lu", "chu"),
    ("shu", "chu"),
]
BOTH_SIDES = """
    qin1-qin2 qin2-qin3 qin2-qin4 qin4-qin5 qin5-qin6 qin5-shu1 qin3-zhao4 qin4-wei7 shu1-shu2
    shu2-shu3 shu3-shu4 shu4-chu1 zhao1-zhao4 zhao1-zhao2 zhao3-zhao5 zhao2-yan1 zhao5-qi1
    zhao5-wei3 yan1-yan2 yan2-yan4 yan2-yan3 yan3-yan5 yan4-qi1 qi1-qi2 qi2-qi3 qi2-qi4 qi4-lu1
    lu1-lu2 lu2-lu3 lu1-wei4 wei1-wei2 wei2-wei3 wei3-wei4 wei5-wei6 wei6-wei7 han1-han5 han4-han5
    han2-han4 han2-han3 han4-chu2 chu2-chu3 chu3-chu4 chu4-chu5 chu3-chu6 chu6-chu7 chu6-chu8
"""
ROADS = {
    "3-4": BOTH_SIDES + "zhao2-zhao3 zhao4-wei1 wei6-han2 lu2-lu4 lu4-chu4 chu1-chu7",
    "4-5": BOTH_SIDES
    + """qin5-han1 qi1-wei4 han3-chu3 wei5-han3 wei2-wei6 han1-han2 chu1-chu2
         lu4-chu5 yan1-zhao3 qin3-wei1""",
}
MAP = {side: nx.Graph(tuple(road.split("-")) for road in roads.split()) for side, roads in ROADS.items()}
SLOTS = ["1", "2", "3", "4"]
PILE = "deck"
CHOICES: dict[str, list[Any]] = {  # option or switch: its values, the default first
    "side": ["3-4", "4-5"],
    "fortresses": [False, True],
    "map": ["china-reconstructed-1"],
    "joker": ["other_colour", "any_colour"],
    "payment": ["exact", "at_least"],
    "fort_opens_region": [True, False],
    "fort_stack": ["once", "each"],
    "after_second_empty": ["display_only", "no_draw"],
}
USES = {  # action: fields that must be there, fields that may be null
    "deal": ({"seat"}, {"item"}),
    "reveal": ({"item", "place"}, set()),
    "play": ({"seat", "item"}, set()),
    "place": ({"seat", "item", "place"}, set()),
    "exchange": ({"seat", "item"}, set()),
    "draw": ({"seat", "place"}, {"item"}),
}
FIELDS = {"action", "seat", "item", "place", "target", "amount"}


def settings(record: Record) -> dict[str, Any]:
    """The record's options with their defaults; a Fault where the header cannot be."""
    players = len(record["seats"])
    if not 3 <= players <= 5:
        raise Fault("players", f"{players} seats")
    sides = {3: ["3-4"], 4: ["3-4", "4-5"], 5: ["4-5"]}[players]
    options = {name: values[0] for name, values in CHOICES.items()} | {"side": sides[0]}
    for name, value in (record.get("options") or {}).items():
        legal = sides if name == "side" else CHOICES.get(name, [])
        if not any(value == each and type(value) is type(each) for each in legal):
            raise Fault("option", f"{name}={value!r}")
        options[name] = value
    return options


def composition(players: int) -> Counter[str]:
    """The cards in play: one of each colour out with 4 players, two with 3."""
    return Counter({colour: n - (5 - players) for colour, n in DECK.items()})


# ------------------------------------------------------------------------- small rules


@cache
def payable(cards: tuple[str, ...], colour: str, joker: str, payment: str) -> frozenset[int]:
    """The numbers of pieces (1, 2) in a region of this colour that the cards pay for.

    A card of the region's colour pays for one; two alike of another colour (`any_colour`: of
    any) are a joker for one. `exact`: every card is used up; `at_least`: some of them are.
    """

    def exactly(cards: tuple[str, ...]) -> set[int]:
        if not cards:
            return {0}
        first, rest = cards[0], cards[1:]
        numbers = {1 + n for n in exactly(rest)} if first == colour else set()
        for i, other in enumerate(rest):
            if other == first and (first != colour or joker == "any_colour"):
                numbers |= {1 + n for n in exactly(rest[:i] + rest[i + 1 :])}
        return numbers

    if payment == "exact":
        return frozenset(exactly(cards) & {1, 2})
    subsets = [sub for size in range(1, len(cards) + 1) for sub in combinations(cards, size)]
    return frozenset(set().union(*map(exactly, subsets)) & {1, 2})


def house_points(houses: Counter[int]) -> dict[int, int]:
    """Dense ranks: rank 1 earns all houses, rank k the number that rank k-1 has."""
    numbers = sorted(set(houses.values()), reverse=True)
    earns = dict(zip(numbers, [houses.total(), *numbers], strict=False))
    return {seat: earns[n] for seat, n in houses.items()}


def factor(fortified: int, fort_stack: str) -> int:
    """How many times the points of a scoring count with so many own fortified houses."""
    doublings = fortified if fort_stack == "each" else min(fortified, 1)
    return 1 << doublings


def simple_paths(graph: nx.Graph) -> list[list[str]]:
    """Every simple path of four sites or more, from the end that is first in board order."""
    found: list[list[str]] = []

    def longer(path: list[str]) -> None:
        if len(path) >= 4 and ORDER[path[0]] < ORDER[path[-1]]:
            found.append(path)
        for site in graph[path[-1]]:
            if site not in path:
                longer([*path, site])

    for site in graph:
        longer([site])
    return found


def best_chains(roads: nx.Graph, own: set[str], forts: set[str], fort_stack: str) -> list[tuple[str, int, int]]:
    """The player's chains as (first end, points, the fortress's extra points).

    Best set of disjoint paths: most points, then fewest chains, then most points without
    fortresses, then the first ends and the paths first in board order.
    """
    chains: dict[frozenset[str], list[int]] = {}  # its sites -> the path first in board order
    for path in simple_paths(roads.subgraph(own)):
        numbers = [ORDER[site] for site in path]
        chains[frozenset(path)] = min(numbers, chains.get(frozenset(path), numbers))
    names = list(ORDER)

    def worth(sites: frozenset[str]) -> int:
        return len(sites) * factor(len(sites & forts), fort_stack)

    def key(choice: list[frozenset[str]]) -> tuple[Any, ...]:
        paths = sorted(chains[sites] for sites in choice)
        base = sum(map(len, choice))
        return -sum(map(worth, choice)), len(choice), -base, [p[0] for p in paths], paths

    @cache
    def best(free: frozenset[str]) -> list[frozenset[str]]:
        fitting = [sites for sites in chains if sites <= free]
        if not fitting:
            return []
        site = min(frozenset().union(*fitting), key=ORDER.__getitem__)
        choices = [best(free - {site})]  # either no chain takes the first site, or one of these
        choices += [[sites, *best(free - sites)] for sites in fitting if site in sites]
        return min(choices, key=key)

    answer: list[tuple[str, int, int]] = []
    for component in nx.connected_components(roads.subgraph(own)):
        for sites in best(frozenset(component)):
            extra = worth(sites) - len(sites)
            answer.append((names[chains[sites][0]], len(sites), extra))
    return sorted(answer, key=lambda chain: ORDER[chain[0]])


# ------------------------------------------------------------------------------ the cards


@dataclass
class Claim:
    """A played card that no known card of the hand accounts for: an unknown draw was it.

    `drawn[g]` is how many unknown cards the seat had by then from the pile of generation g.
    """

    seat: int
    colour: str
    drawn: dict[int, int]


class Cards:
    """Pile, hands and discards with unknown cards, over the pile's two generations.

    Generation 1 is the deck, generation 2 the discards shuffled when it is empty. Every discard
    is seen, so both compositions are known. A record is possible as long as each claim can be
    given a generation so that no seat uses more unknown cards of a generation than it had drawn
    by then, and no colour is used more often than the generation has unseen cards of it. (All
    other unknown draws can then be any cards that are left.) To let a known card of the same
    colour go first is never worse: it can serve no other claim.
    """

    def __init__(self, deck: Counter[str], players: int) -> None:
        self.decks: dict[int, Counter[str]] = {1: deck, 2: Counter()}
        self.seen: dict[int, Counter[str]] = {1: Counter(), 2: Counter()}
        self.pile = deck.total()
        self.empties = 0
        self.known: list[Counter[str]] = [Counter() for _ in range(players)]
        self.unknown = [0] * players
        self.drawn = [{1: 0, 2: 0} for _ in range(players)]  # unknown cards drawn so far
        self.discards: Counter[str] = Counter()
        self.claims: list[Claim] = []
        self.split: list[int] = []  # a possible generation of each claim

    def hand_size(self, seat: int) -> int:
        """The cards in a hand."""
        return self.known[seat].total() + self.unknown[seat]

    def take(self, card: str | None, seat: int | None) -> None:
        """The pile's top card goes into a hand or, with no seat, into the display."""
        generation = self.empties + 1
        if card is not None:
            self.seen[generation][card] += 1
            if seat is not None:
                self.known[seat][card] += 1
        elif seat is not None:
            self.drawn[seat][generation] += 1
            self.unknown[seat] += 1
        self.pile -= 1
        if not self.possible():
            raise Fault("card_count", f"no {card} can be left")
        if self.pile == 0:  # the first time, the discards are the new pile
            self.empties += 1
            if self.empties == 1:
                self.decks[2], self.discards = self.discards, Counter()
                self.pile = self.decks[2].total()

    def discard(self, seat: int, card: str) -> None:
        """A seat plays or exchanges a card."""
        if self.known[seat][card]:
            self.known[seat][card] -= 1
        elif self.unknown[seat]:
            self.unknown[seat] -= 1
            self.claims.append(Claim(seat, card, dict(self.drawn[seat])))
        else:
            raise Fault("card_not_in_hand", card)
        self.discards[card] += 1
        if not self.possible():
            raise Fault("card_not_in_hand", f"no unknown card can be {card}")

    def unseen(self, generation: int, colour: str) -> int:
        """Cards of a colour that a generation has besides those that were seen."""
        return self.decks[generation][colour] - self.seen[generation][colour]

    def possible(self) -> bool:
        """Is there a completion of the unknown cards? Keeps one as witness."""
        new = len(self.claims) - len(self.split)
        for tail in ([], [2], [1]):
            if len(tail) == new and self.fits(self.split + tail):
                self.split += tail
                return True
        found = self.find_split()
        if found is None:
            return False
        assert self.fits(found)
        self.split = found
        return True

    def fits(self, split: list[int]) -> bool:
        """Does this generation of each claim agree with all that is known?"""
        used = Counter((g, claim.colour) for g, claim in zip(split, self.claims, strict=True))
        if any(used[g, colour] > self.unseen(g, colour) for g in (1, 2) for colour in DECK):
            return False
        count: Counter[tuple[int, int]] = Counter()
        for g, claim in zip(split, self.claims, strict=True):
            count[claim.seat, g] += 1
            if count[claim.seat, g] > claim.drawn[g]:
                return False
        return True

    def find_split(self) -> list[int] | None:
        """A split that fits, as a flow: each unit is a claim met out of generation 1.

        The flow runs from its colour through the claim and along the later claims of its seat,
        so that after each claim it is the number the seat has used of generation 1; the others
        are of generation 2, which bounds the flow from below.
        """
        bounds: dict[tuple[Any, Any], tuple[int, int]] = {}
        colours = Counter(claim.colour for claim in self.claims)
        for colour in DECK:
            least = max(0, colours[colour] - self.unseen(2, colour))
            bounds["start", colour] = (least, self.unseen(1, colour))
        so_far: Counter[int] = Counter()
        last: dict[int, int] = {}
        for i, claim in enumerate(self.claims):
            bounds[claim.colour, i] = (0, 1)
            if claim.seat in last:
                before = last[claim.seat]
                bounds[before, i] = bounds.pop((before, "end"))
            so_far[claim.seat] += 1
            least = max(0, so_far[claim.seat] - claim.drawn[2])
            bounds[i, "end"] = (least, claim.drawn[1])
            last[claim.seat] = i
        if any(least > most for least, most in bounds.values()):
            return None
        graph = nx.DiGraph()
        graph.add_edge("end", "start")  # no capacity: unbounded
        surplus: Counter[Any] = Counter()
        for (tail, head), (least, most) in bounds.items():
            graph.add_edge(tail, head, capacity=most - least)
            surplus[head] += least
            surplus[tail] -= least
        graph.add_nodes_from(["source", "sink"])
        for node, amount in surplus.items():
            if amount > 0:
                graph.add_edge("source", node, capacity=amount)
            elif amount < 0:
                graph.add_edge(node, "sink", capacity=-amount)
        value, flow = nx.maximum_flow(graph, "source", "sink")
        if value < sum(amount for amount in surplus.values() if amount > 0):
            return None
        return [1 if flow[claim.colour][i] else 2 for i, claim in enumerate(self.claims)]


# ------------------------------------------------------------------------------ the board


class Board:
    """The pieces on the board and those still with the players."""

    def __init__(self, players: int, fortresses: bool) -> None:
        self.houses: dict[str, int] = {}
        self.forts: set[str] = set()
        self.emissaries = {region: [0] * players for region in SITES}
        one = {"house": 20, "emissary": 8, "fortress": int(fortresses)}
        self.supply = [dict(one) for _ in range(players)]

    def copy(self) -> Board:
        """The same position, to try a piece on."""
        other = Board(len(self.supply), False)
        other.houses, other.forts = dict(self.houses), set(self.forts)
        other.emissaries = {region: list(n) for region, n in self.emissaries.items()}
        other.supply = [dict(pieces) for pieces in self.supply]
        return other

    def houses_in(self, region: str) -> Counter[int]:
        """Seat -> its houses in the region."""
        return Counter(self.houses[site] for site in SITES[region] if site in self.houses)

    def is_full(self, region: str) -> bool:
        """Each site has a house; a bare fortress does not fill one."""
        return all(site in self.houses for site in SITES[region])

    def is_empty(self, region: str, fort_opens: bool) -> bool:
        """Without any piece (a fortress alone counts as the switch says)."""
        forts = fort_opens and any(site in self.forts for site in SITES[region])
        return not (self.houses_in(region) or sum(self.emissaries[region]) or forts)

    def problem(self, seat: int, item: str, place: str) -> str | None:
        """Why the piece cannot stand there, cards apart; None if it can."""
        if not self.supply[seat][item]:
            return "no_pieces_left"
        if item == "emissary":
            most = max(self.houses_in(place).values(), default=0)
            return "emissary_limit" if sum(self.emissaries[place]) + 1 > most else None
        if place in self.houses or (item == "fortress" and place in self.forts):
            return "site_taken"
        return None

    def fits(self, seat: int, region: str) -> list[tuple[str, str]]:
        """Every piece that the seat could place in the region, cards apart."""
        pieces = [(item, site) for item in ("house", "fortress") for site in SITES[region]]
        pieces.append(("emissary", region))
        return [piece for piece in pieces if self.problem(seat, *piece) is None]

    def put(self, seat: int, item: str, place: str) -> None:
        """Place a piece."""
        self.supply[seat][item] -= 1
        if item == "house":
            self.houses[place] = seat
        elif item == "fortress":
            self.forts.add(place)
        else:
            self.emissaries[place][seat] += 1


# ------------------------------------------------------------------------------- the game


class Game:
    """One game; `apply` takes the next event or raises a Fault."""

    def __init__(self, players: int, options: dict[str, Any]) -> None:
        self.players = players
        self.options = options
        self.board = Board(players, options["fortresses"])
        self.cards = Cards(composition(players), players)
        self.display: dict[str, str | None] = dict.fromkeys(SLOTS)
        self.phase = "deal"
        self.seat: int | None = None
        self.turn = 0
        self.to_draw = 0
        self.played: list[str] = []
        self.placed: list[tuple[str, str]] = []
        self.limit = 2  # pieces that the region takes in this turn
        self.dry = False  # the pile was empty for the second time before this turn
        self.scored: set[str] = set()
        self.scores = [0] * players
        self.score_events: list[ScoreEvent] = []

    # -- events

    def apply(self, event: Event, ply: int) -> None:
        """Take one event."""
        fields = {name for name in event if not name.startswith("_")}
        given = {name for name in fields - {"action"} if event[name] is not None}
        action, seat = event.get("action"), event.get("seat")
        if not isinstance(action, str) or action not in USES:
            raise Fault("unknown_action", str(action))
        must, may = USES[action]
        if fields - FIELDS:
            raise Fault("unknown_field", ", ".join(sorted(fields - FIELDS)))
        if not must <= given:
            raise Fault("missing_field", ", ".join(sorted(must - given)))
        if not given <= must | may:
            raise Fault("superfluous_field", ", ".join(sorted(given - must - may)))
        item, place = event.get("item"), event.get("place")
        words = {"house", "emissary", "fortress"} if action == "place" else set(DECK)
        if item is not None and (not isinstance(item, str) or item not in words):
            raise Fault("unknown_item", str(item))
        places = {"place": {*SITES, *REGION}, "draw": {PILE, *SLOTS}}.get(action, set(SLOTS))
        if place is not None and (not isinstance(place, str) or place not in places):
            raise Fault("unknown_place", str(place))
        if "seat" in must and (type(seat) is not int or not 0 <= seat < self.players):
            raise Fault("unknown_seat", str(seat))
        # What is no event at all closes nothing.
        if self.may_stop() and not (action == "place" and seat == self.seat):
            self.end_turn(ply - 1)  # nothing can be drawn: a turn ends without a mark
        if self.phase == "over":
            raise Fault("after_end")
        if action == "deal":
            self.deal(seat, item)
            return
        if action == "reveal":
            self.reveal(event["item"], place, ply)
            return
        if seat != self.seat or isinstance(seat, bool):
            raise Fault("wrong_seat" if self.seat is not None else "wrong_phase", str(seat))
        if action == "play":
            self.play(event["item"])
        elif action == "exchange":
            self.exchange(event["item"], ply)
        elif action == "place":
            self.place(event["item"], place, ply)
        else:
            self.draw(item, place, ply)

    def deal(self, seat: Any, card: str | None) -> None:
        """Three cards to each seat, in any order."""
        if self.phase != "deal":
            raise Fault("wrong_phase", "deal")
        if isinstance(seat, bool) or seat not in range(self.players):
            raise Fault("wrong_seat", str(seat))
        if self.cards.hand_size(seat) == 3:
            raise Fault("hand_overfilled")
        self.cards.take(card, seat)
        if all(self.cards.hand_size(each) == 3 for each in range(self.players)):
            self.phase = "reveal"

    def reveal(self, card: str, slot: Any, ply: int) -> None:
        """Set-up and refills: each empty slot, in any order."""
        if self.phase not in ("reveal", "refill"):
            raise Fault("wrong_phase", "reveal")
        if slot not in SLOTS or self.display[slot] is not None:
            raise Fault("wrong_slot", str(slot))
        self.cards.take(card, None)
        self.display[slot] = card
        full = None not in self.display.values()
        if self.phase == "refill":
            if full or not self.cards.pile:  # the second time empty: the rest stays empty
                self.end_turn(ply)
        elif full:
            self.phase, self.seat = "turn", 0

    def play(self, card: str) -> None:
        """A card of the turn; whether it pays is judged when pieces are placed."""
        if self.phase not in ("turn", "play"):
            raise Fault("wrong_phase", "play")
        if len(self.played) == 3:
            raise Fault("too_many_cards")
        self.cards.discard(self.must_seat(), card)
        self.played.append(card)
        self.phase = "play"

    def exchange(self, card: str, ply: int) -> None:
        """Discard one, draw one."""
        if self.phase != "turn":
            raise Fault("wrong_phase", "exchange")
        self.cards.discard(self.must_seat(), card)
        self.to_draw = 1
        self.go_on(ply)

    def place(self, item: str, place: Any, ply: int) -> None:
        """A piece, after the cards."""
        if self.phase not in ("play", "place"):
            raise Fault("no_cards" if self.phase == "turn" else "wrong_phase", "place")
        code = self.place_problem(item, place, self.played)
        if code is not None:
            raise Fault(code, f"{item} {place}")
        seat = self.must_seat()
        region = REGION.get(place, place)
        if not self.placed:
            self.limit = self.pieces_allowed(region)
        self.board.put(seat, item, place)
        self.placed.append((item, place))
        if self.board.is_full(region) and region not in self.scored:
            self.score_houses(region, ply)
        more = len(self.placed) < self.limit and 2 in self.pays(region, self.played)
        if more and self.board.fits(seat, region):
            self.phase = "place"
        else:
            self.end_placing(ply)

    def draw(self, card: str | None, place: Any, ply: int) -> None:
        """Fill the hand from slots and pile; the first draw ends placing."""
        if self.phase == "place":
            region = REGION.get(self.placed[0][1], self.placed[0][1])
            if len(self.placed) not in self.pays(region, self.played):
                raise Fault("payment", "the cards pay for more pieces")
            self.end_placing(ply)
        if self.phase != "draw":
            raise Fault("wrong_phase", "draw")
        seat = self.must_seat()
        if place == PILE:
            if not self.cards.pile:
                raise Fault("pile_empty")
            self.cards.take(card, seat)
        elif place not in SLOTS:
            raise Fault("unknown_place", str(place))
        else:
            shown = self.display[place]
            if shown is None:
                raise Fault("slot_empty", place)
            if card not in (None, shown):
                raise Fault("wrong_card", f"slot {place} shows {shown}")
            self.display[place] = None
            self.cards.known[seat][shown] += 1
        self.to_draw -= 1
        self.go_on(ply)

    # -- what the rules ask

    def must_seat(self) -> int:
        """The seat to act, where there is one."""
        assert self.seat is not None
        return self.seat

    def pays(self, region: str, cards: list[str]) -> frozenset[int]:
        """The numbers of pieces that the cards pay for in the region."""
        options = self.options
        return payable(tuple(cards), COLOUR[region], options["joker"], options["payment"])

    def pieces_allowed(self, region: str) -> int:
        """A region without any piece takes only one in a turn."""
        return 1 if self.board.is_empty(region, self.options["fort_opens_region"]) else 2

    def place_problem(self, item: str, place: Any, cards: list[str]) -> str | None:
        """Why the seat to act cannot place this as the next piece of the turn."""
        known = COLOUR if item == "emissary" else REGION
        if not isinstance(place, str) or place not in known:
            return "unknown_place"
        region = REGION.get(place, place)
        if self.placed:
            first = self.placed[0][1]
            if REGION.get(first, first) != region:
                return "two_regions"
            limit = self.limit
        else:
            limit = self.pieces_allowed(region)
        if len(self.placed) >= limit:
            return "second_piece_in_empty_region" if limit == 1 else "third_piece"
        seat = self.must_seat()
        code = self.board.problem(seat, item, place)
        if code is not None:
            return code
        number, pays = len(self.placed) + 1, self.pays(region, cards)
        if number in pays:
            return None
        if number == 1 and limit == 2 and 2 in pays:  # can the second still be reached?
            after = self.board.copy()
            after.put(seat, item, place)
            if after.fits(seat, region):
                return None
        return "payment"

    def can_draw(self) -> bool:
        """Is there a card to take? After the second time empty, only from the display."""
        if self.dry and self.options["after_second_empty"] == "no_draw":
            return False
        return self.cards.pile > 0 or any(self.display.values())

    def may_stop(self) -> bool:
        """One piece is placed, another may be, and there is nothing to draw."""
        if self.phase != "place" or self.can_draw():
            return False
        region = REGION.get(self.placed[0][1], self.placed[0][1])
        return len(self.placed) in self.pays(region, self.played)

    def anybody_could_place(self) -> bool:
        """Could any seat place any piece, whatever the cards?"""
        return any(self.board.fits(seat, r) for seat in range(self.players) for r in SITES)

    # -- the turn goes on

    def end_placing(self, ply: int) -> None:
        """Now draw to three cards."""
        self.to_draw = 3 - self.cards.hand_size(self.must_seat())
        self.go_on(ply)

    def go_on(self, ply: int) -> None:
        """Draw as long as cards are wanted and there, then refill, then the turn is over."""
        if self.to_draw and self.can_draw():
            self.phase = "draw"
        elif self.cards.pile and None in self.display.values():
            self.phase, self.seat = "refill", None
        else:
            self.end_turn(ply)

    def end_turn(self, ply: int) -> None:
        """The next seat's turn, or the end of the game."""
        seat = self.turn % self.players
        self.turn += 1
        self.played, self.placed, self.to_draw = [], [], 0
        self.dry = self.cards.empties == 2
        round_over = self.dry and seat == self.players - 1
        if round_over or not self.anybody_could_place():
            self.phase, self.seat = "over", None
            self.score_end(ply)
        else:
            self.phase, self.seat = "turn", (seat + 1) % self.players

    # -- points

    def earn(self, ply: int, seat: int, source: str, place: str, points: int) -> None:
        """Points of a seat."""
        self.scores[seat] += points
        self.score_events.append((ply, seat, source, place, points))

    def score_houses(self, region: str, ply: int) -> None:
        """Score a region's houses, once."""
        self.scored.add(region)
        for seat, points in house_points(self.board.houses_in(region)).items():
            own = {site for site in SITES[region] if self.board.houses.get(site) == seat}
            times = factor(len(own & self.board.forts), self.options["fort_stack"])
            self.earn(ply, seat, "houses", region, points)
            self.earn(ply, seat, "houses_fort", region, points * (times - 1))

    def score_end(self, ply: int) -> None:
        """Regions not scored yet, alliances, roads."""
        for region in SITES:
            if region not in self.scored:
                self.score_houses(region, ply)
        envoys = self.board.emissaries
        most = {r: {s for s, n in enumerate(e) if n and n == max(e)} for r, e in envoys.items()}
        for number, (one, other) in enumerate(ALLIANCES, 1):
            for seat in most[one] & most[other]:
                points = sum(envoys[one]) + sum(envoys[other])
                self.earn(ply, seat, "alliance", str(number), points)
        for seat in range(self.players):
            own = {site for site, owner in self.board.houses.items() if owner == seat}
            roads, stack = MAP[self.options["side"]], self.options["fort_stack"]
            for end, points, extra in best_chains(roads, own, self.board.forts, stack):
                self.earn(ply, seat, "road", end, points)
                self.earn(ply, seat, "road_fort", end, extra)

    def ranks(self) -> list[int]:
        """Most points; then most pieces not placed; then shared."""
        unplaced = [sum(pieces.values()) for pieces in self.board.supply]
        return ranks_of(list(zip(self.scores, unplaced, strict=True)))

    def state(self) -> dict[str, Any]:
        """The position as plain values (see the module's first lines)."""
        board, cards = self.board, self.cards
        return {
            "phase": self.phase,
            "seat": self.seat,
            "turn": self.turn,
            "round": self.turn // self.players,
            "board": {site: {"house": board.houses.get(site), "fort": site in board.forts} for site in REGION},
            "emissaries": {region: list(n) for region, n in board.emissaries.items()},
            "supply": [dict(pieces) for pieces in board.supply],
            "hands": [
                sorted(known.elements()) + [None] * unknown
                for known, unknown in zip(cards.known, cards.unknown, strict=True)
            ],
            "display": dict(self.display),
            "pile": cards.pile,
            "empties": cards.empties,
            "dry": self.dry,
            "discards": {colour: cards.discards[colour] for colour in DECK},
            "played": list(self.played),
            "placed": [list(piece) for piece in self.placed],
            "may_stop": self.may_stop(),
            "scored": [region for region in SITES if region in self.scored],
            "scores": list(self.scores),
        }


def replay(record: Record) -> Verdict:
    """Check one record and score it."""
    try:
        options = settings(record)
    except Fault as fault:
        return Verdict(False, None, fault.code, str(fault))
    result = record.get("result") or {}
    if record.get("events") is None:  # a results-only record
        return Verdict(True) if result else Verdict(False, None, "no_events")
    game = Game(len(record["seats"]), options)
    states: list[dict[str, Any]] = []

    def verdict(ok: bool, ply: int | None, code: str | None, message: str = "") -> Verdict:
        return Verdict(ok, ply, code, message, score_events=summed(game.score_events), states=states)

    for ply, event in enumerate(record["events"]):
        try:
            game.apply(event, ply)
        except Fault as fault:
            return verdict(False, ply, fault.code, str(fault))
        states.append(game.state())
    if game.may_stop() and game.seat == game.players - 1:  # ends without a mark, as the record
        game.end_turn(len(states) - 1)
        states[-1] = game.state()
    if game.phase != "over":
        if (record.get("ended") or "finished") == "finished":
            return verdict(False, len(states), "truncated")
        return verdict(True, None, None)
    scores, ranks = list(game.scores), game.ranks()
    stated = (result.get("scores"), result.get("ranks"))
    same = stated[0] in (None, scores) and stated[1] in (None, ranks)
    answer = verdict(same, None, None if same else "result_mismatch")
    answer.scores, answer.ranks = scores, ranks
    return answer


# -------------------------------------------------------------------- playing legal games

Step = tuple[tuple[str, ...], str, str]  # cards, first item, its place


def legal_steps(game: Game) -> list[Step]:
    """Every choice of cards and first piece of the seat to act (all its cards known)."""
    hand = sorted(game.cards.known[game.must_seat()].elements())
    sets = sorted({sub for size in (1, 2, 3) for sub in combinations(hand, size)})
    steps: list[Step] = []
    for region in SITES:
        pieces = game.board.fits(game.must_seat(), region)
        for cards in sets if pieces else []:
            if game.pays(region, list(cards)):
                steps += [
                    (cards, item, place)
                    for item, place in pieces
                    if game.place_problem(item, place, list(cards)) is None
                ]
    return steps


def appeal(game: Game, policy: str, item: str, place: str) -> tuple[int, ...]:
    """How much the seat to act likes a piece."""
    seat, region = game.must_seat(), REGION.get(place, place)
    if policy == "greedy":
        after = game.board.copy()
        after.put(seat, item, place)
        if item == "house" and after.is_full(region):
            return (house_points(after.houses_in(region))[seat], 0)
        return (0, 1 if item == "house" else 0)
    if policy == "fill":  # few houses of each player a region: soon nobody can place
        return (item == "emissary", -game.board.houses_in(region)[seat])
    return (0,)


def generate(
    rng: random.Random,
    players: int,
    options: dict[str, Any],
    policy: str = "random",
    record_id: str = "g",
) -> Record:
    """A complete legal game. Policies: random, greedy (points at once), fill (fills the board)."""
    record: Record = {
        "format": "game-record/1",
        "title": "china",
        "id": record_id,
        "options": dict(options),
        "ended": "finished",
        "seats": [{"player": f"p{seat}", "kind": "bot"} for seat in range(players)],
        "events": [],
    }
    game = Game(players, settings(record))
    events: list[Event] = record["events"]
    pile = list(composition(players).elements())
    rng.shuffle(pile)

    def tell(action: str, seat: int | None = None, **fields: str) -> None:
        event: Event = {"action": action, **fields}
        if seat is not None:
            event["seat"] = seat
        empties = game.cards.empties
        game.apply(event, len(events))
        events.append(event)
        if game.cards.empties > empties:  # empty: the discards are the new pile
            assert not pile
            if game.cards.empties == 1:
                pile.extend(sorted(game.cards.decks[2].elements()))
                rng.shuffle(pile)

    def favourite(pieces: list[Step]) -> Step:
        rng.shuffle(pieces)
        if policy == "random":
            return pieces[0]
        return max(pieces, key=lambda p: (appeal(game, policy, *p[1:]), -len(p[0])))

    deals = [seat for seat in range(players) for _ in range(3)]
    rng.shuffle(deals)
    for each in deals:
        tell("deal", each, item=pile.pop())
    while game.phase != "over":
        seat = game.seat
        if seat is None:
            slot = rng.choice([slot for slot in SLOTS if game.display[slot] is None])
            tell("reveal", item=pile.pop(), place=slot)
        elif game.phase == "turn":
            steps = legal_steps(game)
            if policy == "fill":  # cards are dear
                steps = [s for s in steps if len(s[0]) == 1 or COLOUR[region_of(s)] in s[0]]
            if steps and rng.random() > 0.1:
                cards, item, place = favourite(steps)
                for card in rng.sample(cards, len(cards)):
                    tell("play", seat, item=card)
                tell("place", seat, item=item, place=place)
            else:
                hand = sorted(game.cards.known[seat].elements())
                tell("exchange", seat, item=rng.choice(hand))
        elif game.phase == "place":
            region = region_of(((), *game.placed[0]))
            stop = 1 in game.pays(region, game.played) and rng.random() < 0.5
            if stop and game.may_stop():
                game.end_turn(len(events) - 1)
            elif stop:
                game.end_placing(len(events) - 1)
            else:
                pieces = game.board.fits(seat, region)
                _, item, place = favourite([((), item, place) for item, place in pieces])
                tell("place", seat, item=item, place=place)
        else:
            places = [slot for slot in SLOTS if game.display[slot]] + [PILE] * (2 * bool(pile))
            place = rng.choice(places)
            shown = pile.pop() if place == PILE else game.display[place]
            assert shown is not None
            tell("draw", seat, item=shown, place=place)
    record["result"] = {"scores": list(game.scores), "ranks": game.ranks()}
    return record


def region_of(step: Step) -> str:
    """The region of a step's piece."""
    return REGION.get(step[2], step[2])


def blind(record: Record) -> Record:
    """The record as a spectator saw it: dealt cards and draws from the pile unknown."""

    def hidden(event: Event) -> bool:
        return event["action"] == "deal" or (event["action"] == "draw" and event.get("place") == PILE)

    events = [event | {"item": None} if hidden(event) else event for event in record["events"]]
    return record | {"events": events}
