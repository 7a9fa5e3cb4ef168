"""Figures 5, 9, 10 and 14: how scores grow, how long games last, how close they are, where points come from."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from pipeline.analysis.context import Context, Question, absent, answered
from pipeline.analysis.histograms import quantiles, summed
from pipeline.analysis.model import FigureData
from pipeline.analysis.score_units import ScoreUnit
from pipeline.analysis.seat_figures import NO_SCORES, ordinal
from pipeline.stats.means import mean_from_sums

NONE_SCORED = {"scoring": 0, "points": 0, "points_squares": 0}
NO_MOVES = "needs games with moves, these records have results only"

SCORE_OVER_TIME = Question(
    5, "score_over_time", "How do scores grow over the game?", "games", "points", "band: middle half of all players"
)
LENGTH = Question(9, "length", "How long is a game?", "games", "turns a game", "line: median, shaded: middle half")
MARGIN = Question(
    10,
    "margin",
    "How close are the results?",
    "games",
    "points between 1st and 2nd",
    "line: median, shaded: middle half",
)
SOURCES = Question(
    14, "points_by_source", "Where do each seat's points come from?", "games", "points a game", "95% t intervals"
)


def score_over_time(context: Context) -> FigureData:
    """Figure 5: median and quartiles of all players, and of each seat, at eleven moments."""
    table = context.counts.read("phase_counts")
    if not table.height:
        return absent(context, SCORE_OVER_TIME, NO_MOVES)
    rows = []
    everyone = table.with_columns(pl.lit(-1, table.schema["seat"]).alias("seat"))
    for part in (everyone, table):
        counted = summed(part, ["cell", "seat", "phase", "score"], "games")
        for (key, seat, phase), mine in counted.group_by(["cell", "seat", "phase"], maintain_order=True):
            low, median, high = quantiles(mine["score"].to_list(), mine["games"].to_list())
            rows.append((key, seat, phase, int(mine["games"].sum()), low, median, high))
    names = ("cell", "seat", "phase", "n", "q25", "median", "q75")
    frame = pl.DataFrame(rows, schema=names, orient="row").sort("cell", "seat", "phase")
    key = max(context.cells, key=lambda cell: cell.counted).key
    mine = frame.filter((pl.col("cell") == key) & (pl.col("seat") == -1))
    half = mine.filter(pl.col("phase") == 5)["median"][0]
    end = mine.filter(pl.col("phase") == 10)["median"][0]
    answer = f"With {context.by_key[key].label} the median score is {half:g} at half time and {end:g} at the end."
    notes = ("Points count when the rules award them; seat -1 in the numbers: all players together.",)
    return answered(context, SCORE_OVER_TIME, frame, answer, answer, notes=notes)


def length(context: Context) -> FigureData:
    """Figure 9."""
    table = context.counts.lengths()
    if not table.height:
        return absent(context, LENGTH, NO_MOVES)
    return _histogram(context, LENGTH, table, "turns", "A game takes", ScoreUnit())


def margin(context: Context) -> FigureData:
    """Figure 10."""
    table = context.counts.margins()
    if not table.height:
        return absent(context, MARGIN, NO_SCORES)
    return _histogram(context, MARGIN, table, "points", "The winner is ahead by", context.counts.unit)


def _histogram(
    context: Context, question: Question, table: pl.DataFrame, unit: str, begin: str, steps: ScoreUnit
) -> FigureData:
    """The distribution of `table` (`cell, value, count`) by cell; a `unit` is `steps.a_point` values."""
    parts, sentences = [], {}
    for (key,), mine in table.group_by(["cell"], maintain_order=True):
        values, counts = mine["value"].to_list(), mine["count"].to_list()
        low, median, high = (steps.points(value) for value in quantiles(values, counts))
        tied = sum(c for v, c in zip(values, counts, strict=True) if v == 0) / sum(counts)
        words = f"median {median:g} {unit}, middle half {low:g} to {high:g}"
        if question is MARGIN and tied:
            words += f", tied {100 * tied:.1f}%"
        sentences[str(key)] = words
        parts.append(
            mine.with_columns(
                pl.lit(low).alias("q25"), pl.lit(median).alias("median"), pl.lit(high).alias("q75"),
                pl.lit(words).alias("summary"),
            )
        )  # fmt: skip
    frame = pl.concat(parts)
    if steps.a_point > 1:
        frame = frame.with_columns(pl.col("value") / steps.a_point, pl.lit(1 / steps.a_point).alias("grain"))
    answer = _by_cell(context, sentences, begin)
    return answered(context, question, frame, answer, answer, notes=tuple(filter(None, [steps.note()])))


def _by_cell(context: Context, sentences: Mapping[str, str], begin: str) -> str:
    told = [
        f"{context.by_key[key].label}: {words}" if len(context.cells) > 1 else words
        for key, words in list(sentences.items())[:4]
    ]
    return f"{begin}: {'; '.join(told)}."


def points_by_source(context: Context) -> FigureData:
    """Figure 14: mean points a game by seat and source; a seat without points counts as 0."""
    table = context.counts.read("source_counts")
    if not table.height:
        return absent(context, SOURCES, NO_MOVES)
    table = table.rename({"games": "scoring"})
    rows = []
    for key in dict.fromkeys(table["cell"]):
        cell, mine = context.by_key[key], table.filter(pl.col("cell") == key)
        sums = {(row["source"], row["seat"]): row for row in mine.iter_rows(named=True)}
        for source in sorted(set(mine["source"])):
            for seat in range(cell.players):
                row = sums.get((source, seat), NONE_SCORED)
                mean = mean_from_sums(cell.counted, row["points"], row["points_squares"])
                low, high = mean.interval or (mean.mean, mean.mean)
                rows.append((key, source, seat, row["scoring"], row["points"], mean.mean, low, high))
    names = ("cell", "source", "seat", "scoring", "total", "mean", "low", "high")
    frame = pl.DataFrame(rows, schema=names, orient="row")
    # The largest source first, the same order in all cells.
    order = frame.group_by("source").agg(pl.col("total").abs().sum().alias("weight"))
    frame = frame.join(order, on="source").sort("cell", -pl.col("weight"), "source", "seat").drop("weight")
    best = frame.filter(pl.col("source") == frame["source"][0])
    largest = best.sort("mean", "cell", "seat", descending=[True, False, False]).row(0, named=True)
    answer = (
        f"Most points come from {largest['source']}: up to {largest['mean']:.1f} a game "
        f"({ordinal(largest['seat'])} seat, {context.by_key[largest['cell']].label})."
    )
    return answered(context, SOURCES, frame, answer, answer)
