"""Figures 1, 3, 4 and 17: who wins, where each seat finishes, what it scores, how the evidence grew."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from pipeline.analysis.context import Context, Question, answered
from pipeline.analysis.histograms import mean_of_counts, quantiles
from pipeline.analysis.model import CellLine, FigureData
from pipeline.stats import intervals, patterns, sequential
from pipeline.stats.errors import need
from pipeline.stats.means import mean_from_sums
from pipeline.wording import listed

SEAT_SHARE = Question(
    1, "seat_share", "Does any seat win more than its share?", "games",
    "win share, percentage points from 1/n", "95% Wilson intervals",
)  # fmt: skip
FINISH = Question(
    3, "finish", "Where does each seat finish?", "games", "percent of games", "95% Wilson intervals in the numbers"
)
SCORES = Question(
    4, "scores", "How many points does each seat make?", "games", "final score, points",
    "box: middle half, line: middle 90%; red: mean with 95% t interval",
)  # fmt: skip
EVIDENCE = Question(
    17, "evidence", "How strong is the evidence against fair seats, game by game?", "games",
    "odds (e-value)", "may be read after any game",
)  # fmt: skip
PATH_POINTS = 200
NO_SCORES = "needs scores, the records state none"


def ordinal(seat: int) -> str:
    """`1st`, `2nd`, .. of a 0-based seat."""
    return {0: "1st", 1: "2nd", 2: "3rd"}.get(seat, f"{seat + 1}th")


def seat_share(context: Context, verdicts: Sequence[CellLine]) -> FigureData:
    """Figure 1, from the verdicts."""
    rows = [
        {
            "cell": line.cell, "seat": line.seat, "share": line.share, "pp": line.difference,
            "pp_low": line.interval95[0], "pp_high": line.interval95[1], "delta": context.delta,
            "verdict": line.verdict,
        }
        for cell in verdicts
        for line in cell.seats
    ]  # fmt: skip
    need("games", 1, len(rows))
    seats = [line for cell in verdicts for line in cell.seats]
    worst = max(seats, key=lambda line: abs(line.difference))
    where = f"With {worst.label}, " if len(verdicts) > 1 else ""
    sentence = where + worst.sentence + "."
    return answered(
        context, SEAT_SHARE, pl.DataFrame(rows), sentence[:1].upper() + sentence[1:],
        "Farthest from its fair share: " + "; ".join(
            f"{cell.label}: {max(cell.seats, key=lambda line: abs(line.difference)).sentence}" for cell in verdicts[:8]
        ) + ".",
        notes=("Filled: with a verdict; hollow: inconclusive, or too few games. Red: advantaged or disadvantaged.",),
    )  # fmt: skip


def finish(context: Context) -> FigureData:
    """Figure 3: games by cell, seat and rank."""
    rows = []
    for key, table in context.counts.ranks().items():
        games = patterns.games_of(table)
        players = patterns.seats_of(table)
        for seat in range(players):
            for rank in range(1, players + 1):
                count = sum(n for pattern, n in table.items() if pattern[seat] == rank)
                low, high = intervals.wilson(count, games)
                rows.append((key, seat, rank, count, count / games, low, high))
    need("games with ranks", 1, len(rows))
    names = ("cell", "seat", "rank", "count", "share", "low", "high")
    frame = pl.DataFrame(rows, schema=names, orient="row")
    first = frame.filter(pl.col("rank") == 1).sort("share", "cell", "seat", descending=[True, False, False])
    last = _last_places(frame)
    top, bottom = first.row(0, named=True), last.row(0, named=True)
    answer = (
        f"First most often: the {ordinal(top['seat'])} seat ({100 * top['share']:.0f}% of games"
        f"{_with(context, top['cell'])}); last most often: the {ordinal(bottom['seat'])} seat "
        f"({100 * bottom['share']:.0f}%{_with(context, bottom['cell'])})."
    )
    return answered(context, FINISH, frame, answer, answer, notes=("Tied seats share the better place.",))


def _last_places(frame: pl.DataFrame) -> pl.DataFrame:
    last = frame.filter(pl.col("rank") == pl.col("rank").max().over("cell"))
    return last.sort("share", "cell", "seat", descending=[True, False, False])


def _with(context: Context, key: str) -> str:
    return f", {context.by_key[key].label}" if len(context.cells) > 1 else ""


def scores(context: Context) -> FigureData:
    """Figure 4: quantiles and means of the final scores, and the mean lead over the game's mean."""
    table = context.counts.scores()
    need("games with scores", 1, table.height)
    leads = {(row["cell"], row["seat"]): _lead(context, row) for row in context.counts.seats().iter_rows(named=True)}
    rows, unit = [], context.counts.unit
    for (key, seat), mine in table.group_by(["cell", "seat"], maintain_order=True):
        values, counts = mine["score"].to_list(), mine["games"].to_list()
        at = quantiles(values, counts, (0.05, 0.25, 0.5, 0.75, 0.95))
        q05, q25, median, q75, q95 = (unit.points(value) for value in at)
        mean = mean_of_counts(values, counts, unit.a_point)
        low, high = mean.interval or (mean.mean, mean.mean)
        rows.append((key, seat, mean.n, q05, q25, median, q75, q95, mean.mean, low, high, mean.sd, *leads[key, seat]))
    names = (
        "cell", "seat", "n", "q05", "q25", "median", "q75", "q95", "mean", "mean_low", "mean_high", "sd",
        "lead", "lead_low", "lead_high",
    )  # fmt: skip
    frame = pl.DataFrame(rows, schema=names, orient="row").sort("cell", "seat")
    widest = frame.sort(pl.col("lead").abs(), "cell", "seat", descending=[True, False, False]).row(0, named=True)
    answer = (
        f"Farthest from the game's mean: the {ordinal(widest['seat'])} seat{_with(context, widest['cell'])} with "
        f"{widest['lead']:+.1f} points (95% {widest['lead_low']:+.1f} to {widest['lead_high']:+.1f})."
    )
    return answered(context, SCORES, frame, answer, answer, notes=tuple(filter(None, [unit.note()])))


def _lead(context: Context, row: Mapping[str, Any]) -> tuple[float, float, float]:
    """Mean lead over the game's mean score with its interval, points."""
    if not row["scored"]:
        return (math.nan,) * 3
    scale = context.by_key[row["cell"]].players * context.counts.unit.a_point
    mean = mean_from_sums(row["scored"], row["excess"], int(row["excess_squares"]), scale)
    return (mean.mean, *(mean.interval or (mean.mean, mean.mean)))


def evidence(context: Context) -> FigureData:
    """Figure 17: the e-value after each game, thinned to what a figure can show."""
    rows, crossed = [], []
    for cell in context.cells:
        if not cell.counted:
            continue
        stream = sequential.start(cell.players)
        for shares in context.counts.shares_in_order(cell):
            first = stream.games
            stream, path = sequential.watch(stream, shares)
            for at in _thinned(first, len(path), cell.counted):
                rows.append((cell.key, first + at + 1, path[at] / math.log(10)))
        if stream.stopped_at is not None:
            crossed.append(f"{cell.label}: after {stream.stopped_at:,} games")
    need("games", 1, len(rows))
    frame = pl.DataFrame(rows, schema=("cell", "game", "log10_e"), orient="row")
    answer = (
        f"The odds against fair seats passed 20 : 1 in {listed(crossed[:4], 'and')}."
        if crossed
        else "The odds against fair seats never passed 20 : 1."
    )
    notes = (
        "Dirichlet mixture, 15 a seat; reaching 20 : 1 happens to at most 5% of fair titles, however often one looks."
        " Order: time of play, else order in the files.",
    )
    return answered(context, EVIDENCE, frame, answer, answer, notes=notes, most=5)


def _thinned(first: int, count: int, total: int) -> list[int]:
    """Positions in a part of a path, evenly on a log scale over the whole, with its last game."""
    last = first + count
    wanted = {total} | {round(total ** (i / PATH_POINTS)) for i in range(PATH_POINTS + 1)}
    return sorted(game - first - 1 for game in wanted if first < game <= last)
