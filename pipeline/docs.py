"""The generated pages of `docs/` and the README's table of titles: `python -m pipeline.docs` writes them anew."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pipeline import titles
from pipeline.catalogue import schema_page
from pipeline.titles.contract import Option, Title

PAGES: dict[str, Callable[[], str]] = {"schema.md": schema_page}
"""Each page of `docs/` that code writes, and what writes it."""

TABLE = re.compile(r"<!-- titles -->\n.*?<!-- end of titles -->", re.S)
"""Where the README's table of titles stands."""


def titles_table() -> str:
    """All titles with their players, options and what the report measures beyond the common figures."""
    lines = ["| title | players | options (default first) | measured beyond the common figures |", "|---|---|---|---|"]
    for name in titles.TITLES:
        title = titles.load(name)
        link = f"[{title.label}](pipeline/titles/{name}/README.md)"
        seats = f"{title.seats[0]}-{title.seats[-1]}"
        options = "; ".join(_option(title, option) for option in title.options) or "none"
        asked = "; ".join(measure.question.rstrip("?") for measure in title.measures) or "nothing"
        lines.append(f"| {link} `{name}` | {seats} | {options} | {asked} |")
    return "\n".join(lines)


def _option(title: Title, option: Option) -> str:
    """`name` with its values, the default of the smallest table first."""
    values = option.legal(title.seats[0]) or option.values
    default = option.default(title.seats[0])
    if option.many:
        several = " or ".join(map(str, option.many))
        return f"`{option.name}` {several} of {', '.join(_word(value) for value in values)}"
    rest = [value for value in (*values, *option.values) if value != default or type(value) is not type(default)]
    return f"`{option.name}` {', '.join(_word(value) for value in dict.fromkeys([default, *rest]))}"


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def with_titles(readme: str) -> str:
    """The README's text with today's table."""
    return TABLE.sub(f"<!-- titles -->\n{titles_table()}\n<!-- end of titles -->".replace("\\", r"\\"), readme)


def write_pages(root: Path) -> None:
    """Write all pages and the table into a checkout."""
    for name, page in PAGES.items():
        (root / "docs" / name).write_text(page(), "utf-8")
    readme = root / "README.md"
    readme.write_text(with_titles(readme.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    write_pages(Path(__file__).resolve().parent.parent)
