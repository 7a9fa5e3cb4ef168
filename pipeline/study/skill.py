"""Study of seats when players differ, come back, and do not sit down at random."""

from __future__ import annotations

from itertools import product

import numpy as np

from pipeline.stats.arrays import FloatArray, IntArray
from pipeline.stats.logit import adjusted_seats, softmax
from pipeline.stats.patterns import count_patterns
from pipeline.stats.seats import seat_shares
from pipeline.study.games import played
from pipeline.study.model import HIGH, LOW, Column, StudyTable, Value, rate

SEATS, GAMES = 4, 800
SKILL_SD = 1.0
"""Standard deviation of the players' log odds: the best of four wins some 45% of games."""
GAMES_A_PLAYER = (5, 20, 50, 200)
ENOUGH = {50: 0.92, 200: LOW}
"""Games a player -> least coverage of the adjusted interval."""
ADVANTAGE = np.array([0.3, 0.0, 0.0, 0.0])
"""Log odds of the seats: among equal players the first wins 31%."""


def tables(games_a_player: int, better_first: bool, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
    """Win shares in 60ths and players of one cell, both (games, seats).

    Players take part unequally often, ``games_a_player`` on average.
    """
    count = max(SEATS + 1, GAMES * SEATS // games_a_player)
    skill = rng.normal(0.0, SKILL_SD, count)
    keenness = np.log(rng.gamma(4.0, size=count))
    # The largest of keenness plus Gumbel noise are a draw without replacement by keenness.
    players = np.argpartition(-(keenness + rng.gumbel(size=(GAMES, count))), SEATS, axis=1)[:, :SEATS]
    order = rng.normal(size=players.shape)
    if better_first:
        order = order - skill[players]
    players = np.take_along_axis(players, np.argsort(order, axis=1), axis=1)
    return played(skill[players] + ADVANTAGE, rng), players


def _one(games_a_player: int, better_first: bool, truth: FloatArray, rng: np.random.Generator) -> tuple[float, ...]:
    """Error and coverage of the first seat's share, raw and adjusted."""
    shares, players = tables(games_a_player, better_first, rng)
    raw = seat_shares(count_patterns(shares))[0]
    effects = adjusted_seats(shares, players)
    band = effects.win_intervals()[0]
    p = float(truth[0])
    return (
        raw.share - p, raw.interval.low <= p <= raw.interval.high,
        float(effects.win_probability[0]) - p, band.low <= p <= band.high,
    )  # fmt: skip


def skill(replicates: int, seed: int) -> StudyTable:
    """Does knowing the players give back the seats' effect?"""
    rng = np.random.default_rng([seed, 8])
    truth = softmax(ADVANTAGE)
    few = max(2, replicates // 4)
    rows: list[tuple[Value, ...]] = []
    missed = []
    for better_first, games_a_player in product((False, True), GAMES_A_PLAYER):
        found = np.array([_one(games_a_player, better_first, truth, rng) for _ in range(few)])
        bias_raw, _, bias, _ = found.mean(axis=0).tolist()
        covers_raw, covers = rate(found[:, 1]), rate(found[:, 3])
        seating = "better players first" if better_first else "at random"
        rows.append((seating, games_a_player, bias_raw, covers_raw.value, bias, covers.value))
        if games_a_player in ENOUGH and not covers.between(ENOUGH[games_a_player], HIGH):
            missed.append(f"{seating}, {games_a_player} games a player: {100 * covers.value:.1f}%")
    columns = (
        Column("seats taken", "text"), Column("games a player", "whole"), Column("raw, off by", "points"),
        Column("raw covers", "percent"), Column("adjusted, off by", "points"), Column("adjusted covers", "percent"),
    )  # fmt: skip
    return StudyTable(
        "skill", "does knowing the players give back the seats' effect?",
        "With 200 games a player the adjusted interval covers in 93.5% to 96.5%, with 50 in at least 92%.",
        columns, tuple(rows), tuple(missed),
        (f"{GAMES} games of {SEATS}, players' log odds with SD {SKILL_SD:g}; seat 1 wins {100 * truth[0]:.1f}% among"
         " equal players, which is what both are held against. A quarter of the replicates.",),
    )  # fmt: skip
