"""Pages of a running server in a real Chromium: people who open them, what they do there, and what the store says."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import labelwise as lw
from labelwise.datasets import Digits
from patience import limit
from served import Running

HEADING = "document.querySelector('#item-heading').textContent"
SHOWN = "[...document.querySelectorAll('#item img')].every((one) => one.complete && one.naturalWidth > 0)"
OUTBOX = "Object.keys(localStorage).filter((key) => key.startsWith('labelwise.outbox.')).length"


@contextmanager
def launched() -> Iterator[Any]:
    """Start a real Chromium, of the machine or of Playwright; `.ci/browser` installs one where that is permitted."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with playwright.sync_playwright() as player:
        try:
            browser = player.chromium.launch(executable_path=found)
        except playwright.Error as error:
            pytest.skip(f"there is no Chromium: run .ci/browser ({str(error).splitlines()[0]})")
        yield browser
        browser.close()


class House:
    """A running server, and the doors to it.

    Parameters
    ----------
    browser : Chromium.
    where : the store, in which an assessment named main was begun.
    options : of `labelwise serve`.
    """

    def __init__(self, browser: Any, where: str, *options: str) -> None:
        self._browser, self.where = browser, where
        self.server = Running(where, *options)
        self.contexts: list[Any] = []
        self.errors: list[str] = []  # that scripts of pages threw

    @property
    def base(self) -> str:
        return self.server.base

    def context(self, **options: Any) -> Any:
        """Open a browser of somebody who is not signed in yet."""
        context = self._browser.new_context(viewport={"width": 1280, "height": 800}, **options)
        context.set_default_timeout(1_000 * limit(20))
        context.on("weberror", lambda found: self.errors.append(str(found.error)))
        self.contexts.append(context)
        return context

    def signed_in(self, name: str, role: str = "owner", **options: Any) -> Any:
        """Open a browser of somebody who has signed in before."""
        with lw.open_store(self.where) as store:
            token = lw.accounts.Accounts(store).begin(name, role, seconds=3600, kind="session")
        context = self.context(**options)
        context.add_cookies([{"name": f"labelwise-{self.server.port}", "value": token, "url": self.base}])
        return context

    def labelling(self, context: Any) -> Any:
        """Open the labelling page, and wait for its item."""
        page = context.new_page()
        page.goto(self.base)
        wait_for_item(page)
        return page

    def page(self, context: Any, path: str) -> Any:
        """Open another page."""
        page = context.new_page()
        page.goto(f"{self.base}{path}")
        return page

    def leave(self) -> None:
        """Close what was opened."""
        for context in self.contexts:
            context.close()
        self.contexts.clear()

    def end(self) -> None:
        """Close everything."""
        self.leave()
        if self.server.process.poll() is None:
            self.server.end()


class Kept(NamedTuple):
    """What the store holds of an item."""

    id: Any
    label: Any
    labeller: str
    status: str
    is_second: bool = False


def kept(where: str, labeller: str | None = None, *, status: str = "told") -> list[Kept]:
    """Return what was said, in the order in which it was handed out; by one labeller, or by all."""
    with lw.open_store(where) as store:
        assessment = store.open("main")
        pool = assessment.pool
        found = [
            Kept(pool.id_of(slip.item), None if slip.label is None else pool.classes[slip.label], slip.labeller,
                 slip.status, slip.is_second)
            for slip in assessment.ledger.slips if slip.status == status
        ]  # fmt: skip
    return [one for one in found if labeller in (None, one.labeller)]


def events_of(where: str, kind: str, labeller: str) -> list[Any]:
    """Return what a labeller did, as the journal has it."""
    with lw.open_store(where) as store:
        events = store.journal("main").events()
    return [event for event in events if event.kind == kind and event.labeller == labeller]


def item_of(page: Any) -> str:
    """Return the id of the item that is shown."""
    return str(page.evaluate(HEADING)).removeprefix("Item").strip()


def wait_for_item(page: Any, *, other_than: str | None = None) -> str:
    """Wait until an item is shown, pictures included; give its id."""
    page.wait_for_function(
        f"(old) => {HEADING} !== 'Item' && {HEADING} !== `Item ${{old}}` && {SHOWN}",
        arg=other_than,
        timeout=1_000 * limit(20),
    )
    return item_of(page)


def press(page: Any, key: str) -> str:
    """Answer with a key, and wait for the next item; give the id of the one that was answered."""
    item = item_of(page)
    page.keyboard.press(key)
    wait_for_item(page, other_than=item)
    return item


def wait_for_sent(page: Any) -> None:
    """Wait until the server has everything that was said in this browser."""
    page.wait_for_function(f"() => {OUTBOX} === 0")


def drawn_digits(folder: Path, **options: Any) -> tuple[str, Digits]:
    """Begin an assessment of a real classifier of handwritten digits, with their pictures; give its store too."""
    digits = lw.datasets.digits()
    digits.write(folder)
    where = str(folder / "spring.lw")
    options = {"question": lw.Worst(), "seed": 1} | options
    with lw.open_store(where) as store:
        lw.Assessment(digits.pool, lw.by_prediction(digits.pool), journal=store.journal("main"), **options)
    return where, digits


def begun(folder: Path, **options: Any) -> str:
    """Begin an assessment of a pool of the test's own; give its store."""
    pool = options.pop("pool")
    where = str(folder / "spring.lw")
    options = {"question": lw.Worst(), "seed": 1} | options
    with lw.open_store(where) as store:
        lw.Assessment(pool, lw.by_prediction(pool), journal=store.journal("main"), **options)
    return where
