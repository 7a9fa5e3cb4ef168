"""How values and lists stand in sentences for a person."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

LONGEST = 60


def quoted(value: Any) -> str:
    """A value as a person may see it: one line, not too long, no control characters."""
    text = one_line(json.dumps(value, ensure_ascii=False, default=str))
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def one_line(text: str) -> str:
    """A text with its control characters, line ends among them, written as escapes."""
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)


def listed(words: Iterable[Any], last: str = "or") -> str:
    """`a, b or c`."""
    texts = [str(word) for word in words]
    return f" {last} ".join([", ".join(texts[:-1]), texts[-1]]) if len(texts) > 1 else "".join(texts)
