"""`plybook show`: one game's header, moves in words, and the board as text or as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pipeline import titles
from pipeline.commands import GOOD, SOME_REJECTED, UNUSABLE
from pipeline.commands.find import NotFound, record_in_file, record_in_lake
from pipeline.commands.output import say
from pipeline.ingest.lines import FileFault
from pipeline.kernels import kernel
from pipeline.lake import Lake
from pipeline.outputs import existing_lake, outside_lakes, whole_file
from pipeline.records import Record, RecordFault
from pipeline.replay import check_record, log_of, states_of
from pipeline.titles.contract import Book, TitleError
from pipeline.titles.state import memory_of


def show(game: str | None, file: Path | None, lake: Path, ply: int | None, png: Path | None, moves: bool) -> int:
    """Print a game; with `png` draw the board into that file."""
    if png is not None and outside_lakes(png, None if file else lake).suffix.lower() != ".png":
        say(f"{png}: the board is drawn as PNG, into a file that ends in .png")
        return UNUSABLE
    try:
        if file is not None:
            record = record_in_file(file, game)
        elif game is None:
            say("name a game of the lake, or a file with --file")
            return UNUSABLE
        else:
            source = Lake(existing_lake(lake))
            with source.blamed():
                record = record_in_lake(source, game)
        return _show(record, ply, png, moves)
    except (NotFound, RecordFault, FileFault, TitleError) as error:
        say(str(error))
        return UNUSABLE


def _show(record: Record, ply: int | None, png: Path | None, moves: bool) -> int:
    title = titles.load(record.title)
    board = title.load_board(record.board)
    check = check_record(record)
    block, rows = states_of(record)
    last = len(rows) - 2
    if ply is not None and not -1 <= ply <= last:
        say(f"the game can be shown after ply -1 (before the first) to {last}, not {ply}")
        return UNUSABLE
    at = last if ply is None else ply
    print(_header(record))
    if moves:
        print(moves_in_words(record, title.book(record.board), at))
    memory_of(block)[:] = rows[at + 1]
    shown = title.show.view(block[0], board)
    print(f"\nafter ply {at}" if at >= 0 else "\nbefore the first event")
    print(title.show.text(shown))
    if not check.ok:
        where = "" if check.ply is None else f" at ply {check.ply}"
        print(f"\nfault{where}: {check.message}")
    if png is not None:
        _draw(record, shown, at, png)
        say(f"drawn to {png}")
    return GOOD if check.ok else SOME_REJECTED


def _header(record: Record) -> str:
    seats = [
        f"  seat {i}  {_plain(seat.player) if seat.player is not None else 'unknown'}"
        + (" (bot)" if seat.kind == "bot" else "")
        for i, seat in enumerate(record.seats)
    ]
    options = ", ".join(f"{name} {value}" for name, value in record.options.items())
    moment = f", played {record.played_at.isoformat()}" if record.played_at else ""
    lines = [
        f"{titles.load(record.title).label}: game {_plain(record.id)} from {_plain(record.source)}{moment}",
        f"  {record.ended}, board {record.board}" + (f", {options}" if options else ""),
    ]
    return "\n".join([*lines, *seats])


def _plain(name: str) -> str:
    """A name from outside without what a terminal would obey."""
    text = name.encode("utf-8", "replace").decode()
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


def moves_in_words(record: Record, book: Book, until: int) -> str:
    """The events up to a ply, a line a turn."""
    title = titles.load(record.title)
    turns = np.zeros(len(record.codes), np.int32)
    codable = [code for code in record.codes if code[1] >= 0]
    if len(codable) == len(record.codes):
        classes = np.array(book.turn_classes, np.int32)
        kernel(title.name, compiled=False).number_turns(log_of(title, [record]), classes, turns)
    lines: list[str] = []
    before: tuple[int, int] | None = None
    for ply, codes in enumerate(record.codes[: until + 1]):
        key = (int(turns[ply]), codes[0])
        phrase = event_in_words(codes, book)
        if key == before:
            lines[-1] += f"; {phrase}"
        else:
            actor = f"seat {codes[0]}" if codes[0] >= 0 else "nature"
            lines.append(f"{ply:5}  turn {turns[ply]:3}  {actor}: {phrase}")
        before = key
    return "\n".join(lines)


def event_in_words(codes: Sequence[int], book: Book) -> str:
    """One event as a phrase: `castle castle3 at B4`."""
    _, action_code, item, place, target, amount = codes
    if action_code < 0:
        return "(an event that cannot be read)"
    action = book.actions[action_code]
    words = [action.name]
    if amount >= 0:
        words.append(str(amount))
    if item >= 0:
        words.append(str(book.items[item]))
    elif action.unknown:
        words.append("(unseen)")
    if place >= 0:
        words.append(f"at {book.places[place]}")
    if target >= 0:
        words.append(f"to seat {target}" if action.target == "seat" else f"to {book.targets[target]}")
    return " ".join(words)


def _draw(record: Record, shown: dict[str, Any], ply: int, png: Path) -> None:
    from reports.board import draw_board

    title = titles.load(record.title)
    names = [seat.player or f"seat {i}" for i, seat in enumerate(record.seats)]
    heading = f"{title.label}, game {_plain(record.id)}, after ply {ply}"
    with whole_file(png) as aside:
        draw_board(title.show.draw, shown, heading, names, aside)
