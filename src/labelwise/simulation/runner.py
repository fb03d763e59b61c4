"""Repeated simulation of a scenario in threads; scores are summed as runs finish, so memory does not grow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from threading import Event
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from labelwise.checks import check_count, check_one_of
from labelwise.errors import ArgumentError
from labelwise.pool import Frame
from labelwise.simulation.exact import play_exactly
from labelwise.simulation.scenario import Scenario
from labelwise.simulation.score import Score

Engine = Literal["compiled", "exact"]
_ENTRIES = 4_000_000  # maximum number of counts in a chunk of runs
_LABELS = 200_000  # maximum number of labels in a chunk: an interruption waits for the chunks in progress
_Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Simulated:
    """Mean scores over many runs of one scenario.

    Attributes
    ----------
    scenario : the simulated scenario.
    at : label counts at which runs were scored.
    n_runs : number of finished runs.
    mean, error : per score, the mean over runs and its standard error at each label count.
    was_interrupted : whether runs are missing because the simulation was interrupted.
    """

    scenario: Scenario
    at: NDArray[np.int64]
    n_runs: int
    mean: dict[str, _Floats]
    error: dict[str, _Floats]
    was_interrupted: bool = False

    def frame(self) -> Frame:
        """Return a tidy table with one row per score and label count."""
        names, scenario = list(self.mean), self.scenario
        n_at = len(self.at)
        constant = {
            "scenario": scenario.name,
            "question": str(scenario.question),
            "policy": scenario.policy_name,
            "prior": scenario.prior_name,
        }
        return Frame(
            {name: [value] * (n_at * len(names)) for name, value in constant.items()}
            | {
                "score": [name for name in names for _ in range(n_at)],
                "labels": np.tile(self.at, len(names)),
                "share": np.tile(self.at / scenario.groups.pool.n_items, len(names)),
                "mean": np.concatenate([self.mean[name] for name in names]),
                "error": np.concatenate([self.error[name] for name in names]),
                "runs": [self.n_runs] * (n_at * len(names)),
            }
        )

    def labels_to_reach(self, score: str, goal: float) -> int | None:
        """Return the first label count at which the mean of a score exceeds the goal; None if it never does."""
        above = np.flatnonzero(self.mean[score] > goal)
        return int(self.at[above[0]]) if len(above) else None

    def __repr__(self) -> str:
        return (
            f"<Simulated '{self.scenario.name}': {self.n_runs:,} runs, {', '.join(self.mean)} at {len(self.at)} counts>"
        )


def simulate(
    scenario: Scenario,
    scores: Sequence[Score],
    *,
    n_runs: int = 100,
    at: Sequence[int] | NDArray[np.int64] | None = None,
    seed: int = 0,
    jobs: int = 1,
    engine: Engine = "compiled",
    step: Callable[[int], None] | None = None,
) -> Simulated:
    """Simulate a scenario many times, and score it at given label counts.

    Run k depends only on (seed, k), not on the number of jobs. When interrupted, return the runs finished so far.

    Parameters
    ----------
    at : increasing label counts; by default 100 of them, evenly spaced up to the budget.
    jobs : number of threads.
    engine : "compiled", or "exact", which runs a real assessment.
    step : called with the number of finished runs.

    Examples
    --------
    >>> import labelwise as lw
    >>> from labelwise.simulation import success
    >>> pool = lw.pool_from_arrays(predicted=[0, 1] * 100, labels=[0, 1] * 50 + [0, 0] * 50)
    >>> scenario = lw.Scenario(lw.by_prediction(pool), lw.Worst(lw.accuracy), lw.Thompson())
    >>> found = lw.simulate(scenario, [success()], n_runs=50, at=[10, 20, 40], engine="exact")
    >>> found.labels_to_reach("success", 0.99)
    20
    """
    check_count(n_runs, "n_runs")
    check_count(jobs, "jobs")
    moments = _moments(at, scenario.budget)
    check_playable(scenario, scores, engine)
    halt = Event()
    play = partial(play_exactly, is_halted=halt.is_set) if engine == "exact" else _compiled()
    seeds = [int(s.generate_state(1, np.uint64)[0]) for s in np.random.SeedSequence(seed).spawn(n_runs)]
    size = 1 if engine == "exact" else _chunk(scenario, len(moments), -(-n_runs // (4 * jobs)))
    chunks = [seeds[start : start + size] for start in range(0, n_runs, size)]
    sums = _Sums([score.name for score in scores], len(moments))

    def work(chunk: Sequence[int]) -> tuple[int, dict[str, _Floats]]:
        beliefs = scenario.stacked(play(scenario, chunk, moments))
        return len(chunk), {score.name: score.of(scenario, beliefs) for score in scores}

    with ThreadPoolExecutor(jobs) as threads:
        waiting = [threads.submit(work, chunk) for chunk in chunks]
        try:
            for future in as_completed(waiting):
                sums.add(*future.result())
                if step is not None:
                    step(sums.n_runs)
        except BaseException as error:
            halt.set()
            for future in waiting:
                future.cancel()
            if not isinstance(error, KeyboardInterrupt) or sums.n_runs == 0:
                raise
    return Simulated(scenario, moments, sums.n_runs, sums.mean(), sums.error(), halt.is_set())


def check_playable(scenario: Scenario, scores: Sequence[Score], engine: Engine = "compiled") -> None:
    """Raise an error if the engine cannot simulate a scenario, or a score does not apply to it.

    Examples
    --------
    >>> import labelwise as lw
    >>> from labelwise.simulation import rmse
    >>> pool = lw.pool_from_arrays(predicted=[0, 1] * 100, labels=[0, 1] * 50 + [0, 0] * 50)
    >>> check_playable(lw.Scenario(lw.by_prediction(pool), lw.Worst(lw.recall), lw.Thompson()), [rmse], "exact")
    Traceback (most recent call last):
    labelwise.errors.UnanswerableError: Simulations cannot score recall, which has no closed-form mean; use
    accuracy, bias, ECE or cost.
    """
    check_one_of(engine, "engine", ["compiled", "exact"])
    if engine == "compiled":
        _compiled()
        from labelwise.simulation.compiled import check_compiled

        check_compiled(scenario)
    counts = scenario.start.state
    first = scenario.stacked({name: array[None, None] for name, array in counts.items()})
    for score in scores:
        score.of(scenario, first)


class _Sums:
    """Running totals of scores over runs: count, sum and sum of squares."""

    def __init__(self, names: Sequence[str], n_at: int) -> None:
        # one tuple, replaced in a single assignment: an interruption never leaves it half updated
        self._sums = 0, np.zeros((len(names), n_at)), np.zeros((len(names), n_at))
        self._names = names

    @property
    def n_runs(self) -> int:
        return self._sums[0]

    def add(self, n_runs: int, scored: dict[str, _Floats]) -> None:
        n_before, total, squares = self._sums
        values = np.array([scored[name] for name in self._names]).reshape(len(self._names), n_runs, total.shape[1])
        self._sums = n_before + n_runs, total + values.sum(axis=1), squares + (values**2).sum(axis=1)

    def mean(self) -> dict[str, _Floats]:
        n_runs, total, _ = self._sums
        return dict(zip(self._names, total / n_runs, strict=True))

    def error(self) -> dict[str, _Floats]:
        n_runs, total, squares = self._sums
        spread = np.maximum(squares / n_runs - (total / n_runs) ** 2, 0.0)
        return dict(zip(self._names, np.sqrt(spread / max(n_runs - 1, 1)), strict=True))


def _moments(at: Any, budget: int) -> NDArray[np.int64]:
    if at is None:
        return np.unique(np.linspace(0, budget, 101).round().astype(np.int64)[1:])
    moments = np.asarray(at, np.int64)
    if len(moments) == 0 or (np.diff(moments) <= 0).any() or moments[0] < 0 or moments[-1] > budget:
        raise ArgumentError(f"`at` must be increasing label counts between 0 and the budget of {budget:,}.")
    return moments


def _chunk(scenario: Scenario, n_at: int, most: int) -> int:
    """Return how many runs to simulate per chunk, at most `most`."""
    n_entries = n_at * sum(array.size for array in scenario.start.state.values())
    return max(1, min(most, _ENTRIES // n_entries, _LABELS // max(scenario.budget, 1)))


def _compiled() -> Callable[[Scenario, Sequence[int], NDArray[np.int64]], dict[str, NDArray[Any]]]:
    try:
        from labelwise.simulation.compiled import play_compiled
    except ImportError as error:
        raise ArgumentError(
            f"The compiled engine requires numba ({error}). Install it with `pip install 'labelwise[simulate]'`, or "
            "use the exact engine."
        ) from None
    return play_compiled
