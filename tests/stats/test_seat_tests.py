"""Tests of "all seats alike": right values, brute force, false alarms, planted effects."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from pipeline.stats import multinomial, patterns, seat_tests
from pipeline.stats.errors import NotEnough

from .helpers import CLOSED, RIGHT, shares_of, within_errors

TIES = RIGHT["seats"]["ties"]
TABLE = np.array([[int(60 * Fraction(u)) for u in game] for game in TIES["shares"]])
TREND = RIGHT["seats"]["trend"]


def test_share_test_right_values():
    got = seat_tests.share_test(patterns.count_patterns(TABLE), seed=1)
    assert got.statistic == pytest.approx(TIES["T"], abs=CLOSED)
    assert (got.df, got.method) == (TIES["df"], "exact")
    assert got.p_chi2 == pytest.approx(TIES["p_chi2"], abs=CLOSED)
    assert got.p == pytest.approx(TIES["p_permutation_exact"], abs=1e-12)
    exact = seat_tests.exact_p(patterns.count_patterns(TABLE))
    assert exact == Fraction(TIES["p_permutation_exact_fraction"])


def test_monte_carlo_agrees_with_exact():
    p = seat_tests.monte_carlo_p(patterns.count_patterns(TABLE), seed=3, resamples=40_000)
    assert within_errors(round(p * 40_000), 40_000, TIES["p_permutation_exact"])


@pytest.mark.parametrize("case", RIGHT["seats"]["gof"])
def test_multinomial_right_values(case):
    fit = multinomial.uniform_fit(case["counts"])
    assert fit.chi2 == pytest.approx(case["chi2"], abs=CLOSED)
    assert fit.p_chi2 == pytest.approx(case["chi2_p_asymptotic"], abs=CLOSED)
    assert fit.g == pytest.approx(case["G"], abs=CLOSED)
    assert fit.p_g == pytest.approx(case["G_p_asymptotic"], abs=CLOSED)
    by_chi2 = multinomial.exact_uniform_p(case["counts"], "chi2")
    assert by_chi2 == Fraction(case["p_exact_chi2_order_fraction"])
    by_prob = multinomial.exact_uniform_p(case["counts"], "prob")
    assert by_prob == Fraction(case["p_exact_prob_order_fraction"])
    by_ratio = float(multinomial.exact_uniform_p(case["counts"], "lr"))
    assert by_ratio == pytest.approx(case["p_exact_lr_order"], abs=1e-12)
    assert seat_tests.exact_p(patterns.from_wins(case["counts"])) == by_chi2


def test_multinomial_edges():
    assert multinomial.exact_uniform_p([1, 0, 0]) == 1
    assert multinomial.uniform_fit([10**7, 10**7]).chi2 == 0.0
    with pytest.raises(NotEnough, match="use Monte Carlo"):
        multinomial.exact_uniform_p([10**6] * 5)
    with pytest.raises(NotEnough):
        multinomial.uniform_fit([0, 0])


def _brute_force_p(table):
    """All arrangements of all games, by hand."""

    def statistic(rows):
        sums = np.sum(rows, axis=0)
        return ((sums * len(sums) - sums.sum()) ** 2).sum()

    deals = [list(itertools.permutations(row)) for row in table.tolist()]
    values = [statistic(pick) for pick in itertools.product(*deals)]
    return np.mean(np.array(values) >= statistic(table))


def test_exact_p_equals_brute_force():
    rng = np.random.default_rng(6)
    for _ in range(12):
        table = shares_of(rng, 5, [0.5, 0.3, 0.2], ties=0.4)
        got = seat_tests.exact_p(patterns.count_patterns(table))
        assert float(got) == pytest.approx(_brute_force_p(table), abs=1e-12)


def test_friedman_equals_scipy():
    rng = np.random.default_rng(7)
    ranks = np.array([stats.rankdata(rng.integers(0, 7, 4), "min") for _ in range(25)]).astype(int)
    got = seat_tests.friedman_test(patterns.count_patterns(ranks), seed=1)
    want = stats.friedmanchisquare(*ranks.T)
    assert got.statistic == pytest.approx(want.statistic)
    assert got.p_chi2 == pytest.approx(want.pvalue)
    assert got.p == pytest.approx(want.pvalue, abs=0.03)


def test_trend_right_values():
    cells = [patterns.from_wins(wins) for wins in TREND["wins"].values()]
    got = seat_tests.turn_order_trend(cells)
    assert got.total == Fraction(TREND["trend_sum"])
    assert got.variance == Fraction(TREND["trend_var"])
    assert got.z == pytest.approx(TREND["trend_z"], abs=CLOSED)
    assert got.p == pytest.approx(TREND["trend_p"], abs=CLOSED)
    assert got.statistic == pytest.approx(TREND["T_total"], abs=CLOSED)
    assert (got.df, got.player_counts) == (TREND["df"], (2, 3, 4))
    assert got.p_any == pytest.approx(TREND["p"], abs=CLOSED)
    assert seat_tests.trend_monte_carlo_p(cells, 1, 20_000) == pytest.approx(got.p, abs=0.004)


def test_false_alarms_of_the_seat_tests_under_fairness():
    rng = np.random.default_rng(9)
    cells, small = 1000, 250
    asymptotic, trend, exact = 0, 0, 0
    for i in range(cells):
        table = shares_of(rng, 60, [1 / 3] * 3, ties=0.2)
        counted = patterns.count_patterns(table)
        found = seat_tests.turn_order_trend([counted])
        asymptotic += found.p_any < 0.05
        trend += found.p < 0.05
        if i < small:
            exact += float(seat_tests.exact_p(patterns.count_patterns(table[:12]))) <= 0.05
    assert within_errors(asymptotic, cells, 0.05)
    assert within_errors(trend, cells, 0.05)
    assert exact <= small * 0.05 + 4 * (small * 0.0475) ** 0.5


def test_planted_seat_advantage_is_found():
    rng = np.random.default_rng(10)
    found_trend, found_share = 0, 0
    for _ in range(40):
        counted = patterns.count_patterns(shares_of(rng, 400, [0.36, 0.25, 0.2, 0.19], 0.1))
        trend = seat_tests.turn_order_trend([counted])
        found_trend += trend.p < 0.05 and trend.z < 0
        found_share += seat_tests.monte_carlo_p(counted, 1, 999) < 0.05
    assert found_trend >= 38
    assert found_share >= 36


def test_many_games_cost_no_more():
    wins = patterns.from_wins([10_010_000, 9_990_000, 10_000_000, 10_000_000])
    got = seat_tests.share_test(wins, seed=2, resamples=20_000)
    assert got.p_chi2 == pytest.approx(0.000169742, abs=1e-9)
    assert got.p < 0.0012
    assert got.method == "Monte Carlo, 20,000 resamples, seed 2"
    assert got == seat_tests.share_test(wins, seed=2, resamples=20_000)


def test_monte_carlo_p_is_never_zero():
    lopsided = patterns.from_wins([90, 5, 5])
    assert seat_tests.monte_carlo_p(lopsided, seed=1, resamples=999) == 1 / 1000
    assert seat_tests.trend_monte_carlo_p([lopsided], seed=1, resamples=999) == 1 / 1000


def test_all_shared_games_cannot_be_tested():
    for test in (
        lambda p: seat_tests.share_test(p, seed=1),
        lambda p: seat_tests.monte_carlo_p(p, seed=1),
        lambda p: seat_tests.turn_order_trend([p]),
    ):
        with pytest.raises(NotEnough, match="not shared by all seats"):
            test({(20, 20, 20): 40})
    with pytest.raises(NotEnough, match="needs games"):
        seat_tests.turn_order_trend([])
    one = seat_tests.share_test({(60, 0): 1, (30, 30): 3}, seed=1)
    assert (one.p, one.method, one.games) == (1.0, "exact", 4)


def test_the_trend_of_few_games_takes_its_p_from_monte_carlo():
    few = patterns.from_wins([18, 11, 7, 4])
    got, limit = seat_tests.trend_test([few], seed=2), seat_tests.turn_order_trend([few])
    assert (got.z, got.games) == (limit.z, 40)
    assert got.p == seat_tests.trend_monte_carlo_p([few], seed=2)
    assert got.p != limit.p
    many = patterns.from_wins([180, 110, 70, 40])
    assert seat_tests.trend_test([many], seed=2) == seat_tests.turn_order_trend([many])


def test_many_seats_are_reseated_game_by_game(monkeypatch):
    rng = np.random.default_rng(5)
    ranks = patterns.count_patterns([tuple(int(r) for r in rng.permutation(6) + 1) for _ in range(30)])
    reseated = seat_tests.friedman_test(ranks, seed=1)
    monkeypatch.setattr(seat_tests, "MOST_ARRANGEMENTS", 720)
    assert reseated.method.startswith("Monte Carlo")
    assert reseated.p == pytest.approx(seat_tests.friedman_test(ranks, seed=1).p, abs=0.02)
    assert reseated.p == pytest.approx(reseated.p_chi2, abs=0.05)


def test_reseated_games_give_every_arrangement_alike():
    values = seat_tests._reseated((0, 1, 5), 1, 60_000, np.random.default_rng(2))
    orders, counts = np.unique(values, axis=0, return_counts=True)
    assert orders.tolist() == sorted(map(list, itertools.permutations((0, 1, 5))))
    assert counts == pytest.approx(np.full(6, 10_000), abs=400)
    assert seat_tests._reseated((0, 1, 5), 700, 4, np.random.default_rng(2)).sum(axis=1).tolist() == [4200] * 4


def test_twelve_seats_are_tested_in_seconds():
    rng = np.random.default_rng(6)
    games = [tuple(int(r) for r in rng.permutation(12) + 1) for _ in range(2_000)]
    few, many = (seat_tests.friedman_test(patterns.count_patterns(part), seed=1) for part in (games[:100], games))
    assert few.method.startswith("Monte Carlo")
    assert few.p == pytest.approx(few.p_chi2, abs=0.03)
    assert (many.method, many.p) == ("chi-square", many.p_chi2)
    wins = patterns.from_wins([10] * 12)
    assert seat_tests.share_test(wins, seed=1).p > 0.9


def test_arrangements_are_the_different_permutations():
    for pattern in ((1, 2, 3, 4), (0, 0, 0, 60), (2, 2, 1, 1), (5, 5), (7,)):
        found = seat_tests._arrangements(pattern)
        assert found == sorted(set(itertools.permutations(pattern)))
        assert len(found) == seat_tests._arrangements_count(pattern)
