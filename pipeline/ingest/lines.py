"""Lines of a text file that may be compressed, in blocks, whatever the file's size."""

from __future__ import annotations

import gzip
import hashlib
import io
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

BLOCK = 8 << 20
MAX_LINE = 16 << 20
"""Longest line that is read, in bytes; the longest real record has some 100,000."""


class FileFault(ValueError):
    """The file as a whole cannot be read; one sentence."""


@dataclass
class Block:
    """Some lines of a file: their numbers from 1 and their bytes, blank lines left out.

    `faults` are lines that cannot be handed on: number, fault, sentence.
    """

    numbers: list[int] = field(default_factory=list)
    lines: list[bytes] = field(default_factory=list)
    faults: list[tuple[int, str, str]] = field(default_factory=list)
    read: int = 0
    """Bytes of the file, as it lies on the disk, that have been read so far."""


def endings_off(path: Path) -> str:
    """The file's name without its endings: the default source of its records."""
    name = path.name
    for ending in (".gz", ".zst", ".jsonl", ".json", ".ndjson"):
        name = name.removesuffix(ending)
    return name


def file_digest(path: Path) -> str:
    """SHA-256 of the file's bytes. Raises FileFault when it cannot be read."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
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


def _opened(path: Path, raw: IO[bytes], start: bytes) -> IO[bytes]:
    """The uncompressed bytes; the kind is told by the first bytes, not by the name."""
    if start[:2] == b"\x1f\x8b":
        return gzip.open(raw)  # type: ignore[return-value]
    if start == b"\x28\xb5\x2f\xfd":
        import zstandard

        return io.BufferedReader(zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True), BLOCK)
    if start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise FileFault(f"{path} is UTF-16 text; records are UTF-8: save it anew")
    if start == b"PAR1":
        raise FileFault(f"{path} is a Parquet file, not JSON Lines; name its folder instead")
    return raw


def _blocks(file: IO[bytes], raw: IO[bytes]) -> Iterator[Block]:
    number = 0
    rest = b""
    skipped = 0
    first = True
    broken = ""
    while not broken:
        data, broken = _fill(file)
        if first:
            data = data.removeprefix(b"\xef\xbb\xbf")
            first = False
        ended = not data or bool(broken)
        lines = (rest + data).split(b"\n")
        rest = b"" if ended else lines.pop()
        block = Block(read=raw.tell())
        for line in lines:
            if ended and not line and not skipped:
                continue
            number += 1
            _take(block, number, line, skipped, bool(broken) and line is lines[-1])
            skipped = 0
        if len(rest) > MAX_LINE:
            skipped += len(rest)
            rest = b""
        if broken:
            block.faults.append((number + 1, "broken_file", broken))
        if block.lines or block.faults:
            yield block
        if ended:
            return


def _fill(file: IO[bytes]) -> tuple[bytes, str]:
    """The next block's bytes, and why the file breaks off there (empty if it does not).

    Read piece by piece, so that what was unpacked before the damage is kept.
    """
    pieces: list[bytes] = []
    size = 0
    try:
        while size < BLOCK:
            piece = file.read1(BLOCK)  # type: ignore[attr-defined]
            if not piece:
                break
            pieces.append(piece)
            size += len(piece)
    except (EOFError, zlib.error, OSError) as error:
        return b"".join(pieces), f"the compressed file breaks off or is damaged: {error}"
    except Exception as error:
        # zstandard's own error class must not be imported for files that are not zstd.
        if type(error).__name__ != "ZstdError":
            raise
        return b"".join(pieces), f"the compressed file breaks off or is damaged: {error}"
    return b"".join(pieces), ""


def _take(block: Block, number: int, line: bytes, skipped: int, cut: bool) -> None:
    if skipped + len(line) > MAX_LINE:
        sentence = f"the line has {skipped + len(line):,} bytes, the most is {MAX_LINE:,}"
        block.faults.append((number, "long_line", sentence))
    elif cut and line.strip():
        block.faults.append((number, "cut_line", "the compressed file breaks off within this line"))
    elif line.strip():
        block.numbers.append(number)
        block.lines.append(line)
