"""The loops that replay games, for any title: outcomes, score events, turns; states; turn numbers.

The functions set to `_a_title` below stand for a title's own. `pipeline.kernels` joins this file and a
title into one module and compiles it, or binds the same code uncompiled. Nothing here knows a title.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.titles.contract import NATURE
from pipeline.titles.state import AFTER_END, FORM, NO_FAULT, Ints, Longs, Sink, rule


def _a_title(*arguments: Any) -> Any:
    raise NotImplementedError("bound to a title by pipeline.kernels")


reset = apply = is_over = close = standing = observe_turn = observe_event = _a_title

BREAK, ACTS, OPENS = 4, 2, 1


class Log(NamedTuple):
    """Flat columns of many games' events; game g's are `offsets[g]` to `offsets[g + 1]`."""

    offsets: Longs
    seat: npt.NDArray[np.int8]
    action: npt.NDArray[np.int8]
    item: npt.NDArray[np.int16]
    place: npt.NDArray[np.int16]
    target: npt.NDArray[np.int16]
    amount: npt.NDArray[np.int16]
    players: npt.NDArray[np.int8]
    options: Ints  # [games, options]
    finished: npt.NDArray[np.bool_]


class Results(NamedTuple):
    """What the replay says of each game; `rank` and `win60` are 0 and -1 while it is not over."""

    score: Ints  # [games, 5]
    rank: npt.NDArray[np.int8]  # [games, 5]
    win60: npt.NDArray[np.int8]  # [games, 5]
    turns: Ints  # [games]
    fault: npt.NDArray[np.int16]  # [games] 0 is none
    ply: Ints  # [games] of the fault
    numbers: Ints  # [games, 2] of the fault
    events: Longs  # [games + 1] where each game's score events begin in the sink
    rows: Longs  # [games + 1] where each game's turns begin


class Turns(NamedTuple):
    """One row a turn: turn, ply, seat, epoch, score, deficit, and the title's facts behind them."""

    rows: Ints  # [capacity, 6 + facts]
    used: Longs  # [1]


class Events(NamedTuple):
    """The score events of a batch of games; `used[0]` are filled."""

    ply: Ints
    seat: npt.NDArray[np.int8]
    source: npt.NDArray[np.int8]
    place: npt.NDArray[np.int16]
    points: Ints
    used: Longs


TURN, PLY, SEAT, EPOCH, SCORE, DEFICIT, FACTS = range(7)


@rule
def opens_turn(turn_class: int, seat: int, turn_seat: int) -> bool:
    """Whether an event begins a new turn; `turn_seat` is -1 before the first and after a break."""
    return turn_class == OPENS or (turn_class == ACTS and seat != turn_seat)


@rule
def begin_row(state: Any, board: Any, turns: Turns, turn: int, ply: int, seat: int, players: int) -> None:
    row = turns.rows[turns.used[0]]
    turns.used[0] += 1
    row[:] = 0
    best = state.score[0]
    for other in range(1, players):
        best = max(best, state.score[other])
    row[TURN] = turn
    row[PLY] = ply
    row[SEAT] = seat
    row[EPOCH] = state.epoch
    row[SCORE] = state.score[seat]
    row[DEFICIT] = best - state.score[seat]
    observe_turn(state, board, seat, row[FACTS:])


@rule
def rank_seats(state: Any, board: Any, players: int, rank: Any, win60: Any) -> None:
    """1 + the number of seats strictly better; a win is shared in 60ths."""
    winners = 0
    for seat in range(players):
        mine = standing(state, board, seat)
        better = 0
        for other in range(players):
            better += standing(state, board, other) > mine
        rank[seat] = better + 1
        winners += better == 0
    for seat in range(players):
        win60[seat] = 60 // winners if rank[seat] == 1 else 0


@rule
def keep(sink: Sink, events: Events, ply: int) -> bool:
    """Move the ply's score events to the batch's; False when they do not fit."""
    at = events.used[0]
    if at + sink.count > events.ply.size:
        return False
    for i in range(sink.count):
        events.ply[at + i] = ply - 1 if i < sink.before else ply
        events.seat[at + i] = sink.seat[i]
        events.source[at + i] = sink.source[i]
        events.place[at + i] = sink.place[i]
        events.points[at + i] = sink.points[i]
    events.used[0] = at + sink.count
    sink.count = 0
    sink.before = 0
    return True


@rule
def replay_game(
    log: Log,
    g: int,
    classes: Ints,
    board: Any,
    state: Any,
    sink: Sink,
    events: Events,
    turns: Turns,
    want_turns: bool,
    results: Results,
) -> bool:
    """Replay one game; False when the buffers are too full to go on (the game is then undone)."""
    players = int(log.players[g])
    reset(state, board, players, log.options[g])
    first, last = log.offsets[g], log.offsets[g + 1]
    turn, turn_seat = -1, -1
    fault = NO_FAULT
    ply = 0
    for i in range(first, last):
        ply = i - first
        seat, action = int(log.seat[i]), int(log.action[i])
        if action < 0:
            fault = FORM
            break
        if is_over(state, board):
            fault = AFTER_END
            break
        turn_class = classes[action]
        if opens_turn(turn_class, seat, turn_seat):
            turn += 1
            turn_seat = seat
            if want_turns:
                if turns.used[0] == turns.rows.shape[0]:
                    return False
                begin_row(state, board, turns, turn, ply, seat, players)
        elif turn_class == BREAK:
            turn_seat = NATURE
        item, place = int(log.item[i]), int(log.place[i])
        target, amount = int(log.target[i]), int(log.amount[i])
        fault = apply(state, board, sink, seat, action, item, place, target, amount)
        if fault != NO_FAULT:
            sink.count = sink.before
        elif want_turns and turn >= 0:
            row = turns.rows[turns.used[0] - 1, FACTS:]
            observe_event(state, board, row, seat, action, item, place, target, amount)
        if sink.count > 0 and not keep(sink, events, ply):
            return False
        if fault != NO_FAULT:
            break
    over = False
    if fault == NO_FAULT:
        ply = last - first
        fault = close(state, board, sink, bool(log.finished[g]))
        if sink.count > 0 and not keep(sink, events, max(ply - 1, 0)):
            return False
        over = is_over(state, board)
    results.fault[g] = fault
    results.ply[g] = ply
    results.numbers[g, 0] = state.fault[0]
    results.numbers[g, 1] = state.fault[1]
    results.turns[g] = turn + 1
    for seat in range(players):
        results.score[g, seat] = state.score[seat]
        results.rank[g, seat] = 0
        results.win60[g, seat] = -1
    if fault == NO_FAULT and over:
        rank_seats(state, board, players, results.rank[g], results.win60[g])
    return True


def replay_games(
    log: Log,
    which: Longs,
    first: int,
    classes: Ints,
    board: Any,
    state: Any,
    sink: Sink,
    events: Events,
    turns: Turns,
    want_turns: bool,
    results: Results,
) -> int:
    """Replay the games which[first:] until the buffers are full; the position of the next one to do.

    A faulty game keeps no score events and turns beyond those before the fault.
    """
    for position in range(first, which.size):
        g = which[position]
        old, rows = events.used[0], turns.used[0]
        sink.count = 0
        sink.before = 0
        if not replay_game(log, g, classes, board, state, sink, events, turns, want_turns, results):
            events.used[0] = old
            turns.used[0] = rows
            return position
        results.events[position + 1] = events.used[0]
        results.rows[position + 1] = turns.used[0]
    return int(which.size)


def replay_states(log: Log, g: int, board: Any, state: Any, now: Ints, sink: Sink, memory: Ints) -> int:
    """The state's memory `now`, before the first and after each event of one game; how many rows."""
    reset(state, board, int(log.players[g]), log.options[g])
    memory[0] = now
    rows = 1
    for i in range(log.offsets[g], log.offsets[g + 1]):
        if log.action[i] < 0 or is_over(state, board):
            return rows
        sink.count = 0
        sink.before = 0
        if (
            apply(
                state,
                board,
                sink,
                int(log.seat[i]),
                int(log.action[i]),
                int(log.item[i]),
                int(log.place[i]),
                int(log.target[i]),
                int(log.amount[i]),
            )
            != NO_FAULT
        ):
            return rows
        memory[rows] = now
        rows += 1
    close(state, board, sink, bool(log.finished[g]))
    memory[rows - 1] = now
    return rows


def number_turns(log: Log, classes: Ints, turn: Ints) -> None:
    """The turn that each event belongs to, for the canonical moves; set-up belongs to turn 0."""
    for g in range(log.offsets.size - 1):
        now, turn_seat = -1, -1
        for i in range(log.offsets[g], log.offsets[g + 1]):
            turn_class = classes[log.action[i]]
            if opens_turn(turn_class, int(log.seat[i]), turn_seat):
                now += 1
                turn_seat = int(log.seat[i])
            elif turn_class == BREAK:
                turn_seat = NATURE
            turn[i] = max(now, 0)
