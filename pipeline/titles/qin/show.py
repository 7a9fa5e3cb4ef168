"""Qin: a state for people, as plain values, as text and as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pipeline.titles.qin.codes import COLOURS, COLUMNS, KINDS, ROWS, SQUARES
from pipeline.titles.qin.options import BLOCKED, GRASS, Board
from pipeline.titles.qin.rules import may_be_over
from pipeline.titles.qin.rules_state import DEALING, NOBODY, OVER, State

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PHASES = ("deal", "turn", "draw", "over")


def view(state: State, board: Board) -> dict[str, Any]:
    """All that there is to see, in words."""
    players = range(state.players)
    cells = dict(zip(SQUARES, board.cell.tolist(), strict=True))
    by_square = int(state.village_rule)
    village_at = board.village_at[by_square].tolist()
    first = board.village_cell[by_square, : board.villages[by_square]]
    names = [SQUARES[code] for code in board.square[first]]
    squares: dict[str, list[str]] = {name: [] for name in names}
    for name, cell in cells.items():
        if village_at[cell] >= 0:
            squares[names[village_at[cell]]].append(name)
    ground = board.ground.tolist()
    colour = state.colour.tolist()
    return {
        "phase": PHASES[state.phase],
        "seat": None if state.phase in (DEALING, OVER) else int(state.turn_seat),
        "turn": int(state.turns),
        "may_be_over": bool(may_be_over(state, board)),
        "colours": {name: COLOURS[colour[cell] - 1] for name, cell in cells.items() if colour[cell] > GRASS},
        "provinces": _provinces(state, colour, cells),
        "villages": {name: _seat(state.holder[village]) for village, name in enumerate(names)},
        "hands": [_hand(state, seat) for seat in players],
        "pagodas": [int(state.pagodas - state.score[seat]) for seat in players],
        "supply": int(state.supply),
        "unseen": dict(zip(KINDS, state.unseen.tolist(), strict=True)),
        "scores": [int(state.score[seat]) for seat in players],
        "village_squares": squares,
        "start_fields": [SQUARES[code] for code in board.square[board.start[: board.starts]]],
        "water": [name for name, cell in cells.items() if ground[cell] == BLOCKED and village_at[cell] < 0],
    }


def _seat(seat: Any) -> int | None:
    return None if seat == NOBODY else int(seat)


def _hand(state: State, seat: int) -> list[str | None]:
    known = sorted(kind for i, kind in enumerate(KINDS) for _ in range(state.known[seat, i]))
    return [*known, *[None] * int(state.unknowns[seat])]


def _provinces(state: State, colour: list[int], cells: dict[str, int]) -> list[dict[str, Any]]:
    """The areas of two squares or more, in reading order."""
    area = state.area.tolist()
    areas: dict[int, list[str]] = {}
    for name, cell in cells.items():
        if colour[cell] > GRASS:
            areas.setdefault(area[cell], []).append(name)
    return [
        {
            "place": names[0],
            "colour": COLOURS[colour[root] - 1],
            "owner": _seat(state.owner[root]),
            "pagodas": int(state.height[root]),
            "squares": names,
        }
        for root, names in areas.items()
        if len(names) > 1
    ]


def text(shown: dict[str, Any]) -> str:
    """The board as a table: colours in small letters, the owner's seat and pagodas where they stand."""
    signs = dict.fromkeys(SQUARES, "  . ")
    signs |= dict.fromkeys(shown["water"], "  ~ ")
    signs |= {name: f"  {colour.lower()} " for name, colour in shown["colours"].items()}
    signs |= {name: f"  {shown['colours'][name]} " for name in shown["start_fields"]}
    for province in shown["provinces"]:
        if province["owner"] is not None:
            mark = "'" if province["pagodas"] == 1 else '"'
            name = province["place"]
            signs[name] = f" {signs[name].strip()}{province['owner']}{mark}"
    for name, squares in shown["village_squares"].items():
        holder = shown["villages"][name]
        for square in squares:
            signs[square] = " [ ]" if holder is None else f" [{holder}]"
    lines = ["    " + "".join(f"  {letter} " for letter in "abcdefghijklm")]
    for row in range(ROWS):
        names = SQUARES[row * COLUMNS : (row + 1) * COLUMNS]
        lines.append(f"{row + 1:3} " + "".join(signs[name] for name in names).rstrip())
    lines.append("")
    for seat, score in enumerate(shown["scores"]):
        hand = " ".join(kind or "??" for kind in shown["hands"][seat])
        mark = ">" if seat == shown["seat"] else " "
        lines.append(
            f"{mark} seat {seat}  {score:2} pagodas on the board, {shown['pagodas'][seat]:2} left   hand {hand}"
        )
    lines.append(f"  {shown['supply']} tiles in the supply; ' one pagoda, \" two; [ ] a village")
    return "\n".join(lines)


LAND = {"R": "#c9503f", "Y": "#f4d35e", "B": "#79a9e0"}
LETTERS = {"R": "#ffd9d2", "Y": "#6b5300", "B": "#123a6d"}
PLAIN, WATER, VILLAGE = "#e4ebd6", "#9fc4cf", "#cfc5b4"


def draw(shown: dict[str, Any], axes: Axes, colours: tuple[str, ...]) -> None:
    """The board on matplotlib axes: land in its colour, pagodas in their owners', with seat numbers."""
    axes.set_xlim(0, COLUMNS)
    axes.set_ylim(ROWS, -1.6)
    axes.set_aspect("equal")
    axes.set_xticks([i + 0.5 for i in range(COLUMNS)], list("abcdefghijklm"))
    axes.set_yticks([i + 0.5 for i in range(ROWS)], [str(i + 1) for i in range(ROWS)])
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    for name in SQUARES:
        x, y = _corner(name)
        colour = shown["colours"].get(name)
        face = LAND[colour] if colour else WATER if name in shown["water"] else PLAIN
        axes.add_patch(_box(x, y, 1, 1, face, "#b9b9ae", 0.5))
        if colour:
            axes.text(x + 0.12, y + 0.25, colour, ha="center", va="center", fontsize=6,
                      color=LETTERS[colour])  # fmt: skip
    for name in shown["start_fields"]:
        x, y = _corner(name)
        axes.add_patch(_box(x + 0.07, y + 0.07, 0.86, 0.86, "none", "#222222", 0.9))
    _draw_borders(shown, axes)
    for province in shown["provinces"]:
        if province["owner"] is not None and province["pagodas"]:
            x, y = _corner(_middle(province["squares"]))
            _pagoda(axes, x + 0.5, y + 0.5, province["owner"], province["pagodas"], colours)
    for name, squares in shown["village_squares"].items():
        _draw_village(axes, squares, shown["villages"][name], colours)
    _draw_scores(shown, axes, colours)


def _corner(name: str) -> tuple[int, int]:
    row, column = divmod(SQUARES.index(name), COLUMNS)
    return column, row


def _box(x: float, y: float, width: float, height: float, face: str, edge: str, line: float) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((x, y), width, height, facecolor=face, edgecolor=edge, linewidth=line)


def _middle(squares: list[str]) -> str:
    """The square nearest to the middle of a province."""
    corners = [_corner(name) for name in squares]
    x = sum(corner[0] for corner in corners) / len(corners)
    y = sum(corner[1] for corner in corners) / len(corners)
    return min(squares, key=lambda name: (_corner(name)[0] - x) ** 2 + (_corner(name)[1] - y) ** 2)


def _draw_borders(shown: dict[str, Any], axes: Axes) -> None:
    """A dark line around each province."""
    for province in shown["provinces"]:
        inside = {_corner(name) for name in province["squares"]}
        for x, y in inside:
            for beside, ends in (
                ((x, y - 1), ((x, x + 1), (y, y))),
                ((x, y + 1), ((x, x + 1), (y + 1, y + 1))),
                ((x - 1, y), ((x, x), (y, y + 1))),
                ((x + 1, y), ((x + 1, x + 1), (y, y + 1))),
            ):
                if beside not in inside:
                    axes.plot(*ends, color="#222222", linewidth=1.6, solid_capstyle="round")


def _pagoda(axes: Axes, x: float, y: float, seat: int, storeys: int, colours: tuple[str, ...]) -> None:
    """A tower with a roof for each pagoda, and its owner's seat number; (x, y) is its middle."""
    from matplotlib.patches import Polygon

    height = 0.66 if storeys == 1 else 0.44
    base = y + 0.36 if storeys == 1 else y + 0.46
    for storey in reversed(range(storeys)):
        bottom, half = base - storey * height, 0.38 - 0.06 * storey
        eaves = bottom - height * 0.45
        wall = half * 0.62
        shape = [
            (x - wall, bottom), (x + wall, bottom), (x + wall, eaves), (x + half, eaves),
            (x, eaves - height * 0.62), (x - half, eaves), (x - wall, eaves),
        ]  # fmt: skip
        axes.add_patch(Polygon(shape, facecolor=colours[seat], edgecolor="white", linewidth=0.9, zorder=3))
    middle = base - height * 0.42
    axes.text(x, middle, str(seat + 1), ha="center", va="center", fontsize=7, fontweight="bold",
              color="white", zorder=4)  # fmt: skip


def _draw_village(axes: Axes, squares: list[str], holder: int | None, colours: tuple[str, ...]) -> None:
    """A village's ground, and its holder's pagoda."""
    corners = [_corner(name) for name in squares]
    left, top = corners[0]
    width, height = corners[-1][0] - left + 1, corners[-1][1] - top + 1
    axes.add_patch(_box(left + 0.06, top + 0.06, width - 0.12, height - 0.12, VILLAGE, "#5d5346", 1.2))
    if holder is not None:
        _pagoda(axes, left + width / 2, top + height / 2, holder, 1, colours)
    else:
        axes.text(left + width / 2, top + height / 2, "village", ha="center", va="center", fontsize=5,
                  color="#5d5346", rotation=0 if width >= height else 90)  # fmt: skip


def _draw_scores(shown: dict[str, Any], axes: Axes, colours: tuple[str, ...]) -> None:
    """Above the board: each seat's pagodas on the board as a bar, up to all that it has."""
    players = len(shown["scores"])
    wide = COLUMNS / players
    for seat, score in enumerate(shown["scores"]):
        total = score + shown["pagodas"][seat]
        left, width = seat * wide + 0.1, wide - 0.2
        axes.add_patch(_box(left, -1.5, width, 0.7, "#f4f4f4", "#999999", 0.6))
        axes.add_patch(_box(left, -1.5, width * score / total, 0.7, colours[seat], "none", 0))
        mark = "▸ " if seat == shown["seat"] else ""
        label = axes.text(left + 0.12, -1.15, f"{mark}seat {seat + 1}: {score} of {total}", ha="left",
                          va="center", fontsize=7, fontweight="bold", color="#111111", zorder=4)  # fmt: skip
        label.set_bbox({"facecolor": "white", "alpha": 0.8, "edgecolor": "none", "pad": 1.2})
        hand = " ".join(kind or "??" for kind in shown["hands"][seat])
        axes.text(left + 0.12, -0.45, f"hand {hand}", ha="left", va="center", fontsize=6.5)
