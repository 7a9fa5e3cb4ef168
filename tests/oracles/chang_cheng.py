"""Chang Cheng, played slowly: an oracle for the fast engine.

The game is written as the rules read: `Game.run` sets up, takes turns and ends the game, and
wherever the table waits for something it asks its source for the next event. Replaying, the
source is a record; generating, it is a policy that picks among the events that pass the check.

The state after an event (`Verdict.states`) is taken when the next event is waited for, all that
follows by itself being done:

- `phase`: boards, tokens, turn, second_half, neutral, scout, order, show, decide, extension,
  extension_tokens, final_reveal, over; `seat`: who is to act, None for nature and at the end;
  `turn`: the running turn, from 0
- `boards`: the sides, west to east; `sites`: name -> None or [owner, kind, standing], where an
  owner is a seat, in `teams` a colour, or "neutral", and a kind wall, double or tower
- `provinces`: name -> {fame, complete, tiles}; complete means scored; tiles is a sorted list of
  [owner, rank or None, shown]
- `regions`: name -> {threat, placed, shown, removed}; threat is None while unknown
- `supply`: owner -> {walls, double, tower, hand, gone}; hand is the ranks left, all None as long
  as a hidden tile of unknown rank lies out; gone is the ranks out of the game
- `neutral_walls`: left; None without them; `emperor`: tiles on provinces;
  `extensions_left`: boards still to come
- `scores` by seat; `side_scores` by owner

A neutral wall that may still be placed leaves the turn open: the state is then that of phase
`neutral`, except that a finished record's last state is that of the end.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.oracles.common import (
    Event,
    Fault,
    Record,
    ScoreEvent,
    Verdict,
    ranks_of,
    summed,
)

Side = int | str  # who owns pieces: a seat; in teams a colour; or NEUTRAL
Check = Callable[[Event], None]

NEUTRAL = "neutral"
TEAMS = {"blue": 0, "green": 0, "red": 1, "purple": 1}
RANKS = range(1, 7)
WARRIOR, TRAITOR, FLOOD, ARCHITECT, CHIEF, OFFICIAL = RANKS
SINGLE_WALLS = 14
NEUTRAL_WALLS = 12
EMPERORS = 3
FAME_TOKENS = dict.fromkeys(range(5), 3)
THREAT_TOKENS = dict.fromkeys((2, 3, 4), 5)
EVENTS = ("diplomacy", "dominion", "imperial_reward", "scouts")
DEFAULTS: dict[str, Any] = {
    "boards": "A",
    "two_players": "neutral",
    "events": [],
    "double_order": "west_east",
}

# Sizes of a board side's provinces and regions, west to east.
SIDES: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "1A": ((4, 5, 4), (5, 3, 5)),
    "2A": ((3, 6, 4), (5, 4, 4)),
    "3A": ((5, 3, 5), (4, 5, 4)),
    "4A": ((4, 3, 6), (3, 5, 5)),
    "1B": ((5, 5, 3), (4, 4, 5)),
    "2B": ((6, 4, 3), (4, 5, 4)),
    "3B": ((4, 4, 5), (5, 5, 3)),
    "4B": ((3, 5, 5), (4, 3, 6)),
}

# The fields of an action beside `action` itself; those in teams have the colour too.
FIELDS = {
    "board": ("item", "place"),
    "fame": ("item", "place"),
    "threat": ("item", "place"),
    "threat_shown": ("item", "place"),
    "wall": ("seat", "place"),
    "neutral": ("seat", "place"),
    "action_tile": ("seat", "item", "place"),
    "double": ("seat", "place", "target"),
    "tower": ("seat", "place"),
    "order": ("seat", "place"),
    "show": ("seat", "item", "place"),
    "warrior": ("seat", "item", "place", "target"),
    "traitor": ("seat", "item", "place"),
    "flood": ("seat", "item", "place"),
    "architect": ("seat", "item", "place"),
    "official": ("seat", "place", "target"),
    "pass": ("seat",),
}
COLOUR_FIELD = {
    "wall": "item",
    "double": "item",
    "tower": "item",
    "action_tile": "target",
    "show": "target",
}
MAY_BE_UNKNOWN = ("threat", "action_tile")


@dataclass
class Piece:
    """What stands on a site; a double wall is two pieces."""

    side: Side
    kind: str
    standing: bool = True


@dataclass
class Tile:
    """An action tile on a province; rank None is unknown."""

    side: Side
    rank: int | None
    shown: bool = False


@dataclass
class Threat:
    """The threat token of a region; value None is unknown."""

    value: int | None
    shown: bool = False
    removed: bool = False


class Stop(Exception):
    """The source has no more events."""


Source = Callable[["Game"], Event | None]  # None declines the neutral wall


class Game:
    """One game; `source` gives the events that the table waits for."""

    def __init__(self, players: int, options: Mapping[str, Any], source: Source) -> None:
        chosen = {**DEFAULTS, **{k: v for k, v in options.items() if v is not None}}
        self.source = source
        self.players = players
        self.side_class: str = chosen["boards"]
        self.teams: bool = players == 2 and chosen["two_players"] == "teams"
        self.events: list[str] = list(chosen["events"])
        self.order_chosen: bool = chosen["double_order"] == "chosen"
        self.sides: list[Side] = [*TEAMS] if self.teams else [*range(players)]
        self.neutral_walls: int | None = NEUTRAL_WALLS if players == 2 and not self.teams else None
        self.boards: list[str] = []
        self.row: list[str] = []  # all sites, west to east
        self.province_of: dict[str, str] = {}
        self.region_of: dict[str, str] = {}
        self.sites: dict[str, Piece | None] = {}
        self.fame: dict[str, int] = {}
        self.threats: dict[str, Threat] = {}
        self.tiles: dict[str, list[Tile]] = {}
        self.scored: set[str] = set()
        self.reserving: set[str] = set()  # towers that had an empty neighbour when placed
        self.walls: dict[Side, int] = dict.fromkeys(self.sides, SINGLE_WALLS)
        self.double: dict[Side, int] = dict.fromkeys(self.sides, 1)
        self.tower: dict[Side, int] = dict.fromkeys(self.sides, 1)
        self.played: dict[Side, int] = dict.fromkeys(self.sides, 0)
        self.known: dict[Side, set[int]] = {side: set() for side in self.sides}
        self.gone: dict[Side, list[int]] = {side: [] for side in self.sides}
        self.emperor = 0
        self.extensions = 2 if players == 4 else 1
        self.points: dict[Side, int] = dict.fromkeys(self.sides, 0)
        self.score_events: list[ScoreEvent] = []
        self.ply = -1  # of the last event
        self.turn = 0
        self.phase = "boards"
        self.seat: int | None = None
        self.check: Check = lambda event: None

    # ---- asking ------------------------------------------------------------------------------

    def ask(self, phase: str, seat: int | None, check: Check) -> Event:
        """The next event, which must pass the check."""
        event = self.ask_or_not(phase, seat, check)
        assert event is not None
        return event

    def ask_or_not(self, phase: str, seat: int | None, check: Check) -> Event | None:
        """As `ask`, but the source may decline."""
        self.phase, self.seat, self.check = phase, seat, check
        event = self.source(self)
        if event is not None:
            check(event)
            self.ply += 1
        return event

    def expect(self, event: Event, actions: Collection[str], seats: Collection[int], code: str) -> None:
        """One of these actions, by one of these seats (none: by nature), with its fields only."""
        action = event.get("action")
        if not isinstance(action, str) or action not in FIELDS:
            raise Fault("unknown_action", f"{action!r}")
        if action not in actions:
            raise Fault(code, f"{action} in phase {self.phase}")
        has = {key for key, value in event.items() if key != "action" and not key.startswith("_") and value is not None}
        needs = set(FIELDS[action]) | ({"seat"} if seats else set())
        if self.teams and action in COLOUR_FIELD:
            needs.add(COLOUR_FIELD[action])
        if action == "official" and not has & {"place", "target"}:
            needs -= {"place", "target"}  # declined
        if action in MAY_BE_UNKNOWN:
            has.add("item")
        if needs - has:
            raise Fault("missing_field", f"{sorted(needs - has)}")
        if has - needs:
            raise Fault("superfluous_field", f"{sorted(has - needs)}")
        kinds: dict[str, tuple[type, ...]] = {"seat": (int,), "place": (str,)}
        for key in has:
            value = event.get(key)
            if value is not None and type(value) not in kinds.get(key, (int, str)):
                raise Fault("bad_type", key)
        if seats and event["seat"] not in seats:
            raise Fault("wrong_seat", f"seat {event['seat']}, not {sorted(seats)}")

    def side(self, event: Event) -> Side:
        """Whose piece the event is about."""
        if not self.teams:
            seat: int = event["seat"]
            return seat
        colour = event[COLOUR_FIELD[event["action"]]]
        if colour not in self.sides_of(event["seat"]):
            raise Fault("wrong_colour", f"{colour} is not of seat {event['seat']}")
        side: str = colour
        return side

    def sides_of(self, seat: int) -> list[Side]:
        return [side for side in self.sides if self.seat_of(side) == seat]

    def seat_of(self, side: Side) -> int:
        return TEAMS[side] if isinstance(side, str) else side

    # ---- the board ---------------------------------------------------------------------------

    def provinces(self) -> list[str]:
        return [f"{board}.p{n}" for board in self.boards for n in (1, 2, 3)]

    def regions(self) -> list[str]:
        return [f"{board}.r{n}" for board in self.boards for n in (1, 2, 3)]

    def sites_at(self, area: str) -> list[str]:
        """The sites of a province or region, west to east."""
        return [s for s in self.row if area in (self.province_of[s], self.region_of[s])]

    def neighbours(self, site: str) -> list[str]:
        i = self.row.index(site)
        return self.row[max(i - 1, 0) : i] + self.row[i + 1 : i + 2]

    def empty(self) -> set[str]:
        return {site for site, piece in self.sites.items() if piece is None}

    def incomplete(self) -> list[str]:
        open_ones = {self.province_of[site] for site in self.empty()}
        return [province for province in self.provinces() if province in open_ones]

    def majority(self, area: str, virtual: Mapping[Side, int] | None = None) -> list[Side]:
        """Who has most standing walls there, the neutral colour counted as a player."""
        count = Counter(virtual or {})
        for site in self.sites_at(area):
            piece = self.sites[site]
            if piece and piece.standing:
                count[piece.side] += 1
        most = max(count.values(), default=0)
        return [side for side, walls in count.items() if walls == most]

    def standing(self, area: str) -> list[str]:
        """Sites there with a wall that is not destroyed."""
        return [s for s in self.sites_at(area) if (piece := self.sites[s]) and piece.standing]

    def standing_singles(self, area: str) -> list[str]:
        return [s for s in self.standing(area) if (p := self.sites[s]) and p.kind == "wall"]

    def reserved_for(self, site: str, empty: Collection[str], walls: Mapping[Side, int]) -> set[Side]:
        """The owners of towers beside the site that has become their last empty neighbour.

        Each reservation lapses with its owner's last single wall; a missing neighbour at the
        end of the wall does not count as empty.
        """
        owners: set[Side] = set()
        for beside in self.neighbours(site):
            tower = self.sites[beside]
            last = [n for n in self.neighbours(beside) if n in empty] == [site]
            if last and tower and beside in self.reserving and walls[tower.side] > 0:
                owners.add(tower.side)
        return owners

    def may_build(
        self,
        side: Side,
        site: str,
        empty: Collection[str] | None = None,
        walls: Mapping[Side, int] | None = None,
    ) -> bool:
        """Is the site empty and not reserved for others?"""
        empty = self.empty() if empty is None else empty
        walls = self.walls if walls is None else walls
        owners = self.reserved_for(site, empty, walls) if site in empty else set()
        return site in empty and (not owners or side in owners)

    # ---- what is possible --------------------------------------------------------------------

    def tiles_left(self, side: Side) -> int:
        return len(RANKS) - self.played[side]

    def wall_sites(self, side: Side) -> Iterator[str]:
        if self.walls[side]:
            empty = self.empty()
            yield from (s for s in self.row if self.may_build(side, s, empty))

    def double_sites(self, side: Side) -> Iterator[tuple[str, str]]:
        if self.double[side]:
            for west, east in zip(self.row, self.row[1:], strict=False):
                if self.may_build(side, west) and self.may_build(side, east):
                    yield west, east

    def tower_sites(self, side: Side) -> Iterator[str]:
        if self.tower[side]:
            yield from (s for s in self.row if s in self.empty() and not self.by_tower(s))

    def by_tower(self, site: str) -> bool:
        beside = [self.sites[n] for n in self.neighbours(site)]
        return any(piece and piece.kind == "tower" for piece in beside)

    def wall_can_follow_wall(self, side: Side, site: str) -> bool:
        """Could a second wall go to another province, the first being on the site?

        A province that the first completes may bring an extension: then there is room.
        """
        walls = {**self.walls, side: self.walls[side] - 1}
        if walls[side] < 1:
            return False
        province = self.province_of[site]
        empty = self.empty() - {site}
        completes = all(s not in empty for s in self.sites_at(province))
        if completes and self.emperor == EMPERORS - 1 and self.extensions:
            return True
        return any(self.province_of[s] != province and self.may_build(side, s, empty, walls) for s in empty)

    def half_can_follow_tile(self, side: Side, province: str) -> bool:
        """After a tile there: a tile on another province, or a wall in this one."""
        if self.tiles_left(side) > 1 and any(p != province for p in self.incomplete()):
            return True
        return any(self.province_of[s] == province for s in self.wall_sites(side))

    def has_whole(self, side: Side) -> bool:
        return (
            any(True for _ in self.tower_sites(side))
            or any(True for _ in self.double_sites(side))
            or any(self.wall_can_follow_wall(side, s) for s in self.wall_sites(side))
            or (self.tiles_left(side) > 0 and any(self.half_can_follow_tile(side, p) for p in self.incomplete()))
        )

    def has_part(self, side: Side) -> bool:
        tile = self.tiles_left(side) > 0 and bool(self.incomplete())
        return tile or any(True for _ in self.wall_sites(side))

    def can_place(self, seat: int) -> bool:
        return any(self.has_part(side) or self.has_whole(side) for side in self.sides_of(seat))

    def must_be_whole(self, seat: int) -> bool:
        """In teams a part is for when neither colour has a whole action."""
        return any(self.has_whole(side) for side in self.sides_of(seat))

    # ---- the game ----------------------------------------------------------------------------

    def run(self) -> None:
        """From the first board to the end; raises Fault or what the source raises."""
        self.add_board(None)
        self.add_board(None)
        self.put_tokens("tokens")
        while True:
            self.take_turn(self.turn % self.players)
            if not any(self.can_place(seat) for seat in range(self.players)):
                break  # the wall is finished, or nobody can place anything
            self.turn += 1
        self.end()

    def add_board(self, seat: int | None) -> None:
        """A side of the game's class, not used yet, west or east of what lies there."""

        def check(event: Event) -> None:
            if seat is None:
                self.expect(event, ["board"], [], "setup_missing")
            else:
                self.expect(event, ["board"], [seat], "extension_missing")
            item = event["item"]
            if item not in SIDES or not item.endswith(self.side_class):
                raise Fault("unknown_board", f"{item}")
            if item in self.boards:
                raise Fault("board_used", item)
            if event["place"] not in ("west", "east"):
                raise Fault("unknown_place", f"{event['place']}")

        event = self.ask("boards" if seat is None else "extension", seat, check)
        board = event["item"]
        provinces, regions = SIDES[board]
        names = [f"{board}.s{n + 1}" for n in range(sum(provinces))]
        of_province = [f"{board}.p{n + 1}" for n in range(3) for _ in range(provinces[n])]
        of_region = [f"{board}.r{n + 1}" for n in range(3) for _ in range(regions[n])]
        self.province_of.update(zip(names, of_province, strict=True))
        self.region_of.update(zip(names, of_region, strict=True))
        self.sites.update(dict.fromkeys(names))
        self.tiles.update({f"{board}.p{n}": [] for n in (1, 2, 3)})
        if event["place"] == "west":
            self.boards, self.row = [board, *self.boards], names + self.row
        else:
            self.boards, self.row = [*self.boards, board], self.row + names

    def put_tokens(self, phase: str) -> None:
        """A fame token on each bare province, a threat token on each bare region."""
        while len(self.fame) + len(self.threats) < len(self.boards) * 6:
            event = self.ask(phase, None, self.check_token)
            if event["action"] == "fame":
                self.fame[event["place"]] = event["item"]
            else:
                self.threats[event["place"]] = Threat(event.get("item"))

    def check_token(self, event: Event) -> None:
        self.expect(event, ["fame", "threat"], [], "token_missing")
        place, item = event["place"], event.get("item")
        if event["action"] == "fame":
            self.check_new(place, self.provinces(), self.fame)
            if item not in self.fame_bag():
                raise Fault("no_such_token", f"fame {item}")
        else:
            self.check_new(place, self.regions(), self.threats)
            # Twelve of fifteen tokens at most are out: the unknown ones always find a value.
            if item is not None and item not in self.threat_bag():
                raise Fault("no_such_token", f"threat {item}")

    @staticmethod
    def check_new(place: str, places: list[str], taken: Collection[str]) -> None:
        if place not in places:
            raise Fault("unknown_place", place)
        if place in taken:
            raise Fault("place_taken", place)

    def fame_bag(self) -> Counter[int]:
        return +(Counter(FAME_TOKENS) - Counter(self.fame.values()))

    def threat_bag(self) -> Counter[int]:
        """Tokens that are not known to be out; removed ones do not come back."""
        out = Counter(t.value for t in self.threats.values() if t.value is not None)
        return +(Counter(THREAT_TOKENS) - out)

    # ---- a turn ------------------------------------------------------------------------------

    def take_turn(self, seat: int) -> None:
        """One action, whole if possible, then perhaps a neutral wall."""
        first = self.turn == 0
        whole = not first and self.must_be_whole(seat)
        nothing = not first and not self.can_place(seat)
        event = self.ask("turn", seat, lambda e: self.check_action(e, seat, whole, nothing))
        action = event["action"]
        if action == "pass":
            return
        side = self.side(event)
        used = self.place_piece(event, side)
        if whole and action in ("wall", "action_tile"):
            half = event
            event = self.ask("second_half", seat, lambda e: self.check_half(e, seat, half))
            used |= self.place_piece(event, side)
        if not first and self.neutral_walls:
            if action in ("tower", "double"):
                used = set(self.provinces()) - used
            self.offer_neutral(seat, used)

    def check_action(self, event: Event, seat: int, whole: bool, nothing: bool) -> None:
        """A whole action or its first half; a part only if need be; else a pass."""
        actions = ["wall", "action_tile", "double", "tower", "pass"]
        self.expect(event, actions, [seat], "not_now")
        action = event["action"]
        if action == "pass":
            if not nothing:
                raise Fault("must_act", "something can be placed")
            return
        side = self.side(event)
        if self.turn == 0 and action != "wall":
            raise Fault("first_turn", "the first turn is one single wall")
        self.check_piece(event, side)
        if not whole:
            return
        place = event["place"]
        if action == "wall" and not self.wall_can_follow_wall(side, place):
            raise Fault("no_second_half", f"after a wall on {place}")
        if action == "action_tile" and not self.half_can_follow_tile(side, place):
            raise Fault("no_second_half", f"after a tile on {place}")

    def check_half(self, event: Event, seat: int, half: Event) -> None:
        """After a wall a wall elsewhere; after a tile a tile elsewhere or a wall there."""
        tile_first = half["action"] == "action_tile"
        actions = ["wall", "action_tile"] if tile_first else ["wall"]
        self.expect(event, actions, [seat], "second_half_missing")
        side = self.side(event)
        if side != self.side(half):
            raise Fault("other_colour", "one colour a turn")
        self.check_piece(event, side)
        before, now = self.province_at(half), self.province_at(event)
        if (before == now) != (half["action"] != event["action"]):
            raise Fault("wrong_province", f"{now} after {before}")

    def province_at(self, event: Event) -> str:
        place: str = event["place"]
        return place if event["action"] == "action_tile" else self.province_of[place]

    def check_piece(self, event: Event, side: Side) -> None:
        """The piece is left, and may be placed there."""
        action, place = event["action"], event["place"]
        if action == "action_tile":
            self.check_tile(event.get("item"), place, side)
            return
        left = {"wall": self.walls, "double": self.double, "tower": self.tower}[action][side]
        if not left:
            raise Fault("no_piece_left", action)
        if action == "tower" and place in self.sites and self.by_tower(place):
            raise Fault("next_to_tower", place)
        self.check_site(side, place)
        if action == "double":
            self.check_site(side, event["target"])
            if event["target"] not in self.neighbours(place):
                raise Fault("not_neighbours", f"{place} {event['target']}")

    def check_site(self, side: Side, site: object) -> None:
        if site not in self.sites:
            raise Fault("unknown_place", f"{site}")
        if self.sites[str(site)]:
            raise Fault("site_taken", f"{site}")
        if not self.may_build(side, str(site)):
            raise Fault("site_reserved", f"{site}")

    def check_tile(self, rank: int | str | None, province: str, side: Side) -> None:
        """Each rank once; unknown ranks find their place as long as no more than six are out."""
        if province not in self.provinces():
            raise Fault("unknown_place", province)
        if province not in self.incomplete():
            raise Fault("province_complete", province)
        if not self.tiles_left(side):
            raise Fault("no_piece_left", "action_tile")
        if rank is not None and rank not in RANKS:
            raise Fault("unknown_item", f"{rank}")
        if rank in self.known[side]:
            raise Fault("tile_used", f"{rank}")

    def place_piece(self, event: Event, side: Side) -> set[str]:
        """Do it, and all that it brings about; the provinces of the piece."""
        action, place = event["action"], event["place"]
        if action == "action_tile":
            rank = event.get("item")
            self.tiles[place].append(Tile(side, rank))
            self.played[side] += 1
            if rank is not None:
                self.known[side].add(rank)
            return {place}
        placed = [place]
        if action == "wall":
            self.walls[side] -= 1
        elif action == "double":
            self.double[side] -= 1
            placed = sorted([place, event["target"]], key=self.row.index)
            touched = {area for s in placed for area in (self.province_of[s], self.region_of[s])}
            self.score(side, "double_wall", placed[0], len(touched))
        else:
            self.tower[side] -= 1
            if any(self.sites[n] is None for n in self.neighbours(place)):
                self.reserving.add(place)
        for site in placed:
            self.sites[site] = Piece(side, action)
        self.follow_up(event["seat"], placed)
        return {self.province_of[site] for site in placed}

    def offer_neutral(self, seat: int, where: set[str]) -> None:
        """A neutral wall in one of these provinces, or not; nothing if there is no room.

        It obeys reservations as a wall of the player who places it.
        """
        assert self.neutral_walls is not None
        if not any(self.may_build(seat, s) and self.province_of[s] in where for s in self.row):
            return

        def check(event: Event) -> None:
            self.expect(event, ["neutral"], [seat], "not_now")
            self.check_site(seat, event["place"])
            if self.province_of[event["place"]] not in where:
                raise Fault("wrong_province", f"neutral wall on {event['place']}")

        event = self.ask_or_not("neutral", seat, check)
        if event is not None:
            self.neutral_walls -= 1
            self.sites[event["place"]] = Piece(NEUTRAL, "wall")
            self.follow_up(seat, [event["place"]])

    # ---- after a piece -----------------------------------------------------------------------

    def follow_up(self, seat: int, placed: list[str]) -> None:
        """Scouts, then the provinces that the piece completed."""
        if "scouts" in self.events:
            self.reveal("scout", dict.fromkeys(self.region_of[s] for s in placed))
        provinces = dict.fromkeys(self.province_of[s] for s in placed)
        complete = [p for p in provinces if all(self.sites[s] for s in self.sites_at(p))]
        if len(complete) == 2 and self.order_chosen:

            def check(event: Event) -> None:
                self.expect(event, ["order"], [seat], "order_missing")
                if event["place"] not in complete:
                    raise Fault("wrong_province", event["place"])

            first = self.ask("order", seat, check)["place"]
            complete.sort(key=lambda province: province != first)
        for province in complete:
            self.complete_province(seat, province)

    def reveal(self, phase: str, regions: Iterable[str]) -> None:
        """A `threat_shown` for each token there that is not shown yet, in this order."""
        for region in regions:
            token = self.threats[region]
            if not token.shown and not token.removed:
                event = self.ask(phase, None, self.shown_check(region, token))
                token.value, token.shown = event["item"], True

    def shown_check(self, region: str, token: Threat) -> Check:
        def check(event: Event) -> None:
            self.expect(event, ["threat_shown"], [], "threat_shown_missing")
            if event["place"] != region:
                raise Fault("wrong_region", f"{event['place']}, not {region}")
            known = token.value is not None
            if known and event["item"] != token.value:
                raise Fault("wrong_value", f"{event['item']}, not {token.value}")
            if not known and event["item"] not in self.threat_bag():
                raise Fault("no_such_token", f"threat {event['item']}")

        return check

    def complete_province(self, seat: int, province: str) -> None:
        """Tiles shown, cancelled and carried out; the value; the emperor tile; the extension."""
        tiles = self.tiles[province]
        while not all(tile.shown for tile in tiles):
            event = self.ask("show", None, lambda e: self.check_show(e, province))
            tile = self.tile_shown(event, province)
            tile.rank, tile.shown = event["item"], True
            self.known[tile.side].add(event["item"])
        change, virtual = self.carry_out(province)

        value = len(self.standing(province)) + self.fame[province] + change
        for side in self.majority(province, virtual):
            self.score(side, "province", province, value)
        for tile in tiles:
            assert tile.rank is not None
            self.gone[tile.side].append(tile.rank)
        tiles.clear()
        self.scored.add(province)
        self.emperor += 1
        if self.emperor == EMPERORS and self.extensions:
            self.add_board(seat)
            self.put_tokens("extension_tokens")
            self.extensions -= 1
            self.emperor = 0

    def check_show(self, event: Event, province: str) -> None:
        owners = {self.seat_of(t.side) for t in self.tiles[province] if not t.shown}
        self.expect(event, ["show"], owners, "show_missing")
        if event["place"] != province:
            raise Fault("wrong_province", f"{event['place']}, not {province}")
        self.tile_shown(event, province)

    def tile_shown(self, event: Event, province: str) -> Tile:
        """The tile that is shown: the one known to be of the rank, else one of unknown rank."""
        side, rank = self.side(event), event["item"]
        mine = [t for t in self.tiles[province] if t.side == side and not t.shown]
        for tile in mine:
            if tile.rank == rank:
                return tile
        for tile in mine:
            if tile.rank is None and rank in RANKS and rank not in self.known[side]:
                return tile
        raise Fault("wrong_tile", f"{rank} of {side} is not on {province}")

    def carry_out(self, province: str) -> tuple[int, Counter[Side]]:
        """The action tiles by rank; the change of the value, and the virtual walls."""
        copies = Counter(tile.rank for tile in self.tiles[province])
        acting = {t.rank: t.side for t in self.tiles[province] if copies[t.rank] == 1}
        change, virtual = 0, Counter[Side]()
        for rank in RANKS:
            if rank not in acting:
                continue
            side = acting[rank]
            others = {r: s for r, s in acting.items() if r != rank and r is not None}
            if rank == WARRIOR and others:
                event = self.decide(side, "warrior", self.warrior_check(province, others))
                del acting[event["item"]]
            elif rank == TRAITOR and (self.standing_singles(province) or self.tokens(province)):
                event = self.decide(side, "traitor", self.traitor_check(province))
                if event["item"] == "destroy":
                    wall = self.sites[event["place"]]
                    assert wall
                    wall.standing = False
                else:
                    self.threats[event["place"]].removed = True
            elif rank == FLOOD:
                event = self.decide(side, "flood", self.choice(province, ["plus", "minus"]))
                change += 2 if event["item"] == "plus" else -2
            elif rank == ARCHITECT:
                choice = self.choice(province, ["plus", "virtual"])
                if self.decide(side, "architect", choice)["item"] == "plus":
                    change += 2
                else:
                    virtual[side] += 1
            elif rank == CHIEF:
                virtual[side] += 2
            elif rank == OFFICIAL and self.standing_singles(province) and self.elsewhere(province):
                event = self.decide(side, "official", self.official_check(province))
                if event.get("place") is not None:
                    here, there = event["place"], event["target"]
                    self.sites[here], self.sites[there] = self.sites[there], self.sites[here]
        return change, virtual

    def decide(self, side: Side, action: str, check: Check) -> Event:
        """The decision of the tile's owner."""
        seat = self.seat_of(side)

        def check_all(event: Event) -> None:
            self.expect(event, [action], [seat], "decision_missing")
            check(event)

        return self.ask("decide", seat, check_all)

    def tokens(self, province: str) -> list[str]:
        """Regions that share a site with the province and have a threat token."""
        regions = dict.fromkeys(self.region_of[s] for s in self.sites_at(province))
        return [region for region in regions if not self.threats[region].removed]

    def elsewhere(self, province: str) -> list[str]:
        """Standing single walls of the other provinces."""
        others = (p for p in self.provinces() if p != province)
        return [site for other in others for site in self.standing_singles(other)]

    @staticmethod
    def warrior_check(province: str, others: Mapping[int, Side]) -> Check:
        def check(event: Event) -> None:
            if event["place"] != province:
                raise Fault("wrong_province", event["place"])
            if event["item"] not in others:
                raise Fault("wrong_tile", f"{event['item']}")
            side = others[event["item"]]
            if event["target"] != (TEAMS[side] if isinstance(side, str) else side):
                raise Fault("wrong_owner", f"{event['target']}")

        return check

    def traitor_check(self, province: str) -> Check:
        def check(event: Event) -> None:
            if event["item"] not in ("destroy", "threat"):
                raise Fault("unknown_item", f"{event['item']}")
            destroy = event["item"] == "destroy"
            places = self.standing_singles(province) if destroy else self.tokens(province)
            if event["place"] not in places:
                raise Fault("wrong_place", event["place"])

        return check

    @staticmethod
    def choice(province: str, items: list[str]) -> Check:
        def check(event: Event) -> None:
            if event["place"] != province:
                raise Fault("wrong_province", event["place"])
            if event["item"] not in items:
                raise Fault("unknown_item", f"{event['item']}")

        return check

    def official_check(self, province: str) -> Check:
        def check(event: Event) -> None:
            if event.get("place") is None:
                return  # declined
            if event["place"] not in self.standing_singles(province):
                raise Fault("wrong_place", event["place"])
            if event["target"] not in self.elsewhere(province):
                raise Fault("wrong_place", f"{event['target']}")

        return check

    # ---- the end -----------------------------------------------------------------------------

    def end(self) -> None:
        """The threats are shown, the Mongols come, the event cards count."""
        self.reveal("final_reveal", self.regions())
        self.mongols()
        for card in self.events:
            if card == "diplomacy":
                count = {side: len(self.provinces_with(side)) for side in self.sides}
                self.award(card, count, lambda most: 4)
            elif card == "dominion":
                runs = {side: self.longest_run(side) for side in self.sides}
                self.award(card, runs, lambda most: most)
            elif card == "imperial_reward":
                for side in self.sides:
                    self.score(side, "event", card, 2 * self.tiles_left(side))
        self.phase, self.seat = "over", None

    def mongols(self) -> None:
        """Most walls on a region lose its threat, but for the owner of a tower there."""
        for region in self.regions():
            token = self.threats[region]
            if token.removed:
                continue
            assert token.value is not None
            pieces = [self.sites[site] for site in self.sites_at(region)]
            safe = {piece.side for piece in pieces if piece and piece.kind == "tower"}
            for side in self.majority(region):
                if side not in safe:
                    self.score(side, "mongols", region, -token.value)

    def award(self, card: str, count: dict[Side, int], worth: Callable[[int], int]) -> None:
        most = max(count.values())
        for side in self.sides:
            if most and count[side] == most:
                self.score(side, "event", card, worth(most))

    def owner(self, site: str) -> Side | None:
        """Whose standing wall it is."""
        piece = self.sites[site]
        return piece.side if piece and piece.standing else None

    def provinces_with(self, side: Side) -> list[str]:
        return [p for p in self.provinces() if any(self.owner(s) == side for s in self.sites_at(p))]

    def longest_run(self, side: Side) -> int:
        longest = run = 0
        for site in self.row:
            run = run + 1 if self.owner(site) == side else 0
            longest = max(longest, run)
        return longest

    def score(self, side: Side, source: str, place: str, points: int) -> None:
        """Points at the last event; the neutral colour has none."""
        if side == NEUTRAL:
            return
        self.points[side] += points
        self.score_events.append((self.ply, self.seat_of(side), source, place, points))

    def scores(self) -> list[int]:
        return [sum(self.points[s] for s in self.sides_of(n)) for n in range(self.players)]

    def ranks(self) -> list[int]:
        """In teams the best single colour breaks a tie."""
        keys = zip(self.scores(), range(self.players), strict=True)
        best = [max(self.points[s] for s in self.sides_of(n)) for n in range(self.players)]
        return ranks_of([(score, best[n] if self.teams else 0) for score, n in keys])

    # ---- the state ---------------------------------------------------------------------------

    def hand(self, side: Side) -> list[int | None]:
        if len(self.known[side]) < self.played[side]:
            return [None] * self.tiles_left(side)
        return [rank for rank in RANKS if rank not in self.known[side]]

    def state(self) -> dict[str, Any]:
        """See the module's docstring."""
        return {
            "phase": self.phase,
            "seat": self.seat,
            "turn": self.turn,
            "boards": list(self.boards),
            "sites": {
                site: [piece.side, piece.kind, piece.standing] if piece else None
                for site in self.row
                for piece in [self.sites[site]]
            },
            "provinces": {
                province: {
                    "fame": self.fame.get(province),
                    "complete": province in self.scored,
                    "tiles": sorted(
                        ([t.side, t.rank, t.shown] for t in self.tiles[province]),
                        key=lambda tile: (str(tile[0]), tile[1] or 0, tile[2]),
                    ),
                }
                for province in self.provinces()
            },
            "regions": {
                region: {
                    "threat": token.value if token else None,
                    "placed": token is not None,
                    "shown": bool(token and token.shown),
                    "removed": bool(token and token.removed),
                }
                for region in self.regions()
                for token in [self.threats.get(region)]
            },
            "supply": {
                side: {
                    "walls": self.walls[side],
                    "double": self.double[side],
                    "tower": self.tower[side],
                    "hand": self.hand(side),
                    "gone": sorted(self.gone[side]),
                }
                for side in self.sides
            },
            "neutral_walls": self.neutral_walls,
            "emperor": min(self.emperor, EMPERORS),
            "extensions_left": self.extensions,
            "scores": self.scores(),
            "side_scores": dict(self.points),
        }


# ---- replaying -------------------------------------------------------------------------------


def header_fault(players: int, options: Mapping[str, Any]) -> str | None:
    """What is wrong with the options, if anything."""
    legal = {
        "boards": ("A", "B", None),
        "two_players": ("neutral", "teams", None) if players == 2 else ("neutral", None),
        "double_order": ("west_east", "chosen", None),
    }
    cards = options.get("events") or []
    if not 2 <= players <= 4:
        return "bad_seats"
    if any(options.get(name) not in values for name, values in legal.items()):
        return "bad_options"
    if not isinstance(cards, list) or any(card not in EVENTS for card in cards):
        return "bad_options"
    if len(cards) != len(set(cards)) or len(cards) not in (0, 2):
        return "bad_options"
    return "bad_options" if set(options) - set(DEFAULTS) else None


def replay(record: Record) -> Verdict:
    """The verdict on a record; see the module's docstring for the states."""
    players, options = len(record["seats"]), record.get("options") or {}
    wrong = header_fault(players, options)
    if wrong:
        return Verdict(False, fault=wrong)
    events = record.get("events")
    if events is None:
        return Verdict(True)  # results only
    finished = (record.get("ended") or "finished") == "finished"
    states: list[dict[str, Any]] = []

    def source(game: Game) -> Event | None:
        at = game.ply + 1
        if len(states) < at:
            states.append(game.state())
        neutral = game.phase == "neutral"
        if at < len(events):
            event: Event = events[at]
            return None if neutral and event.get("action") != "neutral" else event
        if neutral and finished:
            return None  # a record that is finished declines it
        raise Stop

    game = Game(players, options, source)

    def verdict(ply: int | None = None, fault: str | None = None, message: str = "") -> Verdict:
        return Verdict(
            fault is None,
            ply,
            fault,
            message,
            score_events=summed(game.score_events),
            states=states,
        )

    try:
        game.run()
    except Fault as fault:
        return verdict(game.ply + 1, fault.code, str(fault))
    except Stop:
        return verdict(len(events), "truncated") if finished else verdict()
    states[game.ply :] = [game.state()]
    if game.ply + 1 < len(events):
        return verdict(game.ply + 1, "after_end")
    result = record.get("result") or {}
    scores, ranks = game.scores(), game.ranks()
    replayed = {"scores": scores, "ranks": ranks}
    differs = any(result.get(key) not in (None, value) for key, value in replayed.items())
    over = verdict(None, "result_mismatch") if differs else verdict()
    over.scores, over.ranks = scores, ranks
    return over


def blind(record: Record) -> Record:
    """The record as a spectator could write it: threats and action tiles face down."""
    return {
        **record,
        "events": [
            {**event, "item": None} if event["action"] in MAY_BE_UNKNOWN else event for event in record["events"]
        ],
    }


# ---- generating ------------------------------------------------------------------------------


def conceivable(game: Game) -> Iterator[Event]:
    """Events that might do where the game waits, without the seat and the colour."""
    provinces, regions, sites = game.provinces(), game.regions(), game.row
    if game.phase in ("boards", "extension"):
        for item in SIDES:
            yield from ({"action": "board", "item": item, "place": p} for p in ("west", "east"))
    elif game.phase in ("turn", "second_half"):
        for site, east in zip(sites, [*sites[1:], None], strict=True):
            yield {"action": "wall", "place": site}
            if game.phase == "turn":
                yield {"action": "tower", "place": site}
                yield {"action": "double", "place": site, "target": east}
        for province in provinces:
            yield from ({"action": "action_tile", "item": r, "place": province} for r in RANKS)
        if game.phase == "turn":
            yield {"action": "pass"}
    elif game.phase == "neutral":
        yield from ({"action": "neutral", "place": site} for site in sites)
    elif game.phase == "order":
        yield from ({"action": "order", "place": province} for province in provinces)
    elif game.phase in ("scout", "final_reveal"):
        for region in regions:
            for value in THREAT_TOKENS:
                yield {"action": "threat_shown", "item": value, "place": region}
    elif game.phase == "show":
        for province in provinces:
            for tile in game.tiles[province]:
                yield {"action": "show", "item": tile.rank, "place": province}
    elif game.phase == "decide":
        for action, items in (("flood", ("plus", "minus")), ("architect", ("plus", "virtual"))):
            for item in items:
                yield from ({"action": action, "item": item, "place": p} for p in provinces)
        for province in provinces:
            for tile in game.tiles[province]:
                owner = game.seat_of(tile.side)
                struck: Event = {"item": tile.rank, "place": province, "target": owner}
                yield {"action": "warrior", **struck}
        yield from ({"action": "traitor", "item": "destroy", "place": s} for s in sites)
        yield from ({"action": "traitor", "item": "threat", "place": r} for r in regions)
        yield {"action": "official"}
        full = [s for s in sites if game.sites[s]]
        for here in full:
            yield from ({"action": "official", "place": here, "target": s} for s in full)


def legal_events(game: Game) -> list[Event]:
    """All events that pass the check where the game waits, unknown items left out."""
    legal: list[Event] = []
    nature = game.phase in ("boards", "scout", "final_reveal")
    seats = range(game.players) if game.phase == "show" else [game.seat]
    for event in conceivable(game):
        for seat in seats:
            whole = event if nature else {**event, "seat": seat}
            colours: list[Side | None] = [None]
            if game.teams and event["action"] in COLOUR_FIELD and isinstance(seat, int):
                colours = [*game.sides_of(seat)]
            for colour in colours:
                field = {COLOUR_FIELD[event["action"]]: colour} if colour is not None else {}
                try:
                    game.check({**whole, **field})
                except Fault:
                    continue
                legal.append({**whole, **field})
    return legal


def draw_token(rng: random.Random, game: Game) -> Event:
    """Nature's next token, from the bag."""
    for province in game.provinces():
        if province not in game.fame:
            value = rng.choice(list(game.fame_bag().elements()))
            return {"action": "fame", "item": value, "place": province}
    region = next(region for region in game.regions() if region not in game.threats)
    value = rng.choice(list(game.threat_bag().elements()))
    return {"action": "threat", "item": value, "place": region}


def gain(game: Game, event: Event) -> int:
    """The points in sight: of a double wall, and of a province completed by the piece."""
    action, place = event["action"], event.get("place")
    if action not in ("wall", "neutral", "double", "tower"):
        return 0
    sites = [str(place)] + ([event["target"]] if action == "double" else [])
    points = 0
    if action == "double":
        points = len({a for s in sites for a in (game.province_of[s], game.region_of[s])})
    side = NEUTRAL if action == "neutral" else game.side(event)
    saved = dict(game.sites)
    game.sites.update({site: Piece(side, action) for site in sites})
    for province in {game.province_of[site] for site in sites}:
        if all(game.sites[s] for s in game.sites_at(province)):
            value = len(game.standing(province)) + game.fame[province]
            mine = [s for s in game.majority(province) if s in game.sides_of(event["seat"])]
            points += value * len(mine) if mine else -value
    game.sites = saved
    return points


def kind_of(event: Event | None) -> str:
    """The action; declining is a kind of its own."""
    if event is None or (event["action"] == "official" and "place" not in event):
        return "declined"
    return str(event["action"])


def generate(
    rng: random.Random,
    players: int,
    options: dict[str, Any],
    policy: str = "random",
    record_id: str = "g",
) -> Record:
    """A legal finished game.

    "random" takes every kind of event with the same chance; "greedy" takes the points in sight
    first; "lean" is random without neutral walls, so that two players end in a stalemate.
    """
    events: list[Event] = []

    def source(game: Game) -> Event | None:
        if game.phase in ("tokens", "extension_tokens"):
            events.append(draw_token(rng, game))
            return events[-1]
        choices: list[Event | None] = [*legal_events(game)]
        may_decline = True
        if policy == "greedy":
            gains = [gain(game, event) for event in choices if event]
            choices = [e for e, points in zip(choices, gains, strict=True) if points == max(gains)]
            may_decline = max(gains) <= 0
        if game.phase == "neutral" and policy == "lean":
            return None
        if game.phase == "neutral" and may_decline:
            choices.append(None)
        kind = rng.choice(sorted({kind_of(event) for event in choices}))
        event = rng.choice([event for event in choices if kind_of(event) == kind])
        if event is not None:
            events.append(event)
        return event

    game = Game(players, options, source)
    game.run()
    return {
        "format": "game-record/1",
        "title": "chang_cheng",
        "id": record_id,
        "options": options,
        "ended": "finished",
        "seats": [{"player": f"p{seat}", "kind": "bot"} for seat in range(players)],
        "events": events,
        "result": {"scores": game.scores(), "ranks": game.ranks()},
    }
