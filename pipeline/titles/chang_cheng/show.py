"""Chang Cheng: a state for people, as plain values, as text and as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pipeline.titles.chang_cheng import show_wall
from pipeline.titles.chang_cheng.codes import (
    AREAS_A_BOARD,
    BOARDS,
    COLOURS,
    PROVINCE_NAMES,
    RANKS,
    REGION_NAMES,
    SIDES,
    SITE_NAMES,
    SITES_A_BOARD,
)
from pipeline.titles.chang_cheng.options import Board
from pipeline.titles.chang_cheng.rules_state import (
    DESTROYED,
    DOUBLE_HALF,
    EMPTY,
    JUDGE,
    NEUTRAL,
    OVER,
    REMOVED,
    SCOUTING,
    SHOWING,
    SHOWN,
    SINGLE,
    TOWER_PIECE,
    TURN,
    UNKNOWN,
    State,
    province_of,
    region_of,
    shown_ranks,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PHASES = (
    "boards", "tokens", "turn", "second_half", "neutral", "scout", "order", "show", "decide", "extension",
    "extension_tokens", "final_reveal", "over",
)  # fmt: skip
KINDS = {SINGLE: "wall", DOUBLE_HALF: "double", TOWER_PIECE: "tower", DESTROYED: "wall"}
NATURES = (SCOUTING, SHOWING)
Owner = int | str


def _owner(state: State, owner: int) -> Owner:
    if owner == NEUTRAL:
        return "neutral"
    return COLOURS[owner] if state.teams else int(owner)


def view(state: State, board: Board) -> dict[str, Any]:
    """All that there is to see, in words."""
    boards = [int(number) for number in state.line[: state.boards]]
    acts = TURN <= state.phase < OVER - 1 and state.phase not in NATURES
    acts = acts and PHASES[state.phase] != "extension_tokens"
    return {
        "phase": PHASES[state.phase],
        "seat": int(state.turn_seat) if acts else None,
        "turn": int(state.turn),
        "boards": [SIDES[state.side_class * BOARDS + number] for number in boards],
        "sites": {
            _name(state, SITE_NAMES, site): _site(state, site)
            for number in boards
            for site in range(number * SITES_A_BOARD, (number + 1) * SITES_A_BOARD)
        },
        "provinces": {_name(state, PROVINCE_NAMES, area): _province(state, area) for area in _areas(boards)},
        "regions": {_name(state, REGION_NAMES, area): _region(state, area) for area in _areas(boards)},
        "supply": {_owner(state, owner): _supply(state, owner) for owner in range(state.owners)},
        "neutral_walls": int(state.walls[NEUTRAL]) if state.neutral else None,
        "emperor": min(int(state.emperor), int(board.emperors)),
        "extensions_left": int(state.extensions),
        "scores": [int(state.score[seat]) for seat in range(state.players)],
        "side_scores": {_owner(state, owner): int(state.side_score[owner]) for owner in range(state.owners)},
        "facing": {
            _name(state, SITE_NAMES, site): [
                _name(state, PROVINCE_NAMES, province_of(state, board, site)),
                _name(state, REGION_NAMES, region_of(state, board, site)),
            ]
            for number in boards
            for site in range(number * SITES_A_BOARD, (number + 1) * SITES_A_BOARD)
        },
    }


def _areas(boards: list[int]) -> list[int]:
    return [number * AREAS_A_BOARD + i for number in boards for i in range(AREAS_A_BOARD)]


def _name(state: State, names: tuple[str, ...], index: int) -> str:
    """The name of a site, province or region on the side class in play."""
    return names[index + state.side_class * (len(names) // 2)]


def _site(state: State, site: int) -> list[Any] | None:
    kind = int(state.kind[site])
    if kind == EMPTY:
        return None
    return [_owner(state, int(state.owner[site])), KINDS[kind], kind != DESTROYED]


def _province(state: State, area: int) -> dict[str, Any]:
    fame = int(state.fame[area])
    tiles: list[list[Any]] = []
    at_hand = state.completing_count > 0 and state.completing[state.completing_at] == area
    at_hand = at_hand and state.stage == JUDGE
    for owner in range(state.owners):
        name = _owner(state, owner)
        tiles += [[name, None, False]] * int(state.tile_unknown[area, owner])
        for rank in RANKS:
            if state.tile_ranks[area, owner] >> rank & 1:
                tiles.append([name, rank, bool(at_hand and shown_ranks(state, area, owner) >> rank & 1)])
    tiles.sort(key=lambda tile: (str(tile[0]), tile[1] or 0))
    return {"fame": None if fame == UNKNOWN else fame, "complete": bool(state.scored[area]), "tiles": tiles}


def _region(state: State, area: int) -> dict[str, Any]:
    threat, fate = int(state.threat[area]), int(state.threat_fate[area])
    return {
        "threat": None if threat == UNKNOWN else threat,
        "placed": fate > 0,
        "shown": bool(fate & SHOWN),
        "removed": bool(fate & REMOVED),
    }


def _supply(state: State, owner: int) -> dict[str, Any]:
    """The ranks in hand are known only while no tile of unknown rank lies out."""
    known = state.tile_unknown[:, owner].sum() == 0
    hand = [rank for rank in RANKS if not state.ranks_known[owner] >> rank & 1]
    return {
        "walls": int(state.walls[owner]),
        "double": int(state.doubles[owner]),
        "tower": int(state.towers[owner]),
        "hand": hand if known else [None] * int(state.hand[owner]),
        "gone": [rank for rank in RANKS if state.ranks_gone[owner] >> rank & 1],
    }


def text(shown: dict[str, Any]) -> str:
    """Each board from the west: its threats, its wall, its provinces; then what each owner has left.

    A site shows its owner's seat (in teams the colour's letter, N for neutral) and # for a tower, =
    for half a double wall, x for a destroyed wall.
    """
    lines = []
    for side in shown["boards"]:
        regions = [name for name in shown["regions"] if name.startswith(side)]
        provinces = [name for name in shown["provinces"] if name.startswith(side)]
        lines.append("        " + "   ".join(_region_text(shown, name) for name in regions))
        sites = [name for name in shown["sites"] if name.startswith(f"{side}.")]
        lines.append(f"  {side}    " + " ".join(f"{_site_text(shown['sites'][name]):2}" for name in sites))
        lines.append("        " + "   ".join(_province_text(shown, name) for name in provinces))
        lines.append("")
    for owner, left in shown["supply"].items():
        lines.append(_owner_text(shown, owner, left))
    extensions = shown["extensions_left"]
    neutral = "" if shown["neutral_walls"] is None else f", {shown['neutral_walls']} neutral walls left"
    lines.append(
        f"  turn {shown['turn']}, {shown['phase'].replace('_', ' ')}; {shown['emperor']} emperor tiles lie, "
        f"{extensions} extension{'' if extensions == 1 else 's'} to come{neutral}"
    )
    return "\n".join(lines)


def _site_text(piece: list[Any] | None) -> str:
    if piece is None:
        return "."
    owner, kind, stands = piece
    mark = {"tower": "#", "double": "=", "wall": "" if stands else "x"}[kind]
    return ("N" if owner == "neutral" else str(owner)[0]) + mark


def _region_text(shown: dict[str, Any], name: str) -> str:
    region = shown["regions"][name]
    if region["removed"]:
        return f"{name} threat removed"
    threat = "?" if region["threat"] is None else region["threat"]
    return f"{name} threat {threat}{'' if region['shown'] else ' hidden'}"


def _province_text(shown: dict[str, Any], name: str) -> str:
    province = shown["provinces"][name]
    walls = " ".join(f"{owner}:{count}" for owner, count in show_wall.standing(shown, name).items())
    tiles = " ".join(f"{owner}-{rank or '?'}" for owner, rank, _ in province["tiles"])
    fame = "?" if province["fame"] is None else province["fame"]
    done = "scored, " if province["complete"] else ""
    return f"{name} {done}fame {fame}, walls {walls or 'none'}{', tiles ' + tiles if tiles else ''}"


def _owner_text(shown: dict[str, Any], owner: Owner, left: dict[str, Any]) -> str:
    seat = COLOURS.index(owner) // 2 if isinstance(owner, str) else owner
    name = f"seat {seat} {owner}" if isinstance(owner, str) else f"seat {seat}"
    hand = " ".join("?" if rank is None else str(rank) for rank in left["hand"]) or "none"
    mark = ">" if seat == shown["seat"] else " "
    return (
        f"{mark} {name:13}{shown['side_scores'][owner]:4} points   {left['walls']:2} walls, {left['double']} "
        f"double, {left['tower']} tower   tiles {hand}"
    )


def draw(shown: dict[str, Any], axes: Axes, colours: tuple[str, ...]) -> None:
    """The wall on matplotlib axes; see `show_wall`."""
    show_wall.draw_wall(shown, axes, colours)
