"""Records changed at random, to find where engine and oracle disagree on what is legal."""

from __future__ import annotations

import copy
import random
from typing import Any

from pipeline.titles.contract import Book, Field

KINDS = (
    "drop", "duplicate", "swap", "swap_far", "move", "item", "place", "target", "seat", "amount",
    "append", "truncate", "null_item", "blind_and_item", "action",
)  # fmt: skip


def mutate(record: dict[str, Any], book: Book, rng: random.Random) -> dict[str, Any]:
    """A copy with one change in its events, often near the end of the game; without `result`."""
    changed = copy.deepcopy(record)
    changed.pop("result", None)
    events = changed["events"]
    at = rng.randrange(len(events))
    if rng.random() < 0.3:
        at = max(0, len(events) - 1 - rng.randrange(12))
    kind = rng.choice(KINDS)
    changed["_change"] = {"kind": kind, "at": at}
    if kind == "drop":
        del events[at]
    elif kind == "duplicate":
        events.insert(at, dict(events[at]))
    elif kind == "append":
        events.append(dict(events[at]))
    elif kind == "truncate":
        del events[at:]
    elif kind in ("swap", "swap_far", "move"):
        other = min(at + 1, len(events) - 1) if kind == "swap" else rng.randrange(len(events))
        if kind == "move":
            events.insert(other, events.pop(at))
        else:
            events[at], events[other] = events[other], events[at]
    else:
        _change_field(events, at, kind, len(record["seats"]), book, rng)
    return changed


def _change_field(events: list[dict[str, Any]], at: int, kind: str, seats: int, book: Book, rng: random.Random) -> None:
    event = events[at]
    action = book.actions[book.action_code[event["action"]]]
    if kind == "seat" and "seat" in event:
        event["seat"] = rng.randrange(seats)
    elif kind == "amount" and "amount" in event:
        event["amount"] = max(0, event["amount"] + rng.choice((-2, -1, 1, 2)))
    elif kind == "null_item" and "item" in event:
        event["item"] = None
    elif kind == "action":
        event["action"] = rng.choice(book.actions).name
    elif kind == "blind_and_item":
        # Hide all that may be hidden before it, then change the item: unknowns must contradict.
        for earlier in events[:at]:
            if book.actions[book.action_code[earlier["action"]]].unknown and rng.random() < 0.8:
                earlier["item"] = None
        _other_word(event, "item", action.item, rng)
    elif kind == "target" and action.target == "seat":
        event["target"] = rng.randrange(seats)
    elif kind in ("item", "place", "target"):
        field = getattr(action, kind)
        _other_word(event, kind, field if isinstance(field, Field) else None, rng)


def _other_word(event: dict[str, Any], name: str, field: Field | None, rng: random.Random) -> None:
    if field is not None and event.get(name) is not None:
        event[name] = rng.choice(field.words)
