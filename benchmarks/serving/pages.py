"""How heavy and how quick the pages are, in a real Chromium: `python -m benchmarks.serving.pages`.

A server of handwritten digits with pictures, as its users start it. First load is what crosses the wire until the
first item is shown, compressed and with headers; next item is from a key press until the next picture is painted; the
dashboard is from a key press until it shows one label more. A missed goal is printed as missed and fails nothing.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.speed.clock import verdict

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
WATCH_ITEMS = """() => {
  const item = document.querySelector("#item"), heading = document.querySelector("#item-heading");
  window.took = [];
  let began = null, shown = heading.textContent;
  addEventListener("keydown", () => { began = performance.now(); }, true);
  const painted = () => requestAnimationFrame(() => setTimeout(() => {
    if (began === null) return;
    window.took.push(performance.now() - began);
    began = null;
  }));
  new MutationObserver(async () => {
    if (began === null || heading.textContent === shown || heading.textContent === "Item") return;
    shown = heading.textContent;
    await Promise.all([...item.querySelectorAll("img")].map((image) => image.decode()));
    painted();
  }).observe(item, { childList: true });
}"""
WATCH_COUNT = """() => {
  const box = document.querySelector("#counts"), groups = document.querySelector("#groups");
  window.when = {};
  const note = (what, n) => { window.when[`${what} ${n}`] ??= Date.now(); };
  const cells = () => [...groups.querySelectorAll("td:nth-child(3)")];
  const sum = () => cells().reduce((n, cell) => n + Number(cell.textContent), 0);
  const how = { childList: true, characterData: true, subtree: true };
  new MutationObserver(() => note("count", box.querySelector("dd")?.textContent)).observe(box, how);
  new MutationObserver(() => note("groups", sum())).observe(groups, how);
}"""


def main() -> None:
    import browsing

    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.serving.pages", description="Weight and speed of pages."
    )
    parser.add_argument("--labels", type=int, default=200, help="labels whose next item is timed")
    parser.add_argument("--think", type=float, default=0.1, help="seconds between two of them")
    parser.add_argument("--follow", type=int, default=40, help="labels that the dashboard follows")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="labelwise-pages-") as folder, browsing.launched() as browser:
        where, digits = browsing.drawn_digits(Path(folder))
        house = browsing.House(browser, where, "--images", folder)
        try:
            time.sleep(8)  # the server makes the script of charts when it starts
            first_load(house)
            page = next_item(house, digits.truth, chosen.labels, chosen.think)
            dashboard(house, page, digits.truth, chosen.follow)
        finally:
            house.end()


class Wire:
    """Counts what crosses the wire for a page, by address, and when each was asked for."""

    def __init__(self, context: Any, page: Any) -> None:
        self.n_bytes: dict[str, int] = {}
        self.asked: dict[str, float] = {}
        self._urls: dict[str, str] = {}
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.requestWillBeSent", self._ask)
        session.on("Network.loadingFinished", self._finish)

    def _ask(self, event: dict[str, Any]) -> None:
        url = event["request"]["url"]
        self._urls[event["requestId"]] = url
        self.asked.setdefault(url, time.monotonic())

    def _finish(self, event: dict[str, Any]) -> None:
        url = self._urls.get(event["requestId"], "")
        self.n_bytes[url] = self.n_bytes.get(url, 0) + int(event["encodedDataLength"])

    def split(self) -> tuple[int, int]:
        """Return the bytes of the chart bundle, and of all the rest."""
        bundle = sum(n for url, n in self.n_bytes.items() if "/vega.js" in url)
        return bundle, sum(self.n_bytes.values()) - bundle


def first_load(house: Any) -> None:
    """Load the labelling page and the dashboard for the first time."""
    from browsing import wait_for_item

    for path, ready in (("/", None), ("/dashboard", "figure.chart svg")):
        context = house.signed_in("olga")
        page = context.new_page()
        wire = Wire(context, page)
        page.goto(f"{house.base}{path}")
        if ready is None:
            wait_for_item(page)
        else:
            page.locator("#groups tbody tr").first.wait_for()
        shown = time.monotonic()
        if ready is not None:
            page.locator(ready).first.wait_for(timeout=60_000)
        page.wait_for_timeout(2_000)  # what comes after
        bundle, rest = wire.split()
        print(f"\n== first load of {path}: {len(wire.n_bytes)} answers, {rest:,} bytes; chart bundle {bundle:,} bytes")
        verdict(f"first load of {path} under 1 MB, chart bundle apart", rest / 1e6, at_most=1.0)
        asked = [at for url, at in wire.asked.items() if "/vega.js" in url]
        words = "never asked for" if not asked else f"asked for {min(asked) - shown:+.2f} s after what counts is shown"
        print(f"chart bundle: {words}")
        verdict("chart bundle only after the item or the answer is shown (1 if so)",
                float(all(at >= shown - 0.05 for at in asked)), at_least=1.0)  # fmt: skip
        context.close()


def next_item(house: Any, truth: dict[str, str], n: int, think: float) -> Any:
    """Label by keyboard, and time each next picture inside the page; give the page."""
    from browsing import item_of, press, wait_for_sent

    page = house.labelling(house.signed_in("ann", "labeller"))
    page.evaluate(WATCH_ITEMS)
    for _ in range(n):
        press(page, truth[item_of(page)])
        page.wait_for_timeout(1000 * think)
    wait_for_sent(page)
    took = np.array(page.evaluate("() => window.took"))
    p50, p95, p99 = np.quantile(took, [0.5, 0.95, 0.99])
    print(f"\n== next item after a key press, {len(took)} labels: p50 {p50:.1f}  p95 {p95:.1f}  p99 {p99:.1f} ms")
    verdict("next item shown within 100 ms at p95, ms", p95, at_most=100)
    return page


def dashboard(house: Any, page: Any, truth: dict[str, str], n: int) -> None:
    """Label while a dashboard is open in another browser, and time its numbers."""
    from browsing import item_of, kept, press

    seen = house.page(house.signed_in("olga"), "/dashboard")
    seen.locator("figure.chart svg").first.wait_for(timeout=60_000)
    seen.get_by_text("Live", exact=True).wait_for()
    seen.evaluate(WATCH_COUNT)
    n_before = len(kept(house.where))
    waits: dict[str, list[float]] = {"count": [], "groups": []}
    for k in range(n_before + 1, n_before + n + 1):
        said = page.evaluate("() => Date.now()")
        press(page, truth[item_of(page)])
        for what, found in waits.items():
            seen.wait_for_function("(name) => window.when[name] !== undefined", arg=f"{what} {k}", timeout=30_000)
            found.append((seen.evaluate("(name) => window.when[name]", f"{what} {k}") - said) / 1000)
        page.wait_for_timeout(300)
    print(f"\n== dashboard after a label, {n} labels")
    for what, found in waits.items():
        p50, p95, p99 = np.quantile(found, [0.5, 0.95, 0.99])
        print(f"{what:6}  p50 {p50:.2f}  p95 {p95:.2f}  p99 {p99:.2f} s")
        verdict(f"dashboard ({what}) changes within 1 s of a label at p95, s", p95, at_most=1.0)


if __name__ == "__main__":
    main()
