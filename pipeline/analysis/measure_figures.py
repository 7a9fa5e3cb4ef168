"""Figures 21 and on: what a title's own measures say (`pipeline.titles.measure`), whatever the title."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import polars as pl

from pipeline import titles
from pipeline.analysis.context import Context, Question, answered, attempt
from pipeline.analysis.measure_frames import Counted, bars_frame, grid_frame, matrix_frame, order_frame, places_frame
from pipeline.analysis.measure_words import bars_answer, matrix_answer, order_answer, places_answer
from pipeline.analysis.model import Column, FigureData, TableData
from pipeline.analysis.play_figures import NO_MOVES
from pipeline.stats.errors import NotEnough
from pipeline.title_counts import TOGETHER
from pipeline.titles.measure import Bars, Matrix, Measure, Places, Starter

FIRST_NUMBER = 21
NOTHING = "needs turns in which it could happen, has none"
BARS, MATRIX, ORDER, PLACES, GRID = (f"measure_{look}" for look in ("bars", "matrix", "order", "places", "grid"))
"""How they look: names of drawers."""
T, WILSON = "95% t intervals, clustered by game", "95% Wilson intervals, clustered by game"
MOST_ROWS = 24
"""Rows that a figure draws of all its cells together, unless one cell alone has more."""
MOST_GRIDS, MOST_MATRICES = 2, 4
"""Cells that such figures draw."""


def measure_figures(context: Context) -> Iterator[FigureData]:
    """One figure a measure of the title, in its order; those that the data cannot give say why."""
    measures = titles.load(context.title).measures if context.title in titles.names() else ()
    for number, asked in enumerate(measures, FIRST_NUMBER):
        yield attempt(context, _question(number, asked), partial(_figure, number, asked))


def _question(number: int, measure: Measure) -> Question:
    interval = T
    if isinstance(measure, Bars) and measure.percent:
        interval = WILSON
    elif isinstance(measure, Starter):
        interval = "95% intervals"
    elif isinstance(measure, Matrix) or (isinstance(measure, Places) and measure.grid):
        interval = "95% t intervals in the numbers"
    return Question(number, measure.slug, measure.question, "games", measure.unit, interval)


def _figure(number: int, measure: Measure, context: Context) -> FigureData:
    counted = _counted(context)
    games = counted.games()
    if not games:
        raise NotEnough(NO_MOVES)
    frame, look, notes = _made(counted, measure)
    if not frame.height:
        raise NotEnough(NOTHING)
    answer = _answer(context, measure, frame)
    n = sum(games[key] for key in dict.fromkeys(frame["cell"]))
    question, most = _question(number, measure), _most_cells(frame, look)
    return replace(answered(context, question, frame, answer, answer, notes=notes, n=n, most=most), look=look)


def _most_cells(frame: pl.DataFrame, look: str) -> int:
    """As many cells as have room."""
    if look in (GRID, MATRIX):
        return MOST_GRIDS if look == GRID else MOST_MATRICES
    rows: list[int] = frame.group_by("cell").agg(pl.col("row").n_unique())["row"].to_list()
    return max(1, MOST_ROWS // max(rows))


def _counted(context: Context) -> Counted:
    """The title's counts, worked out once."""
    if "measures" not in context.cache:
        words: dict[tuple[str, str], dict[int, str]] = {}
        for part in context.counts.parts:
            book = part.warehouse.query("codebook", title=context.title)
            for board, kind, code, word in book.select("board", "kind", "code", "word").iter_rows():
                words.setdefault((board, kind), {})[code] = word
        frames = context.counts.measures(titles.load(context.title))
        context.cache["measures"] = Counted(context.cells, frames, words)
    found: Counted = context.cache["measures"]
    return found


def _made(counted: Counted, measure: Measure) -> tuple[pl.DataFrame, str, tuple[str, ...]]:
    """A measure's frame, look and notes."""
    if isinstance(measure, Starter):
        return order_frame(counted, measure), ORDER, (f"By rule {measure.rule}: an association, no effect.",)
    notes: tuple[str, ...] = (measure.note,) if measure.note else ()
    if isinstance(measure, Bars):
        return bars_frame(counted, measure), BARS, notes
    if isinstance(measure, Matrix):
        return matrix_frame(counted, measure), MATRIX, notes
    if measure.grid:
        return grid_frame(counted, measure, measure.grid), GRID, notes
    return places_frame(counted, measure), PLACES, notes


def _answer(context: Context, measure: Measure, frame: pl.DataFrame) -> str:
    """The answer about the cell with most games."""
    present = set(frame["cell"])
    cell = max((cell for cell in context.cells if cell.key in present), key=lambda cell: cell.counted)
    mine = frame.filter(pl.col("cell") == cell.key)
    if isinstance(measure, Bars):
        said = bars_answer(measure, mine)
    elif isinstance(measure, Matrix):
        said = matrix_answer(measure, mine)
    elif isinstance(measure, Starter):
        said = order_answer(measure, mine)
    else:
        said = places_answer(measure, mine)
    return f"With {cell.label}: {said}."


def measures_table(context: Context, figures: Sequence[FigureData]) -> tuple[TableData, ...]:
    """The title's own means and rates of all seats together; nothing where there are none."""
    drawn = [data for data in figures if data.look == BARS and not data.failure]
    if not drawn:
        return ()
    own_series = pl.when(pl.col("series") != "all seats").then("series")
    rows = [
        data.frame.filter(pl.col("seat") == TOGETHER).select(
            pl.lit(data.number).alias("figure"), pl.lit(data.question).alias("question"), "label",
            pl.concat_str("row", own_series, separator=" ", ignore_nulls=True).alias("what"), "value", "low", "high",
            pl.lit(data.unit).alias("unit"), "n",
        )
        for data in drawn
    ]  # fmt: skip
    columns = (
        Column("figure", "Figure", "whole"),
        Column("label", "Cell"),
        Column("what", "What"),
        Column("value", "Mean", "number"),
        Column("low", "95% from", "number"),
        Column("high", "to", "number"),
        Column("unit", "Unit"),
        Column("n", "Games", "whole"),
    )
    note = "All seats together, so a number a game is the sum over seats; by seat in the figures."
    return (TableData("measures", f"{context.label} in numbers", columns, pl.concat(rows), note),)
