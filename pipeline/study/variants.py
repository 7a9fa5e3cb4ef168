"""Study of the label permutation that compares variants."""

from __future__ import annotations

from itertools import product

import numpy as np

from pipeline.stats.labels import label_test
from pipeline.study.model import ALARMS, Column, StudyTable, Value, rate

STRATA = {2: 60, 4: 40}
"""Games by player count, half of them with the variant."""
SESSION = 5
RESAMPLES = 499


def _p_values(effect: float, evenings: float, rng: np.random.Generator, seed: int) -> tuple[float, float]:
    """p by game and by session of one data set; lengths are skewed and depend on the player count."""
    stratum = np.repeat(list(STRATA), list(STRATA.values()))
    session = np.arange(len(stratum)) // SESSION
    on = session % 2
    common = rng.normal(0.0, evenings, session.max() + 1)[session]
    lengths = 10.0 * stratum + rng.gamma(4.0, 0.5, len(stratum)) + common + effect * on
    return (
        label_test(lengths, on, stratum, seed, resamples=RESAMPLES).p,
        label_test(lengths, on, stratum, seed, session=session, resamples=RESAMPLES).p,
    )


def labels(replicates: int, seed: int) -> StudyTable:
    """How often does a variant that changes nothing seem to change the length?"""
    rng = np.random.default_rng([seed, 9])
    few = max(2, replicates // 4)
    rows: list[tuple[Value, ...]] = []
    missed = []
    for evenings, effect in product((0.0, 0.7), (0.0, 0.8)):
        found = [_p_values(effect, evenings, rng, seed + i) for i in range(few)]
        by_game, by_session = (rate(p[i] <= 0.05 for p in found) for i in (0, 1))
        rows.append(("alike" if evenings else "unlike", effect, by_game.value, by_session.value))
        if not effect:
            kept = {"by session": by_session} | ({} if evenings else {"by game": by_game})
            missed += [f"{unit}: {100 * r.value:.1f}%" for unit, r in kept.items() if not r.at_most(ALARMS)]
    columns = (
        Column("games of a session", "text"), Column("variant adds, SDs", "number"),
        Column("found, labels by game", "percent"), Column("found, labels by session", "percent"),
    )  # fmt: skip
    return StudyTable(
        "labels", "how often does the label permutation find a variant's effect, and none where there is none?",
        "A variant that changes nothing is found in at most 5%, permuting by session where sessions are alike.",
        columns, tuple(rows), tuple(missed),
        (f"{STRATA[2]} games of 2 and {STRATA[4]} of 4 players in sessions of {SESSION}, skewed lengths; a session"
         " plays one variant. A quarter of the replicates.",),
    )  # fmt: skip
