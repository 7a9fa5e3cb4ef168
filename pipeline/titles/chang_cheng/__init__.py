"""Chang Cheng, the Great Wall (Walter Obert, Tenkigames 2007)."""

from __future__ import annotations

from pipeline.titles.chang_cheng import codes, measures, options
from pipeline.titles.contract import Book, Choice, Fact, Title

_TILES = {1: "warrior", 2: "traitor", 3: "flood", 4: "architect", 5: "chief_architect", 6: "official"}

FACTS = (
    Fact("empty_sites", "empty sites before the turn", "sites"),
    Fact("walls_left", "the seat's single walls before the turn", "walls"),
    Fact("tiles_left", "the seat's action tiles in hand before the turn", "tiles"),
    Fact("doubles_left", "the seat's double walls before the turn", "pieces"),
    Fact("towers_left", "the seat's towers before the turn", "pieces"),
    Fact("can_tile", "1 if the seat could lay an action tile in this turn"),
    Fact("can_build", "1 if the seat could build instead: two walls, double wall, tower"),
    Fact("choices", "legal first pieces: wall sites, tiles x provinces, doubles, towers", "choices"),
    Fact(
        "act",
        "what was done: 0 the game's first wall, 1 two walls, 2 two tiles, 3 tile and wall, 4 double wall, "
        "5 tower, 6 one wall only, 7 one tile only, 8 pass; -1 broken off",
    ),
    Fact("used_tile", "1 if an action tile was laid"),
    Fact("can_neutral", "1 if a neutral wall could follow"),
    Fact("used_neutral", "1 if a neutral wall followed"),
    Fact("completed", "provinces that the turn completed", "provinces"),
    Fact("completed_won", "of these, how many brought the seat at turn points", "provinces"),
    Fact("extended", "1 if the seat added a board"),
    *(
        Fact(f"{what}_{name}", f"{meaning} (rank {rank}), whoever owned them", unit)
        for what, meaning, unit in (
            ("shown", "tiles shown in provinces completed in the turn", "tiles"),
            ("cancelled", "of these, tiles cancelled by an equal rank", "tiles"),
            ("acted", "of these, tiles neither cancelled nor neutralised", "tiles"),
            ("won", "of these that acted, tiles whose owner had points of the province", "tiles"),
            ("worth", "points that owners had of a province more than without their tile", "points"),
        )
        for rank, name in _TILES.items()
    ),
    *(
        Fact(f"spared_{seat}", f"Mongol losses that towers spared seat {seat}; last turn only", "points")
        for seat in range(4)
    ),
)


def book(board: str) -> Book:
    return codes.BOOK


TITLE = Title(
    name="chang_cheng",
    label="Chang Cheng",
    module="pipeline.titles.chang_cheng",
    seats=(2, 3, 4),
    options=options.OPTIONS,
    facts=FACTS,
    encode_options=options.encode_options,
    board_id=options.board_id,
    book=book,
    load_board=options.load_board,
    choice=Choice("laying an action tile", "building only", "can_tile", "can_build", "used_tile"),
    measures=measures.MEASURES,
)
