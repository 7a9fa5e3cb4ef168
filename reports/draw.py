"""One figure by itself: its question above, what it rests on below; as PNG, as SVG, and as SVG for the page."""

from __future__ import annotations

import io
import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from reports import style
from reports.figures import drawer
from reports.png import png_bytes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pipeline.analysis.model import FigureData

TITLE_SIZE = 11.0
LINE = 1.32
"""Line height over type size."""
MARGIN = 0.12
DOTS = 180


@contextmanager
def drawing(salt: str = "plybook") -> Iterator[None]:
    """Settings for drawing and saving; `salt` makes the SVG's ids the same each time."""
    from matplotlib import rc_context

    settings: Any = {**style.rc(), "svg.hashsalt": salt}
    with rc_context(settings):
        yield


Words = list[tuple[str, float, str]]
"""Lines with type size and colour."""


@dataclass(frozen=True)
class Sheet:
    """A drawn figure, and the inches at its top and bottom that are words."""

    figure: Figure
    head: float
    foot: float


@dataclass(frozen=True)
class Picture:
    """A figure by itself as PNG, as SVG and as SVG for the page; what is not wanted is empty."""

    png: bytes = b""
    svg: str = ""
    inline: str = ""


def load() -> None:
    """Load what drawing needs before there is anything to draw."""
    from matplotlib import figure  # noqa: F401
    from matplotlib.backends import backend_agg, backend_pdf, backend_svg  # noqa: F401

    style.plain("")


def picture(data: FigureData, formats: Collection[str]) -> Picture:
    """Draw a figure once and save it in the wanted ones of `png`, `svg` and `html`."""
    with drawing(data.slug):
        made = sheet(data)
        dots = png(made) if "png" in formats else b""
        if "svg" not in formats and "html" not in formats:
            return Picture(dots)
        text = svg(made, data)
        return Picture(dots, text, inline(text, made))


def subtitle(data: FigureData) -> str:
    """`n = 936 games · percentage points · 95% Wilson intervals`."""
    parts = (f"n = {data.n:,} {data.counted}", data.unit, data.interval)
    return " \u00b7 ".join(part for part in parts if part)


def sheet(data: FigureData, width: float = style.WIDTH) -> Sheet:
    """Draw a figure with its words. Call it within `drawing`."""
    inner = width - 2 * MARGIN
    head, foot, heights = figure_words(data, inner)
    body = drawer(data).height(data)
    figure = style.empty_figure(width, heights[0] + body + heights[1])
    draw_words(style.Place(figure, MARGIN, heights[1] + body, inner, heights[0]), head)
    draw_words(style.Place(figure, MARGIN, 0.0, inner, heights[1] - 0.04), foot)
    drawer(data).draw(data, style.Place(figure, MARGIN, heights[1], inner, body))
    return Sheet(figure, heights[0], heights[1])


def figure_words(data: FigureData, width: float) -> tuple[Words, Words, list[float]]:
    """The words above and below a figure of this width, and the inches that they take."""
    head, foot = _head(data, width), _foot(data, width)
    return head, foot, [sum(size * LINE / 72 for _, size, _ in block) + 0.14 for block in (head, foot)]


def _head(data: FigureData, width: float) -> Words:
    title = style.wrapped(f"{data.number} \u00b7 {data.question}", width, TITLE_SIZE * 1.06)
    under = style.wrapped(subtitle(data), width, style.SMALL)
    return [(line, TITLE_SIZE, style.INK) for line in title] + [(line, style.SMALL, style.MUTED) for line in under]


def _foot(data: FigureData, width: float) -> Words:
    text = " ".join((*data.notes, f"Source: {data.source}"))
    lines = style.wrapped(style.plain(text, 900), width, style.SMALL - 0.8)
    return [(line, style.SMALL - 0.8, style.MUTED) for line in lines]


def draw_words(place: style.Place, words: Words) -> None:
    """Lines from the top of a place downwards; the first size above SMALL is bold."""
    y = place.height - 0.06
    for text, size, color in words:
        weight = "bold" if size > style.SIZE else "normal"
        place.text(0, y, text, fontsize=size, color=color, weight=weight, va="top")
        y -= size * LINE / 72


def png(made: Sheet) -> bytes:
    """The figure as PNG, without a date."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    made.figure.set_dpi(DOTS)
    canvas = FigureCanvasAgg(made.figure)
    canvas.draw()  # type: ignore[no-untyped-call]
    pixels = np.asarray(canvas.buffer_rgba())  # type: ignore[no-untyped-call]
    return png_bytes(pixels[:, :, :3], DOTS)


def svg(made: Sheet, data: FigureData) -> str:
    """The figure as SVG with a title and a description, its letters as outlines."""
    out = io.StringIO()
    nothing = {"Date": None, "Creator": None, "Format": None, "Type": None}
    made.figure.savefig(out, format="svg", metadata=nothing)
    text = re.sub(r"\s*<metadata>.*?</metadata>", "", out.getvalue(), flags=re.S)
    words = (
        f'<title id="{data.slug}-title">{escape(data.question)}</title>'
        f'<desc id="{data.slug}-desc">{escape(data.alt_text)}</desc>'
    )
    text = _own_ids(text, data.slug)
    return re.sub(
        r"(<svg\b[^>]*?)>",
        lambda m: f'{m[1]} role="img" aria-labelledby="{data.slug}-title {data.slug}-desc">\n {words}',
        text,
        count=1,
        flags=re.S,
    )


def _own_ids(text: str, slug: str) -> str:
    """Ids that are unique on a page with many figures."""
    text = re.sub(r'\bid="([^"]+)"', rf'id="{slug}-\1"', text)
    text = re.sub(r'href="#([^"]+)"', rf'href="#{slug}-\1"', text)
    return re.sub(r"url\(#([^)]+)\)", rf"url(#{slug}-\1)", text)


def inline(text: str, made: Sheet) -> str:
    """The SVG for the page: without the words around it, its colours following light and dark."""
    width, height = (72 * side for side in made.figure.get_size_inches())
    box = f"0 {72 * made.head:.6g} {width:.6g} {height - 72 * (made.head + made.foot):.6g}"
    text = text[text.index("<svg") :]
    text = re.sub(r'\s(width|height)="[^"]*pt"', "", text, count=2)
    text = re.sub(r'viewBox="[^"]*"', f'viewBox="{box}"', text, count=1)
    text = re.sub(r"\s+<", "<", text)
    for colour, name in style.CSS_COLOURS.items():
        text = text.replace(colour, f"var({name})")
    return text
