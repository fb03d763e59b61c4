"""What all tests share: which of them run, where the real data are, how Hypothesis runs, how a refusal is read."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

TESTS = Path(__file__).parent
sys.path.insert(0, str(TESTS))  # so that tests can import strategies.py

from strength import IS_FULL, sized  # noqa: E402  # found through the path above

settings.register_profile(
    "labelwise", derandomize=True, deadline=None, database=None, max_examples=sized(full=30, quick=10)
)
settings.load_profile("labelwise")

_NEEDS = {"chromium": "browser", "postgres": "postgres", "data_folder": "data"}  # what a fixture brings a test needs
_COMPILED = (  # these run in one process, so that each kernel is compiled once
    "/tests/simulation/", "/tests/reproduce/", "/cli/test_simulate.py", "/cli/test_card.py", "/cli/test_pages.py",
    "/assessment/test_selection.py", "/website/test_pages.py", "[simulate", "[card", "[reproduce", "engines_agree",
)  # fmt: skip
_ONLY_IN_FULL = {"slow", "postgres", "data"}


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests by what they need, and leave out of the quick run what only the full one has."""
    for item in items:
        for fixture in getattr(item, "fixturenames", ()):
            if fixture in _NEEDS:
                item.add_marker(_NEEDS[fixture])
        is_compiled = any(part in f"{item.path.as_posix()}::{item.name}" for part in _COMPILED)
        if is_compiled:
            item.add_marker("compiled")
        item.add_marker(pytest.mark.xdist_group("compiled" if is_compiled else item.path.as_posix()))
        if "tests/website" in item.path.as_posix() or item.path.suffix == ".md":
            item.add_marker("docs")
    items.sort(key=lambda item: item.get_closest_marker("compiled") is None)  # the longest piece of work begins first
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
