"""Nothing overlaps and nothing is cut: texts of each figure lie within it, and texts of one kind apart."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

import polars as pl
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg

from pipeline.analysis import build_report
from pipeline.analysis.model import Column, FigureData, Report, TableData
from reports import pdf
from reports.draw import drawing, sheet
from tests.analysis.lakes import results_lake, winners


def texts_of(figure: Any, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    """Texts that are drawn, with their boxes in pixels."""
    seen: dict[int, Any] = {}
    draw_text = RendererAgg.draw_text

    def record(self: Any, *arguments: Any, **more: Any) -> None:
        text = more.get("mtext") or arguments[-1]
        seen[id(text)] = text
        draw_text(self, *arguments, **more)

    canvas = FigureCanvasAgg(figure)
    with monkeypatch.context() as patch:
        patch.setattr(RendererAgg, "draw_text", record)
        canvas.draw()
    renderer = canvas.get_renderer()
    return [(text.get_text(), text.get_window_extent(renderer)) for text in seen.values()]


def drawn(report: Report) -> list[FigureData]:
    return [data for data in report.titles[0].figures if not data.failure]


@pytest.fixture(scope="session")
def wordy_report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Cells and files with long names, two of them of few games."""
    names = ("the long road to the capital of the north and back", "\u9577\u57ce" * 12, "short")
    games = [
        game
        for i, name in enumerate(names)
        for game in winners(
            2 + i,
            *range(20, 30, 5),
            options={"expansion and its scenario": name},
            players=("a", "b", "c", "d")[: 2 + i],
        )
    ]
    return build_report(results_lake(tmp_path_factory.mktemp("wordy"), games, file=f"{'tournament ' * 9}.csv"))


@pytest.mark.parametrize("name", ["kingdoms_report", "glory_report", "wordy_report"])
def test_words_lie_within_the_figure_and_apart(
    name: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    for data in drawn(request.getfixturevalue(name)):
        with drawing():
            figure = sheet(data).figure
            found = texts_of(figure, monkeypatch)
        assert_apart(data.slug, figure, found)


def assert_apart(name: str, figure: Any, found: list[tuple[str, Any]]) -> None:
    """No text is cut and no two overlap."""
    width, height = figure.bbox.width, figure.bbox.height
    for text, box in found:
        inside = box.x0 >= -1 and box.y0 >= -1 and box.x1 <= width + 1 and box.y1 <= height + 1
        assert inside, f"{name}: {text!r} is cut"
    for (one, a), (two, b) in combinations(found, 2):
        across = min(a.x1, b.x1) - max(a.x0, b.x0)
        down = min(a.y1, b.y1) - max(a.y0, b.y0)
        assert across <= 1.5 or down <= 2.5, f"{name}: {one!r} and {two!r} overlap"


class Pages:
    """What `PdfPages` is asked for: keeps the pages."""

    def __init__(self) -> None:
        self.figures: list[Any] = []

    def savefig(self, figure: Any) -> None:
        self.figures.append(figure)


def pages_of(tables: Iterable[TableData]) -> list[Any]:
    pages: Any = Pages()
    with drawing():
        book = pdf._Book(pages)
        for table in tables:
            pdf._table(book, table)
        book.close()
    return list(pages.figures)


@pytest.mark.parametrize("name", ["kingdoms_report", "glory_report", "wordy_report"])
def test_words_of_the_pdf_s_tables_lie_apart(
    name: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [table for table in request.getfixturevalue(name).titles[0].tables if table.frame.height]
    assert len(tables) >= 5
    for number, figure in enumerate(pages_of(tables), 1):
        with drawing():
            found = texts_of(figure, monkeypatch)
        assert_apart(f"page {number}", figure, found)


def test_headings_of_a_table_lie_apart_where_numbers_are_short(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("Cell", "Skill's part of the differences", "95% from", "to", "Games a player for half", "Lacking")
    frame = pl.DataFrame({f"c{i}": [0.03] for i in range(len(names))})
    columns = tuple(Column(f"c{i}", name, "text" if i in (0, 5) else "share") for i, name in enumerate(names))
    frame = frame.with_columns(c0=pl.lit("4 players, version new"), c5=pl.lit("needs games of players, has none " * 4))
    (figure,) = pages_of([TableData("skill", "Skill against luck", columns, frame)])
    with drawing():
        assert_apart("skill", figure, texts_of(figure, monkeypatch))


def test_a_table_on_two_pages_has_its_headings_on_both(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pl.DataFrame({"cell": [f"cell {i}" for i in range(90)], "games": list(range(90))})
    columns = (Column("cell", "Cell"), Column("games", "Games", "whole"))
    figures = pages_of([TableData("cells", "Games per cell", columns, frame)])
    assert len(figures) >= 2
    texts = [[text for text, _ in texts_of(figure, monkeypatch)] for figure in figures]
    assert all(page.count("Cell") == page.count("Games") == 1 for page in texts)
    assert sum(text.startswith("cell ") for page in texts for text in page) == 90
