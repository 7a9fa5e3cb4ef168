"""Skill against luck: how much of the differences between players is more than chance."""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from pipeline.stats import distributions as dist
from pipeline.stats.arrays import FloatArray
from pipeline.stats.errors import NotEnough, need
from pipeline.stats.intervals import Interval
from pipeline.stats.means import Mean, mean_of

Model = Literal["plackett_luce", "bradley_terry_full"]
_MODELS = {"plackett_luce": "PlackettLuce", "bradley_terry_full": "BradleyTerryFull"}

Rating = tuple[float, float]
"""Mean and standard deviation of a player's strength."""


@dataclass(frozen=True, slots=True)
class VarianceSplit:
    """Observed variance of win rates over players = skill + luck (true-score theory)."""

    players: int
    mean: float
    var_observed: float
    var_luck: float
    var_skill: float
    """Not below 0."""
    reliability: float
    """var_skill / var_observed: how much of a difference seen would be seen again."""
    reliability_interval: Interval
    """From the chi-square distribution of the observed variance (normal players)."""
    games_for_half: float | None
    """Games per player at which the reliability is 1/2; None without any skill variance."""


def variance_split(wins: Sequence[float], games: Sequence[int], level: float = 0.95) -> VarianceSplit:
    """Split the variance of win rates into skill and luck.

    ``wins``, ``games``: (players,) win shares added up, and games played. Luck is binomial at
    the players' common mean rate; the players should be many and the games per player alike.
    """
    need("players", 2, len(wins))
    need("games per player", 1, min(games))
    m = np.asarray(games, dtype=np.float64)
    rates = np.asarray(wins, dtype=np.float64) / m
    mean = float(sum(wins) / m.sum())
    observed = float(rates.var(ddof=1))
    each = mean * (1.0 - mean)
    luck = each * float((1.0 / m).mean())
    if observed <= 0.0 or each <= 0.0:
        raise NotEnough("needs players whose win rates differ, has all alike")
    skill = max(0.0, observed - luck)
    df, tail = len(wins) - 1, (1.0 - level) / 2.0
    ends = [max(0.0, 1.0 - luck / (observed * df / dist.chi2_quantile(q, df))) for q in (1.0 - tail, tail)]
    return VarianceSplit(
        len(wins),
        mean,
        observed,
        luck,
        skill,
        skill / observed,
        Interval(ends[0], ends[1]),
        each / skill if skill > 0.0 else None,
    )


@dataclass(frozen=True, slots=True)
class ForecastScores:
    """Mean scores of probability forecasts; lower is better except for the skill score."""

    games: int
    brier: float
    """Sum over seats of (p - won)^2."""
    log_loss: float
    """Minus the log of the winner's probability, nats."""
    log_loss_uniform: float
    skill_score: float
    """1 - log_loss / log_loss_uniform: 0 knows nothing, 1 knows all, below 0 misleads."""


def forecast_scores(probabilities: FloatArray, shares: FloatArray) -> ForecastScores:
    """Score forecasts (games, seats) against win shares (games, seats), each row summing to 1."""
    p, won = np.asarray(probabilities, np.float64), np.asarray(shares, np.float64)
    need("games", 1, len(p))
    with np.errstate(divide="ignore"):
        losses = -(won * np.log(np.where(won > 0.0, p, 1.0))).sum(axis=1)
    loss, uniform = float(losses.mean()), math.log(p.shape[1])
    brier = float(((p - won) ** 2).sum(axis=1).mean())
    return ForecastScores(len(p), brier, loss, uniform, 1.0 - loss / uniform)


def one_hot(winners: Sequence[int], seats: int) -> FloatArray:
    """Win shares (games, seats) of games with one winner each, 0-based."""
    out: FloatArray = np.eye(seats)[np.asarray(winners, dtype=np.int64)]
    return out


def _model(name: Model) -> Any:
    return getattr(importlib.import_module("openskill.models"), _MODELS[name])()


def _teams(model: Any, ratings: Sequence[Rating]) -> list[list[Any]]:
    return [[model.rating(mu=mu, sigma=sigma)] for mu, sigma in ratings]


def fresh_rating(model: Model = "plackett_luce") -> Rating:
    """The rating of a player of whom nothing is known."""
    rating = _model(model).rating()
    return rating.mu, rating.sigma


def rate_game(ratings: Sequence[Rating], ranks: Sequence[int], model: Model = "plackett_luce") -> tuple[Rating, ...]:
    """Ratings after one game; ranks as 1, 2, 2, 4 (Weng & Lin 2011, via openskill)."""
    engine = _model(model)
    rated = engine.rate(_teams(engine, ratings), ranks=list(ranks))
    return tuple((r.mu, r.sigma) for (r,) in rated)


def predict_win(ratings: Sequence[Rating], model: Model = "plackett_luce") -> tuple[float, ...]:
    """Win probability of each player."""
    engine = _model(model)
    return tuple(float(p) for p in engine.predict_win(_teams(engine, ratings)))


Game = tuple[Sequence[int], Sequence[int]]
"""Players by seat, and their ranks (1 best, ties share a rank)."""


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Forecasts of games made before they were rated, against guessing 1/n."""

    games: int
    left_out: int
    """Games with a player who had too few games behind them."""
    log_loss: float
    log_loss_uniform: float
    gain: Mean
    """Uniform minus forecast loss per game, nats: above 0, ratings tell something."""
    skill_score: float
    ratings: dict[int, Rating]


def held_out_log_loss(games: Iterable[Game], least_games: int = 5, model: Model = "plackett_luce") -> HeldOut:
    """Rate games in order of play, each forecast from the games before it only.

    Games count once all their players have ``least_games`` behind them; a shared first place
    is a shared win.
    """
    engine = _model(model)
    ratings: dict[int, Any] = {}
    played: dict[int, int] = {}
    losses, uniform, left_out = [], [], 0
    for players, ranks in games:
        teams = [[ratings.setdefault(p, engine.rating())] for p in players]
        if min(played.get(p, 0) for p in players) >= least_games:
            chances = engine.predict_win(teams)
            winners = [s for s, rank in enumerate(ranks) if rank == min(ranks)]
            losses.append(-sum(math.log(max(1e-12, chances[s])) for s in winners) / len(winners))
            uniform.append(math.log(len(players)))
        else:
            left_out += 1
        for p, (rating,) in zip(players, engine.rate(teams, ranks=list(ranks)), strict=True):
            ratings[p] = rating
            played[p] = played.get(p, 0) + 1
    need(f"games of players with {least_games} games behind them", 1, len(losses))
    loss, base = math.fsum(losses) / len(losses), math.fsum(uniform) / len(uniform)
    gain = mean_of(np.array(uniform) - np.array(losses))
    final = {p: (float(r.mu), float(r.sigma)) for p, r in ratings.items()}
    return HeldOut(len(losses), left_out, loss, base, gain, 1.0 - loss / base, final)
