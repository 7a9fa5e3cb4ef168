"""The tables of a report: exclusions, games per cell, verdicts, games still needed, methods."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from pipeline.analysis.exclusions import Shift
from pipeline.analysis.model import Cell, CellLine, Column, FigureData, TableData
from pipeline.analysis.verdicts import open_seats
from pipeline.stats import power
from pipeline.stats.verdicts import LEAST_GAMES

NEEDED_NOTE = (
    "Planned with power 80%: what 8 of 10 such series of games would show, if one seat were off and the rest alike."
    " Percentage points of win share; not what was observed."
)
METHODS = (
    ("Cells", "One title, board, set of options and player count; finished games with a result. Nothing is pooled."),
    ("Win share", "1/k for each of k joint winners; Wilson interval at the effective number of games."),
    ("Verdict", "Inside: the 90% interval lies within 1/n ± delta. Significant: exact binomial test at the"
     " effective number of games, p < 0.05 after Holm's correction over the seats. Inside only: balanced; both:"
     " trivial difference; significant only: advantaged or disadvantaged; neither: inconclusive."
     " All seats balanced: intersection-union, no correction."),
    ("Turn-order trend", "One degree of freedom, scores (2s - n - 1)/(n - 1), stratified by cell."),
    ("Seat test", "Win shares permuted within games; exact when small, Monte Carlo else."),
    ("Games still needed", "Power 80%: for the verdict to find one seat that is delta off, or to show a fair seat"
     " to be within it."),
    ("Skill-adjusted", "Fractional conditional logit of seat with player effects, normal prior of SD 3; sandwich"
     " errors."),
    ("Scores", "Means with Student's t interval; quantiles from all scores, counted."),
    ("Exchange", "Rates per turn in which the act was open, Wilson; association with winning by conditional logit in"
     " (game, turn) strata, clustered by game: an association, no effect."),
    ("Clustered by session", "A session is what one source played on one day (UTC): linearised ratio mean, Student's t"
     " with a degree of freedom less than sessions."),
    ("First exchange", "Kaplan-Meier over the seats of each game that have not done it yet; Greenwood, log(-log)."),
    ("Variants", "Differences within player count; Hedges g; Benjamini-Hochberg over the table. Games simulated from"
     " the same seeds are paired (sign flips); else labels are permuted, by session where each session played one"
     " variant only, else by game."),
    ("Variants over player counts", "Mantel-Haenszel risk difference (Sato) and odds ratio (Robins, Breslow and"
     " Greenland); Cochran-Mantel-Haenszel; Breslow-Day: are the strata's odds ratios alike?"),
    ("The title's own measures", "Sums over turns by games, by turns or by other sums: ratios with games as clusters,"
     " Student's t or (shares) Wilson at the effective number of trials. Seats differ by more than chance: Bonferroni"
     " over rows and pairs of seats. What a place in an epoch's order goes with is an association."),
    ("Evidence over time", "Dirichlet-mixture e-value, a = 15 a seat, bound 20: valid at any time."),
)  # fmt: skip


def cells_table(cells: Sequence[Cell], varying: Sequence[str]) -> TableData:
    """Games per cell; `varying` are the options that differ."""
    rows = [
        {
            "cell": cell.label, "players": cell.players, "board": cell.board,
            **{f"option {name}": _text(cell.options.get(name)) for name in varying},
            "games": cell.games, "counted": cell.counted, "left_out": cell.games - cell.counted,
        }
        for cell in cells
    ]  # fmt: skip
    # An option may be called `board` too: it says what the board's id says, in the words of the rules.
    shown = any(cell.board for cell in cells) and "board" not in varying
    columns = (
        Column("cell", "Cell"),
        *([Column("board", "Board")] if shown else []),
        *(Column(f"option {name}", name.replace("_", " ").capitalize()) for name in varying),
        Column("games", "Games", "whole"),
        Column("counted", "Counted", "whole"),
        Column("left_out", "Left out", "whole"),
    )
    return TableData("cells", "Games per cell", columns, pl.DataFrame(rows))


def _text(value: object) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def verdict_table(lines: Sequence[CellLine]) -> TableData:
    """Every seat of every cell with its intervals, tests and verdict."""
    rows = [
        {
            "cell": cell.label, "seat": seat.seat + 1, "games": seat.games, "share": seat.share,
            "difference": seat.difference, "low95": seat.interval95[0], "high95": seat.interval95[1],
            "low90": seat.interval90[0], "high90": seat.interval90[1], "p": seat.p, "p_adjusted": seat.p_adjusted,
            "verdict": seat.verdict,
        }
        for cell in lines
        for seat in cell.seats
    ]  # fmt: skip
    columns = (
        Column("cell", "Cell"),
        Column("seat", "Seat", "whole"),
        Column("games", "Games", "whole"),
        Column("share", "Win share", "share"),
        Column("difference", "From 1/n", "points"),
        Column("low95", "95% from", "points"),
        Column("high95", "to", "points"),
        Column("p", "p", "p"),
        Column("p_adjusted", "p (Holm)", "p"),
        Column("verdict", "Verdict"),
    )
    note = (
        f"Points are percentage points. No verdict below {LEAST_GAMES} games. p: binomial test, in small cells more"
        " cautious than the interval; family of Holm: the seats of a cell."
    )
    return TableData("verdicts", "Verdict per seat", columns, pl.DataFrame(rows), note)


def needed_table(lines: Sequence[CellLine], delta: float) -> TableData:
    """Games still needed per cell, and what the games at hand could have detected."""
    rows = []
    for line in lines:
        seats = len(line.seats)
        rows.append(
            {
                "cell": line.label, "games": line.games,
                "detectable": 100 * power.findable(seats, line.games) if line.games else None,
                "plan_detect": power.games_to_find(seats, delta / 100),
                "plan_balanced": power.games_for_joint_equivalence(seats, delta / 100),
                "needed": line.games_still_needed, "needed_seats": max(line.games_still_needed, open_seats(line)[1]),
            }
        )  # fmt: skip
    columns = (
        Column("cell", "Cell"),
        Column("games", "Games", "whole"),
        Column("detectable", "Smallest advantage that these games would show", "points"),
        Column("plan_detect", f"Games to show {delta:g} points", "whole"),
        Column("plan_balanced", "Games to show all seats balanced", "whole"),
        Column("needed", "Still needed for the cell's verdict", "whole"),
        Column("needed_seats", "for every seat's", "whole"),
    )
    return TableData("needed", "Games still needed", columns, pl.DataFrame(rows), NEEDED_NOTE)


def exclusions_table(reasons: pl.DataFrame) -> TableData:
    """Records left out by reason and fault (`reason, fault, records, with_result`)."""
    words = [pl.col("reason"), pl.col("fault").str.replace_all("_", " ").fill_null("")]
    columns = (
        Column("reason", "Reason"),
        Column("fault", "Fault"),
        Column("records", "Records", "whole"),
        Column("with_result", "With a known result", "whole"),
    )
    return TableData("exclusions", "Left out, by reason", columns, reasons.with_columns(words))


def shift_table(moved: Sequence[Shift]) -> TableData:
    """How far the result would move."""
    rows = [{"cell": s.label, "games": s.games, "seat": s.seat + 1, "largest": s.largest} for s in moved]
    schema = {"cell": pl.String, "games": pl.Int64, "seat": pl.Int64, "largest": pl.Float64}
    columns = (
        Column("cell", "Cell"),
        Column("games", "Left-out games with a known result", "whole"),
        Column("seat", "Seat that would move most", "whole"),
        Column("largest", "By", "points"),
    )
    return TableData("shifts", "If they were counted", columns, pl.DataFrame(rows, schema=schema))


def methods_table(figures: Sequence[FigureData], seed: int) -> TableData:
    """How each number was made."""
    rows = [{"what": what, "how": how} for what, how in METHODS]
    rows.append({"what": "Random numbers", "how": f"Monte Carlo and samples use seed {seed}."})
    rows += [
        {"what": f"Figure {data.number}: absent", "how": f"{data.question} {data.failure}."}
        for data in figures
        if data.failure
    ]
    return TableData("methods", "Methods", (Column("what", "What"), Column("how", "How")), pl.DataFrame(rows))
