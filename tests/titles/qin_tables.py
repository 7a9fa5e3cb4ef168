"""Positions for Qin's tests: areas, owners and holders are written into the engine's state."""

from __future__ import annotations

from typing import Any

from pipeline import titles
from pipeline.titles.qin import codes, rules
from pipeline.titles.qin.options import BLOCKED, board_of
from pipeline.titles.qin.rules_state import NOBODY, TURN, begin_area
from pipeline.titles.state import NO_FAULT, Sink
from tests.oracles import qin

PAGODAS = {f"players{players}": count for players, count in qin.PAGODAS.items()}


def board_like(game: qin.Game, copies: int) -> Any:
    """The engine's board with the oracle's squares; coloured ones are grass until they are written."""
    free = game.grass | set(game.colours)
    signs = ["." if name in free else "~" for name in codes.SQUARES]
    for letter, squares in zip("ab", game.villages.values(), strict=False):
        for name in squares:
            signs[codes.SQUARES.index(name)] = letter
    signs[signs.index("~")] = "R"  # a board has a start field; it is taken away again
    grid = ["".join(signs[row * 13 : row * 13 + 13]) for row in range(13)]
    facts = {"grid": grid, "tiles": dict.fromkeys(codes.KINDS, copies), "pagodas": PAGODAS}
    board = board_of(facts, "a late board")
    board.ground[board.start[0]] = BLOCKED
    board.starts = 0
    return board


def state_like(game: qin.Game, board: Any, options: dict[str, str]) -> Any:
    """The engine's state with the oracle's areas and owners."""
    state = rules.State.new()
    title = titles.load("qin")
    row = title.encode_options(title.complete_options(options, game.players), game.players)
    rules.reset(state, board, game.players, row)
    owners = {square: province for province in game.provinces for square in province.squares}
    for start in game.colours:
        area = sorted(game.area(start, game.colours), key=codes.SQUARES.index)
        cells = [board.cell[codes.SQUARES.index(square)] for square in area]
        cell, root = board.cell[codes.SQUARES.index(start)], cells[0]
        if state.colour[cell] <= 0:
            begin_area(state, board, cell, 1 + codes.COLOURS.index(game.colours[start]))
        state.area[cell] = state.first[cell] = root
        state.link[cell] = cells[(area.index(start) + 1) % len(cells)]
        state.squares[cell] = len(cells)
        state.touches[cell] = 0
        for each in cells:
            state.touches[cell] |= board.touch[state.village_rule, each]
        province = owners.get(start)
        state.owner[cell] = NOBODY if province is None else province.owner
        state.height[cell] = 0 if province is None else province.pagodas
    for village, holder in enumerate(game.holders.values()):
        state.holder[village] = NOBODY if holder is None else holder
    for seat in range(game.players):
        state.score[seat] = state.pagodas - game.pagodas[seat]
    return state


def takes_over(game: qin.Game, kind: str, pair: tuple[str, str]) -> bool:
    """Whether a placement gives the seat to act another's province or village."""
    outcome = game.consequences(game.seat, kind, pair)
    villages = [step for step in outcome.steps if step.source == "village"]
    lost = {step.place for step in villages if step.points < 0 and step.seat != game.seat}
    if any(step.place in lost and step.points > 0 and step.seat == game.seat for step in villages):
        return True
    owners = {square: province.owner for province in game.provinces for square in province.squares}
    return any(
        province.owner == game.seat and owners.get(square, game.seat) != game.seat
        for province in outcome.provinces
        for square in province.squares
    )


Pagoda = tuple[int, str, str, int]  # seat, source, place, points


class Table:
    """The bird board in seat 0's turn, with nothing but its start fields; all hands are unknown."""

    def __init__(self, players: int = 3, **options: str) -> None:
        self.options = options
        self.game = qin.new_game(players, options)
        self.state: Any = None
        self.board: Any = titles.load("qin").load_board("qin-bird")

    def lay(self, owner: int | None, colour: str, squares: str) -> None:
        """A province, or lone squares (owner None)."""
        names = squares.split()
        self.game.colours |= dict.fromkeys(names, colour)
        self.game.grass -= set(names)
        if owner is not None:
            pagodas = 1 + (len(names) >= qin.MAJOR)
            self.game.provinces.append(qin.Province(colour, frozenset(names), owner, pagodas))
            self.game.pagodas[owner] -= pagodas

    def hold(self, village: str, seat: int) -> None:
        self.game.holders[village] = seat
        self.game.pagodas[seat] -= 1

    def put(self, kind: str, place: str, target: str, seat: int = 0) -> list[Pagoda] | str:
        """Lay a tile: the score events in order, or the fault's name."""
        state = self.state = state_like(self.game, self.board, self.options)
        state.phase, state.turn_seat = TURN, seat
        for each in range(state.players):
            state.unknowns[each], state.held[each] = 3, 3
            state.maybe[each] = 63
        state.supply -= 3 * state.players
        sink = Sink.new()
        squares = codes.BOOK.place_code
        fault = rules.apply(
            state, self.board, sink, seat, codes.TILE, codes.KINDS.index(kind), squares[place],
            squares[target], -1,
        )  # fmt: skip
        if fault != NO_FAULT:
            return codes.BOOK.faults[fault][0]
        return [
            (
                int(sink.seat[i]),
                codes.BOOK.sources[sink.source[i]],
                codes.SQUARES[sink.place[i]],
                int(sink.points[i]),
            )
            for i in range(sink.count)
        ]
