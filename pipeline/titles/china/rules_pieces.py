"""China: what may be placed where, and what cards pay for (README, Turn)."""

from __future__ import annotations

from pipeline.titles.china.codes import (
    EMISSARY,
    EMISSARY_LIMIT,
    HOUSE,
    NO_FORTRESSES,
    NO_PIECES,
    SITE_FORTIFIED,
    SITE_TAKEN,
)
from pipeline.titles.china.options import WORD, Board
from pipeline.titles.china.rules_score import score_houses
from pipeline.titles.china.rules_state import (
    EMISSARIES_LEFT,
    FORTRESSES_LEFT,
    HOUSES_LEFT,
    NOBODY,
    State,
    wide,
)
from pipeline.titles.state import NO_FAULT, Sink, rule


@rule
def region_is_empty(state: State, region: int) -> bool:
    """Turn, 2. Emissaries are never without houses; a fortress alone counts as the switch says."""
    if state.built[region] > 0:
        return False
    return bool(state.fort_needs_house or state.forts[region] == 0)


@rule
def piece_limit(state: State, region: int) -> int:
    """Turn, 2: one piece into an empty region, else two."""
    return 1 if region_is_empty(state, region) else 2


@rule
def takes_house(state: State, board: Board, seat: int, region: int) -> bool:
    return bool(state.built[region] < board.site_count[region] and state.supply[seat, HOUSES_LEFT] > 0)


@rule
def takes_emissary(state: State, seat: int, region: int) -> bool:
    """Turn, 4: no more emissaries than the houses of the player who has most there."""
    return bool(state.sent[region] < state.most[region] and state.supply[seat, EMISSARIES_LEFT] > 0)


@rule
def takes_fortress(state: State, board: Board, seat: int, region: int) -> bool:
    return bool(
        state.supply[seat, FORTRESSES_LEFT] > 0 and state.built[region] + state.bare[region] < board.site_count[region]
    )


@rule
def takes_piece(state: State, board: Board, seat: int, region: int) -> bool:
    """Whether a seat could place anything in a region, had it the cards."""
    return (
        takes_house(state, board, seat, region)
        or takes_emissary(state, seat, region)
        or takes_fortress(state, board, seat, region)
    )


@rule
def own_cards(state: State, colour: int) -> int:
    """How many of the cards played in this turn have a colour."""
    own = 0
    for i in range(state.cards):
        own += state.played[i] == colour
    return own


@rule
def has_other_pair(state: State, colour: int) -> bool:
    """Turn, 1: two cards of one and the same other colour are a joker."""
    for i in range(1, state.cards):
        for j in range(i):
            if state.played[i] == state.played[j] and state.played[i] != colour:
                return True
    return False


@rule
def pays_for_one(state: State, colour: int) -> bool:
    """Turn, 1 and the switches `joker` and `payment`: one card of the region's colour, or a pair."""
    own, pair = own_cards(state, colour), has_other_pair(state, colour)
    if state.at_least:
        return own > 0 or pair
    if state.cards == 1:
        return own == 1
    return bool(state.cards == 2 and (pair or (state.any_colour and own == 2)))


@rule
def pays_for_two(state: State, colour: int) -> bool:
    """Turn, 1: two cards of the region's colour, or one and a pair."""
    own, pair = own_cards(state, colour), has_other_pair(state, colour)
    if state.at_least:
        return own > 1 or (own == 1 and pair)
    if state.cards == 2:
        return own == 2
    return bool(state.cards == 3 and ((own == 1 and pair) or (state.any_colour and own == 3)))


@rule
def put_house(state: State, board: Board, sink: Sink, seat: int, site: int) -> int:
    """Turn, 3: a house on an empty site; a fortress there is no obstacle. A full region is scored."""
    if state.owner[site] != NOBODY:
        return SITE_TAKEN
    if state.supply[seat, HOUSES_LEFT] == 0:
        return NO_PIECES
    region = wide(board.region_of[site])
    state.supply[seat, HOUSES_LEFT] -= 1
    state.owner[site] = seat
    state.houses[region, seat] += 1
    state.built[region] += 1
    state.bare[region] -= state.fort[site]
    state.most[region] = max(state.most[region], state.houses[region, seat])
    if site < WORD:
        state.own_low[seat] |= 1 << site
    else:
        state.own_high[seat] |= 1 << (site - WORD)
    if closes_region(state, board, region):
        score_houses(state, board, sink, region)
    return NO_FAULT


@rule
def closes_region(state: State, board: Board, region: int) -> bool:
    """Turn, 6: a region is full when each of its sites has a house."""
    return bool(state.built[region] == board.site_count[region])


@rule
def put_emissary(state: State, seat: int, region: int) -> int:
    """Turn, 4."""
    if state.supply[seat, EMISSARIES_LEFT] == 0:
        return NO_PIECES
    if state.sent[region] >= state.most[region]:
        state.fault[0] = state.most[region]
        return EMISSARY_LIMIT
    state.supply[seat, EMISSARIES_LEFT] -= 1
    state.emissaries[region, seat] += 1
    state.sent[region] += 1
    state.lead[region] = max(state.lead[region], state.emissaries[region, seat])
    return NO_FAULT


@rule
def put_fortress(state: State, board: Board, seat: int, site: int) -> int:
    """Turn, 5: on a site without house and fortress; it belongs to nobody from then on."""
    if not state.fortresses:
        return NO_FORTRESSES
    if state.owner[site] != NOBODY:
        return SITE_TAKEN
    if state.fort[site]:
        return SITE_FORTIFIED
    if state.supply[seat, FORTRESSES_LEFT] == 0:
        return NO_PIECES
    region = wide(board.region_of[site])
    state.supply[seat, FORTRESSES_LEFT] -= 1
    state.fort[site] = 1
    state.forts[region] += 1
    state.bare[region] += 1
    if site < WORD:
        state.fort_low |= 1 << site
    else:
        state.fort_high |= 1 << (site - WORD)
    return NO_FAULT


@rule
def put_piece(state: State, board: Board, sink: Sink, seat: int, item: int, region: int, site: int) -> int:
    if item == HOUSE:
        return put_house(state, board, sink, seat, site)
    if item == EMISSARY:
        return put_emissary(state, seat, region)
    return put_fortress(state, board, seat, site)
