"""The 2019 workshop paper: how soon a class is found, active and at random (figures 3, 7, 10); all figures by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import FlatPrior
from labelwise.groups import by_prediction
from labelwise.metrics import Metric, accuracy, calibration_bias
from labelwise.policies import Policy, RandomGroup, Thompson
from labelwise.pool import Pool, read_pool
from labelwise.questions import Worst
from labelwise.simulation import Scenario, success
from papers.reproduction import ERRORS, PRINTED, Claim, Reproduction, Row
from papers.sources import Sources
from papers.study import Study, crossing, stacked
from papers.workshop.counts import counted_pool
from papers.workshop.posteriors import workshop_fig1, workshop_fig5, workshop_fig8
from papers.workshop.ranks import workshop_fig2, workshop_fig6, workshop_fig9
from papers.workshop.toy_figure import workshop_fig4

_FOLD = "Dialogue (one fold)"
_CURVES = "authors_success_curves.parquet"
_KEYS = {"CIFAR-100": "cifar100", "SVHN": "svhn", _FOLD: "jamia"}
_TASKS: dict[str, tuple[str, Metric]] = {
    "least accurate": ("accuracy_min", accuracy),
    "largest bias": ("calibration_bias_max", calibration_bias),
}
_METHODS: dict[str, Policy] = {"active": Thompson(), "random": RandomGroup()}
_PUBLISHED_RUNS = 100
_GOAL = 0.95 - 1e-6  # the authors' curves are of single precision
_MOMENTS = 500  # at which ours are read, closer at the start: each at most 2 % later than the one before
_SHARE = 0.95  # of the moments must agree
_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]


def published_curve(sources: Sources, data: str, task: str, method: str) -> _Floats:
    """Return the authors' success rate after 1, 2, ... labels."""
    return _curves(sources.path(_CURVES))[_KEYS[data], _TASKS[task][0], method]


@cache
def _curves(path: Path) -> dict[tuple[str, str, str], _Floats]:
    # Arrow's only door is the pool's, so the table is read as one: the method stands where a prediction would
    table = read_pool(path, predicted="method", columns=["dataset", "task", "step", "success"])
    dataset, task, step, rate = (table.column(name) for name in ("dataset", "task", "step", "success"))
    found = {}
    for method, key in enumerate(table.classes):
        for one in _KEYS.values():
            for other, _ in _TASKS.values():
                rows = np.flatnonzero((table.prediction == method) & (dataset == one) & (task == other))
                found[one, other, str(key)] = rate[rows[np.argsort(step[rows])]].astype(np.float64)
    return found


def workshop_fig3(study: Study) -> Reproduction:
    """Return the labels until a class of CIFAR-100 is found in 95 % of the runs."""
    return _figure("workshop-fig3", "CIFAR-100", study)


def workshop_fig7(study: Study) -> Reproduction:
    """Return the labels until a class of SVHN is found in 95 % of the runs."""
    return _figure("workshop-fig7", "SVHN", study)


def workshop_fig10(study: Study) -> Reproduction:
    """Return the labels until a class of the dialogue classifier is found in 95 % of the runs."""
    return _figure("workshop-fig10", _FOLD, study)


def _figure(name: str, data: str, study: Study) -> Reproduction:
    pool = counted_pool(study.sources, data) if data == _FOLD else study.sources.pool(data)
    at = np.unique(np.geomspace(1, pool.n_items, _MOMENTS).round().astype(np.int64))
    rows, claims, parts = [], [], []
    for task in _TASKS:
        for method in _METHODS:
            study.step(f"{name}: {data}, {task}, {method}")
            curves = _played(study, pool, task, method, at)
            published = published_curve(study.sources, data, task, method)
            found = crossing(curves, at, _GOAL)
            rows.append(Row((data, task, method), PRINTED, _first(published), *found, digits=0))
            claim, part = _beside(f"{task}, {method}", published[at - 1], curves.mean(axis=0), study.n_runs)
            claims.append(claim)
            parts.append({"data": data, "task": task, "method": method, "labels": at} | part)
        active, random = (row.ours for row in rows[-2:])
        says = "active choice needs fewer labels than random choice"
        claims.append(Claim(task, says, f"{active:,.0f} against {random:,.0f}", active < random))
    return Reproduction(
        name, f"Labels until the class is found in 95 % of the runs, {data}", ("data", "task", "method"), tuple(rows),
        study.n_runs, _NOTES, tuple(claims), stacked(parts),
    )  # fmt: skip


def _played(study: Study, pool: Pool, task: str, method: str, at: _Counts) -> _Floats:
    question = Worst(_TASKS[task][1])
    return study.in_batches(Scenario(by_prediction(pool), question, _METHODS[method], FlatPrior()), success(), at)


def _first(curve: _Floats) -> int:
    """Return the labels after which a curve of every label first reaches 95 %."""
    return int(np.argmax(curve >= _GOAL)) + 1


def _beside(where: str, published: _Floats, ours: _Floats, n_runs: int) -> tuple[Claim, dict[str, _Floats]]:
    """Set two curves beside each other: how often the published one lies where chance may put it."""
    # one success and one failure more, so that a rate of 0 or 1 has an error too
    rate = (_PUBLISHED_RUNS * ours + 1) / (_PUBLISHED_RUNS + 2)
    error, chance = (np.sqrt(rate * (1 - rate) / n) for n in (n_runs, _PUBLISHED_RUNS))
    gap = np.abs(published - ours)
    share = float((gap <= ERRORS * np.hypot(error, chance)).mean())
    said = (
        f"ours lies within three standard errors of it at {share:.1%} of {len(gap)} label counts; mean difference "
        f"{gap.mean():.3f}, largest {gap.max():.3f}"
    )
    claim = Claim(where, f"a success curve of {_PUBLISHED_RUNS} runs", said, share >= _SHARE)
    return claim, {"published": published, "ours": ours, "error": error}


_NOTES = (
    "As in the authors' notebooks: flat prior Beta(1, 1); active is Thompson sampling, random a random class, then a "
    "random item of it; a run succeeds when the class of lowest mean accuracy, or of largest mean bias, is the true "
    "one. Step s of their files, counted from 0, is s + 1 labels.",
    "The dialogue counts tell protocols apart: where the authors' runs take 616 labels active and 4,010 at random, "
    "Beta(0.5, 0.5) takes 177, an informed prior 337, and random items instead of classes 9,909. On CIFAR-100 and SVHN "
    "the curves could not tell Beta(0.5, 0.5) from Beta(1, 1).",
    "Chance is the spread of a tenth of our runs, for theirs were 100. Two classes of the dialogue's fold have no hit; "
    "the first counts as the least accurate, as it must in the authors' curves, for they end at 1.",
)
WORKSHOP: dict[str, Callable[[Study], Reproduction]] = {
    "workshop-fig1": workshop_fig1,
    "workshop-fig2": workshop_fig2,
    "workshop-fig3": workshop_fig3,
    "workshop-fig4": workshop_fig4,
    "workshop-fig5": workshop_fig5,
    "workshop-fig6": workshop_fig6,
    "workshop-fig7": workshop_fig7,
    "workshop-fig8": workshop_fig8,
    "workshop-fig9": workshop_fig9,
    "workshop-fig10": workshop_fig10,
}
"""From the name on the command line to what reproduces it."""
