"""Skill and luck in leagues of known make."""

import math

import numpy as np
import pytest

from pipeline.stats import skill
from pipeline.stats.errors import NotEnough

from .helpers import CLOSED, ITERATED, RIGHT

SKILL = RIGHT["skill"]


def test_variance_split_right_values():
    case = SKILL["variance_split"]
    got = skill.variance_split(case["wins"], [case["games_each"]] * len(case["wins"]))
    assert got.var_observed == pytest.approx(case["var_observed"], abs=CLOSED)
    assert got.var_luck == pytest.approx(case["var_luck_binomial"], abs=CLOSED)
    assert got.var_skill == pytest.approx(case["var_skill"], abs=CLOSED)
    assert got.reliability == pytest.approx(case["reliability"], abs=CLOSED)
    assert got.games_for_half == pytest.approx(case["games_for_half_reliability"], abs=1e-8)
    assert got.reliability_interval.low < got.reliability < got.reliability_interval.high


def test_variance_split_finds_the_planted_reliability():
    rng = np.random.default_rng(1)
    games, covered, found = 50, 0, []
    luck, spread = 0.25 * 0.75 / games, 0.06
    truth = spread**2 / (spread**2 + luck)
    for _ in range(400):
        rate = np.clip(rng.normal(0.25, spread, 60), 0.02, 0.9)
        got = skill.variance_split(rng.binomial(games, rate).tolist(), [games] * 60)
        found.append(got.reliability)
        covered += got.reliability_interval.low <= truth <= got.reliability_interval.high
    assert np.mean(found) == pytest.approx(truth, abs=0.03)
    assert 0.90 <= covered / 400 <= 0.98


def test_variance_split_edges():
    rng = np.random.default_rng(2)
    none = skill.variance_split([25.0, 25.5, 24.5], [100] * 3)
    assert (none.var_skill, none.reliability, none.games_for_half) == (0.0, 0.0, None)
    with pytest.raises(NotEnough, match="all alike"):
        skill.variance_split([5, 5], [10, 10])
    with pytest.raises(NotEnough, match="2 players"):
        skill.variance_split([5], [10])
    with pytest.raises(NotEnough, match="games per player"):
        skill.variance_split([5, 0], [10, 0])
    luck = [skill.variance_split(rng.binomial(40, 0.25, 50).tolist(), [40] * 50).reliability
            for _ in range(200)]  # fmt: skip
    assert np.mean(luck) < 0.12


def test_forecast_right_values():
    case = SKILL["forecasts"]
    shares = skill.one_hot(case["winner_index"], 4)
    got = skill.forecast_scores(np.array(case["p"]), shares)
    assert got.brier == pytest.approx(case["brier_multiclass"], abs=CLOSED)
    assert got.log_loss == pytest.approx(case["log_score"], abs=CLOSED)
    assert got.log_loss_uniform == pytest.approx(case["log_score_uniform"], abs=CLOSED)
    assert got.skill_score == pytest.approx(case["skill_score_vs_uniform"], abs=CLOSED)


def test_forecast_edges():
    shared = skill.forecast_scores(np.array([[0.5, 0.5, 0.0]]), np.array([[0.5, 0.5, 0.0]]))
    assert (shared.log_loss, shared.brier) == (pytest.approx(math.log(2)), 0.0)
    wrong = skill.forecast_scores(np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]]))
    assert wrong.log_loss == math.inf
    with pytest.raises(NotEnough):
        skill.forecast_scores(np.zeros((0, 2)), np.zeros((0, 2)))


def test_rating_right_values():
    case = SKILL["ratings"]
    fresh = skill.fresh_rating()
    rated = skill.rate_game([fresh] * 4, [1, 2, 2, 4])
    assert np.array(rated) == pytest.approx(np.array(case["plackett_luce_ranks_1_2_2_4"]), abs=ITERATED)
    other = skill.rate_game([fresh] * 3, [1, 2, 3], "bradley_terry_full")
    assert np.array(other) == pytest.approx(np.array(case["bradley_terry_full_1_2_3"]), abs=ITERATED)
    assert skill.predict_win([fresh] * 4) == pytest.approx(case["predict_win_fresh_4p"])


def _league(rng, games, spread):
    strength = rng.normal(0, spread, 16)
    for _ in range(games):
        players = rng.permutation(16)[:4]
        order = np.argsort(-(strength[players] + rng.gumbel(size=4)))
        ranks = np.empty(4, dtype=int)
        ranks[order] = [1, 2, 3, 4]
        yield players.tolist(), ranks.tolist()


def test_held_out_log_loss_tells_skill_from_luck():
    rng = np.random.default_rng(3)
    got = skill.held_out_log_loss(_league(rng, 1500, spread=1.2))
    assert got.gain.interval.low > 0.03
    assert got.skill_score == pytest.approx(1 - got.log_loss / math.log(4))
    assert got.games + got.left_out == 1500
    luck = skill.held_out_log_loss(_league(rng, 1500, spread=0.0))
    assert luck.gain.interval.low < 0.0
    assert len(luck.ratings) == 16
    with pytest.raises(NotEnough, match="games behind them"):
        skill.held_out_log_loss([([0, 1], [1, 2])])
