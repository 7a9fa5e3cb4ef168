"""China: names <-> integers. Sites, regions and borders are the board's; the other words are fixed."""

from __future__ import annotations

from pipeline.titles.contract import Action, Book, Field, Turn

COLOURS = ("yellow", "orange", "green", "red", "purple")
PIECES = ("house", "emissary", "fortress")
SLOTS = ("1", "2", "3", "4")
PILE = "deck"
SOURCES = ("houses", "houses_fort", "alliance", "road", "road_fort")

DEAL, REVEAL, PLAY, PLACE, EXCHANGE, DRAW = range(6)
FIRST_PIECE = len(COLOURS)
HOUSE, EMISSARY, FORTRESS = range(FIRST_PIECE, FIRST_PIECE + len(PIECES))
DECK = 0
FIRST_SLOT = 1
FIRST_SITE = FIRST_SLOT + len(SLOTS)
HOUSES, HOUSES_FORT, ALLIANCE, ROAD, ROAD_FORT = range(len(SOURCES))

(
    NOT_IN_HAND,
    CARD_LIMIT,
    HAND_FULL,
    SLOT_EMPTY,
    SLOT_TAKEN,
    OTHER_CARD,
    CARD_COUNT,
    DECK_EMPTY,
    NOTHING_PLAYED,
    NOT_PAID,
    OTHER_REGION,
    NO_FURTHER_PIECE,
    SITE_TAKEN,
    SITE_FORTIFIED,
    NOT_A_SITE,
    NOT_A_SEAL,
    EMISSARY_LIMIT,
    NO_PIECES,
    NO_FORTRESSES,
    HAND_SHORT,
    REFILL_DUE,
    DISPLAY_CLOSED,
) = range(20, 42)

FAULTS = {
    NOT_IN_HAND: ("card_not_in_hand", "seat {seat} has no {item} card"),
    CARD_LIMIT: ("too_many_cards", "seat {seat} has played three cards already"),
    HAND_FULL: ("hand_full", "seat {seat} has three cards already"),
    SLOT_EMPTY: ("slot_empty", "no card lies in slot {place}"),
    SLOT_TAKEN: ("slot_taken", "slot {place} still has its card"),
    OTHER_CARD: ("other_card", "the card in slot {place} is {a_item}, not {item}"),
    CARD_COUNT: ("card_count", "no unseen {item} card is left: all have been accounted for"),
    DECK_EMPTY: ("deck_empty", "the draw pile is empty"),
    NOTHING_PLAYED: ("nothing_played", "seat {seat} has played no card to pay for the {item}"),
    NOT_PAID: ("payment_wrong", "the cards played do not pay for what can be placed in this region"),
    OTHER_REGION: ("other_region", "seat {seat} has placed in another region in this turn"),
    NO_FURTHER_PIECE: ("no_further_piece", "seat {seat} can place no further piece in this turn"),
    SITE_TAKEN: ("site_taken", "a house stands at {place} already"),
    SITE_FORTIFIED: ("site_fortified", "a fortress stands at {place} already"),
    NOT_A_SITE: ("not_a_site", "a {item} goes on a site, and {place} is a seal"),
    NOT_A_SEAL: ("not_a_seal", "an emissary goes on a region's seal, and {place} is a site"),
    EMISSARY_LIMIT: ("emissary_limit", "the {a} houses of one player in {place} allow no further emissary"),
    NO_PIECES: ("no_pieces", "seat {seat} has no {item} left"),
    NO_FORTRESSES: ("no_fortresses", "this game is played without fortresses"),
    HAND_SHORT: ("hand_not_filled", "seat {a} has still {b} to draw"),
    REFILL_DUE: ("refill_missing", "the display is to be refilled first"),
    DISPLAY_CLOSED: ("display_closed", "no card can be drawn after the second emptying of the draw pile"),
}


def book_of(sites: tuple[str, ...], regions: tuple[str, ...], borders: tuple[str, ...]) -> Book:
    """The code book on a board with these sites and regions (in board order) and borders."""
    cards = Field(COLOURS)
    return Book(
        actions=(
            Action("deal", True, Turn.NATURE, item=cards, unknown=True),
            Action("reveal", False, Turn.NATURE, item=cards, place=Field(SLOTS)),
            Action("play", True, Turn.ACTS, item=cards),
            Action("place", True, Turn.ACTS, item=Field(PIECES), place=Field((*sites, *regions))),
            Action("exchange", True, Turn.ACTS, item=cards),
            Action("draw", True, Turn.ACTS, item=cards, place=Field((PILE, *SLOTS)), unknown=True),
        ),
        items=(*COLOURS, *PIECES),
        places=(PILE, *SLOTS, *sites, *regions),
        targets=(),
        sources=SOURCES,
        score_places=(*regions, *borders, *sites),
        faults=FAULTS,
    )
