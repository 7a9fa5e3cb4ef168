"""China: what a looking-ahead player weighs.

Rollouts are noisy, so few events are weighed: those that a greedy player thinks best, and such as it
thinks too little of because they pay late. Cards are drawn greedily, without looking ahead.
"""

from __future__ import annotations

from pipeline.titles.china.bots_plans import ENOUGH, NO_WAY, may_begin, plan
from pipeline.titles.china.bots_values import (
    NO_SITE,
    PIECE,
    POINT,
    best_site,
    emissary_gain,
    house_gain,
    one_piece,
    two_pieces,
)
from pipeline.titles.china.codes import EMISSARY, EXCHANGE, FIRST_SITE, HOUSE, PLACE, PLAY
from pipeline.titles.china.options import REGIONS, Board
from pipeline.titles.china.rules_pieces import takes_emissary, takes_house
from pipeline.titles.china.rules_state import PLAYING, State
from pipeline.titles.contract import NONE
from pipeline.titles.state import Ints, Longs, rule

KEPT = 2
LATE = 12
WORTH = 4
"""Column of a candidate that holds its worth until all are found."""


@rule
def offer(options: Ints, count: int, worth: int, seat: int, action: int, item: int, place: int) -> int:
    """Keep the best events, best first; how many there are."""
    at = 0
    while at < count and not (options[at, 1] == action and options[at, 2] == item and options[at, 3] == place):
        at += 1
    if at < count:
        worth = max(worth, options[at, WORTH])
    elif count < KEPT:
        count += 1
    else:
        at = count - 1
        if options[at, WORTH] >= worth:
            return count
    while at > 0 and options[at - 1, WORTH] < worth:
        for column in range(options.shape[1]):
            options[at, column] = options[at - 1, column]
        at -= 1
    options[at, 0] = seat
    options[at, 1] = action
    options[at, 2] = item
    options[at, 3] = place
    options[at, WORTH] = worth
    return count


@rule
def offer_piece(options: Ints, count: int, worth: int, board: Board, seat: int, item: int, at: int) -> int:
    place = FIRST_SITE + (board.sites + at if item == EMISSARY else at)
    return offer(options, count, worth, seat, PLACE, item, place)


@rule
def turn_candidates(state: State, board: Board, rng: Longs, seat: int, options: Ints) -> int:
    """For the first piece, or for the next card towards it."""
    count = 0
    for region in range(REGIONS):
        for pieces in range(1, 3):
            card = plan(state, board, rng, seat, region, pieces, False)
            if card == NO_WAY:
                continue
            if pieces == 1:
                worth, kind, at = one_piece(state, board, rng, seat, region)
            else:
                worth, kind, at = two_pieces(state, board, rng, seat, region)
            if at == NO_SITE:
                continue
            if card != ENOUGH:
                count = offer(options, count, worth, seat, PLAY, card, NONE)
                continue
            count = offer_piece(options, count, worth, board, seat, kind, at)
            rest = worth - one_piece(state, board, rng, seat, region)[0] if pieces == 2 else 0
            count = region_candidates(state, board, rng, seat, region, rest, options, count)
    return count


@rule
def region_candidates(
    state: State, board: Board, rng: Longs, seat: int, region: int, rest: int, options: Ints, count: int
) -> int:
    """A house and an emissary, whichever a greedy player would not think of."""
    second = state.phase != PLAYING
    if takes_house(state, board, seat, region):
        site, gain = best_site(state, board, rng, seat, region)
        if second or may_begin(state, board, seat, region, HOUSE, site):
            worth = gain + house_gain(state, board, seat, region, 1, 0) + PIECE + rest
            count = offer_piece(options, count, worth, board, seat, HOUSE, site)
    if takes_emissary(state, seat, region) and (second or may_begin(state, board, seat, region, EMISSARY, 0)):
        worth = emissary_gain(state, board, seat, region, 1) + LATE + PIECE + rest
        count = offer_piece(options, count, worth, board, seat, EMISSARY, region)
    return count


@rule
def exchange_candidate(state: State, board: Board, seat: int, card: int, options: Ints, count: int) -> int:
    """An exchange is weighed where the best placement is worth little."""
    if count == 0 or options[0, WORTH] < POINT:
        return offer(options, count, 0, seat, EXCHANGE, card, NONE)
    return count


@rule
def clear_worths(options: Ints, count: int) -> None:
    for i in range(count):
        options[i, WORTH] = NONE
