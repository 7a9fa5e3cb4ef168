"""How a game runs: who leads, how often that changes, when it is decided.

A trajectory is an array (checkpoints, seats) of scores, checkpoint 0 being the start. The metrics
are worked out for many games at once from a padded array; one game is a batch of one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.stats.arrays import BoolArray, FloatArray, IntArray
from pipeline.stats.errors import NotEnough, need

PHASES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


@dataclass(frozen=True, slots=True)
class Dynamics:
    """Metrics of G games; every field is an array with one entry (or row) a game."""

    lead_changes_strict: IntArray
    """A single leader other than the last single leader; ties in between are skipped."""
    leader_set_changes: IntArray
    """Checkpoints whose set of leaders differs from the one before."""
    leader_set_changes_per_step: FloatArray
    winner_max_deficit: FloatArray
    """The largest gap of leader to winner, points; joint winners averaged per checkpoint."""
    share_checkpoints_winner_behind: FloatArray
    drama_mean_deficit: FloatArray
    """The winner's gap averaged over all checkpoints, points."""
    drama_browne_sqrt_over_behind: FloatArray
    """Mean square root of the gap over checkpoints where the winner is behind (Browne 2009)."""
    clinch_index: IntArray
    """First checkpoint from which all winners stay among the leaders; -1 if they do not."""
    clinch_fraction: FloatArray
    """clinch_index over the last checkpoint; NaN where clinch_index is -1."""
    permanence_1_minus_clinch: FloatArray
    time_in_lead_share: FloatArray
    """(G, seats) share of checkpoints in the lead, 1/k for k joint leaders."""
    final_margin_1st_2nd: FloatArray
    relative_margin: FloatArray
    """Margin over the best score; NaN where the best score is not above 0."""
    final_range: FloatArray
    final_sd_pop: FloatArray
    final_mean_abs_dev: FloatArray
    midgame_checkpoint: IntArray
    comeback_from_mid: BoolArray
    """No winner among the leaders at midgame."""
    shared_win: BoolArray
    winner_deficit: FloatArray
    """(G, checkpoints) the winner's gap at each checkpoint, NaN after the end."""


@dataclass(frozen=True, slots=True)
class _Batch:
    scores: FloatArray
    lengths: IntArray
    winners: BoolArray
    inside: BoolArray
    """(G, C) checkpoints that exist."""
    leaders: BoolArray
    """(G, C, S)."""
    deficit: FloatArray
    """(G, C), 0 after the end."""


def _batch(scores: NDArray[Any], winners: NDArray[Any], lengths: NDArray[Any] | None) -> _Batch:
    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 3:
        raise ValueError("needs scores of games x checkpoints x seats")
    won = np.asarray(winners).astype(bool)
    if won.shape != (table.shape[0], table.shape[2]):
        raise ValueError("needs winners of games x seats")
    size = table.shape[1]
    ends = np.full(len(table), size) if lengths is None else np.asarray(lengths, dtype=np.int64)
    need("games", 1, len(table))
    if ends.min() < 2 or ends.max() > size:
        raise NotEnough("needs 2 checkpoints in each game")
    if not won.any(axis=1).all():
        raise NotEnough("needs a winner in each game")
    inside = np.arange(size) < ends[:, None]
    top = table.max(axis=2, keepdims=True)
    gap = ((top - table) * won[:, None, :]).sum(axis=2) / won.sum(axis=1)[:, None]
    leaders = (table == top) & inside[:, :, None]
    return _Batch(table, ends, won, inside, leaders, np.where(inside, gap, 0.0))


def _strict_changes(batch: _Batch) -> IntArray:
    """Count single leaders that differ from the previous single leader."""
    single = batch.leaders.sum(axis=2) == 1
    seat = batch.leaders.argmax(axis=2)
    place = np.where(single, np.arange(single.shape[1]), -1)
    latest = np.maximum.accumulate(place, axis=1)
    before = np.concatenate([np.full((len(seat), 1), -1), latest[:, :-1]], axis=1)
    previous = np.take_along_axis(seat, np.maximum(before, 0), axis=1)
    out: IntArray = (single & (before >= 0) & (previous != seat)).sum(axis=1)
    return out


def _set_changes(batch: _Batch) -> IntArray:
    """Count checkpoints whose set of leaders differs from the one before."""
    changed = (batch.leaders[:, 1:] != batch.leaders[:, :-1]).any(axis=2) & batch.inside[:, 1:]
    out: IntArray = changed.sum(axis=1)
    return out


def _none_leads(batch: _Batch, at: IntArray) -> BoolArray:
    """No winner is among the leaders at the given checkpoint of each game."""
    leading = np.take_along_axis(batch.leaders, at[:, None, None], axis=1)[:, 0, :]
    out: BoolArray = np.logical_not((leading & batch.winners).any(axis=1))
    return out


def _clinch(batch: _Batch) -> IntArray:
    ahead = (batch.leaders | ~batch.winners[:, None, :]).all(axis=2)
    last_out = np.where(batch.inside & ~ahead, np.arange(ahead.shape[1]), -1).max(axis=1)
    out: IntArray = np.where(last_out + 1 < batch.lengths, last_out + 1, -1)
    return out


def _final(batch: _Batch) -> tuple[FloatArray, ...]:
    """Margin, relative margin, range, population sd and mean absolute deviation at the end."""
    end = np.take_along_axis(batch.scores, (batch.lengths - 1)[:, None, None], axis=1)[:, 0, :]
    ordered = np.sort(end, axis=1)
    best = ordered[:, -1]
    margin = best - ordered[:, -2] if end.shape[1] > 1 else np.full(len(end), np.nan)
    relative = np.divide(margin, best, out=np.full(len(best), np.nan), where=best > 0)
    off = np.abs(end - end.mean(axis=1, keepdims=True))
    return margin, relative, best - ordered[:, 0], end.std(axis=1), off.mean(axis=1)


def game_dynamics(scores: NDArray[Any], winners: NDArray[Any], lengths: NDArray[Any] | None = None) -> Dynamics:
    """Metrics of many games.

    ``scores``: (G, C, S) points by game, checkpoint and seat, padded after the end by anything
    finite; ``winners``: (G, S) true for winners; ``lengths``: (G,) checkpoints a game, default C.
    """
    b = _batch(scores, winners, lengths)
    steps = b.lengths - 1
    changes = _set_changes(b)
    behind = b.deficit > 0.0
    count, clinch = behind.sum(axis=1), _clinch(b)
    fraction = np.where(clinch >= 0, clinch / steps, np.nan)
    leading = b.leaders / np.maximum(1, b.leaders.sum(axis=2, keepdims=True))
    middle = steps // 2
    margin, relative, width, sd, deviation = _final(b)
    return Dynamics(
        lead_changes_strict=_strict_changes(b),
        leader_set_changes=changes,
        leader_set_changes_per_step=changes / steps,
        winner_max_deficit=b.deficit.max(axis=1),
        share_checkpoints_winner_behind=count / b.lengths,
        drama_mean_deficit=b.deficit.sum(axis=1) / b.lengths,
        drama_browne_sqrt_over_behind=np.sqrt(b.deficit).sum(axis=1) / np.maximum(1, count),
        clinch_index=clinch,
        clinch_fraction=fraction,
        permanence_1_minus_clinch=1.0 - fraction,
        time_in_lead_share=leading.sum(axis=1) / b.lengths[:, None],
        final_margin_1st_2nd=margin,
        relative_margin=relative,
        final_range=width,
        final_sd_pop=sd,
        final_mean_abs_dev=deviation,
        midgame_checkpoint=middle,
        comeback_from_mid=_none_leads(b, middle),
        shared_win=b.winners.sum(axis=1) > 1,
        winner_deficit=np.where(b.inside, b.deficit, np.nan),
    )


def leader_sets(scores: NDArray[Any]) -> tuple[tuple[int, ...], ...]:
    """Leading seats (0-based) at each checkpoint of one game, (checkpoints, seats) scores."""
    table = np.asarray(scores)
    top = table.max(axis=1, keepdims=True)
    return tuple(tuple(np.flatnonzero(row).tolist()) for row in table == top)


def one_game(scores: NDArray[Any], winners: Sequence[int]) -> Dynamics:
    """Metrics of one game: (checkpoints, seats) scores and the winning seats (0-based)."""
    table = np.asarray(scores)
    mask = np.zeros((1, table.shape[1]), dtype=bool)
    mask[0, list(winners)] = True
    return game_dynamics(table[None], mask)


def runaway_index(leader_wins: NDArray[Any], seats: int) -> FloatArray:
    """(P(leader wins) - 1/n)/(1 - 1/n) per checkpoint; 0: a lead tells nothing, 1: everything.

    ``leader_wins``: (checkpoints, games) what the leader won, joint leaders and winners
    counting their share.
    """
    need("seats", 2, seats)
    table = np.asarray(leader_wins, dtype=np.float64)
    need("games", 1, table.shape[1])
    out: FloatArray = (table.mean(axis=1) - 1.0 / seats) / (1.0 - 1.0 / seats)
    return out


def leader_wins(
    scores: NDArray[Any],
    winners: NDArray[Any],
    lengths: NDArray[Any] | None = None,
    phases: Sequence[float] = PHASES,
) -> FloatArray:
    """What the leader at each phase of a game went on to win, (phases, games).

    Input as for :func:`game_dynamics`. A phase is a fraction of the game's steps, rounded to a
    checkpoint; joint leaders split the win, joint winners have 1/k each.
    """
    b = _batch(scores, winners, lengths)
    share = b.winners / b.winners.sum(axis=1, keepdims=True)
    at = np.floor(np.outer(b.lengths - 1, phases) + 0.5).astype(np.int64)
    leading = np.take_along_axis(b.leaders, at[:, :, None], axis=1)
    split = leading / leading.sum(axis=2, keepdims=True)
    out: FloatArray = np.einsum("gps,gs->pg", split, share)
    return out
