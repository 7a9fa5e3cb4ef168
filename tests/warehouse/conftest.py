from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.warehouse import Warehouse, open_warehouse
from tests.warehouse.sample import build


@pytest.fixture(scope="session")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample lake; nobody writes into it."""
    return build(tmp_path_factory.mktemp("sample"))


@pytest.fixture(scope="session")
def warehouse(lake: Path) -> Iterator[Warehouse]:
    with open_warehouse(lake) as opened:
        yield opened
