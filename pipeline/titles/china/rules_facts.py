"""China: the facts of a turn, in the order of FACTS in `__init__` (README, Facts)."""

from __future__ import annotations

from pipeline.titles.china.codes import DECK, DRAW, EMISSARY, EXCHANGE, FIRST_SITE, HOUSE, PLACE, PLAY
from pipeline.titles.china.options import REGIONS, Board
from pipeline.titles.china.rules_pieces import closes_region, takes_emissary, takes_fortress, takes_house
from pipeline.titles.china.rules_state import (
    EMISSARIES_LEFT,
    FORTRESSES_LEFT,
    HOUSES_LEFT,
    UNKNOWN,
    State,
)
from pipeline.titles.contract import NONE
from pipeline.titles.state import Ints, rule

HAND_FACTS = 0  # to 4: cards of each colour
(
    HAND_UNKNOWN,
    CAN_EXCHANGE,
    CAN_PLACE,
    PLACEMENTS,
    HOUSES_BEFORE,
    EMISSARIES_BEFORE,
    FORTRESSES_BEFORE,
    EXCHANGED,
    CARDS_PLAYED,
    JOKERS,
    REGION,
    HOUSES_PLACED,
    EMISSARIES_PLACED,
    FORTRESSES_PLACED,
    CLOSED_REGION,
    DECK_DRAWS,
    SLOT_DRAWS,
) = range(UNKNOWN, UNKNOWN + 17)


@rule
def observe_turn(state: State, board: Board, seat: int, row: Ints) -> None:
    """What was possible before the turn, as far as it can be known."""
    unknown = int(state.hand[seat, UNKNOWN])
    for colour in range(UNKNOWN):
        row[HAND_FACTS + colour] = NONE if unknown else state.hand[seat, colour]
    row[HAND_UNKNOWN] = unknown
    row[CAN_EXCHANGE] = state.held[seat] > 0
    row[HOUSES_BEFORE] = state.supply[seat, HOUSES_LEFT]
    row[EMISSARIES_BEFORE] = state.supply[seat, EMISSARIES_LEFT]
    row[FORTRESSES_BEFORE] = state.supply[seat, FORTRESSES_LEFT]
    row[REGION] = NONE
    row[CLOSED_REGION] = NONE
    with_hand, with_any = 0, 0
    for region in range(REGIONS):
        count = first_pieces(state, board, seat, region)
        with_any += count
        if hand_pays(state, seat, int(board.colour[region])):
            with_hand += count
    row[PLACEMENTS] = NONE if unknown else with_hand
    if with_hand > 0:
        row[CAN_PLACE] = 1
    elif unknown and with_any > 0:
        row[CAN_PLACE] = NONE


@rule
def first_pieces(state: State, board: Board, seat: int, region: int) -> int:
    """How many different pieces and places a seat could begin with in a region, had it the cards."""
    count = 0
    if takes_house(state, board, seat, region):
        count += board.site_count[region] - state.built[region]
    if takes_emissary(state, seat, region):
        count += 1
    if takes_fortress(state, board, seat, region):
        count += board.site_count[region] - state.built[region] - state.bare[region]
    return count


@rule
def hand_pays(state: State, seat: int, colour: int) -> bool:
    """Whether the known cards of a hand pay for a piece: one of the colour, or two of another."""
    pays = bool(state.hand[seat, colour] > 0)
    for other in range(UNKNOWN):
        pays = pays or bool(state.hand[seat, other] > 1)
    return pays


@rule
def observe_event(
    state: State,
    board: Board,
    row: Ints,
    seat: int,
    action: int,
    item: int,
    place: int,
    target: int,
    amount: int,
) -> None:
    """What was done in the turn; called after each of its events, when the next one may have begun."""
    if action == PLAY:
        row[CARDS_PLAYED] += 1
    elif action == EXCHANGE:
        row[EXCHANGED] = 1
    elif action == DRAW:
        row[DECK_DRAWS if place == DECK else SLOT_DRAWS] += 1
    elif action == PLACE:
        observe_place(state, board, row, item, place - FIRST_SITE)


@rule
def observe_place(state: State, board: Board, row: Ints, item: int, at: int) -> None:
    region = at - board.sites if item == EMISSARY else int(board.region_of[at])
    row[REGION] = region
    if item == HOUSE:
        row[HOUSES_PLACED] += 1
        if closes_region(state, board, region):
            row[CLOSED_REGION] = region
    elif item == EMISSARY:
        row[EMISSARIES_PLACED] += 1
    else:
        row[FORTRESSES_PLACED] += 1
    pieces = row[HOUSES_PLACED] + row[EMISSARIES_PLACED] + row[FORTRESSES_PLACED]
    if not state.at_least:
        row[JOKERS] = row[CARDS_PLAYED] - pieces
        return
    # Spare cards may be among them: as few jokers as the cards of the region's colour leave needed.
    own = 0
    for i in range(row[CARDS_PLAYED]):
        own += state.played[i] == board.colour[region]
    row[JOKERS] = max(0, pieces - own)
