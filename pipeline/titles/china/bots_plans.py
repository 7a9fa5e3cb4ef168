"""China: which cards and first pieces lead to a legal turn."""

from __future__ import annotations

from pipeline.titles.china.codes import EMISSARY, FIRST_SITE, FORTRESS, HOUSE, PLACE
from pipeline.titles.china.options import Board
from pipeline.titles.china.rules_pieces import (
    own_cards,
    pays_for_one,
    pays_for_two,
    piece_limit,
    takes_emissary,
    takes_fortress,
    takes_house,
    takes_piece,
)
from pipeline.titles.china.rules_state import (
    EMISSARIES_LEFT,
    FORTRESSES_LEFT,
    HOUSES_LEFT,
    MOST_CARDS,
    NOBODY,
    UNKNOWN,
    State,
    wide,
)
from pipeline.titles.state import Ints, Longs, random_below, rule

ENOUGH, NO_WAY = -1, -2
NO_PAIR = -1


@rule
def next_card(state: State, rng: Longs, seat: int, colour: int, pieces: int, randomly: bool) -> int:
    """The next card towards a payment for pieces in a region of a colour; ENOUGH, or NO_WAY.

    Of the payments that the hand allows the one that needs fewest cards, or any.
    """
    best, chosen, found = MOST_CARDS + 1, NO_WAY, 0
    for pair in range(NO_PAIR, UNKNOWN):
        if pair == colour and not state.any_colour:
            continue
        single = pieces if pair == NO_PAIR else pieces - 1
        needed, card = towards(state, seat, colour, single, pair)
        if card == NO_WAY:
            continue
        found += 1
        if random_below(rng, found) == 0 if randomly else needed < best:
            best, chosen = needed, card
    return chosen


@rule
def towards(state: State, seat: int, colour: int, single: int, pair: int) -> tuple[int, int]:
    """How many cards are missing to some of the region's colour and a pair, and the first of them."""
    wanted = single + (2 if pair == colour else 0)
    have = own_cards(state, colour)
    missing = max(0, wanted - have)
    useful = min(have, wanted)
    missing_pair = 0
    if pair != NO_PAIR and pair != colour:
        have_pair = own_cards(state, pair)
        missing_pair = max(0, 2 - have_pair)
        useful += min(have_pair, 2)
        if missing_pair > state.hand[seat, pair]:
            return 0, NO_WAY
    if missing > state.hand[seat, colour] or state.cards + missing + missing_pair > MOST_CARDS:
        return 0, NO_WAY
    if useful < state.cards and not state.at_least:
        return 0, NO_WAY
    if missing > 0:
        return missing + missing_pair, colour
    return missing_pair, pair if missing_pair > 0 else ENOUGH


@rule
def write(event: Ints, seat: int, action: int, item: int, place: int) -> None:
    event[0], event[1], event[2], event[3] = seat, action, item, place


@rule
def write_piece(event: Ints, board: Board, seat: int, item: int, at: int) -> None:
    """`at` is a site, or a region for an emissary."""
    write(event, seat, PLACE, item, FIRST_SITE + (board.sites + at if item == EMISSARY else at))


@rule
def plan(state: State, board: Board, rng: Longs, seat: int, region: int, pieces: int, randomly: bool) -> int:
    """The card to play next for some pieces in a region; ENOUGH if they are paid, or NO_WAY."""
    if pieces == 1:
        if not takes_piece(state, board, seat, region):
            return NO_WAY
    elif piece_limit(state, region) < 2 or not takes_two(state, board, seat, region):
        return NO_WAY
    return next_card(state, rng, seat, wide(board.colour[region]), pieces, randomly)


@rule
def takes_two(state: State, board: Board, seat: int, region: int) -> bool:
    """Whether some first piece leaves a second one possible."""
    free = wide(board.first_site[region])
    while free < board.first_site[region] + board.site_count[region] - 1 and state.owner[free] != NOBODY:
        free += 1
    return (
        (takes_house(state, board, seat, region) and leaves_second(state, board, seat, region, HOUSE, free))
        or (takes_emissary(state, seat, region) and leaves_second(state, board, seat, region, EMISSARY, free))
        or (takes_fortress(state, board, seat, region) and leaves_second(state, board, seat, region, FORTRESS, free))
    )


@rule
def leaves_second(state: State, board: Board, seat: int, region: int, item: int, site: int) -> bool:
    """Whether a second piece can follow a first one. Of a fortified site for a house, `site` tells."""
    houses = int(state.supply[seat, HOUSES_LEFT]) - int(item == HOUSE)
    emissaries = int(state.supply[seat, EMISSARIES_LEFT]) - int(item == EMISSARY)
    fortresses = int(state.supply[seat, FORTRESSES_LEFT]) - int(item == FORTRESS)
    built = int(state.built[region]) + int(item == HOUSE)
    bare = int(state.bare[region])
    if item == HOUSE:
        bare -= int(state.fort[site])
    elif item == FORTRESS:
        bare += 1
    sent = int(state.sent[region]) + int(item == EMISSARY)
    most = int(state.most[region])
    if item == HOUSE:
        most = max(most, int(state.houses[region, seat]) + 1)
    size = int(board.site_count[region])
    return (houses > 0 and built < size) or (emissaries > 0 and sent < most) or (fortresses > 0 and built + bare < size)


@rule
def may_begin(state: State, board: Board, seat: int, region: int, item: int, site: int) -> bool:
    """Whether the cards played pay for this first piece."""
    colour = wide(board.colour[region])
    if pays_for_one(state, colour):
        return True
    return (
        pays_for_two(state, colour)
        and piece_limit(state, region) == 2
        and leaves_second(state, board, seat, region, item, site)
    )
