"""How figures look: colours, type, and a place on paper that is measured in inches.

The palette tells its colours apart for the colour-blind and in grey: each step is lighter than the one
before, and each seat has its own marker as well. Texts from the data are arbitrary: they are shortened,
letters that no installed font has become a box, and nothing in them is markup.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK = "#1f2328"
MUTED = "#57606a"
GRID = "#d8dee4"
BAND = "#eaeef2"
PAPER = "#fffffe"
ACCENT = "#b3261e"
SEATS = ("#12355b", "#a23b2a", "#2a8c82", "#d1922e", "#b7a6dc")
MARKERS = ("o", "s", "^", "D", "v")
LINES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1.5, 1.5)), (0, (6, 1.5, 1.5, 1.5)), (0, (3, 3)))

CSS_COLOURS = {
    INK: "--ink", MUTED: "--muted", GRID: "--grid", BAND: "--band", PAPER: "--paper", ACCENT: "--accent",
    **{colour: f"--seat{i + 1}" for i, colour in enumerate(SEATS)},
}  # fmt: skip
"""Colours that the page gives another value in the dark."""

WIDTH = 5.0
"""Inches of a figure: two stand side by side on a wide screen, one can be read on a phone."""
SIZE = 9.2
SMALL = 8.0
LONGEST = 44

CJK = (
    "Noto Sans CJK JP", "Noto Sans CJK SC", "Noto Sans JP", "Noto Sans SC", "Source Han Sans", "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei", "Droid Sans Fallback", "IPAexGothic", "IPAGothic", "VL Gothic", "Hiragino Sans",
    "PingFang SC", "Microsoft YaHei", "Yu Gothic", "Unifont",
)  # fmt: skip
"""Fonts with Chinese, Japanese and Korean letters, of which the first that is installed is used."""
MISSING = "\u25a1"


@cache
def families() -> tuple[str, ...]:
    """The fonts to use, in order: matplotlib's own, and one with CJK letters if there is one."""
    from matplotlib.font_manager import fontManager

    installed = set(fontManager.get_font_names())
    return ("DejaVu Sans", *[name for name in CJK if name in installed][:1])


@cache
def _letters() -> frozenset[int]:
    from matplotlib.font_manager import FontProperties, findfont, get_font

    found: set[int] = set()
    for name in families():
        found |= set(get_font(findfont(FontProperties(family=name))).get_charmap())
    return frozenset(found)


def columns_of(text: str) -> int:
    """Width in columns of a Latin letter; CJK letters take two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def plain(text: str, longest: int = LONGEST) -> str:
    """A text from the data as one line that can be drawn: short, and only with letters that fonts have."""
    known = _letters()
    kept: list[str] = []
    width = 0
    for c in " ".join(text.split()):
        kind = unicodedata.category(c)
        if kind in ("Cf", "Cc", "Cs") or (kind in ("Mn", "Me") and ord(c) not in known):
            continue
        c = c if ord(c) in known else MISSING
        width += columns_of(c)
        if width > longest:
            return "".join(kept[: longest - 1]).rstrip() + "\u2026"
        kept.append(c)
    return "".join(kept)


def rc() -> dict[str, Any]:
    """Settings under which every figure is drawn and saved."""
    return {
        "font.family": list(families()), "font.size": SIZE, "text.parse_math": False, "text.usetex": False,
        "axes.unicode_minus": True, "axes.formatter.use_mathtext": False, "text.color": INK,
        "axes.edgecolor": MUTED, "axes.labelcolor": INK, "axes.titlecolor": INK, "axes.titlesize": SIZE,
        "axes.titleweight": "bold", "axes.titlelocation": "left", "axes.labelsize": SMALL + 0.4,
        "axes.spines.top": False, "axes.spines.right": False, "axes.linewidth": 0.7, "axes.axisbelow": True,
        "xtick.color": MUTED, "ytick.color": MUTED, "xtick.labelcolor": INK, "ytick.labelcolor": INK,
        "xtick.labelsize": SMALL, "ytick.labelsize": SMALL, "xtick.major.size": 3, "ytick.major.size": 3,
        "xtick.major.width": 0.7, "ytick.major.width": 0.7, "grid.color": GRID, "grid.linewidth": 0.6,
        "legend.frameon": False, "legend.fontsize": SMALL, "lines.linewidth": 1.5, "lines.markersize": 5,
        "patch.linewidth": 0.5, "figure.facecolor": PAPER, "axes.facecolor": "none", "savefig.facecolor": PAPER,
        "svg.fonttype": "path", "pdf.fonttype": 42, "pdf.compression": 6, "path.simplify": True,
        "hatch.linewidth": 0.6,
    }  # fmt: skip


@dataclass(frozen=True)
class Place:
    """A rectangle on a figure, in inches from the figure's lower left corner."""

    figure: Figure
    left: float
    bottom: float
    width: float
    height: float

    def axes(self, left: float, bottom: float, width: float, height: float, **more: Any) -> Axes:
        """Axes at inches from this place's lower left corner."""
        w, h = self.figure.get_size_inches()
        rectangle = ((self.left + left) / w, (self.bottom + bottom) / h, width / w, height / h)
        axes: Axes = self.figure.add_axes(rectangle, **more)
        return axes

    def text(self, x: float, y: float, text: str, **more: Any) -> None:
        """Text at inches from this place's lower left corner."""
        w, h = self.figure.get_size_inches()
        self.figure.text((self.left + x) / w, (self.bottom + y) / h, text, **more)

    def part(self, left: float, bottom: float, width: float, height: float) -> Place:
        """A rectangle within this one."""
        return Place(self.figure, self.left + left, self.bottom + bottom, width, height)


def empty_figure(width: float, height: float) -> Figure:
    """A figure without a window."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height))


def wrapped(text: str, width: float, size: float, least: int = 10) -> list[str]:
    """Lines of a text that fit into `width` inches at a type size in points, of at least so many letters."""
    return textwrap.wrap(text, max(least, int(width * 72 / (size * 0.56))), break_long_words=True) or [""]


def label_width(labels: Sequence[str], size: float = SMALL) -> float:
    """Inches that the longest of some labels takes."""
    return max((columns_of(label) for label in labels), default=0) * size * 0.6 / 72 + 0.12


def seat_name(seat: int) -> str:
    """`1st`, `2nd`, .. of a 0-based seat."""
    return {0: "1st", 1: "2nd", 2: "3rd"}.get(seat, f"{seat + 1}th")


def seat_look(seat: int) -> dict[str, Any]:
    """Colour and marker of a seat (0-based)."""
    return {"color": SEATS[seat % len(SEATS)], "marker": MARKERS[(seat + seat // len(SEATS)) % len(MARKERS)]}


def seat_line(seat: int) -> Any:
    """Line style of a seat (0-based)."""
    return LINES[seat % len(LINES)]


def whole(value: float, _: Any = None) -> str:
    """A tick label with a comma at thousands and a real minus sign; no `-0`."""
    text = f"{value:,.10g}"
    return "0" if text in ("-0", "0") else text.replace("-", "\u2212")


def ticks(axes: Axes, x: bool = True, y: bool = True, count: int = 5, integer: bool = False) -> None:
    """Few round ticks with plain labels on the numeric axes."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    for axis, wanted in ((axes.xaxis, x), (axes.yaxis, y)):
        if wanted:
            axis.set_major_locator(MaxNLocator(count, integer=integer, steps=[1, 2, 2.5, 5, 10]))
            axis.set_major_formatter(FuncFormatter(whole))
