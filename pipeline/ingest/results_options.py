"""Cells of a results table as options of the title, whether it has rules here or not."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pipeline.ingest.chunk import options_text
from pipeline.titles.contract import Option, Title, TitleError

YES, NO = ("yes", "y", "1", "x"), ("no", "n", "0")


def read_options(
    rules: Title | None, texts: Mapping[str, str], players: int
) -> tuple[str | None, str | None, str | None]:
    """The options as the games table holds them, the board's id, and what is wrong with them.

    A title without rules takes anything: true and false, whole numbers and texts.
    """
    if rules is None:
        return options_text({name: _plain_value(text) for name, text in texts.items()}), "", None
    known = {option.name: option for option in rules.options}
    given = {name: _legal_value(known.get(name), text, players) for name, text in texts.items()}
    try:
        complete = rules.complete_options(given, players)
        return options_text(complete), rules.board_id(complete), None
    except TitleError as error:
        return None, None, str(error)


def _plain_value(text: str) -> bool | int | str:
    if text.casefold() in ("true", "false"):
        return text.casefold() == "true"
    return int(text) if re.fullmatch(r"-?(0|[1-9][0-9]{0,8})", text) else text


def _legal_value(option: Option | None, text: str, players: int) -> Any:
    """The option's value that is written so; the text itself where there is none."""
    if option is None:
        return text
    words: dict[str, Any] = {str(value).casefold(): value for value in option.legal(players)}
    for value, others in ((True, YES), (False, NO)):
        if any(known is value for known in words.values()):
            words.update(dict.fromkeys(others, value))
    if option.many:
        parts = [part.strip() for part in re.split(r"[,;+]", text)]
        return [words.get(part.casefold(), part) for part in parts]
    return words.get(text.casefold(), text)
