"""The same figures from libraries that the product does not depend on."""

import importlib

import numpy as np
import pytest

from pipeline.stats import choice, intervals, logit, multiplicity
from pipeline.stats.mantel_haenszel import Stratum, mantel_haenszel


def test_mantel_haenszel_equals_statsmodels():
    tables = importlib.import_module("statsmodels.stats.contingency_tables")
    rng = np.random.default_rng(1)
    for _ in range(10):
        rows = []
        for n1, n0 in rng.integers(20, 80, (3, 2)).tolist():
            rows.append(Stratum(int(rng.binomial(n1, 0.4)), n1, int(rng.binomial(n0, 0.3)), n0))
        want = tables.StratifiedTable([np.array([[a, n1 - a], [c, n0 - c]], dtype=float) for a, n1, c, n0 in rows])
        got = mantel_haenszel(rows)
        assert got.odds_ratio == pytest.approx(want.oddsratio_pooled)
        assert got.odds_ratio_interval == pytest.approx(want.oddsratio_pooled_confint())
        assert got.cmh == pytest.approx(want.test_null_odds(correction=False).statistic)
        assert got.breslow_day == pytest.approx(want.test_equal_odds().statistic)


def test_multiplicity_equals_statsmodels():
    multitest = importlib.import_module("statsmodels.stats.multitest")
    rng = np.random.default_rng(2)
    ours = {
        "holm": multiplicity.holm,
        "hommel": multiplicity.hommel,
        "fdr_bh": multiplicity.benjamini_hochberg,
        "fdr_by": multiplicity.benjamini_yekutieli,
    }
    for size in (1, 2, 5, 9):
        p = (rng.random(size) ** 3).tolist()
        for name, adjust in ours.items():
            want = multitest.multipletests(p, method=name)[1]
            assert adjust(p) == pytest.approx(want.tolist())


def test_sison_glaz_equals_statsmodels():
    proportion = importlib.import_module("statsmodels.stats.proportion")
    for counts in ([7, 1, 2, 3, 10], [130, 120, 99, 150, 1], [0, 5, 5]):
        want = proportion.multinomial_proportions_confint(counts, method="sison-glaz")
        assert np.array(intervals.sison_glaz(counts)) == pytest.approx(want, abs=1e-6)


def test_conditional_logit_equals_statsmodels():
    models = importlib.import_module("statsmodels.discrete.conditional_models")
    rng = np.random.default_rng(3)
    stratum = np.repeat(np.arange(80), 4)
    x = rng.normal(size=(320, 3))
    eta = (x @ [0.5, -0.3, 0.0] + rng.gumbel(size=320)).reshape(80, 4)
    won = (eta == eta.max(axis=1, keepdims=True)).reshape(-1).astype(float)
    want = models.ConditionalLogit(won, x, groups=stratum).fit(disp=0)
    got = choice.fit_choice(stratum, won, x)
    assert got.beta == pytest.approx(want.params, abs=2e-4)
    assert got.se == pytest.approx(want.bse, abs=2e-4)


def test_plackett_luce_equals_choix():
    choix = importlib.import_module("choix")
    rng = np.random.default_rng(4)
    orders = [rng.permutation(5).tolist() for _ in range(60)]
    want = choix.opt_rankings(5, orders)
    got = logit.plackett_luce(logit.ranks_of_orders(orders))
    assert got.centred == pytest.approx(want - want.mean(), abs=2e-4)
