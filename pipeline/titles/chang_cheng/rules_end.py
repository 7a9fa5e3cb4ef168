"""Chang Cheng: the Mongols, the event cards and who has won. Sections as in the README."""

from __future__ import annotations

from pipeline.titles.chang_cheng.codes import (
    AREAS,
    AREAS_A_BOARD,
    DIPLOMACY,
    DOMINION,
    EVENT,
    IMPERIAL_REWARD,
    MONGOLS,
    SCORE_CARD,
    SCORE_REGION,
    SITES_A_BOARD,
)
from pipeline.titles.chang_cheng.options import Board
from pipeline.titles.chang_cheng.rules_state import (
    DESTROYED,
    EMPTY,
    FINAL_REVEAL,
    NEUTRAL,
    OVER,
    REMOVED,
    State,
    next_hidden,
    region_of,
    seat_of,
)
from pipeline.titles.state import Sink, award, rule

DIPLOMACY_POINTS, REWARD_POINTS = 4, 2


@rule
def begin_end(state: State, board: Board, sink: Sink) -> None:
    """End, 1: the threats that nobody has seen are shown; without any the end is there at once."""
    state.phase = FINAL_REVEAL
    state.turn_seat = state.actor
    if next_hidden(state) < 0:
        finish_game(state, board, sink)


@rule
def finish_game(state: State, board: Board, sink: Sink) -> None:
    """End, 2 and 3."""
    state.phase = OVER
    for slot in range(state.boards):
        first = state.line[slot] * AREAS_A_BOARD
        for region in range(first, first + AREAS_A_BOARD):
            if not state.threat_fate[region] & REMOVED:
                raid(state, board, sink, region)
    if state.card[DIPLOMACY]:
        score_diplomacy(state, sink)
    if state.card[DOMINION]:
        score_dominion(state, sink)
    if state.card[IMPERIAL_REWARD]:
        for owner in range(state.owners):
            earn(state, sink, owner, EVENT, SCORE_CARD + IMPERIAL_REWARD, REWARD_POINTS * state.hand[owner])


@rule
def earn(state: State, sink: Sink, owner: int, source: int, place: int, points: int) -> None:
    award(state.score, sink, seat_of(state, owner), source, place, points)
    state.side_score[owner] += points


@rule
def raid(state: State, board: Board, sink: Sink, region: int) -> None:
    """End, 2: most standing walls loses the threat, all tied ones; a tower there spares its owner, and
    then nobody pays instead. Neutral walls count as a player's."""
    most = 0
    for owner in range(state.owners):
        most = max(most, state.region_walls[region, owner])
    if most == 0 or state.region_walls[region, NEUTRAL] > most:
        return
    threat = state.threat[region]
    for owner in range(state.owners):
        if state.region_walls[region, owner] != most:
            continue
        tower = state.tower_at[owner]
        if tower >= 0 and region_of(state, board, tower) == region:
            state.spared[seat_of(state, owner)] += threat
        else:
            place = SCORE_REGION + region + state.side_class * AREAS
            earn(state, sink, owner, MONGOLS, place, -threat)


@rule
def provinces_with(state: State, owner: int) -> int:
    """Provinces in which the owner has a standing wall."""
    count = 0
    for slot in range(state.boards):
        first = state.line[slot] * AREAS_A_BOARD
        for province in range(first, first + AREAS_A_BOARD):
            count += state.province_walls[province, owner] > 0
    return count


@rule
def score_diplomacy(state: State, sink: Sink) -> None:
    """Event cards: walls in most provinces; the neutral colour does not compete."""
    most = 0
    for owner in range(state.owners):
        most = max(most, provinces_with(state, owner))
    for owner in range(state.owners):
        if most > 0 and provinces_with(state, owner) == most:
            earn(state, sink, owner, EVENT, SCORE_CARD + DIPLOMACY, DIPLOMACY_POINTS)


@rule
def longest_run(state: State, owner: int) -> int:
    """The longest unbroken run of the owner's standing sites."""
    longest, run = 0, 0
    for slot in range(state.boards):
        first = state.line[slot] * SITES_A_BOARD
        for site in range(first, first + SITES_A_BOARD):
            kind = state.kind[site]
            own = kind != EMPTY and kind != DESTROYED and state.owner[site] == owner
            run = run + 1 if own else 0
            longest = max(longest, run)
    return longest


@rule
def score_dominion(state: State, sink: Sink) -> None:
    """Event cards: the longest run brings its length; the neutral colour does not compete."""
    longest = 0
    for owner in range(state.owners):
        longest = max(longest, longest_run(state, owner))
    for owner in range(state.owners):
        if longest_run(state, owner) == longest:
            earn(state, sink, owner, EVENT, SCORE_CARD + DOMINION, longest)


@rule
def standing(state: State, board: Board, seat: int) -> int:
    """End, 4: most points; in teams a tie goes to the better single colour."""
    if not state.teams:
        return int(state.score[seat])
    best = max(state.side_score[2 * seat], state.side_score[2 * seat + 1])
    return int(state.score[seat] * 65536 + best)
