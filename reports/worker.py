"""A second process that makes the PDFs while this one draws the figures: `python -m reports.worker`.

It reads a pickled report from its input and writes the pickled PDFs, title by title, to its output. A plain
child process, not `multiprocessing`: that would run a caller's unguarded script again.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.analysis.model import Report


def pdfs(report: Report) -> list[bytes]:
    """The PDF of each title, made here."""
    from reports.pdf import pdf

    return [pdf(report, part) for part in report.titles]


def start_pdfs(report: Report) -> Callable[[], list[bytes]]:
    """Begin making the PDFs elsewhere; call the result for them."""
    if (os.cpu_count() or 1) < 2:
        return lambda: pdfs(report)
    paths = os.pathsep.join(path for path in sys.path if path)
    try:
        child = subprocess.Popen(
            [sys.executable, "-m", __name__], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": paths},
        )  # fmt: skip
        assert child.stdin is not None
        with child.stdin as inlet:
            pickle.dump(report, inlet)
    except OSError:
        return lambda: pdfs(report)

    def finish() -> list[bytes]:
        assert child.stdout is not None
        with child.stdout as outlet:
            made = outlet.read()
        if child.wait() != 0:
            # The fault shows better here than from there.
            return pdfs(report)
        found: list[bytes] = pickle.loads(made)
        return found

    return finish


def main() -> None:
    report = pickle.load(sys.stdin.buffer)
    sys.stdout.buffer.write(pickle.dumps(pdfs(report)))


if __name__ == "__main__":
    main()
