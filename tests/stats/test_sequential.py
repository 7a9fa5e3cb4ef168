"""E-values: right values, the martingale, false alarms under constant watching."""

import itertools
import math

import numpy as np
import pytest

from pipeline.stats import sequential
from pipeline.stats.errors import NotEnough

from .helpers import CLOSED, RIGHT, shares_of


@pytest.mark.parametrize("prior", [1, 15])
def test_right_values(prior):
    for case in RIGHT["sequential"][f"prior_{prior}"]:
        log_e = sequential.log_e_value(case["counts"], prior)
        assert log_e == pytest.approx(case["log_e"], abs=CLOSED)
        assert sequential.e_value(case["counts"], prior) == pytest.approx(case["e_value"], rel=CLOSED)
        assert (log_e >= math.log(sequential.STOP)) is case["reject_at_0_05"]
        if "anytime_p" in case:
            assert sequential.anytime_p(log_e) == pytest.approx(case["anytime_p"], abs=CLOSED)
        many = sequential.log_e_values(np.array([case["counts"]] * 2), prior)
        assert many == pytest.approx([log_e] * 2, abs=CLOSED)


def test_watching_ends_at_the_closed_form_in_any_order_and_in_any_pieces():
    rng = np.random.default_rng(1)
    table = shares_of(rng, 200, [0.4, 0.3, 0.3])
    wins = (table.sum(axis=0) // 60).tolist()
    whole, path = sequential.watch(sequential.start(3), table)
    turned, _ = sequential.watch(sequential.start(3), table[::-1])
    state = sequential.start(3)
    for piece in np.split(table, [1, 50, 120]):
        state, _ = sequential.watch(state, piece)
    assert whole.log_e == pytest.approx(sequential.log_e_value(wins), abs=CLOSED)
    assert turned.log_e == pytest.approx(whole.log_e, abs=CLOSED)
    assert state.log_e == pytest.approx(whole.log_e, abs=CLOSED)
    assert (state.games, state.stopped_at) == (200, whole.stopped_at)
    assert whole.largest_log_e == max(0.0, path.max())


def test_expected_e_is_one_under_fairness_also_with_shared_wins():
    games = [((60, 0, 0), 1.0), ((0, 60, 0), 1.0), ((0, 0, 60), 1.0),
             ((30, 30, 0), 0.5), ((30, 0, 30), 0.5), ((0, 30, 30), 0.5)]  # fmt: skip
    total = sum(weight for _, weight in games)
    expected = 0.0
    for run in itertools.product(games, repeat=4):
        state, _ = sequential.watch(sequential.start(3), np.array([g for g, _ in run]), prior=2.0)
        expected += math.prod(w / total for _, w in run) * math.exp(state.log_e)
    assert expected == pytest.approx(1.0, abs=1e-12)


def _stops(rng, streams, games, chances, ties=0.0):
    stopped = 0
    for _ in range(streams):
        state, _ = sequential.watch(sequential.start(4), shares_of(rng, games, chances, ties))
        stopped += state.stopped_at is not None
    return stopped / streams


def test_false_alarms_stay_below_a_twentieth_and_planted_effects_stop():
    rng = np.random.default_rng(2)
    assert _stops(rng, 1000, 500, [0.25] * 4) <= 0.05
    assert _stops(rng, 500, 500, [0.25] * 4, ties=0.3) <= 0.05
    assert _stops(rng, 300, 1000, [0.30, 0.7 / 3, 0.7 / 3, 0.7 / 3]) > 0.5
    assert _stops(rng, 100, 600, [0.4, 0.2, 0.2, 0.2]) == 1.0


def test_edges():
    state = sequential.start(2)
    same, path = sequential.watch(state, np.zeros((0, 2), dtype=int))
    assert (same, len(path), same.p) == (state, 0, 1.0)
    with pytest.raises(ValueError, match="games x 2 seats"):
        sequential.watch(state, np.array([[60, 0, 0]]))
    with pytest.raises(ValueError, match="one win"):
        sequential.watch(state, np.array([[60, 60]]))
    with pytest.raises(NotEnough):
        sequential.start(1)
    assert sequential.log_e_value([0, 0]) == pytest.approx(0.0, abs=1e-12)
    assert sequential.e_value([40_000_000, 20_000_000]) == math.inf
    shared, _ = sequential.watch(state, np.array([[30, 30]] * 500))
    assert shared.log_e == pytest.approx(0.0, abs=1e-9)
    won, _ = sequential.watch(state, np.array([[60, 0]] * 40))
    assert won.stopped_at == 1 + next(n for n in range(40) if sequential.log_e_value([n + 1, 0]) >= math.log(20))
    assert won.p == pytest.approx(math.exp(-won.log_e))
