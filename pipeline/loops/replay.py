"""The loops that replay games, for any title: outcomes, score events, turns; states; turn numbers.

The functions set to `_a_title` below stand for a title's own. `pipeline.kernels` joins this file and a
title into one module and compiles it, or binds the same code uncompiled. Nothing here knows a title.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pipeline.titles.contract import MAX_SEATS, NATURE
from pipeline.titles.state import (
    AFTER_END,
    FORM,
    MOST_EVENTS_A_PLY,
    NO_FAULT,
    SINK_EVENTS,
    Ints,
    Layout,
    Longs,
    Sink,
    empty_sink,
    ints,
    rule,
)


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


class Result(Layout):
    """What the replay says of a game; `rank` and `win60` are 0 and -1 while it is not over."""

    score: Ints = ints(MAX_SEATS)
    rank: Ints = ints(MAX_SEATS)
    win60: Ints = ints(MAX_SEATS)
    turns: int = ints()
    fault: int = ints()  # 0 is none
    ply: int = ints()  # of the fault
    numbers: Ints = ints(2)  # of the fault
    events_end: int = ints()  # where the game's score events end in the sink
    rows_end: int = ints()  # where its turns end


class TurnRow(Layout):
    """One turn; behind these the title's `facts` of it, as many as it has."""

    turn: int = ints()
    ply: int = ints()
    seat: int = ints()
    epoch: int = ints()
    score: int = ints()
    deficit: int = ints()


TURN, PLY, SEAT, EPOCH, SCORE, DEFICIT, FACTS = range(7)
"""Columns of turns as plain numbers."""


@rule
def opens_turn(turn_class: int, seat: int, turn_seat: int) -> bool:
    """Whether an event begins a new turn; `turn_seat` is -1 before the first and after a break."""
    return turn_class == OPENS or (turn_class == ACTS and seat != turn_seat)


@rule
def begin_row(state: Any, board: Any, row: Any, turn: int, ply: int, seat: int, players: int) -> None:
    """What is known of a turn before its first event."""
    best = state.score[0]
    for other in range(1, players):
        best = max(best, state.score[other])
    row.turn = turn
    row.ply = ply
    row.seat = seat
    row.epoch = state.epoch
    row.score = state.score[seat]
    row.deficit = best - state.score[seat]
    row.facts[:] = 0
    observe_turn(state, board, seat, row.facts)


@rule
def end_game(state: Any, board: Any, players: int, over: bool, result: Result) -> None:
    """Scores as they stand; of a game that is over ranks too: 1 + the number of seats strictly better."""
    winners = 0
    for seat in range(players):
        result.score[seat] = state.score[seat]
        result.rank[seat] = 0
        result.win60[seat] = -1
        if over:
            mine = standing(state, board, seat)
            better = 0
            for other in range(players):
                better += standing(state, board, other) > mine
            result.rank[seat] = better + 1
            winners += better == 0
    if over:
        for seat in range(players):
            result.win60[seat] = 60 // winners if result.rank[seat] == 1 else 0


@rule
def keep(sink: Sink, ply: int) -> bool:
    """The ply's score events get their ply; False when another ply's might not fit."""
    for i in range(sink.first, sink.count):
        sink.ply[i] = ply - 1 if i < sink.before else ply
    empty_sink(sink, sink.count)
    return bool(sink.count + MOST_EVENTS_A_PLY <= SINK_EVENTS)


def replay_games(
    log: Log, which: Longs, first: int, classes: Ints, board: Any, state: Any, sink: Sink, rows: Any,
    want_turns: bool, results: Any,
) -> int:  # fmt: skip
    """Replay the games which[first:] until the buffers are full; the position of the next one to do.

    `rows` are the buffer for turns. A faulty game keeps no score events and turns beyond those before the
    fault; one that the buffers stop is undone. All in one function, since each array handed to another
    costs two atomic counts.
    """
    used = 0
    for position in range(first, which.size):
        g = which[position]
        players = int(log.players[g])
        reset(state, board, players, log.options[g])
        old, old_used, full = sink.count, used, False
        empty_sink(sink, old)
        turn, turn_seat, fault, ply = -1, -1, NO_FAULT, 0
        begin, end = log.offsets[g], log.offsets[g + 1]
        for i in range(begin, end):
            ply = i - begin
            at = np.uint64(i)  # spares the test for indices that count from the end
            seat, action = int(log.seat[at]), int(log.action[at])
            if action < 0 or is_over(state, board):
                fault = FORM if action < 0 else AFTER_END
                break
            if opens_turn(classes[action], seat, turn_seat):
                turn += 1
                turn_seat = seat
                if want_turns:
                    full = used == rows.size
                    if full:
                        break
                    begin_row(state, board, rows[used], turn, ply, seat, players)
                    used += 1
            elif classes[action] == BREAK:
                turn_seat = NATURE
            item, place = int(log.item[at]), int(log.place[at])
            target, amount = int(log.target[at]), int(log.amount[at])
            fault = apply(state, board, sink, seat, action, item, place, target, amount)
            if fault != NO_FAULT:
                sink.count = sink.before
            elif used > old_used:
                observe_event(state, board, rows[used - 1].facts, seat, action, item, place, target, amount)
            if sink.count > sink.first:
                full = not keep(sink, ply)
            if fault != NO_FAULT or full:
                break
        if fault == NO_FAULT and not full:
            ply = end - begin
            fault = close(state, board, sink, bool(log.finished[g]))
            full = not keep(sink, max(ply - 1, 0))
        if full:
            empty_sink(sink, old)
            return position
        result = results[g]
        result.fault, result.ply, result.turns = fault, ply, turn + 1
        result.numbers[0], result.numbers[1] = state.fault[0], state.fault[1]
        result.events_end, result.rows_end = sink.count, used
        end_game(state, board, players, fault == NO_FAULT and is_over(state, board), result)
    return int(which.size)


def replay_states(log: Log, g: int, board: Any, state: Any, now: Ints, sink: Sink, memory: Ints) -> int:
    """The state's memory `now`, before the first and after each event of one game; how many rows."""
    reset(state, board, int(log.players[g]), log.options[g])
    memory[0] = now
    rows = 1
    for i in range(log.offsets[g], log.offsets[g + 1]):
        if log.action[i] < 0 or is_over(state, board):
            return rows
        empty_sink(sink, 0)
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
