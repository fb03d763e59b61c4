"""Share of the pool labelled until the worst classes are found: mean reciprocal rank above 0.99.

Both Thompson sampling and the default policy are shown, and the default is judged.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from benchmarks.labels.pools import EVERY, pool
from benchmarks.labels.rows import row
from labelwise.assessment.defaults import default_policy
from labelwise.beliefs import FlatPrior, InformedPrior, LearnedPrior, Prior, Target
from labelwise.groups import Grouping, by_prediction
from labelwise.policies import MultiplePlay, Policy, Thompson
from labelwise.policies.prove import search_of
from labelwise.questions import Worst
from labelwise.simulation import Scenario, reciprocal_rank, simulate

_GOALS = {("CIFAR-100", 1): 10.0, ("CIFAR-100", 10): 31.0, ("SVHN", 1): 35.0, ("SVHN", 3): 70.0}
_MOMENTS, _RANK = 100, 0.99
_PARTS = 10  # of the runs


def run(n_runs: int) -> None:
    row("share of the pool, %, until MRR > 0.99", "papers' IPrior+TS", "learned prior, TS/default", "goal")
    for name in EVERY:
        groups = by_prediction(pool(name))
        many = 10 if groups.n_groups >= 100 else 3
        fewer = max(20, n_runs // (5 if groups.n_groups >= 1000 else 1))
        for m in (1, many):
            if m >= groups.n_groups:
                continue
            prior: Prior = InformedPrior() if groups.pool.confidence is not None else FlatPrior()
            theirs, error = _share(groups, m, MultiplePlay() if m > 1 else Thompson(), prior, False, fewer)
            ours = [
                _share(groups, m, policy, LearnedPrior(), True, fewer)
                for policy in (Thompson(), search_of(default_policy(Worst(m=m)), Worst(m=m)))
            ]
            goal = _GOALS.get((name, m), theirs)
            said = " / ".join(f"{share:.1f} +-{its_error:.1f}" for share, its_error in ours)
            row(f"{name}, worst {m}", f"{theirs:.1f} +-{error:.1f}", said, f"{goal:.1f}", ours[1][0] <= goal)


def _share(groups: Grouping, m: int, policy: Policy, prior: Prior, in_pool: bool, n_runs: int) -> tuple[float, float]:
    """Return the share in percent, and its standard error: by leaving each tenth of the runs out in turn."""
    target: Target = "pool" if in_pool else "population"
    scenario = Scenario(groups, Worst(m=m), policy, prior, target=target)
    at = np.unique(np.linspace(0, scenario.budget, _MOMENTS + 1).round().astype(np.int64)[1:])
    tenths = [
        simulate(scenario, [reciprocal_rank(m)], n_runs=-(-n_runs // _PARTS), at=at, seed=seed, jobs=2).mean["mrr"]
        for seed in range(_PARTS)
    ]
    summed = np.sum(tenths, axis=0)
    without = [100 * _reached(at, (summed - tenth) / (_PARTS - 1)) / groups.pool.n_items for tenth in tenths]
    above = np.flatnonzero(summed / _PARTS > _RANK)
    labels = at[above[0]] if len(above) else groups.pool.n_items
    return 100 * float(labels) / groups.pool.n_items, float(np.std(without) * np.sqrt(_PARTS - 1))


def _reached(at: NDArray[np.int64], rank: NDArray[np.float64]) -> float:
    """Return after how many labels the rank is reached, between two moments too."""
    above = np.flatnonzero(rank > _RANK)
    if len(above) == 0:
        return float(at[-1])
    k = int(above[0])
    return float(np.interp(_RANK, rank[k - 1 : k + 1], at[k - 1 : k + 1])) if k else float(at[0])
