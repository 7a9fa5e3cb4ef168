"""Equivalence, games needed, multiplicity, and the verdict in words."""

import math

import numpy as np
import pytest
from scipy import stats

from pipeline.stats import equivalence, multiplicity, patterns, power, verdicts
from pipeline.stats.errors import NotEnough

from .helpers import CLOSED, RIGHT, within_errors

EQUIVALENCE = RIGHT["equivalence"]


@pytest.mark.parametrize("case", EQUIVALENCE["one_seat"])
def test_tost_right_values(case):
    got = equivalence.tost(case["x"], case["n"], case["p0"], case["margin"])
    assert got.z_lower == pytest.approx(case["z_lower"], abs=CLOSED)
    assert got.z_upper == pytest.approx(case["z_upper"], abs=CLOSED)
    assert got.p_lower == pytest.approx(case["p_lower"], abs=CLOSED)
    assert got.p_upper == pytest.approx(case["p_upper"], abs=CLOSED)
    assert got.p == pytest.approx(case["p_tost"], abs=CLOSED)
    assert got.interval_wald == pytest.approx(case["ci90_wald"], abs=CLOSED)
    assert got.interval_wilson == pytest.approx(case["ci90_wilson"], abs=CLOSED)
    assert got.p_exact == pytest.approx(case["p_exact_binomial"], abs=CLOSED)
    assert got.p_difference == pytest.approx(case["p_difference_score"], abs=CLOSED)


def test_tost_all_seats_right_values():
    case = EQUIVALENCE["all_seats"]
    got = equivalence.tost_all_seats(case["counts"], case["margin"])
    assert np.array(got.intervals) == pytest.approx(np.array(case["ci90_wilson"]), abs=CLOSED)
    assert got.all_inside is case["all_inside"]
    assert got.p_each == pytest.approx(case["p_each"], abs=CLOSED)
    assert got.p_joint == pytest.approx(case["p_joint"], abs=CLOSED)


def test_tost_edges():
    assert math.isnan(equivalence.tost(25.5, 100, 0.25, 0.05).p_exact)
    never = equivalence.tost(0, 50, 0.04, 0.05)
    assert (never.p_lower, never.p_upper) == (0.0, 0.0)
    with pytest.raises(NotEnough):
        equivalence.tost(0, 0, 0.25, 0.05)


def test_rope_right_values():
    case = EQUIVALENCE["rope"]
    got = equivalence.dirichlet_rope(case["counts"], case["margin"])
    assert [r.p_inside for r in got] == pytest.approx(case["p_seat_in_rope"], abs=CLOSED)
    assert [r.mean for r in got] == pytest.approx(case["posterior_mean"], abs=CLOSED)
    assert got[0].interval == pytest.approx(case["cri95_seat1"], abs=CLOSED)


@pytest.mark.parametrize(
    ("name", "adjust"),
    [
        ("holm", multiplicity.holm),
        ("hommel", multiplicity.hommel),
        ("fdr_bh", multiplicity.benjamini_hochberg),
        ("fdr_by", multiplicity.benjamini_yekutieli),
        ("bonferroni", multiplicity.bonferroni),
    ],
)
def test_multiplicity_right_values(name, adjust):
    case = RIGHT["multiplicity"]
    assert adjust(case["p"]) == pytest.approx(case[name], abs=CLOSED)
    shuffled = [3, 0, 6, 2, 5, 1, 4]
    moved = adjust([case["p"][i] for i in shuffled])
    assert moved == pytest.approx([case[name][i] for i in shuffled], abs=CLOSED)
    assert adjust([]) == ()
    assert adjust([0.04]) == pytest.approx((0.04,))
    with pytest.raises(ValueError, match="between 0 and 1"):
        adjust([1.2])


def test_hommel_is_closed_testing_with_simes():
    rng = np.random.default_rng(1)
    for _ in range(60):
        p = (rng.random(5) ** rng.choice([1, 3])).tolist()
        got = multiplicity.hommel(p)
        for i in range(5):
            worst = 0.0
            for mask in range(1, 32):
                members = sorted(p[j] for j in range(5) if mask >> j & 1)
                if mask >> i & 1:
                    size = len(members)
                    simes = min(size * v / (r + 1) for r, v in enumerate(members))
                    worst = max(worst, simes)
            assert got[i] == pytest.approx(min(1.0, worst), abs=1e-12)


def test_false_discoveries_against_scipy():
    p = np.random.default_rng(2).random(40) ** 2
    assert multiplicity.benjamini_hochberg(p.tolist()) == pytest.approx(stats.false_discovery_control(p))
    assert multiplicity.benjamini_yekutieli(p.tolist()) == pytest.approx(stats.false_discovery_control(p, method="by"))


@pytest.mark.parametrize("row", RIGHT["power"]["table"])
def test_games_needed_right_values(row):
    n, delta = row["n_players"], row["delta_pp"] / 100
    assert power.games_to_detect(n, delta) == row["detect_power80"]
    assert power.games_to_detect(n, delta, 0.9) == row["detect_power90"]
    assert power.games_for_equivalence(n, delta) == row["equiv_one_seat_power80"]
    assert power.games_for_equivalence(n, delta, 0.9) == row["equiv_one_seat_power90"]
    assert power.games_for_half_width(n, delta) == row["ci_halfwidth_n"]


def test_games_for_joint_equivalence_right_values():
    for n, row in RIGHT["power"]["joint"].items():
        for delta, games in row.items():
            got = power.games_for_joint_equivalence(int(n), float(delta))
            assert abs(got - games) <= 0.02 * games + 1


def test_joint_power_against_simulation():
    rng = np.random.default_rng(3)
    share = rng.multinomial(900, [0.25] * 4, size=20_000) / 900
    half = 1.6448536269514722 * np.sqrt(share * (1 - share) / 900)
    inside = ((share + half < 0.3) & (share - half > 0.2)).all(axis=1).mean()
    assert power.joint_equivalence_power(4, 900, 0.05) == pytest.approx(inside, abs=0.02)
    assert power.joint_equivalence_power(4, 10, 0.05) == 0.0


def test_detectable_inverts_games_to_detect():
    for n in (2, 3, 5):
        games = power.games_to_detect(n, 0.04)
        assert power.detectable(n, games) <= 0.04 < power.detectable(n, games - 1)
    with pytest.raises(ValueError, match="delta is a share"):
        power.games_to_detect(4, 5)


@pytest.mark.parametrize(("seats", "delta"), [(2, 0.05), (3, 0.05), (4, 0.1), (5, 0.05), (4, 0.3)])
def test_games_to_find_give_the_power_of_the_exact_corrected_test(seats, delta):
    level = 0.05 / seats if seats > 2 else 0.05
    fair = 1 / seats

    def found(games):
        wins = np.arange(games + 1)
        upper, lower = stats.binom.sf(wins - 1, games, fair), stats.binom.cdf(wins, games, fair)
        called = (2 * np.minimum(upper, lower) <= level) & (wins > games * fair)
        return stats.binom.pmf(wins, games, fair + delta)[called].sum()

    games = power.games_to_find(seats, delta)
    for more in range(seats + 1):
        assert found(games + more) >= 0.8
        assert power.power_to_find(seats, games + more, delta) == pytest.approx(found(games + more))
    assert found(games - 1) < 0.83
    assert games >= power.games_to_detect(seats, delta)
    assert power.findable(seats, games) <= delta
    assert power.findable(seats, max(1, games // 2)) > delta


def test_very_many_games_to_find_come_from_the_normal_limit():
    assert power.games_to_find(4, 0.0005) == pytest.approx(8.36e6, rel=0.02)
    assert power.findable(4, 1) == pytest.approx(0.75)


def test_exact_p_decides_and_interpolates_for_shared_wins():
    wins = [59, 41]
    (first, _) = _verdicts(wins)
    exact = stats.binomtest(59, 100).pvalue
    assert first.p_adjusted == pytest.approx(exact)
    assert first.p_difference < exact
    assert first.p_exact == pytest.approx(exact)
    quarter = _verdicts([40, 20, 20, 20])[0]
    assert quarter.p_adjusted == pytest.approx(8 * stats.binom.sf(39, 100, 0.25))
    assert quarter.p_adjusted == pytest.approx(4 * quarter.p_exact)
    shared = verdicts.seat_verdicts({(60, 0): 45, (0, 60): 25, (30, 30): 30})[0]
    n = 100 * 0.6 * 0.4 / (0.45 * 0.4**2 + 0.25 * 0.6**2 + 0.3 * 0.1**2)
    assert shared.p_adjusted == pytest.approx(2 * stats.beta.cdf(0.5, 0.6 * n, n - 0.6 * n + 1))


def _verdicts(wins, **options):
    return verdicts.seat_verdicts(patterns.from_wins(wins), **options)


def test_the_five_verdicts():
    assert {v.verdict for v in _verdicts([520, 495, 505, 480])} == {"balanced"}
    first, second, *_ = _verdicts([3600, 2490, 1960, 1950])
    assert (first.verdict, second.verdict) == ("advantaged", "balanced")
    assert _verdicts([40, 80, 80])[0].verdict == "disadvantaged"
    assert _verdicts([2810, 2500, 2400, 2290])[0].verdict == "trivial difference"
    assert {v.verdict for v in _verdicts([30, 25, 25, 20])} == {"inconclusive"}
    assert {v.verdict for v in _verdicts([19, 10])} == {"no verdict"}
    assert _verdicts([20, 10])[0].verdict == "inconclusive"


def test_sentences():
    said = [v.sentence() for v in _verdicts([2810, 2500, 2400, 2290])]
    assert said[0] == (
        "seat 1 wins 3.1 points too often (95% 2.2 to 4.0); a real difference, yet balanced within 5 points"
    )
    assert said[1] == "seat 2 wins its fair share (95% -0.8 to 0.9); balanced within 5 points"
    assert said[3].startswith("seat 4 wins 2.1 points too seldom (95% 1.3 to 2.9); ")
    (few, _) = _verdicts([5, 7])
    assert few.sentence().endswith("; no verdict below 30 games, has 12")
    assert few.games_still_needed == power.games_for_equivalence(2, 0.05) - 12
    (open_, *_) = _verdicts([30, 25, 25, 20], delta=0.1)
    assert open_.conclusion() == "inconclusive, needs about 146 more games"
    cautious = _verdicts([281, 250, 240, 229])[0]
    assert "inconclusive after correcting for 4 seats, needs about" in cautious.sentence()
    assert _verdicts([281, 250, 240, 229], correction="none")[0].verdict == "advantaged"


def test_cell_verdicts():
    def said(wins):
        return verdicts.cell_verdict(_verdicts(wins)).sentence()

    assert said([520, 495, 505, 480]) == "all 4 seats are balanced within 5 points (2,000 games)"
    assert said([3600, 2400, 2000, 2000]).startswith("not balanced: seat 1 is advantaged")
    assert said([30, 25, 25, 20]).startswith("not shown to be balanced within 5 points (100 games")
    assert said([5, 7]) == "no verdict below 30 games, has 12"
    cell = verdicts.cell_verdict(_verdicts([520, 495, 505, 480]))
    assert cell.p_joint == max(v.p_equivalence for v in cell.seats)
    assert cell.games_still_needed == 0


def test_p_values_agree_with_intervals():
    rng = np.random.default_rng(4)
    for _ in range(300):
        wins = rng.multinomial(rng.integers(30, 2000), rng.dirichlet([40] * 3)).tolist()
        for v in _verdicts(wins):
            fair = 1 / 3
            assert (v.p_difference < 0.05) == (not v.interval95.low <= fair <= v.interval95.high)
            inside = fair - 0.05 < v.interval90.low and v.interval90.high < fair + 0.05
            assert (v.p_equivalence < 0.05) == inside


def test_all_ties_and_huge_counts():
    (first, _) = verdicts.seat_verdicts({(30, 30): 5000})
    assert first.verdict == "balanced"
    assert verdicts.seat_verdicts({(30, 30): 40})[0].verdict == "inconclusive"
    big = _verdicts([28_100_000, 25_000_000, 24_000_000, 22_900_000])[0]
    assert (big.verdict, big.games_still_needed) == ("trivial difference", 0)
    with pytest.raises(NotEnough):
        verdicts.seat_verdicts({})


def test_error_rates_of_the_verdicts():
    rng = np.random.default_rng(5)
    cells = 1000
    alarms = sum(
        any(v.verdict in ("advantaged", "disadvantaged", "trivial difference") for v in found)
        for found in map(_verdicts, rng.multinomial(400, [0.25] * 4, size=cells).tolist())
    )
    assert alarms <= cells * 0.05 + 4 * (cells * 0.0475) ** 0.5
    at_the_edge = rng.multinomial(2000, [0.3, 0.24, 0.23, 0.23], size=cells).tolist()
    inside = sum(_verdicts(w)[0].verdict in ("balanced", "trivial difference") for w in at_the_edge)
    assert within_errors(inside, cells, 0.05)


def test_planted_verdicts_are_found():
    rng = np.random.default_rng(6)
    fair = rng.multinomial(2400, [0.25] * 4, size=100).tolist()
    assert sum(bool(verdicts.cell_verdict(_verdicts(w)).balanced) for w in fair) >= 95
    tilted = rng.multinomial(600, [0.37, 0.21, 0.21, 0.21], size=100).tolist()
    assert sum(_verdicts(w)[0].verdict == "advantaged" for w in tilted) >= 98


def test_games_still_needed_settle_it_about_as_often_as_planned():
    rng = np.random.default_rng(7)
    (first, *_) = _verdicts([34, 33, 33])
    total = 100 + first.games_still_needed
    fair = rng.multinomial(total, [1 / 3] * 3, size=400).tolist()
    assert np.mean([_verdicts(w)[0].verdict != "inconclusive" for w in fair]) > 0.78
