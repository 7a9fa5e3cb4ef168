"""Figures 11, 12 and 13: when the card exchange, or what stands for it, is chosen, and whether it goes with winning."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from pipeline.analysis.context import Context, Question, absent, answered
from pipeline.analysis.model import FigureData, highest
from pipeline.analysis.seat_figures import ordinal
from pipeline.stats.errors import NotEnough
from pipeline.stats.exchange import exchange_association, exchange_rates, hazard_table, naive_difference
from pipeline.stats.means import mean_of

HAZARD = Question(
    11, "exchange_hazard", "When is the card exchanged, turn by turn?", "turns in which it was open",
    "percent of turns in which it was open", "95% Wilson intervals",
)  # fmt: skip
RATE = Question(
    12, "exchange_rate", "Which seats exchange cards, and when?", "turns in which it was open",
    "percent of turns in which it was open", "95% Wilson intervals in the numbers",
)  # fmt: skip
WINS = Question(
    13, "exchange_wins", "Does exchanging a card go with winning?", "turns in which it was open",
    "win share in percentage points; odds ratio of winning", "95% intervals, clustered by game",
)  # fmt: skip
PHASES = 6
LEAST_PART = 0.01
NO_CHOICE = "this title has no card exchange and nothing that stands for it"
NO_TURNS = "needs games with moves in which the choice can be told, has none"


def asked(context: Context, question: Question) -> Question:
    """The question in the title's own words."""
    if context.choice is None:
        return question
    act = context.choice.act
    words = {
        HAZARD.slug: f"How often do players go for {act}, turn by turn?",
        RATE.slug: f"Which seats go for {act}, and when?",
        WINS.slug: f"Does {act} go with winning?",
    }
    return replace(question, question=words[question.slug], counted=f"turns in which {act} was open")


def with_choice(question: Question, make: Callable[[Context, pl.DataFrame], FigureData]) -> Any:
    """A figure of the title's choice: absent where there is none, or no turn of it."""

    def figure(context: Context) -> FigureData:
        if context.choice is None:
            return absent(context, question, NO_CHOICE if context.has_rules else NO_TURNS)
        table = context.counts.read("opportunity_counts").filter(pl.col("known") > 0)
        if not table.height:
            return absent(context, asked(context, question), NO_TURNS)
        players = pl.DataFrame([(c.key, c.players) for c in context.cells], schema=("cell", "seats"), orient="row")
        table = table.join(players, on="cell", maintain_order="left")
        return make(context, table.with_columns((pl.col("turn") // pl.col("seats")).alias("round")))

    return figure


def _hazard(context: Context, table: pl.DataFrame) -> FigureData:
    rows = []
    names = ("open", "done", "choice", "chosen", "forced", "turns")
    sums = table.group_by("cell", "round").agg(pl.col(name).sum() for name in names).sort("cell", "round")
    for key in dict.fromkeys(table["cell"]):
        mine = sums.filter(pl.col("cell") == key)
        whole = int(mine["open"].sum())
        hazards = hazard_table(mine["open"].to_list(), mine["done"].to_list(), False)
        counts = {round_ + 1: row for round_, row in zip(mine["round"], mine.iter_rows(named=True), strict=True)}
        positions = {i + 1: round_ + 1 for i, round_ in enumerate(mine["round"])}
        for hazard in hazards:
            at = positions[hazard.turn]
            row = counts[at]
            steady = hazard.opportunities >= max(20, LEAST_PART * whole / mine.height)
            rows.append(
                (key, at, hazard.opportunities, hazard.events, row["choice"], row["chosen"], row["forced"],
                 row["turns"], hazard.hazard, *hazard.interval, steady)
            )  # fmt: skip
    columns = (
        "cell", "round", "open", "done", "choice", "chosen", "forced", "turns", "hazard", "low", "high", "steady",
    )  # fmt: skip
    frame = pl.DataFrame(rows, schema=columns, orient="row")
    frame = frame.join(_first_times(context), on=["cell", "round"], how="left", maintain_order="left")
    key = max(context.cells, key=lambda cell: cell.counted).key
    mine = frame.filter((pl.col("cell") == key) & pl.col("steady")).sort("round")
    shown = mine if mine.height else frame.sort("cell", "round")
    first, last = shown.row(0, named=True), shown.row(-1, named=True)
    answer = (
        f"With {context.by_key[first['cell']].label}, {_act(context)} is taken in {100 * first['hazard']:.0f}% of the "
        f"turns that allow it in round {first['round']}, and in {100 * last['hazard']:.0f}% in round {last['round']}."
    )
    notes = (
        "A round is one turn of each player. Rounds with few such turns are left to the numbers,"
        " where chosen and forced stand apart. There too: who has not done it yet (Kaplan-Meier, per seat and game).",
    )
    return answered(
        context, asked(context, HAZARD), frame, answer, answer, notes=notes, n=int(frame["open"].sum()), most=4
    )


def _first_times(context: Context) -> pl.DataFrame:
    """`cell, round`, players who have not yet done it and do it first, and the part that has still not done it."""
    table = context.counts.read("first_exchange_counts")
    players = pl.DataFrame([(c.key, c.players) for c in context.cells], schema=("cell", "seats"), orient="row")
    table = table.join(players, on="cell").with_columns((pl.col("turn") // pl.col("seats") + 1).alias("round"))
    sums = table.group_by("cell", "round").agg(pl.col("at_risk", "first_done").sum()).sort("cell", "round")
    rows = []
    for key in dict.fromkeys(sums["cell"]):
        mine = sums.filter(pl.col("cell") == key)
        found = hazard_table(mine["at_risk"].to_list(), mine["first_done"].to_list(), True)
        for round_, row in zip(mine["round"], found, strict=True):
            low, high = row.survival_interval or (None, None)
            rows.append((key, round_, row.opportunities, row.events, row.survival, low, high))
    schema = {
        "cell": pl.String, "round": pl.Int64, "at_risk": pl.Int64, "first_done": pl.Int64, "not_yet": pl.Float64,
        "not_yet_low": pl.Float64, "not_yet_high": pl.Float64,
    }  # fmt: skip
    return pl.DataFrame(rows, schema=schema, orient="row")


def _rate(context: Context, table: pl.DataFrame) -> FigureData:
    rows = []
    for key in dict.fromkeys(table["cell"]):
        mine = table.filter(pl.col("cell") == key)
        for (phase, words, seat), part in (
            mine.join(_phases(mine), on="round").sort("phase", "seat", "round").group_by(
                ["phase", "words", "seat"], maintain_order=True)
        ):  # fmt: skip
            sums = part.select(pl.col("done", "open", "chosen", "choice", "forced", "turns").sum()).row(0)
            rates = exchange_rates(*sums)
            found = [
                value
                for rate in (rates.when_open, rates.chosen, rates.forced)
                for value in ((rate.rate, *rate.interval) if rate else (None, None, None))
            ]
            rows.append((key, seat, phase, words, *sums, *found))
    columns = ["cell", "seat", "phase", "rounds", "done", "open", "chosen", "choice", "forced", "turns"]
    columns += [f"{name}{end}" for name in ("rate", "chosen_rate", "forced_rate") for end in ("", "_low", "_high")]
    frame = pl.DataFrame(rows, schema=columns, orient="row", infer_schema_length=None).sort("cell", "seat", "phase")
    whole = frame.group_by("cell", "seat").agg(pl.col("done", "open").sum()).filter(pl.col("open") > 0)
    whole = whole.with_columns((pl.col("done") / pl.col("open")).alias("all")).sort("all", "cell", "seat")
    low, high = whole.row(0, named=True), whole.row(-1, named=True)
    answer = (
        f"Over the whole game {_act(context)} is taken in {100 * low['all']:.0f}% of the turns that allow it by the "
        f"{ordinal(low['seat'])} seat ({context.by_key[low['cell']].label}) and in {100 * high['all']:.0f}% by the "
        f"{ordinal(high['seat'])} ({context.by_key[high['cell']].label})."
    )
    return answered(context, asked(context, RATE), frame, answer, answer, n=int(frame["open"].sum()), most=4)


def _phases(mine: pl.DataFrame) -> pl.DataFrame:
    """Rounds in at most PHASES parts of one length; the long tail belongs to the last."""
    rounds = mine.group_by("round").agg(pl.col("open").sum()).sort("round")
    reached = rounds["open"].cum_sum() / max(1, rounds["open"].sum())
    last = int(rounds.filter(reached >= 0.95)["round"][0]) if rounds["open"].sum() else highest(rounds["round"])
    length = -(-(last + 1) // PHASES)
    count = -(-(last + 1) // length)
    rows = []
    for round_ in rounds["round"]:
        phase = min(round_ // length, count - 1)
        first, final = phase * length + 1, (phase + 1) * length
        words = f"{first}" if first == final else f"{first}\u2013{final}"
        rows.append((round_, phase, f"{first}+" if phase == count - 1 and count > 1 else words))
    return pl.DataFrame(rows, schema=("round", "phase", "words"), orient="row").cast({"round": mine.schema["round"]})


def _wins(context: Context, table: pl.DataFrame) -> FigureData:
    turns = table.group_by("cell").agg(pl.col("turns").sum())
    games = {cell.key: max(1, cell.counted) for cell in context.cells}
    longest = max(-(-count // games[key]) for key, count in turns.iter_rows())
    sample = context.sample.opportunities(longest)
    rows, lacks = [], {}
    for cell in context.cells:
        mine = sample.filter(pl.col("cell") == cell.key).sort("game_id", "turn", "seat")
        if not mine.height:
            continue
        try:
            rows.append((cell.key, *_association(mine, cell.players)))
        except NotEnough as lack:
            lacks[cell.label] = str(lack)
    if not rows:
        raise NotEnough(next(iter(lacks.values()), NO_TURNS))
    columns = (
        "cell", "sampled_games", "n", "done", "naive", "naive_low", "naive_high", "odds_ratio", "low", "high", "p",
        "strata",
    )  # fmt: skip
    frame = pl.DataFrame(rows, schema=columns, orient="row")
    best = frame.sort("n", "cell", descending=[True, False]).row(0, named=True)
    sure = "" if best["low"] <= 1 <= best["high"] else ", more than chance"
    answer = (
        f"With {context.by_key[best['cell']].label}, {_act(context)} goes with odds of winning times "
        f"{odds(best['odds_ratio'])} (95% {odds(best['low'])} to {odds(best['high'])}{sure}) among players of the same "
        "round; an association, not an effect."
    )
    notes = (
        "Adjusted: conditional logit within game and round, for score, deficit, seat and the alternative's being open."
        " Naive: win share after it less without, descriptive: who trails does it more."
        f" From at most {max(frame['sampled_games']):,} games a cell, taken at random.",
        *(f"{label}: {lack}." for label, lack in lacks.items()),
    )
    return answered(context, asked(context, WINS), frame, answer, answer, notes=notes, n=int(frame["n"].sum()), most=8)


def odds(value: float) -> str:
    """An odds ratio in words: two decimals, more where it is small."""
    return f"{value:.2f}" if value >= 0.1 else f"{value:.2g}" if value >= 0.001 else "below 0.001"


def _association(mine: pl.DataFrame, players: int) -> tuple[Any, ...]:
    """Naive difference (percentage points) and adjusted odds ratio of one cell's turns."""
    done = mine["done"].to_numpy() > 0
    share = mine["win60"].to_numpy() / 60
    if done.all() or not done.any():
        raise NotEnough("needs turns with and without it, has only one kind")
    naive = naive_difference(mean_of(share[done]), mean_of(share[~done]))
    low, high = naive.interval or (math.nan, math.nan)
    x, names = _covariates(mine, players)
    found = exchange_association(mine["game_id"].to_numpy(), mine["turn"].to_numpy() // players, done, share, x, names)
    return (
        mine["game_id"].n_unique(), mine.height, int(done.sum()), 100 * naive.difference, 100 * low, 100 * high,
        found.odds_ratio, *found.interval, found.p, found.strata,
    )  # fmt: skip


def _covariates(mine: pl.DataFrame, players: int) -> tuple[np.ndarray[Any, Any], list[str]]:
    """What was known before the decision, in units of its spread; columns that do not vary are left out."""
    columns = {
        "score": mine["score"].to_numpy().astype(np.float64),
        "deficit": mine["deficit"].to_numpy().astype(np.float64),
        "alternative": mine["other"].fill_null(0).to_numpy().astype(np.float64),
        **{f"seat {seat + 1}": (mine["seat"].to_numpy() == seat).astype(np.float64) for seat in range(players - 1)},
    }
    kept = _independent(mine, columns)
    values = [columns[name] / (columns[name].std() or 1.0) for name in kept]
    return np.stack(values, axis=1) if values else np.zeros((mine.height, 0)), kept


def _independent(mine: pl.DataFrame, columns: dict[str, np.ndarray[Any, Any]]) -> list[str]:
    """Columns that vary within rounds independently of those before them and of the act itself."""
    players = highest(mine["seat"]) + 1
    keys = mine.select("game_id", (pl.col("turn") // players).alias("round"))
    stratum = keys.with_columns(pl.struct("game_id", "round").rank("dense").alias("s"))["s"].to_numpy() - 1
    sizes = np.bincount(stratum)
    base = [(mine["done"].to_numpy() > 0).astype(np.float64)]
    kept: list[str] = []
    for name, values in columns.items():
        tried = [column - (np.bincount(stratum, column) / sizes)[stratum] for column in (*base, values)]
        matrix = np.stack(tried, axis=1)
        norms = np.linalg.norm(matrix, axis=0)
        if norms[-1] > 1e-9 and np.linalg.matrix_rank(matrix / np.where(norms > 0, norms, 1), tol=1e-6) == len(tried):
            base.append(values)
            kept.append(name)
    return kept


def _act(context: Context) -> str:
    return context.choice.act if context.choice else ""


hazard = with_choice(HAZARD, _hazard)
rate = with_choice(RATE, _rate)
wins = with_choice(WINS, _wins)
