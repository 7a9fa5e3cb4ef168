"""What the commands share on the screen: sentences to stderr, and progress bars on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


def say(text: str) -> None:
    """A sentence for the person at the terminal; stdout stays free for data."""
    print(text.encode("utf-8", "replace").decode(), file=sys.stderr)


def plural(count: int, word: str) -> str:
    """A count with its word: 1 game, 1,204 games."""
    if count == 1:
        return f"1 {word}"
    return f"{count:,} {word}es" if word.endswith("ch") else f"{count:,} {word}s"


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[str, int, int], None]]:
    """A bar that is told (name, done, of how many); silent when stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield lambda name, done, of: None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks = {}

        def tell(name: str, done: int, of: int) -> None:
            if name not in tasks:
                tasks[name] = bar.add_task(escape(f"{what} {name}".strip()), total=of or None)
            bar.update(tasks[name], completed=done, total=of or None)

        yield tell
