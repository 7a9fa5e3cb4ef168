"""The bootstrap, exact and drawn."""

import numpy as np
import pytest

from pipeline.stats import bootstrap
from pipeline.stats.errors import NotEnough

from .helpers import CLOSED, RIGHT

CASE = RIGHT["bootstrap"]


def test_exact_right_values():
    got = bootstrap.exact_mean_bootstrap(CASE["x"])
    assert got.resamples == CASE["n_resamples"]
    assert got.mean == CASE["mean"]
    assert got.se == pytest.approx(CASE["se_bootstrap"], abs=CLOSED)
    closed = bootstrap.mean_bootstrap_se(np.array(CASE["x"]))
    assert closed == pytest.approx(CASE["se_closed_form"], abs=CLOSED)
    for q, value in CASE["quantiles_inverted_cdf"].items():
        assert got.quantile(float(q)) == pytest.approx(value, abs=CLOSED)
    assert got.quantile(1.0) == 6.0
    assert sum(got.weights) == 1


def test_drawn_bootstrap_comes_close_to_the_exact_one():
    got = bootstrap.bootstrap(np.array(CASE["x"]), lambda v: float(v.mean()), 1, resamples=8000)
    assert got.estimate == CASE["mean"]
    assert got.se == pytest.approx(CASE["se_bootstrap"], abs=0.05)
    again = bootstrap.bootstrap(np.array(CASE["x"]), lambda v: float(v.mean()), 1, resamples=8000)
    assert got == again


def test_session_bootstrap_keeps_sessions_together():
    rng = np.random.default_rng(2)
    levels = rng.normal(0, 1, 40)
    values = np.repeat(levels, 10)
    session = np.repeat([f"s{i}" for i in range(40)], 10)

    def mean(v):
        return float(v.mean())

    together = bootstrap.bootstrap(values, mean, seed=1, session=session)
    apart = bootstrap.bootstrap(values, mean, seed=1)
    assert together.se == pytest.approx(levels.std() / 40**0.5, rel=0.1)
    assert together.se > 2.5 * apart.se


def test_percentile_interval_covers():
    rng = np.random.default_rng(3)
    covered = 0
    for i in range(200):
        values = rng.normal(5, 2, 50)
        low, high = bootstrap.bootstrap(values, lambda v: float(v.mean()), seed=i, resamples=300).interval
        covered += low <= 5 <= high
    assert 0.89 <= covered / 200 <= 0.98


def test_edges():
    with pytest.raises(NotEnough, match="resample"):
        bootstrap.exact_mean_bootstrap(list(range(30)))
    with pytest.raises(NotEnough):
        bootstrap.exact_mean_bootstrap([])
    with pytest.raises(NotEnough):
        bootstrap.bootstrap(np.array([1.0]), lambda v: float(v.mean()), seed=1)
    with pytest.raises(NotEnough, match="needs 2 sessions"):
        bootstrap.bootstrap(np.ones(5), lambda v: float(v.mean()), seed=1, session=np.zeros(5))
    same = bootstrap.exact_mean_bootstrap([4, 4, 4])
    assert (same.se, same.values) == (0.0, (4.0,))
