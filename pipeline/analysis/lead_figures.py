"""Figures 6, 7 and 8: what a lead is worth, who comes back, when the game is decided."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from pipeline.analysis.context import Context, Question, absent, answered
from pipeline.analysis.model import FigureData
from pipeline.analysis.play_figures import NO_MOVES
from pipeline.stats import intervals
from pipeline.stats.dynamics import game_dynamics

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEADER_WINS = Question(
    6, "leader_wins", "How often does the leader at a moment go on to win?", "games",
    "percent of games won", "95% Wilson intervals",
)  # fmt: skip
COMEBACK = Question(
    7, "comeback", "How likely is a comeback?", "games", "win share in percent", "95% Wilson intervals in the numbers"
)
LEAD_CHANGES = Question(
    8, "lead_changes", "How often does the lead change, and when is the game decided?", "games",
    "lead changes a game; percent of the game played", "Wilson and t intervals in the numbers",
)  # fmt: skip
RUNAWAY_NOTE = "Joint leaders and joint winners count their share; all seats level is a lead of 1/n each."
BINS = 6
CHUNK = 1_000


def leader_wins(context: Context) -> FigureData:
    """Figure 6: P(leader wins) and the runaway index at eleven moments."""
    table = context.counts.read("leader_counts")
    if not table.height:
        return absent(context, LEADER_WINS, NO_MOVES)
    sums = table.group_by("cell", "phase", maintain_order=True).agg(pl.col("lead60").sum(), pl.col("lead_win").sum())
    rows = []
    for cell, phase, lead60, lead_win in sums.sort("cell", "phase").iter_rows():
        games, fair = lead60 // 60, 1 / context.by_key[cell].players
        low, high = intervals.wilson(lead_win / 3600, games)
        share = lead_win / 3600 / games
        rows.append((cell, phase, games, share, low, high, fair, (share - fair) / (1 - fair)))
    names = ("cell", "phase", "n", "share", "low", "high", "fair", "runaway")
    frame = pl.DataFrame(rows, schema=names, orient="row")
    half = frame.filter(pl.col("phase") == 5).sort("n", "cell", descending=[True, False]).row(0, named=True)
    label = context.by_key[half["cell"]].label
    answer = (
        f"With {label}, who leads at half time wins {100 * half['share']:.0f}% of the games "
        f"(95% {100 * half['low']:.0f} to {100 * half['high']:.0f}; {100 * half['fair']:.0f}% if a lead told nothing)."
    )
    return answered(context, LEADER_WINS, frame, answer, answer, notes=(RUNAWAY_NOTE,), most=4)


def comeback(context: Context) -> FigureData:
    """Figure 7: the win share of a seat so many points behind the leader, by phase."""
    table = context.counts.read("leader_counts").filter(pl.col("phase").is_between(1, 9))
    if not table.height:
        return absent(context, COMEBACK, NO_MOVES)
    parts = []
    for key in dict.fromkeys(table["cell"]):
        mine = table.filter(pl.col("cell") == key)
        width = _bin_width(mine)
        place = (
            pl.when(pl.col("deficit") == 0).then(0)
            .otherwise(((pl.col("deficit") - 1) // width + 1).clip(upper_bound=BINS))
        )  # fmt: skip
        binned = mine.with_columns(place.cast(pl.Int64).alias("bin"))
        sums = binned.group_by("cell", "phase", "bin").agg(pl.col("seats").sum(), pl.col("win60").sum())
        parts.append(sums.with_columns(pl.lit(width).cast(pl.Int64).alias("width")))
    rows = []
    for row in pl.concat(parts).sort("cell", "phase", "bin").iter_rows(named=True):
        low, high = intervals.wilson(row["win60"] / 60, row["seats"])
        behind = _behind(row["bin"], row["width"])
        share = row["win60"] / 60 / row["seats"]
        rows.append((row["cell"], row["phase"], row["bin"], behind, row["seats"], share, low, high))
    names = ("cell", "phase", "bin", "behind", "seats", "share", "low", "high")
    frame = pl.DataFrame(rows, schema=names, orient="row")
    answer = _comeback_answer(context, frame)
    notes = ("Seats by their points behind the leader at that moment; level with the leader counts as leading.",)
    return answered(context, COMEBACK, frame, answer, answer, notes=notes, most=4)


def _bin_width(mine: pl.DataFrame) -> int:
    """A round width so that three in four deficits lie in BINS - 1 bins."""
    behind = mine.filter(pl.col("deficit") > 0).group_by("deficit").agg(pl.col("seats").sum()).sort("deficit")
    if not behind.height:
        return 1
    total = behind["seats"].cum_sum()
    reach = int(behind.filter(total >= 0.75 * total[-1])["deficit"][0])
    least = -(-reach // (BINS - 1))
    steps: list[int] = [step * 10**e for e in range(12) for step in (1, 2, 5)]
    return next(step for step in steps if step >= least)


def _behind(place: int, width: int) -> str:
    if place == 0:
        return "leads"
    low, high = (place - 1) * width + 1, place * width
    if place == BINS:
        return f"{low}+"
    return f"{low}" if low == high else f"{low}\u2013{high}"


def _comeback_answer(context: Context, frame: pl.DataFrame) -> str:
    key = max(context.cells, key=lambda cell: cell.counted).key
    half = frame.filter((pl.col("cell") == key) & (pl.col("phase") == 5) & (pl.col("bin") > 0))
    if not half.height:
        return "At half time nobody is behind."
    row = half.sort("seats", "bin", descending=[True, False]).row(0, named=True)
    return (
        f"With {context.by_key[key].label}, a seat {row['behind']} points behind at half time still wins "
        f"{100 * row['share']:.0f}% of the games (95% {100 * row['low']:.0f} to {100 * row['high']:.0f})."
    )


def lead_changes(context: Context) -> FigureData:
    """Figure 8: strict lead changes a game, and when the final winner leads for good."""
    metrics = dynamics(context)
    if not metrics.height:
        return absent(context, LEAD_CHANGES, NO_MOVES)
    parts = []
    for part, column in (("changes", "lead_changes"), ("clinch", "clinch_bin")):
        binned = metrics.with_columns((pl.col("clinch") * 10).ceil().cast(pl.Int64).alias("clinch_bin"))
        counted = binned.filter(pl.col(column).is_not_null()).group_by("cell", column).len("count")
        parts.append(
            counted.select(
                "cell", pl.lit(part).alias("part"), pl.col(column).cast(pl.Int64).alias("value"),
                pl.col("count").cast(pl.Int64),
            )
        )  # fmt: skip
    frame = pl.concat(parts).sort("cell", "part", "value")
    total = pl.col("count").sum().over("cell", "part")
    frame = frame.with_columns((pl.col("count") / total).alias("share"), total.alias("n"))
    means = metrics.group_by("cell").agg(
        pl.col("lead_changes").mean().alias("mean_changes"), pl.col("clinch").median().alias("median_clinch")
    )
    frame = frame.join(means, on="cell").sort("cell", "part", "value")
    key = max(context.cells, key=lambda cell: cell.counted).key
    mine = means.filter(pl.col("cell") == key).row(0, named=True)
    clinch = mine["median_clinch"]
    answer = f"With {context.by_key[key].label} the lead changes {mine['mean_changes']:.1f} times a game" + (
        f", and half of the games are decided by {100 * clinch:.0f}% of their events." if clinch is not None else "."
    )
    notes = (
        "A lead change is a new single leader; decided: from then on the final winner always leads."
        f" From at most {context.sample.most:,} games a cell, taken at random.",
    )
    return answered(context, LEAD_CHANGES, frame, answer, answer, notes=notes, n=metrics.height, most=6)


METRICS = {
    "cell": pl.String, "game_id": pl.Int64, "lead_changes": pl.Int64, "clinch": pl.Float64, "drama": pl.Float64,
    "comeback": pl.Int64, "shared_win": pl.Int64,
}  # fmt: skip


def dynamics(context: Context) -> pl.DataFrame:
    """Metrics of the sample's games at the moments at which points were made; columns as in METRICS."""
    if context.cache.get("dynamics") is None:
        context.cache["dynamics"] = _dynamics(context)
    found: pl.DataFrame = context.cache["dynamics"]
    return found


def _dynamics(context: Context) -> pl.DataFrame:
    games = context.sample.games.filter(pl.col("plies") > 0)
    events = context.sample.score_events()
    parts = [pl.DataFrame(schema=METRICS)]
    for (key,), mine in games.sort("cell", "game_id").group_by(["cell"], maintain_order=True):
        players = context.by_key[str(key)].players
        seats = context.sample.seats.filter(pl.col("cell") == key).sort("game_id", "seat")
        own = events.filter(pl.col("cell") == key)
        for at in range(0, mine.height, CHUNK):
            parts.append(_metrics(mine.slice(at, CHUNK), seats, own, players))
    return pl.concat(parts).sort("cell", "game_id")


def _metrics(games: pl.DataFrame, seats: pl.DataFrame, events: pl.DataFrame, players: int) -> pl.DataFrame:
    """Metrics of some games of one cell."""
    index = games.select("game_id").with_row_index("g")
    mine = events.join(index, on="game_id").sort("g", "ply", "seat")
    steps = mine.select("g", "ply").unique().sort("g", "ply")
    steps = steps.with_columns((pl.int_range(pl.len()).over("g") + 1).alias("step"))
    mine = mine.join(steps, on=["g", "ply"])
    lengths = np.ones(games.height, np.int64)
    np.maximum.at(lengths, steps["g"].to_numpy(), steps["step"].to_numpy() + 1)
    # A game in which nobody scored has its start and its end.
    lengths = np.maximum(lengths, 2)
    final = seats.join(index, on="game_id").sort("g", "seat")
    shape = (games.height, players)
    score = final["score"].to_numpy().reshape(shape).astype(np.float64)
    won = final["win60"].to_numpy().reshape(shape) > 0
    table = np.zeros((games.height, int(lengths.max()), players))
    np.add.at(
        table, (mine["g"].to_numpy(), mine["step"].to_numpy(), mine["seat"].to_numpy()), mine["points"].to_numpy()
    )
    start = score - table.sum(axis=1)
    table[:, 0, :] += start
    found = game_dynamics(np.cumsum(table, axis=1), won, lengths)
    plies = np.zeros((games.height, table.shape[1]))
    plies[steps["g"].to_numpy(), steps["step"].to_numpy()] = steps["ply"].to_numpy() + 1
    return pl.DataFrame(_columns(games, found, plies), schema=METRICS)


def _columns(games: pl.DataFrame, found: Any, plies: NDArray[np.float64]) -> dict[str, Any]:
    # All are level at the start, which is no lead: who leads from the first points on, leads from then.
    at = np.maximum(found.clinch_index, 1)
    clinch = plies[np.arange(len(plies)), at] / games["plies"].to_numpy()
    decided = pl.Series(np.where(found.clinch_index >= 0, clinch, np.nan)).fill_nan(None)
    return {
        "cell": games["cell"], "game_id": games["game_id"], "lead_changes": found.lead_changes_strict,
        "clinch": decided, "drama": found.drama_mean_deficit,
        "comeback": found.comeback_from_mid.astype(np.int64), "shared_win": found.shared_win.astype(np.int64),
    }  # fmt: skip
