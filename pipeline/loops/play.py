"""The loop that plays games, for any title: nature and bots make events, the rules check them.

The functions set to `_a_title` below stand for a title's own; see `pipeline.kernels`.
"""

from __future__ import annotations

from typing import Any

from pipeline.loops.replay import Log
from pipeline.titles.state import NO_FAULT, Ints, Longs, Sink, empty_sink, random_below, rule


def _a_title(*arguments: Any) -> Any:
    raise NotImplementedError("bound to a title by pipeline.kernels")


reset = apply = is_over = close = standing = _a_title
nature = decide = candidates = resolve = hide = _a_title

RANDOM, GREEDY, SAMPLING = 0, 1, 2
ROLLOUT_GREED = 4
"""In a rollout each decision is greedy with 3 chances in 4, else random: greed alone repeats itself."""


@rule
def apply_event(state: Any, board: Any, sink: Sink, event: Ints) -> int:
    """Carry out an event; one without action says that its player leaves it at that (`close`)."""
    empty_sink(sink, 0)
    if event[1] < 0:
        fault: int = close(state, board, sink, False)
    else:
        fault = apply(
            state, board, sink, int(event[0]), int(event[1]), int(event[2]), int(event[3]), int(event[4]), int(event[5])
        )
    return fault


@rule
def play_out(state: Any, board: Any, sink: Sink, rng: Longs, event: Ints) -> None:
    """Play a position to its end with simple bots; a bot's fault ends it too."""
    while not is_over(state, board):
        event[:] = -1
        if not nature(state, board, rng, event):
            policy = RANDOM if random_below(rng, ROLLOUT_GREED) == 0 else GREEDY
            decide(state, board, rng, policy, event)
        if apply_event(state, board, sink, event) != NO_FAULT:
            return


@rule
def value_of(state: Any, board: Any, seat: int, players: int) -> int:
    """How well a game ended for a seat: its lead over the best other, and a bonus for winning."""
    mine = standing(state, board, seat)
    ahead = 0
    for other in range(players):
        ahead += other != seat and standing(state, board, other) > mine
    lead = state.score[seat] * 4
    for other in range(players):
        lead -= state.score[other] * 4 // players
    return int(lead + (200 if ahead == 0 else 0))


@rule
def look_ahead(
    state: Any,
    here: Ints,
    trial: Any,
    there: Ints,
    board: Any,
    sink: Sink,
    rng: Longs,
    players: int,
    budget: int,
    options: Ints,
    event: Ints,
    work: Ints,
) -> None:
    """Choose among the title's candidates by flat Monte Carlo: `budget` rollouts in all.

    Each rollout re-deals what the seat cannot see (`hide`), so that it knows no more than a player.
    """
    seat = int(state.turn_seat)
    count = candidates(state, board, rng, options)
    best, best_value = 0, -(1 << 60)
    each = max(1, budget // max(count, 1)) if count > 1 else 0
    for choice in range(count):
        total = 0
        for _ in range(each):
            there[:] = here
            hide(trial, board, seat, rng)
            work[:] = options[choice]
            resolve(trial, board, rng, work)
            if apply_event(trial, board, sink, work) == NO_FAULT:
                play_out(trial, board, sink, rng, work)
                total += value_of(trial, board, seat, players)
            else:
                total -= 1 << 40
        if total > best_value:
            best, best_value = choice, total
    event[:] = options[best]
    resolve(state, board, rng, event)


def simulate_games(
    log: Log,
    first: int,
    seeds: Longs,
    policies: Longs,
    budget: int,
    board: Any,
    state: Any,
    here: Ints,
    trial: Any,
    there: Ints,
    sink: Sink,
    options: Ints,
    event: Ints,
    work: Ints,
) -> int:
    """Play games into the log's columns from game `first` on; the next game's number, or -1 - ply.

    `policies` [games, 5] is each seat's bot, `seeds` [games, 4] each game's random words. Stops in
    a game that does not fit, which is then played again. Negative: a bot made an illegal event.
    """
    for g in range(first, log.players.size):
        start = log.offsets[g]
        rng = seeds[g].copy()
        players = int(log.players[g])
        reset(state, board, players, log.options[g])
        i = start
        while not is_over(state, board):
            if i == log.seat.size:
                return g
            event[:] = -1
            if not nature(state, board, rng, event):
                policy = int(policies[g, state.turn_seat])
                if policy == SAMPLING:
                    look_ahead(state, here, trial, there, board, sink, rng, players, budget, options, event, work)
                else:
                    decide(state, board, rng, policy, event)
            if apply_event(state, board, sink, event) != NO_FAULT:
                return -1 - int(i - start)
            if event[1] < 0:  # a turn left open has no event of its own; what comes next closes it
                continue
            log.seat[i] = event[0]
            log.action[i] = event[1]
            log.item[i] = event[2]
            log.place[i] = event[3]
            log.target[i] = event[4]
            log.amount[i] = event[5]
            i += 1
        log.offsets[g + 1] = i
    return int(log.players.size)
