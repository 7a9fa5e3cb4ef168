"""How numbers stand in tables and pages."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import polars as pl

from pipeline.analysis.model import Kind

MINUS = "\u2212"


def shown(value: Any, kind: Kind = "text") -> str:
    """A value as a person reads it; nothing for what is not there."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return "" if value is None or math.isnan(value) else ("\u221e" if value > 0 else MINUS + "\u221e")
    if kind == "text":
        return str(value)
    if kind == "whole":
        text = f"{round(value):,}"
    elif kind == "share":
        text = f"{100 * value:.1f}%"
    elif kind == "points":
        text = f"{value:+.1f}"
        text = text[1:] if text in ("+0.0", "-0.0") else text
    elif kind == "p":
        return "< 0.001" if value < 0.001 else f"{value:.3f}"
    else:
        text = f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.0f}"
    return text.replace("-", MINUS)


def plain_frame(frame: pl.DataFrame) -> dict[str, list[Any]]:
    """A frame as lists by column, without what JSON cannot say (NaN, infinity)."""
    return {
        name: [None if isinstance(v, float) and not math.isfinite(v) else v for v in frame[name].to_list()]
        for name in frame.columns
    }


def kind_of(dtype: pl.DataType) -> Kind:
    """How a figure's column is written when nothing else is said."""
    if dtype.is_integer():
        return "whole"
    return "number" if dtype.is_numeric() else "text"


def words_of(columns: Sequence[str]) -> list[str]:
    """Column names as headings."""
    return [name.replace("_", " ") for name in columns]
