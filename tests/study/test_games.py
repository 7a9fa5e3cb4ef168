"""The simulated cells have the truth that they are said to have."""

import numpy as np
import pytest

from pipeline.stats.patterns import SHARE_UNIT
from pipeline.study.games import cells, one_seat_off, planted, played, stream, turn_order


@pytest.mark.parametrize("ties", [0.0, 0.3])
@pytest.mark.parametrize("shares", [one_seat_off(5, 0.15), turn_order(3, 0.06), one_seat_off(2, -0.05)])
def test_planted_shares_are_the_expected_win_shares(shares: np.ndarray, ties: float) -> None:
    truth = planted(shares, ties)
    assert truth.chances.sum() == pytest.approx(1)
    assert truth.chances @ np.array(truth.patterns) / SHARE_UNIT == pytest.approx(shares)
    shared = [max(pattern) < SHARE_UNIT for pattern in truth.patterns]
    assert truth.chances[shared].sum() == pytest.approx(ties)


def test_shapes_of_the_advantage() -> None:
    assert one_seat_off(4, 0.05) == pytest.approx([0.30, 0.7 / 3, 0.7 / 3, 0.7 / 3])
    assert turn_order(3, 0.06) == pytest.approx([1 / 3 + 0.06, 1 / 3, 1 / 3 - 0.06])
    with pytest.raises(ValueError, match="no room"):
        planted(one_seat_off(5, 0.75), 0.3)


def test_cells_and_streams_hold_the_games_asked_for() -> None:
    truth = planted(one_seat_off(4, 0.1), 0.2)
    found = list(cells(truth, 500, 40, np.random.default_rng(1)))
    assert [sum(cell.values()) for cell in found] == [500] * 40
    sums = sum(np.array(pattern) * n for cell in found for pattern, n in cell.items())
    assert sums / SHARE_UNIT / 20_000 == pytest.approx(truth.shares, abs=0.02)
    rows = stream(truth, 20_000, np.random.default_rng(2))
    assert rows.mean(axis=0) / SHARE_UNIT == pytest.approx(truth.shares, abs=0.02)


def test_games_played_by_log_odds() -> None:
    log_odds = np.tile(np.log([0.5, 0.3, 0.2]), (20_000, 1))
    table = played(log_odds, np.random.default_rng(3))
    assert (table.sum(axis=1) == SHARE_UNIT).all()
    assert table.mean(axis=0) / SHARE_UNIT == pytest.approx([0.5, 0.3, 0.2], abs=0.02)
