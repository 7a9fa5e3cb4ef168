"""Call to Glory, slow and obvious: the rules page as one class, a method for each event.

Unknown items. Within a round nobody can tell two cards of one character apart, so a hand is a
multiset of known characters and a number of unknown cards. A card that leaves the hand is taken
from the known ones if one fits (the rest of the hand can be the same multisets either way), else
one unknown card has shown its face. What has surely been seen of a character, in hands, on the
table and on the discard piles, may not exceed its copies; and that is all that completions
demand: the copies that are left are exactly as many as the unknown and the undrawn cards, so
that every remaining unknown finds a face (Hall's condition holds for each set of them at once).
Tasks likewise: a seat holds one task of each deck, a deck has four different ones for at most
four seats, so that the unknown ones of a deck always find different faces among the unseen.

A turn in the `ninjas` variant stays open after its second action while its player could still
give back a miniature (phase "close"); any event but his `ninja`, and the end of the record,
closes it. The points of a round that ends so stand at the turn's last event (`score_events`), but
that event's state, made before anyone knows, is still in phase "close" and without them. When the
record's end closes the turn, that is known at once, and the last state is the one after it.

A field that is null is the same as an absent one (the Arrow form knows no difference).

`states[k]` has, after event k:
  round        1, 2, ...; of the last round when the game is over
  phase        "setup", "draw", "act", "displace", "close", "task", "over"
  seat         who acts next (the owner of the beaten set in "displace"); None in setup and over
  start        the round's start player
  turn         turns of players closed so far in the game
  drawn_from   piles drawn from in the open turn, in order
  hands        per seat the sorted known characters, then a None for each unknown card
  sets         per seat {character: cards in front}
  draw1, draw2         cards left
  discard1, discard2   characters, bottom to top
  must_displace        [owner, character, cards] of a beaten set, else None
  mini_supply, minis   miniatures on the table's middle; per seat
  minis_ready          of the seat to act: got in an earlier turn; 0 if nobody is in a turn
  tasks        per seat the sorted known tasks, then a None for each unknown one
  revealed     per seat the revealed tasks, in order
  scores       per seat, all rounds so far and the tasks of the present one
  rounds       for each closed round the points per seat, tasks included
  round_points per seat what the present round has brought so far (tasks); 0 when it is over
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from .common import Event, Fault, Record, ScoreEvent, Verdict, ranks_of, summed

# Components: the value is also the number of copies.
VALUE = {
    "emperor": 6,
    "empress": 7,
    "daimyo": 8,
    "shogun": 9,
    "samurai": 12,
    "ninja": 14,
    "envoy": 16,
    "monk": 18,
    "farmer": 20,
}
CHARACTER_OF_VALUE = {value: character for character, value in VALUE.items()}
THREE_AT_LEAST = ("samurai", "ninja", "envoy")  # with 3 or 4 players
HAND = 3
MINIATURES = 4
SETS_TO_END = {2: 6, 3: 5, 4: 4}

# Variant `tasks`: the deck's bonus a card, and the four values in each deck.
BONUS = {"A": 5, "B": 4, "C": 3}
DECKS = {"A": (6, 7, 8, 9), "B": (9, 12, 14, 16), "C": (14, 16, 18, 20)}
TASKS = {f"{deck}{value}": CHARACTER_OF_VALUE[value] for deck, values in DECKS.items() for value in values}

TASK_WORDS = [f"{deck}{value}" for deck in DECKS for value in VALUE.values()]

DRAW_PILES = ("draw1", "draw2")
DISCARD_PILES = ("discard1", "discard2")
PILES = DRAW_PILES + DISCARD_PILES

FIELDS = {
    "deal": ("seat", "item"),
    "deal_task": ("seat", "item"),
    "draw": ("seat", "item", "place"),
    "lay": ("seat", "item", "amount"),
    "displace": ("seat", "item", "place", "amount"),
    "discard": ("seat", "item", "place"),
    "ninja": ("seat", "item", "place", "target"),
    "task": ("seat", "item"),
}
EVENT_FIELDS = ("seat", "action", "item", "place", "target", "amount")
MAY_BE_UNKNOWN = ("deal", "deal_task", "draw")
WORDS: dict[Any, dict[str, tuple[Any, ...]]] = {
    action: {
        "item": tuple(TASK_WORDS if action in ("deal_task", "task") else VALUE),
        "place": PILES if action == "draw" else DISCARD_PILES,
    }
    for action in FIELDS
}


def demand(condition: bool, code: str, message: str = "") -> None:
    """Raise the fault unless the condition holds."""
    if not condition:
        raise Fault(code, message)


def is_number(value: Any) -> bool:
    """A whole number; JSON's true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool)


class Game:
    """One game in progress: `apply` an event, or raise `Fault`."""

    def __init__(self, players: int, options: dict[str, Any]) -> None:
        self.players = players
        self.with_tasks = bool(options.get("tasks", False))
        self.with_ninjas = bool(options.get("ninjas", False))
        self.last_round = 3 if self.with_tasks else 4
        self.score_events: list[ScoreEvent] = []
        self.scores = [0] * players
        self.rounds: list[list[int]] = []  # points of each closed round
        self.tasks: list[set[str]] = [set() for _ in range(players)]
        self.unknown_tasks = [0] * players
        self.revealed: list[list[str]] = [[] for _ in range(players)]
        self.ply = -1  # of the last legal event
        self.turn = 0
        self.round = 0
        self.set_up(start=0)

    # ---- round set-up

    def set_up(self, start: int) -> None:
        """Shuffle all 110, two empty discard piles, all miniatures back in the supply."""
        rest = sum(VALUE.values()) - HAND * self.players
        self.round += 1
        self.start = start
        self.phase = "setup"
        self.seat: int | None = None
        self.known: list[Counter[str]] = [Counter() for _ in range(self.players)]
        self.unknown = [0] * self.players
        self.sets: list[dict[str, int]] = [{} for _ in range(self.players)]
        self.left = {"draw1": (rest + 1) // 2, "draw2": rest // 2}  # first half rounded up
        self.discards: dict[str, list[str]] = {pile: [] for pile in DISCARD_PILES}
        self.round_points = [0] * self.players
        self.supply = MINIATURES
        self.minis = [0] * self.players
        self.new_minis = 0  # got in the open turn by the seat to act
        self.drawn_from: list[str] = []
        self.must_displace: tuple[int, str, int] | None = None

    def hand_size(self, seat: int) -> int:
        """Known and unknown cards in hand."""
        return self.known[seat].total() + self.unknown[seat]

    def tasks_dealt(self, seat: int) -> int:
        """Tasks that the seat has got, revealed ones too."""
        return len(self.tasks[seat]) + self.unknown_tasks[seat] + len(self.revealed[seat])

    def on_deal(self, seat: int, item: str | None) -> None:
        """Three cards to each, in any order of seats."""
        demand(self.phase == "setup", "not_in_setup")
        demand(self.hand_size(seat) < HAND, "too_many_dealt")
        self.get(seat, item)
        self.start_if_set_up()

    def on_deal_task(self, seat: int, item: str | None) -> None:
        """One of each deck to each player, before round 1."""
        demand(self.with_tasks, "variant_off")
        demand(self.phase == "setup" and self.round == 1, "not_in_setup")
        demand(self.tasks_dealt(seat) < len(DECKS), "too_many_dealt")
        if item is None:
            self.unknown_tasks[seat] += 1
        else:
            demand(item in TASKS, "unknown_item")
            demand(not any(item in held for held in self.tasks), "task_twice")
            demand(all(item[0] != held[0] for held in self.tasks[seat]), "task_deck_twice")
            self.tasks[seat].add(item)
        self.start_if_set_up()

    def start_if_set_up(self) -> None:
        """The start player's turn begins when everything is dealt."""
        seats = range(self.players)
        cards_dealt = all(self.hand_size(seat) == HAND for seat in seats)
        tasks_dealt = all(self.tasks_dealt(seat) == len(DECKS) for seat in seats)
        if cards_dealt and (tasks_dealt or not self.with_tasks):
            self.begin_turn(self.start)

    # ---- cards

    def seen(self, character: str) -> int:
        """Cards that surely are of this character, wherever they are in this round."""
        return (
            sum(hand[character] for hand in self.known)
            + sum(sets.get(character, 0) for sets in self.sets)
            + sum(pile.count(character) for pile in self.discards.values())
        )

    def get(self, seat: int, item: str | None) -> None:
        """A face-down card comes to a hand."""
        if item is None:
            self.unknown[seat] += 1
            return
        demand(item in VALUE, "unknown_item")
        demand(self.seen(item) < VALUE[item], "too_many_copies")
        self.known[seat][item] += 1

    def give(self, seat: int, character: str, amount: int) -> None:
        """Cards leave a hand: known ones, else unknown ones that show their face."""
        shown = max(0, amount - self.known[seat][character])
        demand(shown <= self.unknown[seat], "not_in_hand")
        demand(self.seen(character) + shown <= VALUE[character], "too_many_copies")
        self.known[seat][character] -= amount - shown
        self.unknown[seat] -= shown

    def put(self, pile: str, character: str, amount: int) -> None:
        """Cards go to a discard pile, by the discard rule."""
        demand(pile in DISCARD_PILES, "unknown_place")
        demand(pile in self.open_discards(), "wrong_discard_pile")
        self.discards[pile] += [character] * amount

    def open_discards(self) -> list[str]:
        """Discard rule: the empty one first; with both empty discard1."""
        empty = [pile for pile in DISCARD_PILES if not self.discards[pile]]
        return empty[:1] or list(DISCARD_PILES)

    # ---- the turn

    def begin_turn(self, seat: int) -> None:
        """Miniatures that the seat has now are from earlier turns."""
        self.phase = "draw"
        self.seat = seat
        self.drawn_from = []
        self.new_minis = 0

    def on_draw(self, seat: int, item: str | None, place: str) -> None:
        """1. Two cards from two different non-empty piles, one after the other."""
        self.demand_phase("draw", seat)
        demand(place in PILES, "unknown_place")
        demand(place not in self.drawn_from, "same_pile_twice")
        if place in DISCARD_PILES:
            demand(bool(self.discards[place]), "empty_pile")
            top = self.discards[place][-1]
            demand(item is None or item in VALUE, "unknown_item")
            demand(item is None or item == top, "not_on_top")
            self.discards[place].pop()
            self.known[seat][top] += 1
        else:
            demand(self.left[place] > 0, "empty_pile")
            self.get(seat, item)
            self.left[place] -= 1
        self.drawn_from.append(place)
        if len(self.drawn_from) == 2:
            self.phase = "act"

    def minimum(self, character: str) -> int:
        """Cards that a set needs at least."""
        return 3 if self.players > 2 and character in THREE_AT_LEAST else 2

    def on_table(self, character: str) -> tuple[int, int] | None:
        """Owner and number of cards of the character's set, if one lies there."""
        for owner, sets in enumerate(self.sets):
            if character in sets:
                return owner, sets[character]
        return None

    def on_lay(self, seat: int, item: str, amount: int) -> None:
        """2. Lay a set, strictly more than the one on the table; that one is displaced next."""
        self.demand_phase("act", seat)
        demand(item in VALUE, "unknown_item")
        demand(amount >= self.minimum(item), "set_too_small")
        beaten = self.on_table(item)
        demand(beaten is None or amount > beaten[1], "set_not_larger")
        self.give(seat, item, amount)
        self.phase = "close"
        if beaten is not None:
            owner, cards = beaten
            del self.sets[owner][item]
            self.must_displace = (owner, item, cards)
            self.phase = "displace"
        self.sets[seat][item] = amount
        if self.with_ninjas and item == "ninja" and self.supply > 0:
            self.supply -= 1
            self.minis[seat] += 1
            self.new_minis += 1

    def on_displace(self, seat: int, item: str, place: str, amount: int) -> None:
        """The beaten set's owner puts it, whole, on one discard pile."""
        demand(self.must_displace is not None, "nothing_to_displace")
        demand(item in VALUE, "unknown_item")
        demand((seat, item, amount) == self.must_displace, "wrong_displace")
        self.must_displace = None  # from here on the cards are on the pile
        self.put(place, item, amount)
        self.phase = "close"

    def on_discard(self, seat: int, item: str, place: str) -> None:
        """2. Or discard one card."""
        self.demand_phase("act", seat)
        demand(item in VALUE, "unknown_item")
        self.give(seat, item, 1)
        self.put(place, item, 1)
        self.phase = "close"

    def ready_minis(self) -> int:
        """Miniatures that the seat to act got in an earlier turn."""
        if self.seat is None or self.phase not in ("draw", "act", "displace", "close"):
            return 0
        return self.minis[self.seat] - self.new_minis

    def on_ninja(self, seat: int, item: str, place: str, target: int) -> None:
        """Give a miniature back: a card of an opponent's set goes to a discard pile."""
        demand(self.with_ninjas, "variant_off")
        demand(self.must_displace is None, "missing_displace")
        demand(self.phase in ("draw", "act", "close"), "not_in_turn")
        demand(seat == self.seat, "wrong_seat")
        demand(item in VALUE, "unknown_item")
        demand(self.minis[seat] > 0, "no_miniature")
        demand(self.ready_minis() > 0, "miniature_too_new")
        demand(0 <= target < self.players and target != seat, "wrong_target")
        demand(item in self.sets[target], "no_such_set")
        self.minis[seat] -= 1
        self.supply += 1
        self.sets[target][item] -= 1
        if self.sets[target][item] == 0:  # the character is free again
            del self.sets[target][item]
        self.put(place, item, 1)

    def demand_phase(self, phase: str, seat: int) -> None:
        """The event is due now, and it is this seat's."""
        demand(self.phase != "displace", "missing_displace")
        demand(self.phase == phase, f"not_in_{phase}_phase")
        demand(seat == self.seat, "wrong_seat")

    # ---- round end

    def round_ended(self) -> bool:
        """Sets enough, or all nine on the table, or at most one draw pile left."""
        most = max(len(sets) for sets in self.sets)
        on_table = {character for sets in self.sets for character in sets}
        draw_piles = [pile for pile in DRAW_PILES if self.left[pile] > 0]
        return most >= SETS_TO_END[self.players] or len(on_table) == len(VALUE) or len(draw_piles) <= 1

    def end_turn(self) -> None:
        """The check at the end of each turn; then the next seat, the tasks or the scoring."""
        assert self.phase == "close" and self.seat is not None
        self.turn += 1
        self.drawn_from = []
        if not self.round_ended():
            self.begin_turn((self.seat + 1) % self.players)
        elif self.with_tasks:
            self.phase = "task"
            self.seat = self.start
        else:
            self.end_round()

    def on_task(self, seat: int, item: str) -> None:
        """From the start player clockwise, each reveals a task; every player earns on it."""
        demand(self.with_tasks, "variant_off")
        demand(self.phase != "displace", "missing_displace")
        demand(self.phase == "task", "round_not_ended")
        demand(seat == self.seat, "wrong_seat")
        demand(item in TASKS, "unknown_item")
        self.take_task(seat, item)
        self.revealed[seat].append(item)
        for owner, sets in enumerate(self.sets):
            self.score(owner, "task", item, BONUS[item[0]] * sets.get(TASKS[item], 0))
        if all(len(shown) == self.round for shown in self.revealed):
            self.end_round()
        else:
            self.seat = (seat + 1) % self.players

    def take_task(self, seat: int, item: str) -> None:
        """A task leaves a seat's tasks; an unknown one shows its face."""
        if item in self.tasks[seat]:
            self.tasks[seat].remove(item)
            return
        held_by_others = set().union(*self.tasks)
        shown_before = {task for shown in self.revealed for task in shown}
        decks_of_seat = {task[0] for task in [*self.tasks[seat], *self.revealed[seat]]}
        demand(self.unknown_tasks[seat] > 0, "task_not_held")
        demand(item not in held_by_others | shown_before, "task_not_held")
        demand(item[0] not in decks_of_seat, "task_not_held")
        self.unknown_tasks[seat] -= 1

    def score(self, seat: int, source: str, place: str, points: int) -> None:
        """Points at the last event that was legal (a task's own event is it already)."""
        self.scores[seat] += points
        self.round_points[seat] += points
        self.score_events.append((self.ply, seat, source, place, points))

    def end_round(self) -> None:
        """Each scores the values in front, once a set; then the next round or the end."""
        for seat, sets in enumerate(self.sets):
            for character in sets:
                self.score(seat, "set", character, VALUE[character])
        self.rounds.append(self.round_points)
        self.round_points = [0] * self.players
        if self.round == self.last_round:
            self.phase = "over"
            self.seat = None
        else:
            self.set_up(self.next_start())

    def next_start(self) -> int:
        """Lowest total; fewest points in the last round; first clockwise after the previous."""
        return min(
            range(self.players),
            key=lambda seat: (
                self.scores[seat],
                self.rounds[-1][seat],
                (seat - self.start - 1) % self.players,
            ),
        )

    def ranks(self) -> list[int]:
        """Most points; tie: best single round; then shared."""
        best = [max(points) for points in zip(*self.rounds, strict=True)]
        return ranks_of(list(zip(self.scores, best, strict=True)))

    # ---- events

    def apply(self, event: Event) -> None:
        """Make the event, or raise `Fault`; after a fault the game is of no more use."""
        arguments = checked_fields(event, self.players)
        action = event["action"]
        if self.phase == "close" and not (action == "ninja" and event["seat"] == self.seat):
            self.end_turn()
        demand(self.phase != "over", "game_over")
        make: dict[str, Callable[..., None]] = {
            "deal": self.on_deal,
            "deal_task": self.on_deal_task,
            "draw": self.on_draw,
            "lay": self.on_lay,
            "displace": self.on_displace,
            "discard": self.on_discard,
            "ninja": self.on_ninja,
            "task": self.on_task,
        }
        self.ply += 1
        make[action](**arguments)
        if self.phase == "close" and not self.ninja_targets():
            self.end_turn()

    def ninja_targets(self) -> list[tuple[int, str]]:
        """Opponents' sets that the seat to act could take a card from now."""
        if not self.with_ninjas or self.ready_minis() <= 0 or self.phase == "displace":
            return []
        return [(owner, character) for owner, sets in enumerate(self.sets) if owner != self.seat for character in sets]

    def state(self) -> dict[str, Any]:
        """Plain values, see the module's docstring."""
        return {
            "round": self.round,
            "phase": self.phase,
            "seat": self.must_displace[0] if self.must_displace else self.seat,
            "start": self.start,
            "turn": self.turn,
            "drawn_from": list(self.drawn_from),
            "hands": [
                [*sorted(known.elements()), *[None] * unknown]
                for known, unknown in zip(self.known, self.unknown, strict=True)
            ],
            "sets": [dict(sets) for sets in self.sets],
            "draw1": self.left["draw1"],
            "draw2": self.left["draw2"],
            "discard1": list(self.discards["discard1"]),
            "discard2": list(self.discards["discard2"]),
            "must_displace": list(self.must_displace) if self.must_displace else None,
            "mini_supply": self.supply,
            "minis": list(self.minis),
            "minis_ready": self.ready_minis(),
            "tasks": [
                [*sorted(known), *[None] * unknown]
                for known, unknown in zip(self.tasks, self.unknown_tasks, strict=True)
            ],
            "revealed": [list(shown) for shown in self.revealed],
            "scores": list(self.scores),
            "rounds": [list(points) for points in self.rounds],
            "round_points": list(self.round_points),
        }


def checked_fields(event: Event, players: int) -> dict[str, Any]:
    """The fields that the action uses, all there and of the right type; or a fault."""
    action = event.get("action")
    demand(isinstance(action, str) and action in FIELDS, "unknown_action")
    used = FIELDS[str(action)]
    for field, value in event.items():
        if not field.startswith("_"):
            demand(field in EVENT_FIELDS, "unknown_field")
            demand(field in used or field == "action" or value is None, "superfluous_field")
    fields: dict[str, Any] = {field: event.get(field) for field in used}
    for field, value in fields.items():
        if value is None:
            demand(field == "item" and action in MAY_BE_UNKNOWN, f"missing_{field}")
        elif field in ("item", "place"):
            demand(value in WORDS[action][field], f"unknown_{field}")
        else:
            demand(is_number(value), f"wrong_{field}")
    demand(event["seat"] in range(players), "wrong_seat")
    return fields


def replay(record: Record) -> Verdict:
    """Walk the events; the verdict, the score events and the state after each event."""
    players = len(record["seats"])
    if players not in SETS_TO_END:
        return Verdict(ok=False, fault="wrong_number_of_players")
    if record.get("events") is None:  # a results-only record: nothing to check
        return Verdict(ok=True)
    game = Game(players, record.get("options") or {})
    states: list[dict[str, Any]] = []

    def verdict(ok: bool, ply: int | None = None, fault: str | None = None) -> Verdict:
        over = game.phase == "over" and ply is None
        return Verdict(
            ok=ok,
            ply=ply,
            fault=fault,
            scores=list(game.scores) if over else None,
            ranks=game.ranks() if over else None,
            score_events=summed(game.score_events),
            states=states,
        )

    for ply, event in enumerate(record["events"]):
        try:
            game.apply(event)
        except Fault as fault:
            return verdict(False, ply, fault.code)
        states.append(game.state())
    if game.phase == "close":  # the record's end closes an open turn
        game.end_turn()
        states[-1] = game.state()
    if game.phase != "over":
        if (record.get("ended") or "finished") == "finished":
            return verdict(False, len(states), "truncated")
        return verdict(True)
    result = record.get("result") or {}
    right = {"scores": game.scores, "ranks": game.ranks()}
    for name, value in right.items():
        if result.get(name) is not None and result[name] != value:
            return verdict(False, None, "result_mismatch")
    return verdict(True)


# ---- making games


def legal_moves(game: Game) -> list[Event]:
    """Every next event of a player in a game without unknowns; a draw's item is left out.

    Empty in the set-up and after the end. In phase "close" the player may also do nothing.
    """
    seat = game.seat
    if game.must_displace is not None:
        owner, character, amount = game.must_displace
        piles = game.open_discards()
        beaten = {"seat": owner, "action": "displace", "item": character, "amount": amount}
        return [{**beaten, "place": pile} for pile in piles]
    if seat is None:
        return []
    moves: list[Event] = []
    if game.phase == "draw":
        filled = [pile for pile in DRAW_PILES if game.left[pile]]
        filled += [pile for pile in DISCARD_PILES if game.discards[pile]]
        moves += [{"seat": seat, "action": "draw", "place": pile} for pile in filled if pile not in game.drawn_from]
    if game.phase == "act":
        for character, held in sorted(game.known[seat].items()):
            lying = game.on_table(character)
            fewest = max(game.minimum(character), lying[1] + 1 if lying else 0)
            moves += [
                {"seat": seat, "action": "lay", "item": character, "amount": amount}
                for amount in range(fewest, held + 1)
            ]
            moves += [
                {"seat": seat, "action": "discard", "item": character, "place": pile}
                for pile in game.open_discards()
                if held
            ]
    if game.phase == "task":
        moves += [{"seat": seat, "action": "task", "item": t} for t in sorted(game.tasks[seat])]
    moves += [
        {"seat": seat, "action": "ninja", "item": character, "place": pile, "target": owner}
        for owner, character in game.ninja_targets()
        for pile in game.open_discards()
    ]
    return moves


def gain(game: Game, move: Event) -> float:
    """The greedy player's worth of a move: what it would change at once."""
    seat = move["seat"]
    action = move["action"]
    if action == "draw":
        pile = game.discards.get(move["place"])
        if pile is None:
            return 1.0
        wanted = game.known[seat][pile[-1]] > 0
        # one discard pile a turn at most, so that the draw piles run out some day
        return 2.0 if wanted and not set(game.drawn_from) & set(DISCARD_PILES) else 0.0
    item: str = move["item"]
    if action == "lay":
        lying = game.on_table(item)
        worth = 0 if lying and lying[0] == seat else VALUE[item] * (2 if lying else 1)
        return 100.0 + worth if worth else 0.0
    if action == "discard":
        return 50.0 - game.known[seat][item] - VALUE[item] / 100
    if action == "ninja":
        return 200.0 if game.sets[move["target"]][item] == 1 else 0.5
    if action == "task":
        cards = [sets.get(TASKS[item], 0) for sets in game.sets]
        return float(BONUS[item[0]] * (2 * cards[seat] - sum(cards)))
    return 0.0


def choose(rng: random.Random, game: Game, policy: str) -> Event | None:
    """A legal move, or None to close an open turn."""
    moves: list[Event | None] = list(legal_moves(game))
    if game.phase == "close":
        moves.append(None)
    if policy == "greedy":
        worth = [1.0 if move is None else gain(game, move) for move in moves]
        best = max(worth)
        return rng.choice([m for m, points in zip(moves, worth, strict=True) if points == best])
    actions = sorted({move["action"] if move else "" for move in moves})
    action = rng.choice(actions)
    return rng.choice([m for m in moves if (m["action"] if m else "") == action])


def generate(
    rng: random.Random,
    players: int,
    options: dict[str, Any],
    policy: str = "random",
    record_id: str = "g",
) -> Record:
    """A complete legal game, everything known, played by `policy` ("random" or "greedy")."""
    game = Game(players, options)
    events: list[Event] = []
    piles: dict[str, list[str]] = {}

    def play(event: Event) -> None:
        game.apply(event)
        events.append(event)

    while game.phase != "over":
        if game.phase == "setup":
            cards = [character for character, copies in VALUE.items() for _ in range(copies)]
            rng.shuffle(cards)
            piles = {pile: [cards.pop() for _ in range(game.left[pile])] for pile in DRAW_PILES}
            dealt = [("deal", seat, cards.pop()) for _ in range(HAND) for seat in range(players)]
            if game.with_tasks and game.round == 1:
                for deck, values in DECKS.items():
                    faces = rng.sample(values, players)
                    dealt += [("deal_task", s, f"{deck}{face}") for s, face in enumerate(faces)]
            rng.shuffle(dealt)
            for action, seat, item in dealt:
                play({"seat": seat, "action": action, "item": item})
            continue
        move = choose(rng, game, policy)
        if move is None:
            game.end_turn()
        elif move["action"] == "draw":
            source = {**piles, **game.discards}[move["place"]]
            item = source[-1] if move["place"] in DISCARD_PILES else source.pop()
            play({"seat": move["seat"], "action": "draw", "item": item, "place": move["place"]})
        else:
            play(move)
    return {
        "format": "game-record/1",
        "title": "call_to_glory",
        "id": record_id,
        "options": dict(options),
        "ended": "finished",
        "seats": [{"player": f"p{seat}", "kind": "bot"} for seat in range(players)],
        "events": events,
        "result": {"scores": list(game.scores), "ranks": game.ranks()},
    }


def blind(record: Record) -> Record:
    """The same record as a spectator sees it: deals and face-down draws are unknown."""

    def seen(event: Event) -> Event:
        hidden = event["action"] in ("deal", "deal_task") or event.get("place") in DRAW_PILES
        return {**event, "item": None} if hidden else dict(event)

    return {**record, "events": [seen(event) for event in record["events"]]}
