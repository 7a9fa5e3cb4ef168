"""Variant effects: right values, slow twins, false alarms, planted effects."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from pipeline.stats import effects, labels, patterns, variants
from pipeline.stats.errors import NotEnough
from pipeline.stats.mantel_haenszel import Stratum, mantel_haenszel
from pipeline.stats.spread import seat_spread

from .helpers import CLOSED, RIGHT, shares_of, within_errors


def test_mantel_haenszel_right_values():
    case = RIGHT["variants"]["mantel_haenszel"]
    got = mantel_haenszel([Stratum(*s["on"], *s["off"]) for s in case["strata_on_off"].values()])
    assert got.risk_difference == pytest.approx(case["mh_risk_difference"], abs=CLOSED)
    assert got.odds_ratio == pytest.approx(case["mh_odds_ratio"], abs=CLOSED)
    assert got.cmh == pytest.approx(case["cmh_stat"], abs=CLOSED)
    assert got.cmh_p == pytest.approx(case["cmh_p"], abs=CLOSED)
    assert got.breslow_day_p == pytest.approx(case["breslow_day_p"], abs=CLOSED)
    assert (got.strata, got.games) == (3, 620)


def test_mantel_haenszel_of_one_stratum_is_the_plain_table():
    got = mantel_haenszel([Stratum(30, 50, 20, 60)])
    assert got.risk_difference == pytest.approx(30 / 50 - 20 / 60)
    assert got.odds_ratio == pytest.approx(30 * 40 / (20 * 20))
    log_se = (1 / 30 + 1 / 20 + 1 / 20 + 1 / 40) ** 0.5
    assert math.log(got.odds_ratio_interval.high / got.odds_ratio) == pytest.approx(1.96 * log_se, rel=1e-4)
    chi2 = stats.chi2_contingency([[30, 20], [20, 40]], correction=False).statistic
    assert got.cmh == pytest.approx(chi2 * 109 / 110)
    assert got.breslow_day is None


def test_mantel_haenszel_levels_and_coverage():
    rng = np.random.default_rng(1)
    alarms, apart, covered = 0, 0, 0
    for _ in range(600):
        rows = []
        for p, n1, n0 in ((0.5, 40, 60), (0.35, 80, 50), (0.2, 60, 60)):
            rows.append(Stratum(rng.binomial(n1, p), n1, rng.binomial(n0, p), n0))
        got = mantel_haenszel(rows)
        alarms += got.cmh_p < 0.05
        apart += got.breslow_day_p < 0.05
        covered += got.risk_difference_interval.low <= 0 <= got.risk_difference_interval.high
    assert within_errors(alarms, 600, 0.05)
    assert within_errors(apart, 600, 0.05)
    assert within_errors(covered, 600, 0.95)


def test_mantel_haenszel_edges():
    alike = [Stratum(300, 400, 100, 400), Stratum(100, 400, 300, 400)]
    assert mantel_haenszel(alike).breslow_day_p < 1e-10
    with pytest.raises(NotEnough, match="differs between games"):
        mantel_haenszel([Stratum(0, 10, 0, 10)])
    with pytest.raises(NotEnough, match="both sides"):
        mantel_haenszel([Stratum(3, 10, 0, 0)])
    never_off = mantel_haenszel([Stratum(5, 10, 0, 10)])
    assert never_off.odds_ratio is None
    assert never_off.cmh_p < 0.05


def test_hedges_g():
    rng = np.random.default_rng(2)
    on, off = rng.normal(1, 2, 14), rng.normal(0, 2, 11)
    pooled = ((13 * on.var(ddof=1) + 10 * off.var(ddof=1)) / 23) ** 0.5
    plain = (on.mean() - off.mean()) / pooled
    assert effects.hedges_g(on, off).value == pytest.approx(plain * (1 - 3 / (4 * 23 - 1)), rel=2e-4)
    drawn = [effects.hedges_g(rng.normal(0.5, 1, 12), rng.normal(0, 1, 12)) for _ in range(800)]
    assert np.mean([d.value for d in drawn]) == pytest.approx(0.5, abs=0.06)
    covered = sum(d.interval.low <= 0.5 <= d.interval.high for d in drawn)
    assert 0.93 <= covered / 800 <= 0.98
    with pytest.raises(NotEnough, match="vary"):
        effects.hedges_g(np.ones(5), np.ones(5))
    with pytest.raises(NotEnough):
        effects.hedges_g(np.ones(1), np.ones(5))
    large = effects.hedges_g(np.tile([0.0, 1.0], 600_000), np.tile([0.0, 1.0], 600_000))
    assert large.value == 0.0


def test_cliffs_delta_equals_the_slow_twin():
    rng = np.random.default_rng(3)
    for n, m in ((2, 3), (5, 7), (40, 25)):
        a, b = rng.integers(0, 8, n), rng.integers(0, 8, m)
        grid = np.sign(a[:, None] - b[None])
        d = grid.mean()
        rows = ((grid.mean(axis=1) - d) ** 2).sum()
        columns = ((grid.mean(axis=0) - d) ** 2).sum()
        spread = m * m * rows + n * n * columns - ((grid - d) ** 2).sum()
        variance = max(spread / (n * m * (n - 1) * (m - 1)), (1 - d * d) / (n * m - 1))
        got = effects.cliffs_delta(a, b)
        assert got.value == pytest.approx(d)
        assert got.se == pytest.approx(variance**0.5)
        assert got.interval.low <= d <= got.interval.high


def test_cliffs_delta_covers_and_is_fast():
    rng = np.random.default_rng(4)
    truth = 2 * stats.norm.cdf(0.5 / 2**0.5) - 1
    covered = 0
    for _ in range(500):
        got = effects.cliffs_delta(rng.normal(0.5, 1, 30), rng.normal(0, 1, 30))
        covered += got.interval.low <= truth <= got.interval.high
    assert 0.92 <= covered / 500 <= 0.98
    apart = effects.cliffs_delta(np.arange(10) + 100, np.arange(12))
    assert (apart.value, apart.interval.high) == (1.0, 1.0)
    assert apart.interval.low == pytest.approx((10 - 3.8415) / (10 + 3.8415), abs=1e-4)
    assert effects.cliffs_delta(-np.arange(10) - 100, np.arange(12)).interval.low == -1.0
    many = rng.random(200_000)
    assert abs(effects.cliffs_delta(many, many).value) < 1e-12


def test_label_test_against_all_relabellings():
    values = np.array([3.0, 5.0, 4.0, 9.0, 1.0, 2.0, 7.0, 6.0])
    on = np.array([1, 0, 0, 1, 0, 1, 1, 0])
    stratum = np.array([2, 2, 2, 2, 3, 3, 3, 3])
    centred = values - np.repeat([values[:4].mean(), values[4:].mean()], 4)
    observed = abs(centred[on == 1].sum())
    deals = [
        abs(centred[list(a)].sum() + centred[[4 + i for i in b]].sum())
        for a in itertools.combinations(range(4), 2)
        for b in itertools.combinations(range(4), 2)
    ]
    exact = np.mean(np.array(deals) >= observed - 1e-12)
    got = labels.label_test(values, on, stratum, seed=1, resamples=20_000)
    assert got.p == pytest.approx(exact, abs=0.015)
    assert got.z == pytest.approx(centred[on == 1].sum() / np.std(
        [centred[list(a)].sum() + centred[[4 + i for i in b]].sum()
         for a in itertools.combinations(range(4), 2)
         for b in itertools.combinations(range(4), 2)]))  # fmt: skip
    within = {2: 6.0 - 4.5, 3: 4.5 - 3.5}
    assert got.strata == pytest.approx(within)
    assert got.difference == pytest.approx(1.25)


def test_label_test_level_power_and_strata():
    rng = np.random.default_rng(5)
    alarms = found = 0
    for _ in range(300):
        stratum = rng.integers(2, 5, 60)
        on = rng.random(60) < 0.2 * stratum
        values = rng.poisson(10 * stratum)
        alarms += labels.label_test(values, on, stratum, seed=1, resamples=199).p <= 0.05
        found += labels.label_test(values + 6 * on, on, stratum, seed=1, resamples=199).p <= 0.05
    assert within_errors(alarms, 300, 0.05)
    assert found > 250


def test_label_test_by_session():
    rng = np.random.default_rng(6)
    by_game = by_session = 0
    for i in range(150):
        session = np.repeat(np.arange(16), 8)
        on = np.repeat(rng.permutation(16) < 8, 8)
        values = np.repeat(rng.normal(0, 1, 16), 8) + rng.normal(0, 1, 128)
        players = np.tile([2, 2, 2, 2, 3, 3, 3, 3], 16)
        by_game += labels.label_test(values, on, players, seed=i, resamples=199).p <= 0.05
        got = labels.label_test(values, on, players, seed=i, session=session, resamples=199)
        by_session += got.p <= 0.05
    assert got.units == 16
    assert by_game > 40
    assert within_errors(by_session, 150, 0.05)
    mixed = on.copy()
    mixed[0] = not mixed[0]
    with pytest.raises(NotEnough, match="one variant only"):
        labels.label_test(values, mixed, players, seed=1, session=session)


def test_label_test_normal_limit_and_edges(monkeypatch):
    rng = np.random.default_rng(7)
    values, on = rng.poisson(20, 400), rng.random(400) < 0.5
    stratum = rng.integers(2, 4, 400)
    drawn = labels.label_test(values, on, stratum, seed=1)
    monkeypatch.setattr(labels, "WORK", 1000)
    limit = labels.label_test(values, on, stratum, seed=1)
    assert limit.p == pytest.approx(drawn.p, abs=0.02)
    assert (drawn.z, limit.method[:12]) == (limit.z, "normal limit")
    with pytest.raises(NotEnough, match="vary"):
        labels.label_test(np.ones(10), np.arange(10) % 2, np.ones(10), seed=1)
    with pytest.raises(NotEnough, match="with and without"):
        labels.label_test(np.arange(10), np.ones(10), np.ones(10), seed=1)
    with pytest.raises(NotEnough, match="needs 2 games, has 1"):
        labels.label_test(np.ones(1), np.ones(1), np.ones(1), seed=1)


def test_paired_test():
    on, off = np.array([5, 7, 6, 9, 8]), np.array([4, 5, 6, 5, 3])
    got = labels.paired_test(on, off, seed=1)
    assert (got.p, got.method) == (2 / 16, "exact")
    assert got.difference.mean == pytest.approx(2.4)
    want = stats.ttest_rel(on, off).confidence_interval()
    assert got.difference.interval == pytest.approx((want.low, want.high))
    assert labels.paired_test(on, on, seed=1).p == 1.0
    rng = np.random.default_rng(8)
    base = rng.normal(0, 5, (200, 40))
    noise = rng.normal(0, 1, (200, 40))
    tests = [labels.paired_test(b + e, b, 1, 199).p for b, e in zip(base, noise, strict=True)]
    assert within_errors(sum(p <= 0.05 for p in tests), 200, 0.05)
    shifted = [labels.paired_test(b + e + 0.8, b, 1, 199).p for b, e in zip(base, noise, strict=True)]
    assert sum(p <= 0.05 for p in shifted) > 190
    many = labels.paired_test(np.arange(30_000) % 2 + 0.0, np.zeros(30_000), seed=1)
    assert many.method == "normal limit"


def test_seat_by_variant_right_values():
    case = RIGHT["variants"]["seat_by_variant"]
    got = variants.seat_by_variant([patterns.from_wins(row) for row in case["table"]])
    assert got.chi2 == pytest.approx(case["chi2"], abs=CLOSED)
    assert got.df == case["df"]
    assert got.p == pytest.approx(case["p"], abs=CLOSED)
    assert got.cramers_v == pytest.approx(case["cramers_v"], abs=CLOSED)
    assert got.spreads == pytest.approx(case["seat_spread"], abs=CLOSED)
    assert got.spreads[1] - got.spreads[0] == pytest.approx(case["spread_difference"], abs=CLOSED)


def test_seat_by_variant_equals_pearson_and_keeps_its_level_with_ties():
    rng = np.random.default_rng(9)
    table = rng.multinomial(200, [0.3, 0.3, 0.2, 0.2], size=3)
    got = variants.seat_by_variant([patterns.from_wins(row.tolist()) for row in table])
    want = stats.chi2_contingency(table, correction=False)
    assert (got.chi2, got.df) == (pytest.approx(want.statistic), want.dof)
    alarms = 0
    for _ in range(500):
        pair = [shares_of(rng, 100, [0.4, 0.3, 0.3], ties=0.3) for _ in range(2)]
        alarms += variants.seat_by_variant([patterns.count_patterns(t) for t in pair]).p < 0.05
    assert within_errors(alarms, 500, 0.05)


def test_seat_by_variant_edges():
    with pytest.raises(NotEnough, match="2 variants"):
        variants.seat_by_variant([{(60, 0): 5}])
    with pytest.raises(NotEnough, match="shared by all"):
        variants.seat_by_variant([{(30, 30): 5}, {(30, 30): 9}])
    with pytest.raises(ValueError, match="one player count"):
        variants.seat_by_variant([{(60, 0): 5}, {(60, 0, 0): 5}])
    big = [patterns.from_wins([10**7, 10**7 + 20_000]), patterns.from_wins([10**7, 10**7])]
    assert variants.seat_by_variant(big).p < 0.01


def test_spread_difference_level_and_power():
    rng = np.random.default_rng(10)
    alarms = found = 0
    for i in range(200):
        fair = [patterns.count_patterns(shares_of(rng, 150, [0.3, 0.25, 0.25, 0.2], 0.1))
                for _ in range(2)]  # fmt: skip
        alarms += variants.spread_difference(*fair, seed=i, resamples=199).p <= 0.05
        tilted = patterns.count_patterns(shares_of(rng, 150, [0.55, 0.15, 0.15, 0.15]))
        found += variants.spread_difference(tilted, fair[0], seed=i, resamples=199).p <= 0.05
    assert alarms <= 22
    assert found > 190


def test_spread_difference_is_free_of_noise_in_small_cells():
    rng = np.random.default_rng(12)
    small_on = 0
    for i in range(60):
        small = patterns.count_patterns(shares_of(rng, 60, [0.25] * 4, ties=0.2))
        large = patterns.count_patterns(shares_of(rng, 4000, [0.25] * 4, ties=0.2))
        got = variants.spread_difference(small, large, seed=i, resamples=199)
        assert got.on == pytest.approx(seat_spread(small).rms_debiased, abs=1e-9)
        assert got.off == pytest.approx(seat_spread(large).rms_debiased, abs=1e-9)
        small_on += got.interval.low > 0
    assert small_on <= 6


def test_spread_difference_interval_covers():
    rng = np.random.default_rng(11)
    wide, narrow = [0.4, 0.3, 0.2, 0.1], [0.31, 0.27, 0.22, 0.2]
    truth = np.subtract(*[(((np.array(p) - 0.25) ** 2).mean()) ** 0.5 for p in (wide, narrow)])
    covered = 0
    for i in range(200):
        pair = [patterns.from_wins(rng.multinomial(500, p).tolist()) for p in (wide, narrow)]
        got = variants.spread_difference(*pair, seed=i, resamples=399)
        covered += got.interval.low <= truth <= got.interval.high
    assert 0.90 <= covered / 200 <= 0.99
    assert got == variants.spread_difference(*pair, seed=i, resamples=399)
    with pytest.raises(NotEnough, match="needs 2 games, has 1"):
        variants.spread_difference({(60, 0): 1}, {(60, 0): 9}, seed=1)
