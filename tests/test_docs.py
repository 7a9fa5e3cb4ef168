"""Pages and README tell the truth: each command in them runs, generated pages are up to date."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.cli import app
from pipeline.docs import PAGES, with_titles
from pipeline.titles import TITLES

ROOT = Path(__file__).resolve().parent.parent
READ = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted(ROOT.glob("pipeline/titles/*/README.md"))]
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.M | re.S)
SLOW = re.compile(r"--games [0-9]{5,}|--bots \S*sampling|--budget")
"""Commands that stand in pages with what they measured: they are run with few games and rollouts."""


def commands(page: Path) -> list[str]:
    found = []
    for block in CONSOLE.findall(page.read_text("utf-8")):
        lines = re.sub(r"\\\n\s*", "", block).splitlines()
        found += [line.removeprefix("$ ") for line in lines if re.match(r"(\$ )?(plybook|make) ", line)]
    return found


def shortened(command: str) -> str:
    if SLOW.search(command):
        command = re.sub(r"--games \d+", "--games 4", command)
        command = re.sub(r"--budget \d+", "--budget 4", command)
    return command


@pytest.mark.parametrize("page", READ, ids=lambda page: str(page.relative_to(ROOT)))
def test_each_command_of_a_page_runs(page: Path, tmp_path: Path) -> None:
    (tmp_path / "data").symlink_to(ROOT / "data")
    (tmp_path / "sql").symlink_to(ROOT / "sql")
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M)
    for command in commands(page):
        words = shlex.split(shortened(command))
        if words[0] == "make":
            assert set(words[1:]) <= set(targets), command
            continue
        run = subprocess.run(
            [sys.executable, "-m", "pipeline", *words[1:]],
            cwd=tmp_path, capture_output=True, text=True, env=environment(), check=False,
        )  # fmt: skip
        assert run.returncode in (0, 1), f"{command}\n{run.stdout[-500:]}\n{run.stderr[-2000:]}"
        assert "Traceback" not in run.stderr, f"{command}\n{run.stderr}"


def environment() -> dict[str, str]:
    import os

    return {**os.environ, "PYTHONPATH": str(ROOT)}


def test_the_readme_has_its_two_commands() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    assert "make demo" in text
    assert "make test" in text


@pytest.mark.parametrize("name", PAGES)
def test_generated_pages_are_up_to_date(name: str) -> None:
    assert (ROOT / "docs" / name).read_text("utf-8") == PAGES[name](), "run `make docs`"


def test_the_table_of_titles_is_up_to_date() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    assert with_titles(text) == text, "run `make docs`"
    for name in TITLES:
        assert f"`{name}`" in text


def test_every_command_is_documented() -> None:
    names = {info.name or info.callback.__name__ for info in app.registered_commands if info.callback}
    text = "".join(page.read_text("utf-8") for page in READ)
    missing = {name for name in names if f"plybook {name}" not in text}
    assert not missing


def test_every_link_and_picture_of_a_page_is_there() -> None:
    for page in [*READ, ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_project_speaks_of_itself_alone() -> None:
    """No address of a package registry, no path of a developer's machine."""
    run = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    words = ("pypi." + "org", "files.python" + "hosted", "/wo" + "rk/", "registry.npm" + "js")
    for name in run.stdout.split():
        file = ROOT / name
        if file.suffix in (".png", ".parquet", ".gz", ".zst") or not file.is_file():
            continue
        text = file.read_text("utf-8", "replace")
        assert not [word for word in words if word in text], name
