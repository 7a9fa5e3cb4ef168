"""Reports as folders: the same bytes twice, everything there, whatever the names are."""

from __future__ import annotations

import itertools
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import polars as pl
import pytest

from pipeline.analysis import build_report
from pipeline.analysis.model import Report
from reports import verify, write_report
from reports.figures import DRAWN_BY
from reports.write import ReportError, file_name
from tests.analysis.lakes import Game, results_lake, winners

HOSTILE = (
    "<script>alert(1)</script>", "$x^2_3$ \\frac{1}{0}", "\u738b\u5c0f\u660e", "\u05d3\u05d5\u05d3 \u202eabc",
    "\U0001f3b2\U0001f409", "x" * 300, "a\u0301\u0300" * 20, '"quoted" & \'single\'', "{braces} %s %(x)s",
    "two\nlines\tand tabs",
)  # fmt: skip


class Page(HTMLParser):
    """What is in a page: tags with their attributes, ids, and links."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.faults: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))
        if tag not in ("meta", "link", "br", "img", "path", "use", "rect", "polyline"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            if self.open[-1] != tag:
                self.faults.append(f"</{tag}> closes <{self.open[-1]}>")
            while self.open.pop() != tag:
                pass

    def values(self, name: str, tag: str | None = None) -> list[str]:
        return [str(a[name]) for t, a in self.tags if name in a and tag in (None, t)]


def files(folder: Path) -> dict[str, bytes]:
    return {str(f.relative_to(folder)): f.read_bytes() for f in sorted(folder.rglob("*")) if f.is_file()}


def page_of(folder: Path) -> Page:
    return Page((folder / "index.html").read_text("utf-8"))


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory, glory_report: Report) -> Path:
    out = tmp_path_factory.mktemp("written")
    write_report(glory_report, out)
    return out


def test_the_same_report_gives_the_same_bytes(tmp_path: Path, written: Path, glory: Path) -> None:
    write_report(build_report(glory, threads=1), tmp_path)
    mine, theirs = files(tmp_path), files(written)
    assert mine.keys() == theirs.keys()
    assert [name for name in mine if mine[name] != theirs[name]] == []


def test_verify_finds_what_was_changed(tmp_path: Path) -> None:
    lake = results_lake(tmp_path / "lake", winners(2, 20, 20))
    out = tmp_path / "out"
    write_report(build_report(lake), out)
    assert verify(out, lake) == []
    (out / "figures" / "01-seat_share.csv").write_text("cell,seat\n")
    (out / "report.pdf").unlink()
    (out / "figures" / "99-mine.png").write_bytes(b"")
    found = verify(out, lake)
    assert "figures/01-seat_share.csv is not what the lake gives" in found
    assert "figures/99-mine.png is not part of the report" in found
    results_lake(tmp_path / "lake", winners(2, 1, 0), source="other")
    assert any("lanterns: the lake has another data digest" in sentence for sentence in verify(out, lake))


def test_verify_needs_a_report(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match=r"has no report\.json"):
        verify(tmp_path, tmp_path)


def test_every_figure_has_its_files(written: Path, glory_report: Report) -> None:
    for data in glory_report.titles[0].figures:
        if data.failure:
            continue
        for kind in ("png", "svg", "csv", "parquet"):
            assert (written / "figures" / f"{file_name(data)}.{kind}").stat().st_size > 100
        assert pl.read_parquet(written / "figures" / f"{file_name(data)}.parquet").equals(data.frame)
        text = (written / "figures" / f"{file_name(data)}.svg").read_text("utf-8")
        assert (data.look or data.slug) in DRAWN_BY
        assert 'role="img"' in text and "<desc" in text and data.question[:20] in text


def test_json_has_every_number_and_the_provenance(written: Path, glory_report: Report) -> None:
    found = json.loads((written / "report.json").read_text("utf-8"))
    assert found["provenance"]["titles"][0]["title"] == "call_to_glory"
    figures = {data["slug"]: data for data in found["titles"][0]["figures"]}
    share = next(data for data in glory_report.titles[0].figures if data.slug == "seat_share")
    assert figures["seat_share"]["frame"]["share"] == share.frame["share"].to_list()
    assert figures["seat_share"]["n"] == 80


def test_page_is_whole_and_accessible(written: Path, glory_report: Report) -> None:
    page = page_of(written)
    assert page.faults == [] and page.open == []
    tags = [tag for tag, _ in page.tags]
    assert tags.count("h1") == tags.count("main") == tags.count("nav") == tags.count("header") == 1
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    for name in ("aria-labelledby", "href"):
        for value in page.values(name):
            wanted = value.split() if name == "aria-labelledby" else [value[1:]] if value.startswith("#") else []
            assert set(wanted) <= set(ids), value
    assert all(attributes.get("scope") for tag, attributes in page.tags if tag == "th")
    assert all(attributes.get("role") == "img" for tag, attributes in page.tags if tag == "svg")
    drawn = [data for data in glory_report.titles[0].figures if not data.failure]
    assert tags.count("svg") == tags.count("figure") == len(drawn) >= 17
    headings = [int(tag[1]) for tag in tags if re.fullmatch(r"h[1-6]", tag)]
    assert all(after <= before + 1 for before, after in itertools.pairwise(headings))


def test_a_table_is_named_once_to_the_eye_and_only_if_it_has_rows(tmp_path: Path) -> None:
    report = build_report(results_lake(tmp_path / "lake", winners(2, 20, 20)))
    empty = {table.slug for table in report.titles[0].tables if not table.frame.height}
    assert {"shifts", "exclusions"} <= empty
    write_report(report, tmp_path / "out", ("html",))
    page = page_of(tmp_path / "out")
    shown = {value.removeprefix("table-") for value in page.values("id") if value.startswith("table-")}
    assert shown == {table.slug for table in report.titles[0].tables} - empty
    captions = [attributes for tag, attributes in page.tags if tag == "caption"]
    assert captions and all(attributes.get("class") == "unseen" for attributes in captions)
    assert ".unseen { position: absolute; width: 1px;" in (tmp_path / "out" / "index.html").read_text("utf-8")


def test_page_needs_nothing_else(written: Path) -> None:
    page = page_of(written)
    assert page.values("src") == []
    outside = [value for value in page.values("href") if value.startswith(("http:", "https:", "//"))]
    assert outside == []
    for value in page.values("href", "a"):
        if not value.startswith("#"):
            assert (written / value).is_file(), value
    assert "url(http" not in (written / "index.html").read_text("utf-8")


def test_several_titles_have_a_page_each_and_one_over_them(tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    results_lake(lake, winners(2, 20, 20), title="lanterns")
    results_lake(lake, winners(3, 20, 20, 5), title="abacus")
    out = tmp_path / "out"
    write_report(build_report(lake), out)
    for page, folder in ((page_of(out), out), (page_of(out / "abacus"), out / "abacus")):
        links = [value.split("#")[0] for value in page.values("href", "a") if not value.startswith("#")]
        assert links
        assert all((folder / link).is_file() for link in links)
    assert (out / "lanterns" / "report.pdf").read_bytes().startswith(b"%PDF")


def test_older_figures_do_not_stay(tmp_path: Path) -> None:
    lake = results_lake(tmp_path / "lake", winners(2, 20, 20))
    out = tmp_path / "out"
    (out / "figures").mkdir(parents=True)
    (out / "figures" / "05-score_over_time.png").write_bytes(b"old")
    (out / "figures" / "notes.txt").write_text("mine")
    write_report(build_report(lake), out)
    assert not (out / "figures" / "05-score_over_time.png").exists()
    assert (out / "figures" / "notes.txt").exists()


def test_only_the_wanted_formats(tmp_path: Path) -> None:
    report = build_report(results_lake(tmp_path / "lake", winners(2, 20, 20)))
    write_report(report, tmp_path / "out", ("json", "csv"))
    kinds = {Path(name).suffix for name in files(tmp_path / "out")}
    assert kinds == {".json", ".csv"}
    with pytest.raises(ReportError, match="not 'docx'"):
        write_report(report, tmp_path / "out", ("docx",))


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    report = build_report(results_lake(tmp_path / "lake", winners(2, 20, 20)))
    (tmp_path / "file").write_text("")
    with pytest.raises(ReportError, match="cannot be written"):
        write_report(report, tmp_path / "file")


def test_hostile_names_are_text(tmp_path: Path) -> None:
    """Names in options, files, sources and players; warnings are errors here."""
    games = [
        game
        for i, name in enumerate(HOSTILE)
        for value in (name, f"{name}!")
        for game in winners(2, 2 + i % 3, 2, options={"variant": value}, players=(name, f"{i}"))
    ]
    lake = results_lake(tmp_path / "lake", games, source=HOSTILE[0], file=f"{HOSTILE[0]} {HOSTILE[2]}.csv")
    out = tmp_path / "out"
    write_report(build_report(lake), out)
    text = (out / "index.html").read_text("utf-8")
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    page = page_of(out)
    assert page.faults == [] and page.open == []
    assert HOSTILE[2] in text
    assert (out / "report.pdf").stat().st_size > 5000
    assert json.loads((out / "report.json").read_text("utf-8"))["titles"][0]["cells"]


@pytest.mark.parametrize(
    "games",
    [
        [Game((1, 2))],
        [Game((5, 5, 5))] * 3,
        [Game((0, 0))] * 40,
        [Game((-(10**6), 10**6))] * 31,
        [Game((None, None), ranks=(1, 2))] * 35,
        winners(2, 40, 0),
        winners(5, 10, 10, 10, 10, 10),
        winners(7, 5, 5, 5, 5, 5, 5, 5),
        [game for i in range(30) for game in winners(2 + i % 3, 2, 1, options={"deck": i})],
    ],
    ids=[
        "one game",
        "all shared",
        "no points",
        "huge scores",
        "ranks only",
        "always the first",
        "five",
        "seven",
        "cells",
    ],
)
def test_lakes_of_all_kinds_give_a_report(tmp_path: Path, games: list[Game]) -> None:
    out = tmp_path / "out"
    report = build_report(results_lake(tmp_path / "lake", games))
    write_report(report, out, ("html", "pdf", "json"))
    assert report.titles[0].headline
    assert page_of(out).faults == []
    assert (out / "report.pdf").read_bytes().startswith(b"%PDF")
