"""Chang Cheng: nature, and the simple players. A bot reads only what its seat can see."""

from __future__ import annotations

from pipeline.titles.chang_cheng.bots_weigh import target_of, weigh
from pipeline.titles.chang_cheng.codes import (
    AREAS,
    AREAS_A_BOARD,
    BOARD,
    BOARDS,
    EAST,
    FAME,
    FIRST_SIDE,
    SHOW,
    THREAT,
    THREAT_SHOWN,
    WEST,
)
from pipeline.titles.chang_cheng.options import Board
from pipeline.titles.chang_cheng.rules_state import (
    EXTENSION_TOKENS,
    FINAL_REVEAL,
    JUDGE,
    RANKS_END,
    SCOUTING,
    SET_UP_BOARDS,
    SET_UP_TOKENS,
    SHOWING,
    SHOWN,
    UNKNOWN,
    State,
    next_hidden,
    place_of_province,
    place_of_region,
    seat_of,
    shown_ranks,
)
from pipeline.titles.contract import NATURE, NONE
from pipeline.titles.state import Ints, Longs, random_below, random_weighted, rule

MOST_CANDIDATES = 8
EVENTS_A_GAME = 140
ALL_RANKS = 0b1111110


@rule
def write(event: Ints, seat: int, action: int, item: int, place: int, target: int) -> None:
    event[0], event[1], event[2], event[3], event[4] = seat, action, item, place, target


@rule
def nature(state: State, board: Board, rng: Longs, event: Ints) -> bool:
    """Boards and tokens at the set-up, tokens of an extension, threats and tiles that are shown."""
    phase = state.phase
    if phase == SET_UP_BOARDS:
        place = WEST if random_below(rng, 2) == 0 else EAST
        write(event, NATURE, BOARD, random_side(state, rng), place, NONE)
    elif phase in (SET_UP_TOKENS, EXTENSION_TOKENS):
        draw_token(state, rng, event)
    elif phase in (SCOUTING, FINAL_REVEAL):
        region = int(state.scouts[0]) if phase == SCOUTING else next_hidden(state)
        write(event, NATURE, THREAT_SHOWN, state.threat[region], place_of_region(state, region), NONE)
    elif phase == SHOWING:
        turn_up(state, rng, event)
    else:
        return False
    return True


@rule
def random_side(state: State, rng: Longs) -> int:
    """The item of a board that does not lie yet."""
    left = random_below(rng, BOARDS - state.boards)
    for number in range(BOARDS):
        if not state.laid[number]:
            if left == 0:
                return FIRST_SIDE + int(state.side_class) * BOARDS + number
            left -= 1
    return NONE


@rule
def draw_token(state: State, rng: Longs, event: Ints) -> None:
    """The next fame token, or when they lie the next threat."""
    for area in range(AREAS):
        if state.laid[area // AREAS_A_BOARD] and state.fame[area] == UNKNOWN:
            value = random_weighted(rng, state.fame_left)
            write(event, NATURE, FAME, value, place_of_province(state, area), NONE)
            return
    for area in range(AREAS):
        if state.laid[area // AREAS_A_BOARD] and state.threat_fate[area] == 0:
            value = random_weighted(rng, state.threat_left)
            write(event, NATURE, THREAT, value, place_of_region(state, area), NONE)
            return


@rule
def turn_up(state: State, rng: Longs, event: Ints) -> None:
    """One of the tiles of the completed province that are not shown yet."""
    province = int(state.completing[state.completing_at])
    left = random_below(rng, int(state.to_show))
    for owner in range(state.owners):
        for rank in range(1, RANKS_END):
            if (state.tile_ranks[province, owner] & ~shown_ranks(state, province, owner)) >> rank & 1:
                if left == 0:
                    place = place_of_province(state, province)
                    write(event, seat_of(state, owner), SHOW, rank, place, target_of(state, owner))
                    return
                left -= 1


@rule
def decide(state: State, board: Board, rng: Longs, policy: int, event: Ints) -> None:
    """The next event of the seat that is to act; policy 0 is random, 1 greedy."""
    weigh(state, board, rng, policy != 0, event.reshape((1, 6)))
    event[5] = NONE
    resolve(state, board, rng, event)


@rule
def candidates(state: State, board: Board, rng: Longs, options: Ints) -> int:
    """What a looking-ahead player weighs: what a greedy one finds best."""
    count = weigh(state, board, rng, True, options)
    for i in range(count):
        options[i, 5] = NONE
    return count


@rule
def resolve(state: State, board: Board, rng: Longs, event: Ints) -> None:
    """Fill in what nature adds: which board comes. An event without action leaves the neutral wall."""
    if event[1] == BOARD and event[2] == NONE:
        event[2] = random_side(state, rng)
    if event[1] == NONE:
        state.declines = 1


@rule
def hide(state: State, board: Board, seat: int, rng: Longs) -> None:
    """Deal anew what the seat has not seen: threats it has not looked at, the others' face-down tiles."""
    for region in range(AREAS):
        if is_hidden(state, seat, region):
            state.threat_left[state.threat[region]] += 1
    for region in range(AREAS):
        if is_hidden(state, seat, region):
            state.threat[region] = random_weighted(rng, state.threat_left)
            state.threat_left[state.threat[region]] -= 1
    for owner in range(state.owners):
        if seat_of(state, owner) != seat:
            deal_tiles(state, owner, rng)


@rule
def is_hidden(state: State, seat: int, region: int) -> bool:
    """A threat token that was laid (it may be gone) and that the seat has never seen."""
    if not state.laid[region // AREAS_A_BOARD] or state.threat[region] == UNKNOWN:
        return False
    return not (state.threat_fate[region] & SHOWN or state.peeked[region] >> seat & 1)


@rule
def deal_tiles(state: State, owner: int, rng: Longs) -> None:
    """The owner's face-down tiles get any ranks that are neither shown nor gone."""
    at_hand, seen = -1, 0
    fixed = int(state.ranks_gone[owner])
    if state.completing_count > 0 and state.stage == JUDGE:
        at_hand = int(state.completing[state.completing_at])
        seen = shown_ranks(state, at_hand, owner) & int(state.tile_ranks[at_hand, owner])
        fixed |= seen
    pool = ALL_RANKS & ~fixed
    state.ranks_known[owner] = fixed
    for area in range(AREAS):
        if not state.laid[area // AREAS_A_BOARD]:
            continue
        old = int(state.tile_ranks[area, owner])
        new = seen if area == at_hand else 0
        for _ in range(bits(old & ~new)):
            bit = random_bit(rng, pool)
            pool &= ~bit
            new |= bit
        state.tile_ranks[area, owner] = new
        state.ranks_known[owner] |= new


@rule
def bits(mask: int) -> int:
    count = 0
    for rank in range(1, RANKS_END):
        count += mask >> rank & 1
    return count


@rule
def random_bit(rng: Longs, mask: int) -> int:
    left = random_below(rng, bits(mask))
    for rank in range(1, RANKS_END):
        if mask >> rank & 1:
            if left == 0:
                return 1 << rank
            left -= 1
    return 0
