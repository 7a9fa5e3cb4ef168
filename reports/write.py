"""Writes a report's folder: page, PDF, numbers as JSON, and each figure as PNG, SVG, CSV and Parquet."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from pipeline.spreadsheet import csv_of
from reports import FORMATS
from reports.draw import Picture
from reports.numbers import plain_frame
from reports.page import index_page, title_page
from reports.worker import Painter

if TYPE_CHECKING:
    from pipeline.analysis.model import FigureData, Report, TitleReport

PDF = "report.pdf"


class ReportError(ValueError):
    """A report that cannot be written; one sentence."""


def write(report: Report, out: Path, formats: Sequence[str], painter: Painter | None = None) -> None:
    """See `reports.write_report`."""
    unknown = [name for name in formats if name not in FORMATS]
    if unknown:
        raise ReportError(f"a report is written as {', '.join(FORMATS)}, not {unknown[0]!r}")
    if painter is None:
        with Painter(formats) as painter:
            return write(report, out, formats, painter)
    try:
        out.mkdir(parents=True, exist_ok=True)
        _write(report, out, formats, *painter.finish(report))
    except OSError as error:
        raise ReportError(f"the report cannot be written to {out}: {error.strerror or error}") from error


def _write(
    report: Report, out: Path, formats: Sequence[str], pictures: Mapping[int, Picture], books: Sequence[bytes]
) -> None:
    several = len(report.titles) > 1
    for i, part in enumerate(report.titles):
        folder = _Folder(out / part.title if several else out)
        folder.out.mkdir(exist_ok=True)
        _remove_older(folder.out)
        if books:
            folder.write("", PDF, books[i])
        _write_title(report, part, folder, formats, pictures, "../index.html" if several else "")
    if several and "html" in formats:
        page = index_page(report, {part.title: part.title for part in report.titles})
        (out / "index.html").write_text(page, "utf-8")
    if "json" in formats:
        _write_json(report, out / "report.json")


@dataclass
class _Folder:
    """Files written so far: relative names by slug."""

    out: Path
    files: dict[str, list[str]] = field(default_factory=dict)

    def write(self, slug: str, name: str, data: bytes) -> None:
        path = self.out / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        self.files.setdefault(slug, []).append(name)


def _write_title(
    report: Report, part: TitleReport, folder: _Folder, formats: Sequence[str], pictures: Mapping[int, Picture],
    back: str,
) -> None:  # fmt: skip
    drawn = {data.slug: pictures.get(id(data), Picture()) for data in part.figures if not data.failure}
    for data in part.figures:
        if not data.failure:
            _write_figure(folder, data, drawn[data.slug], formats)
    for table in part.tables:
        if "csv" in formats:
            folder.write(table.slug, f"tables/{table.slug}.csv", csv_of(table.frame))
    if "json" in formats:
        folder.files.setdefault("", []).append("../report.json" if back else "report.json")
    if "html" in formats:
        inner = {slug: picture.inline for slug, picture in drawn.items()}
        page = title_page(report, part, inner, folder.files, back)
        (folder.out / "index.html").write_text(page, "utf-8")


def _remove_older(out: Path) -> None:
    """Figures and tables of an older report would otherwise stand beside this one's."""
    for name in ("figures", "tables"):
        for kind in ("png", "svg", "csv", "parquet"):
            for file in (out / name).glob(f"*.{kind}"):
                file.unlink()


def file_name(data: FigureData) -> str:
    """`01-seat_share`."""
    return f"{data.number:02}-{data.slug}"


def _write_figure(folder: _Folder, data: FigureData, picture: Picture, formats: Sequence[str]) -> None:
    name = f"figures/{file_name(data)}"
    if "png" in formats:
        folder.write(data.slug, f"{name}.png", picture.png)
    if "svg" in formats:
        folder.write(data.slug, f"{name}.svg", picture.svg.encode())
    if "csv" in formats:
        folder.write(data.slug, f"{name}.csv", csv_of(data.frame))
    if "parquet" in formats:
        data.frame.write_parquet(folder.out / f"{name}.parquet", compression="zstd")
        folder.files[data.slug].append(f"{name}.parquet")


def _write_json(report: Report, file: Path) -> None:
    text = json.dumps(_plain(report), ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False)
    file.write_text(text + "\n", "utf-8")


def _plain(value: Any) -> Any:
    """Dataclasses and frames as what JSON has."""
    if isinstance(value, pl.DataFrame):
        return plain_frame(value)
    if hasattr(value, "__dataclass_fields__"):
        return {name: _plain(getattr(value, name)) for name in value.__dataclass_fields__}
    if isinstance(value, dict):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return None
    return value
