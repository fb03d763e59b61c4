"""Pictures of the labelling page and the dashboard, taken in Chromium: `make screens`."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from website.pages import DOCS

FOLDER = DOCS / "pictures"
_LABELS = 40  # told before the pictures are taken
_IS_NEW = "last => /digit/.test(document.querySelector('#item-heading').innerText) && " \
    "document.querySelector('#item-heading').innerText !== last"  # fmt: skip
_SIZE = {"width": 1200, "height": 720}


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve the digits of the demo, and give the link that signs in."""
    words = ["demo", "--serve", "--out", str(folder), "--port", "0", "--no-open", "--json"]
    with subprocess.Popen([sys.executable, "-m", "labelwise", *words], stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        yield json.loads(server.stdout.readline())["url"]
        server.send_signal(signal.SIGTERM)


def main() -> None:
    """Label some digits, and take the pictures."""
    from playwright.sync_api import sync_playwright

    from labelwise.datasets import digits

    truth = digits().truth
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as link, sync_playwright() as playwright:
        chromium = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport=_SIZE, device_scale_factor=1.5)
        page.goto(link)
        last = ""
        for _ in range(_LABELS):
            page.wait_for_function(_IS_NEW, arg=last)
            last = page.inner_text("#item-heading")
            page.keyboard.press(str(truth[last.split()[-1]]))
        page.wait_for_timeout(8_000)  # the forecast takes seconds
        page.screenshot(path=FOLDER / "labelling.png")
        page.goto(link.split("/link/")[0] + "/dashboard")
        page.wait_for_timeout(6_000)
        page.screenshot(path=FOLDER / "dashboard.png")
        browser.close()


if __name__ == "__main__":
    main()
