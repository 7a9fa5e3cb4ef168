"""From a `Report` to a folder: figures, one page, a PDF and the numbers. No rules and no SQL here.

write_report(report, Path("out"))
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.analysis.model import Report
    from reports.worker import Painter

FORMATS = ("html", "pdf", "png", "svg", "csv", "parquet", "json")


def write_report(report: Report, out: Path, formats: Sequence[str] = FORMATS, painter: Painter | None = None) -> None:
    """Write a report into a folder, which is made where it is missing. The same report, the same bytes.

    `formats`: some of FORMATS; `painter`: a `reports.worker.Painter` of the same formats that draws the figures
    already. Files of an older report in the folder are replaced; others stay.
    Raises ReportError (one sentence) for an unknown format or a folder that cannot be written.
    """
    from reports.write import write

    write(report, out, formats, painter)


def verify(out: Path, lake: Path | None = None, threads: int = 2) -> list[str]:
    """Make the report in `out` again from its lake and compare all files; what differs, in sentences."""
    from reports.verify import verify as verify_folder

    return verify_folder(out, lake, threads)
