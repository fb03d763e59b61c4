"""How much tests do: every behaviour once (`make test`), or everything at full strength (`make test-all`)."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, TypeVar

import pytest

IS_FULL = os.environ.get("LABELWISE_TESTS") == "all"
SIMULATIONS = int(os.environ.get("LABELWISE_SIMULATIONS", "500"))
"""Simulations per case at full strength."""
_Size = TypeVar("_Size")


def sized(full: _Size, quick: _Size) -> _Size:
    """Return how much a test does: `full` in `make test-all`, `quick` in `make test`.

    The assertions are the same; where they allow for chance, the tolerance follows from the size.
    """
    return full if IS_FULL else quick


def in_quick(values: Iterable[Any], *kept: Any) -> list[Any]:
    """Return parameters of a test of which only some run in `make test`, and all in `make test-all`."""
    return [value if value in kept else _slow(value) for value in values]


def _slow(value: Any) -> Any:
    values = value if isinstance(value, tuple) else (value,)
    return pytest.param(*values, marks=pytest.mark.slow)
