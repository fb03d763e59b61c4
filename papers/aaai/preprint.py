"""Table 2 of the preprint: labels until the least accurate and the worst calibrated classes are found."""

from __future__ import annotations

import numpy as np

from labelwise.beliefs import FlatPrior
from labelwise.groups import by_prediction
from labelwise.policies import MultiplePlay, Policy, RandomGroup, RandomItem, Thompson
from labelwise.questions import Worst
from labelwise.simulation import Scenario, reciprocal_rank
from papers.aaai.miscalibration import EARLY, EVERY, NOTES, ece_rows
from papers.reproduction import CODED, PRINTED, Reproduction, Row
from papers.study import Study, crossing

TABLE_2 = {
    "CIFAR-100": {"random": {1: 82.0, 10: 100.0}, "TS": {1: 27.0, 10: 57.0}},
    "SVHN": {"random": {1: 65.7, 3: 94.1}, "TS": {1: 35.0, 3: 81.4}},
}


def preprint_table_2(study: Study) -> Reproduction:
    """Return the share of the pool that must be labelled until the mean reciprocal rank exceeds 0.99."""
    rows = []
    for data, methods in TABLE_2.items():
        groups = by_prediction(study.sources.pool(data))
        n_items = groups.pool.n_items
        for protocol in (PRINTED, CODED):
            # as coded the look after 100 i + 1 labels counts as 100 i + 100, and the first five are left out
            at = np.arange(EVERY, n_items + 1, EVERY) if protocol == PRINTED else np.arange(1, n_items, EVERY)
            for method, values in methods.items():
                for m, value in values.items():
                    study.step(f"preprint table 2: {data}, {method}, m = {m}, {protocol}")
                    policy: Policy = RandomItem() if protocol == PRINTED else RandomGroup()
                    if method == "TS":
                        policy = MultiplePlay() if m > 1 else Thompson()
                    scenario = Scenario(groups, Worst(m=m), policy, FlatPrior())
                    curves = study.in_batches(scenario, reciprocal_rank(m), at)
                    shift, skip = (0, 0) if protocol == PRINTED else (EVERY - 1, EARLY)
                    found = crossing(curves[:, skip:], at[skip:] + shift)
                    ours, error, chance = (100 * part / n_items for part in found)
                    rows.append(Row((data, "accuracy", method, f"{m}"), protocol, value, ours, error, chance))
    for row in ece_rows(study):
        where = (row.where[0], "ECE", *row.where[1:])
        rows.append(Row(where, row.protocol, row.published, row.ours, row.error, row.chance, cause=row.cause))
    title = "Labels (% of the pool) until MRR > 0.99, lowest accuracy and largest ECE"
    return Reproduction(
        "preprint-table-2", title, ("data", "metric", "method", "m"), tuple(rows), study.n_runs, (*NOTES, _NOTE)
    )


_NOTE = "The half about ECE is table 9. Accuracies have the flat prior Beta(1, 1), under both protocols."
