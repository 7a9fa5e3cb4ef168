"""Figure 2, and skill against luck: what remains of the seats when it is known who sat there."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from pipeline.analysis.context import Context, Question, answered
from pipeline.analysis.model import Column, FigureData, TableData
from pipeline.stats.errors import NotEnough
from pipeline.stats.logit import adjusted_seats
from pipeline.stats.patterns import count_patterns
from pipeline.stats.seats import seat_shares
from pipeline.stats.skill import held_out_log_loss, variance_split

SKILL_ADJUSTED = Question(
    2, "skill_adjusted", "Do the seats still matter once it is known who sat there?", "games",
    "win share, percentage points from 1/n", "95% intervals",
)  # fmt: skip
NO_PLAYERS = "needs the players' names, the records have none"
RATED_GAMES = 3_000
LEAST_GAMES_A_PLAYER = 5.0
ENOUGH_GAMES_A_PLAYER = 50.0
"""From here on the adjusted intervals cover (nearly) as they should: `plybook study skill`."""


def skill_adjusted(context: Context) -> FigureData:
    """Figure 2: seat shares raw, and among equal players by fractional conditional logit."""
    rows, lacks, few = [], [], False
    for cell in context.cells:
        found = _tables(context, cell.key, cell.players)
        if found is None:
            continue
        shares, players = found
        try:
            effects = adjusted_seats(shares, players)
        except NotEnough as lack:
            lacks.append(str(lack))
            continue
        if (effects.games_per_player or 0.0) < LEAST_GAMES_A_PLAYER:
            lacks.append(f"needs players with {LEAST_GAMES_A_PLAYER:g} games each, they have fewer")
            continue
        few = few or (effects.games_per_player or 0.0) < ENOUGH_GAMES_A_PLAYER
        fair = 1 / cell.players
        raw = seat_shares(count_patterns(shares))
        for seat, (p, band) in enumerate(zip(effects.win_probability, effects.win_intervals(), strict=True)):
            rows.append(
                (cell.key, seat, len(shares), *_pp(raw[seat].share, raw[seat].interval, fair), *_pp(p, band, fair),
                 effects.games_per_player)
            )  # fmt: skip
    if not rows:
        raise NotEnough(lacks[0] if lacks else NO_PLAYERS)
    names = (
        "cell", "seat", "n", "raw", "raw_low", "raw_high", "adjusted", "adjusted_low", "adjusted_high", "games_a_player"
    )  # fmt: skip
    frame = pl.DataFrame(rows, schema=names, orient="row")
    frame = frame.with_columns((pl.col("adjusted") - pl.col("raw")).alias("change"))
    most = frame.sort(pl.col("change").abs(), "cell", "seat", descending=[True, False, False]).row(0, named=True)
    answer = (
        f"Knowing the players moves no seat by more than {abs(most['change']):.1f} points "
        f"(seat {most['seat'] + 1}, {context.by_key[most['cell']].label}: {most['raw']:+.1f} raw, "
        f"{most['adjusted']:+.1f} among equal players, "
        f"95% {most['adjusted_low']:+.1f} to {most['adjusted_high']:+.1f})."
    )
    notes = [f"From at most {context.sample.most:,} games a cell, taken at random."]
    if few:
        notes.append(f"Players with fewer than {ENOUGH_GAMES_A_PLAYER:g} games each are corrected for in part only.")
    n = int(frame.unique("cell")["n"].sum())
    return answered(context, SKILL_ADJUSTED, frame, answer, answer, notes=notes, n=n)


def _pp(share: float, band: Any, fair: float) -> tuple[float, float, float]:
    return 100 * (share - fair), 100 * (band[0] - fair), 100 * (band[1] - fair)


def _tables(context: Context, key: str, players: int) -> tuple[Any, Any] | None:
    """Win shares in 60ths and players' numbers, (games, seats); None where no player is known."""
    mine = context.sample.seats.filter(pl.col("cell") == key).sort("game_id", "seat")
    if not mine.height or mine["player"].null_count() == mine.height:
        return None
    codes = mine["player"].rank("dense").fill_null(0).to_numpy().astype(np.int64) - 1
    shape = (-1, players)
    return mine["win60"].to_numpy().astype(np.int64).reshape(shape), codes.reshape(shape)


def skill_table(context: Context) -> TableData:
    """Skill against luck by cell: split of the variance, and what ratings foretell."""
    rows = []
    for cell in context.cells:
        row: dict[str, Any] = {"cell": cell.label}
        mine = context.sample.seats.filter((pl.col("cell") == cell.key) & pl.col("player").is_not_null())
        if not mine.height:
            continue
        lacks = []
        for part in (_split, _foretold):
            try:
                row |= part(context, cell.key, mine)
            except NotEnough as lack:
                lacks.append(str(lack))
        row["lacks"] = "; ".join(dict.fromkeys(lacks))
        rows.append(row)
    schema = {
        "cell": pl.String, "players": pl.Int64, "reliability": pl.Float64, "reliability_low": pl.Float64,
        "reliability_high": pl.Float64, "games_for_half": pl.Float64, "forecast": pl.Int64, "skill_score": pl.Float64,
        "gain": pl.Float64, "gain_low": pl.Float64, "gain_high": pl.Float64, "lacks": pl.String,
    }  # fmt: skip
    columns = (
        Column("cell", "Cell"),
        Column("players", "Players", "whole"),
        Column("reliability", "Skill's part of the differences", "share"),
        Column("reliability_low", "95% from", "share"),
        Column("reliability_high", "to", "share"),
        Column("games_for_half", "Games a player for half", "whole"),
        Column("forecast", "Games foretold", "whole"),
        Column("skill_score", "Foretold better than 1/n by", "share"),
        Column("lacks", "Lacking"),
    )
    note = (
        "Skill's part: variance of the players' win rates beyond chance, over all of it. Foretold: log loss of ratings"
        f" (openskill) before each game against 1/n, over at most {RATED_GAMES:,} games of the sample in their order."
    )
    return TableData("skill", "Skill against luck", columns, pl.DataFrame(rows, schema=schema), note)


def _split(context: Context, key: str, mine: pl.DataFrame) -> dict[str, Any]:
    players = mine.group_by("player").agg(pl.col("win60").sum(), pl.len().alias("games")).sort("player")
    found = variance_split((players["win60"] / 60).to_list(), players["games"].to_list())
    return {
        "players": found.players, "reliability": found.reliability, "reliability_low": found.reliability_interval.low,
        "reliability_high": found.reliability_interval.high, "games_for_half": found.games_for_half,
    }  # fmt: skip


def _foretold(context: Context, key: str, mine: pl.DataFrame) -> dict[str, Any]:
    order = context.sample.order.filter(pl.col("cell") == key).head(RATED_GAMES).with_row_index("at")
    whole = mine.join(order.select("game_id", "at"), on="game_id").sort("at", "seat")
    numbers = whole["player"].rank("dense").to_numpy().astype(np.int64)
    whole = whole.with_columns(pl.Series("number", numbers))
    games = [
        (players, ranks)
        for players, ranks in whole.group_by("at", maintain_order=True)
        .agg(pl.col("number"), pl.col("rank"))
        .select("number", "rank")
        .iter_rows()
        if len(set(players)) == len(players) > 1
    ]
    if not games:
        raise NotEnough("needs games with a different player at each seat, has none")
    found = held_out_log_loss(games)
    low, high = found.gain.interval or (found.gain.mean, found.gain.mean)
    return {
        "forecast": found.games, "skill_score": found.skill_score, "gain": found.gain.mean, "gain_low": low,
        "gain_high": high,
    }  # fmt: skip
