"""Chang Cheng: names <-> integers.

Codes of sites, provinces and regions run over the eight board sides 1A 2A 3A 4A 1B 2B 3B 4B, from the
west on each; so on one side class a site's number is its code less a base, whatever the boards' order.
"""

from __future__ import annotations

from pipeline.titles.contract import Action, Book, Field, Turn

SIDES = tuple(f"{number}{letter}" for letter in "AB" for number in range(1, 5))
BOARDS = 4
SITES_A_BOARD, AREAS_A_BOARD = 13, 3
SITES, AREAS = BOARDS * SITES_A_BOARD, BOARDS * AREAS_A_BOARD  # of one side class

SITE_NAMES = tuple(f"{side}.s{i}" for side in SIDES for i in range(1, SITES_A_BOARD + 1))
PROVINCE_NAMES = tuple(f"{side}.p{i}" for side in SIDES for i in range(1, AREAS_A_BOARD + 1))
REGION_NAMES = tuple(f"{side}.r{i}" for side in SIDES for i in range(1, AREAS_A_BOARD + 1))
CARDS = ("diplomacy", "dominion", "imperial_reward", "scouts")
COLOURS = ("blue", "green", "red", "purple")
RANKS = (1, 2, 3, 4, 5, 6)
FAME_VALUES, THREAT_VALUES = (0, 1, 2, 3, 4), (2, 3, 4)

# Places.
FIRST_PROVINCE = len(SITE_NAMES)
FIRST_REGION = FIRST_PROVINCE + len(PROVINCE_NAMES)
WEST = FIRST_REGION + len(REGION_NAMES)
EAST = WEST + 1

# Items: a whole number is its own code.
FIRST_SIDE = 7
FIRST_COLOUR = FIRST_SIDE + len(SIDES)
DESTROY, REMOVE, PLUS, MINUS, VIRTUAL = range(FIRST_COLOUR + 4, FIRST_COLOUR + 9)

# Targets: sites, then colours.
FIRST_COLOUR_TARGET = len(SITE_NAMES)

# Places of score events.
SCORE_PROVINCE, SCORE_SITE = 0, len(PROVINCE_NAMES)
SCORE_REGION = SCORE_SITE + len(SITE_NAMES)
SCORE_CARD = SCORE_REGION + len(REGION_NAMES)

DIPLOMACY, DOMINION, IMPERIAL_REWARD, SCOUTS = range(4)
WARRIOR, TRAITOR, FLOOD, ARCHITECT, CHIEF_ARCHITECT, OFFICIAL = RANKS
PROVINCE, DOUBLE_WALL, MONGOLS, EVENT = range(4)

(
    BOARD,
    FAME,
    THREAT,
    WALL,
    NEUTRAL_WALL,
    ACTION_TILE,
    DOUBLE,
    TOWER,
    ORDER,
    SHOW,
    WARRIOR_DECISION,
    TRAITOR_DECISION,
    FLOOD_DECISION,
    ARCHITECT_DECISION,
    OFFICIAL_DECISION,
    THREAT_SHOWN,
    PASS,
) = range(17)

(
    BOARD_LAID,
    OTHER_CLASS,
    NOT_ON_TABLE,
    HAS_TOKEN,
    NO_FAME,
    NO_THREAT,
    COLOUR_WRONG,
    SITE_TAKEN,
    RESERVED,
    NO_PIECE,
    BESIDE_TOWER,
    NOT_NEIGHBOURS,
    SAME_PROVINCE,
    OTHER_PROVINCE,
    PROVINCE_COMPLETE,
    TILE_USED,
    PART_ACTION,
    FIRST_TURN,
    OTHER_HALF,
    CAN_PLACE,
    NEUTRAL_PROVINCE,
    OTHER_ORDER,
    NOT_HERE,
    SHOW_MISSING,
    NO_SUCH_TILE,
    DECISION_MISSING,
    WRONG_OWNER,
    WRONG_CHOICE,
    NO_SINGLE_WALL,
    THREAT_GONE,
    OTHER_REGION,
    OTHER_THREAT,
    EXTENSION_MISSING,
    REVEAL_MISSING,
) = range(20, 54)

_COLOUR = Field(COLOURS, optional=True)
_SITE = Field(SITE_NAMES)
_PROVINCE = Field(PROVINCE_NAMES)
_REGION = Field(REGION_NAMES)

BOOK = Book(
    actions=(
        Action("board", None, Turn.NATURE, item=Field(SIDES), place=Field(("west", "east"))),
        Action("fame", False, Turn.NATURE, item=Field(FAME_VALUES), place=_PROVINCE),
        Action("threat", False, Turn.NATURE, item=Field(THREAT_VALUES), place=_REGION, unknown=True),
        Action("wall", True, Turn.ACTS, item=_COLOUR, place=_SITE),
        Action("neutral", True, Turn.CONTINUES, place=_SITE),
        Action(
            "action_tile", True, Turn.ACTS, item=Field(RANKS), place=_PROVINCE, target=_COLOUR,
            unknown=True,
        ),
        Action("double", True, Turn.ACTS, item=_COLOUR, place=_SITE, target=_SITE),
        Action("tower", True, Turn.ACTS, item=_COLOUR, place=_SITE),
        Action("order", True, Turn.CONTINUES, place=_PROVINCE),
        Action("show", True, Turn.CONTINUES, item=Field(RANKS), place=_PROVINCE, target=_COLOUR),
        Action("warrior", True, Turn.CONTINUES, item=Field(RANKS), place=_PROVINCE, target="seat"),
        Action(
            "traitor", True, Turn.CONTINUES, item=Field(("destroy", "threat")),
            place=Field((*SITE_NAMES, *REGION_NAMES)),
        ),
        Action("flood", True, Turn.CONTINUES, item=Field(("plus", "minus")), place=_PROVINCE),
        Action("architect", True, Turn.CONTINUES, item=Field(("plus", "virtual")), place=_PROVINCE),
        Action(
            "official", True, Turn.CONTINUES, place=Field(SITE_NAMES, optional=True),
            target=Field(SITE_NAMES, optional=True),
        ),
        Action("threat_shown", False, Turn.NATURE, item=Field(THREAT_VALUES), place=_REGION),
        Action("pass", True, Turn.ACTS),
    ),
    items=(0, *RANKS, *SIDES, *COLOURS, "destroy", "threat", "plus", "minus", "virtual"),
    places=(*SITE_NAMES, *PROVINCE_NAMES, *REGION_NAMES, "west", "east"),
    targets=(*SITE_NAMES, *COLOURS),
    sources=("province", "double_wall", "mongols", "event"),
    score_places=(*PROVINCE_NAMES, *SITE_NAMES, *REGION_NAMES, *CARDS),
    faults={
        BOARD_LAID: ("board_laid", "board {item} lies already, or its other side"),
        OTHER_CLASS: ("other_class", "the game is played on the other side class than that of {item}"),
        NOT_ON_TABLE: ("not_on_table", "{place} is on no board in play"),
        HAS_TOKEN: ("token_laid", "{place} has its token already"),
        NO_FAME: ("no_fame_token", "all fame tokens of value {item} are on the boards"),
        NO_THREAT: ("no_threat_token", "all threat tokens of value {item} have been drawn"),
        COLOUR_WRONG: (
            "wrong_colour", "a piece needs a colour of seat {seat} in a game of teams, and none in any other"
        ),
        SITE_TAKEN: ("site_taken", "{a_place} is built on already"),
        RESERVED: ("site_reserved", "{a_place} is reserved for the owner of the tower beside it"),
        NO_PIECE: ("no_piece", "seat {seat} has no piece left for {action}"),
        BESIDE_TOWER: ("beside_tower", "a tower cannot stand at {place}, beside another one"),
        NOT_NEIGHBOURS: ("not_neighbours", "{place} and {target} are not neighbours"),
        SAME_PROVINCE: ("same_province", "the second half of the action needs another province"),
        OTHER_PROVINCE: ("other_province", "after an action tile the wall must be in the tile's province"),
        PROVINCE_COMPLETE: ("province_complete", "{place} is complete; it takes no action tile any more"),
        TILE_USED: ("tile_used", "the action tile {item} of that owner has been played already"),
        PART_ACTION: ("part_action", "no second half can follow this, although a whole action is possible"),
        FIRST_TURN: ("first_turn", "the first turn of the game is one single wall"),
        OTHER_HALF: ("other_half", "{action} cannot be the second half of this action"),
        CAN_PLACE: ("pass_not_forced", "seat {seat} can place something and must not pass"),
        NEUTRAL_PROVINCE: ("neutral_province", "no neutral wall may follow at {place} after this action"),
        OTHER_ORDER: ("wrong_order", "{place} is not one of the two provinces that were completed"),
        NOT_HERE: ("other_place", "{action} belongs to {a_place}, not to {place}"),
        SHOW_MISSING: ("show_missing", "the action tiles at {a_place} must be shown first"),
        NO_SUCH_TILE: ("no_such_tile", "its owner can have no hidden tile {item} at {place}"),
        DECISION_MISSING: ("decision_missing", "the owner of the tile {a} must decide first"),
        WRONG_OWNER: ("wrong_owner", "that tile is owned by seat {a}"),
        WRONG_CHOICE: ("wrong_choice", "{action} cannot choose that"),
        NO_SINGLE_WALL: ("no_single_wall", "no single wall stands at {a_place}, or in the wrong province"),
        THREAT_GONE: ("threat_gone", "{place} has no threat token any more, or does not adjoin the province"),
        OTHER_REGION: ("other_region", "the threat at {a_place} is to be shown first"),
        OTHER_THREAT: ("other_threat", "the threat at {place} is {a}, not {item}"),
        EXTENSION_MISSING: ("extension_missing", "the wall must be extended by a board first"),
        REVEAL_MISSING: ("reveal_missing", "a facing threat must be shown first"),
    },
)  # fmt: skip
