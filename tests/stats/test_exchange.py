"""Rates, hazards, ratios, and association with winning in games of known truth."""

import math

import numpy as np
import pytest

from pipeline.stats import exchange, logit, means
from pipeline.stats.errors import NotEnough

from .helpers import CLOSED, RIGHT, within_errors

HAZARD = RIGHT["exchange"]["hazard"]


def test_hazard_right_values():
    table = HAZARD["table"]
    rows = exchange.hazard_table(
        [r["opportunities"] for r in table], [r["exchanges"] for r in table], first_exchange=True
    )
    for row, want in zip(rows, table, strict=True):
        assert row.turn == want["turn"]
        assert row.hazard == pytest.approx(want["hazard"], abs=CLOSED)
        assert row.interval == pytest.approx(want["wilson"], abs=CLOSED)
        assert row.survival == pytest.approx(want["survival_first_event"], abs=CLOSED)
        assert row.survival_interval.low < row.survival < row.survival_interval.high
    total = exchange.rate(sum(r["exchanges"] for r in table), sum(r["opportunities"] for r in table))
    assert total.rate == pytest.approx(HAZARD["rate_per_opportunity"], abs=CLOSED)


def test_hazard_edges():
    repeated = exchange.hazard_table([10, 0, 8], [1, 0, 8], first_exchange=False)
    assert [r.turn for r in repeated] == [1, 3]
    assert [r.survival for r in repeated] == [None, None]
    done = exchange.hazard_table([10, 4], [0, 4], first_exchange=True)
    assert [r.survival for r in done] == [1.0, 0.0]
    assert [r.survival_interval for r in done] == [None, None]
    with pytest.raises(NotEnough, match="needs opportunities, has none"):
        exchange.hazard_table([0], [1], first_exchange=False)


def test_survival_interval_covers():
    rng = np.random.default_rng(1)
    covered = 0
    for _ in range(500):
        left, risk, events = 80, [], []
        for hazard in (0.1, 0.2, 0.15):
            gone = int(rng.binomial(left, hazard))
            risk.append(left)
            events.append(gone)
            left -= gone
        low, high = exchange.hazard_table(risk, events, first_exchange=True)[-1].survival_interval
        covered += low <= 0.9 * 0.8 * 0.85 <= high
    assert 0.92 <= covered / 500 <= 0.98


def test_rate_ratio_right_values():
    case = RIGHT["exchange"]["rate_ratio"]
    got = exchange.rate_ratio(case["a"], case["exposure_a"], case["b"], case["exposure_b"])
    assert got.rate_ratio == pytest.approx(case["rate_ratio"], abs=CLOSED)
    assert got.p_exact == pytest.approx(case["p_exact_conditional"], abs=CLOSED)
    assert got.interval == pytest.approx(case["ci95_exact"], abs=CLOSED)
    assert got.log_se == pytest.approx(case["log_rr_se"], abs=CLOSED)


def test_rate_ratio_edges_and_level():
    none = exchange.rate_ratio(0, 100, 9, 100)
    assert (none.rate_ratio, none.interval.low, none.log_se) == (0.0, 0.0, math.inf)
    only = exchange.rate_ratio(9, 100, 0, 100)
    assert (only.rate_ratio, only.interval.high) == (math.inf, math.inf)
    with pytest.raises(NotEnough, match="needs exchanges, has none"):
        exchange.rate_ratio(0, 100, 0, 100)
    rng = np.random.default_rng(2)
    pairs = rng.poisson([20, 30], size=(1500, 2)).tolist()
    alarms = sum(exchange.rate_ratio(a, 200, b, 300).p_exact < 0.05 for a, b in pairs)
    assert alarms <= 1500 * 0.05 + 4 * (1500 * 0.0475) ** 0.5
    assert alarms > 20
    tripled = rng.poisson([60, 30], size=(50, 2)).tolist()
    assert sum(exchange.rate_ratio(a, 200, b, 300).p_exact < 0.05 for a, b in tripled) == 50


def test_exchange_rates():
    got = exchange.exchange_rates(30, 100, 20, 80, 10, 200)
    assert (got.when_open.rate, got.chosen.rate, got.forced.rate) == (0.3, 0.25, 0.05)
    assert exchange.exchange_rates(0, 0, 0, 0, 0, 50).when_open is None
    with pytest.raises(ValueError, match="more than all"):
        exchange.exchange_rates(5, 10, 4, 10, 2, 20)


def _season(rng, games, effect, turns=4, seats=3):
    """Trailing players exchange more; winning follows the lead, plus ``effect`` an exchange."""
    lead = np.zeros((games, seats))
    rows = []
    for turn in range(turns):
        behind = lead.max(axis=1, keepdims=True) - lead
        did = rng.random(lead.shape) < 1 / (1 + np.exp(1.5 - behind))
        rows.append((turn, did, lead.copy()))
        lead = lead + rng.normal(0, 1, lead.shape) + effect * did
    won = np.eye(seats)[np.argmax(lead + rng.gumbel(size=lead.shape), axis=1)]
    game = np.repeat(np.arange(games), seats)
    parts = [
        (game, np.full(game.shape, turn), did.reshape(-1), won.reshape(-1), before.reshape(-1))
        for turn, did, before in rows
    ]
    return [np.concatenate(column) for column in zip(*parts, strict=True)]


def test_association_sees_no_effect_where_the_naive_difference_does():
    rng = np.random.default_rng(3)
    game, turn, did, won, before = _season(rng, 1500, effect=0.0)
    naive = exchange.naive_difference(means.mean_of(won[did]), means.mean_of(won[~did]))
    assert naive.label == "descriptive"
    assert naive.interval.high < -0.05
    got = exchange.exchange_association(game, turn, did, won, before[:, None], ["lead"])
    assert got.interval.low < 1 < got.interval.high
    assert got.adjusted_for == ("lead",)
    assert got.games == 1500


def test_association_finds_a_planted_effect():
    game, turn, did, won, before = _season(np.random.default_rng(4), 1500, effect=1.0)
    got = exchange.exchange_association(game, turn, did, won, before[:, None], ["lead"])
    assert got.interval.low > 1.2
    assert got.p < 1e-6


def test_false_alarms_of_the_association():
    rng = np.random.default_rng(5)
    alarms = 0
    for _ in range(200):
        game, turn, did, won, before = _season(rng, 120, effect=0.0)
        got = exchange.exchange_association(game, turn, did, won, before[:, None], ["lead"])
        alarms += got.p < 0.05
    assert within_errors(alarms, 200, 0.055)


def test_two_player_association_is_matched_pairs():
    game = np.repeat(np.arange(48), 2)
    did = np.concatenate([np.tile(row, k) for row, k in [
        ([1, 1], 20), ([1, 0], 12), ([0, 1], 6), ([0, 0], 10)]])  # fmt: skip
    won = np.tile([1.0, 0.0], 48)
    got = exchange.exchange_association(game, np.zeros(96, dtype=int), did, won)
    pairs = logit.matched_pairs(12, 6)
    assert got.odds_ratio == pytest.approx(pairs.odds_ratio, abs=1e-6)
    assert got.se == pytest.approx(pairs.log_se, abs=1e-6)


def test_association_edges():
    ones = np.ones(4)
    with pytest.raises(NotEnough, match="one player exchanged and another did not"):
        exchange.exchange_association(np.array([0, 0, 1, 1]), ones, ones, np.array([1, 0, 0, 1]))
    with pytest.raises(NotEnough, match="player-turns"):
        exchange.exchange_association(ones[:0], ones[:0], ones[:0], ones[:0])
    turn, did = np.repeat(np.arange(3), 2), np.array([1, 0, 0, 1, 1, 0])
    with pytest.raises(NotEnough, match="needs 2 games with such turns, has 1"):
        exchange.exchange_association(np.zeros(6, dtype=int), turn, did, np.tile([1.0, 0.0], 3))
    with pytest.raises(ValueError, match="names"):
        exchange.exchange_association(ones, ones, ones, ones, ones[:, None])
    single = exchange.naive_difference(means.mean_of(np.array([1.0])), means.mean_of(ones))
    assert single.interval is None
