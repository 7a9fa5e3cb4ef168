"""Intervals against right values, against exact coverage, and at their edges."""

import math

import numpy as np
import pytest
from scipy import stats

from pipeline.stats import distributions as dist
from pipeline.stats import intervals, patterns, seats
from pipeline.stats.errors import NotEnough

from .helpers import CLOSED, RIGHT, shares_of

ONE = ["wilson", "clopper_pearson", "jeffreys", "agresti_coull"]
SEVERAL = ["goodman", "sison_glaz", "bonferroni_wilson"]


@pytest.mark.parametrize("case", RIGHT["intervals"]["binomial"])
@pytest.mark.parametrize("name", ONE)
def test_right_values_of_one_proportion(case, name):
    got = getattr(intervals, name)(case["x"], case["n"])
    assert got == pytest.approx(case[name], abs=CLOSED)


@pytest.mark.parametrize("name", SEVERAL)
def test_right_values_of_several_proportions(name):
    case = RIGHT["intervals"]["multinomial"]
    got = getattr(intervals, name)(case["counts"])
    assert np.array(got) == pytest.approx(np.array(case[name]), abs=CLOSED)


def test_right_values_of_the_effective_number_of_games():
    case = RIGHT["intervals"]["effective"]
    shares = np.array(case["shares"])
    assert shares.var(ddof=1) == pytest.approx(case["sample_var"], abs=CLOSED)
    n, mean, var = case["n"], case["mean"], case["sample_var"]
    assert intervals.effective_games(n, mean, var) == pytest.approx(case["n_eff"], abs=CLOSED)
    got = intervals.wilson_effective(n, mean, var)
    assert got == pytest.approx(case["wilson_eff"], abs=CLOSED)
    assert intervals.wilson(shares.sum(), n) == pytest.approx(case["wilson_fractional"], abs=CLOSED)


def test_normal_quantile():
    assert dist.critical_z(0.95) == pytest.approx(1.959963984540054, abs=1e-14)
    with pytest.raises(ValueError, match="confidence level"):
        dist.critical_z(95)


@pytest.mark.parametrize("n", [1, 7, 60])
def test_clopper_pearson_never_covers_less_than_it_says(n):
    bands = [intervals.clopper_pearson(x, n) for x in range(n + 1)]
    for p in np.linspace(0.001, 0.999, 97):
        mass = stats.binom.pmf(np.arange(n + 1), n, p)
        inside = sum(m for m, (low, high) in zip(mass, bands, strict=True) if low <= p <= high)
        assert inside >= 0.95 - 1e-9


def test_wilson_covers_about_what_it_says_on_average():
    n, grid = 50, np.linspace(0.1, 0.9, 161)
    bands = np.array([intervals.wilson(x, n) for x in range(n + 1)])
    mass = stats.binom.pmf(np.arange(n + 1)[:, None], n, grid[None])
    inside = (bands[:, :1] <= grid) & (grid <= bands[:, 1:])
    assert (mass * inside).sum(axis=0).mean() == pytest.approx(0.95, abs=0.006)


@pytest.mark.parametrize(("games", "ties"), [(30, 0.0), (60, 0.3), (300, 0.15)])
def test_wilson_at_effective_games_covers_with_shared_wins(games, ties):
    rng = np.random.default_rng(games)
    reps = 2000
    shares = shares_of(rng, games * reps, [0.25] * 4, ties)[:, 0].reshape(reps, games) / 60
    bands = np.array([intervals.wilson_effective(games, row.mean(), row.var(ddof=1)) for row in shares])
    covered = ((bands[:, 0] <= 0.25) & (bands[:, 1] >= 0.25)).mean()
    assert 0.935 <= covered <= 0.975
    narrower = np.mean([b - a for a, b in bands])
    plain = np.mean([np.diff(intervals.wilson(row.sum(), games))[0] for row in shares])
    assert (narrower < plain) == (ties > 0.0) or games == 30


@pytest.mark.parametrize("name", SEVERAL)
def test_simultaneous_intervals_cover_all_at_once(name):
    rng = np.random.default_rng(5)
    truth = np.array([0.4, 0.3, 0.2, 0.1])
    draws, times = np.unique(rng.multinomial(80, truth, size=1500), axis=0, return_counts=True)
    bands = np.array([getattr(intervals, name)(row.tolist()) for row in draws])
    inside = ((bands[:, :, 0] <= truth) & (truth <= bands[:, :, 1])).all(axis=1)
    assert inside @ times / times.sum() >= 0.93


@pytest.mark.parametrize("name", ONE)
def test_edges(name):
    interval = getattr(intervals, name)
    with pytest.raises(NotEnough, match="needs games, has none"):
        interval(0, 0)
    with pytest.raises(ValueError, match="do not fit"):
        interval(3, 2)
    for x, n in [(0, 1), (1, 1), (0, 10**9), (10**9, 10**9), (10**7, 4 * 10**7)]:
        low, high = interval(x, n)
        slack = 4e-4 if name == "jeffreys" else 1e-12  # Jeffreys' is not closed at 0 and n
        assert 0.0 <= low <= x / n + slack
        assert x / n - slack <= high <= 1.0
    assert np.diff(interval(10**7, 4 * 10**7))[0] == pytest.approx(2.684e-4, rel=1e-3)


def test_effective_games_without_variance_are_the_games():
    assert intervals.effective_games(40, 0.5, 0.0) == 40
    assert intervals.effective_games(1, 1.0, 0.0) == 1
    (row, _) = seats.seat_shares({(30, 30): 50})
    assert (row.effective_games, row.share) == (50, 0.5)
    assert row.interval == intervals.wilson(25, 50)
    assert patterns.check_shares({(30, 30): 50}) == 50


def test_two_sided_binomial_p_equals_scipy():
    rng = np.random.default_rng(8)
    for _ in range(400):
        n = int(rng.integers(1, 400))
        p = float(rng.choice([0.5, 0.25, 1 / 3, 0.2, rng.uniform(0.01, 0.99)]))
        k = int(rng.integers(0, n + 1)) if rng.random() < 0.3 else int(rng.binomial(n, p))
        want = stats.binomtest(k, n, p).pvalue
        assert dist.binomial_two_sided_p(k, n, p) == pytest.approx(want, rel=1e-8, abs=1e-14)


def test_sison_glaz_takes_zeros():
    for counts in ([0, 5, 5], [300, 0, 0], [1, 0]):
        for count, (low, high) in zip(counts, intervals.sison_glaz(counts), strict=True):
            assert 0.0 <= low <= count / sum(counts) <= high <= 1.0
            assert math.isfinite(high)
    with pytest.raises(NotEnough):
        intervals.sison_glaz([0, 0])
