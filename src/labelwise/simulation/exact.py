"""Exact engine: runs a real assessment label by label. Slow and simple; the reference for the compiled engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelwise.assessment import Assessment, Setup
from labelwise.simulation.scenario import Scenario


def play_exactly(
    scenario: Scenario, seeds: Sequence[int], at: NDArray[np.int64], *, is_halted: Callable[[], bool] = lambda: False
) -> dict[str, NDArray[Any]]:
    """Simulate one run per seed, and return the counts after `at` labels, shape (n_runs, n_at, ...).

    Labels are requested one at a time, so that every choice uses all previous labels; multiple-play requests one label
    per play.

    Parameters
    ----------
    is_halted : called before every label; when it returns True, the run raises `CancelledError`.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 30 + ["dog"] * 10, labels=["cat"] * 40)
    >>> scenario = Scenario(lw.by_prediction(pool), lw.Worst(lw.accuracy), lw.Thompson())
    >>> play_exactly(scenario, [1], np.array([10, 40]))["labels"]
    array([[[ 1,  9],
            [30, 10]]])
    """
    runs = [_run(scenario, seed, at, is_halted) for seed in seeds]
    return {name: np.stack([run[name] for run in runs]) for name in runs[0]}


def _run(
    scenario: Scenario, seed: int, at: NDArray[np.int64], is_halted: Callable[[], bool]
) -> dict[str, NDArray[Any]]:
    pool = scenario.groups.pool
    labels = pool.known_labels("a simulation")
    setup = Setup(
        scenario.groups,
        scenario.question,
        seed,
        policy=scenario.policy,
        prior=scenario.prior or scenario.question.metric.own_prior,
        target=scenario.target,
    )
    assessment = Assessment.of(setup, clock=lambda: 0.0)
    snapshots: list[dict[str, NDArray[Any]]] = []
    plays = scenario.question.plays if scenario.policy.name == "multiple-play" else 1
    done = 0
    for count in at.tolist():
        while done < count:
            if is_halted():
                raise CancelledError
            for ticket in assessment.ask(min(plays, count - done)):
                item = assessment.ledger.slip(ticket.number).item
                assessment.tell(ticket, pool.classes[labels[item]])
                done += 1
        snapshots.append(assessment.belief.state)
    return {name: np.stack([counts[name] for counts in snapshots]) for name in snapshots[0]}
