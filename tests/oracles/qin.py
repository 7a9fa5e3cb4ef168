"""Qin: a slow and obvious replay, written from the rules page.

Everything is a set or a dict of square names ("a1".."m13"). A tile's consequences are worked out
first as a list of single pagodas (`consequences`), then carried out one by one until a supply is
empty.

Unknown tiles. A completion gives every unknown (null) deal and draw a kind. Of an unknown tile
still in a hand the replay keeps the set of kinds that it may be; a pass takes away the kinds that
fitted. Three facts make this exact without branching:

* Tiles of one kind are alike, so who plays a kind that he is known to hold may be taken to have
  played the known one: had it been an unknown one, the known one would now stand in its place.
* A pass narrows all unknown tiles of the hand alike, so an older one may be no kind that a younger
  one may not be. Who plays a kind that is not known in his hand may be taken to have played the
  oldest unknown tile that may be of that kind: whatever the older one could have been instead,
  the younger one can be too.
* What is left is whether all unknown tiles can have a kind at once, at most twelve of each: Hall's
  condition over the six kinds (`assignable`).

That play goes on says that somebody could place. Whoever places next on the same board proves it,
so it is asked only of a pass.

`states[k]`, after event k:
    phase       "deal", "turn" (a tile or a pass is due), "draw" or "over" (certainly over)
    seat        who is to act, None while dealing and when over
    turn        turns of players completed
    may_be_over whether the unknown tiles allow that the game is over here
    colours     square -> "R", "Y", "B": start fields and tiles
    provinces   list of {"place", "colour", "owner", "pagodas", "squares"}, in reading order;
                owner None and fewer pagodas only where the game stopped in mid-turn
    villages    first square -> seat of the holder or None
    hands       a list for each seat: the known tiles sorted, then None for each unknown one
    pagodas     pagodas left to each seat
    supply      tiles left to draw
    unseen      kind -> copies that have not been seen (in the supply or unknown in a hand)
    scores      pagodas on the board, a number for each seat
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from tests.oracles.common import Event, Fault, Record, ScoreEvent, Verdict, ranks_of, summed

KINDS = ("RR", "YY", "BB", "RY", "RB", "YB")
ALL_KINDS = frozenset(KINDS)
COPIES = 12
HAND = 3
MAJOR = 5
PAGODAS = {2: 24, 3: 19, 4: 15}

OPTIONS: dict[str, tuple[str, ...]] = {  # the default first
    "board": ("bird", "lion"),
    "absorb_tie": ("illegal", "active_loses", "active_keeps"),
    "absorb_count": ("per_player", "largest_province"),
    "village_squares": ("one_village", "each_square"),
}

# . grass, R Y B printed start field, ~ water, a-p village (a letter twice: one of two squares)
BOARDS: dict[str, tuple[str, ...]] = {
    "bird": (
        "a....bb.....c",
        ".............",
        ".............",
        "..d......e...",
        "......B......",
        ".............",
        "......Y......",
        "..f.......gg.",
        "..f...R......",
        ".............",
        ".............",
        "........h...k",
        "i...j.......k",
    ),
    "lion": (
        ".............",
        ".a....b....c.",
        "....~~.......",
        "..~......R...",
        "..~.d..f...m.",
        "...........m.",
        "..e...Y...k..",
        ".n...........",
        ".n...l..j.~..",
        "...B......~..",
        ".......~~....",
        ".i....h....g.",
        ".............",
    ),
}

Pair = tuple[str, str]
Slot = frozenset[str]  # the kinds that one unknown tile may be

SQUARES = [f"{column}{row}" for row in range(1, 14) for column in "abcdefghijklm"]  # reading order
READING = {square: index for index, square in enumerate(SQUARES)}
NEIGHBOURS: dict[str, list[str]] = {
    square: [
        near
        for near in (
            f"{square[0]}{int(square[1:]) - 1}",
            f"{chr(ord(square[0]) - 1)}{square[1:]}",
            f"{chr(ord(square[0]) + 1)}{square[1:]}",
            f"{square[0]}{int(square[1:]) + 1}",
        )
        if near in READING
    ]
    for square in SQUARES
}


def first(squares: Iterable[str]) -> str:
    """The first square in reading order: the name of a province or village."""
    return min(squares, key=READING.__getitem__)


def assignable(slots: list[Slot], left: dict[str, int]) -> bool:
    """Whether every unknown tile can have a kind of its own set, with `left` copies of each kind.

    Hall's condition: for no set of kinds are there more tiles confined to it than copies. It is
    enough to look at unions of the tiles' own sets.
    """
    unions: set[Slot] = set()
    for kinds in set(slots):
        unions |= {kinds} | {kinds | union for union in unions}
    return all(copies >= 0 for copies in left.values()) and all(
        sum(slot <= union for slot in slots) <= sum(left[kind] for kind in union) for union in unions
    )


@dataclass(eq=False)
class Province:
    """A connected area of at least two squares of one colour."""

    colour: str
    squares: frozenset[str]
    owner: int | None
    pagodas: int

    @property
    def place(self) -> str:
        return first(self.squares)

    @property
    def major(self) -> bool:
        return len(self.squares) >= MAJOR


@dataclass
class Step:
    """One pagoda put on the board (points +1) or given back (-1)."""

    seat: int
    source: str  # "province", "major" or "village"
    place: str
    points: int


@dataclass
class Outcome:
    """What a tile does: the provinces afterwards, bare of new pagodas, and the pagodas in order."""

    provinces: list[Province]
    steps: list[Step]


@dataclass
class Game:
    """The table."""

    players: int
    options: dict[str, str]
    colours: dict[str, str] = field(default_factory=dict)
    grass: set[str] = field(default_factory=set)  # free grass squares
    villages: dict[str, frozenset[str]] = field(default_factory=dict)  # in reading order
    holders: dict[str, int | None] = field(default_factory=dict)
    provinces: list[Province] = field(default_factory=list)
    known: list[Counter[str]] = field(default_factory=list)
    unknown: list[list[Slot]] = field(default_factory=list)  # oldest first
    dealt: list[int] = field(default_factory=list)
    pagodas: list[int] = field(default_factory=list)
    left: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, COPIES))
    supply: int = field(default_factory=lambda: COPIES * len(KINDS))
    phase: str = "deal"
    seat: int = 0
    turn: int = 0
    passed: bool = False  # somebody has passed since the last tile
    fitting: dict[int, frozenset[str]] = field(default_factory=dict)  # by seat, on this board

    # -- the board ---------------------------------------------------------------------------

    def provinces_at(self, squares: Iterable[str], colour: str) -> list[Province]:
        """The provinces of a colour that squares put there would touch."""
        near = {around for square in squares for around in NEIGHBOURS[square]}
        return [p for p in self.provinces if p.colour == colour and p.squares & near]

    def size_for(self, seat: int, joined: list[Province]) -> int:
        """Squares that count for a player when provinces are joined (switch absorb_count)."""
        sizes = [len(province.squares) for province in joined if province.owner == seat]
        if self.options["absorb_count"] == "largest_province":
            return max(sizes)
        return sum(sizes)

    def keeper(self, seat: int, joined: list[Province]) -> int | None:
        """Who keeps the area if the acting seat joins these provinces; None: it is illegal."""
        majors = [province for province in joined if province.major]
        if len(majors) > 1:  # two majors may not be joined, whoever owns them
            return None
        if majors:  # a major always absorbs
            return majors[0].owner
        owners = {province.owner for province in joined if province.owner is not None}
        sizes = {owner: self.size_for(owner, joined) for owner in owners}
        tied = {owner for owner in owners if sizes[owner] == max(sizes.values())}
        if len(tied) == 1:
            return tied.pop()
        if seat in tied and self.options["absorb_tie"] == "active_keeps":
            return seat
        if seat in tied and self.options["absorb_tie"] == "active_loses" and len(tied) == 2:
            return (tied - {seat}).pop()
        return None

    def joinable(self, seat: int, squares: Iterable[str], colour: str) -> bool:
        joined = self.provinces_at(squares, colour)
        return not joined or self.keeper(seat, joined) is not None

    def touching(self, pair: Pair) -> bool:
        return any(near in self.colours for square in pair for near in NEIGHBOURS[square])

    def legal_join(self, seat: int, kind: str, pair: Pair) -> bool:
        if kind[0] == kind[1]:
            return self.joinable(seat, pair, kind[0])
        return all(self.joinable(seat, [square], colour) for square, colour in zip(pair, kind, strict=True))

    def spots(self) -> Iterator[Pair]:
        """All pairs of free grass squares that a tile may cover, both ways round."""
        for square in SQUARES:
            if square in self.grass:
                for near in NEIGHBOURS[square]:
                    if near in self.grass and self.touching((square, near)):
                        yield square, near

    def placements(self, seat: int, kind: str) -> Iterator[Pair]:
        """Where a seat may place a kind; a tile of one colour only one way round."""
        for pair in self.spots():
            if kind[0] == kind[1] and READING[pair[0]] > READING[pair[1]]:
                continue
            if self.legal_join(seat, kind, pair):
                yield pair

    def fits(self, seat: int) -> frozenset[str]:
        """The kinds that a seat could place somewhere now."""
        if seat not in self.fitting:
            self.fitting[seat] = frozenset(kind for kind in KINDS if next(self.placements(seat, kind), None))
        return self.fitting[seat]

    # -- what a tile does --------------------------------------------------------------------

    def area(self, start: str, colours: dict[str, str]) -> frozenset[str]:
        """The connected area of one colour around a square."""
        found, edge = {start}, [start]
        while edge:
            for near in NEIGHBOURS[edge.pop()]:
                if near not in found and colours.get(near) == colours[start]:
                    found.add(near)
                    edge.append(near)
        return frozenset(found)

    def consequences(self, seat: int, kind: str, pair: Pair) -> Outcome:
        """What a legal placement brings about, every pagoda in its order."""
        colours = self.colours | dict(zip(pair, kind, strict=True))
        areas = {self.area(square, colours) for square in pair}
        changed: list[Province] = []
        absorbed: list[Province] = []
        untouched = list(self.provinces)
        for squares in sorted(areas, key=lambda area: READING[first(area)]):
            if len(squares) < 2:
                continue
            joined = [province for province in untouched if province.squares <= squares]
            untouched = [province for province in untouched if province not in joined]
            owner, pagodas = None, 0
            if joined:
                owner = self.keeper(seat, joined)
                # the keeper's largest stays (equal: first in reading order), the others go
                stays = min(
                    (province for province in joined if province.owner == owner),
                    key=lambda province: (-len(province.squares), READING[province.place]),
                )
                pagodas = stays.pagodas
                absorbed += [province for province in joined if province is not stays]
            changed.append(Province(colours[first(squares)], squares, owner, pagodas))
        provinces = untouched + changed

        # a new area of two squares without owner is founded by the active player
        future = [Province(p.colour, p.squares, p.owner, 1 + p.major) for p in provinces]
        for province in future:
            province.owner = seat if province.owner is None else province.owner
        takers = self.takers(seat, future, {square for p in changed for square in p.squares})

        back = [
            Step(loser.owner, "province", loser.place, -1)
            for loser in sorted(absorbed, key=lambda province: READING[province.place])
            if loser.owner is not None
        ]
        founded = [Step(seat, "province", p.place, 1) for p in changed if p.owner is None]
        majors = [
            Step(seat if p.owner is None else p.owner, "major", p.place, 1)
            for p in changed
            if p.major and p.pagodas < 2
        ]
        # first all of the active player's pagodas, then the others'
        steps = back + founded
        for active in (True, False):
            steps += [step for step in majors if (step.seat == seat) is active]
            for place, taker in takers.items():
                if (taker == seat) is active:
                    holder = self.holders[place]
                    if holder is not None:
                        steps.append(Step(holder, "village", place, -1))
                    steps.append(Step(taker, "village", place, 1))
        return Outcome(provinces, steps)

    def takers(self, seat: int, provinces: list[Province], changed: set[str]) -> dict[str, int]:
        """The villages that change hands, in reading order, and who takes each."""
        takers: dict[str, int] = {}
        for place, squares in self.villages.items():
            near = {around for square in squares for around in NEIGHBOURS[square]}
            if not near & changed:  # touches no province that the tile made or changed
                continue
            strength: Counter[int] = Counter()
            for province in provinces:
                if province.owner is not None and province.squares & near:
                    strength[province.owner] += province.pagodas
            holder = self.holders[place]
            most = max(strength.values())
            if holder is not None and most <= strength[holder]:
                continue
            best = [owner for owner, pagodas in strength.items() if pagodas == most]
            if len(best) == 1:
                takers[place] = best[0]
            elif seat in best:
                takers[place] = seat
        return takers

    def place_tile(self, seat: int, kind: str, pair: Pair) -> list[Step]:
        """Put a legal tile down; the steps that were carried out."""
        outcome = self.consequences(seat, kind, pair)
        self.colours |= dict(zip(pair, kind, strict=True))
        self.grass -= set(pair)
        self.fitting = {}
        self.passed = False
        self.provinces = outcome.provinces
        done: list[Step] = []
        for step in outcome.steps:
            done.append(step)
            self.pagodas[step.seat] -= step.points
            if step.source == "village":
                self.holders[step.place] = step.seat if step.points > 0 else None
            elif step.points > 0:
                province = next(p for p in self.provinces if p.place == step.place)
                province.owner = step.seat
                province.pagodas += 1
            if step.points > 0 and self.pagodas[step.seat] == 0:  # the last pagoda: he wins
                self.phase = "over"
                break
        return done

    # -- hands -------------------------------------------------------------------------------

    def slots(self) -> list[Slot]:
        return [slot for hand in self.unknown for slot in hand]

    def take(self, seat: int, kind: str | None) -> None:
        """A tile, seen or not, comes to a hand."""
        self.supply -= 1
        if kind is None:
            self.unknown[seat].append(ALL_KINDS)
        else:
            self.left[kind] -= 1
            self.known[seat][kind] += 1
        if not assignable(self.slots(), self.left):
            raise Fault("thirteenth_tile", f"more than {COPIES} copies of {kind}")

    def play(self, seat: int, kind: str) -> None:
        """A tile leaves a hand: a known one, else the oldest unknown one that it may be."""
        if self.known[seat][kind]:
            self.known[seat] -= Counter([kind])
            return
        hand = self.unknown[seat]
        oldest = next((index for index, slot in enumerate(hand) if kind in slot), None)
        if oldest is None:
            raise Fault("not_in_hand", f"seat {seat} holds no {kind}")
        del hand[oldest]
        self.left[kind] -= 1
        if not assignable(self.slots(), self.left):
            raise Fault("not_in_hand", f"seat {seat} can hold no {kind}")

    def somebody_may_place(self) -> bool:
        """Whether some completion lets somebody place a tile."""
        for seat in range(self.players):
            if any(kind in self.fits(seat) for kind in self.known[seat]):
                return True
        for seat in range(self.players):
            others = [s for r in range(self.players) if r != seat for s in self.unknown[r]]
            for index, slot in enumerate(self.unknown[seat]):
                rest = others + self.unknown[seat][:index] + self.unknown[seat][index + 1 :]
                if assignable([*rest, slot & self.fits(seat)], self.left):
                    return True
        return False

    def nobody_may_place(self) -> bool:
        """Whether some completion lets nobody place a tile."""
        for seat in range(self.players):
            if any(kind in self.fits(seat) for kind in self.known[seat]):
                return False
        slots = [slot - self.fits(seat) for seat in range(self.players) for slot in self.unknown[seat]]
        return assignable(slots, self.left)

    def may_be_over(self) -> bool:
        """Over, or a whole turn with a tile is done and the unknown tiles may fit nowhere."""
        if self.phase == "turn" and self.turn and not self.passed:
            return self.nobody_may_place()
        return self.phase == "over"

    # -- events ------------------------------------------------------------------------------

    def end_turn(self) -> None:
        self.turn += 1
        self.seat = (self.seat + 1) % self.players
        self.phase = "turn" if self.somebody_may_place() else "over"

    def deal(self, seat: int, kind: str | None) -> None:
        if self.phase != "deal":
            raise Fault("deal_after_start", "the hands have been dealt")
        if self.dealt[seat] == HAND:
            raise Fault("hand_full", f"seat {seat} has been dealt {HAND} tiles")
        self.dealt[seat] += 1
        self.take(seat, kind)
        if all(dealt == HAND for dealt in self.dealt):
            self.phase = "turn"

    def check_turn(self, seat: int) -> None:
        """It is this seat's turn to place or pass."""
        if self.phase == "deal":
            raise Fault("deal_missing", "not everybody has three tiles")
        if self.phase == "draw":
            raise Fault("draw_missing", f"seat {self.seat} has not drawn")
        if seat != self.seat:
            raise Fault("not_your_turn", f"it is the turn of seat {self.seat}")

    def check_placement(self, seat: int, kind: str, pair: Pair) -> None:
        for square in pair:
            if square in self.colours:
                raise Fault("square_taken", square)
            if square not in self.grass:
                raise Fault("not_grass", square)
        if pair[1] not in NEIGHBOURS[pair[0]]:
            raise Fault("not_neighbouring", f"{pair[0]} and {pair[1]}")
        if not self.touching(pair):
            raise Fault("not_touching", f"{pair[0]} and {pair[1]} touch no coloured square")
        if not self.legal_join(seat, kind, pair):
            raise Fault("illegal_join", f"{kind} on {pair[0]} and {pair[1]}")

    def tile(self, seat: int, kind: str, pair: Pair) -> list[Step]:
        self.check_turn(seat)
        self.check_placement(seat, kind, pair)
        self.play(seat, kind)
        steps = self.place_tile(seat, kind, pair)
        if self.phase == "over":
            self.turn += 1
        elif self.supply:
            self.phase = "draw"
        else:
            self.end_turn()
        return steps

    def draw(self, seat: int, kind: str | None) -> None:
        if self.phase != "draw":
            raise Fault("no_draw_due", "a draw follows a tile, while the supply lasts")
        if seat != self.seat:
            raise Fault("not_your_turn", f"seat {self.seat} draws")
        self.take(seat, kind)
        self.end_turn()

    def skip(self, seat: int) -> None:
        """A pass: no tile of the hand fits, yet somebody else's does."""
        self.check_turn(seat)
        if any(kind in self.fits(seat) for kind in self.known[seat]):
            raise Fault("pass_while_fits", f"seat {seat} can place a tile")
        self.unknown[seat] = [slot - self.fits(seat) for slot in self.unknown[seat]]
        if not assignable(self.slots(), self.left):
            raise Fault("pass_while_fits", f"seat {seat} must hold a tile that fits")
        if not self.somebody_may_place():
            raise Fault("after_end", "nobody can place")
        self.passed = True
        self.turn += 1
        self.seat = (self.seat + 1) % self.players

    def scores(self) -> list[int]:
        return [PAGODAS[self.players] - left for left in self.pagodas]

    def state(self) -> dict[str, Any]:
        """Plain values; see the module's docstring."""
        return {
            "phase": self.phase,
            "seat": self.seat if self.phase in ("turn", "draw") else None,
            "turn": self.turn,
            "may_be_over": self.may_be_over(),
            "colours": dict(self.colours),
            "provinces": [
                {
                    "place": province.place,
                    "colour": province.colour,
                    "owner": province.owner,
                    "pagodas": province.pagodas,
                    "squares": sorted(province.squares, key=READING.__getitem__),
                }
                for province in sorted(self.provinces, key=lambda p: READING[p.place])
            ],
            "villages": dict(self.holders),
            "hands": [
                [*sorted(known.elements()), *[None] * len(unknown)]
                for known, unknown in zip(self.known, self.unknown, strict=True)
            ],
            "pagodas": list(self.pagodas),
            "supply": self.supply,
            "unseen": dict(self.left),
            "scores": self.scores(),
        }


def new_game(players: int, options: dict[str, Any]) -> Game:
    """An empty board, before the deals."""
    game = Game(players, {name: options.get(name, words[0]) for name, words in OPTIONS.items()})
    grid = "".join(BOARDS[game.options["board"]])
    letters: dict[str, list[str]] = {}
    for square, sign in zip(SQUARES, grid, strict=True):
        if sign == ".":
            game.grass.add(square)
        elif sign in "RYB":
            game.colours[square] = sign
        elif sign != "~":
            each = game.options["village_squares"] == "each_square"
            letters.setdefault(square if each else sign, []).append(square)
    game.villages = {squares[0]: frozenset(squares) for squares in letters.values()}
    game.holders = dict.fromkeys(game.villages)
    game.known = [Counter() for _ in range(players)]
    game.unknown = [[] for _ in range(players)]
    game.dealt = [0] * players
    game.pagodas = [PAGODAS[players]] * players
    return game


# -- records ---------------------------------------------------------------------------------

FIELDS = {"deal": (), "tile": ("item", "place", "target"), "draw": (), "pass": ()}  # must be there
MAY = {"deal": ("item",), "tile": (), "draw": ("item",), "pass": ()}  # may be null or absent


def check_words(game: Game, event: Event) -> tuple[str, int]:
    """The event's action and seat, once all its words are known ones; null is as good as absent."""
    action = event.get("action")
    if not isinstance(action, str) or action not in FIELDS:
        raise Fault("unknown_action", f"action {action!r}")
    given = {
        name
        for name, value in event.items()
        if name not in ("action", "seat") and not name.startswith("_") and value is not None
    }
    missing = set(FIELDS[action]) - given
    superfluous = given - set(FIELDS[action]) - set(MAY[action])
    if missing:
        raise Fault("missing_field", ", ".join(sorted(missing)))
    if superfluous:
        raise Fault("superfluous_field", ", ".join(sorted(superfluous)))
    seat = event.get("seat")
    if not isinstance(seat, int) or isinstance(seat, bool) or not 0 <= seat < game.players:
        raise Fault("unknown_seat", f"seat {seat!r}")
    if "item" in given and (not isinstance(event["item"], str) or event["item"] not in KINDS):
        raise Fault("unknown_item", f"item {event['item']!r}")
    for name in ("place", "target"):
        if name in given and (not isinstance(event[name], str) or event[name] not in READING):
            raise Fault("unknown_square", f"{name} {event[name]!r}")
    return action, seat


def step(game: Game, event: Event) -> list[Step]:
    """Carry one event out, or raise its fault; the pagodas that moved."""
    if game.phase == "over":
        raise Fault("after_end", "the game is over")
    action, seat = check_words(game, event)
    if action == "deal":
        game.deal(seat, event.get("item"))
    elif action == "draw":
        game.draw(seat, event.get("item"))
    elif action == "pass":
        game.skip(seat)
    else:
        return game.tile(seat, event["item"], (event["place"], event["target"]))
    return []


def replay(record: Record) -> Verdict:
    """Walk the events; see `common.Verdict`."""
    players = len(record["seats"])
    if players not in PAGODAS:
        return Verdict(False, None, "player_count", f"{players} players")
    options = record.get("options") or {}
    for name, word in options.items():
        if word not in OPTIONS.get(name, ()):
            return Verdict(False, None, "unknown_option", f"{name} = {word!r}")
    game = new_game(players, options)
    if record.get("events") is None:  # a results-only record: nothing to check
        return Verdict(True)
    verdict = Verdict(True)
    found: list[ScoreEvent] = []
    for ply, event in enumerate(record["events"]):
        try:
            steps = step(game, event)
        except Fault as fault:
            verdict.ok, verdict.ply, verdict.fault = False, ply, fault.code
            verdict.message = str(fault)
            break
        found += [(ply, s.seat, s.source, s.place, s.points) for s in steps]
        verdict.states.append(game.state())
    verdict.score_events = summed(found)
    if not verdict.ok:
        return verdict
    finished = (record.get("ended") or "finished") == "finished"
    if finished and not game.may_be_over():
        verdict.ok, verdict.ply, verdict.fault = False, len(record["events"]), "truncated"
        verdict.message = "the game is not over"
        return verdict
    if finished or game.phase == "over":
        verdict.scores = game.scores()
        verdict.ranks = ranks_of(verdict.scores)  # who has won at once has all his pagodas there
        result = record.get("result") or {}
        for name, mine in (("scores", verdict.scores), ("ranks", verdict.ranks)):
            if result.get(name) is not None and result[name] != mine:
                verdict.ok, verdict.fault = False, "result_mismatch"
                verdict.message = f"{name} {result[name]}, replayed {mine}"
    return verdict


# -- making records --------------------------------------------------------------------------


def legal_tiles(game: Game) -> list[tuple[str, Pair]]:
    """Every placement open to the seat to act, from the tiles that it is known to hold."""
    return [(kind, pair) for kind in sorted(game.known[game.seat]) for pair in game.placements(game.seat, kind)]


def choose(rng: random.Random, game: Game, policy: str) -> tuple[str, Pair] | None:
    """A legal placement, None if there is none.

    "random": any; "greedy": most points at once over the others' (of at most forty looked at);
    "slow": fewest pagodas of anybody, which makes long games that fill the board; "mean": slow,
    and on a board nearly full whatever leaves the next seat the fewest kinds and squares, which
    makes a pass less rare.
    """
    tiles = legal_tiles(game)
    if not tiles or policy == "random":
        return rng.choice(tiles) if tiles else None
    if policy == "mean" and len(tiles) > 60:
        policy = "slow"

    def worth(tile: tuple[str, Pair]) -> int:
        if policy == "mean":
            after = deepcopy(game)
            after.place_tile(game.seat, *tile)
            following = (game.seat + 1) % game.players
            fitting = [len(list(after.placements(following, kind))) for kind in KINDS]
            return -100 * sum(map(bool, fitting)) - sum(fitting)
        steps = game.consequences(game.seat, *tile).steps
        if policy == "slow":
            return -sum(one.points for one in steps)
        return sum(one.points * (2 if one.seat == game.seat else -1) for one in steps)

    return max(rng.sample(tiles, min(40, len(tiles))), key=worth)


def generate(
    rng: random.Random,
    players: int,
    options: dict[str, Any],
    policy: str = "random",
    record_id: str = "g",
) -> Record:
    """A complete legal finished record with its result, nothing hidden."""
    game = new_game(players, options)
    stack = [kind for kind in KINDS for _ in range(COPIES)]
    rng.shuffle(stack)
    events: list[Event] = []

    def happen(seat: int, action: str, **words: str) -> None:
        events.append({"seat": seat, "action": action, **words})
        step(game, events[-1])

    for _ in range(HAND):
        for seat in range(players):
            happen(seat, "deal", item=stack.pop())
    while game.phase != "over":
        seat = game.seat
        if game.phase == "draw":
            happen(seat, "draw", item=stack.pop())
        elif chosen := choose(rng, game, policy):
            kind, (place, target) = chosen
            happen(seat, "tile", item=kind, place=place, target=target)
        else:
            happen(seat, "pass")
    return {
        "format": "game-record/1",
        "title": "qin",
        "id": record_id,
        "options": dict(options),
        "ended": "finished",
        "seats": [{"player": f"p{seat}", "kind": "bot"} for seat in range(players)],
        "events": events,
        "result": {"scores": game.scores(), "ranks": ranks_of(game.scores())},
    }


def blind(record: Record) -> Record:
    """The record as a spectator sees it: no dealt and no drawn tile."""
    hidden = deepcopy(record)
    for event in hidden["events"]:
        if event["action"] in ("deal", "draw"):
            event["item"] = None
    return hidden
