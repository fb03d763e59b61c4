"""Tables 10 and 11 of the AAAI paper's supplement: labels until the classes of highest expected cost are found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from labelwise.groups import by_prediction
from labelwise.metrics import ExpectedCost
from labelwise.policies import MultiplePlay
from labelwise.questions import Worst
from labelwise.simulation import Scenario, reciprocal_rank
from papers.reproduction import PRINTED, Claim, Reproduction
from papers.sources import STAND_INS, method_policy, method_prior
from papers.study import Study, crossing, stacked

PEOPLE = ("baby", "boy", "girl", "man", "woman")
DEARER = 10.0  # times the cost of another mistake
_STAND_IN = "CIFAR-100 (DenseNet)"
_METHODS = ("UPrior", "IPrior", "IPrior+TS")
_M = (1, 10)
_EVERY = 100
_FEWER = 10  # times fewer runs than elsewhere, which are as many as the published ones
_Floats = NDArray[np.float64]


def human_costs(classes: Sequence[str], people: Sequence[str] = PEOPLE, dearer: float = DEARER) -> _Floats:
    """Return the cost of predicting class k (column) when j (row) is true: a person taken for anything else is dearer.

    Examples
    --------
    >>> human_costs(["boy", "shark"])
    array([[ 0., 10.],
           [ 1.,  0.]])
    """
    cost = np.where(np.isin(classes, people)[:, None], dearer, 1.0) * np.ones(len(classes))
    np.fill_diagonal(cost, 0.0)
    return np.asarray(cost)


def superclass_costs(superclasses: Sequence[str], dearer: float = DEARER) -> _Floats:
    """Return the cost of predicting class k (column) when j (row) is true: another superclass is dearer.

    Parameters
    ----------
    superclasses : of each class.

    Examples
    --------
    >>> superclass_costs(["fish", "fish", "people"])
    array([[ 0.,  1., 10.],
           [ 1.,  0., 10.],
           [10., 10.,  0.]])
    """
    of_class = np.asarray(superclasses)
    cost = np.where(of_class[:, None] == of_class, 1.0, dearer)
    np.fill_diagonal(cost, 0.0)
    return np.asarray(cost)


def table_10(study: Study) -> Reproduction:
    """Return the labels until the classes are found whose mistakes about people cost most."""
    names = [row["class"] for row in study.sources.rows("cifar100_classes.csv")]
    return _table("10", "human", human_costs(names), study)


def table_11(study: Study) -> Reproduction:
    """Return the labels until the classes are found whose mistakes across superclasses cost most."""
    superclasses = [row["superclass"] for row in study.sources.rows("cifar100_classes.csv")]
    return _table("11", "superclass", superclass_costs(superclasses), study)


def _table(name: str, costs: str, matrix: _Floats, study: Study) -> Reproduction:
    groups = by_prediction(study.sources.pool(_STAND_IN))
    n_items = groups.pool.n_items
    at = np.arange(_EVERY, n_items + 1, _EVERY)
    fewer = replace(study, n_runs=max(10, study.n_runs // _FEWER))
    claims, parts = [], []
    for m in _M:
        needed = {}
        for method in _METHODS:
            study.step(f"table {name}: {method}, m = {m}")
            policy = MultiplePlay() if method.endswith("TS") and m > 1 else method_policy(method)
            scenario = Scenario(groups, Worst(ExpectedCost(matrix), m=m), policy, method_prior(method, PRINTED))
            curves = fewer.in_batches(scenario, reciprocal_rank(m), at)
            labels, error, _ = crossing(curves, at)
            needed[method] = 100 * labels / n_items
            part = {"labels": at, "share": at / n_items, "mrr": curves.mean(axis=0)}
            parts.append({"costs": costs, "m": m, "method": method} | part | {"error": 100 * error / n_items})
        said = ", ".join(f"{method} {share:.1f} %" for method, share in needed.items())
        holds = needed["IPrior+TS"] < min(needed["UPrior"], needed["IPrior"])
        claims.append(Claim(f"{costs} costs, m = {m}", "Thompson sampling needs the fewest labels", said, holds))
    title = f"Labels (% of the pool) until MRR > 0.99, highest expected cost ({costs})"
    notes = (*_NOTES, f"Stand-in: {STAND_INS[_STAND_IN]}. The published values are of other predictions.")
    return Reproduction(name, title, n_runs=fewer.n_runs, notes=notes, claims=tuple(claims), frame=stacked(parts))


_NOTES = (
    f"A mistake that is dearer costs {DEARER:g} times another. Human: to take a person for anything else. Superclass: "
    "to confuse classes of different superclasses.",
)
