"""China (Michael Schacht, 2005), with fortresses, both sides of the board, and other boards."""

from __future__ import annotations

from functools import cache

from pipeline.titles.china import codes, measures, options
from pipeline.titles.contract import Book, Choice, Fact, Title

FACTS = (
    *(
        Fact(f"hand_{colour}", f"{colour} cards in hand before the turn; -1 if a card is unknown", "cards")
        for colour in codes.COLOURS
    ),
    Fact("hand_unknown", "cards in hand before the turn that the record does not tell", "cards"),
    Fact("can_exchange", "1 if the hand had a card to exchange"),
    Fact("can_place", "1 if the hand paid for a piece that could be placed; -1 if unknown cards decide it"),
    Fact("placements", "first pieces x places that the hand paid for; -1 if a card is unknown", "choices"),
    Fact("houses_left", "the seat's houses not placed before the turn", "houses"),
    Fact("emissaries_left", "the seat's emissaries not placed before the turn", "emissaries"),
    Fact("fortresses_left", "the seat's fortresses not placed before the turn", "fortresses"),
    Fact("exchanged", "1 if a card was exchanged"),
    Fact("cards_played", "cards played to pay for pieces", "cards"),
    Fact("jokers", "pairs of cards that paid as a joker", "jokers"),
    Fact("region", "region that was placed in, as its number in board order; -1 if none", "region"),
    Fact("houses_placed", "houses placed", "houses"),
    Fact("emissaries_placed", "emissaries placed", "emissaries"),
    Fact("fortresses_placed", "fortresses placed", "fortresses"),
    Fact("closed_region", "region whose last site got a house, by number; -1 if none", "region"),
    Fact("deck_draws", "cards drawn from the draw pile", "cards"),
    Fact("slot_draws", "cards drawn from the display", "cards"),
)


@cache
def book(board: str) -> Book:
    facts = options.read_map(board)
    borders = tuple(str(number + 1) for number in range(options.BORDERS))
    return codes.book_of(options.site_words(facts), options.region_words(facts), borders)


TITLE = Title(
    name="china",
    label="China",
    module="pipeline.titles.china",
    seats=(3, 4, 5),
    options=options.OPTIONS,
    facts=FACTS,
    encode_options=options.encode_options,
    board_id=options.board_id,
    book=book,
    load_board=options.load_board,
    choice=Choice("exchanging a card", "placing", "can_exchange", "can_place", "exchanged"),
    measures=measures.MEASURES,
)
