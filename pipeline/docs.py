"""The generated pages of `docs/`: `python -m pipeline.docs` writes them anew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pipeline.catalogue import schema_page

PAGES: dict[str, Callable[[], str]] = {"schema.md": schema_page}
"""Each page of `docs/` that code writes, and what writes it."""


def write_pages(folder: Path) -> None:
    """Write all pages into a folder."""
    for name, page in PAGES.items():
        (folder / name).write_text(page(), "utf-8")


if __name__ == "__main__":
    write_pages(Path(__file__).resolve().parent.parent / "docs")
