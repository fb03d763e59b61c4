"""Simulated assessments: the compiled engine against plain loops of the published algorithms, on one core."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from time import thread_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

import labelwise as lw
from benchmarks.speed import published
from benchmarks.speed.clock import verdict
from benchmarks.speed.pool import like_cifar100, like_imagenet
from labelwise.simulation.compiled import play_compiled

_REPEATS = 5
_STAGES = (0.1, 0.3, 0.5, 0.7, 0.9)  # of the budget: the middle of every fifth of a run
_BINS = 10
_SKIPPED = "two to four groups a step beat the threshold and are drawn, each from a truncated Beta."
_RETUNED = (
    "gains fall with every label, so every some dozen labels a lower threshold is searched, and the chance of every "
    "group to beat it worked out anew."
)
_DRAWN = (
    "every open group must be drawn once a step, if only in its heaviest part: a sum of Betas has no closed chance."
)
_LEVELLED = (
    "five to ten groups a step may reach the threshold and are drawn cell by cell, and every label changes the law of "
    "the levels of its group."
)
_INTEGRATED = "every label moves two integrals over some hundred nodes."
_Counts = dict[str, NDArray[Any]]  # what a run has counted at one moment
_Maker = Callable[[lw.Scenario, _Counts, np.random.RandomState], published.Loop]


@dataclass(frozen=True)
class _Row:
    """One comparison.

    Attributes
    ----------
    loop : makes the plain loop that goes on from what a run of the scenario has counted.
    n_runs, n_steps : whole runs of ours in one timing; steps of the loop from each stage.
    published : microseconds a step of the published code, on the machine where it was measured.
    goal : ours must be so many times as fast as the loop.
    limit : what keeps ours from it, said where it is missed.
    """

    title: str
    scenario: lw.Scenario
    loop: _Maker
    n_runs: int
    n_steps: int
    published: float
    goal: float
    limit: str


def run(rows: int, folder: Path) -> None:
    """Time whole runs of ours and parts of the loop's, in turns; sizes are those of the goals, whatever `rows` says."""
    print(f"microseconds of CPU a step, one thread, best of {_REPEATS} in turns; ours: whole runs, compiled before")
    print(f"loop: steps from {len(_STAGES)} stages of such a run; published: the authors' own code, on another machine")
    print(f"{'':<44} {'ours':>8} {'loop':>10} {'published':>10} {'loop/ours':>10} {'goal':>6}")
    for row in _rows():
        ours, loop = _timed(row)
        ratio = loop / ours
        print(f"{row.title:<44} {ours:8.3f} {loop:10.1f} {row.published:10,.0f} {ratio:8.0f} x {row.goal:4,.0f} x")
        if not verdict(f"{row.title}: at least {row.goal:,.0f} times as fast", ratio, at_least=row.goal):
            print(f"what limits it: {row.limit}")


def _rows() -> Iterable[_Row]:
    small, large = lw.by_prediction(like_cifar100()), lw.by_prediction(like_imagenet())
    worst, estimate, confusion = lw.Worst(lw.accuracy), lw.Estimate(lw.accuracy), lw.Estimate(lw.recall)
    compare, error = lw.Compare(small.names[0], small.names[1]), lw.Worst(lw.metrics.ECE(bins=_BINS))
    yield _row("least accurate, 100 groups", small, worst, _least_accurate, 40, 400, 42, 35, _SKIPPED)
    yield _row("least accurate, 1,000 groups", large, worst, _least_accurate, 4, 200, 224, 100, _SKIPPED)
    yield _row("estimation, 100 groups", small, estimate, _estimation, 20, 100, 340, 190, _RETUNED)
    yield _row("estimation, 1,000 groups", large, estimate, _estimation, 3, 50, 618, 140, _RETUNED)
    yield _row("confusion, 100 classes", small, confusion, _confusion, 3, 4, 72_000, 500, _DRAWN)
    yield _row("comparison of two groups (ROPE)", small, compare, _comparison, 500, 10, 9_800, 1_000, _INTEGRATED)
    yield _row("classwise ECE, 1,000 groups x 10 bins", large, error, _classwise, 1, 8, 26_490, 500, _LEVELLED)


def _row(title: str, groups: lw.groups.Grouping, question: lw.questions.Question, loop: _Maker, *rest: Any) -> _Row:
    return _Row(title, lw.Scenario(groups, question, lw.Thompson(), lw.InformedPrior()), loop, *rest)


def _timed(row: _Row) -> tuple[float, float]:
    """Return the microseconds a step of ours and of the loop."""
    scenario = row.scenario
    stages = np.array([round(stage * scenario.budget) for stage in _STAGES])
    last, seeds = np.array([scenario.budget]), list(range(row.n_runs))
    found = play_compiled(scenario, [1], stages)  # this compiles it too
    ours, theirs = [], []
    for repeat in range(_REPEATS):
        start = thread_time()
        play_compiled(scenario, seeds, last)
        ours.append((thread_time() - start) / (row.n_runs * scenario.budget))
        seconds = 0.0
        for stage in range(len(stages)):
            counts = {name: values[0, stage] for name, values in found.items()}
            loop = row.loop(scenario, counts, np.random.RandomState(repeat))
            loop.play(1)  # unmeasured: it finds the memory cold
            start = thread_time()
            loop.play(row.n_steps)
            seconds += thread_time() - start
        theirs.append(seconds / (len(stages) * row.n_steps))
    return 1e6 * min(ours), 1e6 * min(theirs)


def _least_accurate(scenario: lw.Scenario, counts: _Counts, rng: np.random.RandomState) -> published.Loop:
    return published.LeastAccurate(_hits_left(scenario, counts, rng), rng, *_betas(scenario, counts))


def _estimation(scenario: lw.Scenario, counts: _Counts, rng: np.random.RandomState) -> published.Loop:
    queues = _hits_left(scenario, counts, rng)
    return published.Estimation(queues, rng, *_betas(scenario, counts), scenario.groups.share)


def _comparison(scenario: lw.Scenario, counts: _Counts, rng: np.random.RandomState) -> published.Loop:
    queues, question = _hits_left(scenario, counts, rng), scenario.question
    assert isinstance(question, lw.Compare)
    return published.Comparison(queues, rng, *_betas(scenario, counts), (0, 1), question.margin)


def _confusion(scenario: lw.Scenario, counts: _Counts, rng: np.random.RandomState) -> published.Loop:
    left = scenario.known.counts - counts["counts"]  # (n_groups, n_classes)
    queues = [_queue(np.repeat(np.arange(len(row)), row), rng) for row in left]
    return published.Confusion(queues, rng, scenario.start.prior_alpha + counts["counts"], scenario.groups.share)


def _classwise(scenario: lw.Scenario, counts: _Counts, rng: np.random.RandomState) -> published.Loop:
    start, known = scenario.start, scenario.known.beta
    shape = start.confidence.shape  # (n_groups, n_bins)
    a, b, labels = (part.reshape(shape) for part in (*_betas(scenario, counts), counts["labels"]))
    hits_left = (known.hits - counts["hits"]).reshape(shape)
    left = (known.labels - counts["labels"]).reshape(shape)
    scores = (np.arange(shape[1]) + 0.5) / shape[1]
    queues = []
    for n_hits, n in zip(hits_left, left, strict=True):
        items = [(True, s) for s in np.repeat(scores, n_hits)] + [(False, s) for s in np.repeat(scores, n - n_hits)]
        queues.append(deque(items[i] for i in rng.permutation(len(items))))
    return published.ClasswiseError(queues, rng, a, b, labels, np.nan_to_num(start.confidence))


def _betas(scenario: lw.Scenario, counts: _Counts) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    belief = getattr(scenario.start, "beta", scenario.start)
    return belief.prior_a + counts["hits"], belief.prior_b + (counts["labels"] - counts["hits"])


def _hits_left(scenario: lw.Scenario, counts: _Counts, rng: np.random.RandomState) -> list[deque[Any]]:
    """Return the items that are left of each group, in random order: whether they are hits."""
    left = scenario.can_be_asked - counts["labels"]
    hits = np.where(scenario.can_be_asked > 0, scenario.known.hits - counts["hits"], 0)
    return [_queue(np.arange(n) < n_hits, rng) for n, n_hits in zip(left, hits, strict=True)]


def _queue(items: NDArray[Any], rng: np.random.RandomState) -> deque[Any]:
    return deque(rng.permutation(items).tolist())
