"""Chang Cheng: the picture of the wall. Two boards make a row; Mongolia lies above, China below."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pipeline.titles.chang_cheng.codes import COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

A_ROW = 26  # sites of two boards
HEIGHT = 8.2  # of a row
STEPPE, FIELD, DONE, EMPTY_SITE, NEUTRAL_FACE = "#efe3cd", "#e0ead6", "#c9d6bb", "#ffffff", "#b5b5b0"
INK, PALE = "#222222", "#777777"
TEAM_COLOURS = {"blue": 0, "green": 2, "red": 1, "purple": 4}  # of the seats' colours, the nearest ones
Owner = int | str
Span = tuple[float, float]
Colours = tuple[str, ...]


def draw_wall(shown: dict[str, Any], axes: Axes, colours: Colours) -> None:
    """Sites in their owners' colours with their numbers; who leads in a province stands under it."""
    boards = shown["boards"]
    rows = max(1, (len(boards) + 1) // 2)
    axes.set_xlim(-0.4, A_ROW + 0.4)
    axes.set_ylim(rows * HEIGHT + 0.9 * len(shown["supply"]) + 0.8, -0.6)
    axes.set_aspect("equal")
    axes.set_axis_off()
    # The last row is not split between two rows of one board each: the wall is read from the west.
    for i, side in enumerate(boards):
        _board(shown, axes, colours, side, (i % 2) * 13, (i // 2) * HEIGHT)
    for row in range(rows - 1):
        axes.text(A_ROW + 0.15, row * HEIGHT + 3.0, "→", ha="left", va="center", fontsize=9, color=PALE)
    _table(shown, axes, colours, rows * HEIGHT)


def _face(owner: Owner, colours: Colours) -> str:
    if owner == "neutral":
        return NEUTRAL_FACE
    return colours[TEAM_COLOURS[owner] if isinstance(owner, str) else owner]


def _mark(owner: Owner) -> str:
    """What stands on a piece: the seat; in teams seat and colour; N for neutral."""
    if owner == "neutral":
        return "N"
    if isinstance(owner, str):
        return f"{COLOURS.index(owner) // 2}{owner[0]}"
    return str(owner)


def _box(
    axes: Axes, x: float, y: float, width: float, height: float, face: str, edge: str = PALE,
    line: float = 0.7, hatch: str | None = None,
) -> None:  # fmt: skip
    from matplotlib.patches import Rectangle

    axes.add_patch(Rectangle((x, y), width, height, facecolor=face, edgecolor=edge, linewidth=line, hatch=hatch))


def _words(
    axes: Axes, x: float, y: float, words: str, size: float = 6.5, colour: str = INK, bold: bool = False,
    align: str = "center",
) -> None:  # fmt: skip
    axes.text(
        x, y, words, ha=align, va="center", fontsize=size, color=colour,
        fontweight="bold" if bold else "normal",
    )  # fmt: skip


def _ink_on(face: str) -> str:
    """Dark or light letters, whichever can be read on a colour."""
    from matplotlib.colors import to_rgb

    red, green, blue = to_rgb(face)
    return "white" if 0.3 * red + 0.59 * green + 0.11 * blue < 0.6 else INK


def _board(shown: dict[str, Any], axes: Axes, colours: Colours, side: str, left: float, top: float) -> None:
    sites = [name for name in shown["sites"] if name.startswith(f"{side}.")]
    for kind, name in enumerate(("provinces", "regions")):
        for area in [area for area in shown[name] if area.startswith(f"{side}.")]:
            columns = [i for i, site in enumerate(sites) if shown["facing"][site][kind] == area]
            span = (left + columns[0], left + columns[-1] + 1)
            (_region if kind else _province)(shown, axes, colours, area, span, top)
    for i, site in enumerate(sites):
        _site(axes, colours, shown["sites"][site], left + i, top + 2.3)
        _words(axes, left + i + 0.5, top + 3.88, site.split(".s")[1], 4.5, PALE)
    if left > 0:
        axes.plot([left, left], [top, top + 7.6], color=INK, linewidth=1.2, linestyle=(0, (4, 2)))


def standing(shown: dict[str, Any], area: str) -> dict[Owner, int]:
    """Standing walls of each owner at a province or region, most first."""
    count: dict[Owner, int] = {}
    for site, areas in shown["facing"].items():
        piece = shown["sites"][site]
        if area in areas and piece is not None and piece[2]:
            count[piece[0]] = count.get(piece[0], 0) + 1
    return dict(sorted(count.items(), key=lambda item: (-item[1], str(item[0]))))


def _leaders(shown: dict[str, Any], axes: Axes, colours: Colours, area: str, span: Span, y: float) -> None:
    """Who has how many standing walls there, most first; the leaders in colour."""
    count = standing(shown, area)
    if not count:
        return
    most = max(count.values())
    first = [owner for owner in count if count[owner] == most]
    step = min(0.96, (span[1] - span[0] - 0.9) / len(first))
    x = (span[0] + span[1]) / 2 - (len(first) * step + 0.6) / 2
    for owner in sorted(first, key=str):
        face = _face(owner, colours)
        _box(axes, x, y - 0.38, step - 0.06, 0.76, face, INK, 0.5)
        _words(axes, x + step / 2 - 0.03, y, _mark(owner), 5.8, _ink_on(face), True)
        x += step
    _words(axes, x + 0.05, y, f"x{most}", 6, INK, align="left")


def _region(shown: dict[str, Any], axes: Axes, colours: Colours, area: str, span: Span, top: float) -> None:
    """A Mongol region: its threat, dark when everybody sees it, and who has most walls before it."""
    region = shown["regions"][area]
    _box(axes, span[0] + 0.05, top, span[1] - span[0] - 0.1, 2.15, STEPPE)
    right = span[1]
    _words(axes, span[0] + 0.2, top + 0.45, area, 4.8, PALE, align="left")
    if region["placed"]:
        value = "?" if region["threat"] is None else f"-{region['threat']}"
        face = "#7a2f1f" if region["shown"] else "#fbf6ec"
        if region["removed"]:
            value, face = "gone", STEPPE
        _box(axes, right - 1.3, top + 0.15, 1.2, 0.82, face, "#7a2f1f", 0 if region["removed"] else 0.9)
        _words(axes, right - 0.7, top + 0.57, value, 6.5, _ink_on(face), not region["removed"])
    _leaders(shown, axes, colours, area, span, top + 1.6)


def _province(shown: dict[str, Any], axes: Axes, colours: Colours, area: str, span: Span, top: float) -> None:
    """A Chinese province: fame and value so far, action tiles, who has most walls; darker when scored."""
    province = shown["provinces"][area]
    done = province["complete"]
    _box(axes, span[0] + 0.05, top + 4.2, span[1] - span[0] - 0.1, 3.4, DONE if done else FIELD)
    name = area + (" ✓" if done else "")
    _words(axes, span[0] + 0.2, top + 4.6, name, 4.8, INK if done else PALE, align="left")
    if province["fame"] is not None:
        worth = province["fame"] + sum(standing(shown, area).values())
        _words(axes, span[1] - 0.2, top + 4.6, f"fame {province['fame']}", 5, INK, align="right")
        _words(axes, span[1] - 0.2, top + 5.2, f"worth {worth}", 5.5, INK, True, align="right")
    _leaders(shown, axes, colours, area, span, top + 5.85)
    tiles = province["tiles"]
    width = min(0.95, (span[1] - span[0] - 0.3) / max(1, len(tiles)))
    x = (span[0] + span[1]) / 2 - width * len(tiles) / 2
    for owner, rank, is_shown in tiles:
        face = _face(owner, colours)
        edge, line = (INK, 1.4) if is_shown else (PALE, 0.5)
        _box(axes, x + 0.03, top + 6.45, width - 0.06, 1.05, face, edge, line)
        _words(axes, x + width / 2, top + 6.74, _mark(owner), 4.2, _ink_on(face))
        _words(axes, x + width / 2, top + 7.18, "?" if rank is None else str(rank), 5.5, _ink_on(face), True)
        x += width


def _site(axes: Axes, colours: Colours, piece: list[Any] | None, x: float, y: float) -> None:
    """One site: empty, a wall, half a double wall (no gap to its side), a tower, a destroyed wall."""
    if piece is None:
        _box(axes, x + 0.1, y + 0.25, 0.8, 1.05, EMPTY_SITE)
        return
    owner, kind, stands = piece
    face = _face(owner, colours)
    if not stands:
        _box(axes, x + 0.1, y + 0.75, 0.8, 0.55, "#f4f1ea", face, 1.2, "xxxx")
        return
    if kind == "tower":
        _box(axes, x + 0.06, y - 0.05, 0.88, 1.35, face, INK, 1.1)
        for step in range(3):
            _box(axes, x + 0.06 + step * 0.33, y - 0.25, 0.22, 0.24, face, INK, 0.8)
    elif kind == "double":
        _box(axes, x, y + 0.25, 1.0, 1.05, face, INK, 0.7)
        _box(axes, x, y + 0.25, 1.0, 0.16, INK, INK, 0)
    else:
        _box(axes, x + 0.1, y + 0.25, 0.8, 1.05, face, INK, 0.5)
    _words(axes, x + 0.5, y + 0.78, _mark(owner), 6, _ink_on(face), True)


def _table(shown: dict[str, Any], axes: Axes, colours: Colours, top: float) -> None:
    """One line an owner: points as a bar with their number, and what is left in the supply."""
    most = max(10, *(abs(points) for points in shown["side_scores"].values()))
    for i, (owner, left) in enumerate(shown["supply"].items()):
        y = top + 0.9 * i + 0.3
        seat = COLOURS.index(owner) // 2 if isinstance(owner, str) else owner
        name = f"seat {seat} {owner}" if isinstance(owner, str) else f"seat {owner}"
        face, points = _face(owner, colours), shown["side_scores"][owner]
        _words(axes, 0.1, y, ("▶ " if seat == shown["seat"] else "") + name, 7, INK, True, "left")
        _box(axes, 4.2, y - 0.32, 8.5 * max(points, 0) / most, 0.64, face, INK, 0.5)
        _words(axes, 4.4 + 8.5 * max(points, 0) / most, y, str(points), 7.5, INK, True, "left")
        hand = " ".join("?" if rank is None else str(rank) for rank in left["hand"]) or "none"
        words = f"walls {left['walls']}, double {left['double']}, tower {left['tower']}; tiles {hand}"
        _words(axes, 14.6, y, words, 6.5, INK, align="left")
    y = top + 0.9 * len(shown["supply"]) + 0.3
    neutral = "" if shown["neutral_walls"] is None else f" · neutral walls left {shown['neutral_walls']}"
    _words(
        axes, 0.1, y,
        f"turn {shown['turn']}, {shown['phase'].replace('_', ' ')} · emperor tiles {shown['emperor']} · "
        f"extensions to come {shown['extensions_left']}{neutral}",
        6.5, PALE, align="left",
    )  # fmt: skip
