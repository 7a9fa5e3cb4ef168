"""China: the state, and the small questions that all rules ask of it."""

from __future__ import annotations

from pipeline.titles.china.codes import COLOURS
from pipeline.titles.china.options import BORDERS, MOST_SITES, REGIONS, Board
from pipeline.titles.state import Ints, Layout, ints, rule

HAND = 3
DISPLAY = 4
MOST_CARDS = 3
START_HOUSES, START_EMISSARIES = 20, 8
NOBODY = -1
EMPTY = -1
UNKNOWN = len(COLOURS)
"""Column of `hand` for cards that nobody has seen."""
HOUSES_LEFT, EMISSARIES_LEFT, FORTRESSES_LEFT = range(3)
"""Columns of `supply`."""
MOST_WAYS = 56
"""Multisets of at most three cards of five colours."""

DEALING, REVEALING, BEGINNING, PLAYING, PLACING, DRAWING, REFILLING, OVER = range(8)
"""Phases: set-up's two, a turn's four (nothing done yet; cards played; one piece placed and a second
possible; hand to be filled), the display to be filled, and the end."""


class State(Layout):
    """All that a table shows, what is known of the hidden cards, and the options."""

    score: Ints = ints(5)
    epoch: int = ints()  # how often the draw pile has been empty
    turn_seat: int = ints()
    players: int = ints()
    phase: int = ints()
    turn: int = ints()  # turns that are finished
    side: int = ints()
    fortresses: int = ints()
    any_colour: int = ints()
    at_least: int = ints()
    fort_needs_house: int = ints()  # a fortress alone does not open a region
    stacking: int = ints()  # each fortified house doubles
    no_draw: int = ints()
    owner: Ints = ints(MOST_SITES)  # of the house on a site, or NOBODY
    fort: Ints = ints(MOST_SITES)  # 1 where a fortress stands
    own_low: Ints = ints(5)  # the sites with a seat's houses, as a set
    own_high: Ints = ints(5)
    fort_low: int = ints()  # the sites with a fortress, as a set
    fort_high: int = ints()
    houses: Ints = ints(REGIONS, 5)
    built: Ints = ints(REGIONS)  # houses of all seats
    most: Ints = ints(REGIONS)  # houses of the seat that has most
    forts: Ints = ints(REGIONS)  # fortresses, with or without a house on them
    bare: Ints = ints(REGIONS)  # fortresses without a house
    emissaries: Ints = ints(REGIONS, 5)
    sent: Ints = ints(REGIONS)  # emissaries of all seats
    lead: Ints = ints(REGIONS)  # emissaries of the seat that has most
    scored: Ints = ints(REGIONS)  # 1 when the houses are scored
    supply: Ints = ints(5, 3)  # pieces not placed
    hand: Ints = ints(5, UNKNOWN + 1)
    held: Ints = ints(5)  # cards in hand
    display: Ints = ints(DISPLAY)  # colour, or EMPTY
    shown: int = ints()  # cards in the display
    pile: int = ints()
    unseen: Ints = ints(UNKNOWN)  # cards of this pile, by colour, that have not been seen
    discards: Ints = ints(UNKNOWN)
    dry: int = ints()  # the pile was empty for the second time before this turn
    played: Ints = ints(MOST_CARDS)  # cards of this turn, `cards` of them
    cards: int = ints()
    region: int = ints()  # where this turn's pieces stand, `pieces` of them
    pieces: int = ints()
    placed_item: Ints = ints(2)
    placed_at: Ints = ints(2)
    may_stop: int = ints()  # the cards also pay for the one piece alone
    due: int = ints()  # cards to be drawn
    mixed: int = ints()  # unknown cards of the first pile are still held after it was empty
    old_unseen: Ints = ints(UNKNOWN)  # if mixed: of the first pile, cards that nobody has seen
    old_unknown: Ints = ints(5)  # unknown cards of the first pile in each hand as it was empty
    new_drawn: Ints = ints(5)  # unknown cards of the second pile drawn by each seat
    surfaced: Ints = ints(5)  # unknown cards of either that each seat has played since
    surfaced_colour: Ints = ints(UNKNOWN)  # and by colour
    ways: Ints = ints(5, MOST_WAYS)  # which of them may have been of the first pile: see rules_cards
    ways_count: Ints = ints(5)
    fault: Ints = ints(2)  # numbers of the fault


@rule
def reset(state: State, board: Board, players: int, options: Ints) -> None:
    """The table before the first deal (README, Set-up)."""
    state.players = players
    state.epoch = 0
    state.phase = DEALING
    state.turn = 0
    state.turn_seat = 0
    state.side = options[0]
    state.fortresses = options[1]
    state.any_colour = options[2]
    state.at_least = options[3]
    state.fort_needs_house = options[4]
    state.stacking = options[5]
    state.no_draw = options[6]
    clear_board(state, board)
    for seat in range(players):
        state.score[seat] = 0
        state.supply[seat, HOUSES_LEFT] = START_HOUSES
        state.supply[seat, EMISSARIES_LEFT] = START_EMISSARIES
        state.supply[seat, FORTRESSES_LEFT] = options[1]
        state.held[seat] = 0
        for colour in range(UNKNOWN + 1):
            state.hand[seat, colour] = 0
    state.pile = 0
    for colour in range(UNKNOWN):
        state.unseen[colour] = board.deck[colour] - max(0, 5 - players)
        state.pile += state.unseen[colour]
        state.discards[colour] = 0
    for slot in range(DISPLAY):
        state.display[slot] = EMPTY
    state.shown = 0
    state.dry = 0
    state.mixed = 0
    state.due = 0
    clear_turn(state)


@rule
def clear_board(state: State, board: Board) -> None:
    for site in range(board.sites):
        state.owner[site] = NOBODY
        state.fort[site] = 0
    for seat in range(state.players):
        state.own_low[seat] = 0
        state.own_high[seat] = 0
    state.fort_low = 0
    state.fort_high = 0
    for region in range(REGIONS):
        for seat in range(state.players):
            state.houses[region, seat] = 0
            state.emissaries[region, seat] = 0
        state.built[region] = 0
        state.most[region] = 0
        state.forts[region] = 0
        state.bare[region] = 0
        state.sent[region] = 0
        state.lead[region] = 0
        state.scored[region] = 0


@rule
def clear_turn(state: State) -> None:
    state.cards = 0
    state.pieces = 0
    state.may_stop = 0


@rule
def wide(number: int) -> int:
    """As a literal or a loop's counter is: so Numba compiles what takes either only once."""
    return number + 0


@rule
def can_draw(state: State) -> bool:
    """Draw pile: whether any card can be drawn; after the second emptying only from the display."""
    if state.dry and state.no_draw:
        return False
    return bool(state.pile > 0 or state.shown > 0)


@rule
def fort_factor(state: State, fortified: int) -> int:
    """Scoring, 4 and the switch `fort_stack`."""
    if fortified == 0:
        return 1
    return 1 << fortified if state.stacking else 2


FIRST_BORDER = REGIONS
FIRST_ROAD = REGIONS + BORDERS
"""Where borders and sites begin among the code book's `score_places`."""
