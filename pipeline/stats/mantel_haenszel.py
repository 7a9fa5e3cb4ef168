"""Effects of a yes/no variant on a yes/no outcome, combined over player counts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pipeline.stats import distributions as dist
from pipeline.stats.errors import NotEnough, need
from pipeline.stats.intervals import Interval


class Stratum(NamedTuple):
    """Events and games with the variant on and off, within one player count."""

    on_events: float
    on_games: float
    off_events: float
    off_games: float


@dataclass(frozen=True, slots=True)
class MantelHaenszel:
    """Combined effect and tests. Odds figures are None where the odds ratio is not defined."""

    strata: int
    games: int
    risk_difference: float
    risk_difference_interval: Interval
    odds_ratio: float | None
    odds_ratio_interval: Interval | None
    cmh: float
    """Cochran-Mantel-Haenszel chi-square, one df, no continuity correction."""
    cmh_p: float
    breslow_day: float | None
    """Are the strata's odds ratios alike? None with one stratum or no odds ratio."""
    breslow_day_p: float | None


def _risk_difference(strata: Sequence[Stratum], z: float) -> tuple[float, Interval]:
    """Mantel-Haenszel risk difference with Sato's (1989) variance."""
    weights, parts, p, q = 0.0, 0.0, 0.0, 0.0
    for a, n1, c, n0 in strata:
        total = n1 + n0
        weights += n1 * n0 / total
        parts += (a * n0 - c * n1) / total
        p += (n1**2 * c - n0**2 * a + n1 * n0 * (n0 - n1) / 2.0) / total**2
        q += (a * (n0 - c) + c * (n1 - a)) / (2.0 * total)
    effect = parts / weights
    half = z * math.sqrt(max(0.0, effect * p + q)) / weights
    return effect, Interval(effect - half, effect + half)


def _odds_ratio(strata: Sequence[Stratum], z: float) -> tuple[float, Interval] | None:
    """Mantel-Haenszel odds ratio with the variance of Robins, Breslow & Greenland (1986)."""
    r, s, pr, ps_qr, qs = 0.0, 0.0, 0.0, 0.0, 0.0
    for a, n1, c, n0 in strata:
        total, b, d = n1 + n0, n1 - a, n0 - c
        rk, sk, pk, qk = a * d / total, b * c / total, (a + d) / total, (b + c) / total
        r, s = r + rk, s + sk
        pr, ps_qr, qs = pr + pk * rk, ps_qr + pk * sk + qk * rk, qs + qk * sk
    if r <= 0.0 or s <= 0.0:
        return None
    variance = pr / (2.0 * r * r) + ps_qr / (2.0 * r * s) + qs / (2.0 * s * s)
    ratio, spread = r / s, math.exp(z * math.sqrt(variance))
    return ratio, Interval(ratio / spread, ratio * spread)


def _cmh(strata: Sequence[Stratum]) -> float | None:
    excess, variance = 0.0, 0.0
    for a, n1, c, n0 in strata:
        total, events = n1 + n0, a + c
        excess += a - n1 * events / total
        if total > 1:
            variance += n1 * n0 * events * (total - events) / (total**2 * (total - 1))
    return excess**2 / variance if variance > 0 else None


def _expected_events(row: Stratum, ratio: float) -> float:
    """Events with the variant on that give this odds ratio at the stratum's margins."""
    a, n1, c, n0 = row
    events = a + c
    if abs(ratio - 1.0) < 1e-12:
        return n1 * events / (n1 + n0)
    qa = 1.0 - ratio
    qb = n0 - events + ratio * (n1 + events)
    qc = -ratio * n1 * events
    root = math.sqrt(max(0.0, qb * qb - 4.0 * qa * qc))
    return -2.0 * qc / (qb + root)


def _breslow_day(strata: Sequence[Stratum], ratio: float) -> tuple[float, int]:
    """Breslow & Day's (1980) homogeneity chi-square and its strata, without Tarone's term."""
    statistic, used = 0.0, 0
    for row in strata:
        a, n1, c, n0 = row
        if not 0 < a + c < n1 + n0:
            continue
        e = _expected_events(row, ratio)
        variance = 1.0 / (1 / e + 1 / (n1 - e) + 1 / (a + c - e) + 1 / (n0 - a - c + e))
        statistic += (a - e) ** 2 / variance
        used += 1
    return statistic, used


def mantel_haenszel(strata: Sequence[Stratum], level: float = 0.95) -> MantelHaenszel:
    """Risk difference, odds ratio, CMH test and Breslow-Day test over player counts.

    Strata without games on one of the sides are left out.
    """
    for a, n1, c, n0 in strata:
        if not (0 <= a <= n1 and 0 <= c <= n0):
            raise ValueError("events do not fit into their games")
    used = [row for row in strata if row.on_games > 0 and row.off_games > 0]
    need("player counts with games on both sides", 1, len(used))
    cmh = _cmh(used)
    if cmh is None:
        raise NotEnough("needs an outcome that differs between games, has none")
    z = dist.critical_z(level)
    difference, band = _risk_difference(used, z)
    odds = _odds_ratio(used, z)
    day, day_p = None, None
    if odds is not None:
        statistic, count = _breslow_day(used, odds[0])
        if count > 1:
            day, day_p = statistic, dist.chi2_sf(statistic, count - 1)
    return MantelHaenszel(
        strata=len(used),
        games=int(sum(row.on_games + row.off_games for row in used)),
        risk_difference=difference,
        risk_difference_interval=band,
        odds_ratio=odds[0] if odds else None,
        odds_ratio_interval=odds[1] if odds else None,
        cmh=cmh,
        cmh_p=dist.chi2_sf(cmh, 1),
        breslow_day=day,
        breslow_day_p=day_p,
    )
