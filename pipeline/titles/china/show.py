"""China: a state for people, as plain values, as text and as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pipeline.titles.china import show_map
from pipeline.titles.china.codes import (
    COLOURS,
    FIRST_PIECE,
    FIRST_SITE,
    PIECES,
    SLOTS,
)
from pipeline.titles.china.options import MAPS, SIDES, Board, read_map, region_words, site_words
from pipeline.titles.china.rules_state import (
    BEGINNING,
    DEALING,
    DRAWING,
    EMPTY,
    NOBODY,
    OVER,
    PLACING,
    PLAYING,
    REFILLING,
    REVEALING,
    UNKNOWN,
    State,
    can_draw,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PHASES = {
    DEALING: "deal",
    REVEALING: "reveal",
    BEGINNING: "turn",
    PLAYING: "play",
    PLACING: "place",
    DRAWING: "draw",
    REFILLING: "refill",
    OVER: "over",
}


def view(state: State, board: Board) -> dict[str, Any]:
    """All that there is to see, in words."""
    players = range(state.players)
    name = MAPS[int(board.number)]
    facts = read_map(name)
    sites, regions = site_words(facts), region_words(facts)
    places = (*sites, *regions)
    phase = PHASES[int(state.phase)]
    acting = phase in ("turn", "play", "place", "draw")
    return {
        "map": name,
        "side": SIDES[int(state.side)],
        "phase": phase,
        "seat": int(state.turn_seat) if acting else None,
        "turn": int(state.turn),
        "round": int(state.turn) // int(state.players),
        "board": {
            site: {"house": _owner(int(state.owner[i])), "fort": bool(state.fort[i])} for i, site in enumerate(sites)
        },
        "emissaries": {
            region: [int(state.emissaries[i, seat]) for seat in players] for i, region in enumerate(regions)
        },
        "supply": [{piece: int(state.supply[seat, i]) for i, piece in enumerate(PIECES)} for seat in players],
        "hands": [_hand(state, seat) for seat in players],
        "display": {slot: _card(int(state.display[i])) for i, slot in enumerate(SLOTS)},
        "pile": int(state.pile),
        "empties": int(state.epoch),
        "dry": bool(state.dry),
        "discards": {colour: int(state.discards[i]) for i, colour in enumerate(COLOURS)},
        "played": [COLOURS[int(state.played[i])] for i in range(state.cards)],
        "placed": [
            [PIECES[int(state.placed_item[i]) - FIRST_PIECE], places[int(state.placed_at[i]) - FIRST_SITE]]
            for i in range(state.pieces)
        ],
        "may_stop": bool(state.phase == PLACING and state.may_stop and not can_draw(state)),
        "scored": [region for i, region in enumerate(regions) if state.scored[i]],
        "scores": [int(state.score[seat]) for seat in players],
    }


def _owner(seat: int) -> int | None:
    return None if seat == NOBODY else seat


def _card(colour: int) -> str | None:
    return None if colour == EMPTY else COLOURS[colour]


def _hand(state: State, seat: int) -> list[str | None]:
    known = sorted(colour for i, colour in enumerate(COLOURS) for _ in range(state.hand[seat, i]))
    return [*known, *[None] * int(state.hand[seat, UNKNOWN])]


def text(shown: dict[str, Any]) -> str:
    """Each region with its sites (seat of the house, # for a fortress), then what each seat has."""
    facts = read_map(shown["map"])
    lines = []
    for region in facts["regions"]:
        sites = " ".join(_site(shown["board"][site["id"]]) for site in region["sites"])
        sent = ", ".join(
            f"{count} of seat {seat}" for seat, count in enumerate(shown["emissaries"][region["id"]]) if count
        )
        done = "scored" if region["id"] in shown["scored"] else ""
        lines.append(f"  {region['id']:6}{region['colour']:8}{sites:34}{done:8}emissaries: {sent or 'none'}")
    lines.append("")
    for seat, points in enumerate(shown["scores"]):
        left = shown["supply"][seat]
        fort = f", {left['fortress']} fortress" if left["fortress"] else ""
        hand = " ".join(card or "unknown" for card in shown["hands"][seat]) or "none"
        mark = ">" if seat == shown["seat"] else " "
        lines.append(
            f"{mark} seat {seat}  {points:4} points   {left['house']:2} houses, {left['emissary']} emissaries"
            f"{fort} left   hand {hand}"
        )
    display = ", ".join(f"{slot} {card or 'empty'}" for slot, card in shown["display"].items())
    lines.append(f"  turn {shown['turn']}, side {shown['side']}   display {display}")
    lines.append(f"  {shown['pile']} cards in the draw pile, which was empty {shown['empties']} times")
    if shown["played"]:
        placed = ", ".join(f"{item} at {place}" for item, place in shown["placed"]) or "nothing yet"
        lines.append(f"  played {' '.join(shown['played'])}, placed {placed}")
    return "\n".join(lines)


def _site(piece: dict[str, Any]) -> str:
    owner = "." if piece["house"] is None else str(piece["house"])
    return owner + "#" if piece["fort"] else owner


def draw(shown: dict[str, Any], axes: Axes, colours: tuple[str, ...]) -> None:
    """The map on matplotlib axes; see `show_map`."""
    show_map.draw_map(shown, axes, colours)
