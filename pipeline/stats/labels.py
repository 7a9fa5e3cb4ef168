"""Label permutation: would the variants differ as much if their labels were dealt at random?"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.stats import distributions as dist
from pipeline.stats.arrays import FloatArray, IntArray
from pipeline.stats.errors import NotEnough, need
from pipeline.stats.means import Mean, mean_of

RESAMPLES = 9_999
WORK = 20_000_000
"""Random numbers that a permutation test may draw before the normal limit takes over."""


@dataclass(frozen=True, slots=True)
class LabelTest:
    """Difference of means on - off within strata, combined with weights n1 n0/(n1+n0)."""

    difference: float
    strata: dict[Any, float]
    """Difference within each stratum that has games on both sides."""
    games: int
    units: int
    """Games, or sessions when labels were permuted by session."""
    z: float
    """The difference over its permutation standard deviation (exact moments)."""
    p: float
    method: str


def _codes(labels: NDArray[Any]) -> tuple[NDArray[Any], IntArray]:
    names, codes = np.unique(labels, return_inverse=True)
    return names, codes.reshape(-1).astype(np.int64)


def _blocks(stratum: IntArray, unit: IntArray, units: int) -> IntArray:
    """Units may swap labels when they were played in the same set of strata."""
    strata = int(stratum.max()) + 1
    present = np.zeros((units, strata), dtype=np.int8)
    present[unit, stratum] = 1
    return np.unique(present, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)


def _unit_labels(on: NDArray[np.bool_], unit: IntArray, units: int) -> NDArray[np.bool_]:
    sizes = np.bincount(unit, minlength=units)
    marked = np.bincount(unit, on, minlength=units)
    if np.any((marked > 0) & (marked < sizes)):
        raise NotEnough("needs sessions that played one variant only; one played both: permute by game")
    return marked > 0


def _drawn(scores: FloatArray, chosen: int, rng: np.random.Generator, resamples: int) -> FloatArray:
    """Sums of ``chosen`` of the scores picked at random, (resamples,)."""
    out = np.empty(resamples)
    chunk = max(1, 2_000_000 // len(scores))
    for start in range(0, resamples, chunk):
        size = min(chunk, resamples - start)
        keys = rng.random((size, len(scores)))
        picked = np.argpartition(keys, chosen - 1, axis=1)[:, :chosen]
        out[start : start + size] = scores[picked].sum(axis=1)
    return out


def _differences(
    data: FloatArray, marked: NDArray[np.bool_], codes: IntArray, names: NDArray[Any]
) -> tuple[dict[Any, float], float, float]:
    """Difference per stratum, their weighted mean, and the sum of the weights."""
    n1, n0 = np.bincount(codes, marked), np.bincount(codes, ~marked)
    sum1, sum0 = np.bincount(codes, data * marked), np.bincount(codes, data * ~marked)
    both = (n1 > 0) & (n0 > 0)
    if not both.any():
        raise NotEnough("needs games with and without the variant at one player count")
    gap = sum1[both] / n1[both] - sum0[both] / n0[both]
    weight = n1[both] * n0[both] / (n1[both] + n0[both])
    found = {k: float(v) for k, v in zip(names[both].tolist(), gap, strict=True)}
    return found, float(weight @ gap / weight.sum()), float(weight.sum())


@dataclass(frozen=True, slots=True)
class _Deal:
    """Units with their scores, labels and the block within which labels are dealt."""

    score: FloatArray
    label: NDArray[np.bool_]
    block: IntArray
    live: NDArray[np.bool_]
    """Units of blocks that hold both labels."""
    observed: float
    sd: float


def _deal(data: FloatArray, marked: NDArray[np.bool_], codes: IntArray, unit: IntArray, by_game: bool) -> _Deal:
    """Sum each unit's values minus the stratum's mean, centred within blocks."""
    units = int(unit.max()) + 1
    label = _unit_labels(marked, unit, units)
    means = np.bincount(codes, data) / np.bincount(codes)
    moved: FloatArray = data - means[codes]
    total = np.bincount(unit, moved, minlength=units).astype(np.float64)
    block = codes if by_game else _blocks(codes, unit, units)
    sizes, picks = np.bincount(block), np.bincount(block, label).astype(np.int64)
    score: FloatArray = total - (np.bincount(block, total) / sizes)[block]
    live = (picks > 0) & (picks < sizes)
    share = picks[live] * (sizes - picks)[live] / (sizes[live] * (sizes[live] - 1.0))
    variance = float(share @ np.bincount(block, score**2)[live])
    if variance <= 1e-24 * float(data @ data):
        raise NotEnough("needs values that vary and labels that can be swapped")
    observed = float(score[label & live[block]].sum())
    return _Deal(score, label, block, live[block], observed, math.sqrt(variance))


def label_test(
    values: NDArray[Any],
    on: NDArray[Any],
    stratum: NDArray[Any],
    seed: int,
    session: NDArray[Any] | None = None,
    resamples: int = RESAMPLES,
) -> LabelTest:
    """Stratified permutation test of a difference of means.

    ``values``: (games,) e.g. length in turns; ``on``: (games,) variant on, 0/1; ``stratum``:
    (games,) player count; ``session``: (games,) permute whole sessions instead of games. The
    statistic is the sum over "on" units of values minus the stratum's mean; units swap labels
    only with units of the same strata. Monte Carlo p is (1 + hits)/(1 + resamples); with very
    many units the normal limit of the permutation distribution is used (Strasser & Weber 1999).
    """
    data, marked = np.asarray(values, dtype=np.float64), np.asarray(on).astype(bool)
    need("games", 2, len(data))
    names, codes = _codes(np.asarray(stratum))
    strata, difference, _ = _differences(data, marked, codes, names)
    unit: IntArray = np.arange(len(data))
    if session is not None:
        unit = _codes(np.asarray(session))[1]
    deal = _deal(data, marked, codes, unit, by_game=session is None)
    z = deal.observed / deal.sd
    shown = LabelTest(difference, strata, len(data), len(deal.label), z, 0.0, "")
    if int(deal.live.sum()) * resamples > WORK:
        normal = "normal limit of the permutation distribution"
        return replace(shown, p=dist.normal_two_sided_p(z), method=normal)
    rng = np.random.default_rng(seed)
    sums = np.zeros(resamples)
    for b in np.unique(deal.block[deal.live]):
        mine = deal.block == b
        sums += _drawn(deal.score[mine], int(deal.label[mine].sum()), rng, resamples)
    hits = int(np.count_nonzero(np.abs(sums) >= abs(deal.observed) * (1 - 1e-12) - 1e-12))
    method = f"Monte Carlo, {resamples:,} resamples, seed {seed}"
    return replace(shown, p=(1 + hits) / (1 + resamples), method=method)


@dataclass(frozen=True, slots=True)
class PairedTest:
    """Mean of on - off over games that were simulated from the same seed."""

    difference: Mean
    p: float
    method: str


def paired_test(on: NDArray[Any], off: NDArray[Any], seed: int, resamples: int = RESAMPLES) -> PairedTest:
    """Paired difference of means with t interval and sign-flip permutation p.

    ``on``, ``off``: (pairs,). All sign patterns are tried for up to 13 pairs, Monte Carlo else,
    and the normal limit when there are very many pairs.
    """
    gap = np.asarray(on, dtype=np.float64) - np.asarray(off, dtype=np.float64)
    mean = mean_of(gap)
    moved = gap[gap != 0.0]
    if not len(moved):
        return PairedTest(mean, 1.0, "all pairs equal")
    observed = abs(float(moved.sum()))
    limit = observed * (1 - 1e-12)
    if len(moved) <= 13:
        grid = np.arange(2 ** len(moved))[:, None] >> np.arange(len(moved)) & 1
        sums = np.abs((2 * grid - 1) @ moved)
        return PairedTest(mean, float((sums >= limit).mean()), "exact")
    if len(moved) * resamples > WORK:
        z = observed / math.sqrt(float(moved @ moved))
        return PairedTest(mean, dist.normal_two_sided_p(z), "normal limit")
    rng = np.random.default_rng(seed)
    hits = 0
    chunk = max(1, 2_000_000 // len(moved))
    for start in range(0, resamples, chunk):
        size = min(chunk, resamples - start)
        signs = rng.integers(0, 2, (size, len(moved)), dtype=np.int8) * 2 - 1
        hits += int(np.count_nonzero(np.abs(signs @ moved) >= limit))
    method = f"Monte Carlo, {resamples:,} resamples, seed {seed}"
    return PairedTest(mean, (1 + hits) / (1 + resamples), method)
