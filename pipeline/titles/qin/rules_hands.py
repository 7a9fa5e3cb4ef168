"""Qin: hands with unknown tiles, what fits where, and whether anybody could place.

Section names are those of the README beside this file. Kinds are kept as bits of small numbers.
"""

from __future__ import annotations

from pipeline.titles.contract import NONE
from pipeline.titles.qin.codes import CONTRADICTION, HAND_FULL, NO_MORE, NOT_IN_HAND
from pipeline.titles.qin.options import Board
from pipeline.titles.qin.rules_join import DOUBLES, is_free, is_open, is_touching, plan
from pipeline.titles.qin.rules_state import HAND, State
from pipeline.titles.state import NO_FAULT, rule

KINDS = 6
ALL_KINDS = (1 << KINDS) - 1


@rule
def take_from_supply(state: State, seat: int, kind: int) -> int:
    """Dealt or drawn: a tile of a kind, or an unknown one."""
    if state.held[seat] == HAND:
        return HAND_FULL
    if kind == NONE:
        state.maybe[seat, state.unknowns[seat]] = ALL_KINDS
        state.unknowns[seat] += 1
    else:
        if state.unseen[kind] == 0:
            return NO_MORE
        state.unseen[kind] -= 1
        if state.narrowed and not can_all_be(state, False):
            return CONTRADICTION
        state.known[seat, kind] += 1
    state.supply -= 1
    state.held[seat] += 1
    return NO_FAULT


@rule
def play_from_hand(state: State, seat: int, kind: int) -> int:
    """Unknown tiles: a known tile of the kind, else the oldest unknown one that may be of it."""
    if state.known[seat, kind] > 0:
        state.known[seat, kind] -= 1
        state.held[seat] -= 1
        return NO_FAULT
    for i in range(state.unknowns[seat]):
        if (state.maybe[seat, i] >> kind) & 1:
            if state.unseen[kind] == 0:
                return NO_MORE
            state.unseen[kind] -= 1
            for later in range(i + 1, state.unknowns[seat]):
                state.maybe[seat, later - 1] = state.maybe[seat, later]
            state.unknowns[seat] -= 1
            state.held[seat] -= 1
            if state.narrowed and not can_all_be(state, False):
                return CONTRADICTION
            return NO_FAULT
    return NOT_IN_HAND


@rule
def can_all_be(state: State, nothing_fits: bool) -> bool:
    """Unknown tiles: whether all of them can have a kind at once (Hall's condition).

    With `nothing_fits` none may be of a kind that fits somewhere for its player (field `fits`).
    """
    for kinds in range(1 << KINDS):
        wanted, left = 0, 0
        for kind in range(KINDS):
            if (kinds >> kind) & 1:
                left += state.unseen[kind]
        for seat in range(state.players):
            for i in range(state.unknowns[seat]):
                maybe = state.maybe[seat, i]
                if nothing_fits:
                    maybe &= ~state.fits[seat]
                wanted += (maybe & ~kinds) == 0
        if wanted > left:
            return False
    return True


@rule
def kinds_that_fit(state: State, board: Board, seat: int, wanted: int) -> int:
    """The kinds that a seat could place somewhere; the search ends once one that is wanted is found."""
    kinds = 0
    for i in range(board.pairs):
        one, two = board.pair[i, 0], board.pair[i, 1]
        if not (is_free(state, one, two) and is_touching(state, one, two)):
            continue
        for kind in range(KINDS):
            if (kinds >> kind) & 1:
                continue
            fault = plan(state, board, seat, kind, one, two)
            if fault != NO_FAULT and kind >= DOUBLES:
                fault = plan(state, board, seat, kind, two, one)
            if fault == NO_FAULT:
                kinds |= 1 << kind
        if kinds == ALL_KINDS or kinds & wanted:
            break
    return kinds


@rule
def known_kinds(state: State, seat: int) -> int:
    kinds = 0
    for kind in range(KINDS):
        if state.known[seat, kind] > 0:
            kinds |= 1 << kind
    return kinds


@rule
def is_anything_open(state: State, board: Board) -> bool:
    """Whether there is a place where any tile fits; the search goes on where the last one ended."""
    spot = state.open_pair
    for _ in range(board.pairs):
        if is_open(state, board.pair[spot, 0], board.pair[spot, 1]):
            state.open_pair = spot
            return True
        spot += 1
        if spot == board.pairs:
            spot = 0
    return False


@rule
def may_anybody_place(state: State, board: Board) -> bool:
    """End: whether the unknown tiles allow that a player can place."""
    tiles = 0
    for seat in range(state.players):
        tiles += state.held[seat]
    if tiles == 0:
        return False
    if is_anything_open(state, board):
        return True
    for seat in range(state.players):
        known = known_kinds(state, seat)
        fits = kinds_that_fit(state, board, seat, known)
        if fits & known:
            return True
        for i in range(state.unknowns[seat]):
            if may_be_one_of(state, seat, i, fits):
                return True
    return False


@rule
def may_be_one_of(state: State, seat: int, i: int, kinds: int) -> bool:
    """Whether an unknown tile may be of one of these kinds, the other unknown ones considered."""
    maybe = state.maybe[seat, i]
    for kind in range(KINDS):
        if (maybe & kinds) >> kind & 1:
            state.maybe[seat, i] = 1 << kind
            possible = can_all_be(state, False)
            state.maybe[seat, i] = maybe
            if possible:
                return True
    return False


@rule
def may_nobody_place(state: State, board: Board) -> bool:
    """End: whether the unknown tiles allow that no player can place."""
    unknown = 0
    for seat in range(state.players):
        known = known_kinds(state, seat)
        state.fits[seat] = kinds_that_fit(state, board, seat, known)
        if state.fits[seat] & known:
            return False
        unknown += state.unknowns[seat]
    return unknown == 0 or can_all_be(state, True)


@rule
def exclude_kinds_that_fit(state: State, board: Board, seat: int) -> bool:
    """Pass: no tile of the seat fits anywhere; False if one must."""
    known = known_kinds(state, seat)
    fits = kinds_that_fit(state, board, seat, known)
    if fits & known:
        return False
    if state.unknowns[seat] == 0:
        return True
    state.narrowed = 1
    for i in range(state.unknowns[seat]):
        state.maybe[seat, i] &= ~fits
    return can_all_be(state, False)
