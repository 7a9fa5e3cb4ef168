"""Studies of the tests of seats, and of games that are not independent."""

from __future__ import annotations

import numpy as np

from pipeline.stats import distributions as dist
from pipeline.stats.arrays import FloatArray
from pipeline.stats.patterns import SHARE_UNIT, from_wins
from pipeline.stats.seat_tests import monte_carlo_p, trend_test
from pipeline.stats.seats import seat_shares, session_clustered_shares
from pipeline.stats.verdicts import seat_verdicts
from pipeline.study.games import PLAYERS, cells, one_seat_off, planted, turn_order
from pipeline.study.model import ALARMS, HIGH, LOW, Column, StudyTable, Value, rate


def trend(replicates: int, seed: int, resamples: int = 499) -> StudyTable:
    """Does the turn-order trend keep its 5%, and what does it find?"""
    rng = np.random.default_rng([seed, 5])
    rows: list[tuple[Value, ...]] = []
    missed = []
    few = max(1, replicates // 2)
    mixes = {
        "4 players, 40 games": {4: 40},
        "2 to 5 players, 30 games each": dict.fromkeys(PLAYERS, 30),
        "2 to 5 players, 200 games each": dict.fromkeys(PLAYERS, 200),
        "2 players 600, 5 players 60": {2: 600, 5: 60},
    }
    for label, mix in mixes.items():
        for ties in (0.0, 0.3):
            found = []
            for advantage in (0.0, 0.03, 0.06):
                truths = [(planted(turn_order(players, advantage), ties), games) for players, games in mix.items()]
                streams = zip(*(cells(truth, games, few, rng) for truth, games in truths), strict=True)
                found.append(
                    rate(trend_test(strata, seed + i, resamples).p <= 0.05 for i, strata in enumerate(streams))
                )
            rows.append((label, ties, *(r.value for r in found)))
            if not found[0].at_most(ALARMS):
                missed.append(f"{label}, {100 * ties:g}% ties: {100 * found[0].value:.1f}% false alarms")
    columns = (
        Column("cells", "text"), Column("ties", "percent"), Column("fair", "percent"),
        Column("first seat +3, last -3", "percent"), Column("first seat +6, last -6", "percent"),
    )  # fmt: skip
    return StudyTable(
        "trend", "how often does the turn-order trend raise its voice?",
        "At most 5% of fair sets of cells show a trend.", columns, tuple(rows), tuple(missed),
        ("Half of the replicates.",),
    )  # fmt: skip


def seat_test(replicates: int, seed: int, resamples: int = 499) -> StudyTable:
    """Does the test of all seats keep its 5% with ties, and what does it find?"""
    rng = np.random.default_rng([seed, 6])
    rows: list[tuple[Value, ...]] = []
    missed = []
    few = max(1, replicates // 2)
    for players, games in ((2, 60), (3, 60), (4, 40), (4, 400), (5, 400)):
        for ties in (0.0, 0.3):
            fair = list(cells(planted(one_seat_off(players, 0.0), ties), games, few, rng))
            off = cells(planted(one_seat_off(players, 0.1), ties), games, few, rng)
            alarms = rate(monte_carlo_p(counts, seed + i, resamples) <= 0.05 for i, counts in enumerate(fair))
            seen = rate(monte_carlo_p(counts, seed + i, resamples) <= 0.05 for i, counts in enumerate(off))
            wrong = rate(_pearson_of_shares(counts, players) < 0.05 for counts in fair)
            rows.append((players, games, ties, alarms.value, wrong.value, seen.value))
            if not alarms.at_most(ALARMS):
                missed.append(f"{players} players, {games:,} games, {100 * ties:g}% ties: {100 * alarms.value:.1f}%")
    columns = (
        Column("players", "whole"), Column("games", "whole"), Column("ties", "percent"),
        Column("false alarms", "percent"), Column("of a chi-square that counts shares as wins", "percent"),
        Column("found at +10 points", "percent"),
    )  # fmt: skip
    return StudyTable(
        "seat_test", "does the test of all seats keep its 5% when victories are shared?",
        "At most 5% of fair cells.", columns, tuple(rows), tuple(missed),
        ("The naive chi-square takes half a win for half a game: with ties it is far too timid. Half of the"
         " replicates.",),
    )  # fmt: skip


def _pearson_of_shares(counts: dict[tuple[int, ...], int], players: int) -> float:
    """p of the chi-square that takes summed win shares for counts of games."""
    games = sum(counts.values())
    sums = np.array([sum(p[s] * n for p, n in counts.items()) for s in range(players)]) / SHARE_UNIT
    return dist.chi2_sf(float(((sums - games / players) ** 2).sum() * players / games), players - 1)


def sessions(replicates: int, seed: int) -> StudyTable:
    """What becomes of the interval when games of one evening are alike?"""
    rng = np.random.default_rng([seed, 7])
    rows: list[tuple[Value, ...]] = []
    missed = []
    for count, size in ((10, 10), (30, 10), (100, 10)):
        for alike in (0.0, 0.1):
            plain, clustered, alarms = [], [], []
            for _ in range(replicates):
                wins = rng.multinomial(size, _evenings(4, count, alike, rng))
                row = seat_shares(from_wins(wins.sum(axis=0).tolist()))[0]
                plain.append(row.interval.low <= 0.25 <= row.interval.high)
                low, high = session_clustered_shares((SHARE_UNIT * wins).tolist(), [size] * count)[0].interval
                clustered.append(low <= 0.25 <= high)
                found = seat_verdicts(from_wins(wins.sum(axis=0).tolist()))
                alarms.append(any(v.verdict in ("advantaged", "disadvantaged") for v in found))
            kept = rate(clustered)
            rows.append((count, size, alike, rate(plain).value, kept.value, rate(alarms).value))
            if not kept.between(LOW, HIGH):
                missed.append(f"{count} sessions, correlation {alike:g}: {100 * kept.value:.1f}%")
    columns = (
        Column("sessions", "whole"), Column("games each", "whole"), Column("correlation within", "number"),
        Column("Wilson covers", "percent"), Column("clustered covers", "percent"),
        Column("false alarms of the verdicts", "percent"),
    )  # fmt: skip
    return StudyTable(
        "sessions", "what if the games of one session are alike?",
        "The session-clustered interval covers in 93.5% to 96.5%.", columns, tuple(rows), tuple(missed),
        ("4 players, fair over all sessions. The verdicts take games for independent: where sessions are alike, read"
         " the clustered interval.",),
    )  # fmt: skip


def _evenings(seats: int, count: int, alike: float, rng: np.random.Generator) -> FloatArray:
    """Win shares by session, (count, seats): Dirichlet, so that ``alike`` is the correlation of two games."""
    if alike == 0.0:
        return np.full((count, seats), 1.0 / seats)
    return rng.dirichlet(np.full(seats, (1.0 / alike - 1.0) / seats), size=count)
