"""The text form of a game record, version 1: reading one strictly, encoding its events, writing it.

One record is JSON on one line. What is wrong with a record is a `RecordFault`, one sentence for a
person. `pipeline.ingest` reads whole files; this module knows one record.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import msgspec

from pipeline import titles
from pipeline.titles.contract import NATURE, NONE, Action, Book, Field, Title, TitleError
from pipeline.wording import one_line, quoted

FORMAT = "game-record/1"
ENDINGS = ("finished", "abandoned", "conceded", "timeout")
KINDS = ("human", "bot")
FIELDS = ("seat", "action", "item", "place", "target", "amount")
SMALL = 32767
"""Greatest number that an event's field may hold."""


class RecordFault(ValueError):
    """What is wrong with a record: `fault` names it, `ply` is the event's, None in the header."""

    def __init__(self, fault: str, message: str, ply: int | None = None) -> None:
        super().__init__(message)
        self.fault = fault
        self.ply = ply


class SeatFields(msgspec.Struct, forbid_unknown_fields=True):
    """One of `seats` as it stands in a record."""

    player: str | None = None
    kind: str | None = None
    source_seat: str | None = None


class ResultFields(msgspec.Struct, forbid_unknown_fields=True):
    """`result` as it stands in a record."""

    scores: list[int] | None = None
    ranks: list[int] | None = None


class _Header(msgspec.Struct, forbid_unknown_fields=True):
    format: str
    title: str
    id: str
    seats: list[SeatFields]
    events: Any = None
    source: str | None = None
    played_at: str | None = None
    options: dict[str, Any] | None = None
    ended: str | None = None
    result: ResultFields | None = None


@dataclass
class Seat:
    """One seat of a record."""

    player: str | None
    kind: str
    source_seat: str | None


@dataclass
class Record:
    """A record whose header is in order; `codes` are its events as six numbers each.

    An event that cannot be encoded is a row of -2 and stands in `form_faults` by its ply.
    """

    title: str
    id: str
    source: str
    played_at: datetime | None
    options: dict[str, Any]
    ended: str
    seats: list[Seat]
    scores: list[int] | None
    ranks: list[int] | None
    board: str
    has_events: bool
    codes: list[tuple[int, int, int, int, int, int]] = field(default_factory=list)
    form_faults: dict[int, RecordFault] = field(default_factory=dict)


def parse_json(text: str | bytes) -> Any:
    """JSON as the standard says: no NaN, no key twice, nothing behind it. Raises RecordFault."""
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8")
        return json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
    except UnicodeDecodeError as error:
        raise RecordFault("encoding", f"byte {error.start + 1} of the line is not UTF-8") from error
    except json.JSONDecodeError as error:
        # Some of the library's messages end with an "at" of their own.
        what = error.msg[0].lower() + error.msg[1:].removesuffix(" at")
        raise RecordFault("json", f"not JSON: {what} at character {error.pos + 1}") from error
    except RecursionError as error:
        raise RecordFault("json", "not a record: it is nested too deeply") from error
    except ValueError as error:
        if isinstance(error, RecordFault):
            raise
        raise RecordFault("json", f"not JSON: {error}") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for i, (key, _) in enumerate(pairs) if key in dict(pairs[:i]))
        raise RecordFault("duplicate_key", f"the field {quoted(twice)} stands twice in one object")
    return found


def _constant(name: str) -> Any:
    raise RecordFault("json", f"{name} is not a number that JSON knows")


def read_record(data: Any, default_source: str = "") -> Record:
    """Check a parsed record's header and encode its events. Raises RecordFault for the header.

    Faults in single events are kept in `form_faults`, because an earlier event may break a rule.
    """
    header = _header(data)
    if header.format != FORMAT:
        raise RecordFault("format", f"format is {quoted(header.format)}, wanted {quoted(FORMAT)}")
    if header.title not in titles.names():
        raise RecordFault("unknown_title", f"unknown title {quoted(header.title)}; known: {', '.join(titles.names())}")
    if not header.id:
        raise RecordFault("id", "the id is empty")
    _check_names(header)
    ended = _one_of("ended", header.ended, ENDINGS)
    seats = [
        Seat(seat.player, _one_of(f"kind of seat {i}", seat.kind, KINDS), seat.source_seat)
        for i, seat in enumerate(header.seats)
    ]
    title = titles.load(header.title)
    try:
        options = title.complete_options(header.options or {}, len(seats))
        board = title.board_id(options)
        book = title.book(board)
    except TitleError as error:
        raise RecordFault("options", str(error)) from error
    scores, ranks = _result(header.result, len(seats))
    if header.events is None and scores is None and ranks is None:
        raise RecordFault("no_events", "it has neither events nor a result")
    record = Record(
        header.title, header.id, header.source or default_source, moment_of(header.played_at), options,
        ended, seats, scores, ranks, board, header.events is not None,
    )  # fmt: skip
    encode_events(record, header.events or [], title, book)
    return record


def _header(data: Any) -> _Header:
    if not isinstance(data, dict):
        raise RecordFault("json", "not a record: a record is one JSON object on one line")
    known = {key: value for key, value in data.items() if not key.startswith("_")}
    try:
        header = msgspec.convert(known, _Header)
    except (msgspec.ValidationError, OverflowError) as error:
        raise RecordFault("header", _in_words(str(error))) from error
    if header.events is not None and not isinstance(header.events, list):
        raise RecordFault("header", "the field events must be a list")
    return header


def _check_names(header: _Header) -> None:
    """JSON can write half a character (half a surrogate pair), but no table can hold it."""
    names = {"id": header.id, "source": header.source}
    for i, seat in enumerate(header.seats):
        names |= {f"player of seat {i}": seat.player, f"source_seat of seat {i}": seat.source_seat}
    for name, text in names.items():
        try:
            (text or "").encode()
        except UnicodeEncodeError as error:
            raise RecordFault("encoding", f"{name} holds half a character at position {error.start + 1}") from error


def _in_words(problem: str) -> str:
    """msgspec's message as a sentence: "Expected `int`, got `str` - at `$.seats[0].player`"."""
    what, _, where = problem.partition(" - at `$")
    what = what.replace(" | null`", "`")
    kinds = {"`str`": "text", "`int`": "a whole number", "`array`": "a list", "`object`": "an object"}
    kinds |= {" | null": "", "`float`": "a number with a point", "`bool`": "true or false"}
    kinds |= {"str": "text", "int": "a whole number"}
    for code, words in kinds.items():
        what = what.replace(code, words)
    what = what.replace("`", "").replace("Object missing required", "the record has no")
    what = what.replace("Object contains unknown", "unknown").replace("Expected", "wanted")
    place = where.strip("`.").replace("`", "")
    return one_line(f"{place}: {what}" if place else what)


def _one_of(what: str, value: str | None, words: tuple[str, ...]) -> str:
    if value is None:
        return words[0]
    if value not in words:
        raise RecordFault("header", f"{what} is {quoted(value)}, wanted {', '.join(words)}")
    return value


def moment_of(text: str | None) -> datetime | None:
    """The moment that `played_at` names, in UTC. Raises RecordFault."""
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise RecordFault("played_at", f"played_at {quoted(text)} is not an ISO 8601 time") from error
    if moment.tzinfo is None:
        raise RecordFault("played_at", f"played_at {quoted(text)} has no time zone; it is not guessed")
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise RecordFault("played_at", f"played_at {quoted(text)} is out of range") from error


def _result(result: ResultFields | None, seats: int) -> tuple[list[int] | None, list[int] | None]:
    if result is None:
        return None, None
    for name, values in (("scores", result.scores), ("ranks", result.ranks)):
        if values is None:
            continue
        if len(values) != seats:
            raise RecordFault("result", f"result has {len(values)} {name} for {seats} seats")
        if any(abs(value) > 2**31 - 1 for value in values):
            raise RecordFault("result", f"a number in the result's {name} is out of range")
    if result.ranks is not None and any(not 1 <= rank <= seats for rank in result.ranks):
        raise RecordFault("result", f"ranks go from 1 to {seats}")
    return result.scores, result.ranks


UNENCODABLE = (-2, -2, -2, -2, -2, -2)


def encode_events(record: Record, events: list[Any], title: Title, book: Book) -> None:
    """Fill `codes` and `form_faults` of a record."""
    for ply, event in enumerate(events):
        try:
            record.codes.append(encode_event(event, book, len(record.seats), ply))
        except RecordFault as fault:
            record.codes.append(UNENCODABLE)
            record.form_faults[ply] = fault


def encode_event(event: Any, book: Book, seats: int, ply: int) -> tuple[int, int, int, int, int, int]:
    """One event's six codes: seat, action, item, place, target, amount. Raises RecordFault."""
    if not isinstance(event, dict):
        raise RecordFault("header", "an event must be an object", ply)
    name = event.get("action")
    if not isinstance(name, str):
        missing = "has no action" if name is None else "names its action with something but text"
        raise RecordFault("unknown_action", f"the event {missing}", ply)
    code = book.action_code.get(name)
    if code is None:
        raise RecordFault("unknown_action", f"unknown action {quoted(name)}", ply)
    for key in event:
        if key not in FIELDS and not key.startswith("_"):
            raise RecordFault("unknown_field", f"unknown field {quoted(key)} in an event", ply)
    action = book.actions[code]
    seat = _seat(event.get("seat"), action, seats, ply)
    item = _word("item", event.get("item"), action, action.item, book.item_code, ply)
    place = _word("place", event.get("place"), action, action.place, book.place_code, ply)
    if action.target == "seat":
        target = _number("target", event.get("target"), action.name, ply)
    else:
        assert not isinstance(action.target, str)
        target = _word("target", event.get("target"), action, action.target, book.target_code, ply)
    amount = event.get("amount")
    if action.amount:
        amount = _number("amount", amount, action.name, ply)
    elif amount is not None:
        raise RecordFault("superfluous_field", f"{name} takes no amount", ply)
    return seat, code, item, place, target, NONE if amount is None else amount


def _seat(seat: Any, action: Action, seats: int, ply: int) -> int:
    if seat is None:
        if action.seat is True:
            raise RecordFault("missing_field", f"{action.name} needs a seat", ply)
        return NATURE
    if action.seat is False:
        raise RecordFault("superfluous_field", f"{action.name} takes no seat", ply)
    number = _number("seat", seat, action.name, ply)
    if number >= seats:
        raise RecordFault("unknown_seat", f"there is no seat {number} among {seats}", ply)
    return number


def _number(name: str, value: Any, action: str, ply: int) -> int:
    if value is None:
        raise RecordFault("missing_field", f"{action} needs the field {name}", ply)
    if type(value) is not int:
        raise RecordFault("wrong_type", f"{name} must be a whole number, not {quoted(value)}", ply)
    if not 0 <= value <= SMALL:
        raise RecordFault("wrong_value", f"{name} {quoted(value)} is out of range", ply)
    return value


def _word(name: str, value: Any, action: Action, wanted: Field | None, codes: Any, ply: int) -> int:
    if value is None:
        unknown = name == "item" and action.unknown
        if wanted is not None and not wanted.optional and not unknown:
            raise RecordFault("missing_field", f"{action.name} needs the field {name}", ply)
        return NONE
    if wanted is None:
        raise RecordFault("superfluous_field", f"{action.name} takes no {name}", ply)
    # True equals 1 in Python; a list cannot be looked up: only text and whole numbers are words.
    if type(value) not in (str, int):
        raise RecordFault("wrong_type", f"{name} {quoted(value)} is of the wrong type", ply)
    code = codes.get(value)
    if code is None or value not in wanted.words:
        raise RecordFault(f"unknown_{name}", f"{action.name} knows no {name} {quoted(value)}", ply)
    return int(code)


def decode_event(codes: Any, book: Book) -> dict[str, Any]:
    """The text form of one encoded event: absent fields left out, unknown items null."""
    seat, action_code, item, place, target, amount = (int(code) for code in codes)
    action = book.actions[action_code]
    event: dict[str, Any] = {}
    if seat >= 0:
        event["seat"] = seat
    event["action"] = action.name
    if item >= 0:
        event["item"] = book.items[item]
    elif action.unknown:
        event["item"] = None
    if place >= 0:
        event["place"] = book.places[place]
    if target >= 0:
        event["target"] = target if action.target == "seat" else book.targets[target]
    if amount >= 0:
        event["amount"] = amount
    return event
