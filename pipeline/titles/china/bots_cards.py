"""China: which card to play next so that the cards pay for what is wanted."""

from __future__ import annotations

from pipeline.titles.china.rules_pieces import own_cards
from pipeline.titles.china.rules_state import MOST_CARDS, UNKNOWN, State
from pipeline.titles.state import Longs, random_below, rule

ENOUGH, NO_WAY = -1, -2
NO_PAIR = -1


@rule
def next_card(
    state: State, rng: Longs, seat: int, colour: int, pieces: int, randomly: bool
) -> int:
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
