"""NAME=VALUE on the command line as a title's options."""

from __future__ import annotations

import json
from typing import Any

from pipeline.titles.contract import TitleError


def parse_options(texts: list[str]) -> dict[str, Any]:
    """`fortresses=true` is a truth value, `side=3-4` a word, `events=["scouts","dominion"]` a list.

    Raises TitleError for a text without `=`.
    """
    options = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name:
            raise TitleError(f"an option is NAME=VALUE, not {text!r}")
        try:
            options[name] = json.loads(value)
        except ValueError:
            options[name] = value
    return options
