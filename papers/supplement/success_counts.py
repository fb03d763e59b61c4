"""Labels until the least accurate class is found in 95 % of runs: the authors' counts for seven policies, and ours."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import CustomPrior, FlatPrior, InformedPrior, Prior
from labelwise.groups import Grouping, by_prediction
from labelwise.policies import BayesianUpperBound, EpsilonGreedy, Policy, RandomGroup, RandomItem, Thompson, TopTwo
from labelwise.questions import Worst
from labelwise.simulation import Scenario, success
from papers.reproduction import CODED, PRINTED, Row
from papers.study import BATCHES, Study, crossing
from papers.supplement.label_curves import first_of_each
from papers.supplement.variance_bound import play_variance_bound

DATA = "CIFAR-100"
PUBLISHED = {
    "random": 8_327, "UPrior+TS": 1_918, "UPrior+TTTS": 2_088, "IPrior+TS": 1_729, "IPrior+TTTS": 1_921,
    "epsilon-greedy": 3_511, "Bayesian UCB": 5_207,
}  # fmt: skip
COLUMNS = ("data", "method")
GOAL = 0.95
_EVERY = 10  # labels between two looks
_POLICIES: dict[str, Policy] = {
    "random": RandomItem(), "UPrior+TS": Thompson(), "UPrior+TTTS": TopTwo(), "IPrior+TS": Thompson(),
    "IPrior+TTTS": TopTwo(), "epsilon-greedy": EpsilonGreedy(), "Bayesian UCB": BayesianUpperBound(),
}  # fmt: skip
_SOON = 5_000  # labels, by which Thompson sampling has long found the class


def success_rows(study: Study, methods: tuple[str, ...]) -> Iterator[Row]:
    """Return the rows of these methods, as printed and as coded."""
    groups = by_prediction(study.sources.pool(DATA))
    for method in methods:
        at = np.arange(_EVERY, (_SOON if method.endswith("TS") else groups.pool.n_items) + 1, _EVERY)
        where, published = (DATA, method), PUBLISHED[method]
        study.step(f"{DATA}, {method}, labels until found")
        curves = study.in_batches(_scenario(groups, method, PRINTED, int(at[-1])), success(), at)
        ours, error, chance = crossing(curves, at, GOAL)
        yield Row(where, PRINTED, published, ours, error, chance, digits=0)
        coded = _scenario(groups, method, CODED, int(at[-1]))
        curves = _by_variance(study, coded, at) if method == "Bayesian UCB" else study.in_batches(coded, success(), at)
        ours, chance = first_of_each(curves, at, GOAL)
        yield Row(where, CODED, published, ours, chance / np.sqrt(BATCHES), chance, digits=0)


def _scenario(groups: Grouping, method: str, protocol: str, budget: int) -> Scenario:
    policy = RandomGroup() if protocol == CODED and method == "random" else _POLICIES[method]
    return Scenario(groups, Worst(), policy, _prior(method, protocol), budget)


def _prior(method: str, protocol: str) -> Prior:
    if method.startswith("IPrior"):
        return InformedPrior(1.0 if protocol == CODED else None)
    return CustomPrior(0.5, 0.5) if protocol == CODED else FlatPrior()


def _by_variance(study: Study, scenario: Scenario, at: NDArray[np.int64]) -> NDArray[np.float64]:
    """Play the published upper bound, which the engines do not have."""
    n_runs, score, curves = max(1, study.n_runs // BATCHES), success(), []
    for k in range(BATCHES):
        counts = play_variance_bound(scenario, n_runs, at, rng=np.random.default_rng([study.seed, k]))
        curves.append(score.of(scenario, scenario.stacked(counts)).mean(axis=0))
    return np.stack(curves)


NOTES = (
    "Published counts are those of a notebook of the authors (100 runs, least accurate class of CIFAR-100, first "
    "label at which more than 95 % of runs name it). As coded: priors of strength 1, Beta(1/2, 1/2) or the scores; "
    "random is a random group; the count is that of a noisy mean of 100 runs, so ours is the mean over ten batches "
    "of a tenth of the runs, and chance their spread. As printed: priors of strength 2, random items, the crossing "
    "of the mean of all runs.",
)
