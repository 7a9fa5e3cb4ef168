"""The verdict per seat and per cell, the turn-order test over all of them, and what is still needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pipeline.analysis.model import Cell, CellLine, SeatLine
from pipeline.stats.errors import NotEnough
from pipeline.stats.intervals import Interval
from pipeline.stats.patterns import Patterns
from pipeline.stats.seat_tests import Trend, trend_test
from pipeline.stats.verdicts import LEAST_GAMES, SeatVerdict, cell_verdict, seat_verdicts
from pipeline.wording import listed

NEEDS_GAMES = "needs {needed} games, has {has:,}"


def cell_lines(cells: Sequence[Cell], shares: Mapping[str, Patterns], delta: float) -> tuple[CellLine, ...]:
    """A verdict for each cell that has games; `delta` in percentage points."""
    found = []
    for cell in cells:
        if cell.key not in shares or cell.players < 2:
            continue
        seats = seat_verdicts(shares[cell.key], delta / 100)
        whole = cell_verdict(seats)
        lines = tuple(_seat_line(cell, seat) for seat in seats)
        found.append(
            CellLine(
                cell.key, cell.label, cell.counted, whole.balanced, whole.sentence(), whole.games_still_needed, lines
            )
        )
    return tuple(found)


def _points(interval: Interval, fair: float) -> tuple[float, float]:
    return 100 * (interval.low - fair), 100 * (interval.high - fair)


def _seat_line(cell: Cell, seat: SeatVerdict) -> SeatLine:
    fair = seat.share.expected
    return SeatLine(
        cell=cell.key,
        label=cell.label,
        seat=seat.seat,
        games=seat.games,
        share=seat.share.share,
        difference=100 * seat.share.difference,
        interval95=_points(seat.interval95, fair),
        interval90=_points(seat.interval90, fair),
        p=seat.p_exact,
        p_adjusted=seat.p_adjusted,
        verdict=seat.verdict,
        sentence=seat.sentence() if seat.settled else f"{seat.observed()}; {seat.conclusion()}",
        games_still_needed=seat.games_still_needed,
    )


def headline(label: str, lines: Sequence[CellLine]) -> str:
    """The verdict on a title in one sentence."""
    if not lines:
        return f"{label}: no games with a result, so no verdict."
    if len(lines) == 1:
        sentence = lines[0].sentence
        return f"{label} with {lines[0].label}{' is ' if sentence.startswith('not ') else ': '}{sentence}."
    told = []
    for words, wanted in (
        ("balanced", lambda line: line.balanced is True),
        ("not balanced", _off),
        ("undecided", lambda line: line.balanced is False and not _off(line)),
        (f"with fewer than {LEAST_GAMES} games", lambda line: line.balanced is None),
    ):
        mine = [line for line in lines if wanted(line)]
        if mine:
            names = "; ".join(line.label for line in mine) if len(mine) <= 3 else ""
            told.append(f"{len(mine)} {words}" + (f" ({names})" if names else ""))
    return f"{label}, {len(lines)} cells: {', '.join(told)}."


def _off(line: CellLine) -> bool:
    return line.balanced is False and any(seat.verdict in ("advantaged", "disadvantaged") for seat in line.seats)


def trend(shares: Mapping[str, Patterns], cells: Sequence[Cell], seed: int) -> Trend | None:
    """The turn-order trend, stratified by cell; None where it cannot be had."""
    try:
        return trend_test([shares[cell.key] for cell in cells if cell.key in shares and cell.players > 1], seed)
    except NotEnough:
        return None


def trend_sentence(found: Trend | None) -> str:
    """What the trend says, with its p-value."""
    if found is None or found.games < LEAST_GAMES:
        return ""
    counts = listed(found.player_counts, "and")
    where = (
        f"Over all player counts ({counts})" if len(found.player_counts) > 1 else f"Over all cells of {counts} players"
    )
    if found.p < 0.05:
        who = "earlier" if found.z < 0 else "later"
        return f"{where}, {who} seats win more (turn-order trend, p\u00a0{p_words(found.p)})."
    return f"{where}, turn order shows no trend (p\u00a0{p_words(found.p)})."


def p_words(p: float) -> str:
    """`= 0.034` or `< 0.001`, kept on one line."""
    return "<\u00a00.001" if p < 0.001 else f"=\u00a0{p:.3f}"


def needed_sentences(lines: Sequence[CellLine], cells: Sequence[Cell]) -> tuple[str, ...]:
    """What is open in each cell, and how many games more would settle it."""
    known = {line.cell: line for line in lines}
    found = []
    for cell in cells:
        line = known.get(cell.key)
        if line is not None:
            found += _needed(line)
        elif cell.players > 1:
            found.append(f"{cell.label}: no game counts yet, so there is no verdict.")
    return tuple(found) or ("Nothing is open: every seat of every cell has its verdict.",)


def open_seats(line: CellLine) -> tuple[list[int], int]:
    """The seats (1-based) that have no verdict of their own yet, and the games more that would settle them."""
    waiting = [seat for seat in line.seats if seat.games_still_needed]
    return [seat.seat + 1 for seat in waiting], max((seat.games_still_needed for seat in waiting), default=0)


def _needed(line: CellLine) -> list[str]:
    if line.games_still_needed:
        have = NEEDS_GAMES.format(needed=LEAST_GAMES, has=line.games)
        first = f" (a verdict {have})" if line.games < LEAST_GAMES else ""
        return [f"{line.label}: about {line.games_still_needed:,} more games to settle all seats{first}."]
    seats, games = open_seats(line)
    if not seats:
        return []
    named = f"seat{'s' * (len(seats) > 1)} {listed(seats, 'and')}"
    return [f"{line.label}: the cell has its verdict; about {games:,} more games to settle {named} too."]


def waiting_sentence(games: int) -> str:
    """What to do about games that are in the lake but not replayed; empty where there are none."""
    if not games:
        return ""
    are = "game is" if games == 1 else "games are"
    return f"{games:,} {are} not replayed yet, so not counted: run `plybook replay`."
