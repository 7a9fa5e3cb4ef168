"""Conditional logit, the core: one fractional choice per stratum, by Newton's method.

Within a stratum (a game, a turn of a game, a stage of a ranking) the rows compete for one win::

    log-likelihood = sum over strata of  sum_i y_i eta_i - (sum_i y_i) log sum_i exp(eta_i)

with ``eta = x @ beta + effect[player]``. Shares ``y`` may be fractions (Papke & Wooldridge 1996:
a quasi-likelihood, valid with sandwich standard errors). Player effects, if any, carry a normal
prior of mean 0 (a ridge) and are found together with beta. Nothing of the size players x players
is ever formed: Newton's steps and the covariance are solved by preconditioned conjugate gradients.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.stats.arrays import FloatArray, IntArray
from pipeline.stats.errors import NotEnough, need

PRIOR_SD = 3.0
UNBOUNDED = 15.0
"""A log odds beyond which an effect is taken to have no finite estimate."""


@dataclass(frozen=True, slots=True)
class ChoiceFit:
    """A fitted conditional logit with K coefficients."""

    beta: FloatArray
    """(K,) log odds."""
    covariance: FloatArray
    """(K, K), inverse information."""
    covariance_robust: FloatArray
    """(K, K), sandwich by cluster without small-sample factor (HC0)."""
    player_effects: FloatArray
    """(players,) log odds, shrunken; empty without players."""
    loglik: float
    """Quasi log-likelihood, without the prior."""
    loglik_null: float
    """The same with all rows of a stratum alike."""
    strata: int
    """Strata that tell anything: more than one row, and a share to give."""
    clusters: int
    iterations: int

    @property
    def se(self) -> FloatArray:
        """Model standard errors (K,)."""
        out: FloatArray = np.sqrt(np.diag(self.covariance))
        return out

    @property
    def se_robust(self) -> FloatArray:
        """Cluster-robust standard errors (K,)."""
        out: FloatArray = np.sqrt(np.diag(self.covariance_robust))
        return out


@dataclass(frozen=True, slots=True)
class _Problem:
    """Rows sorted by stratum, with what every step needs."""

    y: FloatArray
    x: FloatArray
    player: IntArray
    """Row -> player, or the extra last player for rows without one."""
    players: int
    starts: IntArray
    stratum: IntArray
    weight: FloatArray
    """Per row: the weight of its stratum."""
    total: FloatArray
    """Per stratum: the sum of its shares."""
    precision: float

    def sums(self, values: FloatArray) -> FloatArray:
        """Sum per stratum."""
        out: FloatArray = np.add.reduceat(values, self.starts)
        return out

    def predictor(self, theta: FloatArray) -> FloatArray:
        """eta (rows,) of coefficients and player effects stacked in ``theta``."""
        k = self.x.shape[1]
        eta: FloatArray = self.x @ theta[:k]
        if self.players:
            eta = eta + np.append(theta[k:], 0.0)[self.player]
        return eta

    def transposed(self, rows: FloatArray) -> FloatArray:
        """Design transposed times a value per row: (K + players,)."""
        fixed: FloatArray = self.x.T @ rows
        if not self.players:
            return fixed
        own = np.bincount(self.player, rows, minlength=self.players + 1)[: self.players]
        return np.concatenate([fixed, own]).astype(np.float64, copy=False)

    def penalty(self, theta: FloatArray) -> FloatArray:
        """Gradient of the prior: effect / variance, 0 for the coefficients."""
        out = self.precision * theta
        out[: self.x.shape[1]] = 0.0
        return out


def _log_likelihood(problem: _Problem, theta: FloatArray) -> tuple[float, FloatArray]:
    """Quasi log-likelihood without the prior, and the probability of each row."""
    eta = problem.predictor(theta)
    top = np.maximum.reduceat(eta, problem.starts)
    raised = np.exp(eta - top[problem.stratum])
    norm = problem.sums(raised)
    logs = np.log(norm) + top
    weight = problem.weight[problem.starts]
    value = float(problem.weight @ (problem.y * eta) - weight @ (problem.total * logs))
    return value, raised / norm[problem.stratum]


def _penalised(problem: _Problem, theta: FloatArray) -> tuple[float, float, FloatArray]:
    value, probability = _log_likelihood(problem, theta)
    return value, value - 0.5 * float(theta @ problem.penalty(theta)), probability


class _Information:
    """Minus the second derivative at one set of probabilities, as an operator."""

    def __init__(self, problem: _Problem, probability: FloatArray) -> None:
        self.problem, self.probability = problem, probability
        self.mass = problem.weight * problem.total[problem.stratum] * probability
        weighted = problem.x * probability[:, None]
        means = np.add.reduceat(weighted, problem.starts, axis=0)[problem.stratum]
        centred = problem.x - means
        weights: FloatArray = problem.x * self.mass[:, None]
        self.block: FloatArray = (weights.T @ centred).astype(np.float64, copy=False)
        spread = self.mass * (1.0 - probability)
        own = np.bincount(problem.player, spread, minlength=problem.players + 1)
        self.diagonal: FloatArray = own[: problem.players] + np.float64(problem.precision)

    def times(self, v: FloatArray) -> FloatArray:
        """Information times a vector."""
        p = self.problem
        eta = p.predictor(v)
        mean = p.sums(self.probability * eta)[p.stratum]
        return p.transposed(self.mass * (eta - mean)) + p.penalty(v)

    def roughly_solve(self, v: FloatArray) -> FloatArray:
        """The preconditioner: exact for the coefficients alone, diagonal for players."""
        k = len(self.block)
        return np.concatenate([np.linalg.solve(self.block, v[:k]), v[k:] / self.diagonal])

    def solve(self, target: FloatArray, tolerance: float) -> FloatArray:
        """Conjugate gradients until the residual shrinks by ``tolerance``."""
        out: FloatArray = np.zeros_like(target)
        residual: FloatArray = target.copy()
        step: FloatArray = self.roughly_solve(residual)
        direction: FloatArray = step
        rho = first = float(residual @ step)
        for _ in range(10 * len(target) + 20):
            if rho <= tolerance * tolerance * first or rho <= 0.0:
                break
            image = self.times(direction)
            length = rho / float(direction @ image)
            out = out + length * direction
            residual = residual - length * image
            step = self.roughly_solve(residual)
            rho, before = float(residual @ step), rho
            direction = step + (rho / before) * direction
        return out


def _newton(problem: _Problem, tolerance: float) -> tuple[FloatArray, FloatArray, int]:
    """Maximise the penalised likelihood; returns theta, probabilities and the steps taken."""
    theta = np.zeros(problem.x.shape[1] + problem.players)
    _, value, probability = _penalised(problem, theta)
    _check_rank(problem, probability)
    size = _sizes(problem.x)
    for iteration in range(1, 101):
        residual = problem.weight * (problem.y - problem.total[problem.stratum] * probability)
        gradient = problem.transposed(residual) - problem.penalty(theta)
        step = _Information(problem, probability).solve(gradient, 1e-8)
        decrement = float(gradient @ step)
        if decrement <= tolerance * (1.0 + abs(value)):
            return theta + step, _log_likelihood(problem, theta + step)[1], iteration
        length = 1.0
        while length > 1e-8:
            trial = theta + length * step
            _, fresh, trial_probability = _penalised(problem, trial)
            if fresh >= value + 1e-4 * length * decrement:
                break
            length /= 2.0
        theta, value, probability = trial, fresh, trial_probability
        if np.any(np.abs(theta[: problem.x.shape[1]]) * size > UNBOUNDED):
            break
    raise NotEnough("needs games in which every effect is tried both ways; one has no finite estimate")


def _sizes(x: FloatArray) -> FloatArray:
    """Root mean square of the values other than 0 in each column."""
    out: FloatArray = np.sqrt((x**2).sum(axis=0) / np.maximum(1, np.count_nonzero(x, axis=0)))
    return out


def _check_rank(problem: _Problem, probability: FloatArray) -> None:
    """Raise when a coefficient cannot be told from the others."""
    block = _Information(problem, probability).block
    scale = np.sqrt(np.maximum(np.diag(block), 1e-300))
    if np.linalg.matrix_rank(block / np.outer(scale, scale), tol=1e-10) < len(block):
        raise NotEnough("needs games in which the effects vary independently of each other")


def _covariances(
    problem: _Problem, probability: FloatArray, cluster: IntArray | None
) -> tuple[FloatArray, FloatArray, int]:
    """Model and sandwich covariance of the coefficients, and the number of clusters."""
    k = problem.x.shape[1]
    information = _Information(problem, probability)
    bread = np.array([information.solve(row, 1e-11) for row in np.eye(k, k + problem.players)])
    residual = problem.y - problem.total[problem.stratum] * probability
    influence = np.stack([problem.predictor(row) * residual for row in bread], axis=1)
    if cluster is None:
        scores = np.add.reduceat(influence, problem.starts, axis=0)
        meat = (scores * problem.weight[problem.starts][:, None]).T @ scores
        groups = len(problem.starts)
    else:
        groups = int(cluster.max()) + 1
        scores = np.stack([np.bincount(cluster, column, groups) for column in influence.T], 1)
        meat = scores.T @ scores
    model = bread[:, :k]
    return (model + model.T) / 2.0, meat, groups


def _codes(labels: NDArray[Any]) -> IntArray:
    return np.unique(labels, return_inverse=True)[1].reshape(-1).astype(np.int64)


def _informative(stratum: IntArray, share: FloatArray) -> NDArray[np.bool_]:
    """Rows of strata that have two rows and a share to give."""
    sizes = np.bincount(stratum)
    return (sizes[stratum] > 1) & (np.bincount(stratum, share)[stratum] > 0.0)


def _problem(
    stratum: NDArray[Any],
    share: NDArray[Any],
    x: NDArray[Any],
    weight: NDArray[Any] | None,
    player: NDArray[Any] | None,
    prior_sd: float,
) -> tuple[_Problem, IntArray]:
    """Sort the rows that tell something by stratum; also returns which rows those are."""
    order = np.argsort(stratum, kind="stable")
    codes = _codes(np.asarray(stratum))[order]
    y = np.asarray(share, dtype=np.float64)[order]
    keep = _informative(codes, y) if len(codes) else np.zeros(0, dtype=bool)
    order, codes, y = order[keep], _codes(codes[keep]), y[keep]
    need("games that tell something", 1, len(order))
    who = np.full(len(order), -1) if player is None else np.asarray(player, dtype=np.int64)[order]
    players = int(who.max()) + 1
    starts = np.flatnonzero(np.diff(codes, prepend=-1))
    problem = _Problem(
        y=y,
        x=np.asarray(x, dtype=np.float64).reshape(len(stratum), -1)[order],
        player=np.where(who < 0, players, who),
        players=players,
        starts=starts,
        stratum=codes,
        weight=np.ones(len(order)) if weight is None else np.asarray(weight, np.float64)[order],
        total=np.add.reduceat(y, starts),
        precision=1.0 / prior_sd**2,
    )
    return problem, order


def fit_choice(
    stratum: NDArray[Any],
    share: NDArray[Any],
    x: NDArray[Any],
    *,
    weight: NDArray[Any] | None = None,
    player: NDArray[Any] | None = None,
    prior_sd: float = PRIOR_SD,
    cluster: NDArray[Any] | None = None,
    tolerance: float = 1e-14,
) -> ChoiceFit:
    """Fit a conditional logit. All arrays are per row, in any order.

    ``stratum``: (rows,) labels of the choice sets; ``share``: (rows,) what each row won, 0..1;
    ``x``: (rows, K); ``weight``: (rows,) how many equal strata the row's stratum stands for;
    ``player``: (rows,) whole numbers 0.., negative where unknown (effect 0); ``cluster``:
    (rows,) labels for the sandwich, by default the stratum, and not together with ``weight``.
    Strata that cannot tell anything are dropped. Raises NotEnough when an effect has no finite
    estimate or cannot be told from another.
    """
    if weight is not None and cluster is not None:
        raise ValueError("counted strata cannot be clustered")
    problem, order = _problem(stratum, share, x, weight, player, prior_sd)
    theta, probability, iterations = _newton(problem, tolerance)
    groups = None if cluster is None else _codes(np.asarray(cluster)[order])
    model, robust, clusters = _covariances(problem, probability, groups)
    k = problem.x.shape[1]
    return ChoiceFit(
        beta=theta[:k],
        covariance=model,
        covariance_robust=robust,
        player_effects=theta[k:],
        loglik=_log_likelihood(problem, theta)[0],
        loglik_null=_log_likelihood(problem, np.zeros_like(theta))[0],
        strata=len(problem.starts),
        clusters=clusters,
        iterations=iterations,
    )
