"""Game metrics: right values, a slow twin game by game, padding, edges."""

import dataclasses
import itertools

import numpy as np
import pytest

from pipeline.stats import dynamics
from pipeline.stats.errors import NotEnough

from .helpers import CLOSED, RIGHT

GAMES = RIGHT["dynamics"]["games"]


@pytest.mark.parametrize("name", GAMES)
def test_right_values(name):
    case = GAMES[name]
    scores = np.array(case["scores_by_checkpoint_seat"])
    got = dynamics.one_game(scores, [w - 1 for w in case["winners"]])
    sets = [[s + 1 for s in seats] for seats in dynamics.leader_sets(scores)]
    assert sets == case["leader_sets"]
    checked = 0
    for key, value in case.items():
        if key not in ("scores_by_checkpoint_seat", "winners", "leader_sets"):
            assert getattr(got, key)[0] == pytest.approx(value, abs=CLOSED), key
            checked += 1
    assert checked == 19


def _slow_twin(scores, winners):
    """One game's metrics from sets and loops."""
    leaders = [{s for s, v in enumerate(row) if v == max(row)} for row in scores]
    steps = len(scores) - 1
    strict, last = 0, None
    for lead in leaders:
        if len(lead) == 1:
            (now,) = lead
            strict += last is not None and last != now
            last = now
    gaps = [sum(max(row) - row[w] for w in winners) / len(winners) for row in scores]
    behind = [g for g in gaps if g > 0]
    held = [all(set(winners) <= lead for lead in leaders[t:]) for t in range(len(scores))]
    clinch = held.index(True) if True in held else -1
    final = sorted(scores[-1])
    mean = sum(final) / len(final)
    return {
        "lead_changes_strict": strict,
        "leader_set_changes": sum(a != b for a, b in itertools.pairwise(leaders)),
        "winner_max_deficit": max(gaps),
        "share_checkpoints_winner_behind": len(behind) / len(gaps),
        "drama_mean_deficit": sum(gaps) / len(gaps),
        "drama_browne_sqrt_over_behind": (sum(g**0.5 for g in behind) / len(behind) if behind else 0.0),
        "clinch_index": clinch,
        "clinch_fraction": clinch / steps if clinch >= 0 else float("nan"),
        "time_in_lead_share": [
            sum((s in lead) / len(lead) for lead in leaders) / len(leaders) for s in range(len(final))
        ],
        "final_margin_1st_2nd": final[-1] - final[-2],
        "relative_margin": ((final[-1] - final[-2]) / final[-1] if final[-1] > 0 else float("nan")),
        "final_range": final[-1] - final[0],
        "final_sd_pop": (sum((v - mean) ** 2 for v in final) / len(final)) ** 0.5,
        "final_mean_abs_dev": sum(abs(v - mean) for v in final) / len(final),
        "comeback_from_mid": not set(winners) & leaders[steps // 2],
        "shared_win": len(winners) > 1,
        "winner_deficit": gaps,
    }


def _random_games(rng, games, size, seats):
    lengths = rng.integers(2, size + 1, games)
    scores = rng.integers(-1, 4, (games, size, seats)).cumsum(axis=1)
    winners = np.zeros((games, seats), dtype=bool)
    for g, length in enumerate(lengths):
        end = scores[g, length - 1]
        winners[g] = end == end.max()
        if rng.random() < 0.2:
            winners[g] = np.eye(seats)[rng.integers(seats)]
        scores[g, length:] = rng.integers(-99, 99, (size - length, seats))
    return scores, winners, lengths


def test_many_games_equal_the_slow_twin():
    rng = np.random.default_rng(1)
    for seats in (2, 3, 5):
        scores, winners, lengths = _random_games(rng, 120, 9, seats)
        got = dynamics.game_dynamics(scores, winners, lengths)
        for g, length in enumerate(lengths):
            want = _slow_twin(scores[g, :length].tolist(), np.flatnonzero(winners[g]).tolist())
            for key, value in want.items():
                mine = getattr(got, key)[g]
                if key == "winner_deficit":
                    assert np.isnan(mine[length:]).all()
                    mine = mine[:length]
                assert mine == pytest.approx(value, abs=1e-12, nan_ok=True), key


def test_padding_changes_nothing():
    rng = np.random.default_rng(2)
    scores, winners, lengths = _random_games(rng, 50, 8, 4)
    base = dynamics.game_dynamics(scores, winners, lengths)
    wider = np.concatenate([scores, np.full((50, 3, 4), 10**6)], axis=1)
    more = dynamics.game_dynamics(wider, winners, lengths)
    for field in dataclasses.fields(base):
        a, b = getattr(base, field.name), getattr(more, field.name)
        if field.name == "winner_deficit":
            b = b[:, :8]
        assert np.array_equal(a, b, equal_nan=a.dtype.kind == "f"), field.name


def test_runaway_right_values():
    case = RIGHT["dynamics"]["runaway"]
    credit = np.array(case["leader_at_t_wins"])
    assert credit.mean(axis=1) == pytest.approx(case["raw"], abs=CLOSED)
    got = dynamics.runaway_index(credit, case["n_players"])
    assert got == pytest.approx(case["index"], abs=CLOSED)


def test_runaway_runs_from_nothing_to_everything():
    rng = np.random.default_rng(3)
    steps = rng.normal(0, 1, (4000, 11, 4))
    steps[:, 0] = 0.0
    scores = steps.cumsum(axis=1)
    winners = scores[:, -1] == scores[:, -1].max(axis=1, keepdims=True)
    index = dynamics.runaway_index(dynamics.leader_wins(scores, winners), 4)
    assert index[0] == pytest.approx(0.0, abs=1e-12)
    assert index[-1] == pytest.approx(1.0)
    assert (np.diff(index) > 0).all()
    luck = np.eye(4)[rng.integers(0, 4, 4000)]
    blind = dynamics.runaway_index(dynamics.leader_wins(scores, luck), 4)
    assert np.abs(blind).max() < 0.04
    joint = dynamics.leader_wins(np.array([[[0, 0], [2, 2]]]), np.array([[1, 1]]), phases=(0, 1))
    assert joint.tolist() == [[0.5], [0.5]]


def test_leader_wins_reads_the_phase_of_each_game():
    scores = np.zeros((2, 5, 2))
    scores[0, 1:3] = [1, 0]
    scores[1, 1:] = [0, 1]
    got = dynamics.leader_wins(scores, np.eye(2), np.array([3, 5]), phases=(0.0, 0.5, 1.0))
    assert got.tolist() == [[0.5, 0.5], [1.0, 1.0], [1.0, 1.0]]


def test_edges():
    with pytest.raises(NotEnough, match="2 checkpoints"):
        dynamics.one_game(np.array([[1, 2]]), [1])
    with pytest.raises(NotEnough, match="a winner in each game"):
        dynamics.one_game(np.array([[0, 0], [1, 2]]), [])
    with pytest.raises(NotEnough, match="needs games"):
        dynamics.game_dynamics(np.zeros((0, 3, 2)), np.zeros((0, 2)))
    with pytest.raises(ValueError, match="games x seats"):
        dynamics.game_dynamics(np.zeros((2, 3, 2)), np.zeros((2, 3)))
    flat = dynamics.one_game(np.zeros((4, 3)), [0, 1, 2])
    assert (flat.clinch_index[0], flat.leader_set_changes[0]) == (0, 0)
    assert np.isnan(flat.relative_margin[0])
    lost = dynamics.one_game(np.array([[0, 0], [5, 1]]), [1])
    assert lost.clinch_index[0] == -1
    assert np.isnan(lost.clinch_fraction[0])
