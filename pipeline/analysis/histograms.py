"""Counted values: quantiles and means of a table `value, count`, exact however many games it stands for."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from pipeline.stats.means import Mean, mean_from_sums

QUARTILES = (0.25, 0.5, 0.75)


def quantiles(values: Sequence[int], counts: Sequence[int], at: Sequence[float] = QUARTILES) -> list[float]:
    """Quantiles of counted values; at a jump of the distribution the middle of its two ends.

    `values` and `counts` belong together in any order; raises ValueError when nothing is counted.
    """
    rows = sorted((v, c) for v, c in zip(values, counts, strict=True) if c > 0)
    total = sum(c for _, c in rows)
    if not total:
        raise ValueError("needs values, has none")
    found = []
    for q in at:
        goal, below = q * total, 0
        for i, (value, count) in enumerate(rows):
            below += count
            if below > goal:
                found.append(float(value))
                break
            if below == goal:
                following = rows[i + 1][0] if i + 1 < len(rows) else value
                found.append((value + following) / 2)
                break
    return found


def mean_of_counts(values: Sequence[int], counts: Sequence[int], scale: int = 1) -> Mean:
    """Mean with Student's t interval of counted values, each divided by `scale`."""
    total = sum(v * c for v, c in zip(values, counts, strict=True))
    squares = sum(v * v * c for v, c in zip(values, counts, strict=True))
    return mean_from_sums(sum(counts), total, squares, scale)


def summed(frame: pl.DataFrame, by: Sequence[str], count: str = "count") -> pl.DataFrame:
    """Counts added up over everything but `by`, sorted by it."""
    return frame.group_by(list(by)).agg(pl.col(count).sum()).sort(list(by))
