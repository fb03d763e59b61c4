"""Figures 1, 5 and 8 of the 2019 workshop paper: accuracy and calibration bias of every class."""

from __future__ import annotations

from typing import Any

import numpy as np

from labelwise.beliefs import BetaBelief
from labelwise.groups import Grouping, by_prediction
from labelwise.metrics import accuracy, calibration_bias
from papers.reproduction import PRINTED, Claim, Reproduction, Row
from papers.study import Study, stacked
from papers.workshop.counts import NOTES, counted_belief

# Confidence less posterior mean of the least accurate classes, as the authors' notebooks print it (8 decimals).
BIASES = {
    "CIFAR-100": {
        "lizard": 0.28444373, "seal": 0.163175, "otter": 0.21559589, "shrew": 0.20823649, "boy": 0.15798421,
        "bear": 0.1940986, "woman": 0.15346696, "couch": 0.19274512, "shark": 0.17776556, "baby": 0.22012561,
    },
    "SVHN": {
        "9": 0.02345779, "3": 0.01553721, "6": 0.01102185, "0": 0.01405805, "1": 0.01502831,
        "5": 0.01279615, "8": 0.0060765, "7": 0.00307997, "4": 0.01082664, "2": 0.00273735,
    },
    "Dialogue": {
        "7": 0.3236802, "8": 0.16724392, "18": 0.19897101, "19": 0.12256801, "14": 0.20074261,
        "1": 0.17182563, "11": 0.04975893, "17": 0.01951115, "5": 0.07498982, "12": 0.08938241,
    },
}  # fmt: skip
_TINY = 1e-8  # what is printed with 8 decimals may differ by
_CLOSE = 1e-6  # and what was added up in another order
_LEVEL = 0.95


def workshop_fig1(study: Study) -> Reproduction:
    """Return accuracy and calibration bias of the classes of CIFAR-100."""
    return _figure("workshop-fig1", "CIFAR-100", study)


def workshop_fig5(study: Study) -> Reproduction:
    """Return accuracy and calibration bias of the classes of SVHN."""
    return _figure("workshop-fig5", "SVHN", study)


def workshop_fig8(study: Study) -> Reproduction:
    """Return accuracy and calibration bias of the classes of the dialogue classifier."""
    return _figure("workshop-fig8", "Dialogue", study)


def _figure(name: str, data: str, study: Study) -> Reproduction:
    study.step(f"{name}: {data}")
    belief = counted_belief(study.sources, data)
    bias = dict(zip(belief.names, calibration_bias.mean(belief).tolist(), strict=True))
    printed = BIASES[data]
    rows = [Row((data, one), PRINTED, round(100 * p, 3), 100 * bias[one], 0.0, digits=3) for one, p in printed.items()]
    gap = max(abs(bias[one] - value) for one, value in printed.items())
    says = f"mean biases of {len(printed)} classes, as a notebook prints them"
    claims = [Claim(data, says, f"largest difference {gap:.1e}", gap < _TINY)]
    is_counts_only = data == "Dialogue"
    if not is_counts_only:
        claims.append(_recounted(data, by_prediction(study.sources.pool(data)), belief.groups))
    table = _table(data, belief)
    return Reproduction(
        name, f"Calibration bias (%) and accuracy of the classes of {data}", ("data", "class"), tuple(rows),
        notes=(*NOTES, _FIRST) if is_counts_only else NOTES, claims=(*claims, *_directions(data, table)),
        frame=stacked([table]),
    )  # fmt: skip


def _table(data: str, belief: BetaBelief) -> dict[str, Any]:
    """Return what is drawn, the least accurate class first: accuracy is Beta(a, b), bias is confidence less that."""
    groups = belief.groups
    assert groups is not None  # the belief was learned from a pool
    order = np.argsort(belief.mean(), kind="stable")
    order = order[groups.n_items[order] > 0]
    table = {"class": np.array(belief.names), "items": groups.n_items, "confidence": groups.mean_confidence}
    table |= {"a": belief.a, "b": belief.b}
    for metric in (accuracy, calibration_bias):
        ends = metric.interval(belief, _LEVEL, kind="equal-tailed", target="population")
        assert ends is not None  # one Beta per class has exact ones
        low, high = ends
        table |= {metric.name: metric.mean(belief), f"{metric.name}_low": low, f"{metric.name}_high": high}
    return {"data": data} | {name: values[order] for name, values in table.items()}


def _recounted(data: str, groups: Grouping, counted: Grouping | None) -> Claim:
    """Hold the authors' counts against their predictions, class by class, in whatever order."""
    assert counted is not None  # the belief was learned from a pool
    both = []
    for one in (groups, counted):
        hits = np.bincount(one.of_item, weights=one.pool.hits, minlength=one.n_groups)
        both.append(np.array(sorted(zip(one.n_items, hits, one.mean_confidence, strict=True))))
    gap = float(np.abs(both[0] - both[1]).max())
    ours = f"recounted from the predictions of {groups.n_groups} classes: largest difference {gap:.0e}"
    return Claim(data, "items, hits and mean confidence of every class", ours, gap < _CLOSE)


def _directions(data: str, table: dict[str, Any]) -> list[Claim]:
    low, high, names = table["accuracy_low"], table["accuracy_high"], table["class"]
    ends = ", ".join(f"{names[k]} [{low[k]:.3f}, {high[k]:.3f}]" for k in (0, -1))
    over, under = int((table["bias_low"] > 0).sum()), int((table["bias_high"] < 0).sum())
    said = f"95 % interval of the bias above zero in {over} of {len(names)} classes, below it in {under}"
    return [
        Claim(data, "the least accurate class is surely below the most accurate one", ends, bool(high[0] < low[-1])),
        Claim(data, "most classes are over-confident", said, over > len(names) / 2),
    ]


_FIRST = (
    "The biases are those of all 104,948 items, with two empty classes; the success curves are of one fold of 10,094."
)
