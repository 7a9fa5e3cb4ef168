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
        "values": {name: int(value) for name, value in zip(CHARACTERS, board.values, strict=True)},
        "with_tasks": bool(state.with_tasks),
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


def worth(shown: dict[str, Any], seat: int) -> int:
    """What the sets in front of a seat would score now; nothing after the game, where they have."""
    return 0 if shown["phase"] == "over" else sum(shown["values"][name] for name in shown["sets"][seat])


def text(shown: dict[str, Any]) -> str:
    """A column a character: cards in front of each seat, in brackets the known ones in its hand."""
    lines = [" " * 17 + "".join(f"{name:^9}" for name in CHARACTERS)]
    lines.append(" " * 17 + "".join(f"{shown['values'][name]:^9}" for name in CHARACTERS))
    for seat, score in enumerate(shown["scores"]):
        mark = ">" if seat == shown["seat"] else " "
        cells = "".join(f"{_cell(shown, seat, name):^9}" for name in CHARACTERS)
        now = worth(shown, seat)
        points = f"{score:4} {f'+{now}' if now else '':4}"
        lines.append(f"{mark} seat {seat} {points} {cells}{_belongings(shown, seat)}".rstrip())
    lines += ["", f"  {_piles(shown)}", f"  {_moment(shown)}"]
    return "\n".join(lines)


def _cell(shown: dict[str, Any], seat: int, name: str) -> str:
    cards = shown["sets"][seat].get(name)
    held = shown["hands"][seat].count(name)
    return f"{cards or '.'}{f' ({held})' if held else ''}"


def _belongings(shown: dict[str, Any], seat: int) -> str:
    parts = []
    unknown = shown["hands"][seat].count(None)
    if unknown:
        parts.append(f"{unknown} unknown cards")
    if shown["with_tasks"]:
        tasks = [task or "?" for task in shown["tasks"][seat]]
        parts.append(f"tasks {' '.join(tasks) or 'none'}")
    if shown["with_ninjas"]:
        parts.append(f"miniatures {shown['minis'][seat]}")
    return ", ".join(parts)


def _piles(shown: dict[str, Any]) -> str:
    piles = [f"{name} {shown[name]} cards" for name in ("draw1", "draw2")]
    for name in ("discard1", "discard2"):
        cards = shown[name]
        piles.append(f"{name} {len(cards)} cards, {cards[-1]} on top" if cards else f"{name} empty")
    if shown["with_ninjas"]:
        piles.append(f"miniatures in the supply {shown['mini_supply']}")
    return "; ".join(piles)


def _moment(shown: dict[str, Any]) -> str:
    moment = f"round {shown['round']} of {shown['rounds_to_play']}, {shown['phase']}"
    if shown["must_displace"]:
        owner, name, cards = shown["must_displace"]
        moment += f": seat {owner} puts {cards} {name} away"
    return moment


def draw(shown: dict[str, Any], axes: Axes, colours: tuple[str, ...]) -> None:
    """The table on matplotlib axes: a row a seat, a column a character, the piles below."""
    seats = len(shown["scores"])
    height = 5.6 / seats
    axes.set_xlim(0, 12.8)
    axes.set_ylim(8.6, 0)
    axes.set_aspect("equal")
    axes.set_xticks([])
    axes.set_yticks([])
    for i, name in enumerate(CHARACTERS):
        _write(axes, 2.0 + i + 0.5, 0.25, name, 8)
        _write(axes, 2.0 + i + 0.5, 0.65, str(shown["values"][name]), 12, weight="bold")
    _write(axes, 11.95, 0.25, "total", 8)
    _write(axes, 11.95, 0.65, "(+ on the table)", 7)
    for seat in range(seats):
        _draw_seat(shown, axes, seat, 0.95 + seat * height, height, colours[seat])
    _draw_piles(shown, axes)
    _write(axes, 0.1, 8.35, _moment(shown), 8, align="left")
    _write(axes, 12.7, 8.35, "filled: set in front of the seat; small: cards in hand", 7, align="right")


def _draw_seat(shown: dict[str, Any], axes: Axes, seat: int, top: float, height: float, colour: str) -> None:
    """The seat's name and belongings, its sets and hand by character, its score."""
    turn = seat == shown["seat"]
    axes.add_patch(_box(0.05, top + 0.06, 1.85, height - 0.12, colour if turn else "white", colour))
    ink = "white" if turn else colour
    _write(axes, 0.97, top + 0.3, f"seat {seat + 1}", 11, ink, weight="bold")
    notes = ["to decide"] if turn else []
    if seat == shown["start"]:
        notes.append("start player")
    notes += [part.replace(" cards", "") for part in _belongings(shown, seat).split(", ")]
    _write(axes, 0.97, top + 0.52, "\n".join(notes), 6.5, ink, vertical="top")
    for i, name in enumerate(CHARACTERS):
        cards = shown["sets"][seat].get(name, 0)
        held = shown["hands"][seat].count(name)
        axes.add_patch(_box(2.0 + i, top, 1, height, "#f6f4ee", "#c9c4b8"))
        if cards:
            axes.add_patch(_box(2.08 + i, top + 0.08, 0.84, height - 0.55, colour, colour))
            _write(axes, 2.5 + i, top + (height - 0.39) / 2, str(cards), 17, "white", weight="bold")
        if held:
            _write(axes, 2.5 + i, top + height - 0.22, f"{held} in hand", 6.5, "#444444")
    best = max(shown["scores"])
    score = shown["scores"][seat]
    middle = top + height / 2
    _write(axes, 11.95, middle - 0.22, str(score), 17, colour, weight="bold")
    now = worth(shown, seat)
    line = " ".join(filter(None, (f"+{now}" if now else "", "leads" if score == best else "")))
    _write(axes, 11.95, middle + 0.25, line, 9, colour)


def _draw_piles(shown: dict[str, Any], axes: Axes) -> None:
    """The four piles; a discard pile shows its top card."""
    for i, name in enumerate(PILES):
        left = 2.0 + i * 2.3
        pile = shown[name]
        count = pile if isinstance(pile, int) else len(pile)
        top = "" if isinstance(pile, int) or not pile else pile[-1]
        face = "#8a8375" if isinstance(pile, int) and count else "white"
        axes.add_patch(_box(left, 6.8, 1.9, 1.15, face, "#777777"))
        ink = "white" if face != "white" else "#222222"
        title = top or ("face down" if isinstance(pile, int) else "empty")
        _write(axes, left + 0.95, 7.15, title, 10 if top else 8, ink, weight="bold" if top else "normal")
        _write(axes, left + 0.95, 7.62, f"{name}: {count} cards", 7.5, ink)
    if shown["with_ninjas"]:
        _write(axes, 11.9, 7.2, str(shown["mini_supply"]), 14, weight="bold")
        _write(axes, 11.9, 7.6, "miniatures left", 7)


def _write(
    axes: Axes, x: float, y: float, words: str, size: float, colour: str = "#222222",
    weight: str = "normal", align: str = "center", vertical: str = "center",
) -> None:  # fmt: skip
    axes.text(x, y, words, fontsize=size, color=colour, fontweight=weight, ha=align, va=vertical)


def _box(x: float, y: float, width: float, height: float, face: str, edge: str) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((x, y), width, height, facecolor=face, edgecolor=edge, linewidth=1.0)
