"""The page in headless Chromium: no error on the console, every picture and link there, readable at two widths."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from pipeline.analysis.model import Report
from reports import write_report

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
    "--allow-file-access-from-files",
)  # fmt: skip
PROBE = """
<script>
addEventListener("load", () => {
  const wide = document.documentElement.scrollWidth;
  const pictures = [...document.querySelectorAll("figure svg")].map(s => s.getBoundingClientRect());
  const sizes = [...document.querySelectorAll("p, li, td, th")].map(e => parseFloat(getComputedStyle(e).fontSize));
  const found = {
    wide, inner: innerWidth, pictures: pictures.length, narrowest: Math.min(...pictures.map(p => p.width)),
    lowest: Math.min(...pictures.map(p => p.height)), smallest: Math.min(...sizes),
    broken: [...document.images].filter(i => !i.naturalWidth).length,
    targets: [...document.querySelectorAll("a[href^='#']")].map(a => a.getAttribute("href"))
      .filter(to => !document.querySelector(to)).length,
    title: document.title, landmarks: document.querySelectorAll("main, nav, header, footer").length,
  };
  const box = document.createElement("pre");
  box.id = "probe"; box.textContent = "PROBE" + JSON.stringify(found) + "PROBE";
  document.body.append(box);
});
</script>
</body>"""


def chromium() -> str:
    found = shutil.which("chromium")
    assert found, "the browser tests need Debian's package chromium"
    return found


def opened(page: Path, folder: Path, width: int) -> tuple[dict[str, object], str]:
    """What the probe in the page found, and what stood on the console."""
    done = subprocess.run(
        [
            chromium(), *FLAGS, f"--user-data-dir={folder}", f"--window-size={width},1200", "--enable-logging=stderr",
            "--v=0", "--virtual-time-budget=5000", "--dump-dom", page.as_uri(),
        ],
        capture_output=True, text=True, timeout=180, check=True,
    )  # fmt: skip
    told = done.stdout.split("PROBE")[-2]
    console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    return json.loads(told.replace("&lt;", "<").replace("&amp;", "&")), "\n".join(console)


@pytest.mark.browser
@pytest.mark.parametrize("width", [400, 1400])
def test_page_in_chromium(tmp_path: Path, glory_report: Report, width: int) -> None:
    out = tmp_path / "out"
    write_report(glory_report, out)
    text = (out / "index.html").read_text("utf-8")
    probed = out / "probed.html"
    probed.write_text(text.replace("</body>", PROBE), "utf-8")
    found, console = opened(probed, tmp_path / "profile", width)
    assert console == ""
    assert found["pictures"] == sum(not data.failure for data in glory_report.titles[0].figures)
    assert found["broken"] == found["targets"] == 0
    assert found["landmarks"] == 4
    # Nothing sticks out to the right, and words are not smaller than 12 pixels.
    assert found["wide"] <= found["inner"]  # type: ignore[operator]
    assert found["smallest"] >= 12  # type: ignore[operator]
    assert found["narrowest"] >= 350 and found["lowest"] >= 80  # type: ignore[operator]
