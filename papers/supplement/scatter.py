"""Accuracy against calibration error by predicted class in the AAAI supplement, on all labels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from labelwise.groups import Grouping, by_prediction
from labelwise.metrics import ECE
from labelwise.policies import RandomItem
from labelwise.questions import Worst
from labelwise.simulation import Scenario
from papers.reproduction import Claim, Reproduction
from papers.sources import STAND_INS
from papers.study import Study, stacked
from papers.supplement.random_labels import hits_of
from papers.supplement.reliability import BINS, DATA

_THEIRS = {"CIFAR-100": "authors_perclass_cifar100.csv", "SVHN": "authors_perclass_svhn.csv"}
_SAME = 1e-6  # their confidences have four decimals or more, ours are stored in single precision
_Floats = NDArray[np.float64]


def scatter(study: Study) -> Reproduction:
    """Return accuracy and ECE of every predicted class."""
    claims, parts = [], []
    for data in DATA:
        groups = by_prediction(study.sources.pool(data))
        accuracy, error = hits_of(groups) / groups.n_items, classwise_error(groups)
        names = class_names(study, data, groups)
        correlation = float(np.corrcoef(accuracy, error)[0, 1])
        claims.append(
            Claim(data, "less accurate classes are worse calibrated", f"r = {correlation:.2f}", holds=correlation < 0)
        )
        if data in _THEIRS:
            claims.append(_same_as_theirs(study, data, names, groups, accuracy, error))
        parts.append(
            {
                "data": data, "class": np.array(names), "accuracy": accuracy, "ece": error,
                "confidence": groups.mean_confidence, "items": groups.n_items,
            }
        )  # fmt: skip
    return Reproduction(
        "supplement-scatter", "Accuracy and ECE by predicted class", notes=_NOTES, claims=tuple(claims),
        frame=stacked(parts),
    )  # fmt: skip


def classwise_error(groups: Grouping) -> _Floats:
    """Return the ECE of each group on all labels, ten bins of equal width.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=[0, 0, 1], confidence=[0.9, 0.4, 0.8], labels=[0, 1, 1])
    >>> classwise_error(lw.by_prediction(pool)).round(3)
    array([0.25, 0.2 ])
    """
    return Scenario(groups, Worst(ECE(BINS)), RandomItem()).truth


def class_names(study: Study, data: str, groups: Grouping) -> list[str]:
    """Return the names of predicted classes, as the authors call them where their names are known.

    Examples
    --------
    >>> from pathlib import Path
    >>> import labelwise as lw
    >>> from papers import Sources
    >>> groups = lw.by_prediction(lw.pool_from_arrays(predicted=[7, 9]))
    >>> class_names(Study(Sources(Path("data"))), "SVHN", groups)
    ['7', '9']
    """
    if not data.startswith("CIFAR-100"):
        return list(groups.names)
    names = {row["class_id"]: row["class"] for row in study.sources.rows("cifar100_classes.csv")}
    return [names[name] for name in groups.names]


def _same_as_theirs(
    study: Study, data: str, names: list[str], groups: Grouping, accuracy: _Floats, error: _Floats
) -> Claim:
    theirs = {row["Predicted_Class_k"]: row for row in study.sources.rows(_THEIRS[data])}

    def column(name: str) -> Iterator[float]:
        return (float(theirs[key][name]) for key in names)

    ours = {"N_k": groups.n_items, "R_k": hits_of(groups), "Acc_k": accuracy, "ECE_k": error}
    far = {name: float(np.abs(values - np.fromiter(column(name), float)).max()) for name, values in ours.items()}
    return Claim(
        data,
        "items, hits, accuracy and ECE of every class are those of the authors' file",
        f"{len(theirs)} classes; counts differ by {far['N_k'] + far['R_k']:g}, ECE by at most {far['ECE_k']:.1e}",
        holds=len(theirs) == groups.n_groups and max(far.values()) < _SAME,
    )


_NOTES = (
    f"ECE on all labels, {BINS} bins of equal width.",
    *(f"{data}: {STAND_INS[data]}." for data in DATA if data in STAND_INS),
)
