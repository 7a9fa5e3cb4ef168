"""The package is cheap to import, and names its errors."""

import subprocess
import sys

import pytest

from pipeline.stats.errors import NotEnough, need

MODULES = [
    "bootstrap", "choice", "dynamics", "effects", "equivalence", "exchange", "intervals",
    "labels", "logit", "mantel_haenszel", "multinomial", "multiplicity", "patterns", "power",
    "seat_tests", "seats", "sequential", "skill", "spread", "variants", "verdicts",
]  # fmt: skip


def _loaded(statement: str) -> set[str]:
    code = f"import sys; {statement}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in done.stdout.split()}


def test_importing_the_package_loads_nothing_heavy():
    assert not _loaded("import pipeline.stats") & {"numpy", "scipy", "polars", "openskill"}


def test_importing_all_modules_loads_neither_scipy_nor_openskill():
    statement = "from pipeline.stats import " + ", ".join(MODULES)
    assert not _loaded(statement) & {"scipy", "openskill", "pandas", "statsmodels"}


def test_not_enough_is_a_value_error_in_plain_words():
    with pytest.raises(ValueError, match=r"^needs 30 games, has 12$"):
        need("games", 30, 12)
    with pytest.raises(NotEnough, match=r"^needs games, has none$"):
        need("games", 1, 0)
    need("games", 30, 30)
