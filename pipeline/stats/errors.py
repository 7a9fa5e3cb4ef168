"""The one error of this package."""

from __future__ import annotations


class NotEnough(ValueError):
    """A figure that the data at hand cannot give; the message says in plain words what lacks."""


def need(what: str, needed: int, has: int) -> None:
    """Raise :class:`NotEnough` when ``has < needed``.

    The message reads "needs 30 games, has 12", or "needs games, has none" where one would do.
    """
    if has < needed:
        few = f"needs {what}, has none" if needed == 1 else f"needs {needed} {what}, has {has}"
        raise NotEnough(few)
