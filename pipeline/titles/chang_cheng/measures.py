"""Chang Cheng: what the report measures beyond the common figures."""

from __future__ import annotations

from pipeline.titles.measure import Bars, Line, Measure, Places, When, equal, known

TILES = ("warrior", "traitor", "flood", "architect", "chief_architect", "official")
ACTS = (
    "first wall", "two walls", "two tiles", "tile and wall", "double wall", "tower", "one wall only",
    "one tile only", "pass",
)  # fmt: skip
FATES = (("cancelled", "cancelled"), ("acted", "acted"), ("won", "acted and won"))


def _named(tile: str) -> str:
    return f"{TILES.index(tile) + 1} {tile.replace('_', ' ')}"


MEASURES: tuple[Measure, ...] = (
    Bars(
        "acts", "What does each seat do with its turns?", "turns a game",
        (Line("all turns"), *(Line(name, where=(equal("act", code),)) for code, name in enumerate(ACTS))),
        note="The first seat begins with a single wall: what it pays for going first.",
    ),
    Bars(
        "completing", "Who completes provinces, for whom, and who extends the wall?", "times a game",
        (
            Line("provinces completed", add=("completed",)),
            Line("completed, with points", add=("completed_won",)),
            Line("extensions", add=("extended",)),
        ),
        note="With points: the seat that completed it had a share of it.",
    ),
    Bars(
        "neutral_walls", "How often does a neutral wall follow?", "percent of turns that allow it",
        (Line("neutral wall", where=(When("used_neutral"),), among=(When("can_neutral"),)),),
        per="turn", percent=True,
    ),
    Bars(
        "tiles_shown", "Which action tiles are in completed provinces?", "tiles a game, all seats together",
        tuple(Line(_named(tile), add=(f"shown_{tile}",)) for tile in TILES), seats=False,
    ),
    Bars(
        "tile_fates", "What becomes of action tiles?", "percent of tiles shown",
        tuple(
            Line(_named(tile), add=(f"{fate}_{tile}",), over=(f"shown_{tile}",), series=words)
            for tile in TILES
            for fate, words in FATES
        ),
        per="turn", percent=True, seats=False,
        note="Cancelled by an equal rank; acted and won: its owner had points of the province. "
        "The rest was neutralised by a warrior.",
    ),
    Bars(
        "tile_worth", "What is an action tile worth that acts?", "points a tile that acted",
        tuple(
            Line(_named(tile), add=(f"worth_{tile}",), over=(f"acted_{tile}",), signed=True) for tile in TILES
        ),
        per="turn", seats=False,
        note="Points of the province more than without it, all else unchanged; a warrior's and a removed threat's "
        "effect cannot be told.",
    ),
    Bars(
        "towers_worth", "What do towers save from the Mongols?", "points a game",
        tuple(
            Line(f"{place} seat", add=(f"spared_{seat}",), among=(known(f"spared_{seat}"),))
            for seat, place in enumerate(("1st", "2nd", "3rd", "4th"))
        ),
        per="turn", seats=False, note="Games that end by an unspoken decline are left out.",
    ),
    Places("points_by_province", "Which provinces pay?", "points a game, all seats together", ("province",)),
    Places("losses_by_region", "Where do the Mongols strike?", "points a game, all seats together", ("mongols",)),
    Places("points_by_event", "Which events pay?", "points a game, all seats together", ("event",)),
)  # fmt: skip
