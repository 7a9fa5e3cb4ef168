"""Which column of a results table is what: stated on the command line, in a TOML file, or guessed.

Fields are the words of the record (`game`, `seat`, `score` ...). A column is named by its heading, by
`#5` (its position from 1, for empty and doubled headings), or, in a table with one row a game, by a
heading with `*` in the place of the seat: `score=Player * points`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from pipeline.wording import listed, quoted

FIELDS = (
    "game",
    "seat",
    "player",
    "kind",
    "score",
    "rank",
    "winner",
    "players",
    "played_at",
    "source",
    "ended",
)
SEAT_FIELDS = ("player", "kind", "score", "rank", "winner")
"""Fields that each seat has; in a table with one row a game they stand in one column a seat."""

RESULTS = ("score", "rank", "winner")
ENCODINGS = ("utf-8", "utf-16", "utf-16-le", "utf-16-be", "windows-1250", "windows-1252")
MAX_FACTOR = 100

# Headings that say what they are, in small letters and digits only. `position` is not among them: it
# may be the seat as well as the rank.
HEADINGS: Mapping[str, tuple[str, ...]] = {
    "game": ("game", "gameid", "gamenum", "gamenumber", "gameno", "match", "matchid", "playtest",
             "playtestid", "play", "playid", "id"),
    "seat": ("seat", "seatno", "seatnum", "seatnumber", "turnorder", "playerorder", "order",
             "playerno", "playernum", "playernumber"),
    "player": ("player", "playername", "playerid", "name"),
    "kind": ("kind",),
    "score": ("score", "points", "vp", "victorypoints", "finalscore", "totalscore", "totalpoints", "total"),
    "rank": ("rank", "place", "placement", "finish", "finishingplace", "standing"),
    "winner": ("winner", "won", "win", "iswinner", "victory"),
    "players": ("players", "playercount", "numplayers", "numberofplayers"),
    "played_at": ("playedat", "playedon", "date", "datetime", "timestamp"),
    "source": ("source",),
    "ended": ("ended", "ending"),
}  # fmt: skip
POINTS = r"\s*-?[0-9]+([.,][0-9]+)?\s*"
OPTION_HEADINGS = ("variant",)


class ResultsError(ValueError):
    """The table cannot be taken as it was asked for (a mapping, an option); one sentence."""


@dataclass(frozen=True)
class Form:
    """How a results table is to be read. What is None is told by the table itself.

    `columns` and `options` map a field or an option of the title to a column. `first_seat` (0 or 1) is
    the number of the first seat; `seat_order` names the seats in turn order where they are labels.
    `decimal` is the sign before fractions; the other one then groups thousands. Scores are multiplied by
    `score_factor`, so that half points (factor 2) become whole numbers. `timezone` (IANA name) is that
    of times which state none; `date_format` is a pattern of `strptime`. `source` stands where the table
    has none; without it the file's name does.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    lowest_wins: bool = False
    first_seat: int | None = None
    seat_order: tuple[str, ...] = ()
    encoding: str | None = None
    separator: str | None = None
    decimal: str | None = None
    score_factor: int = 1
    timezone: str | None = None
    date_format: str | None = None
    source: str | None = None
    guess: bool = True

    def __post_init__(self) -> None:
        for name in self.columns:
            _known("field", name, FIELDS)
        if self.first_seat not in (None, 0, 1):
            raise ResultsError(f"the first seat is 0 or 1, not {quoted(self.first_seat)}")
        if self.encoding is not None:
            _known("encoding", self.encoding, ENCODINGS)
        if self.separator is not None and (len(self.separator) != 1 or self.separator in '"\r\n'):
            raise ResultsError(f"the separator is one character, not {quoted(self.separator)}")
        if self.decimal is not None:
            _known("decimal sign", self.decimal, (".", ","))
        if not 1 <= self.score_factor <= MAX_FACTOR:
            raise ResultsError(f"the score factor is a number from 1 to {MAX_FACTOR}, not {self.score_factor}")
        if len({label.casefold() for label in self.seat_order}) < len(self.seat_order):
            raise ResultsError("the seat order names a seat twice")
        if self.timezone is not None:
            _check_zone(self.timezone)


def _known(what: str, word: Any, words: Sequence[str]) -> None:
    if word not in words:
        raise ResultsError(f"unknown {what} {quoted(word)}; known: {', '.join(words)}")


def _check_zone(name: str) -> None:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ResultsError(f"unknown time zone {quoted(name)}; wanted a name as Europe/Budapest") from error


def pairs(texts: Iterable[str]) -> dict[str, str]:
    """`["game=gameNum", ...]` as a dict. Raises ResultsError for what is not `name=column`."""
    found: dict[str, str] = {}
    for text in texts:
        name, sign, column = (part.strip() for part in text.partition("="))
        if not sign or not name or not column:
            raise ResultsError(f"{quoted(text)} is not of the form name=column")
        if name in found:
            raise ResultsError(f"{name} is mapped twice, to {quoted(found[name])} and {quoted(column)}")
        found[name] = column
    return found


def read_form(file: Path) -> tuple[Form, str | None]:
    """A mapping file: the form, and the title if the file names one. Raises ResultsError.

    Its keys are the fields of `Form`, `title`, and the tables `[columns]` and `[options]`.
    """
    try:
        data = tomllib.loads(file.read_text("utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        raise ResultsError(f"the mapping file {file} cannot be read: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise ResultsError(f"the mapping file {file} is not TOML: {error}") from error
    title = data.pop("title", None)
    kinds = {entry.name: str(entry.type) for entry in fields(Form)}
    try:
        for name, value in data.items():
            _known("key", name, ("title", *kinds))
            _check_kind(name, value, kinds[name])
        if title is not None:
            _check_kind("title", title, "str")
        if "seat_order" in data:
            data["seat_order"] = tuple(data["seat_order"])
        return Form(**data), title
    except ResultsError as error:
        raise ResultsError(f"the mapping file {file}: {error}") from error


def _check_kind(name: str, value: Any, kind: str) -> None:
    """A TOML value against the annotation of the form's field."""
    if kind.startswith("Mapping"):
        right = isinstance(value, dict) and all(isinstance(column, str) for column in value.values())
        wanted = "a table of name = column"
    elif kind.startswith("tuple"):
        right = isinstance(value, list) and all(isinstance(label, str) for label in value)
        wanted = "a list of texts"
    elif kind.startswith("bool"):
        right, wanted = isinstance(value, bool), "true or false"
    elif kind.startswith("int"):
        right, wanted = type(value) is int, "a whole number"
    else:
        right, wanted = isinstance(value, str), "text"
    if not right:
        raise ResultsError(f"{name} takes {wanted}, not {quoted(value)}")


def override(form: Form, columns: Mapping[str, str], options: Mapping[str, str], **changes: Any) -> Form:
    """A mapping file's form with what the command line states on top; None states nothing."""
    stated = {name: value for name, value in changes.items() if value is not None}
    return replace(form, columns={**form.columns, **columns}, options={**form.options, **options}, **stated)


@dataclass(frozen=True)
class Columns:
    """Where each field stands: positions from 0. In a wide table `families` has a position a seat label."""

    single: Mapping[str, int]
    families: Mapping[str, Mapping[str, int]]
    options: Mapping[str, int]
    guessed: tuple[str, ...]

    @property
    def wide(self) -> bool:
        return bool(self.families)

    @property
    def positions(self) -> list[int]:
        """All columns that are used, each once."""
        families = [place for family in self.families.values() for place in family.values()]
        return sorted({*self.single.values(), *families, *self.options.values()})


def find_columns(
    headings: Sequence[str],
    first_rows: Sequence[Sequence[str | None]],
    form: Form,
    title_options: Sequence[str],
) -> Columns:
    """Resolve the stated columns and guess the others. Raises ResultsError naming what is missing.

    `first_rows` are some rows of the table: a column `player` that holds 1, 2, 3 is the seat.
    """
    single: dict[str, int] = {}
    families: dict[str, dict[str, int]] = {}
    for name, column in form.columns.items():
        if "*" in column and column not in headings:
            families[name] = _family(name, column, headings, form)
        else:
            single[name] = _position(name, column, headings)
    options = {name: _position(name, column, headings) for name, column in form.options.items()}
    stated = {*single, *families, *options}
    if form.guess:
        _guess(headings, first_rows, single, families, options, title_options)
    guessed = tuple(sorted({*single, *families, *options} - stated))
    _check_complete(headings, single, families)
    return Columns(single, families, options, guessed)


def _position(name: str, column: str, headings: Sequence[str]) -> int:
    """The position of the column with that heading, or `#n`."""
    places = [i for i, heading in enumerate(headings) if heading == column]
    places = places or [i for i, heading in enumerate(headings) if heading.casefold() == column.casefold()]
    if len(places) > 1:
        where = listed([f"{name}=#{i + 1}" for i in places])
        raise ResultsError(f"{len(places)} columns are called {quoted(column)}; say which: {where}")
    if places:
        return places[0]
    if re.fullmatch(r"#[0-9]{1,6}", column):
        place = int(column[1:])
        if not 1 <= place <= len(headings):
            raise ResultsError(f"there is no column {column} for {name}: the table has {len(headings)}")
        return place - 1
    raise ResultsError(f"there is no column {quoted(column)} for {name}; the columns are {_shown(headings)}")


def _shown(headings: Sequence[str]) -> str:
    names = [quoted(heading) for heading in headings if heading]
    return ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")


def _family(name: str, column: str, headings: Sequence[str], form: Form) -> dict[str, int]:
    """The columns `score1`, `score2` ... of the pattern `score*`, by what stands for the star."""
    if name not in SEAT_FIELDS:
        raise ResultsError(f"{name} is one column a game, not one a seat: {quoted(column)} has a *")
    start, _, end = column.partition("*")
    pattern = re.compile(re.escape(start) + r"(.+)" + re.escape(end), re.IGNORECASE)
    labels = {label.casefold() for label in form.seat_order}
    found: dict[str, int] = {}
    for i, heading in enumerate(headings):
        match = pattern.fullmatch(heading)
        if match is None:
            continue
        label = match[1].strip()
        if label.casefold() in labels if labels else re.fullmatch(r"[0-9]{1,2}", label):
            if label in found:
                raise ResultsError(f"two columns are called {quoted(heading)}, for {name}={column}")
            found[label] = i
    if not found:
        raise ResultsError(f"no column is like {quoted(column)} for {name}; the columns are {_shown(headings)}")
    return found


def plain(heading: str) -> str:
    """A heading in small letters and digits only, for comparing."""
    return re.sub(r"[\W_]", "", heading.casefold())


def _guess(
    headings: Sequence[str],
    first_rows: Sequence[Sequence[str | None]],
    single: dict[str, int],
    families: dict[str, dict[str, int]],
    options: dict[str, int],
    title_options: Sequence[str],
) -> None:
    """Add what the headings tell by themselves; what is stated stays."""
    taken = {
        *single.values(),
        *options.values(),
        *(i for family in families.values() for i in family.values()),
    }
    names = [plain(heading) for heading in headings]

    def find(words: Sequence[str]) -> int | None:
        # A heading that stands twice tells nothing.
        free = [word for word in words if names.count(word) == 1 and names.index(word) not in taken]
        return names.index(free[0]) if free else None

    for name in FIELDS:
        if name in single or name in families:
            continue
        place = find(HEADINGS[name])
        if place is None and name == "seat":
            place = find(HEADINGS["player"])
            if place is not None and not _are_seats([row[place] for row in first_rows]):
                place = None
        if place is not None and not (name == "seat" and families):
            single[name] = place
            taken.add(place)
    for option in (*title_options, *(() if title_options else OPTION_HEADINGS)):
        place = find([plain(option)])
        if place is not None and option not in options:
            options[option] = place
            taken.add(place)
    if "seat" not in single and not any(name in single for name in ("score", "rank")):
        _guess_families(headings, first_rows, taken, families)


def _are_seats(cells: Sequence[str | None]) -> bool:
    """Whether all cells are numbers as seats have them."""
    return bool(cells) and all(cell is not None and re.fullmatch(r"\s*[0-9]{1,2}\s*", cell) for cell in cells)


def _guess_families(
    headings: Sequence[str],
    first_rows: Sequence[Sequence[str | None]],
    taken: set[int],
    families: dict[str, dict[str, int]],
) -> None:
    """Find `score1`, `score2` ... or `Player 1 points` ...: headings that differ in one number."""
    groups: dict[str, dict[str, int]] = {}
    for i, heading in enumerate(headings):
        parts = re.fullmatch(r"([^0-9]*)([0-9]{1,2})([^0-9]*)", heading)
        if parts and i not in taken:
            groups.setdefault(plain(parts[1]) + "*" + plain(parts[3]), {})[parts[2]] = i
    for pattern, family in groups.items():
        if len(family) < 2:
            continue
        words = re.sub(r"^(player|seat|p)?\*|\*$", "", pattern)
        name = next((name for name in SEAT_FIELDS if words in HEADINGS[name]), None)
        if name is None and not words and pattern.startswith(("player", "p*")):
            name = "player"
        cells = [row[i] for row in first_rows for i in family.values() if row[i]]
        if name == "player" and cells and all(re.fullmatch(POINTS, cell or "") for cell in cells):
            name = "score"
        if name is not None and name not in families:
            families[name] = family


def _check_complete(
    headings: Sequence[str], single: Mapping[str, int], families: Mapping[str, Mapping[str, int]]
) -> None:
    found = {*single, *families}
    if families and "seat" in single:
        raise ResultsError("the table has a column for seat and columns with a * for seats; it can be only one")
    if families:
        alone = [name for name in SEAT_FIELDS if name in single and name != "winner"]
        if alone:
            raise ResultsError(f"{alone[0]} is one column, where others have one a seat; write its columns with a *")
    else:
        for name in ("game", "seat"):
            if name not in found:
                raise ResultsError(
                    f"no column for {name}: state --map {name}=COLUMN; the columns are {_shown(headings)}"
                )
    if not found & set(RESULTS):
        raise ResultsError(
            f"no column for score, rank or winner: state --map score=COLUMN; the columns are {_shown(headings)}"
        )
