"""Positions and records for China's tests."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from pipeline import titles
from pipeline.titles.china import rules
from pipeline.titles.china.codes import (
    COLOURS,
    FAULTS,
    FIRST_PIECE,
    FIRST_SITE,
    FORTRESS,
    HOUSE,
    PIECES,
)
from pipeline.titles.china.options import DEFAULT_MAP
from pipeline.titles.china.rules_pieces import put_emissary, put_piece
from pipeline.titles.china.rules_score import end_game
from pipeline.titles.china.rules_state import BEGINNING, HAND
from pipeline.titles.state import COMMON_FAULTS, NO_FAULT, Sink

TITLE = titles.load("china")
BOARD = TITLE.load_board(DEFAULT_MAP)
BOOK = TITLE.book(DEFAULT_MAP)
SITES = BOOK.places[FIRST_SITE : FIRST_SITE + BOARD.sites]
REGIONS = BOOK.places[FIRST_SITE + BOARD.sites :]


class Table:
    """A table whose pieces and hands are laid out by hand, and which then follows the rules."""

    def __init__(self, players: int = 4, **given: Any) -> None:
        options = TITLE.complete_options(given, players)
        self.state = rules.State.new()
        self.sink = Sink.new()
        row = np.array(TITLE.encode_options(options, players), np.int32)
        rules.reset(self.state, BOARD, players, row)
        self.state.phase = BEGINNING
        self.state.display[:] = 0, 1, 2, 3
        self.state.shown = 4
        self.state.unseen[:4] -= 1
        self.state.pile -= 4
        for seat in range(players):
            self.hand(seat, "unknown unknown unknown")

    def hand(self, seat: int, cards: str) -> None:
        """Cards by colour; they are taken from those that nobody has seen."""
        words = (*COLOURS, "unknown")
        self.state.pile += self.state.held[seat]
        self.state.unseen += self.state.hand[seat, :5]
        self.state.hand[seat] = 0
        for card in cards.split():
            self.state.hand[seat, words.index(card)] += 1
        self.state.held[seat] = len(cards.split())
        self.state.pile -= self.state.held[seat]
        self.state.unseen -= self.state.hand[seat, :5]

    def houses(self, seat: int, sites: str) -> None:
        for site in sites.split():
            self._put(HOUSE, seat, SITES.index(site))

    def forts(self, seat: int, sites: str) -> None:
        for site in sites.split():
            self.state.supply[seat, 2] = 1
            self._put(FORTRESS, seat, SITES.index(site))

    def emissaries(self, region: str, *numbers: int) -> None:
        for seat, number in enumerate(numbers):
            for _ in range(number):
                assert put_emissary(self.state, seat, REGIONS.index(region)) == NO_FAULT

    def _put(self, item: int, seat: int, site: int) -> None:
        put = put_piece(self.state, BOARD, self.sink, seat, item, int(BOARD.region_of[site]), site)
        assert put == NO_FAULT

    def act(self, seat: int | None, action: str, item: str | None = None, place: str | None = None) -> str | None:
        """One event; the short name of its fault, or None."""
        self.sink.count = self.sink.before = 0
        fault = rules.apply(
            self.state, BOARD, self.sink, -1 if seat is None else seat, BOOK.action_code[action],
            -1 if item is None else BOOK.item_code[item],
            -1 if place is None else BOOK.place_code[place], -1, -1,
        )  # fmt: skip
        return None if fault == NO_FAULT else (FAULTS.get(fault) or COMMON_FAULTS[fault])[0]

    def turn(self, seat: int, cards: str, *pieces: str) -> list[str | None]:
        """Play cards and place pieces, each as `house qi1`; the fault of each piece."""
        for card in cards.split():
            assert self.act(seat, "play", card) is None
        return [self.act(seat, "place", *piece.split()) for piece in pieces]

    def end(self) -> list[tuple[int, str, str, int]]:
        """Score as at the end of the game."""
        self.sink.count = 0
        end_game(self.state, BOARD, self.sink)
        return self.events()

    def events(self) -> list[tuple[int, str, str, int]]:
        """The score events of the last ply: seat, source, place, points."""
        s = self.sink
        return sorted(
            (int(s.seat[i]), BOOK.sources[s.source[i]], BOOK.score_places[s.place[i]], int(s.points[i]))
            for i in range(s.count)
        )

    def shown(self) -> dict[str, Any]:
        view: dict[str, Any] = TITLE.show.view(self.state, BOARD)
        return view


assert PIECES[HOUSE - FIRST_PIECE] == "house" and HAND == 3


class Cards:
    """Where each card is in a game of exchanges only; `take` also counts how often the pile is empty."""

    def __init__(self, rng: random.Random, players: int) -> None:
        counts = [int(count) - (5 - players) for count in BOARD.deck]
        self.rng = rng
        self.pile = [colour for colour, count in zip(COLOURS, counts, strict=True) for _ in range(count)]
        rng.shuffle(self.pile)
        self.discards: list[str] = []
        self.hands: list[list[str]] = [[] for _ in range(players)]
        self.display: dict[str, str] = {}
        self.empties = 0

    def take(self) -> str:
        card = self.pile.pop()
        if not self.pile:
            self.empties += 1
            if self.empties == 1:
                self.pile, self.discards = self.discards, []
                self.rng.shuffle(self.pile)
        return card

    def draw(self, seat: int) -> list[dict[str, Any]]:
        """The events of a draw, mostly an unseen one of the pile."""
        if self.pile and (self.rng.random() < 0.7 or not self.display):
            self.hands[seat].append(self.take())
            seen = self.hands[seat][-1] if self.rng.random() < 0.2 else None
            return [{"seat": seat, "action": "draw", "item": seen, "place": "deck"}]
        slot = self.rng.choice(sorted(self.display))
        self.hands[seat].append(self.display.pop(slot))
        drawn = {"seat": seat, "action": "draw", "item": self.hands[seat][-1], "place": slot}
        return [drawn, *self.reveal(slot)] if self.pile else [drawn]

    def reveal(self, slot: str) -> list[dict[str, Any]]:
        self.display[slot] = self.take()
        return [{"action": "reveal", "item": self.display[slot], "place": slot}]


def exchanges(rng: random.Random, players: int, options: dict[str, Any]) -> dict[str, Any]:
    """A legal record of exchanges only, most draws unseen: all depends on what cards there may be."""
    cards = Cards(rng, players)
    events: list[dict[str, Any]] = []
    for seat in list(range(players)) * 3:
        cards.hands[seat].append(cards.take())
        events.append({"seat": seat, "action": "deal", "item": rng.choice((None, cards.hands[seat][-1]))})
    for slot in "1234":
        events += cards.reveal(slot)
    seat, dry = 0, False
    while not (dry and seat == 0):
        card = cards.hands[seat].pop(rng.randrange(3))
        cards.discards.append(card)
        events.append({"seat": seat, "action": "exchange", "item": card})
        if (cards.pile or cards.display) and not (dry and options.get("after_second_empty") == "no_draw"):
            events += cards.draw(seat)
        dry = cards.empties == 2
        seat = (seat + 1) % players
    return record(players, events, options)


def record(players: int, events: list[dict[str, Any]], options: dict[str, Any]) -> dict[str, Any]:
    return {
        "format": "game-record/1", "title": "china", "id": "test", "options": options,
        "seats": [{} for _ in range(players)], "events": events,
    }  # fmt: skip


def with_other_cards(rng: random.Random, data: dict[str, Any]) -> dict[str, Any]:
    """The same with some exchanged cards of other colours, which may or may not be possible."""
    events = [dict(event) for event in data["events"]]
    away = [i for i, event in enumerate(events) if event["action"] == "exchange"]
    for i in rng.sample(away, rng.randrange(1, 6)):
        events[i]["item"] = rng.choice(COLOURS)
    return data | {"events": events}
