"""Expected gain of one more label where groups share a calibration map, as `beliefs/learned/accuracy.py` has it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs.learned.item_slope import LEAST_SPARE, NEAREST
from labelwise.simulation.kernels.calibration_map import lifted
from labelwise.simulation.kernels.compiler import compiled, inlined

_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]
_NOTHING = 1e-5  # the weight of a node that tells nothing of other groups


@inlined
def counts_under(
    strength: Any,
    accuracy: Any,
    summed: Any,
    odds: Any,
    explained: Any,
    hits: int,
    labels: int,
    size: int,
    in_pool: bool,
) -> tuple[float, float]:
    """Return pseudo-hits and -misses of a group under a map, as `LearnedAccuracy._of`.

    Parameters
    ----------
    accuracy : the mean chance of the group's items.
    summed : the chances of its labelled items, added up.
    odds : how many times larger the odds of the group are than those of its items alone.
    in_pool : whether they are those of the items without a label, or of new ones.
    """
    expected, mean = accuracy, accuracy
    if labels > 0:
        expected = lifted(min(max(summed / labels, NEAREST), 1 - NEAREST), odds)
        if in_pool and size > labels:
            mean = min(max((size * accuracy - labels * expected) / (size - labels), NEAREST), 1 - NEAREST)
    worth = 1 / (1 - explained)
    a = (strength + worth * hits * (1 - expected)) / (1 - mean)
    b = (strength + worth * (labels - hits) * expected) / mean
    total = a + b
    if in_pool:  # hits of the items left spread less than a binomial's: as if more were known
        spare = 1 - explained * total / max(size - labels - 1, 1)
        known = (total + 1) / max(spare, LEAST_SPARE) - 1
    else:  # the confidences of the pool are only a sample of those of new items
        known = 1 / (1 / (total + 1) + (explained / size if size > 0 else 0.0)) - 1
    a, b = a * (known / total), b * (known / total)
    return a, b


@inlined
def drop_line(
    weight: _Floats,
    strength: _Floats,
    accuracy: _Floats,
    summed: _Floats,
    odds: _Floats,
    explained: _Floats,
    g: int,
    hits: int,
    labels: int,
    size: int,
    part: float,
    others: float,
    in_pool: bool,
) -> tuple[float, float]:
    """Return level and slope of the expected drop of all groups' variances, as a function of a group's draw.

    As `LearnedAccuracy.total_drop`; `others` is what a label of this group tells of the others.
    """
    middle, second = 0.0, 0.0
    for f in range(len(weight)):
        a, b = counts_under(
            strength[f], accuracy[f, g], summed[f, g], odds[g], explained[g], hits, labels, size, in_pool
        )
        mean = a / (a + b)
        middle += weight[f] * mean
        second += weight[f] * mean * (a + 1) / (a + b + 1)
    own = second - middle * middle
    if in_pool:
        own = ((size - labels) * own + middle * (1 - middle) - own) / size
    square = others + part * own * own
    hit, miss = square / (middle * middle), square / ((1 - middle) * (1 - middle))
    return miss, hit - miss


@compiled
def put_others(
    weight: _Floats,
    strength: _Floats,
    accuracy: _Floats,
    summed: _Floats,
    odds: _Floats,
    explained: _Floats,
    hits: _Counts,
    labels: _Counts,
    sizes: _Counts,
    part: _Floats,
    in_pool: bool,
    others: _Floats,
) -> None:
    """Put what a label of each group tells of all other groups through the map: the squared covariances, weighed."""
    n_groups, n_nodes = len(hits), 0
    kept = np.empty(len(weight), np.int64)
    for f in range(len(weight)):
        if weight[f] > _NOTHING:
            kept[n_nodes] = f
            n_nodes += 1
    apart, open_part = np.empty((n_groups, n_nodes)), np.empty(n_groups)
    gathered = np.zeros((n_nodes, n_nodes))
    for g in range(n_groups):
        middle = 0.0
        for i in range(n_nodes):
            f = kept[i]
            a, b = counts_under(
                strength[f], accuracy[f, g], summed[f, g], odds[g], explained[g], hits[g], labels[g], sizes[g], in_pool
            )
            apart[g, i] = a / (a + b)
            middle += weight[f] * apart[g, i]
        for i in range(n_nodes):
            apart[g, i] = math.sqrt(weight[kept[i]]) * (apart[g, i] - middle)
        left = (sizes[g] - labels[g]) / max(sizes[g], 1) if in_pool else 1.0
        open_part[g] = part[g] * left * left
        for i in range(n_nodes):
            factor = open_part[g] * apart[g, i]
            for j in range(n_nodes):
                gathered[i, j] += factor * apart[g, j]
    for g in range(n_groups):
        total, own = 0.0, 0.0
        for i in range(n_nodes):
            row = 0.0
            for j in range(n_nodes):
                row += gathered[i, j] * apart[g, j]
            total += apart[g, i] * row
            own += apart[g, i] * apart[g, i]
        others[g] = max(total - open_part[g] * own * own, 0.0)


@compiled
def put_overall_drops(
    weight: _Floats,
    strength: _Floats,
    accuracy: _Floats,
    summed: _Floats,
    odds: _Floats,
    explained: _Floats,
    hits: _Counts,
    labels: _Counts,
    sizes: _Counts,
    part: _Floats,
    in_pool: bool,
    lines: _Floats,
) -> None:
    """Put level and slope of the expected drop of the whole's variance, as in `questions/overall.py`."""
    n_groups = len(hits)
    middle, second, spread, product = np.zeros(n_groups), np.zeros(n_groups), np.zeros(n_groups), np.zeros(n_groups)
    means, variances = np.empty(n_groups), np.empty(n_groups)
    whole = 0.0
    for f in range(len(weight)):
        total = 0.0
        for g in range(n_groups):
            a, b = counts_under(
                strength[f], accuracy[f, g], summed[f, g], odds[g], explained[g], hits[g], labels[g], sizes[g], in_pool
            )
            means[g] = a / (a + b)
            variances[g] = means[g] * (1 - means[g]) / (a + b + 1)
            open_part = part[g] * (sizes[g] - labels[g]) / max(sizes[g], 1) if in_pool else part[g]
            total += open_part * means[g]
        whole += weight[f] * total
        for g in range(n_groups):
            middle[g] += weight[f] * means[g]
            spread[g] += weight[f] * variances[g]
            second[g] += weight[f] * (variances[g] + means[g] * means[g])
            product[g] += weight[f] * means[g] * total
    for g in range(n_groups):
        an_item = part[g] / max(sizes[g], 1)
        open_part = an_item * (sizes[g] - labels[g]) if in_pool else part[g]
        covariance = open_part * spread[g] + product[g] - middle[g] * whole
        if in_pool:
            covariance += an_item * (middle[g] - second[g])
        hit, miss = (covariance / middle[g]) ** 2, (covariance / (1 - middle[g])) ** 2
        lines[g, 0], lines[g, 1] = miss, hit - miss
