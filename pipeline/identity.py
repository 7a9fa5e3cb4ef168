"""What makes two records the same game: a number from title, source and id, and a digest of the content; and files.

Of records both are BLAKE2b of 8 bytes read as a signed whole number, so that they fit `int64` columns. They are the
same on every machine and in every version; `hash()` is neither.
"""

from __future__ import annotations

from hashlib import blake2b, file_digest
from pathlib import Path

BYTES = 8


def bytes_digest(file: Path) -> str:
    """The SHA-256 of a file's bytes. Raises OSError."""
    with open(file, "rb") as opened:
        return file_digest(opened, "sha256").hexdigest()


def content_digest(content: bytes) -> int:
    """The digest of a record's content: equal for a duplicate, other for a conflict. A signed int64."""
    return int.from_bytes(blake2b(content, digest_size=BYTES).digest(), "big", signed=True)


def game_number(title: str, source: str, id: str) -> int:
    """The stable number of a game, its `game_id`. A signed int64."""
    # Lengths stand before the texts because any of them may hold any separator.
    name = f"{len(title)}:{title}{len(source)}:{source}{len(id)}:{id}"
    return content_digest(name.encode("utf-8", "surrogatepass"))
