"""Drawing beside the work: the same pictures as here, in whatever order and whatever becomes of the child."""

from __future__ import annotations

import io
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from pipeline.analysis import build_report
from pipeline.analysis.model import FigureData, Report
from reports.draw import Picture, picture
from reports.pdf import pdf
from reports.png import png_bytes
from reports.worker import Painter
from tests.analysis.lakes import results_lake, winners

FORMATS = ("html", "pdf", "png", "svg")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return build_report(results_lake(tmp_path_factory.mktemp("lake"), winners(2, 20, 20)))


@pytest.fixture(scope="module")
def drawn(report: Report) -> tuple[list[Picture], list[bytes]]:
    """All of it, drawn here."""
    figures = [picture(data, FORMATS) for data in known(report)]
    return figures, [pdf(report, part) for part in report.titles]


def known(report: Report) -> list[FigureData]:
    return [data for part in report.titles for data in part.figures if not data.failure]


def test_each_figure_is_told_as_it_stands_in_the_report(tmp_path: Path) -> None:
    told: list[FigureData] = []
    report = build_report(results_lake(tmp_path, winners(2, 20, 20)), tell=told.append)
    assert {id(data) for data in told} == {id(data) for data in report.titles[0].figures}
    assert len(told) == len(report.titles[0].figures)


def test_a_child_draws_what_is_drawn_here(report: Report, drawn: tuple[list[Picture], list[bytes]]) -> None:
    with Painter(FORMATS) as painter:
        for data in [*reversed(known(report)), *known(report)]:
            painter.draw(data)
        pictures, books = painter.finish(report)
    assert [pictures[id(data)] for data in known(report)] == drawn[0]
    assert books == drawn[1]


@pytest.mark.parametrize("what", ["one core", "killed", "never started"])
def test_without_a_child_it_is_drawn_here(
    what: str, report: Report, drawn: tuple[list[Picture], list[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    if what == "one core":
        monkeypatch.setattr(os, "cpu_count", lambda: 1)
    if what == "never started":
        monkeypatch.setattr("sys.executable", "/nowhere/python")
    with Painter(FORMATS) as painter:
        assert (painter._child is not None) == (what == "killed")
        if painter._child is not None:
            painter._child.kill()
        pictures, books = painter.finish(report)
    assert [pictures[id(data)] for data in known(report)] == drawn[0]
    assert books == drawn[1]


def test_a_fault_in_drawing_shows_here(report: Report, capfd: pytest.CaptureFixture[str]) -> None:
    part = report.titles[0]
    bad = replace(part.figures[0], look="nothing")
    with Painter(("png",)) as painter, pytest.raises(KeyError, match="nothing"):
        painter.finish(replace(report, titles=(replace(part, figures=(bad,)),)))
    assert "KeyError" in capfd.readouterr().err


def test_the_child_ends_with_the_block() -> None:
    with Painter(FORMATS) as painter:
        child = painter._child
        assert child is not None and child.poll() is None
    assert child.poll() is not None


def test_nothing_is_started_for_numbers_alone(report: Report) -> None:
    with Painter(("csv", "json", "parquet")) as painter:
        assert painter._child is None
        assert painter.finish(report) == ({}, [])


def test_png_holds_the_pixels() -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (7, 5, 3)).astype(np.uint8)
    image = Image.open(io.BytesIO(png_bytes(pixels, 180)))
    assert image.info["dpi"] == pytest.approx((180, 180), abs=0.02)
    assert np.array_equal(np.asarray(image), pixels)
