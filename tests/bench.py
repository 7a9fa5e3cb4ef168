"""`make bench`: how fast replaying is, side by side in one run on one core; ratios matter, not seconds.

Records are simulated anew, large enough to leave the caches. Each figure is the best of several rounds
that take turns, so that a busy machine slows all of them alike.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ["POLARS_MAX_THREADS"] = "1"

ROUNDS = 5
CHESS_GAMES = 40
HANDS = 60


def one_core() -> None:
    """Keep this process on one core, as all figures say."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def rates(tasks: dict[str, tuple[Callable[[], Any], int]]) -> dict[str, float]:
    """Work units a second of each task: the best of ROUNDS rounds, the tasks taking turns."""
    best = dict.fromkeys(tasks, 0.0)
    for _ in range(ROUNDS):
        for name, (task, units) in tasks.items():
            start = time.perf_counter()
            task()
            best[name] = max(best[name], units / (time.perf_counter() - start))
    return best


def kernel_tasks(title: str, games: int) -> tuple[dict[str, tuple[Callable[[], Any], int]], Any]:
    """Replaying in memory, with and without the facts of turns."""
    from pipeline import titles
    from pipeline.replay import replay_log
    from pipeline.simulate import Plan, play

    found = titles.load(title)
    plan = Plan(title, found.seats[len(found.seats) // 2], games, 1, ("random",), {}).checked()
    board = found.board_id(plan.options)
    logs = [log for _, log in play(plan)]
    plies = sum(int(log.offsets[-1]) for log in logs)

    def replay(turns: bool) -> None:
        for log in logs:
            assert replay_log(found, board, log, want_turns=turns).results.fault.max() == 0

    replay(False)
    replay(True)
    tasks: dict[str, tuple[Callable[[], Any], int]] = {
        f"{title}: replay, checked and scored": (lambda: replay(False), plies),
        f"{title}: the same with the facts of each turn": (lambda: replay(True), plies),
    }
    return tasks, (plan, plies)


def file_tasks(folder: Path, games: int) -> dict[str, tuple[Callable[[], Any], int]]:
    """From a Parquet file: decoding alone, and decoding, replaying, outcomes."""
    import polars as pl
    import pyarrow.parquet as pq

    from pipeline import titles
    from pipeline.commands.simulate import simulate
    from pipeline.ingest import ingest
    from pipeline.lake import Lake
    from pipeline.records import FIELDS
    from pipeline.replay import replay_log
    from pipeline.replay_lake import log_of_tables, read_columns
    from pipeline.simulate import Plan

    plan = Plan("kingdoms", 3, games, 1, ("random",), {})
    simulate(plan, folder / "tables", 1)
    lake = Lake(folder / "lake")
    ingest(lake, [folder / "tables"])
    title = titles.load("kingdoms")
    parts = [lake.batches_folder / batch for batch in lake.batches()]
    plies = sum(pq.read_metadata(part / "moves.parquet").num_rows for part in parts)

    def decode() -> None:
        for part in parts:
            pl.read_parquet(part / "moves.parquet", columns=list(FIELDS))

    def outcomes() -> None:
        for part in parts:
            games_table = pq.read_table(part / "games.parquet", columns=["players", "options", "plies", "ended"])
            log = log_of_tables(title, games_table, read_columns(part / "moves.parquet"))
            replay_log(title, "kingdoms-22", log)

    return {
        "kingdoms: Polars decodes the moves file": (decode, plies),
        "kingdoms: Parquet -> replay -> outcomes": (outcomes, plies),
    }


def text_tasks(folder: Path, games: int) -> dict[str, tuple[Callable[[], Any], int]]:
    """JSON Lines read into canonical columns (records a second)."""
    from pipeline.commands.simulate import simulate
    from pipeline.ingest.jsonl import read_jsonl
    from pipeline.simulate import Plan

    file = folder / "games.jsonl"
    simulate(Plan("kingdoms", 3, games, 2, ("random",), {}), file, 1)

    def read() -> None:
        for _ in read_jsonl(file, file.name, "bench"):
            pass

    read()
    return {"kingdoms: JSON Lines -> columns (records)": (read, games)}


def chess_tasks() -> dict[str, tuple[Callable[[], Any], int]]:
    """python-chess replays random games from UCI moves, each checked for legality."""
    import random

    import chess

    rng = random.Random(1)
    games = []
    for _ in range(CHESS_GAMES):
        board = chess.Board()
        moves = []
        while not board.is_game_over() and len(moves) < 120:
            move = rng.choice(list(board.legal_moves))
            moves.append(move.uci())
            board.push(move)
        games.append(moves)

    def replay() -> None:
        for moves in games:
            board = chess.Board()
            for move in moves:
                board.push_uci(move)

    return {"python-chess: legality-checked UCI moves": (replay, sum(map(len, games)))}


def poker_tasks() -> dict[str, tuple[Callable[[], Any], int]]:
    """PokerKit replays a hand in its PHH notation."""
    from pokerkit import HandHistory

    text = (
        'variant = "NT"\nante_trimming_status = true\nantes = [0, 0, 0]\n'
        "blinds_or_straddles = [1, 2, 0]\nmin_bet = 2\nstarting_stacks = [110, 190, 200]\n"
        'actions = ["d dh p1 7h6c", "d dh p2 8s7d", "d dh p3 KdAc", "p3 cbr 7", "p1 f", "p2 cc", '
        '"d db Jc3d5c", "p2 cc", "p3 cbr 9", "p2 f"]\n'
    )
    hand = HandHistory.loads(text)
    actions = len(hand.actions)

    def replay() -> None:
        for _ in range(HANDS):
            for _ in hand:
                pass

    return {"PokerKit: PHH hands": (replay, HANDS * actions)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100_000, help="games of Kingdoms; other titles a tenth")
    games = parser.parse_args().games
    one_core()
    from pipeline.titles import TITLES

    tasks: dict[str, tuple[Callable[[], Any], int]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for title in TITLES:
            tasks |= kernel_tasks(title, games if title == "kingdoms" else max(games // 10, 100))[0]
        tasks |= file_tasks(folder, games)
        tasks |= text_tasks(folder, max(games // 5, 100))
        tasks |= chess_tasks() | poker_tasks()
        found = rates(tasks)
    decode = found["kingdoms: Polars decodes the moves file"]
    print(f"{'one core, best of ' + str(ROUNDS) + ' rounds':55} {'plies/s':>14} {'of decode':>10}")
    for name, rate in found.items():
        share = "" if "records" in name else f"{rate / decode:10.3f}"
        print(f"{name:55} {rate:14,.0f} {share}")
    chess = found["python-chess: legality-checked UCI moves"]
    kernel = found["kingdoms: replay, checked and scored"]
    print(f"\nkingdoms replay is {kernel / chess:,.0f} times python-chess, ", end="")
    print(f"{kernel / found['PokerKit: PHH hands']:,.0f} times PokerKit")


if __name__ == "__main__":
    main()
