"""China: nature, and the simple players. A bot reads only what its seat can see."""

from __future__ import annotations

from pipeline.titles.china.bots_ahead import (
    clear_worths,
    exchange_candidate,
    offer_piece,
    region_candidates,
    turn_candidates,
)
from pipeline.titles.china.bots_plans import ENOUGH, NO_WAY, may_begin, plan, write, write_piece
from pipeline.titles.china.bots_values import (
    IMPOSSIBLE,
    NO_SITE,
    card_worth,
    one_piece,
    two_pieces,
)
from pipeline.titles.china.codes import (
    DEAL,
    DECK,
    DRAW,
    EMISSARY,
    EXCHANGE,
    FIRST_SLOT,
    FORTRESS,
    HOUSE,
    PLAY,
    REVEAL,
)
from pipeline.titles.china.options import REGIONS, Board
from pipeline.titles.china.rules_pieces import (
    takes_emissary,
    takes_fortress,
    takes_house,
)
from pipeline.titles.china.rules_state import (
    BEGINNING,
    DEALING,
    DISPLAY,
    DRAWING,
    EMPTY,
    MOST_CARDS,
    NOBODY,
    PLACING,
    PLAYING,
    REFILLING,
    REVEALING,
    UNKNOWN,
    State,
    can_draw,
    wide,
)
from pipeline.titles.contract import NATURE, NONE
from pipeline.titles.state import Ints, Longs, random_below, random_weighted, rule

MOST_CANDIDATES = 8
EVENTS_A_GAME = 300
__all__ = ["EVENTS_A_GAME", "MOST_CANDIDATES", "candidates", "decide", "hide", "nature", "resolve"]

DECK_WORTH = 4
"""A card of the pile is worth to a greedy player what this is worth in the display."""


@rule
def nature(state: State, board: Board, rng: Longs, event: Ints) -> bool:
    """Deal round by round; fill the first empty slot of the display."""
    if state.phase == DEALING:
        seat = 0
        for other in range(state.players):
            if state.held[other] < state.held[seat]:
                seat = other
        write(event, seat, DEAL, random_weighted(rng, state.unseen), NONE)
        return True
    if state.phase != REVEALING and state.phase != REFILLING:
        return False
    slot = 0
    while state.display[slot] != EMPTY:
        slot += 1
    write(event, NATURE, REVEAL, random_weighted(rng, state.unseen), FIRST_SLOT + slot)
    return True


@rule
def decide(state: State, board: Board, rng: Longs, policy: int, event: Ints) -> None:
    """The next event of the seat that is to act; policy 0 is random, 1 greedy."""
    seat, policy = wide(state.turn_seat), wide(policy)
    if state.phase == BEGINNING or state.phase == PLAYING:
        if policy == 0:
            begin_randomly(state, board, rng, seat, event)
        else:
            begin_greedily(state, board, rng, seat, event)
    elif state.phase == PLACING and stays(state, board, rng, seat, policy, event):
        return
    elif policy == 0:
        draw_randomly(state, rng, seat, event)
    else:
        draw_greedily(state, board, rng, seat, event)
    resolve(state, board, rng, event)


@rule
def resolve(state: State, board: Board, rng: Longs, event: Ints) -> None:
    """Fill in what nature adds: the card that is drawn from the pile."""
    if event[1] == DRAW and event[3] == DECK and event[2] == NONE:
        event[2] = random_weighted(rng, state.unseen)


# A turn's cards and first piece. Bots remember nothing: with some cards played they look again for the
# best way to go on, which always exists, because they play no card that leaves none.


@rule
def begin_randomly(state: State, board: Board, rng: Longs, seat: int, event: Ints) -> None:
    """Any way of paying for one or two pieces in any region, or an exchange."""
    found, region, pieces = 0, 0, 0
    if state.phase == PLAYING or random_below(rng, 5) > 0:
        for r in range(REGIONS):
            for number in range(1, 3):
                card = plan(state, board, rng, seat, r, number, True)
                if card != NO_WAY:
                    found += 1
                    if random_below(rng, found) == 0:
                        region, pieces = r, number
    if found == 0:
        write(event, seat, EXCHANGE, random_card(state, rng, seat), NONE)
        return
    card = plan(state, board, rng, seat, region, pieces, True)
    if card == ENOUGH and state.at_least and spare_card(state, seat) and random_below(rng, 4) == 0:
        card = random_card(state, rng, seat)
    if card != ENOUGH:
        write(event, seat, PLAY, card, NONE)
    else:
        random_piece(state, board, rng, seat, region, event)


@rule
def spare_card(state: State, seat: int) -> bool:
    return bool(state.cards < MOST_CARDS and state.held[seat] > 0)


@rule
def random_piece(state: State, board: Board, rng: Longs, seat: int, region: int, event: Ints) -> None:
    """Any piece on any place of a region that the cards pay for, or that may be the second."""
    second = state.phase == PLACING
    found = 0
    first, end = board.first_site[region], board.first_site[region] + board.site_count[region]
    house, fortress = takes_house(state, board, seat, region), takes_fortress(state, board, seat, region)
    for site in range(first, end):
        if state.owner[site] != NOBODY:
            continue
        if house and (second or may_begin(state, board, seat, region, HOUSE, site)):
            found += 1
            if random_below(rng, found) == 0:
                write_piece(event, board, seat, HOUSE, site)
        if fortress and not state.fort[site] and (second or may_begin(state, board, seat, region, FORTRESS, site)):
            found += 1
            if random_below(rng, found) == 0:
                write_piece(event, board, seat, FORTRESS, site)
    if takes_emissary(state, seat, region) and (second or may_begin(state, board, seat, region, EMISSARY, 0)):
        found += 2
        if random_below(rng, found) < 2:
            write_piece(event, board, seat, EMISSARY, region)


@rule
def begin_greedily(state: State, board: Board, rng: Longs, seat: int, event: Ints) -> None:
    """The pieces that are worth most, if they are worth anything; else the least useful card away."""
    best, card, item, at = 0 if state.phase == BEGINNING else IMPOSSIBLE, NO_WAY, NONE, NONE
    equal = 0
    for region in range(REGIONS):
        for pieces in range(1, 3):
            needed = plan(state, board, rng, seat, region, pieces, False)
            if needed == NO_WAY:
                continue
            if pieces == 1:
                worth, kind, where = one_piece(state, board, rng, seat, region)
            else:
                worth, kind, where = two_pieces(state, board, rng, seat, region)
            if where == NO_SITE or worth < best:
                continue
            equal = 1 if worth > best else equal + 1
            if random_below(rng, equal) == 0:
                best, card, item, at = worth, needed, kind, where
    if card == NO_WAY:
        write(event, seat, EXCHANGE, least_useful(state, board, seat), NONE)
    elif card != ENOUGH:
        write(event, seat, PLAY, card, NONE)
    else:
        write_piece(event, board, seat, item, at)


@rule
def stays(state: State, board: Board, rng: Longs, seat: int, policy: int, event: Ints) -> bool:
    """Write a second piece, unless none is wanted: then the draw that follows says so."""
    region = wide(state.region)
    free_to_go = state.may_stop and can_draw(state)
    if policy == 0:
        if free_to_go and random_below(rng, 3) == 0:
            return False
        random_piece(state, board, rng, seat, region, event)
        return True
    worth, item, at = one_piece(state, board, rng, seat, region)
    if free_to_go and worth <= 0:
        return False
    write_piece(event, board, seat, item, at)
    return True


# Cards.


@rule
def random_card(state: State, rng: Longs, seat: int) -> int:
    left = random_below(rng, wide(state.held[seat]))
    for colour in range(UNKNOWN):
        left -= state.hand[seat, colour]
        if left < 0:
            return colour
    return 0


@rule
def least_useful(state: State, board: Board, seat: int) -> int:
    best, least = 0, 1 << 20
    for colour in range(UNKNOWN):
        if state.hand[seat, colour] > 0:
            worth = card_worth(state, board, seat, colour)
            if worth < least:
                best, least = colour, worth
    return best


@rule
def draw_randomly(state: State, rng: Longs, seat: int, event: Ints) -> None:
    """The pile or a slot, each with the same chance."""
    left = random_below(rng, wide(state.shown + int(state.pile > 0)))
    write(event, seat, DRAW, NONE, DECK)
    for slot in range(DISPLAY):
        if state.display[slot] != EMPTY:
            if left == 0:
                write(event, seat, DRAW, state.display[slot], FIRST_SLOT + slot)
            left -= 1


@rule
def draw_greedily(state: State, board: Board, rng: Longs, seat: int, event: Ints) -> None:
    """The most useful card of the display, or the pile's."""
    best = DECK_WORTH if state.pile > 0 else IMPOSSIBLE
    write(event, seat, DRAW, NONE, DECK)
    for slot in range(DISPLAY):
        if state.display[slot] != EMPTY:
            worth = card_worth(state, board, seat, wide(state.display[slot]))
            if worth > best:
                best = worth
                write(event, seat, DRAW, state.display[slot], FIRST_SLOT + slot)


@rule
def candidates(state: State, board: Board, rng: Longs, options: Ints) -> int:
    """What a looking-ahead player weighs at each step of a turn: see `bots_ahead`."""
    seat = wide(state.turn_seat)
    options[:] = -1
    count = 0
    if state.phase == BEGINNING or state.phase == PLAYING:
        count = turn_candidates(state, board, rng, seat, options)
        if state.phase == BEGINNING:
            card = least_useful(state, board, seat)
            count = exchange_candidate(state, board, seat, card, options, count)
    elif state.phase == PLACING:
        region = wide(state.region)
        worth, item, at = one_piece(state, board, rng, seat, region)
        count = offer_piece(options, count, worth, board, seat, item, at)
        count = region_candidates(state, board, rng, seat, region, 0, options, count)
    clear_worths(options, count)
    if state.phase == DRAWING or (state.phase == PLACING and state.may_stop and can_draw(state)):
        draw_greedily(state, board, rng, seat, options[count])
        count += 1
    return count


@rule
def hide(state: State, board: Board, seat: int, rng: Longs) -> None:
    """Deal the others' hands anew from all that the seat does not see: their hands and the pile.

    A player could remember which cards the others took from the display; bots do not.
    """
    for other in range(state.players):
        if other != seat:
            for colour in range(UNKNOWN):
                state.unseen[colour] += state.hand[other, colour]
                state.hand[other, colour] = 0
    for other in range(state.players):
        if other != seat:
            for _ in range(state.held[other]):
                card = random_weighted(rng, state.unseen)
                state.hand[other, card] += 1
                state.unseen[card] -= 1
