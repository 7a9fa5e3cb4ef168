"""Lines of a text file that may be compressed, in blocks, whatever the file's size."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BufferedReader
from pathlib import Path
from typing import IO, Protocol

from pipeline.identity import bytes_digest

BLOCK = 8 << 20
MARK = b"\xef\xbb\xbf"
PADDING = bytes(8)
"""What stands behind a block's lines, so that eight bytes can be read from each of their places at once."""

MAX_LINE = 16 << 20
"""Longest line that is read, in bytes; the longest real record has some 100,000."""


class Source(Protocol):
    """Uncompressed bytes, handed out as they come."""

    def read1(self, size: int = -1, /) -> bytes: ...


class FileFault(ValueError):
    """The file as a whole cannot be read; one sentence."""


@dataclass
class Block:
    """Some lines of a file, blank ones left out: line i has the number `numbers[i]`, from 1.

    Its bytes are `data[begins[i]:ends[i]]`; behind the last line stands PADDING.
    `faults` are lines that cannot be handed on: number, fault, sentence.
    """

    data: bytes = b""
    numbers: list[int] = field(default_factory=list)
    begins: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    faults: list[tuple[int, str, str]] = field(default_factory=list)
    read: int = 0
    """Bytes of the file, as it lies on the disk, that have been read so far."""

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Number and bytes of each line."""
        return map(self.line, range(len(self.numbers)))

    def line(self, i: int) -> tuple[int, bytes]:
        """Number and bytes of a line."""
        return self.numbers[i], self.data[self.begins[i] : self.ends[i]]


def endings_off(path: Path) -> str:
    """The file's name without its endings: the default source of its records."""
    name = path.name
    for ending in (".gz", ".zst", ".jsonl", ".json", ".ndjson"):
        name = name.removesuffix(ending)
    return name


def file_digest(path: Path) -> str:
    """SHA-256 of the file's bytes. Raises FileFault when it cannot be read."""
    try:
        return bytes_digest(path)
    except IsADirectoryError as error:
        raise FileFault(f"{path} is a folder, not a file") from error
    except OSError as error:
        raise FileFault(f"{path} cannot be read: {error.strerror}") from error


def read_blocks(path: Path) -> Iterator[Block]:
    """The file's lines. Ends with a fault line, not an exception, when the file breaks off.

    Raises FileFault when not even the first byte can be read as text.
    """
    try:
        with open(path, "rb") as raw:
            start = raw.peek(4)[:4]
            yield from _blocks(_opened(path, raw, start), raw)
    except IsADirectoryError as error:
        raise FileFault(f"{path} is a folder, not a file") from error
    except OSError as error:
        raise FileFault(f"{path} cannot be read: {error.strerror or error}") from error


def _opened(path: Path, raw: BufferedReader, start: bytes) -> Source:
    """The uncompressed bytes; the kind is told by the first bytes, not by the name."""
    if start[:2] == b"\x1f\x8b":
        return gzip.open(raw)
    # Parallel zstd begins with a frame without content.
    if start == b"\x28\xb5\x2f\xfd" or (start[:1] and start[0] >> 4 == 5 and start[1:] == b"\x2a\x4d\x18"):
        from pipeline.ingest.zst import ZstReader

        return ZstReader(raw)
    if start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise FileFault(f"{path} is UTF-16 text; records are UTF-8: save it anew")
    if start == b"PAR1":
        raise FileFault(f"{path} is a Parquet file, not JSON Lines; name its folder instead")
    return raw


def _blocks(file: Source, raw: IO[bytes]) -> Iterator[Block]:
    number = 0
    rest = b""
    skipped = 0
    first = True
    broken = ""
    while not broken:
        pieces, broken = _fill(file)
        block = Block(b"".join([rest, *pieces, PADDING]), read=raw.tell())
        size = len(block.data) - len(PADDING)
        begin = len(MARK) if first and block.data.startswith(MARK) else 0
        first = False
        while (end := block.data.find(b"\n", begin, size)) >= 0:
            number += 1
            _take(block, number, begin, end, skipped)
            skipped = 0
            begin = end + 1
        ended = not pieces or bool(broken)
        if ended and (begin < size or skipped):
            number += 1
            _take(block, number, begin, size, skipped, cut=bool(broken))
        rest = block.data[begin:size]
        if len(rest) > MAX_LINE:
            skipped += len(rest)
            rest = b""
        if broken:
            block.faults.append((number + 1, "broken_file", broken))
        if block.numbers or block.faults:
            yield block
        if ended:
            return


def _fill(file: Source) -> tuple[list[bytes], str]:
    """The next block's bytes in pieces, and why the file breaks off there (empty if it does not).

    Read piece by piece, so that what was unpacked before the damage is kept.
    """
    pieces: list[bytes] = []
    size = 0
    try:
        while size < BLOCK:
            piece = file.read1(BLOCK)
            if not piece:
                break
            pieces.append(piece)
            size += len(piece)
    except (EOFError, zlib.error, OSError) as error:
        return pieces, f"the compressed file breaks off or is damaged: {error}"
    except Exception as error:
        # zstandard's own error class must not be imported for files that are not zstd.
        if type(error).__name__ != "ZstdError":
            raise
        return pieces, f"the compressed file breaks off or is damaged: {error}"
    return pieces, ""


def _take(block: Block, number: int, begin: int, end: int, skipped: int, cut: bool = False) -> None:
    """Add a line to the block, or its fault; `skipped` bytes of it were passed over before."""
    if skipped + end - begin > MAX_LINE:
        sentence = f"the line has {skipped + end - begin:,} bytes, the most is {MAX_LINE:,}"
        block.faults.append((number, "long_line", sentence))
    elif block.data[begin : begin + 1].isspace() and not block.data[begin:end].strip():
        return
    elif cut and begin < end:
        block.faults.append((number, "cut_line", "the compressed file breaks off within this line"))
    elif begin < end:
        block.numbers.append(number)
        block.begins.append(begin)
        block.ends.append(end)
