"""One variant's effect on one metric: paired by seed, or by labels dealt anew among sessions or among games."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from pipeline.stats import distributions as dist
from pipeline.stats.effects import EffectSize, hedges_g, paired_g
from pipeline.stats.errors import NotEnough
from pipeline.stats.labels import LabelTest, label_test, paired_test

LEAST_PAIRS = 30
PAIRED, BY_SESSION, BY_GAME = "paired by seed", "by session", "by game"
"""How the words on a method begin."""

Strata = Sequence[tuple[pl.DataFrame, pl.DataFrame]]
"""(with the variant, without), `value, seeded, session` a game; one a player count and set of other options."""


@dataclass(frozen=True)
class Effect:
    """Difference of means with - without, within strata; g is over the spread between games."""

    n_on: int
    n_off: int
    mean_on: float
    mean_off: float
    difference: float
    g: float
    low: float
    high: float
    p: float
    method: str


def effect(strata: Strata, seed: int) -> Effect | None:
    """The effect over all strata; None where the values do not vary."""
    matched = [pairs_of(on, off) for on, off in strata]
    paired = all(
        pairs.height >= LEAST_PAIRS and 2 * pairs.height >= min(on.height, off.height)
        for pairs, (on, off) in zip(matched, strata, strict=True)
    )
    if paired:
        strata = [(pairs.select("value"), pairs.select(pl.col("value_off").alias("value"))) for pairs in matched]
    sides = [(on["value"].to_numpy(), off["value"].to_numpy()) for on, off in strata]
    sizes = _sizes(sides, paired)
    if not sizes:
        return None
    on, off = (np.concatenate([two[i] for two in sides]) for i in (0, 1))
    if paired:
        test = paired_test(on, off, seed)
        difference, p = test.difference.mean, test.p
        method = f"{PAIRED}, {len(on):,} pairs; {test.method}"
    else:
        try:
            dealt, method = _dealt(strata, seed)
        except NotEnough:
            return None
        difference, p = dealt.difference, dealt.p
    weights = np.array([1 / size.se**2 for size in sizes])
    g = float(weights @ np.array([size.value for size in sizes]) / weights.sum())
    half = dist.critical_z(0.95) / math.sqrt(float(weights.sum()))
    return Effect(len(on), len(off), float(on.mean()), float(off.mean()), difference, g, g - half, g + half, p, method)


def pairs_of(on: pl.DataFrame, off: pl.DataFrame) -> pl.DataFrame:
    """Games simulated from the same seed with and without: columns of `on`, and `value_off`."""
    sides = [side.filter(pl.col("seeded").is_not_null() & pl.col("seeded").is_unique()) for side in (on, off)]
    return sides[0].join(sides[1], on="seeded", suffix="_off").sort("seeded")


def _sizes(sides: Sequence[tuple[Any, Any]], paired: bool) -> list[EffectSize]:
    """Hedges g of the strata in which values vary; a size without error (all pairs alike) tells nothing."""
    found = []
    for on, off in sides:
        try:
            size = paired_g(on, off) if paired else hedges_g(on, off)
        except NotEnough:
            continue
        if size.se > 0:
            found.append(size)
    return found


def _dealt(strata: Strata, seed: int) -> tuple[LabelTest, str]:
    """The label test, by session where that can be, and how it was made."""
    whole = pl.concat(
        side.select("value", "session", pl.lit(label).alias("on"), pl.lit(i).alias("stratum"))
        for i, two in enumerate(strata)
        for label, side in zip((1, 0), two, strict=True)
    )
    values, on, stratum = (whole[name].to_numpy() for name in ("value", "on", "stratum"))
    hint = ""
    if _of_one_variant(whole):
        try:
            test = label_test(values, on, stratum, seed, session=whole["session"].to_numpy())
            return test, f"{BY_SESSION}, {test.units:,} sessions; {test.method}"
        except NotEnough:
            hint = ", as sessions cannot be swapped"
    test = label_test(values, on, stratum, seed)
    return test, f"{BY_GAME}{hint}; {test.method}"


def _of_one_variant(whole: pl.DataFrame) -> bool:
    """Whether every game has its session, no session played both variants, and some played several games."""
    sessions = whole["session"]
    if sessions.null_count() or sessions.n_unique() == whole.height:
        return False
    return whole.select("session", "on").n_unique() == sessions.n_unique()


def method_note(methods: Sequence[str]) -> str:
    """How the p of some effects were made, in sentences."""
    said = []
    for begin, words in (
        (PAIRED, "games simulated from the same seeds are paired"),
        (BY_SESSION, "labels permuted by session (one source on one day, UTC); intervals take games as independent"),
        (BY_GAME, "labels permuted by game"),
    ):
        count = sum(method.startswith(begin) for method in methods)
        if count:
            part = f"{count} of {len(methods)} effects: " if count < len(methods) else ""
            said.append(f"{part}{words}.")
    return " ".join(sentence[:1].upper() + sentence[1:] for sentence in said)
