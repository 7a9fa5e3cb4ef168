"""SQL that counts what titles' measures ask (`pipeline.titles.measure`), from the names that they declare.

Each SELECT has whole numbers that may be added over batches: `pipeline.counting.count_selects` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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


def _lines(title: str, lines: Sequence[Asked]) -> str:
    """One row per cell, seat (or all together) and part: games seen, and of each line the SUMS over games."""
    by = lines[0].by
    part = f"turns.{identifier(by.fact)}" if by else "0"
    own = [text for asked in lines for text in _of_a_seat(asked)]
    together = [text for asked in lines for text in _of_a_game(asked)]
    sums = [text for asked in lines for text in _over_games(asked)]
    return f"""WITH each AS MATERIALIZED (
    SELECT turns.game_id, turns.seat::INTEGER AS seat, {part}::INTEGER AS part,
        {_list(own)}
    FROM {identifier(TURNS_OF + title)} AS turns
    JOIN game_facts USING (game_id)
    WHERE game_facts.left_out IS NULL{f" AND {part} >= 0" if by else ""}
    GROUP BY ALL
), counted AS (
    SELECT * FROM each
    UNION ALL BY NAME
    SELECT game_id, {TOGETHER} AS seat, part,
        {_list(together)}
    FROM each GROUP BY ALL
)
SELECT {_columns(CELL)}, seat, part, count(*) AS seen,
    {_list(sums)}
FROM counted JOIN game_facts USING (game_id)
GROUP BY ALL"""


def _of_a_seat(asked: Asked) -> list[str]:
    """Numerator and denominator of a line in one game, for one seat."""
    line, x, y = asked.line, _named("x", asked), _named("y", asked)
    unknown = [] if line.signed else [f"turns.{identifier(fact)} >= 0" for fact in dict.fromkeys(line.summed)]
    among, counted = [_condition(when) for when in line.among], [_condition(when) for when in line.where]
    value = _value(line.add, line.less) if line.add or line.less else "1"
    if not asked.per_game:
        below = _value(line.over, ()) if line.over else "1"
        kept = _all([*among, *unknown])
        return [
            f"coalesce(sum({value}) FILTER ({_all([*among, *unknown, *counted])}), 0)::BIGINT AS {x}",
            f"coalesce(sum({below}) FILTER ({kept}), 0)::BIGINT AS {y}",
        ]
    happened = _all([*among, *counted])
    told = f"coalesce(bool_and({_all(unknown)}) FILTER ({happened}), true)"
    had = "".join(f" + max(turns.{identifier(fact)})" for fact in line.most)
    summed = "0" if line.most and value == "1" else f"coalesce(sum({value}) FILTER ({happened}), 0)"
    # A game in which something of the sum is unknown has no denominator.
    return [f"CASE WHEN {told} THEN {summed}{had} ELSE 0 END::BIGINT AS {x}", f"{told}::BIGINT AS {y}"]


def _of_a_game(asked: Asked) -> list[str]:
    """The same for all seats of a game together."""
    x, y = _named("x", asked), _named("y", asked)
    if not asked.per_game:
        return [f"sum({x})::BIGINT AS {x}", f"sum({y})::BIGINT AS {y}"]
    return [f"CASE WHEN min({y}) = 1 THEN sum({x}) ELSE 0 END::BIGINT AS {x}", f"min({y}) AS {y}"]


def _over_games(asked: Asked) -> list[str]:
    x, y = _named("x", asked), _named("y", asked)
    products = (("x", x), ("y", y), ("xx", f"{x} * {x}"), ("xy", f"{x} * {y}"), ("yy", f"{y} * {y}"))
    return [
        f"count(*) FILTER ({y} <> 0) AS {_named('n', asked)}",
        *(f"sum({product})::BIGINT AS {_named(name, asked)}" for name, product in products),
    ]


def _order(title: str, measure: Starter) -> str:
    """One row per cell, epoch and position in its order: sums of win shares and of points over the mean."""
    turns = identifier(TURNS_OF + title)
    return f"""WITH started AS (
    SELECT game_id, epoch, arg_min(seat, turn)::INTEGER AS starter
    FROM {turns} WHERE epoch >= {int(measure.first)} GROUP BY ALL
), made AS (
    SELECT points.game_id, turns.epoch, points.seat, sum(points.points)::BIGINT AS points
    FROM turn_points AS points
    JOIN {turns} AS turns ON turns.game_id = points.game_id AND turns.turn = points.turn
    WHERE turns.epoch >= {int(measure.first)}
    GROUP BY ALL
), placed AS (
    SELECT
        {_list(f"facts.{identifier(name)}" for name in CELL)}, started.epoch, facts.win60::BIGINT AS win60,
        (facts.seat - started.starter + facts.players) % facts.players AS position,
        coalesce(made.points, 0) * facts.players
            - sum(coalesce(made.points, 0)) OVER (PARTITION BY facts.game_id, started.epoch) AS excess
    FROM seat_facts AS facts
    JOIN started ON started.game_id = facts.game_id
    LEFT JOIN made
        ON made.game_id = facts.game_id AND made.epoch = started.epoch AND made.seat = facts.seat
    WHERE facts.left_out IS NULL
)
SELECT {_columns(CELL)}, epoch, position::INTEGER AS position, count(*) AS n,
    sum(win60)::BIGINT AS win60, sum(win60 * win60)::BIGINT AS win60_squares,
    sum(excess)::BIGINT AS excess, sum(excess * excess)::BIGINT AS excess_squares
FROM placed
GROUP BY ALL"""


def _places(title: str, measure: Places) -> str:
    """One row per cell, source and place (codes): points a game of all seats, net, gained and lost."""
    sources = ", ".join(literal(source) for source in measure.sources)
    return f"""WITH sums AS (
    SELECT events.game_id, events.source, events.place,
        sum(events.points)::BIGINT AS points, sum(greatest(events.points, 0))::BIGINT AS gained
    FROM score_events AS events
    GROUP BY ALL
)
SELECT {_list(f"facts.{identifier(name)}" for name in CELL)}, codes.word AS source, sums.place, count(*) AS n,
    sum(points)::BIGINT AS points, sum(points * points)::BIGINT AS points_squares,
    sum(gained)::BIGINT AS gained, sum(gained * gained)::BIGINT AS gained_squares
FROM sums
JOIN game_facts AS facts USING (game_id)
JOIN codebook AS codes
    ON codes.title = facts.title AND codes.board = facts.board AND codes.kind = 'source' AND codes.code = sums.source
WHERE facts.title = {literal(title)} AND facts.left_out IS NULL AND codes.word IN ({sources})
GROUP BY ALL"""


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


def _named(what: str, asked: Asked) -> str:
    return identifier(column(what, asked))


def column(what: str, asked: Asked) -> str:
    """The name of one of a line's SUMS."""
    return f"{what} {asked.column}"


def _columns(names: Sequence[str]) -> str:
    return ", ".join(map(identifier, names))


def _list(texts: Iterable[str]) -> str:
    return ",\n        ".join(texts)
