"""SQL that counts what titles' measures ask (`pipeline.titles.measure`), from the names that they declare.

Each SELECT has whole numbers that may be added over batches: `pipeline.counting.count_selects` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pipeline.counting import Count
from pipeline.lake_views import TURNS_OF, identifier, literal
from pipeline.titles.contract import Title
from pipeline.titles.measure import Bars, By, Line, Matrix, Measure, Places, Starter, When

CELL = ("title", "board", "options", "players")
TOGETHER = -1
"""In place of a seat: all seats together."""
GAMES = "games"
SUMS = ("n", "x", "y", "xx", "xy", "yy")
"""Over games: how many have a denominator; the sums of numerator, denominator and their products."""


@dataclass(frozen=True)
class Asked:
    """One line of a measure, and whether its denominator is the game."""

    measure: str
    position: int
    line: Line
    by: By | None
    per_game: bool

    @property
    def select(self) -> str:
        """The SELECT that counts it: lines that are parted alike are counted together."""
        return f"turns by {self.by.fact}" if self.by else "turns"

    @property
    def column(self) -> str:
        return f"{self.measure}.{self.position}"


def asked_lines(measure: Measure) -> list[Asked]:
    """What a measure asks of `turns`; nothing for one of another kind."""
    if isinstance(measure, Bars):
        lines = enumerate(measure.lines)
        return [Asked(measure.slug, i, line, measure.by, measure.per == "game") for i, line in lines]
    if isinstance(measure, Matrix):
        return [Asked(measure.slug, 0, Line("", where=measure.where), By(measure.target), True)]
    return []


def title_selects(title: Title) -> dict[str, Count]:
    """All that a title's measures need, by name: `games`, the lines', and those of order and places."""
    if not title.measures:
        return {}
    found = {GAMES: Count(_games(title.name), CELL)}
    lines: dict[str, list[Asked]] = {}
    for measure in title.measures:
        for asked in asked_lines(measure):
            lines.setdefault(asked.select, []).append(asked)
        if isinstance(measure, Starter):
            found[measure.slug] = Count(_order(title.name, measure), (*CELL, "epoch", "position"))
        elif isinstance(measure, Places):
            found[measure.slug] = Count(_places(title.name, measure), (*CELL, "source", "place"))
    for name, several in lines.items():
        found[name] = Count(_lines(title.name, several), (*CELL, "seat", "part"))
    return found


def _games(title: str) -> str:
    """One row per cell: its counted games with turns."""
    return (
        f"SELECT {_columns(CELL)}, count(*) AS games FROM game_facts\n"
        f"WHERE title = {literal(title)} AND left_out IS NULL AND plies > 0 GROUP BY ALL"
    )


def _counted(title: str) -> str:
    """The first two tables of a WITH: the cells, numbered, and the counted games with their cell's number.

    A number in the place of four columns, one of them a long text, makes grouping cheap.
    """
    return f"""cells AS MATERIALIZED (
    SELECT *, row_number() OVER ()::INTEGER AS cell
    FROM (SELECT DISTINCT {_columns(CELL)} FROM game_facts WHERE title = {literal(title)})
), counted AS MATERIALIZED (
    SELECT game_facts.game_id, cells.cell, cells.players::INTEGER AS players
    FROM game_facts JOIN cells USING ({_columns(CELL)})
    WHERE game_facts.left_out IS NULL AND game_facts.plies > 0
)"""


def _lines(title: str, lines: Sequence[Asked]) -> str:
    """One row per cell, seat (or all together) and part: games seen, and of each line the SUMS over games."""
    by = lines[0].by
    part = f"turns.{identifier(by.fact)}" if by else "0"
    # What several lines need is worked out once.
    texts = dict.fromkeys(text for asked in lines for text in _of_a_seat(asked) if text != ONE)
    own = {text: identifier(f"s{i}") for i, text in enumerate(texts)}
    together = dict.fromkeys(text for asked in lines for text in _of_a_game(asked, own))
    sums = [text for asked in lines for text in _over_games(asked, own)]
    return f"""WITH {_counted(title)}, each AS MATERIALIZED (
    SELECT turns.game_id, counted.cell, turns.seat::INTEGER AS seat, {part}::INTEGER AS part,
        {_list(f"{text} AS {name}" for text, name in own.items())}
    FROM {identifier(TURNS_OF + title)} AS turns
    JOIN counted USING (game_id)
    {f"WHERE {part} >= 0" if by else ""}
    GROUP BY ALL
), every_seat AS (
    SELECT * FROM each
    UNION ALL BY NAME
    SELECT game_id, cell, {TOGETHER} AS seat, part,
        {_list(together)}
    FROM each GROUP BY ALL
), summed AS (
    SELECT cell, seat, part, count(*) AS seen,
        {_list(sums)}
    FROM every_seat GROUP BY ALL
)
SELECT {_columns(CELL)}, summed.* EXCLUDE (cell) FROM summed JOIN cells USING (cell)"""


ONE = "1"
"""A denominator that is the same in all games needs no column."""


def _of_a_seat(asked: Asked) -> tuple[str, str]:
    """Numerator and denominator of a line in one game, for one seat."""
    line = asked.line
    unknown = [] if line.signed else [f"turns.{identifier(fact)} >= 0" for fact in dict.fromkeys(line.summed)]
    among, where = [_condition(when) for when in line.among], [_condition(when) for when in line.where]
    value = _value(line.add, line.less) if line.add or line.less else ""
    if not asked.per_game:
        below = _value(line.over, ()) if line.over else ""
        return _sum(value, [*among, *unknown, *where]), _sum(below, [*among, *unknown])
    happened = [*among, *where]
    had = "".join(f" + max(turns.{identifier(fact)})::BIGINT" for fact in line.most)
    summed = had.removeprefix(" + ") if line.most and not value else _sum(value, happened) + had
    if not unknown:
        return summed, ONE
    # A game in which something of the sum is unknown has no denominator.
    told = f"coalesce(bool_and({_all(unknown)}) FILTER ({_all(happened)}), true)"
    return f"CASE WHEN {told} THEN {summed} ELSE 0 END", f"{told}::BIGINT"


def _sum(value: str, conditions: Sequence[str]) -> str:
    """The sum of a value over the turns that meet all conditions; without a value their number."""
    filtered = f" FILTER ({_all(conditions)})" if conditions else ""
    return f"coalesce(sum({value}){filtered}, 0)::BIGINT" if value else f"count(*){filtered}"


def _of_a_game(asked: Asked, own: Mapping[str, str]) -> list[str]:
    """The same for all seats of a game together."""
    x, y = (own.get(text, text) for text in _of_a_seat(asked))
    if not asked.per_game:
        return [f"sum({name})::BIGINT AS {name}" for name in (x, y)]
    if y == ONE:
        return [f"sum({x})::BIGINT AS {x}"]
    return [f"CASE WHEN min({y}) = 1 THEN sum({x}) ELSE 0 END::BIGINT AS {x}", f"min({y}) AS {y}"]


def _over_games(asked: Asked, own: Mapping[str, str]) -> list[str]:
    x, y = (own.get(text, text) for text in _of_a_seat(asked))
    products = {"x": x, "y": y, "xx": f"{x} * {x}", "xy": f"{x} * {y}", "yy": f"{y} * {y}"}
    if y == ONE:
        products |= {"xy": x, "yy": y}
    named = {name: f"sum({product})::BIGINT" for name, product in products.items()}
    if y == ONE:
        named |= {"y": "count(*)", "yy": "count(*)"}
    # The number of games with a denominator comes first, as in SUMS.
    named = {"n": "count(*)" if y == ONE else f"count(*) FILTER ({y} <> 0)", **named}
    return [f"{text} AS {identifier(column(name, asked))}" for name, text in named.items()]


def _order(title: str, measure: Starter) -> str:
    """One row per cell, epoch and position in its order: sums of win shares and of points over the mean."""
    return f"""WITH {_counted(title)}, epochs AS MATERIALIZED (
    SELECT game_id, cell, players, epoch, starter, first_ply,
        lead(first_ply) OVER (PARTITION BY game_id ORDER BY epoch) AS next_ply
    FROM (
        SELECT turns.game_id, counted.cell, counted.players, turns.epoch::INTEGER AS epoch,
            arg_min(turns.seat, turns.turn)::INTEGER AS starter, min(turns.ply) AS first_ply
        FROM {identifier(TURNS_OF + title)} AS turns
        JOIN counted USING (game_id)
        WHERE turns.epoch >= {int(measure.first)}
        GROUP BY ALL
    )
), scored AS (
    SELECT game_id, ply, seat, sum(points)::BIGINT AS points FROM score_events GROUP BY ALL
), made AS (
    SELECT epochs.game_id, epochs.epoch, scored.seat, sum(scored.points)::BIGINT AS points
    FROM epochs
    JOIN scored ON scored.game_id = epochs.game_id
        AND scored.ply >= epochs.first_ply AND (epochs.next_ply IS NULL OR scored.ply < epochs.next_ply)
    GROUP BY ALL
), placed AS (
    SELECT epochs.cell, epochs.epoch, outcomes.win60::BIGINT AS win60,
        (outcomes.seat - epochs.starter + epochs.players) % epochs.players AS position,
        coalesce(made.points, 0) * epochs.players
            - sum(coalesce(made.points, 0)) OVER (PARTITION BY epochs.game_id, epochs.epoch) AS excess
    FROM epochs
    JOIN outcomes ON outcomes.game_id = epochs.game_id
    LEFT JOIN made
        ON made.game_id = epochs.game_id AND made.epoch = epochs.epoch AND made.seat = outcomes.seat
), summed AS (
    SELECT cell, epoch, position::INTEGER AS position, count(*) AS n,
        sum(win60)::BIGINT AS win60, sum(win60 * win60)::BIGINT AS win60_squares,
        sum(excess)::BIGINT AS excess, sum(excess * excess)::BIGINT AS excess_squares
    FROM placed GROUP BY ALL
)
SELECT {_columns(CELL)}, summed.* EXCLUDE (cell) FROM summed JOIN cells USING (cell)"""


def _places(title: str, measure: Places) -> str:
    """One row per cell, source and place (a code): points of all seats, and the squares of a game's."""
    sources = ", ".join(literal(source) for source in measure.sources)
    return f"""WITH {_counted(title)}, sums AS (
    SELECT counted.cell, events.source, events.place,
        sum(events.points)::BIGINT AS points, sum(greatest(events.points, 0))::BIGINT AS gained
    FROM score_events AS events
    JOIN counted USING (game_id)
    GROUP BY events.game_id, counted.cell, events.source, events.place
), summed AS (
    SELECT cell, source, place, sum(points)::BIGINT AS points,
        sum(points * points)::BIGINT AS points_squares, sum(gained)::BIGINT AS gained
    FROM sums GROUP BY ALL
)
SELECT {_columns(f"cells.{name}" for name in CELL)}, codes.word AS source, summed.place, summed.points,
    summed.points_squares, summed.gained
FROM summed
JOIN cells USING (cell)
JOIN codebook AS codes
    ON codes.title = cells.title AND codes.board = cells.board AND codes.kind = 'source'
    AND codes.code = summed.source
WHERE codes.word IN ({sources})"""


def _condition(when: When) -> str:
    fact = f"turns.{identifier(when.fact)}"
    low = f"{fact} >= {int(when.low)}"
    return low if when.high is None else f"{low} AND {fact} <= {int(when.high)}"


def _value(add: Iterable[str], less: Iterable[str]) -> str:
    return "0" + "".join(
        f" {sign} turns.{identifier(fact)}" for sign, facts in (("+", add), ("-", less)) for fact in facts
    )


def _all(conditions: Sequence[str]) -> str:
    return " AND ".join(conditions) or "true"


def column(what: str, asked: Asked) -> str:
    """The name of one of a line's SUMS."""
    return f"{what} {asked.column}"


def _columns(names: Iterable[str]) -> str:
    return ", ".join(".".join(map(identifier, name.split("."))) for name in names)


def _list(texts: Iterable[str]) -> str:
    return ",\n        ".join(texts)
