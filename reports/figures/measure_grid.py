"""Where on a board of squares points are made: a map a source, shaded from none to that source's most."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports import style
from reports.figures.heat import shade
from reports.figures.layout import LINE, WORDS, cells

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pipeline.analysis.model import FigureData

GAP = 0.16
LEFT, FOOT = 0.18, 0.2
HEAD = 0.1
EMPTY = "#f7f8fa"


def _side(data: FigureData) -> float:
    """Inches of a map's width."""
    sources = max(rows["series"].n_unique() for _, _, rows in cells(data))
    return (style.WIDTH - 0.3) / max(2, sources) - GAP - LEFT


def _tall(data: FigureData) -> float:
    across, down = data.frame["across"].n_unique(), data.frame["down"].n_unique()
    return HEAD + 2.2 * LINE + _side(data) * down / across + FOOT


def height(data: FigureData) -> float:
    return _tall(data) * len(list(cells(data)))


def draw(data: FigureData, place: style.Place) -> None:
    side, tall = _side(data), _tall(data)
    columns, rows = list(dict.fromkeys(data.frame["across"])), list(dict.fromkeys(data.frame["down"]))
    for i, (_, heading, mine) in enumerate(cells(data)):
        top = place.height - i * tall
        place.text(0, top - 0.04, heading, fontsize=WORDS, weight="bold", va="top")
        for j, ((source,), squares) in enumerate(mine.group_by(["series"], maintain_order=True)):
            left = LEFT + j * (side + GAP + LEFT)
            most = float(squares["gained"].max() or 0.0)  # type: ignore[arg-type]
            words = f"{str(source).replace('_', ' ')}: dark is {most:.2f}"
            place.text(left, top - 0.04 - LINE, words, fontsize=WORDS - 0.6, color=style.MUTED, va="top")
            axes = place.axes(left, top - tall + FOOT, side, side * len(rows) / len(columns))
            values = {
                (columns.index(row["across"]), rows.index(row["down"])): row["gained"] / most if most else 0.0
                for row in squares.iter_rows(named=True)
            }
            _map(axes, values, columns, rows)


def _map(axes: Axes, values: dict[tuple[int, int], float], columns: list[str], rows: list[str]) -> None:
    from matplotlib.patches import Rectangle

    axes.add_patch(Rectangle((0, 0), len(columns), len(rows), facecolor=EMPTY, edgecolor=style.GRID, linewidth=0.7))
    for (x, y), part in values.items():
        if part > 0:
            axes.add_patch(
                Rectangle((x + 0.04, y + 0.04), 0.92, 0.92, facecolor=shade(0.12 + 0.88 * part), linewidth=0)
            )
    axes.set_xlim(0, len(columns))
    axes.set_ylim(len(rows), 0)
    axes.set_xticks([i + 0.5 for i in range(len(columns))], columns, fontsize=style.SMALL - 2)
    axes.set_yticks([i + 0.5 for i in range(len(rows))], rows, fontsize=style.SMALL - 2)
    axes.tick_params(length=0, pad=1.5)
    for spine in axes.spines.values():
        spine.set_visible(False)
