"""How fast the page draws, how much it weighs, and when its first picture is there.

    make run                                          # in another terminal
    .venv/bin/python -m benchmarks.page [--seconds 10] [--write]

Opens the page of the service in SMALLVILLE_HOME in the Chromium of this machine, headless and
without a graphics card. Frames are counted while made-up agents walk to and fro over the map,
all of them in every frame. `--write` writes docs/benchmarks/page.md.
"""

import argparse
import os
import platform
import shutil
import statistics
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[1]
REPORT = ROOT / "docs" / "benchmarks" / "page.md"
CROWDS = (25, 200, 1_000)
OPENINGS = 5
SIZE = (1440, 900)
WAITS_MILLISECONDS = 60_000

# Agents that walk to and fro on their row, so that each of them moves in every frame.
_CROWD = """(count) => {
  const { app, view } = smallville;
  const { width, height } = app.world;
  app.stream.stop();
  const agents = Array.from({ length: count }, (_, index) => {
    const steps = Array.from({ length: 4000 }, (_, step) => {
      const at = (step + index * 7) % (2 * width - 2);
      return { x: at < width ? at : 2 * width - 2 - at, y: (index * 13) % height };
    });
    const name = `Agent ${index} of the crowd`;
    return { slug: `agent-${index}`, name, position: steps[0], path: steps.slice(1),
      action: "walking to and fro", emoji: "🚶", place: "", asleep: false };
  });
  app.town.load({ clock: { tick: 3240 }, agents, objects: [], conversations: [] });
  app.playhead.reset(3240);
  app.playhead.rate = 6;
  app.playhead.committed = 7000;
  app.status.clock.tick = 7000;
}"""
_ZOOM = """(near) => {
  const { view } = smallville;
  if (near) view.camera.lookAt(70, 50, 2);
  else view.camera.fit();
}"""
_WEIGHT = """() => ["navigation", "resource"]
  .flatMap((kind) => performance.getEntriesByType(kind))
  .map((entry) => [new URL(entry.name).pathname, entry.decodedBodySize])"""


def main() -> None:
    """Measure, print, and write the report if it is asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium") or shutil.which("google-chrome"),
            args=["--no-sandbox"] if os.geteuid() == 0 else [],
        )
        text = _report(browser, asked.seconds)
        browser.close()
    print(text)
    if asked.write:
        REPORT.write_text(text, "utf-8")


def _report(browser: Browser, seconds: float) -> str:
    first, weights = [], {}
    for _ in range(OPENINGS):
        page = _opened(browser)
        first.append(float(page.evaluate("smallville.frames.firstAt")))
        weights = _weights(page)
        page.context.close()
    rows = []
    for count in CROWDS:
        far = _rate(browser, count, False, seconds)
        near = _rate(browser, count, True, seconds)
        rows.append(
            f"| {count:,} | {far[0]:.0f} | {far[1]:.1f} | {near[0]:.0f} | {near[1]:.1f} |"
        )
    return "\n".join(
        [
            "# The page\n",
            "Written by `.venv/bin/python -m benchmarks.page --write`: Chromium, headless,",
            f"without a graphics card, {SIZE[0]} by {SIZE[1]} pixels, {os.cpu_count()} cores",
            f"({platform.machine()}) with a load of {os.getloadavg()[0]:.1f} at the end,",
            "with the service on the same machine.\n",
            "Every agent walks in every frame, at a game minute a second.\n",
            "| agents | whole map: frames a second | ms of script a frame "
            "| zoomed in: frames a second | ms of script a frame |",
            "|---|---|---|---|---|",
            *rows,
            "",
            "| part | kB |",
            "|---|---|",
            *(f"| {kind} | {size / 1000:.0f} |" for kind, size in weights.items()),
            f"| all | {sum(weights.values()) / 1000:.0f} |",
            "",
            f"The first picture is there after {statistics.median(first) / 1000:.2f} s",
            f"(median of {OPENINGS}; longest {max(first) / 1000:.2f} s).\n",
        ]
    )


def _opened(browser: Browser) -> Page:
    home = Path(os.environ.get("SMALLVILLE_HOME", ROOT / ".smallville"))
    port = os.environ.get("PORT", "8000")
    token, simulation = ((home / name).read_text().strip() for name in ("token", "simulation"))
    page = browser.new_context(viewport={"width": SIZE[0], "height": SIZE[1]}).new_page()
    page.goto(f"http://127.0.0.1:{port}/#token={token}&simulation={simulation}")
    for _ in range(WAITS_MILLISECONDS // 50):
        if page.evaluate("Boolean(window.smallville?.frames.firstAt)"):
            return page
        page.wait_for_timeout(50)
    raise SystemExit(f"nothing was painted: {page.locator('body').inner_text()[:500]}")


def _weights(page: Page) -> dict[str, int]:
    kinds = {"page": 0, "world": 0}
    entries: list[Any] = page.evaluate(_WEIGHT)
    for path, size in entries:
        if "/api/" not in path:
            kinds["page"] += size
        elif "/world/" in path:
            kinds["world"] += size
    return {
        "HTML, style sheets and modules": kinds["page"],
        "map and its image": kinds["world"],
    }


def _rate(browser: Browser, count: int, near: bool, seconds: float) -> tuple[float, float]:
    """Return the frames a second, and the milliseconds of script for each."""
    page = _opened(browser)
    page.evaluate(_CROWD, count)
    page.evaluate(_ZOOM, near)
    page.wait_for_timeout(1_000)
    counters = "[smallville.frames.painted, smallville.frames.milliseconds, performance.now()]"
    first, script, began = page.evaluate(counters)
    page.wait_for_timeout(seconds * 1_000)
    last, script_then, ended = page.evaluate(counters)
    page.context.close()
    painted = last - first
    return painted * 1_000 / (ended - began), (script_then - script) / painted


if __name__ == "__main__":
    main()
