"""Adjusted p-values of a family of tests. Each takes p-values and keeps their order."""

from __future__ import annotations

from collections.abc import Sequence


def _check(p: Sequence[float]) -> int:
    if any(not 0.0 <= value <= 1.0 for value in p):
        raise ValueError("p-values lie between 0 and 1")
    return len(p)


def _ascending(p: Sequence[float]) -> list[int]:
    return sorted(range(len(p)), key=lambda i: p[i])


def bonferroni(p: Sequence[float]) -> tuple[float, ...]:
    """m p; controls the chance of any false alarm."""
    m = _check(p)
    return tuple(min(1.0, m * value) for value in p)


def holm(p: Sequence[float]) -> tuple[float, ...]:
    """Holm's step-down (1979): any dependence, uniformly better than Bonferroni."""
    m = _check(p)
    out, running = [0.0] * m, 0.0
    for step, i in enumerate(_ascending(p)):
        running = max(running, (m - step) * p[i])
        out[i] = min(1.0, running)
    return tuple(out)


def _simes(ordered: Sequence[float]) -> float:
    size = len(ordered)
    return min(size * value / (rank + 1) for rank, value in enumerate(ordered))


def hommel(p: Sequence[float]) -> tuple[float, ...]:
    """Hommel (1988): closed testing with Simes' test, for independent or positively dependent p.

    The worst intersection of size k that holds the i-th p takes, besides it, the largest p's.
    """
    m = _check(p)
    order = _ascending(p)
    ordered = [p[i] for i in order]
    out = [0.0] * m
    for position, i in enumerate(order):
        worst = ordered[position]
        for size in range(2, m + 1):
            others = ordered[m - size + 1 :]
            if position >= m - size + 1:
                others = ordered[m - size :]
                worst = max(worst, _simes(others))
            else:
                worst = max(worst, _simes([ordered[position], *others]))
        out[i] = min(1.0, worst)
    return tuple(out)


def _step_up(p: Sequence[float], factor: float) -> tuple[float, ...]:
    m = len(p)
    out, running = [0.0] * m, 1.0
    for step, i in enumerate(reversed(_ascending(p))):
        running = min(running, factor * p[i] * m / (m - step))
        out[i] = running
    return tuple(out)


def benjamini_hochberg(p: Sequence[float]) -> tuple[float, ...]:
    """Benjamini & Hochberg (1995): false discovery rate, for exploratory tables."""
    _check(p)
    return _step_up(p, 1.0)


def benjamini_yekutieli(p: Sequence[float]) -> tuple[float, ...]:
    """Benjamini & Yekutieli (2001): false discovery rate under any dependence."""
    m = _check(p)
    return _step_up(p, sum(1.0 / k for k in range(1, m + 1)))
