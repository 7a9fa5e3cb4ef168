"""Writes a report's folder: page, PDF, numbers as JSON, and each figure as PNG, SVG, CSV and Parquet."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from reports import FORMATS
from reports.draw import drawing, inline, png, sheet, svg
from reports.numbers import plain_frame
from reports.page import index_page, title_page
from reports.worker import start_pdfs

if TYPE_CHECKING:
    from pipeline.analysis.model import FigureData, Report, TitleReport

PDF = "report.pdf"


class ReportError(ValueError):
    """A report that cannot be written; one sentence."""


def write(report: Report, out: Path, formats: Sequence[str]) -> None:
    """See `reports.write_report`."""
    unknown = [name for name in formats if name not in FORMATS]
    if unknown:
        raise ReportError(f"a report is written as {', '.join(FORMATS)}, not {unknown[0]!r}")
    try:
        out.mkdir(parents=True, exist_ok=True)
        books = start_pdfs(report) if "pdf" in formats else None
        if len(report.titles) == 1:
            _write_title(report, report.titles[0], out, formats, "")
            folders = [out]
        else:
            _write_titles(report, out, formats)
            folders = [out / part.title for part in report.titles]
        if books is not None:
            for folder, book in zip(folders, books(), strict=True):
                (folder / PDF).write_bytes(book)
        if "json" in formats:
            _write_json(report, out / "report.json")
    except OSError as error:
        raise ReportError(f"the report cannot be written to {out}: {error.strerror or error}") from error


def _write_titles(report: Report, out: Path, formats: Sequence[str]) -> None:
    """A folder a title, and one page over them."""
    for part in report.titles:
        (out / part.title).mkdir(exist_ok=True)
        _write_title(report, part, out / part.title, formats, "../index.html")
    if "html" in formats:
        page = index_page(report, {part.title: part.title for part in report.titles})
        (out / "index.html").write_text(page, "utf-8")


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


def _write_title(report: Report, part: TitleReport, out: Path, formats: Sequence[str], back: str) -> None:
    folder = _Folder(out)
    _remove_older(out)
    pictures = {}
    for data in part.figures:
        if not data.failure:
            pictures[data.slug] = _write_figure(folder, data, formats)
    for table in part.tables:
        if "csv" in formats:
            folder.write(table.slug, f"tables/{table.slug}.csv", table.frame.write_csv().encode())
    if "pdf" in formats:
        folder.files.setdefault("", []).append(PDF)
    if "json" in formats:
        folder.files.setdefault("", []).append("../report.json" if back else "report.json")
    if "html" in formats:
        (out / "index.html").write_text(title_page(report, part, pictures, folder.files, back), "utf-8")


def _remove_older(out: Path) -> None:
    """Figures and tables of an older report would otherwise stand beside this one's."""
    for name in ("figures", "tables"):
        for kind in ("png", "svg", "csv", "parquet"):
            for file in (out / name).glob(f"*.{kind}"):
                file.unlink()


def file_name(data: FigureData) -> str:
    """`01-seat_share`."""
    return f"{data.number:02}-{data.slug}"


def _write_figure(folder: _Folder, data: FigureData, formats: Sequence[str]) -> str:
    """Write a figure's files; the SVG for the page."""
    name = f"figures/{file_name(data)}"
    inner = ""
    if {"png", "svg", "html"} & set(formats):
        with drawing(data.slug):
            made = sheet(data)
            if "png" in formats:
                folder.write(data.slug, f"{name}.png", png(made))
            if {"svg", "html"} & set(formats):
                picture = svg(made, data)
                inner = inline(picture, made)
            if "svg" in formats:
                folder.write(data.slug, f"{name}.svg", picture.encode())
    if "csv" in formats:
        folder.write(data.slug, f"{name}.csv", data.frame.write_csv().encode())
    if "parquet" in formats:
        data.frame.write_parquet(folder.out / f"{name}.parquet", compression="zstd")
        folder.files[data.slug].append(f"{name}.parquet")
    return inner


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
