"""Quantiles of counted values are those of the values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.analysis.histograms import mean_of_counts, quantiles


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=60))
def test_quantiles_of_counts(values: list[int]) -> None:
    distinct, counts = np.unique(values, return_counts=True)
    found = quantiles(distinct.tolist(), counts.tolist())
    assert found == pytest.approx(np.quantile(values, [0.25, 0.5, 0.75], method="averaged_inverted_cdf"))


def test_nothing_counted() -> None:
    with pytest.raises(ValueError, match="needs values"):
        quantiles([1, 2], [0, 0])


def test_mean_of_counts() -> None:
    found = mean_of_counts([1, 2, 10], [2, 1, 1])
    assert (found.n, found.mean) == (4, 3.5)
    assert found.sd == pytest.approx(np.std([1, 1, 2, 10], ddof=1))
