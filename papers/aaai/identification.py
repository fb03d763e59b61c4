"""Table 6 of the AAAI paper: labels until the least accurate classes are found."""

from __future__ import annotations

import numpy as np

from labelwise.groups import by_prediction
from labelwise.policies import MultiplePlay
from labelwise.questions import Worst
from labelwise.simulation import Scenario, reciprocal_rank
from papers.reproduction import CODED, PRINTED, Reproduction, Row
from papers.sources import method_policy, method_prior
from papers.study import Study, crossing

_EVERY = 10  # labels between two looks
TABLE_6 = {
    "CIFAR-100": {"UPrior": {1: 81.1, 10: 99.8}, "IPrior": {1: 83.4, 10: 99.8}, "IPrior+TS": {1: 24.9, 10: 55.1}},
    "SVHN": {"UPrior": {1: 90.5, 3: 100.0}, "IPrior": {1: 89.8, 3: 100.0}, "IPrior+TS": {1: 82.8, 3: 96.0}},
}


def table_6(study: Study) -> Reproduction:
    """Return the share of the pool that must be labelled until the mean reciprocal rank exceeds 0.99."""
    rows = []
    for data, methods in TABLE_6.items():
        groups = by_prediction(study.sources.pool(data))
        n_items = groups.pool.n_items
        at = np.arange(_EVERY, n_items + 1, _EVERY)
        for method, values in methods.items():
            for m, value in values.items():
                for protocol in (PRINTED, CODED) if method == "UPrior" else (PRINTED,):
                    study.step(f"table 6: {data}, {method}, m = {m}, {protocol}")
                    policy = method_policy(method)
                    if method.endswith("TS") and m > 1:
                        policy = MultiplePlay()
                    scenario = Scenario(groups, Worst(m=m), policy, method_prior(method, protocol))
                    curves = study.in_batches(scenario, reciprocal_rank(m), at)
                    ours, error, chance = (100 * part / n_items for part in crossing(curves, at))
                    rows.append(Row((data, method, f"{m}"), protocol, value, ours, error, chance))
    return Reproduction(
        "6", "Labels (% of the pool) until MRR > 0.99", ("data", "method", "m"), tuple(rows), study.n_runs, _NOTES
    )


_NOTES = (
    "The published numbers look like about 100 runs, so chance is the spread of a tenth of our runs; our own standard "
    "error is of all of them. The crossing of a flat curve is a noisy number.",
)
