"""The slow and obvious rules of Kingdoms, 22-tile edition: the oracle of the fast engine.

`replay` judges a record, `generate` plays a complete legal game, `blind` hides from a record what
a spectator could not see (the dealt bonus tiles).

A null field is the same as an absent one, as in the Arrow form; so a `deal` without an item is a
deal of an unknown tile, and any other null is a missing field.

Keys of a state (the state after an event, when all that the event brings about is done; at the
end of an epoch, the last one too, that is: scored, the board cleared, the castles given back):

- `epoch`: 1..3, the epoch that the next event belongs to (3 once the game is over).
- `phase`: `deal` (the next event is a deal), `play` or `over`.
- `seat`: who gets the next deal or acts next; None once the game is over.
- `start`: the start player of `epoch`.
- `board`: cell -> tile or castle word, or None if it is empty; all 30 cells.
- `owners`: cell -> seat, only the cells with a castle.
- `castles`: a list by seat: castle word -> number not on the board, all four words.
- `castles_out`: a list by seat: castle word -> number that left the game, all four words.
- `bonus`: a list by seat: [] without a bonus tile, [tile], or [None] if it is unknown.
- `supply`: the number of tiles in the supply.
- `unseen`: the sorted tiles of which one can't tell whether they are in the supply or are
  somebody's unknown bonus tile; without unknowns just the contents of the supply.
- `scores`: gold by seat.
- `scored_board`, `scored_owners`: if this event ended an epoch, `board` and `owners` as they
  were when scored; else None.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from typing import Any

from tests.oracles.common import Event, Fault, Record, ScoreEvent, Verdict, ranks_of, summed

ROWS = "ABCDE"
COLUMNS = "123456"
CELLS = [row + column for row in ROWS for column in COLUMNS]
LINES: list[tuple[str, str, list[str]]] = [
    *(("row", row, [row + column for column in COLUMNS]) for row in ROWS),
    *(("column", column, [row + column for row in ROWS]) for column in COLUMNS),
]  # Scoring: each row, then each column.

RESOURCES = {f"+{n}": n for n in range(1, 7)}
HAZARDS = {f"-{n}": -n for n in range(1, 7)}
TILES: Counter[str] = Counter(
    {
        **dict.fromkeys(RESOURCES, 2),
        **dict.fromkeys(HAZARDS, 1),
        "mountain": 2,
        "dragon": 1,
        "gold_mine": 1,
    }
)
CASTLES = {"castle1": 1, "castle2": 2, "castle3": 3, "castle4": 4}
RANK_1_CASTLES = {2: 4, 3: 3, 4: 2}
START_GOLD = 50
EPOCHS = 3

FIELDS = {
    "deal": {"seat", "item"},
    "castle": {"seat", "item", "place"},
    "tile": {"seat", "item", "place"},
    "bonus": {"seat", "item", "place"},
    "pass": {"seat"},
}

Piece = tuple[str, int | None]  # a tile and None, or a castle and its owner
Board = dict[str, Piece]  # only the cells that are filled


# --- Scoring -------------------------------------------------------------------------------------


def segments(board: Board, cells: list[str]) -> list[list[Piece]]:
    """The pieces of a line, cut at its mountains."""
    parts: list[list[Piece]] = [[]]
    for cell in cells:
        if cell not in board:
            continue
        if board[cell][0] == "mountain":
            parts.append([])
        else:
            parts[-1].append(board[cell])
    return parts


def segment_value(pieces: list[Piece]) -> int:
    """Scoring: (2 if gold mine else 1) * ((0 if dragon else P) + N)."""
    items = [item for item, _ in pieces]
    plus = sum(RESOURCES.get(item, 0) for item in items)
    minus = sum(HAZARDS.get(item, 0) for item in items)
    if "dragon" in items:
        plus = 0
    return (2 if "gold_mine" in items else 1) * (plus + minus)


def score_board(board: Board, ply: int = 0) -> list[ScoreEvent]:
    """What each castle earns in its row's and in its column's segment."""
    earned: list[ScoreEvent] = []
    for source, place, cells in LINES:
        for pieces in segments(board, cells):
            value = segment_value(pieces)
            for item, owner in pieces:
                if owner is not None:
                    earned.append((ply, owner, source, place, CASTLES[item] * value))
    return summed(earned)


# --- The game ------------------------------------------------------------------------------------


class Game:
    """A table of Kingdoms, of which some bonus tiles may be unknown."""

    def __init__(self, players: int) -> None:
        """Hand out gold and castles; the first epoch starts with seat 0."""
        self.players = players
        self.scores = [START_GOLD] * players
        self.castles: list[Counter[str]] = [
            Counter(castle1=RANK_1_CASTLES[players], castle2=3, castle3=2, castle4=1) for _ in range(players)
        ]
        self.castles_out: list[Counter[str]] = [Counter() for _ in range(players)]
        self.epoch = 0
        self.over = False
        self.score_events: list[ScoreEvent] = []
        self.scored: Board | None = None
        self.begin_epoch(0)

    def begin_epoch(self, start: int) -> None:
        """Epoch 1: all 22 tiles are the supply (bonus tiles that weren't placed, too)."""
        self.epoch += 1
        self.start = start
        self.seat = start
        self.board: Board = {}
        self.unseen: Counter[str] = Counter(TILES)
        self.bonus: list[list[str | None]] = [[] for _ in range(self.players)]
        self.deals = 0

    @property
    def phase(self) -> str:
        """What comes next: `deal`, `play`, or nothing as the game is `over`."""
        if self.over:
            return "over"
        return "deal" if self.deals < self.players else "play"

    @property
    def supply(self) -> int:
        """The number of tiles in the supply: the unseen ones that nobody holds."""
        return sum(self.unseen.values()) - sum(hand == [None] for hand in self.bonus)

    def state(self) -> dict[str, Any]:
        """The state as plain values, as the module's docstring says."""
        scored = self.scored
        return {
            "epoch": self.epoch,
            "phase": self.phase,
            "seat": None if self.over else self.seat,
            "start": self.start,
            "board": _items(self.board),
            "owners": _owners(self.board),
            "castles": [{word: own[word] for word in CASTLES} for own in self.castles],
            "castles_out": [{word: out[word] for word in CASTLES} for out in self.castles_out],
            "bonus": [list(hand) for hand in self.bonus],
            "supply": self.supply,
            "unseen": sorted(self.unseen.elements()),
            "scores": list(self.scores),
            "scored_board": None if scored is None else _items(scored),
            "scored_owners": None if scored is None else _owners(scored),
        }

    # --- One event ---

    def apply(self, event: Event, ply: int) -> None:
        """Let the event happen, or raise Fault and change nothing."""
        if self.over:
            raise Fault("after_end", "the game is over")
        given = _checked_fields(event)
        action, seat = given["action"], given["seat"]
        if (action == "deal") != (self.phase == "deal"):
            raise Fault("wrong_phase", f"{action} in the phase {self.phase}")
        # Turns and deals both go clockwise from the epoch's start player.
        if seat != self.seat:
            raise Fault("wrong_seat", f"it is seat {self.seat}'s turn, not {seat}'s")
        if given.get("place") in self.board:
            raise Fault("occupied_cell", f"{given['place']} is not empty")

        if action == "deal":
            self._deal(given.get("item"))
        elif action == "castle":
            self._castle(given["item"])
            self.board[given["place"]] = (given["item"], seat)
        elif action == "tile":
            self._draw(given["item"])
            self.board[given["place"]] = (given["item"], None)
        elif action == "bonus":
            self._bonus(given["item"])
            self.board[given["place"]] = (given["item"], None)
        elif self.can_act():
            raise Fault("pass_not_forced", "a castle, a draw or the bonus tile is possible")

        self.scored = None
        self.seat = (self.seat + 1) % self.players
        if len(self.board) == len(CELLS):
            self._end_epoch(ply)

    def can_act(self) -> bool:
        """Whether the seat to act has a castle, a draw or a bonus tile (a cell there always is)."""
        has_castle = self.castles[self.seat].total() > 0
        return has_castle or self.supply > 0 or bool(self.bonus[self.seat])

    def _deal(self, item: str | None) -> None:
        if item is not None:
            self._draw(item)
        # Of an unknown tile one knows but that it is among the unseen; 22 are enough to deal.
        self.bonus[self.seat] = [item]
        self.deals += 1

    def _castle(self, item: str) -> None:
        if not self.castles[self.seat][item]:
            raise Fault("castle_not_owned", f"seat {self.seat} has no {item} left")
        self.castles[self.seat][item] -= 1

    def _draw(self, item: str) -> None:
        """Take a tile from the supply.

        Nothing is known of the k unknown bonus tiles but that they are k of the unseen ones. So
        this one can come from the supply if and only if it is unseen and k others remain unseen:
        then any k of those complete the record. (That is Hall's condition, as any unseen tile
        fits any unknown.)
        """
        if self.supply == 0:
            raise Fault("supply_empty", "the supply is empty")
        if not self.unseen[item]:
            raise Fault("tile_not_in_supply", f"every {item} is known to be elsewhere")
        self.unseen[item] -= 1

    def _bonus(self, item: str) -> None:
        """Play the bonus tile; an unknown one can be any of the unseen ones."""
        hand = self.bonus[self.seat]
        if not hand:
            raise Fault("bonus_already_played", f"seat {self.seat} has no bonus tile left")
        if hand == [None]:
            if not self.unseen[item]:
                raise Fault("bonus_unlike_dealt", f"every {item} is known to be elsewhere")
            self.unseen[item] -= 1
        elif hand != [item]:
            raise Fault("bonus_unlike_dealt", f"the bonus tile is {hand[0]}, not {item}")
        self.bonus[self.seat] = []

    def _end_epoch(self, ply: int) -> None:
        """Epoch 4: score, give back rank-1 castles; 2: find the next start player."""
        earned = score_board(self.board, ply)
        self.score_events += earned
        for _, seat, _, _, points in earned:
            self.scores[seat] += points
        for item, owner in self.board.values():
            if owner is not None:
                (self.castles if item == "castle1" else self.castles_out)[owner][item] += 1
        self.scored = self.board
        if self.epoch == EPOCHS:
            self.over = True
            self.board = {}
            self.bonus = [[] for _ in range(self.players)]
            self.unseen = Counter(TILES)
        else:
            clockwise = [(self.start + step) % self.players for step in range(self.players)]
            self.begin_epoch(next(s for s in clockwise if self.scores[s] == max(self.scores)))


def _items(board: Board) -> dict[str, str | None]:
    return {cell: board[cell][0] if cell in board else None for cell in CELLS}


def _owners(board: Board) -> dict[str, int]:
    owners = ((cell, board[cell][1]) for cell in CELLS if cell in board)
    return {cell: owner for cell, owner in owners if owner is not None}


def _checked_fields(event: Event) -> Event:
    """The fields of the event that are not null, if their names and words are those of the page."""
    given = {k: v for k, v in event.items() if v is not None and not k.startswith("_")}
    action = given.get("action")
    if not isinstance(action, str) or action not in FIELDS:
        raise Fault("unknown_action", f"no action {action!r}")
    needed = {"action"} | FIELDS[action]
    missing = needed - set(given) - ({"item"} if action == "deal" else set())
    if missing:
        raise Fault("missing_field", f"{action} needs {sorted(missing)}")
    if set(given) - needed:
        raise Fault("superfluous_field", f"{action} has no {sorted(set(given) - needed)}")
    words = set(CASTLES) if action == "castle" else set(TILES)
    item, place = given.get("item"), given.get("place")
    if "item" in given and not (isinstance(item, str) and item in words):
        raise Fault("unknown_item", f"no item {item!r} for {action}")
    if "place" in given and not (isinstance(place, str) and place in CELLS):
        raise Fault("unknown_place", f"no cell {place!r}")
    if not isinstance(given["seat"], int) or isinstance(given["seat"], bool):
        raise Fault("wrong_seat", f"no seat {given['seat']!r}")
    return given


# --- Replaying -----------------------------------------------------------------------------------


def replay(record: Record) -> Verdict:
    """Judge the record: the first event that no legal game can have there, or the scores."""
    seats = record.get("seats") or []
    players = len(seats)
    options = record.get("options") or {}
    if players not in RANK_1_CASTLES:
        return Verdict(False, None, "players", f"2 to 4 players, not {players}")
    if options.get("players", players) != players or set(options) - {"players"}:
        return Verdict(False, None, "options", f"options {options} with {players} seats")
    result = record.get("result") or {}
    if record.get("events") is None:  # results only: there is nothing to judge
        if not result:
            return Verdict(False, None, "no_events", "neither events nor a result")
        return Verdict(True)

    game = Game(players)
    states: list[dict[str, Any]] = []
    for ply, event in enumerate(record["events"]):
        try:
            game.apply(event, ply)
        except Fault as fault:
            events = summed(game.score_events)
            return Verdict(False, ply, fault.code, str(fault), None, None, events, states)
        states.append(game.state())

    verdict = Verdict(True, score_events=summed(game.score_events), states=states)
    if not game.over:
        if record.get("ended", "finished") == "finished":
            verdict.ok, verdict.ply, verdict.fault = False, len(states), "truncated"
            verdict.message = "the record stops before the end of the game"
        return verdict
    verdict.scores = list(game.scores)
    verdict.ranks = ranks_of(game.scores)  # End: no tie-break, a shared win
    for name, mine in (("scores", verdict.scores), ("ranks", verdict.ranks)):
        if result.get(name) is not None and result[name] != mine:
            verdict.ok, verdict.fault = False, "result_mismatch"
            verdict.message = f"{name}: recorded {result[name]}, replayed {mine}"
    return verdict


def blind(record: Record) -> Record:
    """The record as a spectator would write it: the bonus tiles unknown until they are placed."""
    seen = copy.deepcopy(record)
    for event in seen.get("events") or []:
        if event.get("action") == "deal":
            event["item"] = None
    return seen


# --- Playing -------------------------------------------------------------------------------------


def legal_actions(game: Game) -> list[str]:
    """Epoch 3: the kinds of action that the seat to act has."""
    if game.phase != "play":
        return ["deal"] if game.phase == "deal" else []
    possible = {
        "castle": game.castles[game.seat].total() > 0,
        "tile": game.supply > 0,
        "bonus": bool(game.bonus[game.seat]),
    }
    return [action for action, can in possible.items() if can] or ["pass"]


def generate(
    rng: random.Random,
    players: int,
    options: dict[str, Any],
    policy: str = "random",
    record_id: str = "g",
) -> Record:
    """A complete legal game with its result; nature's events are all known.

    "random": each seat has its own random liking for castles, draws and the bonus tile in each
    game, and puts things anywhere. "greedy": what gives the most points on the board as it is.
    """
    game = Game(players)
    likings = [{action: rng.choice([0.02, 0.3, 1.0]) for action in ("castle", "tile", "bonus")} for _ in range(players)]
    events: list[Event] = []
    while not game.over:
        actions = legal_actions(game)
        if actions == ["deal"]:
            event: Event = {"action": "deal", "item": _top_tile(rng, game)}
        elif actions == ["pass"]:
            event = {"action": "pass"}
        elif policy == "greedy":
            event = _greedy_event(rng, game, actions)
        elif policy == "random":
            weights = [likings[game.seat][action] for action in actions]
            event = _random_event(rng, game, rng.choices(actions, weights)[0])
        else:
            raise ValueError(f"no policy {policy!r}")
        event = {"seat": game.seat, **event}
        game.apply(event, len(events))
        events.append(event)
    return {
        "format": "game-record/1",
        "title": "kingdoms",
        "id": record_id,
        "source": "oracle",
        "options": dict(options),
        "ended": "finished",
        "seats": [{"player": f"p{seat}", "kind": "bot"} for seat in range(players)],
        "events": events,
        "result": {"scores": list(game.scores), "ranks": ranks_of(game.scores)},
    }


def _top_tile(rng: random.Random, game: Game) -> str:
    return rng.choice(sorted(game.unseen.elements()))


def _empty_cells(game: Game) -> list[str]:
    return [cell for cell in CELLS if cell not in game.board]


def _own_castles(game: Game) -> list[str]:
    return [word for word in CASTLES if game.castles[game.seat][word]]


def _random_event(rng: random.Random, game: Game, action: str) -> Event:
    if action == "castle":
        item = rng.choice(_own_castles(game))
    elif action == "tile":
        item = _top_tile(rng, game)
    else:
        item = str(game.bonus[game.seat][0])
    return {"action": action, "item": item, "place": rng.choice(_empty_cells(game))}


def _lead(board: Board, seat: int) -> int:
    """The points of the board as it is: one's own less those of the others."""
    return sum(p if owner == seat else -p for _, owner, _, _, p in score_board(board))


def _best(rng: random.Random, game: Game, pieces: list[Piece]) -> tuple[int, float, str, str]:
    """Gain, a random tie-break, item and cell of the best placement of one of the pieces."""
    before = _lead(game.board, game.seat)
    return max(
        (_lead({**game.board, cell: piece}, game.seat) - before, rng.random(), piece[0], cell)
        for piece in pieces
        for cell in _empty_cells(game)
    )


def _greedy_event(rng: random.Random, game: Game, actions: list[str]) -> Event:
    """The better of castle and bonus tile if it gains anything; else a draw, put at its best."""
    choices: list[tuple[tuple[int, float, str, str], str]] = []
    if "castle" in actions:
        own: list[Piece] = [(word, game.seat) for word in _own_castles(game)]
        choices.append((_best(rng, game, own), "castle"))
    if "bonus" in actions:
        choices.append((_best(rng, game, [(str(game.bonus[game.seat][0]), None)]), "bonus"))
    if "tile" in actions and (not choices or max(choices)[0][0] <= 0):
        choices = [(_best(rng, game, [(_top_tile(rng, game), None)]), "tile")]
    (_, _, item, place), action = max(choices)
    return {"action": action, "item": item, "place": place}
