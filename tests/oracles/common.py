"""What every oracle answers, and the small helpers they share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Record = dict[str, Any]
Event = dict[str, Any]
ScoreEvent = tuple[int, int, str, str, int]  # ply, seat, source, place, points


class Fault(Exception):
    """The event at hand cannot stand there in any legal game."""

    def __init__(self, code: str, message: str = "") -> None:
        super().__init__(message or code)
        self.code = code


@dataclass
class Verdict:
    """The oracle's answer on one record.

    `ply` is the ply of the first fault, or None. `scores` and `ranks` are None unless the game
    is over. `states[k]` is the state after event k, as plain values.
    """

    ok: bool
    ply: int | None = None
    fault: str | None = None
    message: str = ""
    scores: list[int] | None = None
    ranks: list[int] | None = None
    score_events: list[ScoreEvent] = field(default_factory=list)
    states: list[dict[str, Any]] = field(default_factory=list)


def ranks_of(keys: list[Any]) -> list[int]:
    """1 + the number of players whose key is strictly greater."""
    return [1 + sum(other > mine for other in keys) for mine in keys]


def summed(events: list[ScoreEvent]) -> list[ScoreEvent]:
    """Equal (ply, seat, source, place) added up, events of no points left out, sorted."""
    total: dict[tuple[int, int, str, str], int] = {}
    for ply, seat, source, place, points in events:
        key = (ply, seat, source, place)
        total[key] = total.get(key, 0) + points
    return sorted((*key, points) for key, points in total.items() if points)
