"""China: what a looking-ahead player weighs."""

from __future__ import annotations

from pipeline.titles.china.bots_plans import NO_WAY, may_begin, plan, write, write_piece
from pipeline.titles.china.bots_values import bare_site, best_site
from pipeline.titles.china.codes import (
    DECK,
    DRAW,
    EMISSARY,
    EXCHANGE,
    FIRST_SLOT,
    FORTRESS,
    HOUSE,
    PLAY,
)
from pipeline.titles.china.options import REGIONS, Board
from pipeline.titles.china.rules_pieces import takes_emissary, takes_fortress, takes_house
from pipeline.titles.china.rules_state import (
    BEGINNING,
    DISPLAY,
    EMPTY,
    MOST_CARDS,
    NOBODY,
    PLACING,
    PLAYING,
    UNKNOWN,
    State,
    can_draw,
    wide,
)
from pipeline.titles.contract import NONE
from pipeline.titles.state import Ints, Longs, random_below, rule


@rule
def candidates(state: State, board: Board, rng: Longs, options: Ints) -> int:
    """What a looking-ahead player weighs at each step of a turn."""
    seat = wide(state.turn_seat)
    options[:] = -1
    count = 0
    if state.phase == BEGINNING or state.phase == PLAYING:
        count = card_candidates(state, board, rng, seat, options)
    if state.phase == PLAYING:
        for region in range(REGIONS):
            count = piece_candidates(state, board, rng, seat, region, options, count)
    if state.phase == PLACING:
        count = piece_candidates(state, board, rng, seat, wide(state.region), options, count)
        if not (state.may_stop and can_draw(state)):
            return count
    if state.phase != BEGINNING and state.phase != PLAYING:
        count = draw_candidates(state, seat, options, count)
    return count


@rule
def card_candidates(state: State, board: Board, rng: Longs, seat: int, options: Ints) -> int:
    """Each colour that can begin or continue a payment; at the start also the exchange of any colour."""
    count = 0
    for colour in range(UNKNOWN):
        if state.hand[seat, colour] == 0:
            continue
        if state.phase == BEGINNING:
            write(options[count], seat, EXCHANGE, colour, NONE)
            count += 1
        if state.cards < MOST_CARDS and leads_on(state, board, rng, seat, colour):
            write(options[count], seat, PLAY, colour, NONE)
            count += 1
    return count


@rule
def leads_on(state: State, board: Board, rng: Longs, seat: int, card: int) -> bool:
    """Whether, with this card played too, the turn can be completed."""
    state.played[state.cards] = card
    state.cards += 1
    state.hand[seat, card] -= 1
    found = False
    for region in range(REGIONS):
        for pieces in range(1, 3):
            found = found or plan(state, board, rng, seat, region, pieces, False) != NO_WAY
    state.cards -= 1
    state.hand[seat, card] += 1
    return found


@rule
def piece_candidates(
    state: State, board: Board, rng: Longs, seat: int, region: int, options: Ints, count: int
) -> int:
    """In a region the best and any other site for a house, an emissary, a fortress."""
    second = state.phase == PLACING
    if takes_house(state, board, seat, region):
        site, _ = best_site(state, board, rng, seat, region)
        if second or may_begin(state, board, seat, region, HOUSE, site):
            write_piece(options[count], board, seat, HOUSE, site)
            count += 1
            other = site
            for at in range(board.first_site[region], board.first_site[region] + board.site_count[region]):
                if state.owner[at] == NOBODY and at != site and (other == site or random_below(rng, 2) == 0):
                    other = at
            if other != site and (second or may_begin(state, board, seat, region, HOUSE, other)):
                write_piece(options[count], board, seat, HOUSE, other)
                count += 1
    if takes_emissary(state, seat, region) and (second or may_begin(state, board, seat, region, EMISSARY, 0)):
        write_piece(options[count], board, seat, EMISSARY, region)
        count += 1
    if takes_fortress(state, board, seat, region) and (
        second or may_begin(state, board, seat, region, FORTRESS, 0)
    ):
        write_piece(options[count], board, seat, FORTRESS, bare_site(state, board, rng, region))
        count += 1
    return count


@rule
def draw_candidates(state: State, seat: int, options: Ints, count: int) -> int:
    """The pile, and each colour in the display once."""
    if state.pile > 0:
        write(options[count], seat, DRAW, NONE, DECK)
        count += 1
    for slot in range(DISPLAY):
        card = state.display[slot]
        first = card != EMPTY
        for earlier in range(slot):
            first = first and state.display[earlier] != card
        if first:
            write(options[count], seat, DRAW, card, FIRST_SLOT + slot)
            count += 1
    return count
