"""Results without moves: a spreadsheet of game, seat and score into the lake's tables.

`read_results` takes one CSV or Parquet file of one title, which need not have rules here. A record is a
game: all rows that name it, or the one row of a table with one row a game.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from pipeline import titles
from pipeline.identity import content_digest, game_number
from pipeline.ingest.chunk import RECORD_SHOWN, Reject, rejects_table, shorten
from pipeline.ingest.lines import FileFault, file_digest
from pipeline.ingest.results_cells import drop_wrong_guesses, first_fault, row_checks, typed, with_seats
from pipeline.ingest.results_games import (
    clashes,
    finished_checks,
    game_checks,
    gather,
    number_games,
    ranked,
    repeated,
    shared_checks,
)  # fmt: skip
from pipeline.ingest.results_mapping import FIELDS, Columns, Form, ResultsError, find_columns
from pipeline.ingest.results_options import read_options
from pipeline.ingest.results_table import EXTRA, LINE, Sheet, TableFault, open_sheet
from pipeline.lake import Batch
from pipeline.titles.contract import Title
from pipeline.wording import listed, quoted
from schemas import GAMES, MOVES, SEATS

if TYPE_CHECKING:
    import pyarrow as pa

PASSING = ("failed", "sign", "whole", "fraction", "score_fault", "moment_fault", EXTRA)
"""Columns that only the checks of rows need."""
OPTION = "option:"
"""Before the option's name in a frame's columns."""
WINNER_NAMES = "winner_names"
"""Who won, in a table with one row a game and one column `winner`."""


@dataclass(frozen=True)
class Results:
    """What was in a file: a batch ready for the lake, and sentences on how it was read."""

    batch: Batch
    notes: tuple[str, ...]


def read_results(path: Path, title: str, form: Form | None = None) -> Results:
    """Read one results table.

    Whatever is wrong with the file or with games ends up among the batch's rejects. Ranks that the
    source does not state are filled in for finished games, from its winner flags or scores, so that
    outcomes follow from the tables alone. The same game twice in the file is one game and a `duplicate`;
    twice with other content it is one reject, a `conflict`.

    Raises ResultsError when the title is no title or the columns cannot be found.
    """
    form = form or Form()
    if not re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,63}", title):
        raise ResultsError(f"the title {quoted(title)} is not in small letters, digits, - and _, as my_game")
    rules = titles.load(title) if title in titles.names() else None
    try:
        sheet = open_sheet(path, form.encoding, form.separator)
        columns = find_columns(sheet.headings, sheet.first_rows(), form, _option_names(rules))
        frame = sheet.read(columns.positions)
        if frame.is_empty():
            raise TableFault("empty_file", f"{path} has no row with a cell in the columns that are used")
    except TableFault as fault:
        return _whole_file_rejected(path, title, fault, form)
    return _Reading(path, title, form, rules, sheet, columns).results(frame)


def _option_names(rules: Title | None) -> list[str]:
    return [] if rules is None else [option.name for option in rules.options]


def _whole_file_rejected(path: Path, title: str, fault: TableFault, form: Form) -> Results:
    reject = Reject(path.name, fault.line, fault.fault, str(fault), title)
    try:
        digest = file_digest(path)
    except FileFault:
        digest = ""
    entry = {"file": path.name, "digest": digest, "until": fault.line, "last": True, "form": _stated(form)}
    tables = (GAMES.empty(), SEATS.empty(), MOVES.empty(), rejects_table([reject]))
    return Results(Batch(title, *tables, 1, (entry,)), ())


def _stated(form: Form) -> dict[str, Any]:
    """What was asked for beyond columns, as a manifest keeps it: read otherwise, a file is not the same."""
    names = ("first_seat", "seat_order", "encoding", "separator", "decimal", "timezone", "date_format")
    values = {name: getattr(form, name) for name in names}
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in values.items()
        if value not in (None, ())
    }


class _Reading:
    """One file on its way: rows that fail leave `frame` and become rejects."""

    def __init__(self, path: Path, title: str, form: Form, rules: Title | None, sheet: Sheet, columns: Columns) -> None:
        self.path, self.title, self.form, self.rules = path, title, form, rules
        self.sheet, self.columns = sheet, columns
        self.file = path.name
        self.source = path.stem if form.source is None else form.source
        self.rejects: list[Reject] = []
        self.notes: list[str] = []
        self.options = [OPTION + name for name in columns.options]

    def results(self, cells: pl.DataFrame) -> Results:
        last_line = int(cells[LINE][-1])
        rows = self._checked_rows(self._long(cells))
        rows = self._without_repeats(rows)
        games = gather(rows, self.options)
        games = self._sift(games, game_checks(self.options))
        games = self._with_options(games)
        games = self._sift(games, finished_checks(self.form))
        rows = ranked(rows, games, self.form.lowest_wins)
        games = self._sift(games.join(clashes(rows), on="g", how="left"), shared_checks())
        rows = rows.join(games.select("g"), on="g", how="semi").sort("g", "seat_value")
        self._tell(games)
        return Results(self._batch(rows, games, last_line), tuple(self.notes))

    # Rows

    def _long(self, cells: pl.DataFrame) -> pl.DataFrame:
        """One row a game and seat with all FIELDS as text, whether the table is long or wide."""
        single = dict(self.columns.single)
        names = single.pop("winner", None) if self.columns.wide else None
        shared = [
            pl.col(LINE),
            pl.col(EXTRA),
            *(pl.col(str(place)).alias(name) for name, place in single.items()),
            *(pl.col(str(place)).alias(OPTION + name) for name, place in self.columns.options.items()),
            (pl.lit(None, pl.String) if names is None else pl.col(str(names))).alias(WINNER_NAMES),
        ]
        frame = self._unfolded(cells, shared) if self.columns.wide else cells.select(shared)
        missing = [pl.lit(None, pl.String).alias(name) for name in FIELDS if name not in frame.columns]
        frame = frame.with_columns(missing)
        return frame.with_columns(pl.col("source").fill_null(self.source), pl.col("seat").alias("source_seat"))

    def _unfolded(self, cells: pl.DataFrame, shared: list[pl.Expr]) -> pl.DataFrame:
        """A wide table's rows, once for each seat that has a cell."""
        families = self.columns.families
        labels = list(dict.fromkeys(label for family in families.values() for label in family))
        filled = pl.any_horizontal(
            pl.col(str(i)).is_not_null() for family in families.values() for i in family.values()
        )
        parts = []
        for label in labels:
            places = {name: family[label] for name, family in families.items() if label in family}
            there = pl.any_horizontal(pl.col(str(i)).is_not_null() for i in places.values())
            own = [pl.col(str(i)).alias(name) for name, i in places.items()]
            own += [pl.lit(None, pl.String).alias(name) for name in families if name not in places]
            parts.append(cells.filter(there).select(*shared, pl.lit(label).alias("seat"), *own))
        # A row of no seat at all must not vanish: it comes as a row without a seat.
        nobody = [pl.lit(None, pl.String).alias(name) for name in ("seat", *families)]
        parts.append(cells.filter(~filled).select(*shared, *nobody))
        frame = pl.concat(parts, how="diagonal").sort(LINE, maintain_order=True)
        if "game" not in frame.columns:
            self.notes.append("there is no column for game: each row is a game, its line is its id")
            frame = frame.with_columns(pl.col(LINE).cast(pl.String).alias("game"))
        return frame

    def _checked_rows(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Typed rows of the games none of whose rows has a fault."""
        frame, notes = drop_wrong_guesses(typed(frame, self.form), self.columns.guessed)
        self.notes += notes
        frame, first_seat = with_seats(frame, self.form)
        self._tell_mapping(first_seat)
        frame = number_games(self._named_winners(frame))
        checks = row_checks(self.form, first_seat)
        frame = frame.with_columns(failed=first_fault(checks))
        bad = frame.filter(pl.col("failed").is_not_null())
        # Rows without a game are records of their own.
        nameless = pl.col("game").is_null()
        told = pl.concat(
            [
                bad.filter(nameless).unique(LINE, keep="first", maintain_order=True),
                bad.filter(~nameless).unique("g", keep="first", maintain_order=True),
            ]
        )
        for row in told.iter_rows(named=True):
            check = checks[row["failed"]]
            self._reject(row, check.fault, check.say(row), frame)
        return frame.join(bad.select("g"), on="g", how="anti").filter(~nameless).drop(PASSING)

    def _named_winners(self, frame: pl.DataFrame) -> pl.DataFrame:
        """`flag` from the one cell that names the winner or winners by player or seat."""
        if not self.columns.wide or "winner" not in self.columns.single:
            return frame
        names = pl.col(WINNER_NAMES).str.to_lowercase()
        split = pl.concat_list([names, names.str.split(",").list.eval(pl.element().str.strip_chars())])
        named = pl.any_horizontal(
            split.list.contains(pl.col(who).str.to_lowercase()).fill_null(False) for who in ("player", "seat")
        )
        return frame.with_columns(flag=pl.when(names.is_not_null()).then(named))

    def _without_repeats(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Games whose seats stand twice: equal ones count once, others cannot be told apart."""
        twice = repeated(rows)
        if twice.is_empty():
            return rows
        for game in twice.filter(~pl.col("same")).iter_rows(named=True):
            lines = listed(game["lines"][:4], "and") + (" and further ones" if len(game["lines"]) > 4 else "")
            if game["whole"]:
                fault, words = (
                    "conflict",
                    f"the id stands for several games with other content, at lines {lines}",
                )
            else:
                fault, words = "seat_twice", f"seat {game['seat']} stands twice, at lines {lines}"
            self._reject(game, fault, words, rows)
        copies = rows.join(twice.filter("same").select("g"), on="g", how="semi")
        copies = copies.with_columns(turn=pl.int_range(pl.len()).over("g", "seat_value"))
        copies = copies.filter(pl.col("turn") > 0)
        first = dict(twice.select("g", "line").iter_rows())
        for row in copies.unique(["g", "turn"], keep="first", maintain_order=True).iter_rows(named=True):
            words = f"the same game as in {self.file}, line {first[row['g']]}; it counts once"
            self._reject(row, "duplicate", words, None)
        return rows.join(twice.filter(~pl.col("same")), on="g", how="anti").join(
            copies.select(LINE, "seat_value"), on=[LINE, "seat_value"], how="anti"
        )

    # Games

    def _sift(self, games: pl.DataFrame, checks: Any) -> pl.DataFrame:
        """The games that pass; the others become rejects."""
        games = games.with_columns(failed=first_fault(checks))
        for game in games.filter(pl.col("failed").is_not_null()).iter_rows(named=True):
            check = checks[game["failed"]]
            self._reject(game, check.fault, check.say(game), None)
        return games.filter(pl.col("failed").is_null()).drop("failed")

    def _with_options(self, games: pl.DataFrame) -> pl.DataFrame:
        """`options` as JSON and `board` of each game; what the title does not know is rejected."""
        keys = [*self.options, "n"]
        kinds = games.select(keys).unique()
        found: dict[str, list[str | None]] = {"options": [], "board": [], "options_fault": []}
        for row in kinds.iter_rows(named=True):
            texts = {name.removeprefix(OPTION): row[name] for name in self.options if row[name] is not None}
            for values, value in zip(found.values(), read_options(self.rules, texts, row["n"]), strict=True):
                values.append(value)
        kinds = kinds.with_columns(pl.Series(name, values, pl.String) for name, values in found.items())
        games = games.join(kinds, on=keys, how="left", nulls_equal=True, maintain_order="left")
        for game in games.filter(pl.col("options_fault").is_not_null()).iter_rows(named=True):
            self._reject(game, "options", game["options_fault"], None)
        return games.filter(pl.col("options_fault").is_null())

    # What goes out

    def _reject(self, row: Mapping[str, Any], fault: str, words: str, rows: pl.DataFrame | None) -> None:
        game = row["game"]
        named = "" if game is None else f", game {shorten(game)}"
        cells = {name: row[name] for name in (*FIELDS, *self.options) if row.get(name) is not None}
        self.rejects.append(
            Reject(
                self.file, row[LINE], fault, f"{self.file}, line {row[LINE]}{named}: {words}", self.title,
                row["source"], game, None, json.dumps(cells, ensure_ascii=False, default=str)[:RECORD_SHOWN],
            )
        )  # fmt: skip

    def _tell_mapping(self, first_seat: int) -> None:
        headings = self.sheet.headings
        single = {**self.columns.single, **self.columns.options}
        words = [f"{name} = {quoted(headings[i])}" for name, i in single.items()]
        words += [
            f"{name} = {', '.join(quoted(headings[i]) for i in family.values())}"
            for name, family in self.columns.families.items()
        ]
        self.notes.insert(0, f"columns: {'; '.join(words)}")
        if self.columns.guessed:
            self.notes.insert(1, f"guessed from the headings: {', '.join(self.columns.guessed)}")
        if not self.form.seat_order:
            self.notes.append(f"seats are counted from {first_seat}")
        if self.sheet.folded:
            # Two stray quotation marks would make one cell of all rows between them.
            self.notes.append(f"{self.sheet.folded} lines go on a cell of the line before")
        used = set(self.columns.positions)
        left = [heading for i, heading in enumerate(headings) if heading and i not in used]
        if left:
            more = f" and {len(left) - 8} more" if len(left) > 8 else ""
            self.notes.append(f"columns not used: {', '.join(quoted(name) for name in left[:8])}{more}")

    def _tell(self, games: pl.DataFrame) -> None:
        odd = games.filter("odd")
        if odd.height:
            best = "fewest" if self.form.lowest_wins else "most"
            first = odd.sort(LINE).row(0, named=True)
            hint = "" if self.form.lowest_wins else "; if the lowest score wins, state --lowest-wins"
            self.notes.append(
                f"in {odd.height} of {games.height} games a stated winner does not have the {best} points "
                f"(first: line {first[LINE]}, game {shorten(first['game'])}); the statement counts{hint}"
            )

    def _batch(self, rows: pl.DataFrame, games: pl.DataFrame, last_line: int) -> Batch:
        games = games.sort("g")
        sources, ids = games["source"].to_list(), games["game"].to_list()
        numbers = [game_number(self.title, source, id) for source, id in zip(sources, ids, strict=True)]
        games = games.with_columns(
            pl.Series("game_id", numbers, pl.Int64), pl.Series("digest", _digests(rows, games), pl.Int64)
        )
        rows = rows.join(games.select("g", "game_id"), on="g", how="left", maintain_order="left")
        entry = {
            "file": self.file, "digest": file_digest(self.path), "until": last_line, "last": True,
            "columns": {**self.columns.single, **{k: dict(v) for k, v in self.columns.families.items()}},
            "options": dict(self.columns.options), "lowest_wins": self.form.lowest_wins,
            "score_factor": self.form.score_factor, "source": self.source, "form": _stated(self.form),
        }  # fmt: skip
        rejects = rejects_table(self.rejects)
        return Batch(
            self.title, self._games(games), _seats(rows), MOVES.empty(), rejects,
            games.height + rejects.num_rows, (entry,),
        )  # fmt: skip

    def _games(self, games: pl.DataFrame) -> pa.Table:
        table = games.sort("game_id").select(
            "game_id", pl.lit(self.title).alias("title"), "source", pl.col("game").alias("id"),
            pl.col("moment").alias("played_at"), "options", "board", pl.col("end").alias("ended"),
            pl.col("n").cast(pl.Int8).alias("players"), pl.lit(0, pl.Int32).alias("plies"), "digest",
            pl.lit(self.file).alias("file"), pl.col(LINE).alias("line"),
        )  # fmt: skip
        return table.to_arrow().cast(GAMES.schema)


def _seats(rows: pl.DataFrame) -> pa.Table:
    table = rows.sort("game_id", "seat_value").select(
        "game_id", pl.col("seat_value").cast(pl.Int8).alias("seat"),
        "player", pl.col("kind_value").alias("kind"),
        "source_seat", pl.col("score_value").alias("stated_score"), pl.col("rank_found").alias("stated_rank"),
    )  # fmt: skip
    return table.to_arrow().cast(SEATS.schema)


def _digests(rows: pl.DataFrame, games: pl.DataFrame) -> list[int]:
    """The digest of each game's content; rows and games are sorted by g."""

    # Lengths stand before texts because a text may hold any separator.
    def sized(name: str) -> pl.Expr:
        text = pl.col(name).fill_null("")
        return pl.concat_str(
            pl.col(name).is_null().cast(pl.String), text.str.len_bytes().cast(pl.String), text, separator=":"
        )

    plain = ("seat_value", "score_value", "rank_found", "kind_value")
    seat = pl.concat_str(
        [pl.col(name).cast(pl.String).fill_null("") for name in plain]
        + [sized("player"), sized("source_seat")],
        separator="|",
    )  # fmt: skip
    of_seats = rows.select("g", seat.alias("seat")).group_by("g", maintain_order=True).agg(pl.col("seat"))
    whole = games.select("g", "options", "end", pl.col("moment").dt.epoch("us").cast(pl.String).fill_null("")).join(
        of_seats.select("g", pl.col("seat").list.join("\n")), on="g", how="left", maintain_order="left"
    )
    text = whole.select(pl.concat_str("options", "end", "moment", "seat", separator="\n"))
    return [content_digest(content.encode()) for content in text.to_series()]
