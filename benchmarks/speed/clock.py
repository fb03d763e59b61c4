"""Timing in turns, and the line that says whether a goal was reached."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import median
from time import perf_counter
from typing import Any

Times = dict[str, list[float]]


def in_turns(
    calls: Mapping[str, Callable[[], Any]], repeats: int, *, rehearsed: bool = False
) -> tuple[Times, dict[str, Any]]:
    """Time calls in turns, so that a busy minute of the machine falls on all of them.

    The first round is not counted: it pays for lazy imports and fresh memory. Gives the seconds of every counted
    round, and what each call gave in the first. `rehearsed` runs each call once more, unmeasured, right before its
    turn, so that it finds the memory as it leaves it itself and not as its rival does.
    """
    results = {name: call() for name, call in calls.items()}
    times: Times = {name: [] for name in calls}
    for _ in range(repeats):
        for name, call in calls.items():
            if rehearsed:
                call()
            start = perf_counter()
            result = call()
            times[name].append(perf_counter() - start)
            del result  # outside the clock, and before the next call needs the memory
    return times, results


def medians(times: Times) -> dict[str, float]:
    """Return the median of each call's seconds."""
    return {name: median(values) for name, values in times.items()}


def verdict(goal: str, value: float, *, at_most: float | None = None, at_least: float | None = None) -> bool:
    """Print the goal, the measured value, and whether the one was reached by the other; give it too."""
    reached = (at_most is None or value <= at_most) and (at_least is None or value >= at_least)
    print(f"goal: {goal} -- measured {value:.3g}: {'reached' if reached else 'MISSED'}", flush=True)
    return reached
