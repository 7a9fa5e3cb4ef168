"""Games as text records: the inverse of reading. Text -> Arrow -> text of what is written here is the identity."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO, Any

import msgspec

from pipeline import titles
from pipeline.ingest.chunk import Chunk
from pipeline.outputs import whole_file
from pipeline.records import FORMAT, decode_event
from pipeline.titles.contract import Book


def record_lines(chunk: Chunk) -> Iterator[bytes]:
    """Each game of a chunk as one line of JSON, without the line's end."""
    book = titles.load(chunk.title).book(chunk.board)
    games = chunk.games.to_pylist()
    seats = chunk.seats.to_pylist()
    at = 0
    texts: dict[tuple[int, ...], bytes] = {}
    for i, game in enumerate(games):
        mine = seats[at : at + game["players"]]
        at += game["players"]
        head, tail = _header(game, mine)
        if game["plies"] == 0 and any(seat["stated_score"] is not None for seat in mine):
            yield b"{" + head + tail + b"}"
            continue
        begin, end = int(chunk.offsets[i]), int(chunk.offsets[i + 1])
        rows = zip(*(chunk.codes[k, begin:end].tolist() for k in range(6)), strict=True)
        events = b",".join(_event(row, book, texts) for row in rows)
        yield b"{" + head + b',"events":[' + events + b"]" + tail + b"}"


def _event(codes: tuple[int, ...], book: Book, texts: dict[tuple[int, ...], bytes]) -> bytes:
    text = texts.get(codes)
    if text is None:
        text = texts[codes] = msgspec.json.encode(decode_event(codes, book))
    return text


def _header(game: dict[str, Any], seats: list[dict[str, Any]]) -> tuple[bytes, bytes]:
    """The fields before and behind `events`."""
    head: dict[str, Any] = {
        "format": FORMAT, "title": game["title"], "id": game["id"], "source": game["source"],
    }  # fmt: skip
    if game["played_at"] is not None:
        head["played_at"] = moment_text(game["played_at"])
    head["options"] = msgspec.json.decode(game["options"])
    head["ended"] = game["ended"]
    head["seats"] = [_seat(seat) for seat in seats]
    result: dict[str, Any] = {}
    for name, column in (("scores", "stated_score"), ("ranks", "stated_rank")):
        values = [seat[column] for seat in seats]
        if values and None not in values:
            result[name] = values
    tail = b',"result":' + msgspec.json.encode(result) if result else b""
    return msgspec.json.encode(head)[1:-1], tail


def _seat(seat: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {"player": seat["player"], "kind": seat["kind"]}
    if seat["source_seat"] is not None:
        found["source_seat"] = seat["source_seat"]
    return found


def moment_text(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


def write_records(chunks: Iterable[Chunk], file: IO[bytes]) -> int:
    """Write the chunks' records, one a line; how many."""
    count = 0
    for chunk in chunks:
        for line in record_lines(chunk):
            file.write(line + b"\n")
            count += 1
    return count


@contextmanager
def opened_for_records(path: Path) -> Iterator[IO[bytes]]:
    """A file for lines, compressed as its name says (.gz, .zst); the same lines give the same bytes.

    It appears when it is whole. Raises OutputError when it cannot be written.
    """
    with whole_file(path) as aside, open(aside, "wb") as raw:
        if path.suffix == ".gz":
            import gzip

            # No name and no time in the head of the file: the same input must give the same bytes.
            with gzip.GzipFile("", "wb", 6, raw, mtime=0) as packed:
                buffered = io.BufferedWriter(packed)
                yield buffered
                buffered.flush()
        elif path.suffix == ".zst":
            import zstandard

            with zstandard.ZstdCompressor(3).stream_writer(raw) as stream:
                yield stream
        else:
            yield raw
