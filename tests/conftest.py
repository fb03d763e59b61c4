"""What all tests share: which of them run, where the real data are, how Hypothesis runs, how a refusal is read."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import settings

TESTS = Path(__file__).parent
sys.path.insert(0, str(TESTS))  # so that tests can import strategies.py

from strength import IS_FULL, sized  # noqa: E402  # found through the path above

# A shell starts what runs in its background with Ctrl-C ignored; every command that a test starts would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "labelwise", derandomize=True, deadline=None, database=None, max_examples=sized(full=30, quick=10)
)
settings.load_profile("labelwise")

_NEEDS = {"chromium": "browser", "postgres": "postgres", "data_folder": "data"}  # what a fixture brings a test needs
_COMPILED = (  # these run in one process, so that each kernel is compiled once
    "tests/simulation/", "tests/papers/", "cli/test_study_simulate.py", "cli/test_study_card.py",
    "cli/test_pages.py", "assessment/test_selection.py", "assessment/test_defaults_against_random.py",
    "website/test_pages.py", "report/test_card.py",
    "[study simulate", "[study card", "engines_agree",
)  # fmt: skip
_ONLY_IN_FULL = {"slow", "postgres", "data"}


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark a test by what it needs."""
    for fixture in getattr(item, "fixturenames", ()):
        if fixture in _NEEDS:
            item.add_marker(_NEEDS[fixture])
    if item.nodeid.startswith("tests/website/") or item.path.suffix == ".md":
        item.add_marker("docs")
    if _is_compiled(item.nodeid):
        item.add_marker("compiled")


def _is_compiled(nodeid: str) -> bool:
    return any(part in nodeid for part in _COMPILED)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Return each file to one worker process, and everything that compiles kernels to one: each is compiled once."""
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return "compiled" if _is_compiled(nodeid) else nodeid.partition("::")[0]

    return Scheduling(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out of the quick run what only the full one has."""
    items.sort(key=lambda item: not _is_compiled(item.nodeid))  # the longest piece of work begins first
    if IS_FULL or config.option.markexpr or any("::" in arg for arg in config.args):
        return  # what is asked for by name or marker runs
    kept, left_out = [], []
    for item in items:
        (left_out if _ONLY_IN_FULL & {mark.name for mark in item.iter_markers()} else kept).append(item)
    config.hook.pytest_deselected(items=left_out)
    items[:] = kept


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of real prediction sets; tests that use it are marked `data`."""
    folder = Path(os.environ.get("LABELWISE_DATA", TESTS.parent.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"the real prediction sets are not in '{folder}'; set LABELWISE_DATA to their folder")
    return folder


@pytest.fixture(autouse=True, scope="module")
def quick_passwords(request: pytest.FixtureRequest) -> Iterator[None]:
    """Hashes passwords with little work in the quick run, where no test is about that work."""
    if IS_FULL or request.node.nodeid.startswith(("tests/accounts/test_passwords", "tests/accounts/test_accounts")):
        yield
        return
    from labelwise.accounts import passwords

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_MEMORY", 64)
        patch.setattr(passwords, "_PASSES", 1)
        passwords._hasher.cache_clear()
        yield
    passwords._hasher.cache_clear()


@pytest.fixture(autouse=True, scope="module")
def quick_drawings(request: pytest.FixtureRequest) -> Iterator[None]:
    """Draws the same description once per process in the quick run; the tests of charts draw it every time."""
    if IS_FULL or request.node.nodeid.startswith("tests/plots/"):
        yield
        return
    from labelwise.plots import render

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(render, "_library", lambda load=render._library: _DrawnOnce(load()))
        yield


class _DrawnOnce:
    """The library that draws, with a memory of what it has drawn."""

    _drawn: ClassVar[dict[str, str]] = {}

    def __init__(self, library: Any) -> None:
        self._library = library

    def __getattr__(self, name: str) -> Any:
        return getattr(self._library, name)

    def vegalite_to_svg(self, spec: dict[str, Any], **options: Any) -> str:
        key = json.dumps([spec, options], sort_keys=True)
        if key not in self._drawn:
            self._drawn[key] = self._library.vegalite_to_svg(spec, **options)
        return self._drawn[key]


@pytest.fixture
def refusal() -> Callable[..., str]:
    """Calls something that must be refused with just that error, and gives the sentence."""

    def sentence(error: type[Exception], call: Callable[..., Any], *args: Any, **options: Any) -> str:
        with pytest.raises(error) as caught:
            call(*args, **options)
        assert type(caught.value) is error
        return str(caught.value)

    return sentence


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A real Chromium; not for the whole session, for its event loop is in the way of tests with one of their own."""
    from browsing import launched

    with launched() as browser:
        yield browser


@pytest.fixture(scope="session")
def postgres() -> Iterator[Any]:
    """A PostgreSQL server of this test process; skipped where there is none, unless it is required."""
    import postgres as server

    reason = server.why_not()
    if reason is not None:
        if server.REQUIRED:
            pytest.fail(f"LABELWISE_REQUIRE_POSTGRES is set, but {reason}")
        pytest.skip(reason)
    running = server.Server()
    try:
        running.start()
        yield running
    finally:
        running.remove()
