"""Tables of shaded numbers, which figures 7, 12 and those of who does what to whom are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from reports import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PALE = (0xF1, 0xF4, 0xF8)
FULL = (0x16, 0x32, 0x4F)


def shade(part: float) -> str:
    """From pale (0) to dark (1)."""
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in zip(PALE, FULL, strict=True))


def percent(value: float) -> str:
    """A percentage without its sign; small ones with one decimal."""
    return f"{value:.0f}" if value >= 0.95 or value == 0 else f"{value:.1f}"


def heat(
    axes: Axes, values: Mapping[tuple[int, int], float | None], columns: Sequence[str], rows: Sequence[str], top: float,
    write: Callable[[float], str] = percent,
) -> None:  # fmt: skip
    """Squares with their value, as `write` says; `values` by (row, column), shaded up to `top`."""
    from matplotlib.patches import Rectangle

    size = style.SMALL if len(columns) <= 8 else style.SMALL - 1
    for (row, column), value in values.items():
        if value is None:
            continue
        part = min(1.0, max(0.0, value / top)) if top > 0 else 0.0
        axes.add_patch(Rectangle((column, row), 0.97, 0.94, facecolor=shade(part), linewidth=0))
        axes.text(
            column + 0.485, row + 0.47, write(value),
            ha="center", va="center", fontsize=size, color="#ffffff" if part > 0.5 else "#000000",
        )  # fmt: skip
    axes.set_xlim(0, len(columns))
    axes.set_ylim(len(rows), 0)
    axes.set_xticks([i + 0.485 for i in range(len(columns))], columns)
    axes.set_yticks([i + 0.47 for i in range(len(rows))], rows)
    axes.tick_params(length=0)
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)
