"""China: the map as a picture. A seat is a number as well as a colour, so that grey print can be read."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pipeline.titles.china.codes import COLOURS
from pipeline.titles.china.options import read_map

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GROUND = {
    "yellow": "#f3e6a8",
    "orange": "#f4cfa4",
    "green": "#cfe3c0",
    "red": "#efc4bd",
    "purple": "#d9cde8",
}
INK = "#333333"
PALE = "#ffffff"
PIECE = 1.75
"""Radius of a house."""
BORDER_AROUND = 3.4
"""How far a region's ground reaches beyond its outer sites."""
LEGEND = """disc: house of a seat; dark square: fortress
small plate: seat × emissaries, thick rim for the most
a region's rim has the colour of who leads in houses"""
TABLE = 36.0
"""Width of the table beside the map."""


def draw_map(shown: dict[str, Any], axes: Axes, colours: tuple[str, ...]) -> None:
    """Regions, roads and pieces, and beside them the scores, the hands and the display."""
    facts = read_map(shown["map"])
    at = {site["id"]: tuple(site["at"]) for region in facts["regions"] for site in region["sites"]}
    left, right = min(x for x, _ in at.values()), max(x for x, _ in at.values())
    top, bottom = min(y for _, y in at.values()), max(y for _, y in at.values())
    axes.set_xlim(left - 6, right + 10 + TABLE)
    axes.set_ylim(bottom + 7, top - 8)
    axes.set_aspect("equal")
    axes.set_axis_off()
    for region in facts["regions"]:
        leaders = _leaders(shown, region)
        rim = colours[leaders[0]] if len(leaders) == 1 else INK
        places = [at[site["id"]] for site in region["sites"]]
        _draw_ground(axes, places, GROUND[region["colour"]], rim, 2.4 if len(leaders) == 1 else 0.7)
    for one, other in facts["roads"][shown["side"]]:
        (x1, y1), (x2, y2) = at[one], at[other]
        same = shown["board"][one]["house"]
        linked = same is not None and same == shown["board"][other]["house"]
        axes.plot(
            (x1, x2), (y1, y2), color=colours[same] if linked else "#8a8172", zorder=2,
            linewidth=4.5 if linked else 1.6, solid_capstyle="round",
        )  # fmt: skip
    for site, place in at.items():
        _draw_site(axes, place, shown["board"][site], colours)
    taken = list(at.values())
    for region in facts["regions"]:
        places = [at[site["id"]] for site in region["sites"]]
        seal = _seal(places, taken)
        taken.append(seal)
        _draw_seal(axes, seal, region, shown, colours)
        _draw_name(axes, places, taken, region, shown)
    _draw_table(axes, shown, colours, right + 11, top - 6)


def _leaders(shown: dict[str, Any], region: Mapping[str, Any]) -> list[int]:
    """The seats with most houses in a region."""
    owners = [shown["board"][site["id"]]["house"] for site in region["sites"]]
    counts = [owners.count(seat) for seat in range(len(shown["scores"]))]
    return [seat for seat, count in enumerate(counts) if count == max(counts) > 0]


def _draw_ground(axes: Axes, places: Sequence[tuple[float, float]], colour: str, edge: str, width: float) -> None:
    """A region's sites in one shape, the rim of discs around them; its edge is the leader's."""
    from matplotlib.patches import Polygon

    rim = [
        (x + BORDER_AROUND * math.cos(angle), y + BORDER_AROUND * math.sin(angle))
        for x, y in places
        for angle in (math.tau * step / 24 for step in range(24))
    ]
    axes.add_patch(Polygon(_hull(rim), facecolor=colour, edgecolor=edge, linewidth=width, zorder=0))


def _hull(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The convex hull (monotone chain)."""
    ordered = sorted(set(points))
    halves = []
    for sequence in (ordered, ordered[::-1]):
        half: list[tuple[float, float]] = []
        for point in sequence:
            while len(half) > 1 and _turns_right(half[-2], half[-1], point):
                half.pop()
            half.append(point)
        halves.append(half[:-1])
    return halves[0] + halves[1]


def _turns_right(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) <= 0


def _draw_site(axes: Axes, place: tuple[float, float], piece: Mapping[str, Any], colours: tuple[str, ...]) -> None:
    """A ring; with a house a disc with the seat's number; a fortress is a square around either."""
    from matplotlib.patches import Circle, Rectangle

    x, y = place
    owner = piece["house"]
    if piece["fort"]:
        side = PIECE + 0.75
        axes.add_patch(
            Rectangle((x - side, y - side), 2 * side, 2 * side, facecolor="#55504a", edgecolor=INK, zorder=3)
        )
    face = PALE if owner is None else colours[owner]
    axes.add_patch(
        Circle(place, PIECE if owner is not None else 1.05, facecolor=face, edgecolor=INK, zorder=4,
               linewidth=1.0)
    )  # fmt: skip
    if owner is not None:
        axes.text(x, y, str(owner + 1), ha="center", va="center", fontsize=9, fontweight="bold",
                  color=PALE, zorder=5)  # fmt: skip


def _seal(places: Sequence[tuple[float, float]], taken: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """A place for a region's emissaries: inside of it, as far as possible from all that is drawn."""
    xs, ys = [x for x, _ in places], [y for _, y in places]
    middle = sum(xs) / len(xs), sum(ys) / len(ys)
    steps = [i / 20 for i in range(21)]
    inside = [(min(xs) + (max(xs) - min(xs)) * i, min(ys) + (max(ys) - min(ys)) * j) for i in steps for j in steps]

    def room(spot: tuple[float, float]) -> float:
        # Emissaries stand side by side: room is needed more to the sides than above and below.
        near = min(math.hypot((x - spot[0]) * 0.7, (y - spot[1]) * 1.2) for x, y in taken)
        return min(near, 4.5) - 0.02 * math.dist(spot, middle)

    return max(inside, key=room)


def _draw_seal(
    axes: Axes, seal: tuple[float, float], region: Mapping[str, Any], shown: dict[str, Any],
    colours: tuple[str, ...],
) -> None:  # fmt: skip
    """One diamond for each seat with emissaries: `seat x number`; with a bold rim for who leads."""
    counts = shown["emissaries"][region["id"]]
    present = [seat for seat, count in enumerate(counts) if count]
    if not present:
        axes.plot(*seal, marker="D", markersize=6, color="#00000000", markeredgecolor="#777777", zorder=3)
        return
    x, y = seal
    for i, seat in enumerate(present):
        leads = counts[seat] == max(counts)
        axes.text(
            x + (i - (len(present) - 1) / 2) * 4.3, y, f"{seat + 1}×{counts[seat]}", ha="center", va="center",
            fontsize=7, fontweight="bold", color=PALE, zorder=6,
            bbox={"boxstyle": "sawtooth,pad=0.22,tooth_size=0.12", "facecolor": colours[seat],
                  "edgecolor": INK, "linewidth": 1.8 if leads else 0.5},
        )  # fmt: skip


def _draw_name(
    axes: Axes, places: Sequence[tuple[float, float]], taken: Sequence[tuple[float, float]],
    region: Mapping[str, Any], shown: dict[str, Any],
) -> None:  # fmt: skip
    """The region's name and who has most houses, at its rim where there is most room."""
    x0, x1 = min(x for x, _ in places), max(x for x, _ in places)
    y0, y1 = min(y for _, y in places), max(y for _, y in places)
    spots = [(x0 + (x1 - x0) * i / 12, y) for i in range(13) for y in (y0 - 3.3, y1 + 3.3)]
    x, y = max(spots, key=lambda spot: min(math.hypot((a - spot[0]) * 0.6, b - spot[1]) for a, b in taken))
    leaders = _leaders(shown, region)
    who = "=".join(str(seat + 1) for seat in leaders)
    done = ", scored" if region["id"] in shown["scored"] else ""
    name = region.get("name", region["id"])
    lead = f": {who} leads" if len(leaders) == 1 else f": {who}" if leaders else ""
    axes.text(x, y, name + lead + done, ha="center", va="center", fontsize=8, style="italic", color=INK,
              zorder=7, parse_math=False,
              bbox={"boxstyle": "round,pad=0.12", "facecolor": PALE, "alpha": 0.75, "linewidth": 0})  # fmt: skip


def _draw_table(axes: Axes, shown: dict[str, Any], colours: tuple[str, ...], x: float, y: float) -> None:
    """Bars of the scores, each with pieces left and hand under it, and the display at the foot."""
    from matplotlib.patches import Rectangle

    most = max(1, *shown["scores"])
    for seat, points in enumerate(shown["scores"]):
        line = y + seat * 11.5
        mark = "▶ " if seat == shown["seat"] else ""
        axes.text(x, line, f"{mark}seat {seat + 1}", fontsize=9, fontweight="bold", va="center", color=INK)
        axes.add_patch(
            Rectangle((x, line + 1.4), (TABLE - 9) * points / most, 2.4, facecolor=colours[seat],
                      edgecolor=INK, linewidth=0.6)
        )  # fmt: skip
        axes.text(x + (TABLE - 9) * points / most + 0.8, line + 2.7, str(points), fontsize=10,
                  fontweight="bold", va="center", color=INK)  # fmt: skip
        left = shown["supply"][seat]
        fort = f", {left['fortress']} fortress" if left["fortress"] else ""
        axes.text(x, line + 5.3, f"{left['house']} houses, {left['emissary']} emissaries{fort} left",
                  fontsize=6.5, va="center", color=INK)  # fmt: skip
        _draw_cards(axes, shown["hands"][seat], x, line + 6.4)
    foot = y + 11.5 * len(shown["scores"]) + 1.5
    again = ("first time through", "second time through", "empty for good")[min(shown["empties"], 2)]
    axes.text(x, foot, f"display; pile {shown['pile']} ({again})", fontsize=7.5, va="center", color=INK)
    _draw_cards(axes, list(shown["display"].values()), x, foot + 1.4, absent="")
    axes.text(x, foot + 7.5, LEGEND, fontsize=6.5, va="top", color=INK, linespacing=1.5)


def _draw_cards(axes: Axes, cards: Sequence[str | None], x: float, y: float, absent: str = "?") -> None:
    """Cards as small tiles with the first letter of their colour."""
    from matplotlib.patches import Rectangle

    for i, card in enumerate(cards):
        face = GROUND[card] if card in COLOURS else PALE
        axes.add_patch(Rectangle((x + i * 4.2, y), 3.6, 2.9, facecolor=face, edgecolor=INK, linewidth=0.7))
        letter = card[0].upper() if card else absent
        axes.text(x + i * 4.2 + 1.8, y + 1.5, letter, ha="center", va="center", fontsize=7, color=INK)
