"""A process that plays table 6 for CIFAR-100 and prints its own time and memory; started afresh for the measurement."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from time import perf_counter

import numpy as np

import labelwise as lw
from benchmarks.speed.holder import memory
from benchmarks.speed.pool import like_cifar100
from labelwise.simulation import reciprocal_rank

_DATA = Path(__file__).parents[3] / "shared" / "data"
_EVERY = 10  # labels between two looks, as in the published code
METHODS: dict[
    str, tuple[lw.beliefs.Prior, lw.policies.Policy, lw.policies.Policy]
] = {  # prior, policy for the worst class and for the worst ten
    "UPrior": (lw.FlatPrior(), lw.RandomItem(), lw.RandomItem()),
    "IPrior": (lw.InformedPrior(), lw.RandomItem(), lw.RandomItem()),
    "IPrior+TS": (lw.InformedPrior(), lw.Thompson(), lw.policies.MultiplePlay()),
}


def main(n_runs: int, jobs: int) -> None:
    """Play three methods for the worst class and for the worst ten, to the last label."""
    pool, data = _pool()
    groups = lw.by_prediction(pool)
    at = np.arange(_EVERY, pool.n_items + 1, _EVERY)
    start, shares = perf_counter(), {}
    for method, (prior, *policies) in METHODS.items():
        for m, policy in zip((1, 10), policies, strict=True):
            scenario = lw.Scenario(groups, lw.Worst(lw.accuracy, m=m), policy, prior)
            found = lw.simulate(scenario, [reciprocal_rank(m)], n_runs=n_runs, at=at, jobs=jobs)
            n_labels = found.labels_to_reach("mrr", 0.99) or pool.n_items
            shares[f"{method}, m = {m}"] = n_labels / pool.n_items
    seconds = perf_counter() - start
    print(json.dumps({"data": data, "seconds": seconds, "peak": memory()["peak"], "shares": shares}))


def _pool() -> tuple[lw.Pool, str]:
    """Return the authors' predictions where they are, else a synthetic pool of their size."""
    path = Path(os.environ.get("LABELWISE_DATA", _DATA)) / "cifar100_resnet110_authors_top1.parquet"
    if not path.is_file():
        return like_cifar100(), "a synthetic pool"
    pool = lw.read_pool(path, predicted="pred", confidence="conf", label="label", columns=[])
    return pool, "the authors' predictions"


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
