"""Games for testing a design: bots play through the same rules. The same seed gives the same games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pipeline import titles
from pipeline.kernels import kernel
from pipeline.loops.replay import Log
from pipeline.records import FIELDS
from pipeline.replay import log_of_codes
from pipeline.titles.contract import MAX_SEATS, Title, TitleError
from pipeline.titles.state import Sink, memory_of, random_seeds

POLICIES = ("random", "greedy", "sampling")
DEFAULT_BUDGET = 64
GAMES_A_TASK = 2048


@dataclass(frozen=True)
class Plan:
    """What is to be simulated: everything that decides the games, byte for byte."""

    title: str
    players: int
    games: int
    seed: int
    bots: tuple[str, ...]
    options: Mapping[str, Any]
    budget: int = DEFAULT_BUDGET

    def checked(self) -> Plan:
        """The same with complete options. Raises TitleError with one sentence."""
        if self.title not in titles.names():
            raise TitleError(f"unknown title {self.title!r}; known: {', '.join(titles.names())}")
        unknown = [bot for bot in self.bots if bot not in POLICIES]
        if unknown or not self.bots:
            raise TitleError(f"bots are {', '.join(POLICIES)}, not {', '.join(unknown) or 'none'}")
        if len(self.bots) > self.players:
            raise TitleError(f"{len(self.bots)} bots cannot sit at {self.players} seats")
        if self.games < 0 or self.budget < 1:
            raise TitleError("the number of games and the budget must not be negative")
        options = titles.load(self.title).complete_options(self.options, self.players)
        return Plan(self.title, self.players, self.games, self.seed, self.bots, options, self.budget)


def seating(plan: Plan, first: int, count: int) -> npt.NDArray[np.int32]:
    """Which bot (index into `plan.bots`) sits where [count, players]; seats rotate from game to game.

    With fewer bots than seats they alternate; over `players` games each bot sits everywhere equally
    often, and every bot has the same neighbours in each place.
    """
    seats = np.arange(plan.players)[None, :] + np.arange(first, first + count)[:, None]
    kinds = np.arange(plan.players) % len(plan.bots)
    chosen: npt.NDArray[np.int32] = kinds[seats % plan.players].astype(np.int32)
    return chosen


def play(plan: Plan, threads: int = 1, compiled: bool = True) -> Iterator[tuple[int, Log]]:
    """The games of a checked plan in order: the first game's number and a log of some games."""
    title = titles.load(plan.title)
    starts = range(0, plan.games, GAMES_A_TASK)

    def task(first: int) -> tuple[int, Log]:
        return first, _play(title, plan, first, min(GAMES_A_TASK, plan.games - first), compiled)

    if threads == 1:
        yield from map(task, starts)
        return
    with ThreadPoolExecutor(threads) as pool:
        # A few tasks at a time: finished logs must not pile up before a slow consumer.
        for group in range(0, len(starts), threads * 2):
            yield from pool.map(task, starts[group : group + threads * 2])


def _play(title: Title, plan: Plan, first: int, count: int, compiled: bool) -> Log:
    bots = title.bots
    log = empty_log(title, plan, count, count * bots.EVENTS_A_GAME)
    policies = np.zeros((count, MAX_SEATS), np.int64)
    kinds = np.array([POLICIES.index(bot) for bot in plan.bots], np.int64)
    policies[:, : plan.players] = kinds[seating(plan, first, count)]
    seeds = random_seeds(plan.seed, first, count)
    blocks = title.rules.State.block(), title.rules.State.block()
    board = title.load_board(title.board_id(plan.options))
    loop = kernel(plan.title, compiled=compiled, bots=True)
    done = 0
    while done < count:
        done = loop.simulate_games(
            log, done, seeds, policies, plan.budget, board, blocks[0][0], memory_of(blocks[0]),
            blocks[1][0], memory_of(blocks[1]), Sink.new(),
            np.zeros((bots.MOST_CANDIDATES, 6), np.int32), np.zeros(6, np.int32), np.zeros(6, np.int32),
        )  # fmt: skip
        if done < 0:
            raise RuntimeError(f"a bot of {plan.title} made an illegal event at ply {-1 - done}")
        if done < count:
            log = _wider(log)
    return _cut(log)


def empty_log(title: Title, plan: Plan, games: int, events: int) -> Log:
    row = title.encode_options(plan.options, plan.players)
    options = np.tile(np.array(row, np.int32), (games, 1)).reshape(games, len(row))
    seats = np.full(games, plan.players, np.int8)
    blank = np.empty((6, events), np.int16)
    offsets = np.zeros(games + 1, np.int64)
    log = log_of_codes(blank[:, :0], offsets, seats, options, np.ones(games, np.bool_))
    return _with_columns(log, [blank[0].astype(np.int8), blank[1].astype(np.int8), *blank[2:]])


def _with_columns(log: Log, columns: Sequence[npt.NDArray[Any]]) -> Log:
    return log._replace(**dict(zip(FIELDS, columns, strict=True)))


def _wider(log: Log) -> Log:
    columns = [getattr(log, name) for name in FIELDS]
    return _with_columns(log, [np.concatenate([column, np.empty_like(column)]) for column in columns])


def _cut(log: Log) -> Log:
    end = int(log.offsets[-1])
    return _with_columns(log, [getattr(log, name)[:end] for name in FIELDS])


def players_of(plan: Plan, first: int, count: int) -> list[Sequence[str]]:
    """The players' names by game and seat: the bot, with its place among the bots when it sits twice."""
    if len(plan.bots) == len(set(plan.bots)) == 1:
        names = [f"{plan.bots[0]}-{i + 1}" for i in range(plan.players)]
        seats = np.arange(plan.players)[None, :] + np.arange(first, first + count)[:, None]
        return [[names[i] for i in row] for row in seats % plan.players]
    twice = len(plan.bots) != len(set(plan.bots))
    names = [f"{bot}-{i + 1}" if twice else bot for i, bot in enumerate(plan.bots)]
    return [[names[i] for i in row] for row in seating(plan, first, count)]
