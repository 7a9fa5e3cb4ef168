"""The report as a PDF on A4: the first page in words, then figures, then tables."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from reports import style
from reports.draw import LINE, draw_words, drawing, figure_words
from reports.figures import drawer
from reports.numbers import shown

if TYPE_CHECKING:
    from matplotlib.backends.backend_pdf import PdfPages
    from matplotlib.figure import Figure

    from pipeline.analysis.model import FigureData, Report, TableData, TitleReport

PAGE = (8.27, 11.69)
MARGIN = 0.65
INNER = PAGE[0] - 2 * MARGIN
TEXT = 9.5
FIGURE = 6.2
GAP = 0.2
MOST_ROWS = 120
PAD = 0.1
"""Inches between columns of a table."""
BOLD = 1.16
"""How much wider bold letters are than plain ones."""


def pdf(report: Report, part: TitleReport) -> bytes:
    """The bytes of the PDF, without dates."""
    from matplotlib.backends.backend_pdf import PdfPages

    out = io.BytesIO()
    heading = f"{part.label}: {report.subject[:1].lower()}{report.subject[1:]}"
    facts: dict[str, Any] = {"CreationDate": None, "ModDate": None, "Producer": None, "Creator": "Plybook"}
    with drawing(), PdfPages(out, metadata=facts | {"Title": style.plain(heading, 200)}) as pages:
        book = _Book(pages)
        _words(book, report, part, heading)
        for data in part.figures:
            if not data.failure:
                _figure(book, data)
        for table in part.tables:
            if table.frame.height:
                _table(book, table)
        book.close()
    return out.getvalue()


class _Book:
    """Pages that fill from top to bottom."""

    def __init__(self, pages: PdfPages) -> None:
        self.pages = pages
        self.number = 0
        self.figure: Figure | None = None
        self.y = 0.0

    def room(self, height: float) -> style.Place:
        """A place of this height below what is there, on a new page where it does not fit."""
        if self.figure is None or not self.has(height):
            self.close()
            self.number += 1
            self.figure = style.empty_figure(*PAGE)
            self.y = PAGE[1] - MARGIN
            style.Place(self.figure, 0, 0, *PAGE).text(
                PAGE[0] - MARGIN, 0.4, str(self.number), fontsize=style.SMALL, color=style.MUTED, ha="right"
            )
        self.y -= height
        return style.Place(self.figure, MARGIN, self.y, INNER, height)

    def close(self) -> None:
        if self.figure is not None:
            self.pages.savefig(self.figure)  # type: ignore[no-untyped-call]
            self.figure = None

    def lines(
        self, text: str, size: float = TEXT, color: str = style.INK, bold: bool = False, indent: float = 0.0
    ) -> None:
        """A paragraph."""
        for line in style.wrapped(style.plain(text, 2000), INNER - indent, size * (1.06 if bold else 1)):
            place = self.room(size * LINE / 72)
            weight = "bold" if bold else "normal"
            place.text(indent, 0.03, line, fontsize=size, color=color, weight=weight)

    def skip(self, height: float) -> None:
        self.y -= height

    def has(self, height: float) -> bool:
        """Whether so much is left of this page."""
        return self.figure is not None and self.y - height >= MARGIN

    def keep(self, height: float) -> None:
        """Begin a new page unless so much is left of this one."""
        if not self.has(height):
            self.close()


def _words(book: _Book, report: Report, part: TitleReport, heading: str) -> None:
    book.lines(heading, 17, bold=True)
    book.skip(0.08)
    book.lines(part.headline, 11)
    for line in sorted(part.verdicts, key=lambda line: -line.games)[:8]:
        _heading(book, f"{line.label}: {line.sentence}", 10)
        for seat in line.seats:
            book.lines(f"\u2022 {seat.sentence}.", indent=0.12)
    _heading(book, "Strongest findings")
    for i, finding in enumerate(part.findings):
        book.lines(f"{i + 1}. {finding.sentence} {finding.size}; {finding.certainty}.", indent=0.12)
    if not part.findings:
        book.lines("No finding yet: nothing differs for certain, and nothing is shown to be balanced.")
    for name, sentences in (
        ("What was left out", part.left_out),
        ("Games still needed", part.needed[:12]),
        ("What it rests on", part.basis),
    ):
        _heading(book, name)
        for sentence in sentences:
            book.lines(f"\u2022 {sentence}", indent=0.12)
    book.lines(f"Plybook {report.provenance['plybook']}", style.SMALL, style.MUTED)


def _heading(book: _Book, text: str, size: float = 12) -> None:
    # Not at the foot of a page, apart from what it heads.
    book.keep(0.14 + 2 * size * LINE / 72)
    book.skip(0.14)
    book.lines(text, size, bold=True)


def _figure(book: _Book, data: FigureData) -> None:
    head, foot, heights = figure_words(data, FIGURE)
    body = drawer(data).height(data)
    place = book.room(heights[0] + body + heights[1] + GAP)
    inner = place.part(0, GAP, FIGURE, place.height - GAP)
    draw_words(inner.part(0, heights[1] + body, FIGURE, heights[0]), head)
    draw_words(inner.part(0, 0, FIGURE, heights[1]), foot)
    drawer(data).draw(data, inner.part(0, heights[1], FIGURE, body))


def _table(book: _Book, table: TableData) -> None:
    """Rows of text whose columns are as wide as they need, within the page."""
    book.keep(1.0)
    _heading(book, table.title)
    book.skip(0.05)
    frame = table.frame.head(MOST_ROWS)
    rows = [
        [style.plain(shown(value, column.kind), 400) for column, value in zip(table.columns, row, strict=True)]
        for row in frame.select([column.name for column in table.columns]).iter_rows()
    ]
    headings = [style.plain(column.heading, 60) for column in table.columns]
    widths, size = _widths(headings, rows, [column.kind == "text" for column in table.columns])
    head = _lines(headings, widths, size * BOLD)
    _row(book, table, head, widths, size, bold=True)
    for row in rows:
        cells = _lines(row, widths, size)
        if not book.has(_row_height(cells, size)):
            book.close()
            _row(book, table, head, widths, size, bold=True)
        _row(book, table, cells, widths, size, bold=False)
    if table.frame.height > MOST_ROWS:
        book.lines(f"The first {MOST_ROWS} of {table.frame.height:,} rows; the CSV file has all.", style.SMALL)
    if table.note:
        book.lines(table.note, style.SMALL, style.MUTED)


def _lines(row: Sequence[str], widths: Sequence[float], size: float) -> list[list[str]]:
    return [style.wrapped(cell, width - PAD, size, least=1) for cell, width in zip(row, widths, strict=True)]


def _row_height(cells: Sequence[Sequence[str]], size: float) -> float:
    return max(len(lines) for lines in cells) * size * LINE / 72 + 0.05


def _row(
    book: _Book, table: TableData, cells: Sequence[Sequence[str]], widths: Sequence[float], size: float, bold: bool
) -> None:
    place = book.room(_row_height(cells, size))
    for column, lines, (left, width) in zip(table.columns, cells, _spans(widths), strict=True):
        _cell(place, lines, left, width, size, right=column.kind != "text", bold=bold)


def _cell(
    place: style.Place, lines: Sequence[str], left: float, width: float, size: float, right: bool, bold: bool
) -> None:
    for j, line in enumerate(lines):
        place.text(
            left + (width - PAD if right else 0.0), place.height - j * size * LINE / 72, line,
            fontsize=size, va="top", ha="right" if right else "left", weight="bold" if bold else "normal",
        )  # fmt: skip


def _widths(
    headings: Sequence[str], rows: Sequence[Sequence[str]], is_text: Sequence[bool]
) -> tuple[list[float], float]:
    """Inches per column and the type size: numbers keep on one line, texts give way first."""
    needs = []
    for i, (heading, text) in enumerate(zip(headings, is_text, strict=True)):
        cells = [row[i] for row in rows]
        words = [longest_word(cell) for cell in cells] if text else cells
        word = max(BOLD * style.label_width([longest_word(heading)]), style.label_width(words))
        needs.append((word + PAD, max(BOLD * style.label_width([heading]), style.label_width(cells)) + PAD))
    least = [least for least, _ in needs]
    spare = INNER - sum(least)
    if spare <= 0:
        return [width * INNER / sum(least) for width in least], style.SMALL * INNER / sum(least)
    wants = [whole - low for low, whole in needs]
    part = min(1.0, spare / max(1e-9, sum(wants)))
    return [low + want * part for low, want in zip(least, wants, strict=True)], style.SMALL


def longest_word(text: str) -> str:
    """What a column must hold on one line; very long words are broken."""
    return max(text.split(), key=style.columns_of, default="")[:24]


def _spans(widths: Sequence[float]) -> Iterator[tuple[float, float]]:
    left = 0.0
    for width in widths:
        yield left, width
        left += width
