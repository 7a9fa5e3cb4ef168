"""Win shares, ranks, scores, spread."""

from fractions import Fraction

import numpy as np
import pytest

from pipeline.stats import means, patterns, seats, spread
from pipeline.stats.errors import NotEnough

from .helpers import CLOSED, RIGHT, shares_of

TIES = {key: value for key, value in RIGHT["seats"]["ties"].items() if key != "shares"}
TABLE = np.array([[int(60 * Fraction(u)) for u in game] for game in RIGHT["seats"]["ties"]["shares"]])


def test_share_60ths():
    for winners, unit in RIGHT["seats"]["share_60ths"].items():
        assert patterns.share_60ths(int(winners)) == unit
    with pytest.raises(ValueError, match="cannot be split"):
        patterns.share_60ths(7)


def test_shares_with_ties_right_values():
    rows = seats.seat_shares(patterns.count_patterns(TABLE))
    assert [Fraction(r.share_60ths, 60) for r in rows] == [Fraction(w) for w in TIES["win_share_sum"]]
    assert [r.share for r in rows] == pytest.approx(TIES["win_share_rate"], abs=CLOSED)
    assert [r.index for r in rows] == pytest.approx(TIES["seat_index_n_times_rate"], abs=CLOSED)


def test_effective_games_right_values_through_patterns():
    case = RIGHT["intervals"]["effective"]
    mine = (60 * np.array(case["shares"])).astype(int)
    row = seats.seat_shares(patterns.count_patterns(np.stack([mine, 60 - mine], axis=1)))[0]
    assert row.variance == pytest.approx(case["sample_var"], abs=CLOSED)
    assert row.effective_games == pytest.approx(case["n_eff"], abs=CLOSED)
    assert row.interval == pytest.approx(case["wilson_eff"], abs=CLOSED)


def test_counted_patterns_equal_the_plain_table():
    rng = np.random.default_rng(1)
    table = shares_of(rng, 500, [0.4, 0.3, 0.2, 0.1], ties=0.3)
    counted = patterns.count_patterns(table)
    assert sum(counted.values()) == 500
    assert list(counted) == sorted(counted)
    rows = seats.seat_shares(counted)
    assert [r.share for r in rows] == pytest.approx((table / 60).mean(axis=0))
    assert [r.variance for r in rows] == pytest.approx((table / 60).var(axis=0, ddof=1))
    wide = patterns.count_patterns(table * 10**15)
    assert list(wide.values()) == list(counted.values())


def test_forty_million_games_are_exact():
    rows = seats.seat_shares({(60, 0): 20_000_001, (0, 60): 19_999_999, (30, 30): 10_000_000})
    assert rows[0].share_60ths - rows[1].share_60ths == 120
    assert rows[0].games == 50_000_000
    assert rows[0].difference == pytest.approx(2e-8, rel=1e-6)


@pytest.mark.parametrize(
    ("bad", "error"),
    [
        ({}, "needs games"),
        ({(60, 0): 0}, "needs games"),
        ({(60, 0): 1, (60, 0, 0): 1}, "one player count"),
        ({(60, 60): 1}, "do not add up"),
        ({(90, -30): 1}, "do not add up"),
        ({(60, 0): -1}, "not negative"),
        ({(60,): 3}, "needs 2 seats"),
    ],
)
def test_bad_patterns_are_refused(bad, error):
    with pytest.raises(ValueError, match=error):
        seats.seat_shares(bad)


def test_one_game():
    first, second = seats.seat_shares({(60, 0): 1})
    assert (first.share, second.share, first.variance) == (1.0, 0.0, 0.0)
    assert first.interval.high == 1.0


def test_shift_if_left_out_games_were_in():
    base = patterns.from_wins([30, 30, 40])
    assert seats.shift_if_included(base, {}) == (0.0, 0.0, 0.0)
    moved = seats.shift_if_included(base, patterns.from_wins([100, 0, 0]))
    assert moved == pytest.approx((0.35, -0.15, -0.2))


def test_mean_normalised_ranks():
    rows = seats.mean_normalised_ranks({(1, 2, 2, 4): 3, (4, 3, 2, 1): 1})
    want = [np.array([0, 0, 0, 1]), np.array([0.5, 0.5, 0.5, 2 / 3]), None, np.array([1, 1, 1, 0])]
    for row, values in zip(rows, want, strict=True):
        if values is not None:
            assert row.mean == pytest.approx(values.mean())
            assert row.sd == pytest.approx(values.std(ddof=1))
    assert sum(r.mean for r in rows) == pytest.approx(2.0)


def test_score_gaps_and_means_from_sums():
    rng = np.random.default_rng(2)
    scores = rng.integers(0, 60, (40, 3))
    gaps = scores - scores.mean(axis=1, keepdims=True)
    for seat, row in enumerate(seats.score_gaps(scores)):
        assert row.mean == pytest.approx(gaps[:, seat].mean())
        assert row.sd == pytest.approx(gaps[:, seat].std(ddof=1))
        whole = [3 * int(s) - int(t) for s, t in zip(scores[:, seat], scores.sum(1), strict=True)]
        summed = means.mean_from_sums(40, sum(whole), sum(v * v for v in whole), 3)
        assert summed.interval == pytest.approx(row.interval)
    assert means.mean_of(np.array([5.0])).interval is None
    assert means.mean_of(np.full(9, 1e9) + np.arange(9)).sd == pytest.approx(2.7386, abs=1e-4)
    with pytest.raises(NotEnough):
        means.mean_of(np.array([]))


def test_session_clustering_widens_when_sessions_agree():
    rng = np.random.default_rng(3)
    tilt = rng.beta(2, 6, size=60)
    sizes = np.full(60, 10)
    first = rng.binomial(sizes, tilt)
    sums = 60 * np.stack([first, sizes - first], axis=1)
    row = seats.session_clustered_shares(sums, sizes)[0]
    plain = seats.seat_shares(patterns.from_wins([int(first.sum()), 600 - int(first.sum())]))[0]
    assert row.share == pytest.approx(plain.share)
    assert row.standard_error == pytest.approx(first.std(ddof=1) / 10 / 60**0.5)
    assert np.diff(row.interval)[0] > 1.3 * np.diff(plain.interval)[0]
    with pytest.raises(NotEnough, match="needs 2 sessions, has 1"):
        seats.session_clustered_shares([[60, 0]], [1])


def test_spread_right_values():
    for case in RIGHT["seats"]["spread"]:
        got = spread.seat_spread(patterns.from_wins(case["counts"]))
        assert got.max_minus_min == pytest.approx(case["max_minus_min"], abs=CLOSED)
        assert got.ludii_balance == pytest.approx(case["ludii_balance"], abs=CLOSED)
        assert got.rms_raw == pytest.approx(case["rms_raw"], abs=CLOSED)
        assert got.rms_debiased == pytest.approx(case["rms_debiased"], abs=CLOSED)
        assert got.raw_square == pytest.approx(case["raw_sq"], abs=CLOSED)
        assert got.noise_square == pytest.approx(case["noise_sq"], abs=CLOSED)
        assert got.effective_seats == pytest.approx(case["entropy_effective_seats"], abs=CLOSED)


def test_debiased_square_is_unbiased_with_and_without_ties():
    rng = np.random.default_rng(4)
    for ties in (0.0, 0.4):
        table = shares_of(rng, 200_000, [0.31, 0.25, 0.22, 0.22], ties)
        truth = ((table.mean(axis=0) / 60 - 0.25) ** 2).mean()
        cells = [spread.seat_spread(patterns.count_patterns(c)) for c in np.split(table, 2000)]
        debiased = np.array([c.raw_square - c.noise_square for c in cells])
        error = debiased.std() / len(cells) ** 0.5
        assert abs(debiased.mean() - truth) < 4 * error
        assert np.mean([c.raw_square for c in cells]) > truth + 8 * error


def test_null_range_right_values():
    case = RIGHT["seats"]["null_range"]
    for name, value in case["values"].items():
        n, games = name.split("p_N")
        assert spread.null_range_mean(int(n), int(games)) == pytest.approx(value, abs=4e-4)
    assert spread.null_range_mean(2, 100) == pytest.approx(case["exact_2p_N100"], abs=CLOSED)


def test_null_range_small_and_large():
    assert spread.null_range_mean(3, 1) == pytest.approx(1.0, abs=1e-12)
    assert spread.null_range_mean(4, 2000) == pytest.approx(spread.null_range_mean(4, 2001), rel=1e-3)
    assert spread.null_range_mean(4, 40_000_000) == pytest.approx(2.058751 / 160e6**0.5, rel=1e-6)
    assert 0.1 < spread.null_range_quantile(4, 100, seed=1) < 0.22
