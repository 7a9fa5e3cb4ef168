"""A second process that draws the figures while this one goes on: `python -m reports.worker`.

It gets the wanted formats and then the figures, one after the other as they are known, and hands the pictures
back when it is asked for them. So they are drawn while the next are still being worked out, and while this
process makes the PDF. A plain child process, not `multiprocessing`: that would run a caller's unguarded script
again.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Sequence
from queue import SimpleQueue
from threading import Thread
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pipeline.analysis.model import FigureData
    from reports.draw import Picture

PICTURES = ("png", "svg", "html")
"""Formats for which a figure is drawn by itself."""


class Painter:
    """Draws figures elsewhere, or here when it is asked for them: on one core, or where no child can be had.

    Use it in a `with` block, which ends the child.
    """

    def __init__(self, formats: Sequence[str]) -> None:
        self.formats = [name for name in PICTURES if name in formats]
        self._figures: dict[int, FigureData] = {}
        self._child = _start() if self.formats and (os.cpu_count() or 1) > 1 else None
        self._send(self.formats)

    def __enter__(self) -> Painter:
        return self

    def __exit__(self, *problem: object) -> None:
        self._end()

    def draw(self, data: FigureData) -> None:
        """Hand over a figure; one that has been handed over already, or cannot be drawn, is passed over."""
        if id(data) not in self._figures and not data.failure:
            self._figures[id(data)] = data
            self._send(data)

    def pictures(self) -> dict[int, Picture]:
        """The pictures of all figures that were handed over, by the figure's `id`. The child ends with this."""
        self._send(None)
        found = self._received()
        if found is None:
            from reports.draw import picture

            # A fault of the child's shows better here than from there.
            found = [picture(data, self.formats) for data in self._figures.values()]
        return dict(zip(self._figures, found, strict=True))

    def _send(self, value: Any) -> None:
        if self._child is not None:
            assert self._child.stdin is not None
            try:
                pickle.dump(value, self._child.stdin)
                self._child.stdin.flush()
            except OSError:
                self._end()

    def _received(self) -> list[Picture] | None:
        if self._child is None:
            return None
        child, self._child = self._child, None
        answer, _ = child.communicate()
        if child.returncode != 0:
            return None
        found: list[Picture] = pickle.loads(answer)
        return found

    def _end(self) -> None:
        if self._child is not None:
            child, self._child = self._child, None
            child.kill()
            child.communicate()


def _start() -> subprocess.Popen[bytes] | None:
    paths = os.pathsep.join(path for path in sys.path if path)
    try:
        return subprocess.Popen(
            [sys.executable, "-m", __name__], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": paths},
        )  # fmt: skip
    except OSError:
        return None


def main() -> None:
    """The child: draw what comes, then hand it all over."""
    # Whoever interrupts the command ends it, and with it this.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    from reports.draw import load, picture

    load()
    # What is loaded stays: it need not be looked through again and again.
    gc.freeze()
    waiting: SimpleQueue[Any] = SimpleQueue()
    Thread(target=_read, args=(sys.stdin.buffer, waiting), daemon=True).start()
    formats = waiting.get()
    drawn = [picture(data, formats) for data in iter(waiting.get, None)]
    sys.stdout.buffer.write(pickle.dumps(drawn))


def _read(inlet: IO[bytes], waiting: SimpleQueue[Any]) -> None:
    """Put what comes on the list up to the None at its end, so that whoever sends it never waits for the drawing."""
    try:
        while (value := pickle.load(inlet)) is not None:
            waiting.put(value)
    except (EOFError, pickle.UnpicklingError):
        os._exit(1)  # nobody is there any more
    waiting.put(None)


if __name__ == "__main__":
    main()
