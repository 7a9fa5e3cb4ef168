"""How often, when and after what a card is exchanged, and whether it goes with winning.

The denominators come from replay: an *opportunity* is a turn in which exchanging was open to the
player. Nothing here shows that exchanging *causes* wins; the words are rate, ratio, association.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.stats import distributions as dist
from pipeline.stats import intervals
from pipeline.stats.choice import fit_choice
from pipeline.stats.errors import NotEnough, need
from pipeline.stats.intervals import Interval
from pipeline.stats.means import Mean


@dataclass(frozen=True, slots=True)
class Rate:
    """Events per opportunity, with Wilson's interval."""

    events: int
    opportunities: int
    rate: float
    interval: Interval


def rate(events: int, opportunities: int, level: float = 0.95) -> Rate:
    """Events over the turns in which they could have happened."""
    need("opportunities", 1, opportunities)
    return Rate(
        events,
        opportunities,
        events / opportunities,
        intervals.wilson(events, opportunities, level),
    )


@dataclass(frozen=True, slots=True)
class ExchangeRates:
    """The three rates that are printed beside each other; None where there was no such turn."""

    when_open: Rate | None
    """Exchanges per turn in which exchange was open."""
    chosen: Rate | None
    """Exchanges chosen per turn in which a placement was possible too."""
    forced: Rate | None
    """Forced exchanges per turn."""


def exchange_rates(
    exchanges: int, open_turns: int, chosen: int, choice_turns: int, forced: int, turns: int
) -> ExchangeRates:
    """Rates from counts of turns; ``turns`` are all turns of the cell."""
    if chosen + forced > exchanges:
        raise ValueError("chosen and forced exchanges are more than all exchanges")
    pairs = ((exchanges, open_turns), (chosen, choice_turns), (forced, turns))
    return ExchangeRates(*(rate(a, b) if b else None for a, b in pairs))


@dataclass(frozen=True, slots=True)
class HazardRow:
    """One turn (1-based) of a hazard table."""

    turn: int
    opportunities: int
    events: int
    hazard: float
    interval: Interval
    survival: float | None
    """Chance of no exchange up to and including this turn; only for first exchanges."""
    survival_interval: Interval | None
    """Greenwood's, on the scale log(-log); None while nothing or all has happened."""


def hazard_table(
    opportunities: Sequence[int],
    events: Sequence[int],
    first_exchange: bool,
    level: float = 0.95,
    first_turn: int = 1,
) -> tuple[HazardRow, ...]:
    """Hazard per turn: exchanges over players to whom exchange was open in that turn.

    ``first_exchange`` says that the counts are first exchanges out of players who had not
    exchanged before; only then does a survival column make sense (Kaplan & Meier 1958).
    Turns without an opportunity are left out.
    """
    z = dist.critical_z(level)
    survival, greenwood = 1.0, 0.0
    rows = []
    for step, (n, d) in enumerate(zip(opportunities, events, strict=True)):
        if n == 0 and d == 0:
            continue
        hazard = rate(d, n, level)
        survival *= 1.0 - hazard.rate
        greenwood += d / (n * (n - d)) if n > d else math.inf
        band = None
        if first_exchange and 0.0 < survival < 1.0:
            log_s = math.log(survival)
            half = z * math.sqrt(greenwood) / abs(log_s)
            band = Interval(survival ** math.exp(half), survival ** math.exp(-half))
        rows.append(
            HazardRow(
                first_turn + step,
                n,
                d,
                hazard.rate,
                hazard.interval,
                survival if first_exchange else None,
                band,
            )
        )
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class RateRatio:
    """Ratio of two rates."""

    rate_ratio: float
    p_exact: float
    interval: Interval
    log_se: float
    """sqrt(1/a + 1/b); infinite when one count is 0."""


def rate_ratio(events_a: int, exposure_a: float, events_b: int, exposure_b: float, level: float = 0.95) -> RateRatio:
    """Ratio of rate a to rate b, exact given the total number of events.

    Given a + b, a is binomial with probability r E_a / (r E_a + E_b) (Przyborowski & Wilenski
    1940); the interval is Clopper-Pearson's, turned into r. Exposure in turns.
    """
    if exposure_a <= 0 or exposure_b <= 0:
        raise NotEnough("needs turns in both groups, has none in one")
    total = events_a + events_b
    need("exchanges", 1, total)
    low, high = intervals.clopper_pearson(events_a, total, level)
    swap = exposure_b / exposure_a
    upper = math.inf if high >= 1.0 else high / (1.0 - high) * swap
    both = events_a > 0 and events_b > 0
    return RateRatio(
        rate_ratio=events_a / events_b * swap if events_b else math.inf,
        p_exact=dist.binomial_two_sided_p(events_a, total, exposure_a / (exposure_a + exposure_b)),
        interval=Interval(low / (1.0 - low) * swap, upper),
        log_se=math.sqrt(1.0 / events_a + 1.0 / events_b) if both else math.inf,
    )


@dataclass(frozen=True, slots=True)
class NaiveDifference:
    """Win share after exchanging minus without: descriptive, never to be read as an effect."""

    exchanged: Mean
    not_exchanged: Mean
    difference: float
    interval: Interval | None
    label: str = "descriptive"


def naive_difference(exchanged: Mean, not_exchanged: Mean, level: float = 0.95) -> NaiveDifference:
    """Plain difference of two mean win shares (Welch's interval).

    Trailing players exchange more, so this mixes what exchanging does with who does it.
    """
    gap = exchanged.mean - not_exchanged.mean
    parts = [m.standard_error**2 for m in (exchanged, not_exchanged)]
    interval = None
    if min(exchanged.n, not_exchanged.n) > 1 and sum(parts) > 0.0:
        freedom = sum(parts) ** 2 / (parts[0] ** 2 / (exchanged.n - 1) + parts[1] ** 2 / (not_exchanged.n - 1))
        half = dist.student_quantile(0.5 + level / 2.0, freedom) * math.sqrt(sum(parts))
        interval = Interval(gap - half, gap + half)
    return NaiveDifference(exchanged, not_exchanged, gap, interval)


@dataclass(frozen=True, slots=True)
class Association:
    """Odds ratio of winning for those who exchanged in a turn, against others in that turn."""

    odds_ratio: float
    interval: Interval
    p: float
    log_odds: float
    se: float
    strata: int
    """(game, turn) sets in which somebody won and the rows differ in number or kind."""
    games: int
    adjusted_for: tuple[str, ...]


def _strata(game: NDArray[Any], turn: NDArray[Any], did: NDArray[np.float64]) -> NDArray[np.int64]:
    """Number the (game, turn) pairs; somewhere one must have exchanged and another not."""
    pairs = np.stack([np.asarray(game), np.asarray(turn)], axis=1)
    stratum = np.unique(pairs, axis=0, return_inverse=True)[1].reshape(-1)
    exchanging, present = np.bincount(stratum, did), np.bincount(stratum)
    if not np.any((exchanging > 0) & (exchanging < present)):
        raise NotEnough("needs turns in which one player exchanged and another did not, has none")
    return stratum


def exchange_association(
    game: NDArray[Any],
    turn: NDArray[Any],
    exchanged: NDArray[Any],
    share: NDArray[Any],
    covariates: NDArray[Any] | None = None,
    names: Sequence[str] = (),
    level: float = 0.95,
) -> Association:
    """Conditional logit of winning in (game, turn) strata, clustered by game.

    One row per player-turn in which exchange was open: ``exchanged`` 0/1, ``share`` the player's
    win share of the game (0..1), ``covariates`` (rows, K) known *before* the decision (relative
    score, deficit, seat, hand). Matching on the game alone would make confounding worse.
    """
    need("player-turns", 1, len(game))
    did = np.asarray(exchanged, dtype=np.float64)
    extra = np.zeros(0) if covariates is None else np.asarray(covariates, np.float64)
    extra = extra.reshape(len(did), -1)
    if len(names) != extra.shape[1]:
        raise ValueError(f"{extra.shape[1]} covariates need as many names, not {len(names)}")
    stratum = _strata(game, turn, did)
    fit = fit_choice(stratum, share, np.concatenate([did[:, None], extra], axis=1), cluster=np.asarray(game))
    # Games are what varies: within a single one the spread between games is zero.
    need("games with such turns", 2, fit.clusters)
    log_odds, se = float(fit.beta[0]), float(fit.se_robust[0])
    z = dist.critical_z(level)
    band = Interval(math.exp(log_odds - z * se), math.exp(log_odds + z * se))
    return Association(
        math.exp(log_odds),
        band,
        dist.normal_two_sided_p(log_odds / se),
        log_odds,
        se,
        fit.strata,
        fit.clusters,
        tuple(names),
    )
