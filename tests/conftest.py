"""What all tests share: where the real data are, how Hypothesis runs, and how a refusal is read."""

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

settings.register_profile("labelwise", derandomize=True, deadline=None, database=None, max_examples=30)
settings.load_profile("labelwise")


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
