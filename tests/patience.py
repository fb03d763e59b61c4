"""How long tests wait: limits follow from how long a process takes to start on this machine, now."""

from __future__ import annotations

import subprocess
import sys
import time
from functools import cache

_IDLE = 0.5  # seconds that the process below takes on an idle machine
_AT_LEAST = 4.0  # times; a machine that is idle now may be busy later


def slowness() -> float:
    """Measure how many times slower than idle this machine is at the moment, at least 1."""
    began = time.monotonic()
    subprocess.run([sys.executable, "-c", "import labelwise.report"], check=True)
    return max(1.0, (time.monotonic() - began) / _IDLE)


@cache
def _first_slowness() -> float:
    return slowness()


def limit(seconds: float) -> float:
    """Return a limit for something that takes at most so many seconds on an idle machine; a last resort only.

    A test waits for the event that it needs, and fails at this limit if it never comes.
    """
    return seconds * max(_AT_LEAST, 2 * _first_slowness())
