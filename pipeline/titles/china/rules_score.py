"""China: houses of a region, alliances, and the end of the game (README, Scoring)."""

from __future__ import annotations

from pipeline.titles.china.codes import ALLIANCE, HOUSES, HOUSES_FORT
from pipeline.titles.china.options import BORDERS, REGIONS, Board
from pipeline.titles.china.rules_roads import score_roads
from pipeline.titles.china.rules_state import (
    FIRST_BORDER,
    OVER,
    State,
    fort_factor,
    wide,
)
from pipeline.titles.state import Sink, note, rule


@rule
def score_houses(state: State, board: Board, sink: Sink, region: int) -> None:
    """Scoring, 1: who has most earns all houses there, each other what the next better one has."""
    state.scored[region] = 1
    for seat in range(state.players):
        if state.houses[region, seat] == 0:
            continue
        points = house_points(state, region, seat)
        note(state.score, sink, seat, HOUSES, region, points)
        if state.forts[region] > 0:
            times = fort_factor(state, fortified_houses(state, board, region, seat))
            if times > 1:
                note(state.score, sink, seat, HOUSES_FORT, region, points * (times - 1))


@rule
def house_points(state: State, region: int, seat: int) -> int:
    """Equal numbers share a rank, and no rank is skipped."""
    mine = state.houses[region, seat]
    if mine == state.most[region]:
        return int(state.built[region])
    better = state.most[region]
    for other in range(state.players):
        if mine < state.houses[region, other] < better:
            better = state.houses[region, other]
    return int(better)


@rule
def fortified_houses(state: State, board: Board, region: int, seat: int) -> int:
    count = 0
    for site in range(board.first_site[region], board.first_site[region] + board.site_count[region]):
        count += state.fort[site] and state.owner[site] == seat
    return count


@rule
def score_alliances(state: State, board: Board, sink: Sink) -> None:
    """Scoring, 2: who has most emissaries (or as many) on both sides of a border earns all of both."""
    for border in range(BORDERS):
        one, other = wide(board.border[border, 0]), wide(board.border[border, 1])
        if state.sent[one] == 0 or state.sent[other] == 0:
            continue
        points = state.sent[one] + state.sent[other]
        for seat in range(state.players):
            if has_most_emissaries(state, one, seat) and has_most_emissaries(state, other, seat):
                note(state.score, sink, seat, ALLIANCE, FIRST_BORDER + border, points)


@rule
def has_most_emissaries(state: State, region: int, seat: int) -> bool:
    mine = state.emissaries[region, seat]
    return bool(mine > 0 and mine == state.lead[region])


@rule
def end_game(state: State, board: Board, sink: Sink) -> None:
    """Scoring, 1 to 3, in this order."""
    state.phase = OVER
    for region in range(REGIONS):
        if not state.scored[region]:
            score_houses(state, board, sink, region)
    score_alliances(state, board, sink)
    score_roads(state, board, sink)
