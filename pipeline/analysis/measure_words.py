"""The answers of a title's own measures in one sentence each, about one cell's rows of their frames."""

from __future__ import annotations

import polars as pl

from pipeline.analysis.seat_figures import ordinal
from pipeline.title_counts import TOGETHER
from pipeline.titles.measure import Bars, Matrix, Places, Starter

TOLD = 4
"""Rows that a sentence names all; of more the highest and the lowest."""


def number(value: float, percent: bool = False) -> str:
    """`2.35`, or `31%`; small percentages with one decimal."""
    if percent:
        return f"{value:.0f}%" if value >= 9.5 or value == 0 else f"{value:.1f}%"
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"


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
    """The row in which two seats' intervals are furthest apart, as part of the higher value."""
    best, found = 0.0, "no two seats' intervals are apart"
    for (row,), seats in mine.filter(pl.col("seat") != TOGETHER).group_by(["row"], maintain_order=True):
        rows = seats.sort("value", "seat").to_dicts()
        low, high = rows[0], rows[-1]
        gap = (high["low"] - low["high"]) / max(abs(high["value"]), abs(low["value"]), 1e-9)
        if gap > best:
            best = gap
            value = [number(each["value"], measure.percent) for each in (low, high)]
            found = (
                f"seats differ most in {row or 'it'}: {value[0]} ({ordinal(low['seat'])}) against {value[1]} "
                f"({ordinal(high['seat'])})"
            )
    return found


def matrix_answer(measure: Matrix, mine: pl.DataFrame) -> str:
    """The pair with most, and one's own beside the others'."""
    others = mine.filter(pl.col("seat") != pl.col("target"))
    top = others.sort("value", "seat", "target", descending=[True, False, False]).row(0, named=True)
    own = float(mine.filter(pl.col("seat") == pl.col("target"))["value"].mean() or 0.0)
    mean = float(others["value"].mean() or 0.0)
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
    return "; ".join(told).replace("-", "\u2212")


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
