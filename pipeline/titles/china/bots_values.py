"""China: what the simple players think a piece or a card is worth, in twelfths of a point.

All of it can be seen by every seat, but for the cards of the seat that asks.
"""

from __future__ import annotations

from pipeline.titles.china.codes import EMISSARY, FORTRESS, HOUSE
from pipeline.titles.china.options import BORDERS, REGIONS, Board
from pipeline.titles.china.rules_pieces import (
    takes_emissary,
    takes_fortress,
    takes_house,
)
from pipeline.titles.china.rules_roads import joined, neighbours, size_of
from pipeline.titles.china.rules_score import fortified_houses
from pipeline.titles.china.rules_state import (
    EMISSARIES_LEFT,
    FORTRESSES_LEFT,
    HOUSES_LEFT,
    NOBODY,
    State,
    fort_factor,
    wide,
)
from pipeline.titles.state import Longs, random_below, rule

POINT = 12
PIECE = 4
"""What any piece is worth beside its points: the more, the better."""
ROAD_VALUES = (0, 0, 8, 14, 40)
"""Worth of a group of connected houses by its size; beyond four a point each."""
FREE_NEIGHBOUR = 1
ALLY_TO_BE = 6
"""Worth of leading in one region of a border while the other can still be led."""
NO_SITE = -1
IMPOSSIBLE = -(1 << 20)


@rule
def houses_worth(state: State, board: Board, seat: int, region: int, more: int, fortified: int) -> int:
    """The seat's points for a region's houses, with some more there, less the others' mean."""
    mine = int(state.houses[region, seat]) + more
    built = int(state.built[region]) + more
    most = max(mine, int(state.most[region]))
    other_weight = POINT // (state.players - 1)
    worth = 0
    for who in range(state.players):
        houses = mine if who == seat else int(state.houses[region, who])
        if houses == 0:
            continue
        points = most
        if houses == most:
            points = built
        else:
            for other in range(state.players):
                theirs = mine if other == seat else int(state.houses[region, other])
                if houses < theirs < points:
                    points = theirs
        if fortified > 0 or state.forts[region] > 0:
            forts = fortified_houses(state, board, region, who) + (fortified if who == seat else 0)
            points *= fort_factor(state, forts)
        worth += points * POINT if who == seat else -points * other_weight
    return worth


@rule
def house_gain(state: State, board: Board, seat: int, region: int, more: int, fortified: int) -> int:
    return houses_worth(state, board, seat, region, more, fortified) - houses_worth(state, board, seat, region, 0, 0)


@rule
def road_worth(size: int) -> int:
    return ROAD_VALUES[size] if size < 4 else ROAD_VALUES[4] + (size - 4) * POINT


@rule
def road_gain(state: State, board: Board, seat: int, site: int) -> int:
    """What a house joins: the groups of own houses around it, and room to go on."""
    own = joined(state.own_low[seat], state.own_high[seat])
    around = neighbours(board, state.side, site)
    gain = FREE_NEIGHBOUR * size_of(around & ~own)
    left = around & own
    size = 1
    reached = 1 << site
    while left:
        group = left & -left
        grown = 0
        while group != grown:
            grown = group
            edge = group
            while edge:
                bit = edge & -edge
                edge ^= bit
                group |= neighbours(board, state.side, size_of(bit - 1)) & own
        gain -= road_worth(size_of(group))
        size += size_of(group & ~reached)
        reached |= group
        left &= ~group
    return gain + road_worth(size)


@rule
def best_site(state: State, board: Board, rng: Longs, seat: int, region: int) -> tuple[int, int]:
    """The free site of a region that is worth most to a seat beside the region's points, and its worth."""
    best, best_gain, equal = NO_SITE, IMPOSSIBLE, 0
    for site in range(board.first_site[region], board.first_site[region] + board.site_count[region]):
        if state.owner[site] != NOBODY:
            continue
        gain = road_gain(state, board, seat, site)
        if state.fort[site]:
            gain += house_gain(state, board, seat, region, 1, 1)
            gain -= house_gain(state, board, seat, region, 1, 0)
        if gain > best_gain:
            best, best_gain, equal = site, gain, 1
        elif gain == best_gain:
            equal += 1
            if random_below(rng, equal) == 0:
                best = site
    return best, best_gain


@rule
def bare_site(state: State, board: Board, rng: Longs, region: int) -> int:
    """Any site of a region without house and fortress."""
    left = random_below(rng, wide(board.site_count[region] - state.built[region] - state.bare[region]))
    for site in range(board.first_site[region], board.first_site[region] + board.site_count[region]):
        if state.owner[site] == NOBODY and not state.fort[site]:
            if left == 0:
                return site
            left -= 1
    return NO_SITE


@rule
def emissary_gain(state: State, board: Board, seat: int, region: int, more: int) -> int:
    """What more emissaries in a region change in the alliances, less what they change for the others."""
    other_weight = POINT // (state.players - 1)
    mine = int(state.emissaries[region, seat]) + more
    led, lead = int(state.lead[region]), max(int(state.lead[region]), mine)
    gain = 0
    for border in range(BORDERS):
        ally = wide(board.border[border, 1])
        if board.border[border, 0] != region:
            if ally != region:
                continue
            ally = wide(board.border[border, 0])
        if state.sent[ally] == 0:
            gain += ALLY_TO_BE if mine == lead and state.most[ally] > 0 else 0
            continue
        before = int(state.sent[region] + state.sent[ally])
        for who in range(state.players):
            if state.emissaries[ally, who] == 0 or state.emissaries[ally, who] < state.lead[ally]:
                continue
            weight = POINT if who == seat else -other_weight
            had = int(state.emissaries[region, who])
            have = mine if who == seat else had
            if have > 0 and have == lead:
                gain += weight * (before + more)
            if had > 0 and had == led:
                gain -= weight * before
    return gain


@rule
def one_piece(state: State, board: Board, rng: Longs, seat: int, region: int) -> tuple[int, int, int]:
    """The best single piece in a region: its worth, its kind, its site (or the region for an emissary)."""
    worth, item, at = IMPOSSIBLE, HOUSE, NO_SITE
    if takes_house(state, board, seat, region):
        at, gain = best_site(state, board, rng, seat, region)
        worth = gain + house_gain(state, board, seat, region, 1, 0)
    if takes_emissary(state, seat, region):
        gain = emissary_gain(state, board, seat, region, 1)
        if gain > worth:
            worth, item, at = gain, EMISSARY, region
    if worth == IMPOSSIBLE and takes_fortress(state, board, seat, region):
        worth, item, at = 0, FORTRESS, bare_site(state, board, rng, region)
    return worth + PIECE, item, at


@rule
def two_pieces(state: State, board: Board, rng: Longs, seat: int, region: int) -> tuple[int, int, int]:
    """The best two pieces in a region, as `one_piece`; kind and site are those of the first."""
    worth, item, at = IMPOSSIBLE, HOUSE, NO_SITE
    houses, emissaries = state.supply[seat, HOUSES_LEFT], state.supply[seat, EMISSARIES_LEFT]
    free = board.site_count[region] - state.built[region]
    mine = state.houses[region, seat]
    if houses > 0 and free > 0:
        site, gain = best_site(state, board, rng, seat, region)
        if houses > 1 and free > 1:
            worth, at = gain + house_gain(state, board, seat, region, 2, 0), site
        if emissaries > 0 and state.sent[region] < max(state.most[region], mine + 1):
            both = gain + house_gain(state, board, seat, region, 1, 0)
            both += emissary_gain(state, board, seat, region, 1)
            if both > worth:
                worth, at = both, site
        if state.supply[seat, FORTRESSES_LEFT] > 0 and free > state.bare[region]:
            double = house_gain(state, board, seat, region, 1, 1)
            if double > worth:
                worth, item, at = double, FORTRESS, bare_site(state, board, rng, region)
    if emissaries > 1 and state.sent[region] + 2 <= state.most[region]:
        gain = emissary_gain(state, board, seat, region, 2)
        if gain > worth:
            worth, item, at = gain, EMISSARY, region
    fortress = takes_fortress(state, board, seat, region)
    if worth == IMPOSSIBLE and fortress and takes_emissary(state, seat, region):
        worth, item, at = emissary_gain(state, board, seat, region, 1), EMISSARY, region
    return worth + 2 * PIECE, item, at


@rule
def card_worth(state: State, board: Board, seat: int, colour: int) -> int:
    """How useful a card is in hand: with others of its colour, and where its regions have room."""
    worth = 2 * int(state.hand[seat, colour])
    for region in range(REGIONS):
        if board.colour[region] == colour:
            if takes_house(state, board, seat, region):
                worth += 2 if state.built[region] > 0 else 1
            elif takes_emissary(state, seat, region):
                worth += 1
    return worth
