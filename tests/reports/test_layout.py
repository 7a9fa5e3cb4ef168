"""Nothing overlaps and nothing is cut: texts of each figure lie within it, and texts of one kind apart."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg

from pipeline.analysis import build_report
from pipeline.analysis.model import FigureData, Report
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
        width, height = figure.bbox.width, figure.bbox.height
        for text, box in found:
            inside = box.x0 >= -1 and box.y0 >= -1 and box.x1 <= width + 1 and box.y1 <= height + 1
            assert inside, f"{data.slug}: {text!r} is cut"
        for (one, a), (two, b) in combinations(found, 2):
            across = min(a.x1, b.x1) - max(a.x0, b.x0)
            down = min(a.y1, b.y1) - max(a.y0, b.y0)
            assert across <= 1.5 or down <= 2.5, f"{data.slug}: {one!r} and {two!r} overlap"
