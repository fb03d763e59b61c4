"""Expected gain of one more label where groups share a calibration map, as `beliefs/learned/accuracy.py` has it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs.learned.constants import LEAST_SPARE, NEAREST
from labelwise.simulation.kernels.calibration_map import lifted
from labelwise.simulation.kernels.compiler import compiled, inlined

_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]


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
    """Return pseudo-hits and -misses of a group under a map, as `LearnedAccuracy._of`: equations 12 to 14 of MODEL.md.

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


@compiled
def _put_apart(
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
    in_pool: bool,
    apart: _Floats,
    moments: _Floats,
) -> None:
    """Write how far the means of group g lie apart under the nodes, and its mean, variance and weight, to arrays."""
    middle, second = 0.0, 0.0
    for f in range(len(weight)):
        apart[f, g] = 0.0
        if weight[f] == 0:
            continue
        a, b = counts_under(
            strength[f], accuracy[f, g], summed[f, g], odds[g], explained[g], hits, labels, size, in_pool
        )
        apart[f, g] = a / (a + b)
        middle += weight[f] * apart[f, g]
        second += weight[f] * apart[f, g] * (a + 1) / (a + b + 1)
    for f in range(len(weight)):
        apart[f, g] = math.sqrt(weight[f]) * (apart[f, g] - middle)
    left = (size - labels) / max(size, 1) if in_pool else 1.0
    own = second - middle * middle
    if in_pool:
        own = left * own + (middle * (1 - middle) - own) / max(size, 1)
    moments[0, g], moments[1, g], moments[2, g] = middle, own, part * left * left


@compiled
def _put_covariances(apart: _Floats, g: int, row: _Floats) -> None:
    """Write the covariance that the map makes between group g and every group to `row`."""
    row[:] = 0.0
    for f in range(len(apart)):
        own = apart[f, g]
        if own != 0:
            for h in range(len(row)):
                row[h] += own * apart[f, h]


@compiled
def _put_lines(part: _Floats, others: _Floats, moments: _Floats, lines: _Floats) -> None:
    for g in range(len(part)):
        middle, own = moments[0, g], moments[1, g]
        square = max(others[g], 0.0) + part[g] * own * own
        hit, miss = square / (middle * middle), square / ((1 - middle) * (1 - middle))
        lines[g, 0], lines[g, 1] = miss, hit - miss


@compiled
def put_drops(
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
    apart: _Floats,
    moments: _Floats,
    others: _Floats,
    lines: _Floats,
) -> None:
    """Write level and slope of the expected drop of all groups' variances, as `LearnedAccuracy.total_drop`, to `lines`.

    Parameters
    ----------
    apart, moments, others : output that `move_drops` needs: shapes (n_nodes, n_groups), (3, n_groups) and (n_groups,).
    """
    n_groups = len(hits)
    row = np.empty(n_groups)
    for g in range(n_groups):
        _put_apart(
            weight, strength, accuracy, summed, odds, explained, g, hits[g], labels[g], sizes[g], part[g], in_pool,
            apart, moments,
        )  # fmt: skip
    for g in range(n_groups):
        _put_covariances(apart, g, row)
        others[g] = 0.0
        for h in range(n_groups):
            if h != g:
                others[g] += moments[2, h] * row[h] * row[h]
    _put_lines(part, others, moments, lines)


@compiled
def move_drops(
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
    part: _Floats,
    in_pool: bool,
    apart: _Floats,
    moments: _Floats,
    others: _Floats,
    lines: _Floats,
) -> None:
    """Update what `put_drops` wrote after a label of group g."""
    n_groups = len(part)
    row, own = np.empty(n_groups), 0.0
    _put_covariances(apart, g, row)
    for h in range(n_groups):
        others[h] -= moments[2, g] * row[h] * row[h]
    _put_apart(
        weight, strength, accuracy, summed, odds, explained, g, hits, labels, size, part[g], in_pool, apart, moments
    )
    _put_covariances(apart, g, row)
    for h in range(n_groups):
        others[h] += moments[2, g] * row[h] * row[h]
        if h != g:
            own += moments[2, h] * row[h] * row[h]
    others[g] = own
    _put_lines(part, others, moments, lines)


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
        if weight[f] == 0:
            continue
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
