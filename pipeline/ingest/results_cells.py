"""Cells of a results table, from text to numbers, and what can be wrong with one row.

Each typed column is computed for all rows at once; the words for what is wrong are found only for the
rows that are wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import polars as pl

from pipeline.ingest.results_mapping import Form, ResultsError
from pipeline.ingest.results_table import EXTRA
from pipeline.records import ENDINGS, KINDS
from pipeline.wording import listed, quoted

Row = Mapping[str, Any]

MAX_SEATS = 12
GREATEST = 2**31 - 1
DIGITS = 6
"""Most digits behind the decimal sign."""

YES = ("1", "true", "yes", "y", "x", "w", "win", "won", "winner", "✓", "✔")
NO = ("0", "false", "no", "n", "-", "l", "lose", "loss", "lost", "loser")

SEAT_NUMBER = r"^(?i)(?:seat|player|p)?[ ._#]*([0-9]{1,3})(?:\.|st|nd|rd|th)?$"
RANK_NUMBER = r"^(?i)[#]?([0-9]{1,5})(?:\.|st|nd|rd|th)?$"


@dataclass(frozen=True)
class Check:
    """A fault: where it is (an expression over rows or games), and its sentence for one of them."""

    fault: str
    where: pl.Expr
    say: Callable[[Row], str]


def first_fault(checks: tuple[Check, ...]) -> pl.Expr:
    """The index of the first check that fails, null where all is well."""
    return pl.coalesce(
        [pl.when(check.where).then(pl.lit(i, pl.Int8)) for i, check in enumerate(checks)] + [pl.lit(None, pl.Int8)]
    )


def typed(frame: pl.DataFrame, form: Form) -> pl.DataFrame:
    """Beside the texts their values: `score_value`, `rank_value`, `flag`, `count`, `end`, `moment` ...

    `frame` has the text columns FIELDS. `score_fault` and `moment_fault` name what is wrong there.
    """
    lower = {name: pl.col(name).str.to_lowercase() for name in ("winner", "ended", "kind")}
    return _with_moments(
        frame.with_columns(_score_parts(form.decimal)).with_columns(
            _score_value(form.score_factor),
            _score_fault(form),
            pl.col("rank").str.extract(RANK_NUMBER, 1).cast(pl.Int32).alias("rank_value"),
            pl.when(lower["winner"].is_in(YES)).then(True).when(lower["winner"].is_in(NO)).then(False).alias("flag"),
            pl.col("players").str.extract(r"^([0-9]{1,3})$", 1).cast(pl.Int32).alias("count"),
            pl.when(pl.col("ended").is_null()).then(pl.lit(ENDINGS[0]))
            .when(lower["ended"].is_in(ENDINGS)).then(lower["ended"]).alias("end"),
            pl.when(pl.col("kind").is_null()).then(pl.lit(KINDS[0]))
            .when(lower["kind"].is_in(KINDS)).then(lower["kind"]).alias("kind_value"),
        ),
        form,
    )  # fmt: skip


def _score_parts(decimal: str | None) -> list[pl.Expr]:
    """Sign, whole part and fraction of the score as texts; null when it is not a number."""
    text = pl.col("score").str.replace("−", "-", literal=True)
    fraction = rf"(?:{'[.,]' if decimal is None else re.escape(decimal)}([0-9]+))?"
    if decimal is None:
        pattern = rf"^([+-]?)([0-9]+){fraction}$"
    else:
        group = re.escape("," if decimal == "." else ".")
        pattern = rf"^([+-]?)([0-9]{{1,3}}(?:{group}[0-9]{{3}})+|[0-9]+){fraction}$"
    whole = text.str.extract(pattern, 2)
    return [
        text.str.extract(pattern, 1).alias("sign"),
        whole.str.replace_all(r"[.,]", "").str.replace(r"^0+([0-9])", "$1").alias("whole"),
        text.str.extract(pattern, 3).fill_null("").alias("fraction"),
    ]


def _millionths(factor: int) -> pl.Expr:
    """The score times factor in millionths, exact; null beyond ten digits."""
    fraction = pl.col("fraction").str.pad_end(DIGITS, "0").str.slice(0, DIGITS).cast(pl.Int64, strict=False)
    whole = pl.when(pl.col("whole").str.len_bytes() <= 10).then(pl.col("whole")).cast(pl.Int64, strict=False)
    size: pl.Expr = (whole * 10**DIGITS + fraction) * factor
    return pl.when(pl.col("sign") == "-").then(-size).otherwise(size)


def _score_value(factor: int) -> pl.Expr:
    whole: pl.Expr = _millionths(factor) // 10**DIGITS
    return whole.alias("score_value")


def _score_fault(form: Form) -> pl.Expr:
    """What is wrong with the score: number, thousands, range or fraction."""
    score = _millionths(form.score_factor)
    tail = pl.col("fraction").str.strip_chars_end("0")
    # Is 1,250 a thousand and more, or one and a quarter? Nobody can tell.
    unsure = (
        (pl.col("fraction").str.len_bytes() == 3) & (pl.col("whole") != "0")
        & (pl.col("whole").str.len_bytes() <= 3) & pl.lit(form.decimal is None)
    )  # fmt: skip
    return (
        pl.when(pl.col("score").is_null()).then(None)
        .when(pl.col("whole").is_null()).then(pl.lit("not_a_number"))
        .when(unsure).then(pl.lit("thousands"))
        .when(score.is_null() | (score.abs() > GREATEST * 10**DIGITS)).then(pl.lit("out_of_range"))
        .when((tail.str.len_bytes() > DIGITS) | (score % 10**DIGITS != 0)).then(pl.lit("fraction"))
        .alias("score_fault")
    )  # fmt: skip


def _with_moments(frame: pl.DataFrame, form: Form) -> pl.DataFrame:
    texts = frame["played_at"].drop_nulls().unique().to_list()
    found = [_moment(text, form) for text in texts]
    moments = pl.DataFrame(
        {"played_at": texts, "moment": [m for m, _ in found], "moment_fault": [fault for _, fault in found]},
        schema={"played_at": pl.String, "moment": pl.Datetime("us", "UTC"), "moment_fault": pl.String},
    )
    return frame.join(moments, on="played_at", how="left", maintain_order="left")


def _moment(text: str, form: Form) -> tuple[datetime | None, str | None]:
    """A time in UTC, or what is wrong with it."""
    try:
        if form.date_format is None:
            moment = datetime.fromisoformat(text)
        else:
            moment = datetime.strptime(text, form.date_format)
    except ValueError:
        wanted = "an ISO 8601 date or time" if form.date_format is None else f"of the form {form.date_format}"
        hint = "; state --date-format" if form.date_format is None else ""
        return None, f"played_at {quoted(text)} is not {wanted}{hint}"
    if moment.tzinfo is None:
        if form.timezone is None:
            return None, f"played_at {quoted(text)} has no time zone; state --timezone"
        moment = moment.replace(tzinfo=ZoneInfo(form.timezone))
    try:
        return moment.astimezone(UTC), None
    except OverflowError:
        return None, f"played_at {quoted(text)} is out of range"


def with_seats(frame: pl.DataFrame, form: Form) -> tuple[pl.DataFrame, int]:
    """`seat_value` (0-based, null where it cannot be told), and the number of the first seat.

    Numbers count from 0 or 1: as stated, else as most games of the table have it. Labels need a stated
    order; raises ResultsError without one.
    """
    if form.seat_order:
        order = {label.casefold(): i for i, label in enumerate(form.seat_order)}
        labels = frame["seat"].drop_nulls().unique().to_list()
        places = pl.DataFrame(
            {"seat": labels, "seat_value": [order.get(label.casefold()) for label in labels]},
            schema={"seat": pl.String, "seat_value": pl.Int32},
        )
        return frame.join(places, on="seat", how="left", maintain_order="left"), 0
    frame = frame.with_columns(pl.col("seat").str.extract(SEAT_NUMBER, 1).cast(pl.Int32).alias("seat_value"))
    known = frame["seat"].drop_nulls()
    if known.len() > 2 * frame["seat_value"].count():
        names = known.unique(maintain_order=True).head(6).to_list()
        raise ResultsError(
            f"seats are labels ({', '.join(quoted(name) for name in names)}); "
            f"state their turn order: --seat-order {','.join(names)}"
        )
    first = form.first_seat
    if first is None:
        lowest = frame.group_by("source", "game").agg(pl.col("seat_value").min())["seat_value"]
        # One game with a wrong 0 must not shift the seats of all others.
        first = int((lowest == 0).sum() <= (lowest >= 1).sum())
    return frame.with_columns(pl.col("seat_value") - first), first


def row_checks(form: Form, first_seat: int) -> tuple[Check, ...]:
    """What can be wrong with one row, the most telling first."""
    value, rank = pl.col("seat_value"), pl.col("rank")
    order = f" of {listed([quoted(label) for label in form.seat_order])}" if form.seat_order else ""
    last = first_seat + MAX_SEATS - 1
    nul = pl.any_horizontal(pl.col(pl.String).str.contains("\0", literal=True))
    return (
        Check("nul", nul, lambda row: "a row of the game holds a NUL byte; it is not text"),
        Check("extra_cells", pl.col(EXTRA).is_not_null(), lambda row: (
            f"the row has more cells than the heading row ({quoted(row[EXTRA])} is too many); "
            "is a comma within a cell not in quotation marks?")),
        Check("no_game", pl.col("game").is_null(), lambda row: "the row has no game"),
        Check("no_seat", pl.col("seat").is_null(), lambda row: "a row of the game has no seat"),
        Check("bad_seat", value.is_null(), lambda row: (
            f"seat {quoted(row['seat'])} is not {'one' + order if order else 'a number'}")),
        Check("seat_range", ~value.is_between(0, MAX_SEATS - 1), lambda row: (
            f"seat {quoted(row['seat'])} is out of range; seats go from {first_seat} to at most {last}")),
        Check("bad_score", pl.col("score_fault").is_not_null(), lambda row: _score_words(row, form)),
        Check("bad_rank", rank.is_not_null() & (pl.col("rank_value").fill_null(0) < 1), lambda row: (
            f"rank {quoted(row['rank'])} of seat {row['seat']} is not a whole number from 1")),
        Check("bad_winner", pl.col("winner").is_not_null() & pl.col("flag").is_null(), lambda row: (
            f"winner {quoted(row['winner'])} of seat {row['seat']} is neither yes nor no")),
        Check("bad_kind", pl.col("kind_value").is_null(), lambda row: (
            f"kind {quoted(row['kind'])} of seat {row['seat']} is not {listed(KINDS)}")),
        Check("bad_players", pl.col("players").is_not_null() & pl.col("count").is_null(), lambda row: (
            f"players {quoted(row['players'])} is not a number of players")),
        Check("unknown_ended", pl.col("end").is_null(), lambda row: (
            f"ended {quoted(row['ended'])} is not {listed(ENDINGS)}")),
        Check("bad_time", pl.col("moment_fault").is_not_null(), lambda row: str(row["moment_fault"])),
    )  # fmt: skip


def _score_words(row: Row, form: Form) -> str:
    score = f"score {quoted(row['score'])} of seat {row['seat']}"
    if row["score_fault"] == "thousands":
        return f"{score} may be thousands or a fraction; state --decimal . or --decimal ,"
    if row["score_fault"] == "out_of_range":
        return f"{score} is out of range; the greatest is {GREATEST:,}"
    if row["score_fault"] == "fraction":
        times = f" times {form.score_factor}" if form.score_factor > 1 else ""
        return f"{score}{times} is not a whole number; --score-factor 2 keeps half points as whole numbers"
    return f"{score} is not a number"


TYPED = {"played_at": ("moment", "moment_fault"), "players": ("count",)}
"""Guessed fields that are given up when no cell can be read, and their columns."""


def drop_wrong_guesses(frame: pl.DataFrame, guessed: tuple[str, ...]) -> tuple[pl.DataFrame, list[str]]:
    """Leave out columns that only their headings recommend and none of whose cells can be read."""
    notes = []
    for name in sorted(set(guessed) & set(TYPED)):
        cells = frame.filter(pl.col(name).is_not_null())
        if cells.is_empty() or cells[TYPED[name][0]].count():
            continue
        fault = cells["moment_fault"][0] if name == "played_at" else f"{quoted(cells[name][0])} is not a number"
        notes.append(f"the column for {name} is not used: {fault}")
        frame = frame.with_columns(pl.lit(None, frame.schema[column]).alias(column) for column in (name, *TYPED[name]))
    return frame, notes
