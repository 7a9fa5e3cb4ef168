"""The table of malformed inputs: each with its fault, what its sentence must say, and its place.

A record that is not text here is bytes as they stand in the file.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Event = dict[str, Any]


def whole_game() -> dict[str, Any]:
    """A short legal beginning of a two-player game of Kingdoms, not finished."""
    return {
        "format": "game-record/1",
        "title": "kingdoms",
        "id": "g1",
        "source": "club",
        "options": {},
        "ended": "abandoned",
        "seats": [{"player": "anna"}, {"player": "bence"}],
        "events": [
            {"seat": 0, "action": "deal", "item": "+3"},
            {"seat": 1, "action": "deal", "item": None},
            {"seat": 0, "action": "castle", "item": "castle2", "place": "B3"},
            {"seat": 1, "action": "tile", "item": "-1", "place": "A1"},
            {"seat": 0, "action": "bonus", "item": "+3", "place": "A2"},
        ],
    }


@dataclass(frozen=True)
class BadInput:
    name: str
    line: bytes
    fault: str
    says: str
    ply: int | None = None


def header(name: str, fault: str, says: str, **changes: Any) -> BadInput:
    """A record with other header fields; a value of `...` removes the field."""
    record = whole_game() | changes
    record = {key: value for key, value in record.items() if value is not ...}
    return BadInput(name, json.dumps(record).encode(), fault, says)


def text(name: str, fault: str, says: str, old: str, new: str) -> BadInput:
    """The record's text with a piece replaced."""
    line = json.dumps(whole_game())
    assert old in line
    return BadInput(name, line.replace(old, new, 1).encode("utf-8", "surrogatepass"), fault, says)


def play(name: str, fault: str, says: str, ply: int, change: Callable[[list[Event]], Any]) -> BadInput:
    """The record with other events."""
    record = copy.deepcopy(whole_game())
    change(record["events"])
    return BadInput(name, json.dumps(record).encode(), fault, says, ply)


def event(name: str, fault: str, says: str, ply: int, **changes: Any) -> BadInput:
    """The record with other fields in the event at `ply`."""

    def change(events: list[Event]) -> None:
        events[ply] |= changes
        events[ply] = {key: value for key, value in events[ply].items() if value is not ...}

    return play(name, fault, says, ply, change)


def _more(*events: Event) -> Callable[[list[Event]], None]:
    return lambda given: given.extend(events)


DEEP = b'{"format":"game-record/1","_x":' + b"[" * 100_000 + b"]" * 100_000 + b"}"

BAD_INPUTS = (
    BadInput("not JSON", b"hello", "json", "not JSON"),
    BadInput("broken off", json.dumps(whole_game()).encode()[:80], "json", "not JSON"),
    BadInput("two records on a line", b'{"a":1}{"b":2}', "json", "extra data"),
    BadInput("an array", b"[1,2,3]", "json", "one JSON object"),
    BadInput("a number", b"42", "json", "one JSON object"),
    BadInput("null", b"null", "json", "one JSON object"),
    BadInput("a NUL byte", b'{"format":"game\x00"}', "json", "control character"),
    BadInput("only NUL bytes", b"\x00\x00\x00\x00", "json", "not JSON"),
    BadInput("Latin-1 text", '{"id":"Zürich"}'.encode("latin-1"), "encoding", "not UTF-8"),
    BadInput("a lone byte", b'{"id":"\xff"}', "encoding", "byte 8"),
    BadInput("deep nesting", DEEP, "json", "nested too deeply"),
    BadInput("trailing comma", b'{"format":"game-record/1",}', "json", "not JSON"),
    BadInput("single quotes", b"{'format':'game-record/1'}", "json", "not JSON"),
    text("NaN", "json", "NaN is not a number", '"options": {}', '"options": {"x": NaN}'),
    text("Infinity", "json", "-Infinity is not a number", '"options": {}', '"options": {"x": -Infinity}'),
    text("a key twice", "duplicate_key", '"id" stands twice', '"id": "g1"', '"id": "g1", "id": "g2"'),
    text("a key twice in an event", "duplicate_key", '"item" stands twice', '"item": "+3"', '"item": "+3", "item": 1'),
    text("a key twice in a seat", "duplicate_key", '"player" stands twice', '"player": "anna"',
         '"player": "anna", "player": "x"'),
    text("a kind twice, and none in the other seat", "duplicate_key", '"kind" stands twice',
         '"player": "anna"', '"player": "anna", "kind": "bot", "kind": "human"'),
    text("a player twice, named as a field", "duplicate_key", '"player" stands twice',
         '"player": "anna"', '"player": "anna", "player": "kind"'),
    text("ended twice", "duplicate_key", '"ended" stands twice', '"ended": "abandoned"',
         '"ended": "abandoned", "ended": "timeout"'),
    text("a key twice, one of them before a space", "duplicate_key", '"source" stands twice',
         '"source": "club"', '"source" : "hall", "source": "club"'),
    text("a number of 5,000 digits", "json", "not JSON", '"options": {}', '"options": {"x": ' + "9" * 5000 + "}"),
    header("no format", "header", "no field format", format=...),
    header("format 2", "format", "game-record/2", format="game-record/2"),
    header("format a number", "header", "format: wanted text", format=1),
    header("no title", "header", "no field title", title=...),
    header("unknown title", "unknown_title", "monopoly", title="monopoly"),
    header("title of another case", "unknown_title", "Kingdoms", title="Kingdoms"),
    header("no id", "header", "no field id", id=...),
    header("empty id", "id", "empty", id=""),
    header("half a character in the id", "encoding", "id holds half a character", id="g\ud83c"),
    header("half a character in a player", "encoding", "player of seat 1 holds half a character at position 2",
           seats=[{}, {"player": "b\ude00", "source_seat": "\ud800"}]),
    header("id a number", "header", "id: wanted text", id=7),
    header("unknown field", "header", "unknown field winner", winner="anna"),
    header("no seats", "header", "no field seats", seats=...),
    header("0 seats", "options", "0 seats", seats=[]),
    header("1 seat", "options", "1 seats", seats=[{"player": "anna"}]),
    header("9 seats", "options", "9 seats", seats=[{"player": str(i)} for i in range(9)]),
    header("seats a text", "header", "seats: wanted a list", seats="anna, bence"),
    header("a seat a text", "header", "seats[0]: wanted an object", seats=["anna", "bence"]),
    header("player a number", "header", "seats[0].player", seats=[{"player": 5}, {"player": "b"}]),
    header("unknown field of a seat", "header", "unknown field colour", seats=[{"colour": "red"}, {}]),
    header("unknown kind", "header", "kind of seat 1", seats=[{}, {"kind": "robot"}]),
    header("unknown ended", "header", "ended is", ended="won"),
    header("options a list", "header", "options: wanted an object", options=[]),
    header("unknown option", "options", "no option 'dragons'", options={"dragons": True}),
    header("players unlike the seats", "options", "no option 'players'", options={"players": 3}),
    header("time without zone", "played_at", "no time zone", played_at="2026-03-14T19:02:00"),
    header("time that is none", "played_at", "not an ISO 8601 time", played_at="yesterday"),
    header("time of month 13", "played_at", "not an ISO 8601 time", played_at="2026-13-01T00:00:00Z"),
    header("time a number", "header", "played_at: wanted text", played_at=1741978920),
    header("neither events nor result", "no_events", "neither events nor a result", events=...),
    header("events an object", "header", "events must be a list", events={}),
    header("scores too few", "result", "1 scores for 2 seats", result={"scores": [1]}),
    header("scores of text", "header", "scores[0]", result={"scores": ["61", "48"]}),
    header("scores huge", "result", "out of range", result={"scores": [10**12, 1]}),
    header("scores beyond 64 bits", "result", "out of range", result={"scores": [10**30, 1]}),
    header("scores with a point", "header", "scores[0]", result={"scores": [61.5, 48]}),
    header("rank 0", "result", "ranks go from 1", result={"ranks": [0, 1]}),
    header("a line end in an unknown field of the result", "header", "unknown field \\u000ax", result={"\nx": 0}),
    header("unknown field of the result", "header", "unknown field winner", result={"winner": 0}),
    play("an event a text", "header", "must be an object", 2, lambda e: e.insert(2, "castle")),
    event("no action", "unknown_action", "no action", 2, action=...),
    event("unknown action", "unknown_action", "castel", 2, action="castel"),
    event("action a number", "unknown_action", "something but text", 2, action=3),
    event("unknown field of an event", "unknown_field", "colour", 2, colour="red"),
    event("no seat", "missing_field", "needs a seat", 2, seat=...),
    event("seat 5 of 2", "unknown_seat", "no seat 5", 2, seat=5),
    event("seat -1", "wrong_value", "out of range", 2, seat=-1),
    event("seat true", "wrong_type", "must be a whole number", 2, seat=True),
    event("seat a text", "wrong_type", "must be a whole number", 2, seat="0"),
    event("seat 0.0", "wrong_type", "must be a whole number", 2, seat=0.0),
    event("seat huge", "wrong_value", "out of range", 2, seat=10**20),
    event("no item", "missing_field", "needs the field item", 2, item=...),
    event("null item", "missing_field", "needs the field item", 2, item=None),
    event("unknown item", "unknown_item", "castle9", 2, item="castle9"),
    event("item of another action", "unknown_item", "+3", 2, item="+3"),
    event("item a list", "wrong_type", "wrong type", 2, item=["castle2"]),
    event("item a number", "unknown_item", "2", 2, item=2),
    event("no place", "missing_field", "needs the field place", 2, place=...),
    event("unknown place", "unknown_place", "Z9", 2, place="Z9"),
    event("place a number", "unknown_place", "9", 2, place=9),
    event("superfluous target", "superfluous_field", "takes no target", 2, target=1),
    event("superfluous amount", "superfluous_field", "takes no amount", 2, amount=1),
    event("superfluous place", "superfluous_field", "takes no place", 1, place="A1"),
    event("wrong seat", "wrong_seat", "turn of seat 0, not of seat 1", 2, seat=1),
    event("occupied cell", "occupied_cell", "B3 is taken", 3, place="B3"),
    event("bonus unlike the dealt one", "bonus_unlike_dealt", "dealt +3", 4, item="+4"),
    play("dealt twice", "wrong_phase", "deal cannot stand here", 2,
         lambda e: e.insert(2, {"seat": 0, "action": "deal", "item": None})),
    play("action before the deals", "wrong_phase", "castle cannot stand here", 0, lambda e: e.pop(0) and e.pop(0)),
    play("castle not owned", "castle_not_owned", "no castle4 left", 7, _more(
        {"seat": 1, "action": "castle", "item": "castle4", "place": "A3"},
        {"seat": 0, "action": "tile", "item": "-2", "place": "A4"},
        {"seat": 1, "action": "castle", "item": "castle4", "place": "A5"},
    )),
    play("tile drawn twice", "tile_not_in_supply", "no -1 is left", 5,
         _more({"seat": 1, "action": "tile", "item": "-1", "place": "A3"})),
    play("bonus played twice", "bonus_already_played", "no bonus tile", 6, _more(
        {"seat": 1, "action": "tile", "item": "-2", "place": "A3"},
        {"seat": 0, "action": "bonus", "item": "+3", "place": "A4"},
    )),
    play("pass while it could act", "pass_not_forced", "may pass only when", 5, _more({"seat": 1, "action": "pass"})),
    header("finished too early", "truncated", "ends before the game is over", ended="finished"),
)  # fmt: skip
"""Beginnings of one-line files; `tests/test_bad_input.py` puts each between two good records."""
