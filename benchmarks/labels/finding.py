"""Share of the pool labelled until the worst classes are found: mean reciprocal rank above 0.99.

Both policies are shown. Judged is the one that the command line takes: top-two for one group, Thompson sampling for
several.
"""

from __future__ import annotations

import numpy as np

from benchmarks.labels.pools import NAMES, pool
from benchmarks.labels.rows import row
from labelwise.beliefs import FlatPrior, InformedPrior, LearnedPrior, Prior, Target
from labelwise.groups import Grouping, by_prediction
from labelwise.policies import MultiplePlay, Policy, Thompson, TopTwo
from labelwise.questions import Worst
from labelwise.simulation import Scenario, reciprocal_rank, simulate

_GOALS = {("CIFAR-100", 1): 10.0, ("CIFAR-100", 10): 31.0, ("SVHN", 1): 35.0, ("SVHN", 3): 70.0}
_MOMENTS = 100


def run(n_runs: int) -> None:
    row("share of the pool, %, until MRR > 0.99", "papers' IPrior+TS", "learned prior, TS/top-two", "goal")
    for name in NAMES:
        groups = by_prediction(pool(name))
        many = 10 if groups.n_groups >= 100 else 3
        fewer = max(20, n_runs // (10 if groups.n_groups >= 1000 else 1))
        for m in (1, many):
            prior: Prior = InformedPrior() if groups.pool.confidence is not None else FlatPrior()
            theirs = _share(groups, m, MultiplePlay() if m > 1 else Thompson(), prior, False, fewer)
            ours = [_share(groups, m, policy, LearnedPrior(), True, fewer) for policy in (Thompson(), TopTwo())]
            goal = _GOALS.get((name, m), theirs)
            said = " / ".join(f"{share:.1f}" for share in ours)
            row(f"{name}, worst {m}", f"{theirs:.1f}", said, f"{goal:.1f}", ours[m == 1] <= goal)


def _share(groups: Grouping, m: int, policy: Policy, prior: Prior, in_pool: bool, n_runs: int) -> float:
    target: Target = "pool" if in_pool else "population"
    scenario = Scenario(groups, Worst(m=m), policy, prior, target=target)
    at = np.unique(np.linspace(0, scenario.budget, _MOMENTS + 1).round().astype(np.int64)[1:])
    found = simulate(scenario, [reciprocal_rank(m)], n_runs=n_runs, at=at, jobs=2)
    labels = found.labels_to_reach("mrr", 0.99)
    return 100 * (labels or groups.pool.n_items) / groups.pool.n_items
