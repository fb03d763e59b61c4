"""Table 4 of the AAAI paper: the error of the estimated confusion matrix."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import FlatPrior, InformedPrior
from labelwise.groups import Grouping, by_prediction
from labelwise.metrics import recall
from labelwise.pool import Pool, pool_from_arrays
from labelwise.questions import Estimate
from labelwise.simulation import Scenario, Score, confusion_error
from papers.aaai.estimation import COLUMNS, Published
from papers.reproduction import CODED, PRINTED, Claim, Reproduction, Row
from papers.sources import STAND_INS, method_policy
from papers.study import Study

TABLE_4: Published = {
    "SVHN": (
        (20, 50, 100),
        {"UPrior": (77.077, 7.025, 0.463), "IPrior": (0.103, 0.024, 0.005), "IPrior+TS": (0.045, 0.010, 0.002)},
    ),
}
_PUBLISHED_RUNS = 100
_STAND_IN, _COUNTS = "CIFAR-100 (DenseNet)", (200, 500, 1000)
_Floats = NDArray[np.float64]


def table_4(study: Study) -> Reproduction:
    """Return the error of the confusion matrix as a part of that of the informed prior."""
    rows = []
    for data, (counts, methods) in TABLE_4.items():
        for protocol in (PRINTED, CODED):
            for method, values in methods.items():
                study.step(f"table 4: {data}, {method}, {protocol}")
                ours, error = _errors(study, study.sources.pool(data), method, protocol, counts)
                for place, (count, value) in enumerate(zip(counts, values, strict=True)):
                    where, spread = (data, method, f"{count}"), float(error[place])
                    chance = spread * math.sqrt(study.n_runs / _PUBLISHED_RUNS)
                    rows.append(Row(where, protocol, value, float(ours[place]), spread, chance, digits=3))
    claims = []
    for protocol in (PRINTED, CODED):
        found = {}
        for method in ("UPrior", "IPrior", "IPrior+TS"):
            study.step(f"table 4: {_STAND_IN}, {method}, {protocol}")
            found[method] = _errors(study, study.sources.pool(_STAND_IN), method, protocol, _COUNTS)[0]
        for place, count in enumerate(_COUNTS[:2]):
            one, two, three = (float(values[place]) for values in found.values())
            says = f"{protocol}, {count} labels: UPrior is worst, IPrior+TS best"
            said = f"{one:.3f} > {two:.3f} > {three:.3f}"
            claims.append(Claim(_STAND_IN, says, said, one > two > three))
    return Reproduction(
        "4", "Error of the confusion matrix (part of that of the informed prior)", COLUMNS, tuple(rows), study.n_runs,
        (*_NOTES, f"Stand-in: {STAND_INS[_STAND_IN]}."), tuple(claims),
    )  # fmt: skip


def _errors(study: Study, pool: Pool, method: str, protocol: str, counts: tuple[int, ...]) -> tuple[_Floats, _Floats]:
    """Return mean and standard error of the error after so many labels."""
    groups = by_prediction(pool)
    if protocol == PRINTED:
        start = Scenario(groups, Estimate(recall), method_policy(method), InformedPrior())
        unit, score = float(confusion_error.of(start, start.start)), confusion_error
    else:
        unit, groups = _distance(groups, _confusion(groups)), by_prediction(as_predicted(pool))
        score = _SQUARED
    if protocol == CODED and method.endswith("TS"):
        mean, error = _slip(groups, counts, max(10, study.n_runs // max(1, groups.n_groups // 10)), study.seed)
    else:
        prior = InformedPrior() if method != "UPrior" else FlatPrior(1e-6) if protocol == CODED else FlatPrior()
        scenario = Scenario(groups, Estimate(recall), method_policy(method), prior, counts[-1])
        found = study.play(scenario, [score], counts)
        mean, error = found.mean[score.name], found.error[score.name]
    return mean / unit, error / unit


def as_predicted(pool: Pool) -> Pool:
    """Return the pool that the published code sees: the label of every item is its prediction."""
    names = np.array(pool.classes)
    return pool_from_arrays(scores=pool.scores, labels=names[pool.prediction], classes=list(pool.classes))


def _confusion(groups: Grouping) -> _Floats:
    """Return the confusion matrix on all labels, one row per predicted class."""
    counts = np.zeros((groups.n_groups, groups.pool.n_classes))
    np.add.at(counts, (groups.of_item, groups.pool.known_labels("the confusion matrix")), 1)
    return counts / np.maximum(groups.n_items, 1)[:, None]


def _distance(groups: Grouping, matrix: _Floats) -> Any:
    """Return the squared distance from what the published code takes for the truth, rows weighed by their shares.

    That is what it believes at the end of a run with a flat prior of strength 1 and predictions for labels: nearly the
    identity.
    """
    n_groups = groups.n_groups
    truth = (1 / n_groups + groups.n_items[:, None] * np.eye(n_groups)) / (1 + groups.n_items[:, None])
    return (groups.share * ((matrix - truth) ** 2).sum(axis=-1)).sum(axis=-1)


_SQUARED = Score("squared", lambda scenario, beliefs: _distance(scenario.groups, beliefs.mean()))


def _slip(groups: Grouping, at: tuple[int, ...], n_runs: int, seed: int) -> tuple[_Floats, _Floats]:
    """Play Thompson sampling with the published gain, all runs at once.

    It takes the drawn probabilities for parameters: what is left of the variance is then (1 - sum_j p_j^2) / 4.
    Labels are predictions, so that the diagonal of a row grows with its labels and all else stays.
    """
    rng = np.random.default_rng(seed)
    prior, share, n_groups = groups.mean_scores, groups.share, groups.n_groups
    diagonal, squares = np.diagonal(prior), (prior**2).sum(axis=1)
    labels, runs, rows = np.zeros((n_runs, n_groups), np.int64), np.arange(n_runs), np.arange(n_groups)
    errors = []
    for step in range(at[-1]):
        total = 1.0 + labels
        spread = (total**2 - squares - labels**2 - 2 * labels * diagonal) / (total**2 * (total + 1))
        alpha = np.repeat(np.maximum(prior, 1e-6)[None], n_runs, axis=0)
        alpha[:, rows, rows] += labels
        draw = rng.standard_gamma(alpha)
        draw /= draw.sum(axis=-1, keepdims=True)
        gain = share * (spread - (1 - (draw**2).sum(axis=-1)) / 4)
        labels[runs, np.where(labels < groups.n_items, gain, -np.inf).argmax(axis=1)] += 1
        if step + 1 in at:
            told = labels[:, :, None]
            errors.append(_distance(groups, (prior + told * np.eye(n_groups)) / (1 + told)))
    found = np.array(errors)
    return found.mean(axis=1), found.std(axis=1, ddof=1) / np.sqrt(n_runs)


_NOTES = (
    "As coded, every label is the prediction itself, and the truth is what such a run believes at its end, nearly the "
    "identity matrix; the error has no root, and is a part of the distance between the true confusion matrix and that; "
    "UPrior is a Dirichlet of strength 1e-6, and the gain takes drawn probabilities for parameters; 100 runs. As "
    "printed: true labels, the root, strength 1, and a part of the error of the informed prior with no labels.",
)
