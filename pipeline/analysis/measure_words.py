"""The answers of a title's own measures in one sentence each, about one cell's rows of their frames."""

from __future__ import annotations

from itertools import combinations
from statistics import fmean

import polars as pl

from pipeline.analysis.seat_figures import ordinal
from pipeline.stats import distributions as dist
from pipeline.title_counts import TOGETHER
from pipeline.titles.measure import Bars, Matrix, Places, Starter

MINUS = "\u2212"
TOLD = 4
"""Rows that a sentence names all; of more the highest and the lowest."""


def number(value: float, percent: bool = False) -> str:
    """`2.35`, or `31%`; small percentages with one decimal."""
    if percent:
        return f"{value:.0f}%" if value >= 9.5 or value == 0 else f"{value:.1f}%"
    text = f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"
    return text.replace("-", MINUS)


def bars_answer(measure: Bars, mine: pl.DataFrame) -> str:
    """All seats together, then where the seats differ most for certain."""
    whole = mine.filter(pl.col("seat") == TOGETHER)
    named = []
    for row, series, value in whole.select("row", "series", "value").iter_rows():
        words = (row, series) if any(line.series for line in measure.lines) else (row,)
        named.append((" ".join(filter(None, words)), value))
    if len(named) > TOLD:
        named = [max(named, key=lambda pair: pair[1]), min(named, key=lambda pair: pair[1])]
        first, last = (f"{name} ({number(value, measure.percent)})" for name, value in named)
        told = f"most {first}, least {last}"
    else:
        told = ", ".join(f"{name}: {number(value, measure.percent)}" for name, value in named)
    unit = measure.unit.removeprefix("percent ")
    together = "" if "together" in unit or not measure.seats else ", all seats together"
    return f"{told} {unit}{together}" + (f"; {_apart(measure, mine)}" if measure.seats else "")


def _apart(measure: Bars, mine: pl.DataFrame) -> str:
    """The row in which two seats differ most by more than chance.

    Seats of a game are no independent ones, so the error of a difference is taken to be the sum of both
    errors, the most that it can be; Bonferroni over rows and pairs of seats.
    """
    rows = {row: part.to_dicts() for (row,), part in _seats(mine).group_by(["row"], maintain_order=True)}
    pairs = [(row, *pair) for row, seats in rows.items() for pair in combinations(seats, 2)]
    best, found = dist.critical_z(1 - 0.05 / max(1, len(pairs))), "no two seats differ by more than chance"
    for row, one, other in pairs:
        low, high = sorted((one, other), key=lambda seat: float(seat["value"]))
        # Intervals are Wilson's or Student's: the sides that face each other tell how sure the gap is.
        errors = (low["high"] - low["value"] + high["value"] - high["low"]) / dist.critical_z(0.95)
        # Without any spread the rules make the difference.
        if errors > 0 and (high["value"] - low["value"]) / errors > best:
            best = (high["value"] - low["value"]) / errors
            told = [f"{number(seat['value'], measure.percent)} ({ordinal(seat['seat'])})" for seat in (low, high)]
            found = f"seats differ most in {row or 'it'}: {told[0]} against {told[1]}, more than chance"
    return found


def _seats(mine: pl.DataFrame) -> pl.DataFrame:
    return mine.filter(pl.col("seat") != TOGETHER)


def matrix_answer(measure: Matrix, mine: pl.DataFrame) -> str:
    """The pair with most, and one's own beside the others'."""
    others = mine.filter(pl.col("seat") != pl.col("target"))
    top = others.sort("value", "seat", "target", descending=[True, False, False]).row(0, named=True)
    own, mean = (fmean(rows["value"].to_list()) for rows in (mine.filter(pl.col("seat") == pl.col("target")), others))
    return (
        f"most often the {ordinal(top['seat'])} seat to the {ordinal(top['target'])}, {number(top['value'])} "
        f"{measure.unit}; a seat to another {number(mean)} on average, to itself {number(own)}"
    )


def order_answer(measure: Starter, mine: pl.DataFrame) -> str:
    """What starting is worth in each epoch."""
    told = [
        f"who starts {measure.word} {row['epoch'] + 1} wins {row['pp']:+.1f} percentage points from the fair share "
        f"({row['pp_low']:+.1f} to {row['pp_high']:+.1f}) and makes {row['lead']:+.1f} points from the mean in it"
        for row in mine.filter(pl.col("position") == 0).iter_rows(named=True)
    ]
    return "; ".join(told).replace("-", MINUS)


def places_answer(measure: Places, mine: pl.DataFrame) -> str:
    """The best place of each source, or of all on few."""
    value = "gained" if measure.grid else "value"
    told = []
    for source in dict.fromkeys(mine["series"]):
        rows = mine.filter(pl.col("series") == source)
        best = rows.sort(value, descending=True, maintain_order=True).row(0, named=True)
        worst = rows.sort(value, maintain_order=True).row(0, named=True)
        words = f"{source.replace('_', ' ')}: most {best['row']} ({number(best[value])})"
        told.append(words if measure.grid else f"{words}, least {worst['row']} ({number(worst[value])})")
    return f"{'; '.join(told)}, {measure.unit}"
