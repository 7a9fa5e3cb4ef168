"""Ratios of sums over games against statsmodels, Student's t, and simulated truth."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pipeline.stats.errors import NotEnough
from pipeline.stats.intervals import wilson
from pipeline.stats.means import mean_of
from pipeline.stats.ratios import Ratio, ratio_from_sums


def ratio_of(x: np.ndarray, y: np.ndarray, share: bool = False) -> Ratio:
    sums = [int(value) for value in (x.sum(), y.sum(), (x * x).sum(), (x * y).sum(), (y * y).sum())]
    return ratio_from_sums(len(x), *sums, share=share)


def test_standard_error_is_the_cluster_robust_one() -> None:
    game = np.array([0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 4, 4, 5, 5, 5, 5, 5])
    values = np.array([1, 0, 2, 3, 3, 0, 0, 1, 0, 4, 2, 2, 1, 1, 0, 3, 2])
    found = ratio_of(np.bincount(game, values).astype(int), np.bincount(game))
    assert found.ratio == pytest.approx(25 / 17, abs=1e-15)
    # statsmodels 0.14: OLS(values, ones).fit(cov_type="cluster", cov_kwds={"groups": game}).bse
    assert found.standard_error == pytest.approx(0.42171400053063873, abs=1e-12)


def test_with_one_a_game_it_is_the_mean() -> None:
    values = np.array([3, 0, 4, 4, -2, 9])
    found, wanted = ratio_of(values, np.ones(6, int)), mean_of(values.astype(float))
    assert found.ratio == pytest.approx(wanted.mean)
    assert found.interval == pytest.approx(wanted.interval)


def test_a_share_of_independent_turns_has_wilsons_interval() -> None:
    # One turn a game: the effective number of trials is games - 1.
    x = np.array([1, 0, 0, 1, 1, 0, 1, 1, 1, 1])
    found = ratio_of(x, np.ones(10, int), share=True)
    assert found.interval == pytest.approx(wilson(0.7 * 9, 9))


@pytest.mark.parametrize("always", [0, 1])
def test_a_share_that_does_not_vary_counts_games_for_trials(always: int) -> None:
    y = np.full(20, 50)
    found = ratio_of(always * y, y, share=True)
    assert found.standard_error == 0
    assert found.interval == pytest.approx(wilson(always * 20, 20))


def test_turns_of_a_game_that_go_together_widen_the_interval() -> None:
    together = np.array([10, 0] * 10)
    apart = np.full(20, 5)
    apart[::2] += 1
    apart[1::2] -= 1
    ten = np.full(20, 10)
    wide, narrow = ratio_of(together, ten, share=True).interval, ratio_of(apart, ten, share=True).interval
    assert wide is not None and narrow is not None
    assert wide.high - wide.low > 3 * (narrow.high - narrow.low)


def test_coverage_of_clustered_rates() -> None:
    rng = np.random.default_rng(11)
    hits = 0
    for _ in range(400):
        y = rng.integers(5, 30, 60)
        rate = rng.beta(3, 7, 60)
        interval = ratio_of(rng.binomial(y, rate), y, share=True).interval
        assert interval is not None
        hits += interval.low <= 0.3 <= interval.high
    assert 0.92 < hits / 400 < 0.98


def test_what_cannot_be_had() -> None:
    assert ratio_from_sums(1, 3, 4, 9, 12, 16).interval is None
    assert math.isclose(ratio_from_sums(1, 3, 4, 9, 12, 16).ratio, 0.75)
    with pytest.raises(NotEnough, match="needs turns that count, has none"):
        ratio_from_sums(3, 0, 0, 0, 0, 0)
