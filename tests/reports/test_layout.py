"""Nothing overlaps and nothing is cut: texts of each figure lie within it, and texts of one kind apart."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from pipeline.analysis.model import FigureData, Report
from reports.draw import drawing, sheet


def texts_of(figure: Any) -> list[tuple[str, Any]]:
    """Visible texts with their boxes in pixels."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    renderer = canvas.get_renderer()
    found = []
    for text in figure.findobj(Text):
        if text.get_visible() and text.get_text().strip() and _ticks_inside(text):
            found.append((text.get_text(), text.get_window_extent(renderer)))
    return found


def _ticks_inside(text: Any) -> bool:
    """Tick labels beyond the axes' limits are not drawn."""
    axes = text.axes
    if axes is None or text not in [*axes.get_xticklabels(), *axes.get_yticklabels()]:
        return True
    x, y = text.get_position()
    low, high = sorted(axes.get_xlim() if text in axes.get_xticklabels() else axes.get_ylim())
    return bool(low <= (x if text in axes.get_xticklabels() else y) <= high)


def drawn(report: Report) -> list[FigureData]:
    return [data for data in report.titles[0].figures if not data.failure]


@pytest.mark.parametrize("name", ["kingdoms_report", "glory_report"])
def test_words_lie_within_the_figure_and_apart(name: str, request: pytest.FixtureRequest) -> None:
    for data in drawn(request.getfixturevalue(name)):
        with drawing():
            figure = sheet(data).figure
            found = texts_of(figure)
        width, height = figure.bbox.width, figure.bbox.height
        for text, box in found:
            inside = box.x0 >= -1 and box.y0 >= -1 and box.x1 <= width + 1 and box.y1 <= height + 1
            assert inside, f"{data.slug}: {text!r} is cut"
        for (one, a), (two, b) in combinations(found, 2):
            across = min(a.x1, b.x1) - max(a.x0, b.x0)
            down = min(a.y1, b.y1) - max(a.y0, b.y0)
            assert across <= 1.5 or down <= 2.5, f"{data.slug}: {one!r} and {two!r} overlap"
