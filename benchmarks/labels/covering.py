"""Which part of the intervals hold the truth: groups' and the whole pool's, ours and the papers' priors."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.labels.pools import SCORED, pool
from benchmarks.labels.rows import row
from labelwise.beliefs import InformedPrior, LearnedPrior, Prior, draws_interval
from labelwise.groups import Grouping, by_prediction, by_score
from labelwise.policies import Policy, RandomItem, Thompson
from labelwise.questions import Estimate
from labelwise.simulation import Scenario, Score, coverage, simulate, width

_DRAWS = 1_000


def run(n_runs: int) -> None:
    row("95 % intervals of classes, pool: cover/width", "papers' IPrior", "learned prior", "0.92..0.98")
    for name in SCORED:
        groups = by_prediction(pool(name))
        for a_group in (2, 5, 10):
            for policy in (RandomItem(), Thompson()):
                theirs, ours = (_classes(groups, policy, prior, a_group, n_runs) for prior in _PRIORS)
                what = f"{name}, {a_group} a class, {policy.name}"
                row(what, _said(theirs), _said(ours), "", ours[0] >= 0.92)
    row("95 % interval of the whole, 200 labels", "papers' IPrior", "learned prior", "0.93")
    for name in SCORED:
        for split, by in (("class", by_prediction), ("score", _deciles)):
            groups = by(pool(name))
            theirs, ours = (_whole(groups, prior, 200, n_runs) for prior in _PRIORS)
            row(f"{name}, by {split}", _said(theirs), _said(ours), "", ours[0] >= 0.93)


_PRIORS: tuple[Prior, Prior] = (InformedPrior(), LearnedPrior())


def _deciles(of: Any) -> Grouping:
    return by_score(of, 10, equal="mass")


def _classes(groups: Grouping, policy: Policy, prior: Prior, a_group: int, n_runs: int) -> tuple[float, float]:
    budget = a_group * groups.n_groups
    scenario = Scenario(groups, Estimate(), policy, prior, budget, target="population")
    scores = [coverage(0.95, "pool"), width(0.95, "pool")]
    found = simulate(scenario, scores, n_runs=n_runs, at=[budget], jobs=2)
    covers, wide = (float(found.mean[score.name][0]) for score in scores)
    return covers, wide


def _whole(groups: Grouping, prior: Prior, budget: int, n_runs: int) -> tuple[float, float]:
    truth = float(groups.pool.hits.mean())
    scenario = Scenario(groups, Estimate(), RandomItem(), prior, budget)

    def ends(scenario: Scenario, beliefs: Any) -> Any:
        hits, labels = beliefs.hits, beliefs.labels
        found = np.empty((*hits.shape[:-1], 2))
        rng = np.random.default_rng(0)
        for place in np.ndindex(*hits.shape[:-1]):
            one = scenario.stacked({"hits": hits[place], "labels": labels[place]})
            draws = one.draw(_DRAWS, target="pool", rng=rng) @ groups.share
            found[place] = [float(end[0]) for end in draws_interval(draws[:, None], 0.95, "equal-tailed")]
        return found

    covers = Score("covers", lambda s, b: ((e := ends(s, b))[..., 0] <= truth) & (truth <= e[..., 1]))
    wide = Score("wide", lambda s, b: np.diff(ends(s, b), axis=-1)[..., 0])
    found = simulate(scenario, [covers, wide], n_runs=n_runs, at=[budget], jobs=2)
    return float(found.mean["covers"][0]), float(found.mean["wide"][0])


def _said(values: tuple[float, float]) -> str:
    return f"{values[0]:.3f}/{values[1]:.3f}"
