"""Who does it to whom: a table of shaded numbers a cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports import style
from reports.figures.heat import heat
from reports.figures.layout import LINE, WORDS, cells

if TYPE_CHECKING:
    from pipeline.analysis.model import FigureData

ROW = 0.27
HEAD, FOOT = 0.3, 0.44
LEFT, GAP = 0.62, 0.2
COLUMN = 0.46


def _lines(heading: str) -> list[str]:
    return style.wrapped(heading, style.WIDTH / 2 - 0.3, WORDS * 1.1)


def _heights(data: FigureData) -> list[float]:
    """Inches of each row of panels, two of which stand side by side."""
    each = [
        HEAD + LINE * len(_lines(heading)) + ROW * int(rows["players"][0]) + FOOT for _, heading, rows in cells(data)
    ]
    return [max(each[i : i + 2]) for i in range(0, len(each), 2)]


def height(data: FigureData) -> float:
    return sum(_heights(data))


def draw(data: FigureData, place: style.Place) -> None:
    top, heights = place.height, _heights(data)
    for i, (_, heading, rows) in enumerate(cells(data)):
        if i % 2 == 0 and i:
            top -= heights[i // 2 - 1]
        left = i % 2 * place.width / 2
        players = int(rows["players"][0])
        names = [style.seat_name(seat) for seat in range(players)]
        lines = _lines(heading)
        for j, line in enumerate(lines):
            place.text(left, top - 0.1 - j * LINE, line, fontsize=WORDS, weight="bold", va="top")
        head = HEAD + LINE * len(lines)
        axes = place.axes(left + LEFT, top - head - ROW * players, COLUMN * players, ROW * players)
        values = {(row["seat"], row["target"]): row["value"] for row in rows.iter_rows(named=True)}
        heat(axes, values, names, names, max(values.values()), lambda value: f"{value:.2f}")
        axes.set_xlabel("to whom (seat)")
        axes.set_ylabel("who (seat)")
