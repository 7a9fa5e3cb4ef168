"""Processes that draw while this one goes on: `python -m reports.worker`.

A figure is handed over as soon as it is known, and drawn while the next are still being worked out; the PDF is made
beside the last of them, by a partner of the child's. A plain child process, not `multiprocessing`: that would run a
caller's unguarded script again.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pipeline.analysis.model import FigureData, Report
    from reports.draw import Picture

DRAWN_ALONE = ("png", "svg", "html")
"""Formats for which a figure is drawn by itself."""


Job = tuple[bool, Callable[..., Any], tuple[Any, ...]]
"""Whether the partner does it; a function of a module, and what it is called with."""


class Painter:
    """Draws figures and PDFs elsewhere; on one core, or where no child can be had, here, when they are asked for.

    Use it in a `with` block, which ends the child.
    """

    def __init__(self, formats: Sequence[str]) -> None:
        self.formats = [name for name in DRAWN_ALONE if name in formats]
        self.with_books = "pdf" in formats
        self._figures: list[FigureData] = []
        self._jobs: list[Job] = []
        wanted = (self.formats or self.with_books) and (os.cpu_count() or 1) > 1
        self._child = _start() if wanted else None

    def __enter__(self) -> Painter:
        return self

    def __exit__(self, *problem: object) -> None:
        self._end()

    def draw(self, data: FigureData) -> None:
        """Hand over a figure; one that has been handed over already, or cannot be drawn, is passed over."""
        if self.formats and not data.failure and not any(data is known for known in self._figures):
            from reports.draw import picture

            self._figures.append(data)
            self._do(False, picture, data, self.formats)

    def finish(self, report: Report) -> tuple[dict[int, Picture], list[bytes]]:
        """The pictures of all figures of a report, by the figure's `id`, and the PDF of each title. Call it once."""
        for part in report.titles:
            for data in part.figures:
                self.draw(data)
        if self.with_books:
            from reports.pdf import pdf

            for part in report.titles:
                self._do(True, pdf, report, part)
        self._send(None)
        found = self._received()
        if found is None:
            # A fault of the child's shows better here than from there.
            found = [function(*arguments) for _, function, arguments in self._jobs]
        count = len(self._figures)
        return dict(zip(map(id, self._figures), found[:count], strict=True)), found[count:]

    def _do(self, aside: bool, function: Callable[..., Any], *arguments: Any) -> None:
        self._jobs.append((aside, function, arguments))
        self._send(self._jobs[-1])

    def _send(self, job: Job | None) -> None:
        if self._child is not None:
            assert self._child.stdin is not None
            try:
                _put(self._child.stdin, job)
            except OSError:
                self._end()

    def _received(self) -> list[Any] | None:
        """What the jobs gave, in their order; None where the child did not do them."""
        if self._child is None:
            return None
        child, self._child = self._child, None
        answer, _ = child.communicate()
        return pickle.loads(answer) if child.returncode == 0 else None

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
            # A process with threads must not fork, and drawing has no use for them.
            env={**os.environ, "PYTHONPATH": paths, "OPENBLAS_NUM_THREADS": "1"},
        )  # fmt: skip
    except OSError:
        return None


def main() -> None:
    """The child: load, part in two, do what comes, then hand over what it gave."""
    # Whoever interrupts the command ends it, and with it this.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    from reports.draw import load

    load()
    # What is loaded stays: it need not be looked through again and again, and both share it.
    gc.freeze()
    partner = _part()
    waiting: SimpleQueue[Job | None] = SimpleQueue()
    Thread(target=_read, args=(sys.stdin.buffer, waiting, partner), daemon=True).start()
    found = _done(iter(waiting.get, None))
    if partner is not None:
        found += pickle.load(partner[1])
        os.wait()
    with suppress(BrokenPipeError):
        _put(sys.stdout.buffer, found)


def _part() -> tuple[IO[bytes], IO[bytes]] | None:
    """Make a partner that does jobs too, and shares all that is loaded: pipes to it and from it."""
    if not hasattr(os, "fork"):
        return None
    (inlet, to_partner), (from_partner, outlet) = os.pipe(), os.pipe()
    if os.fork():
        os.close(inlet)
        os.close(outlet)
        return os.fdopen(to_partner, "wb"), os.fdopen(from_partner, "rb")
    for end in (to_partner, from_partner):
        os.close(end)
    # Held open here, the child's own pipes would not end with it.
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    with os.fdopen(inlet, "rb") as jobs, os.fdopen(outlet, "wb") as results:
        with suppress(BrokenPipeError):
            _put(results, _done(_jobs(jobs)))
        os._exit(0)


def _read(inlet: IO[bytes], waiting: SimpleQueue[Job | None], partner: tuple[IO[bytes], IO[bytes]] | None) -> None:
    """Give jobs to whom they are for, so that whoever sends them never waits for the drawing."""
    for job in _jobs(inlet):
        if job[0] and partner is not None:
            _put(partner[0], job)
        else:
            waiting.put(job)
    if partner is not None:
        _put(partner[0], None)
    waiting.put(None)


def _jobs(inlet: IO[bytes]) -> Iterator[Job]:
    """Jobs as they come, up to the None behind the last."""
    try:
        while (job := pickle.load(inlet)) is not None:
            yield job
    except (EOFError, pickle.UnpicklingError):
        os._exit(1)  # nobody is there any more


def _put(outlet: IO[bytes], value: Any) -> None:
    pickle.dump(value, outlet)
    outlet.flush()


def _done(jobs: Iterable[Job]) -> list[Any]:
    found = []
    for _, function, arguments in jobs:
        found.append(function(*arguments))
        # A drawn figure is a knot of references: nothing else lets go of it soon.
        gc.collect()
    return found


if __name__ == "__main__":
    main()
