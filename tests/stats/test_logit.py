"""Conditional logit: right values, a slow twin, coverage, confounding, speed."""

import numpy as np
import pytest
from scipy import optimize

from pipeline.stats import choice, logit, patterns
from pipeline.stats.errors import NotEnough

from .helpers import CLOSED, ITERATED, RIGHT, shares_of

LOGIT = RIGHT["logit"]


def test_winner_only_right_values():
    case = LOGIT["winner_only"]
    got = logit.winner_only(case["counts"])
    assert got.reference + 1 == case["reference_seat"]
    assert got.beta[:2] == pytest.approx(case["beta_vs_seat3"], abs=CLOSED)
    assert got.se[:2] == pytest.approx(case["se"], abs=CLOSED)
    assert np.exp(got.beta[:2]) == pytest.approx(case["odds_ratio"], abs=CLOSED)
    assert got.centred == pytest.approx(case["centred_beta"], abs=CLOSED)
    assert got.win_probability == pytest.approx(np.array([0.5, 0.3, 0.2]), abs=CLOSED)


def test_iteration_agrees_with_the_closed_form():
    counts = [50, 30, 20]
    closed = logit.winner_only(counts)
    fitted = logit.share_logit(patterns.from_wins(counts), robust=False)
    assert fitted.beta == pytest.approx(closed.beta, abs=CLOSED)
    assert fitted.covariance == pytest.approx(closed.covariance, abs=CLOSED)
    assert fitted.loglik == pytest.approx(closed.loglik, abs=CLOSED)
    assert fitted.wald() == pytest.approx(closed.wald(), abs=CLOSED)
    robust = logit.share_logit(patterns.from_wins([c * 10**6 for c in counts]))
    assert robust.se == pytest.approx(closed.se / 1000, abs=CLOSED)


def test_plackett_luce_right_values():
    case = LOGIT["plackett_luce"]
    orders = [[s - 1 for s in order] for order in case["orders_best_to_worst_by_seat"]]
    got = logit.plackett_luce(logit.ranks_of_orders(orders))
    assert got.beta[:2] == pytest.approx(case["beta_vs_seat3"], abs=ITERATED)
    assert got.se[:2] == pytest.approx(case["se"], abs=ITERATED)
    assert got.loglik == pytest.approx(case["loglik"], abs=ITERATED)
    assert got.loglik_null == pytest.approx(case["loglik_null"], abs=ITERATED)
    statistic, df, p = got.likelihood_ratio()
    assert (statistic, df) == (pytest.approx(case["lr_stat"], abs=ITERATED), 2)
    assert p == pytest.approx(case["lr_p"], abs=ITERATED)
    assert got.win_probability == pytest.approx(case["implied_win_prob"], abs=ITERATED)
    assert got.centred == pytest.approx(case["centred_beta"], abs=ITERATED)


def test_plackett_luce_ties_are_every_order_in_equal_parts():
    tied = logit.plackett_luce({(1, 1, 3): 8, (2, 3, 1): 4, (3, 1, 1): 2})
    split = logit.plackett_luce({(1, 2, 3): 4, (2, 1, 3): 4, (2, 3, 1): 4, (3, 1, 2): 1,
                                 (3, 2, 1): 1})  # fmt: skip
    assert tied.beta == pytest.approx(split.beta, abs=ITERATED)


def test_fractional_logit_with_skill_right_values():
    case = LOGIT["fractional"]
    rows = [(g, r) for g, game in enumerate(case["games"]) for r in game]
    x = [[r["seat"] == 1, r["seat"] == 2, r["skill"]] for _, r in rows]
    got = choice.fit_choice(
        np.array([g for g, _ in rows]),
        np.array([r["win_share"] for _, r in rows]),
        np.array(x, dtype=float),
    )
    assert got.beta == pytest.approx(list(case["beta"].values()), abs=ITERATED)
    assert got.loglik == pytest.approx(case["quasi_loglik"], abs=ITERATED)
    assert got.se == pytest.approx(case["se_model"], abs=ITERATED)
    assert got.se_robust == pytest.approx(case["se_sandwich_by_game"], abs=ITERATED)
    equal = logit.softmax(np.array([*got.beta[:2], 0.0]))
    assert equal == pytest.approx(case["win_prob_at_equal_skill"], abs=ITERATED)


def test_matched_pairs_right_values():
    case = LOGIT["matched_pairs"]
    got = logit.matched_pairs(case["only_winner_exchanged"], case["only_loser_exchanged"])
    assert got.odds_ratio == pytest.approx(case["odds_ratio"], abs=CLOSED)
    assert got.p_exact == pytest.approx(case["p_exact"], abs=CLOSED)
    assert got.log_se == pytest.approx(case["log_or_se"], abs=CLOSED)
    assert got.interval.low < 1 < got.interval.high
    one_sided = logit.matched_pairs(5, 0)
    assert (one_sided.odds_ratio, one_sided.interval.high) == (np.inf, np.inf)
    with pytest.raises(NotEnough):
        logit.matched_pairs(0, 0)


def _slow_twin(table, who, prior_sd):
    """The same model with plain matrices: estimates and sandwich of the seat effects."""
    games, seats = table.shape
    size = seats - 1 + who.max() + 1
    design = np.zeros((games, seats, size))
    for g in range(games):
        for s in range(seats):
            if s < seats - 1:
                design[g, s, s] = 1
            if who[g, s] >= 0:
                design[g, s, seats - 1 + who[g, s]] = 1
    ridge = np.r_[np.zeros(seats - 1), np.full(size - seats + 1, prior_sd**-2.0)]
    y = table / 60

    def chances(theta):
        eta = design @ theta
        raised = np.exp(eta - eta.max(axis=1, keepdims=True))
        return raised / raised.sum(axis=1, keepdims=True)

    def loss(theta):
        p = chances(theta)
        gradient = -np.einsum("gs,gsk->k", y - p, design) + ridge * theta
        return -(y * np.log(p)).sum() + 0.5 * ridge @ theta**2, gradient

    options = {"gtol": 1e-10, "ftol": 1e-16, "maxiter": 10_000}
    theta = optimize.minimize(loss, np.zeros(size), jac=True, method="L-BFGS-B", options=options).x
    p = chances(theta)
    hessian = np.diag(ridge)
    for g in range(games):
        hessian += design[g].T @ (np.diag(p[g]) - np.outer(p[g], p[g])) @ design[g]
    scores = np.einsum("gs,gsk->gk", y - p, design)
    bread = np.linalg.inv(hessian)
    sandwich = bread @ scores.T @ scores @ bread
    k = seats - 1
    return theta, bread[:k, :k], sandwich[:k, :k], scores, bread


def _league(rng, games, players, seats, effects, sorting=0.0, ties=0.0):
    """Games among players of normal skill; ``sorting`` puts better players first."""
    skill = rng.normal(0, 1, players)
    who = np.argsort(rng.random((games, players)), axis=1)[:, :seats]
    key = -sorting * skill[who] + rng.gumbel(size=who.shape)
    who = np.take_along_axis(who, np.argsort(key, axis=1), axis=1)
    strength = skill[who] + np.array(effects)
    order = np.argsort(strength + rng.gumbel(size=who.shape), axis=1)[:, ::-1]
    table = np.zeros((games, seats), dtype=np.int64)
    shared = rng.random(games) < ties
    table[np.arange(games), order[:, 0]] = np.where(shared, 30, 60)
    table[np.flatnonzero(shared), order[shared, 1]] = 30
    return table, who


def test_adjusted_seats_equal_the_slow_twin():
    rng = np.random.default_rng(1)
    table, who = _league(rng, 80, 9, 3, [0.5, 0.2, 0.0], sorting=1.0, ties=0.2)
    who[rng.random(who.shape) < 0.1] = -1
    theta, model, sandwich, scores, bread = _slow_twin(table, who, 3.0)
    got = logit.adjusted_seats(table, who)
    assert got.beta[:2] == pytest.approx(theta[:2], abs=1e-5)
    assert got.player_effects == pytest.approx(theta[2:], abs=1e-4)
    assert got.covariance[:2, :2] == pytest.approx(sandwich, rel=1e-4)
    assert got.games_per_player == pytest.approx((who >= 0).sum() / 9)
    session = np.arange(80) // 5
    clustered = logit.adjusted_seats(table, who, session=session)
    summed = np.array([scores[session == s].sum(axis=0) for s in range(16)])
    want = (bread @ summed.T @ summed @ bread)[:2, :2]
    assert clustered.covariance[:2, :2] == pytest.approx(want, rel=1e-4)
    assert clustered.clusters == 16
    row = np.repeat(np.arange(80), 3)
    fit = choice.fit_choice(row, table.reshape(-1) / 60, np.tile(np.eye(3)[:, :2], (80, 1)), player=who.reshape(-1))
    assert fit.covariance == pytest.approx(model, rel=1e-4)


def test_row_order_and_player_names_do_not_matter():
    rng = np.random.default_rng(2)
    table, who = _league(rng, 60, 8, 3, [0.5, 0.0, 0.0])
    base = logit.adjusted_seats(table, who)
    turned = rng.permutation(60)
    moved = logit.adjusted_seats(table[turned], 1000 - 7 * who[turned])
    assert moved.beta == pytest.approx(base.beta, abs=1e-7)
    unknown = logit.adjusted_seats(table, np.full_like(who, -1))
    raw = logit.share_logit(patterns.count_patterns(table))
    assert unknown.beta == pytest.approx(raw.beta, abs=1e-7)
    assert unknown.covariance == pytest.approx(raw.covariance, abs=1e-7)
    assert unknown.games_per_player is None


def test_confounding_by_skill_is_removed():
    rng = np.random.default_rng(3)
    truth = [0.4, 0.2, 0.0, 0.0]
    betas, raws = [], []
    for _ in range(8):
        table, who = _league(rng, 1500, 40, 4, truth, sorting=1.0)
        betas.append(logit.adjusted_seats(table, who).beta[:3])
        raws.append(logit.winner_only((table.sum(axis=0) // 60).tolist()).beta[:3])
    assert np.mean(raws, axis=0)[0] > 1.0
    assert np.mean(betas, axis=0) == pytest.approx(truth[:3], abs=0.13)


def test_win_intervals_cover_the_truth():
    rng = np.random.default_rng(4)
    truth = logit.softmax(np.array([0.5, 0.1, 0.0]))
    covered = 0
    for _ in range(300):
        table = shares_of(rng, 150, truth.tolist())
        bands = logit.share_logit(patterns.count_patterns(table)).win_intervals()
        covered += sum(low <= t <= high for t, (low, high) in zip(truth, bands, strict=True))
    assert 0.925 <= covered / 900 <= 0.97


def test_adjusted_test_keeps_its_level():
    rng = np.random.default_rng(5)
    alarms = 0
    for _ in range(150):
        table, who = _league(rng, 300, 10, 3, [0.0, 0.0, 0.0], sorting=0.5)
        alarms += logit.adjusted_seats(table, who).wald()[2] < 0.05
    assert alarms <= 19  # 7.5 expected; 4 standard errors above


def test_thousands_of_players():
    rng = np.random.default_rng(6)
    games, players = 30_000, 3_000
    skill = rng.normal(0, 1, players)
    who = rng.integers(0, players, (games, 5))
    strength = skill[who] + np.array([0.6, 0.4, 0.2, 0.1, 0.0])
    won = np.argmax(strength + rng.gumbel(size=who.shape), axis=1)
    got = logit.adjusted_seats(60 * np.eye(5, dtype=np.int64)[won], who)
    assert got.beta == pytest.approx([0.6, 0.4, 0.2, 0.1, 0.0], abs=0.1)
    assert np.corrcoef(got.player_effects, skill)[0, 1] > 0.9


def test_what_cannot_be_estimated_says_so():
    with pytest.raises(NotEnough, match="wins of seat 2"):
        logit.winner_only([3, 0, 5])
    with pytest.raises(NotEnough, match="wins of seat 3"):
        logit.share_logit({(60, 0, 0): 3, (0, 60, 0): 5})
    with pytest.raises(NotEnough):
        logit.adjusted_seats(np.zeros((0, 3), dtype=int), np.zeros((0, 3), dtype=int))
    stratum = np.repeat(np.arange(20), 2)
    share = np.tile([1.0, 0.0], 20)
    with pytest.raises(NotEnough, match="no finite estimate"):
        choice.fit_choice(stratum, share, np.tile([1.0, 0.0], 20)[:, None])
    with pytest.raises(NotEnough, match="independently"):
        choice.fit_choice(stratum, share, np.ones((40, 1)))
    x = np.random.default_rng(7).normal(size=40)
    with pytest.raises(NotEnough, match="independently"):
        choice.fit_choice(stratum, share, np.stack([x, 2 * x], axis=1))
    with pytest.raises(NotEnough, match="tell something"):
        choice.fit_choice(np.arange(40), share, x[:, None])
    with pytest.raises(ValueError, match="clustered"):
        choice.fit_choice(stratum, share, x[:, None], weight=np.ones(40), cluster=stratum)


def test_one_game_and_all_ties():
    with pytest.raises(NotEnough):
        logit.adjusted_seats(np.array([[60, 0]]), np.array([[0, 1]]))
    flat = logit.share_logit({(30, 30): 12})
    assert flat.beta == pytest.approx([0.0, 0.0], abs=1e-12)
