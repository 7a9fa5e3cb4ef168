"""Lakes that several tests read; none of them writes to one."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.analysis import build_report
from pipeline.analysis.model import Report
from tests.analysis.lakes import played_lake


@pytest.fixture(scope="session")
def kingdoms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Kingdoms of 2 and 3 players, 60 games each."""
    return played_lake(tmp_path_factory.mktemp("kingdoms") / "lake", players=(2, 3))


@pytest.fixture(scope="session")
def glory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Call to Glory of 3 players, 40 games with tasks and 40 without."""
    folder = tmp_path_factory.mktemp("glory") / "lake"
    played_lake(folder, 40, "call_to_glory", tasks=False)
    return played_lake(folder, 40, "call_to_glory", seed=77, tasks=True)


@pytest.fixture(scope="session")
def kingdoms_report(kingdoms: Path) -> Report:
    return build_report(kingdoms)


@pytest.fixture(scope="session")
def glory_report(glory: Path) -> Report:
    return build_report(glory)
