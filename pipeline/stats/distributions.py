"""The few distributions the package needs, over ``scipy.special``.

``scipy.stats`` would say the same but costs half a second to import; ``scipy.special`` itself is
loaded at the first call.
"""

from __future__ import annotations

import importlib
import math
from functools import cache
from typing import Any


@cache
def special() -> Any:
    """The module ``scipy.special``, loaded when first asked for."""
    return importlib.import_module("scipy.special")


def normal_quantile(p: float) -> float:
    """z with P(Z <= z) = p for a standard normal Z."""
    return float(special().ndtri(p))


def normal_cdf(z: float) -> float:
    """P(Z <= z) for a standard normal Z."""
    return float(special().ndtr(z))


def normal_two_sided_p(z: float) -> float:
    """P(|Z| >= |z|) for a standard normal Z."""
    return float(2.0 * special().ndtr(-abs(z)))


def critical_z(level: float) -> float:
    """z of a two-sided interval of confidence ``level``: 1.96 for 0.95."""
    if not 0.0 < level < 1.0:
        raise ValueError(f"a confidence level lies between 0 and 1, not {level}")
    return normal_quantile(0.5 + level / 2.0)


def student_quantile(p: float, df: float) -> float:
    """Quantile of Student's t."""
    return float(special().stdtrit(df, p))


def chi2_sf(x: float, df: float) -> float:
    """P(X >= x) for chi-square."""
    return float(special().chdtrc(df, x))


def chi2_quantile(p: float, df: float) -> float:
    """Quantile of chi-square."""
    return float(special().chdtri(df, 1.0 - p))


def noncentral_chi2_cdf(x: float, df: float, noncentrality: float) -> float:
    """P(X <= x) for noncentral chi-square."""
    return float(special().chndtr(x, df, noncentrality))


def beta_cdf(x: float, a: float, b: float) -> float:
    """P(X <= x) for a beta variable."""
    return float(special().betainc(a, b, min(1.0, max(0.0, x))))


def beta_quantile(p: float, a: float, b: float) -> float:
    """Quantile of a beta variable."""
    return float(special().betaincinv(a, b, p))


def binomial_cdf(k: int, n: int, p: float) -> float:
    """P(X <= k) for X ~ Binomial(n, p)."""
    if k < 0:
        return 0.0
    return 1.0 if k >= n else float(special().betainc(n - k, k + 1, 1.0 - p))


def binomial_sf(k: int, n: int, p: float) -> float:
    """P(X >= k) for X ~ Binomial(n, p)."""
    if k <= 0:
        return 1.0
    return 0.0 if k > n else float(special().betainc(k, n - k + 1, p))


def _binomial_log_pmf(k: int, n: int, p: float) -> float:
    lchoose = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return lchoose + k * math.log(p) + (n - k) * math.log1p(-p)


def _reach(n: int, p: float, limit: float, low: int, high: int, rising: bool) -> int:
    """In ``low..high``, where the log mass is monotone: how many values weigh at most ``limit``."""
    first, last = low, high
    while first <= last:
        middle = (first + last) // 2
        inside = _binomial_log_pmf(middle, n, p) <= limit
        if inside == rising:
            first = middle + 1
        else:
            last = middle - 1
    return first - low if rising else high + 1 - first


def binomial_two_sided_p(k: int, n: int, p: float) -> float:
    """Exact two-sided binomial p: the outcomes no more likely than ``k`` of ``n``.

    Outcomes within a relative 1e-7 of the observed probability count as equally likely.
    """
    if not 0.0 < p < 1.0:
        raise ValueError(f"needs a probability strictly between 0 and 1, not {p}")
    limit = _binomial_log_pmf(k, n, p) + 1e-7
    mode = min(n, int((n + 1) * p))
    if k == mode:
        return 1.0
    if k < mode:
        far = _reach(n, p, limit, mode, n, rising=False)
        total = binomial_cdf(k, n, p) + binomial_sf(n + 1 - far, n, p)
    else:
        near = _reach(n, p, limit, 0, mode, rising=True)
        total = binomial_sf(k, n, p) + binomial_cdf(near - 1, n, p)
    return min(1.0, total)


def binomial_doubled_p(k: float, n: float, p: float) -> float:
    """Exact two-sided binomial p, twice the smaller tail (Clopper & Pearson 1934).

    Fractional ``k`` and ``n`` interpolate by the beta function.
    """
    upper = 1.0 if k <= 0 else beta_cdf(p, k, n - k + 1.0)
    lower = 1.0 if k >= n else beta_cdf(1.0 - p, n - k, k + 1.0)
    return min(1.0, 2.0 * upper, 2.0 * lower)


def log_gamma(x: Any) -> Any:
    """Logarithm of the gamma function, number or array."""
    return special().gammaln(x)
