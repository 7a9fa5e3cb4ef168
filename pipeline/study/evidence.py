"""Study of watching a stream of games: the e-value against a test that is looked at again and again."""

from __future__ import annotations

from itertools import product

import numpy as np

from pipeline.stats import sequential
from pipeline.stats.arrays import IntArray
from pipeline.stats.multinomial import uniform_fit
from pipeline.stats.patterns import SHARE_UNIT
from pipeline.study.games import one_seat_off, planted, stream
from pipeline.study.model import ALARMS, Column, StudyTable, Value, rate

GAMES, EVERY = 2000, 25


def _looked_at(shares: IntArray) -> bool:
    """Did a chi-square of whole wins, looked at every 25 games, ever fall below 0.05?"""
    wins = (np.cumsum(shares, axis=0)[EVERY - 1 :: EVERY] // SHARE_UNIT).tolist()
    return any(uniform_fit(counts).p_chi2 < 0.05 for counts in wins)


def evidence(replicates: int, seed: int) -> StudyTable:
    """How often does a watched fair stream raise an alarm?"""
    rng = np.random.default_rng([seed, 11])
    few = max(2, replicates // 2)
    rows: list[tuple[Value, ...]] = []
    missed = []
    for players, ties, advantage in product((2, 4), (0.0, 0.3), (0.0, 0.05, 0.1)):
        truth = planted(one_seat_off(players, advantage), ties)
        streams = [stream(truth, GAMES, rng) for _ in range(few)]
        stops = [sequential.watch(sequential.start(players), shares)[0].stopped_at for shares in streams]
        alarms = rate(stop is not None for stop in stops)
        again = None if ties else rate(map(_looked_at, streams)).value
        reached = sorted(GAMES + 1 if stop is None else stop for stop in stops)[few // 2]
        rows.append((players, ties, advantage, alarms.value, again, reached if reached <= GAMES else None))
        if not advantage and not alarms.at_most(ALARMS):
            missed.append(f"{players} players, {100 * ties:g}% ties: {100 * alarms.value:.1f}%")
    columns = (
        Column("players", "whole"), Column("ties", "percent"), Column("seat 1 at", "points"),
        Column("e-value reaches 20", "percent"), Column("chi-square, looked at every 25 games", "percent"),
        Column("half of the streams stop by game", "whole"),
    )  # fmt: skip
    return StudyTable(
        "evidence", "how often does a watched stream raise an alarm?",
        "The e-value reaches 20 in at most 5% of fair streams, however often it is looked at.",
        columns, tuple(rows), tuple(missed), (f"Streams of {GAMES:,} games. Half of the replicates.",),
    )  # fmt: skip
