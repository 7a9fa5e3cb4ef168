"""Call to Glory: a state for people, as plain values, as text and as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pipeline.titles.call_to_glory.codes import (
    CHARACTERS,
    DECKS,
    FIRST_DISCARD,
    FIRST_TASK,
    KINDS,
    PILES,
    TASKS,
    VALUES,
)
from pipeline.titles.call_to_glory.options import Board
from pipeline.titles.call_to_glory.rules_state import DISPLACING, HELD, OVER, REVEALING, SETUP, State

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PHASES = ("setup", "draw", "act", "displace", "close", "task", "over")


def view(state: State, board: Board) -> dict[str, Any]:
    """All that there is to see, in words."""
    players = range(state.players)
    in_turn = state.phase not in (SETUP, REVEALING, OVER)
    beaten = [int(state.turn_seat), CHARACTERS[state.beaten_item], int(state.beaten_cards)]
    return {
        "round": min(int(state.epoch) + 1, int(state.rounds)),
        "phase": PHASES[state.phase],
        "seat": None if state.phase in (SETUP, OVER) else int(state.turn_seat),
        "start": int(state.start),
        "turn": int(state.turn),
        "drawn_from": [PILES[state.drawn_from[i]] for i in range(state.drawn)],
        "hands": [_hand(state, seat) for seat in players],
        "sets": [_sets(state, seat) for seat in players],
        "draw1": int(state.height[0]),
        "draw2": int(state.height[1]),
        "discard1": _pile(state, 0),
        "discard2": _pile(state, 1),
        "must_displace": beaten if state.phase == DISPLACING else None,
        "mini_supply": int(state.mini_supply),
        "minis": [int(state.minis[seat]) for seat in players],
        "minis_ready": int(state.minis[state.actor] - state.fresh) if in_turn else 0,
        "tasks": [_tasks(state, seat) for seat in players],
        "revealed": [_revealed(state, seat) for seat in players],
        "scores": [int(state.score[seat]) for seat in players],
        "rounds": [[int(state.history[i, seat]) for seat in players] for i in range(state.epoch)],
        "round_points": [int(state.round_points[seat]) for seat in players],
        "rounds_to_play": int(state.rounds),
        "with_ninjas": bool(state.with_ninjas),
    }


def _hand(state: State, seat: int) -> list[str | None]:
    known = [name for name, cards in zip(CHARACTERS, state.hand[seat], strict=True) for _ in range(cards)]
    return [*sorted(known), *[None] * int(state.hidden[seat])]


def _sets(state: State, seat: int) -> dict[str, int]:
    return {
        CHARACTERS[i]: int(state.set_cards[i])
        for i in range(KINDS)
        if state.set_cards[i] > 0 and state.set_owner[i] == seat
    }


def _pile(state: State, pile: int) -> list[str]:
    return [CHARACTERS[i] for i in state.pile[pile, : state.height[FIRST_DISCARD + pile]]]


def _tasks(state: State, seat: int) -> list[str | None]:
    if not state.with_tasks:
        return []
    known = [
        TASKS[KINDS * deck + int(state.task[seat, deck])]
        for deck in range(len(DECKS))
        if state.task_state[seat, deck] == HELD
    ]
    return [*sorted(known), *[None] * int(state.tasks_hidden[seat])]


def _revealed(state: State, seat: int) -> list[str]:
    if not state.with_tasks:
        return []
    return [TASKS[item - FIRST_TASK] for item in state.revealed[seat, : state.rounds] if item >= 0]


def text(shown: dict[str, Any]) -> str:
    return ""


def draw(shown: dict[str, Any], axes: Axes, colours: tuple[str, ...]) -> None:
    axes.set_axis_off()


_ = VALUES
