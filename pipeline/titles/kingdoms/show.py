"""Kingdoms: a state for people, as plain values, as text and as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pipeline.titles.kingdoms.codes import BOOK, CASTLES, CELLS, FIRST_CASTLE, TILES
from pipeline.titles.kingdoms.options import Board
from pipeline.titles.kingdoms.rules import COLUMNS, EMPTY, EPOCHS, NOTHING, ROWS, UNKNOWN, State

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROMAN = ("I", "II", "III", "IV")
SIGNS = {"mountain": "▲", "dragon": "dragon", "gold_mine": "gold"}


def view(state: State, board: Board) -> dict[str, Any]:
    """All that there is to see, in words."""
    players = range(state.players)
    over = state.epoch == EPOCHS
    items = [None if item == EMPTY else str(BOOK.items[item]) for item in state.cell]
    return {
        "epoch": min(int(state.epoch) + 1, EPOCHS),
        "phase": "over" if over else "deal" if state.to_deal else "play",
        "seat": None if over else int(state.turn_seat),
        "start": int(state.start),
        "board": dict(zip(CELLS, items, strict=True)),
        "owners": {CELLS[i]: int(state.owner[i]) for i in range(len(CELLS)) if state.cell[i] >= FIRST_CASTLE},
        "castles": [
            {name: int(count) for name, count in zip(CASTLES, state.castles[seat], strict=True)} for seat in players
        ],
        "bonus": [_bonus(int(state.bonus[seat])) for seat in players],
        "supply": int(state.supply),
        "unseen": sorted(tile for tile, count in zip(TILES, state.unseen, strict=True) for _ in range(count)),
        "scores": [int(state.score[seat]) for seat in players],
    }


def _bonus(tile: int) -> list[str | None]:
    return [] if tile == NOTHING else [None if tile == UNKNOWN else TILES[tile]]


def text(shown: dict[str, Any]) -> str:
    """The board as a table; a castle is its rank in Roman numerals behind its owner's seat."""
    lines = ["     " + "".join(f"{column:^9}" for column in range(1, COLUMNS + 1))]
    for row in "ABCDE":
        cells = [_cell(shown, f"{row}{column}") for column in range(1, COLUMNS + 1)]
        lines.append(f"  {row}  " + "".join(f"{cell:^9}" for cell in cells))
    lines.append("")
    for seat, gold in enumerate(shown["scores"]):
        castles = ", ".join(
            f"{count} x {ROMAN[rank]}" for rank, count in enumerate(shown["castles"][seat].values()) if count
        )
        bonus = "".join(tile or "unknown" for tile in shown["bonus"][seat]) or "none"
        mark = ">" if seat == shown["seat"] else " "
        lines.append(f"{mark} seat {seat}  {gold:4} gold   castles {castles or 'none'}   bonus tile {bonus}")
    lines.append(f"  epoch {shown['epoch']} of {EPOCHS}, {shown['supply']} tiles in the supply")
    return "\n".join(lines)


def _cell(shown: dict[str, Any], name: str) -> str:
    item = shown["board"][name]
    if item is None:
        return "."
    if name in shown["owners"]:
        return f"{shown['owners'][name]}:{ROMAN[int(item[-1]) - 1]}"
    return SIGNS.get(item, str(item))


def draw(shown: dict[str, Any], axes: Axes, colours: tuple[str, ...]) -> None:
    """The board on matplotlib axes; castles wear their owner's colour and seat number."""
    axes.set_xlim(0, COLUMNS)
    axes.set_ylim(ROWS, 0)
    axes.set_aspect("equal")
    axes.set_xticks([i + 0.5 for i in range(COLUMNS)], [str(i + 1) for i in range(COLUMNS)])
    axes.set_yticks([i + 0.5 for i in range(ROWS)], list("ABCDE"))
    axes.tick_params(length=0)
    for i, name in enumerate(CELLS):
        row, column = divmod(i, COLUMNS)
        item = shown["board"][name]
        owner = shown["owners"].get(name)
        face = "white" if item is None else "#e9e4d8"
        if item is not None and owner is None and item.startswith("-"):
            face = "#d8d3d3"
        axes.add_patch(_square(column, row, face))
        if owner is not None:
            axes.add_patch(_square(column + 0.12, row + 0.12, colours[owner], 0.76))
            axes.text(
                column + 0.5, row + 0.44, ROMAN[int(item[-1]) - 1], ha="center", va="center",
                fontsize=15, fontweight="bold", color="white",
            )  # fmt: skip
            axes.text(column + 0.5, row + 0.74, f"seat {owner + 1}", ha="center", va="center",
                      fontsize=7, color="white")  # fmt: skip
        elif item is not None:
            size = 17 if item[0] in "+-" else 9
            axes.text(column + 0.5, row + 0.5, item.replace("_", "\n").replace("-", "−"),
                      ha="center", va="center", fontsize=size, color="#222222")  # fmt: skip


def _square(x: float, y: float, colour: str, size: float = 1.0) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((x, y), size, size, facecolor=colour, edgecolor="#777777", linewidth=0.8)
