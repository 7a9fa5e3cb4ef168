"""A board that a title draws, framed with the players and their scores, as a PNG."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

SEAT_COLOURS = ("#0072b2", "#b8500a", "#00785a", "#7a3b8f", "#4d4d4d")
"""Dark enough for white letters, told apart by colour-blind people (after Okabe and Ito)."""


def draw_board(
    draw: Callable[[dict[str, Any], Any, tuple[str, ...]], None],
    shown: dict[str, Any],
    heading: str,
    names: Sequence[str],
    png: Path,
) -> None:
    """Draw a state into a PNG; names and heading are plain text, whatever they hold."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 7), dpi=130, layout="constrained")
    axes = figure.add_subplot()
    for spine in axes.spines.values():
        spine.set_visible(False)
    draw(shown, axes, SEAT_COLOURS)
    axes.set_title(heading, loc="left", fontsize=12, parse_math=False)
    scores = shown.get("scores") or [0] * len(names)
    best = max(scores)
    for i, (name, score) in enumerate(zip(names, scores, strict=False)):
        lead = "  leads" if score == best else ""
        figure.text(
            0.01 + 0.99 * i / len(names), -0.01, f"seat {i + 1}: {name[:24]}\n{score} points{lead}",
            color=SEAT_COLOURS[i], fontsize=10, va="top", parse_math=False,
            fontweight="bold" if lead else "normal",
        )  # fmt: skip
    figure.savefig(png, bbox_inches="tight", pad_inches=0.15, metadata={"Software": None})
