"""China: hands, the draw pile, the display, and cards that the source could not see (README, Cards)."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeline.titles.china.codes import (
    CARD_COUNT,
    DECK_EMPTY,
    NOT_IN_HAND,
    OTHER_CARD,
    SLOT_EMPTY,
    SLOT_TAKEN,
)
from pipeline.titles.china.rules_state import EMPTY, UNKNOWN, State
from pipeline.titles.contract import NONE
from pipeline.titles.state import NO_FAULT, Ints, rule


@rule
def turn_over_card(state: State, item: int) -> int:
    """Take the top card off the draw pile. A null item is a card that nobody has seen."""
    if state.pile == 0:
        return DECK_EMPTY
    if item != NONE:
        state.unseen[item] -= 1
        if state.mixed:
            if not unknowns_fit(state):
                return CARD_COUNT
        elif state.unseen[item] < 0:
            return CARD_COUNT
    state.pile -= 1
    return NO_FAULT


@rule
def deal_to_hand(state: State, seat: int, item: int) -> int:
    """From the draw pile into a hand."""
    fault = turn_over_card(state, item)
    if fault != NO_FAULT:
        return fault
    if item == NONE:
        state.hand[seat, UNKNOWN] += 1
        if state.mixed:
            state.new_drawn[seat] += 1
    else:
        state.hand[seat, item] += 1
    state.held[seat] += 1
    if state.pile == 0:
        empty_pile(state)
    return NO_FAULT


@rule
def take_from_display(state: State, seat: int, item: int, slot: int) -> int:
    """The displayed card is known, whether or not the record names it."""
    card = state.display[slot]
    if card == EMPTY:
        return SLOT_EMPTY
    if item != NONE and item != card:
        state.fault[0] = card
        return OTHER_CARD
    state.display[slot] = EMPTY
    state.shown -= 1
    state.hand[seat, card] += 1
    state.held[seat] += 1
    return NO_FAULT


@rule
def reveal(state: State, item: int, slot: int) -> int:
    """From the draw pile into an empty slot of the display."""
    if state.display[slot] != EMPTY:
        return SLOT_TAKEN
    fault = turn_over_card(state, item)
    if fault != NO_FAULT:
        return fault
    state.display[slot] = item
    state.shown += 1
    if state.pile == 0:
        empty_pile(state)
    return NO_FAULT


@rule
def empty_pile(state: State) -> None:
    """Draw pile: as its last card is taken for the first time, the discards are the new pile."""
    state.epoch += 1
    if state.epoch > 1:
        return
    unknown = 0
    for seat in range(state.players):
        unknown += state.hand[seat, UNKNOWN]
    if unknown > 0:
        remember_old_pile(state)
    for colour in range(UNKNOWN):
        state.unseen[colour] = state.discards[colour]
        state.pile += state.discards[colour]
        state.discards[colour] = 0


@rule
def discard(state: State, seat: int, card: int) -> int:
    """Out of a hand onto the discards. A known card goes first: that loses no possibility."""
    if state.hand[seat, card] > 0:
        state.hand[seat, card] -= 1
    elif state.hand[seat, UNKNOWN] == 0:
        return NOT_IN_HAND
    else:
        state.hand[seat, UNKNOWN] -= 1
        if state.mixed:
            if not surface(state, seat, card):
                return CARD_COUNT
        elif state.unseen[card] == 0:
            return CARD_COUNT
        else:
            state.unseen[card] -= 1
    state.held[seat] -= 1
    state.discards[card] += 1
    return NO_FAULT


# Unknown cards of two piles. While a hand has unknown cards of the first pile and the second one is in
# use, an unknown card that is played may come from either. A way of a seat says how many of those that
# it has played, by colour, were of the first pile: a number of five digits to base 4. All ways that the
# seat's own draws allow are kept; the record is possible as long as one way of each seat can be chosen
# so that no colour of either pile is used more often than it is unseen there.


@rule
def remember_old_pile(state: State) -> None:
    """Begin to tell the two piles apart."""
    state.mixed = 1
    for colour in range(UNKNOWN):
        state.old_unseen[colour] = state.unseen[colour]
        state.surfaced_colour[colour] = 0
    for seat in range(state.players):
        state.old_unknown[seat] = state.hand[seat, UNKNOWN]
        state.new_drawn[seat] = 0
        state.surfaced[seat] = 0
        state.ways[seat, 0] = 0
        state.ways_count[seat] = 1


@rule
def digit(way: int, colour: int) -> int:
    return (way >> (2 * colour)) & 3


@rule
def cards_of(way: int) -> int:
    total = 0
    for colour in range(UNKNOWN):
        total += digit(way, colour)
    return total


@rule
def surface(state: State, seat: int, card: int) -> bool:
    """An unknown card of a hand shows; whether that is possible."""
    state.surfaced[seat] += 1
    state.surfaced_colour[card] += 1
    possible = np.zeros(1 << (2 * UNKNOWN), np.bool_)
    for i in range(state.ways_count[seat]):
        way = int(state.ways[seat, i])
        old = cards_of(way)
        if old < state.old_unknown[seat]:
            possible[way + (1 << (2 * card))] = True
        if state.surfaced[seat] - old <= state.new_drawn[seat]:
            possible[way] = True
    count = 0
    for way in range(possible.size):
        if possible[way]:
            state.ways[seat, count] = way
            count += 1
    state.ways_count[seat] = count
    return unknowns_fit(state)


@rule
def unknowns_fit(state: State) -> bool:
    """Whether one way of each seat can be chosen: sums of ways, seat by seat, that the first pile allows."""
    stride = np.zeros(UNKNOWN + 1, np.int32)
    stride[0] = 1
    for colour in range(UNKNOWN):
        stride[colour + 1] = stride[colour] * (state.old_unseen[colour] + 1)
    sums = np.zeros(int(stride[UNKNOWN]), np.bool_)
    sums[0] = True
    for seat in range(state.players):
        following = np.zeros(sums.size, np.bool_)
        for so_far in range(sums.size):
            if sums[so_far]:
                add_ways(state, seat, so_far, stride, following)
        sums = following
    fits = False
    for total in range(sums.size):
        fits = fits or (sums[total] and new_pile_allows(state, total, stride))
    return fits


@rule
def add_ways(state: State, seat: int, so_far: int, stride: Ints, following: Any) -> None:
    for i in range(state.ways_count[seat]):
        way = int(state.ways[seat, i])
        total = so_far
        fits = True
        for colour in range(UNKNOWN):
            used = so_far // stride[colour] % (state.old_unseen[colour] + 1) + digit(way, colour)
            fits = fits and used <= state.old_unseen[colour]
            total += digit(way, colour) * stride[colour]
        if fits:
            following[total] = True


@rule
def new_pile_allows(state: State, total: int, stride: Ints) -> bool:
    """Whether the second pile had the cards that were not of the first."""
    for colour in range(UNKNOWN):
        old = total // stride[colour] % (state.old_unseen[colour] + 1)
        if state.surfaced_colour[colour] - old > state.unseen[colour]:
            return False
    return True
