"""The cookbook page: every query of `sql/adhoc/` with its question and what it says of the sample lake.

`python -m tests.warehouse.cookbook` writes `docs/cookbook.md` anew.
"""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from pipeline.adhoc import run_adhoc
from pipeline.resources import sql_path
from tests.warehouse.sample import build

PAGE = Path(__file__).resolve().parents[2] / "docs" / "cookbook.md"
HEAD = """\
# Cookbook of SQL

<!-- Written by `python -m tests.warehouse.cookbook`; do not edit. -->

Each query is a file of `sql/adhoc/`: `plybook sql -f sql/adhoc/NAME.sql --lake LAKE`. What the views and
columns mean is in [schema.md](schema.md). The answers below are those of the tests' sample lake: 50
simulated games of Kingdoms, 3 results of China, and 10 records that are not right.
"""


def queries() -> list[Path]:
    return sorted(sql_path("adhoc").glob("*.sql"))


def answer(lake: Path, query: Path) -> str:
    """What the guarded door says to a query, as the table of a terminal."""
    out, errors = io.StringIO(), io.StringIO()
    code = run_adhoc(lake, query.read_text("utf-8"), out=out, errors=errors)
    assert code == 0, f"{query.name}: {errors.getvalue()}"
    return out.getvalue()


def page(lake: Path) -> str:
    """The whole page."""
    parts = [HEAD]
    for query in queries():
        first, _, rest = query.read_text("utf-8").partition("\n")
        parts.append(f"\n## {first.removeprefix('-- ')}\n\n`{query.name}`\n")
        parts.append(f"\n```sql\n{rest}```\n\n```text\n{answer(lake, query)}```\n")
    return "".join(parts)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        PAGE.write_text(page(build(Path(folder))), "utf-8")
