"""Study of the association between exchanging a card and winning, where trailing players exchange more."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pipeline.stats.arrays import FloatArray, IntArray
from pipeline.stats.errors import NotEnough
from pipeline.stats.exchange import exchange_association, naive_difference
from pipeline.stats.means import mean_of
from pipeline.study.model import ALARMS, Column, StudyTable, Value, rate

SEATS, TURNS, GAMES = 4, 6, 250
TRAILING = 0.6
"""How much the log odds of exchanging rise for each point behind the mean."""


class Turns(NamedTuple):
    """Player-turns, one row each."""

    game: IntArray
    turn: IntArray
    exchanged: FloatArray
    share: FloatArray
    behind: FloatArray
    """The mean score of the table less the player's, before the decision."""


def player_turns(trailing: float, worth: float, rng: np.random.Generator) -> Turns:
    """Games in which each turn brings points by chance, and an exchange ``worth`` points more.

    Every player may exchange in every turn; the highest total wins.
    """
    score = np.zeros((GAMES, SEATS))
    exchanged, behind = [], []
    for _ in range(TURNS):
        gap = score.mean(axis=1, keepdims=True) - score
        did = rng.random(score.shape) < 1.0 / (1.0 + np.exp(0.8 - trailing * gap))
        score = score + rng.normal(3.0, 1.0, score.shape) + worth * did
        exchanged.append(did)
        behind.append(gap)
    won = (score == score.max(axis=1, keepdims=True)).astype(np.float64)
    game = np.broadcast_to(np.arange(GAMES)[:, None], score.shape)
    return Turns(
        np.tile(game.reshape(-1), TURNS), np.repeat(np.arange(TURNS), GAMES * SEATS),
        np.concatenate([did.reshape(-1) for did in exchanged]).astype(np.float64),
        np.tile(won.reshape(-1), TURNS), np.concatenate([gap.reshape(-1) for gap in behind]),
    )  # fmt: skip


def _one(trailing: float, worth: float, rng: np.random.Generator) -> tuple[float, ...]:
    """Naive difference and whether its interval leaves out 0; log odds and p, unadjusted and adjusted."""
    rows = player_turns(trailing, worth, rng)
    did = rows.exchanged > 0
    naive = naive_difference(mean_of(rows.share[did]), mean_of(rows.share[~did]))
    if naive.interval is None:
        raise NotEnough("needs turns with and without an exchange")
    plain = exchange_association(rows.game, rows.turn, rows.exchanged, rows.share)
    adjusted = exchange_association(rows.game, rows.turn, rows.exchanged, rows.share, rows.behind[:, None], ["deficit"])
    out = not naive.interval.low <= 0.0 <= naive.interval.high
    return naive.difference, out, plain.log_odds, plain.p < 0.05, adjusted.log_odds, adjusted.p < 0.05


def exchange(replicates: int, seed: int) -> StudyTable:
    """Does an exchange that is worth nothing seem to cost or to bring wins?"""
    rng = np.random.default_rng([seed, 10])
    few = max(2, replicates // 4)
    rows: list[tuple[Value, ...]] = []
    missed = []
    for label, trailing, worth in (
        ("anyone, worth nothing", 0.0, 0.0),
        ("who trails, worth nothing", TRAILING, 0.0),
        ("who trails, worth half a point", TRAILING, 0.5),
    ):
        found = np.array([_one(trailing, worth, rng) for _ in range(few)])
        naive, _, plain, _, adjusted, _ = found.mean(axis=0).tolist()
        alarms = [rate(found[:, column]) for column in (1, 3, 5)]
        ratios = [float(np.exp(log_odds)) for log_odds in (plain, adjusted)]
        rows.append((label, naive, alarms[0].value, ratios[0], alarms[1].value, ratios[1], alarms[2].value))
        if not worth and not alarms[2].at_most(ALARMS):
            missed.append(f"exchanges by {label}: {100 * alarms[2].value:.1f}%")
    columns = (
        Column("exchanges by", "text"), Column("naive difference", "points"), Column("leaves out 0", "percent"),
        Column("odds ratio, unadjusted", "number"), Column("p < 0.05", "percent"),
        Column("odds ratio, adjusted", "number"), Column("p < 0.05, adjusted", "percent"),
    )  # fmt: skip
    return StudyTable(
        "exchange", "does an exchange that is worth nothing seem to cost wins?",
        "Adjusted for the deficit, an exchange that is worth nothing is associated with winning in at most 5%.",
        columns, tuple(rows), tuple(missed),
        (f"{GAMES} games, {SEATS} players, {TURNS} turns of about 3 points (SD 1). A quarter of the replicates.",),
    )  # fmt: skip
