"""Simulation: same seed, same bytes; seats rotate fairly; bots are what they are called."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from pipeline.commands.simulate import chunks, simulate
from pipeline.simulate import Plan, seating
from pipeline.titles import TITLES, load
from pipeline.titles.contract import TitleError
from pipeline.titles.state import random_below, random_seeds


def file_bytes(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("ending", ["a.jsonl", "a.jsonl.gz", "a.jsonl.zst", "folder"])
def test_the_same_seed_gives_the_same_bytes_whatever_the_threads(tmp_path: Path, ending: str) -> None:
    plan = Plan("kingdoms", 3, 5000, 11, ("random",), {})
    digests = set()
    for threads in (1, 3):
        out = tmp_path / str(threads) / ending
        assert simulate(plan, out, threads) == 0
        files = sorted(out.iterdir()) if out.is_dir() else [out]
        digests.add(tuple(file_bytes(file) for file in files))
    assert len(digests) == 1


@pytest.mark.parametrize("name", ["z.txt", "z.csv", "z.parquet", "z.jsonl.bz2", "z.gz", ".jsonl.old"])
def test_an_unknown_ending_is_refused(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate(Plan("kingdoms", 2, 2, 1, ("random",), {}), tmp_path / name, 1) == 2
    says = (
        f"{tmp_path / name}: records go into a file that ends in .jsonl, .jsonl.gz or .jsonl.zst, Parquet into a folder"
    )
    assert capsys.readouterr().err.startswith(says)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["games", "games-1.5", "there.d"])
def test_a_folder_has_no_ending_or_is_there(tmp_path: Path, name: str) -> None:
    (tmp_path / "there.d").mkdir()
    assert simulate(Plan("kingdoms", 2, 2, 1, ("random",), {}), tmp_path / name, 1) == 0
    assert {file.stem for file in (tmp_path / name).glob("*.parquet")} == {"games", "moves", "seats"}


def test_no_games_leave_an_older_file_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text("old")
    assert simulate(Plan("kingdoms", 2, 0, 1, ("random",), {}), file, 1) == 2
    assert capsys.readouterr().err == "0 games are nothing to write; --games takes a number from 1\n"
    assert file.read_text() == "old"


def test_games_are_not_written_into_a_lake_or_below_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "lake" / "batches" / "x").mkdir(parents=True)
    (tmp_path / "lake" / "batches" / "x" / "manifest.json").write_text("{}")
    (tmp_path / "file").write_text("")
    for name, says in (
        ("lake", "lies in the lake"), ("lake/batches/x", "lies in the lake"), ("lake/a.jsonl", "lies in the lake"),
        ("file", "cannot be written"), ("file/x", "cannot be written"), ("file/x.jsonl", "cannot be written"),
    ):  # fmt: skip
        assert simulate(Plan("kingdoms", 2, 1, 1, ("random",), {}), tmp_path / name, 1) == 2
        assert says in capsys.readouterr().err


def test_another_seed_gives_other_games() -> None:
    ids = [
        tuple(chunk.games["digest"].to_pylist())
        for seed in (1, 2)
        for chunk in chunks(Plan("kingdoms", 2, 50, seed, ("random",), {}).checked())
    ]
    assert not set(ids[0]) & set(ids[1])


@pytest.mark.parametrize("title", TITLES)
def test_compiled_and_uncompiled_play_the_same_games(title: str) -> None:
    from pipeline.simulate import play

    plan = Plan(title, load(title).seats[0], 2, 5, ("random", "greedy"), {}).checked()
    (_, compiled), (_, plain) = next(play(plan)), next(play(plan, compiled=False))
    assert np.array_equal(compiled.offsets, plain.offsets)
    for name in ("seat", "action", "item", "place", "target", "amount"):
        assert np.array_equal(getattr(compiled, name), getattr(plain, name))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("bots", [1, 2, 3])
def test_each_bot_sits_everywhere_equally_often(players: int, bots: int) -> None:
    if bots > players:
        bots = players
    plan = Plan("kingdoms", players, 0, 1, ("random", "greedy", "sampling", "random")[:bots], {})
    rows = seating(plan, 0, players * 10)
    for bot in range(bots):
        counts = (rows == bot).sum(axis=0)
        assert len(set(counts.tolist())) == 1


def test_greedy_beats_random_clearly() -> None:
    plan = Plan("kingdoms", 2, 400, 5, ("random", "greedy"), {}).checked()
    wins: Counter[str] = Counter()
    for chunk in chunks(plan):
        for row in chunk.seats.to_pylist():
            wins[row["player"]] += row["stated_rank"] == 1
    assert wins["greedy"] > 300


@pytest.mark.parametrize(
    ("plan", "says"),
    [
        (Plan("ludo", 2, 1, 1, ("random",), {}), "unknown title"),
        (Plan("kingdoms", 7, 1, 1, ("random",), {}), "7 seats"),
        (Plan("kingdoms", 2, 1, 1, ("clever",), {}), "bots are"),
        (Plan("kingdoms", 2, 1, 1, ("random",) * 3, {}), "3 bots"),
        (Plan("kingdoms", 2, -1, 1, ("random",), {}), "negative"),
        (Plan("kingdoms", 2, 1, 1, ("random",), {"x": 1}), "no option"),
    ],
)
def test_a_plan_that_cannot_be_is_refused_in_one_sentence(plan: Plan, says: str) -> None:
    with pytest.raises(TitleError, match=says):
        plan.checked()


def test_random_numbers_are_even() -> None:
    """Chi-square of 60,000 throws of a die stays below its .9999 quantile, and seeds differ."""
    rng = random_seeds(1, 0, 1)[0]
    counts = np.bincount([random_below(rng, 6) for _ in range(60_000)], minlength=6)
    assert ((counts - 10_000) ** 2 / 10_000).sum() < 25.7
    seeds = random_seeds(1, 0, 10_000)
    assert len({tuple(row) for row in seeds.tolist()}) == 10_000
    assert not {tuple(row) for row in random_seeds(2, 0, 10_000).tolist()} & {tuple(r) for r in seeds.tolist()}
