"""What every figure needs to know: the counts, the cells, and the words that stand below it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import polars as pl

from pipeline.analysis.model import Cell, FigureData
from pipeline.stats.errors import NotEnough

if TYPE_CHECKING:
    from pipeline.analysis.counts import Counts
    from pipeline.analysis.samples import Sample
    from pipeline.analysis.variant_figures import Pair
    from pipeline.titles.contract import Choice

NO_GAMES = "needs games that count, has none"
MOST_SHOWN = 8
"""Cells that a figure draws; the numbers of all are beside it."""


@dataclass(frozen=True)
class Context:
    """One title's games, as the figures see them."""

    title: str
    label: str
    cells: tuple[Cell, ...]
    counts: Counts
    source: str
    """Where the games come from, for the line below each figure."""
    delta: float
    seed: int
    choice: Choice | None
    has_rules: bool
    sample: Sample
    pairs: tuple[Pair, ...] = ()
    """What is to be compared, if somebody chose it."""
    cache: dict[str, Any] = field(default_factory=dict)
    """What several figures need and is worked out once."""

    @property
    def by_key(self) -> dict[str, Cell]:
        return {cell.key: cell for cell in self.cells}

    def labelled(self, frame: pl.DataFrame) -> pl.DataFrame:
        """A frame with a column `cell`, with the cell's label, players and games behind it."""
        names = pl.DataFrame(
            [(c.key, c.label, c.players, c.counted) for c in self.cells],
            schema={"cell": pl.String, "label": pl.String, "players": pl.Int64, "games": pl.Int64},
            orient="row",
        )
        rest = [name for name in frame.columns if name not in ("cell", "label", "players", "games")]
        return frame.join(names, on="cell", how="left").select("cell", "label", "players", "games", *rest)

    def shown(self, keys: Iterable[str], most: int = MOST_SHOWN) -> tuple[str, ...]:
        """The cells to draw: those with most games, in the order of the cells."""
        present = set(keys)
        mine = [cell for cell in self.cells if cell.key in present]
        best = sorted(mine, key=lambda cell: (-cell.counted, int(cell.key[1:])))[:most]
        return tuple(cell.key for cell in mine if cell in best)

    def games(self, keys: Iterable[str]) -> int:
        """Games that count in these cells."""
        return sum(self.by_key[key].counted for key in set(keys))


@dataclass(frozen=True)
class Question:
    """What a figure asks and how it counts, whatever the answer."""

    number: int
    slug: str
    question: str
    counted: str
    unit: str
    interval: str


def cell_note(context: Context, keys: Sequence[str], shown: Sequence[str]) -> tuple[str, ...]:
    """Says so when not all cells are drawn."""
    if len(shown) == len(keys):
        return ()
    drawn = "the cell" if len(shown) == 1 else f"the {len(shown)} cells"
    return (f"Drawn: {drawn} with most games of {len(keys)}; the numbers have all.",)


def answered(
    context: Context, question: Question, frame: pl.DataFrame, answer: str, alt: str,
    notes: Sequence[str] = (), n: int | None = None, most: int = MOST_SHOWN, **changed: Any,
) -> FigureData:  # fmt: skip
    """A figure with its numbers. `frame` has a column `cell`; `n` is its games unless given."""
    frame = context.labelled(frame)
    keys = list(dict.fromkeys(frame["cell"]))
    shown = context.shown(keys, most)
    words = {name: changed.get(name, getattr(question, name)) for name in ("question", "unit", "interval", "counted")}
    return FigureData(
        number=question.number, slug=question.slug, answer=answer, frame=frame,
        n=context.games(keys) if n is None else n, source=context.source,
        alt_text=f"{words['question']} {alt}", notes=(*notes, *cell_note(context, keys, shown)), shown=shown, **words,
    )  # fmt: skip


def absent(context: Context, question: Question, reason: str) -> FigureData:
    """A figure that the data cannot give, with the reason in plain words."""
    return FigureData(
        number=question.number, slug=question.slug, question=question.question, answer="",
        frame=pl.DataFrame(), n=0, counted=question.counted, unit=question.unit, interval=question.interval,
        source=context.source, alt_text=f"No figure: {reason}.", failure=reason,
    )  # fmt: skip


def attempt(context: Context, question: Question, make: Callable[[Context], FigureData]) -> FigureData:
    """The figure, or why there is none."""
    if not any(cell.counted for cell in context.cells):
        # Whatever else a figure would miss (moves, scores, players' names): nobody has looked for it yet.
        return absent(context, question, NO_GAMES)
    try:
        return make(context)
    except NotEnough as lack:
        return absent(context, question, str(lack))
