"""Defaults beside random items: the error of the answer after so many labels, with the same groups and belief.

All but the policy of the second column is what `lw.Assessment(pool, question=...)` takes by itself. The error of a
ranking is 1 - MRR, that of a set also how often it is not exactly right, that of estimates the RMSE, and that of a
comparison how often its verdict is wrong. A row is MISSED if the default's error is larger than that of random items by
more than three standard errors at any of the budgets. The difference is shown at the budget where the default
does worst.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from benchmarks.labels.pools import AGAINST, EVERY, GROUPED, grouped
from benchmarks.labels.rows import row
from labelwise.assessment.defaults import default_groups, default_policy, default_prior
from labelwise.beliefs import Belief, Target
from labelwise.errors import UnanswerableError
from labelwise.groups import Grouping
from labelwise.metrics import ECE, ConfusionMetric, ExpectedCost, Metric, accuracy, calibration_bias, f1, recall
from labelwise.policies import RandomItem
from labelwise.policies.prove import search_of
from labelwise.questions import Best, Compare, Estimate, Overall, Question, Versus, Worst
from labelwise.simulation import Scenario
from labelwise.simulation.compiled import play_compiled
from labelwise.simulation.exact import play_exactly
from labelwise.simulation.score import Score, by_moment
from labelwise.simulation.scores import estimates

_Floats = NDArray[np.float64]
_BUDGETS = (25, 50, 100, 200, 400)
_PER_GROUP = (1, 2, 5, 10)  # of a hundred groups and more
_SLACK = 3.0  # standard errors
_DRAWS, _DRAWS_OF_VERDICT = 200, 400
_FEWER = 10  # times fewer runs where only the exact engine plays
_TARGETS: tuple[Target, ...] = ("population", "pool")


@dataclass(frozen=True)
class Case:
    """A pool and a question, asked by the default policy and at random."""

    pool: str
    question: Question
    target: Target

    @property
    def name(self) -> str:
        kind, m = self.question.kind, self.question.plays
        return f"{self.pool}, {f'{kind} {m}' if m > 1 else kind}, {self.question.metric.name}, {self.target}"


def run(n_runs: int) -> None:
    row("error after so many labels", "default", "random items", "difference")
    found = [is_fine for case in cases() for is_fine in judged(case, n_runs)]
    print(f"{len(found)} rows; the default is worse than random items in {found.count(False)}")


def cases() -> Iterator[Case]:
    """Every pool with every question and metric that it can answer; accuracies about both targets."""
    for name in [*EVERY, *GROUPED, *AGAINST[:-1]]:
        for question in _questions(name):
            for target in _TARGETS if question.metric is accuracy else _TARGETS[1:]:
                yield Case(name, question, target)


def _questions(name: str) -> Iterator[Question]:
    groups = _groups(name)
    n_there, n_groups = int((groups.n_items > 0).sum()), groups.n_groups
    m = 10 if n_there >= 100 else 3
    metrics: list[Metric] = [accuracy]
    if groups.pool.confidence is not None:
        metrics += [calibration_bias] if n_groups > 20 else [calibration_bias, ECE()]
    if n_groups <= 20 and name not in GROUPED:
        metrics += [ExpectedCost(_costs(groups.pool.n_classes)), recall, f1]
    for metric in metrics:
        if metric.is_share_of_hits or metric is calibration_bias:
            yield Overall(metric)
        yield Estimate(metric)
        yield Worst(metric)
        yield Best(metric)
        if n_there > m:
            yield Worst(metric, m)
            yield Best(metric, m)
    first, second = (groups.names[g] for g in np.argsort(-groups.n_items, kind="stable")[:2])
    yield Compare(first, second)
    if calibration_bias in metrics:
        yield Compare(first, second, calibration_bias)
    if name in AGAINST:
        yield Versus("rival")


def _costs(n_classes: int) -> _Floats:
    """Return costs that grow with the distance of the classes."""
    place = np.arange(n_classes, dtype=float)
    return np.abs(place[:, None] - place) ** 0.5


def _scores(question: Question) -> list[Score]:
    if question.is_comparison:
        return [_wrong_verdict]
    if question.is_ranking:
        return [_missed_rank] if question.plays == 1 else [_missed_rank, _missed_set]
    return [_overall if question.kind == Overall.kind else _rmse]


@cache
def _groups(name: str) -> Grouping:
    return grouped(name)


def judged(case: Case, n_runs: int) -> list[bool]:
    """Print a row per score of a case, and return for each whether the default is no worse than random items."""
    question, groups = case.question, _groups(case.pool)
    if question.kind in (Overall.kind, Versus.kind):
        groups = default_groups(question, groups.pool)
    scenario = Scenario(
        groups, question, search_of(default_policy(question), question), default_prior(question), target=case.target
    )
    at, found = _budgets(scenario), []
    beliefs = [_played(replace(scenario, policy=one), at, n_runs) for one in (scenario.policy, RandomItem())]
    for score in _scores(question):
        default, random = (score.of(scenario, one) for one in beliefs)
        n_each = min(len(default), len(random))
        apart = default[:n_each] - random[:n_each]
        mean, error = apart.mean(axis=0), apart.std(axis=0, ddof=1) / np.sqrt(n_each)
        worst = int(np.argmax(mean / np.maximum(error, 1e-9)))
        found.append(bool((mean <= _SLACK * error + 1e-12).all()))
        at_worst = f"{mean[worst]:+.4f} +-{error[worst]:.4f} at {at[worst]}"
        row(f"{case.name}, {score.name}", _said(default), _said(random), at_worst, found[-1])
    return found


def _budgets(scenario: Scenario) -> NDArray[np.int64]:
    n_groups = scenario.groups.n_groups
    budgets = [n_groups * part for part in _PER_GROUP] if n_groups >= 100 else _BUDGETS
    return np.array([at for at in budgets if at <= scenario.budget] or [scenario.budget])


def _played(scenario: Scenario, at: NDArray[np.int64], n_runs: int) -> Belief:
    """Return the beliefs of all runs after `at` labels."""
    one = replace(scenario, budget=int(at[-1]))
    try:
        counts = play_compiled(one, list(range(n_runs)), at)
    except UnanswerableError:
        counts = play_exactly(one, list(range(max(n_runs // _FEWER, 10))), at)
    return one.stacked(counts)


def _said(scores: _Floats) -> str:
    return " ".join(f"{value:.3f}" for value in scores.mean(axis=0))


def _values(scenario: Scenario, beliefs: Belief) -> _Floats:
    """Return the estimates of all values, of draws where there is no closed form, shape (n_runs, n_at, n_values)."""
    metric, target = scenario.question.metric, scenario.target

    def drawn(belief: Belief) -> _Floats:
        draws = metric.draw(belief, _DRAWS, target=target, rng=np.random.default_rng(0))
        return np.nan_to_num(draws).sum(axis=0) / np.maximum((~np.isnan(draws)).sum(axis=0), 1)

    try:
        return estimates(scenario, beliefs)
    except UnanswerableError:
        return by_moment(scenario, beliefs, drawn)


def _there(scenario: Scenario) -> NDArray[np.bool_]:
    """Return which values exist: groups that have items, classes that are true of some."""
    sizes = scenario.question.metric.n_items(scenario.start)
    there = ~np.isnan(scenario.truth)
    return there if sizes is None else there & (sizes > 0)


def _share(scenario: Scenario) -> _Floats:
    """Return how many items each value is about, as a share."""
    metric, pool = scenario.question.metric, scenario.groups.pool
    if not isinstance(metric, ConfusionMetric) or isinstance(metric, ExpectedCost):
        return scenario.groups.share
    labels = pool.known_labels("a benchmark")
    return np.bincount(labels, minlength=pool.n_classes) / pool.n_items


def _rmse_of(scenario: Scenario, beliefs: Belief) -> _Floats:
    there, share = _there(scenario), _share(scenario)
    gap = (_values(scenario, beliefs) - scenario.truth)[..., there]
    return np.asarray(np.sqrt((share[there] * gap**2).sum(axis=-1) / share[there].sum()))


def _overall_of(scenario: Scenario, beliefs: Belief) -> _Floats:
    there, share = _there(scenario), _share(scenario)
    gap = (_values(scenario, beliefs) - scenario.truth)[..., there]
    return np.asarray(np.abs(gap @ share[there]))


def _ranks(scenario: Scenario, beliefs: Belief) -> NDArray[np.int64]:
    """Return by the estimates the rising ranks of those that are looked for, 0 for the first, shape (..., m)."""
    there = np.flatnonzero(_there(scenario))
    sign, m = scenario.question.sign, scenario.question.plays
    rank = np.argsort(np.argsort(-sign * _values(scenario, beliefs)[..., there], axis=-1, kind="stable"), axis=-1)
    true = np.argsort(-sign * scenario.truth[there], kind="stable")[:m]
    return np.sort(rank[..., true], axis=-1)


def _missed_rank_of(scenario: Scenario, beliefs: Belief) -> _Floats:
    found = _ranks(scenario, beliefs)
    return np.asarray(1 - (1 / (1 + found - np.arange(found.shape[-1]))).mean(axis=-1))


def _missed_set_of(scenario: Scenario, beliefs: Belief) -> _Floats:
    return np.asarray(_ranks(scenario, beliefs)[..., -1] >= scenario.question.plays, float)


def _wrong_verdict_of(scenario: Scenario, beliefs: Belief) -> _Floats:
    question = scenario.question

    def verdict(belief: Belief, target: Target) -> str:
        rng = np.random.default_rng(0)
        found = question.answer(belief, target=target, n_draws=_DRAWS_OF_VERDICT, rng=rng).difference
        assert found is not None  # of a comparison
        return found.verdict

    true = verdict(scenario.known, "pool")
    return by_moment(scenario, beliefs, lambda belief: np.array(float(verdict(belief, scenario.target) != true)))


_rmse, _overall = Score("rmse", _rmse_of), Score("error", _overall_of)
_missed_rank, _missed_set = Score("1-mrr", _missed_rank_of), Score("set", _missed_set_of)
_wrong_verdict = Score("verdict", _wrong_verdict_of)
