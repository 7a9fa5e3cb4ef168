"""One file a figure, or a group that looks alike: `height(data)` in inches and `draw(data, place)`.

A figure draws what `FigureData` holds into a `Place` and knows nothing else. Which file draws which
figure stands in `DRAWN_BY`.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.analysis.model import FigureData

DRAWN_BY = {
    "seat_share": "seat_share",
    "skill_adjusted": "skill_adjusted",
    "finish": "finish",
    "scores": "scores",
    "score_over_time": "score_over_time",
    "leader_wins": "leader_wins",
    "comeback": "comeback",
    "lead_changes": "lead_changes",
    "length": "histogram",
    "margin": "histogram",
    "exchange_hazard": "exchange_hazard",
    "exchange_rate": "exchange_rate",
    "exchange_wins": "exchange_wins",
    "points_by_source": "points_by_source",
    "variant_effects": "variant_effects",
    "seat_by_variant": "seat_by_variant",
    "evidence": "evidence",
    "measure_bars": "measure_bars",
    "measure_places": "measure_bars",
    "measure_matrix": "measure_matrix",
    "measure_order": "measure_order",
    "measure_grid": "measure_grid",
}
"""Look of a figure, else its slug -> module of this package."""


def drawer(data: FigureData) -> ModuleType:
    """The module that draws a figure."""
    return importlib.import_module(f"reports.figures.{DRAWN_BY[data.look or data.slug]}")
