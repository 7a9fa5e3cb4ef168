"""China: nature, and the simple players. A bot reads only what its seat can see."""

from __future__ import annotations

from pipeline.titles.china.bots_cards import ENOUGH, NO_WAY, next_card
from pipeline.titles.china.bots_values import (
    IMPOSSIBLE,
    NO_SITE,
    bare_site,
    best_site,
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
    FIRST_SITE,
    FIRST_SLOT,
    FORTRESS,
    HOUSE,
    PLACE,
    PLAY,
    REVEAL,
)
from pipeline.titles.china.options import REGIONS, Board
from pipeline.titles.china.rules_pieces import (
    pays_for_one,
    pays_for_two,
    piece_limit,
    takes_emissary,
    takes_fortress,
    takes_house,
    takes_piece,
)
from pipeline.titles.china.rules_state import (
    BEGINNING,
    DEALING,
    DISPLAY,
    EMISSARIES_LEFT,
    EMPTY,
    FORTRESSES_LEFT,
    HAND,
    HOUSES_LEFT,
    MOST_CARDS,
    NOBODY,
    PLACING,
    PLAYING,
    REFILLING,
    REVEALING,
    UNKNOWN,
    State,
    can_draw,
)
from pipeline.titles.contract import NATURE, NONE
from pipeline.titles.state import Ints, Longs, random_below, random_weighted, rule

MOST_CANDIDATES = 64
EVENTS_A_GAME = 300
DECK_WORTH = 4
"""A card of the pile is worth to a greedy player what this is worth in the display."""


@rule
def write(event: Ints, seat: int, action: int, item: int, place: int) -> None:
    event[0], event[1], event[2], event[3] = seat, action, item, place


@rule
def write_piece(event: Ints, board: Board, seat: int, item: int, at: int) -> None:
    """`at` is a site, or a region for an emissary."""
    write(event, seat, PLACE, item, FIRST_SITE + (board.sites + at if item == EMISSARY else at))


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
    seat = int(state.turn_seat)
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
def plan(
    state: State, board: Board, rng: Longs, seat: int, region: int, pieces: int, randomly: bool
) -> int:
    """The card to play next for some pieces in a region; ENOUGH if they are paid, or NO_WAY."""
    if pieces == 1:
        if not takes_piece(state, board, seat, region):
            return NO_WAY
    elif piece_limit(state, region) < 2 or not takes_two(state, board, seat, region):
        return NO_WAY
    return next_card(state, rng, seat, int(board.colour[region]), pieces, randomly)


@rule
def takes_two(state: State, board: Board, seat: int, region: int) -> bool:
    """Whether some first piece leaves a second one possible."""
    free = board.first_site[region]
    while free < board.first_site[region] + board.site_count[region] - 1 and state.owner[free] != NOBODY:
        free += 1
    return (
        (takes_house(state, board, seat, region) and leaves_second(state, board, seat, region, HOUSE, free))
        or (takes_emissary(state, seat, region) and leaves_second(state, board, seat, region, EMISSARY, free))
        or (
            takes_fortress(state, board, seat, region)
            and leaves_second(state, board, seat, region, FORTRESS, free)
        )
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
    return (
        (houses > 0 and built < size)
        or (emissaries > 0 and sent < most)
        or (fortresses > 0 and built + bare < size)
    )


@rule
def may_begin(state: State, board: Board, seat: int, region: int, item: int, site: int) -> bool:
    """Whether the cards played pay for this first piece."""
    colour = int(board.colour[region])
    if pays_for_one(state, colour):
        return True
    return (
        pays_for_two(state, colour)
        and piece_limit(state, region) == 2
        and leaves_second(state, board, seat, region, item, site)
    )


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
        if fortress and not state.fort[site] and (
            second or may_begin(state, board, seat, region, FORTRESS, site)
        ):
            found += 1
            if random_below(rng, found) == 0:
                write_piece(event, board, seat, FORTRESS, site)
    if takes_emissary(state, seat, region) and (
        second or may_begin(state, board, seat, region, EMISSARY, first)
    ):
        found += 2
        if random_below(rng, found) < 2:
            write_piece(event, board, seat, EMISSARY, region)


@rule
def begin_greedily(state: State, board: Board, rng: Longs, seat: int, event: Ints) -> None:
    """The pieces that are worth most, if they are worth anything; else the least useful card away."""
    best, card, item, at = 0 if state.phase == BEGINNING else IMPOSSIBLE, NO_WAY, NONE, NONE
    for region in range(REGIONS):
        for pieces in range(1, 3):
            needed = plan(state, board, rng, seat, region, pieces, False)
            if needed == NO_WAY:
                continue
            if pieces == 1:
                worth, kind, where = one_piece(state, board, rng, seat, region)
            else:
                worth, kind, where = two_pieces(state, board, rng, seat, region)
            if where != NO_SITE and worth > best:
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
    region = int(state.region)
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
    left = random_below(rng, int(state.held[seat]))
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
    left = random_below(rng, int(state.shown) + int(state.pile > 0))
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
            worth = card_worth(state, board, seat, int(state.display[slot]))
            if worth > best:
                best = worth
                write(event, seat, DRAW, state.display[slot], FIRST_SLOT + slot)


# Looking ahead.


@rule
def candidates(state: State, board: Board, rng: Longs, options: Ints) -> int:
    """What a looking-ahead player weighs at each step of a turn."""
    seat = int(state.turn_seat)
    options[:] = -1
    count = 0
    if state.phase == BEGINNING or state.phase == PLAYING:
        count = card_candidates(state, board, rng, seat, options)
    if state.phase == PLAYING:
        for region in range(REGIONS):
            count = piece_candidates(state, board, rng, seat, region, options, count)
    if state.phase == PLACING:
        count = piece_candidates(state, board, rng, seat, int(state.region), options, count)
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
    if takes_emissary(state, seat, region) and (
        second or may_begin(state, board, seat, region, EMISSARY, 0)
    ):
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
