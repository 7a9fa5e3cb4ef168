"""The lakes and reports of the analysis' tests."""

from tests.analysis.conftest import glory, glory_report, kingdoms, kingdoms_report

__all__ = ["glory", "glory_report", "kingdoms", "kingdoms_report"]
