"""What `beliefs/learned/calibration_map.py` does, compiled: equations 1 to 11 of `beliefs/learned/MODEL.md`."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs.learned.constants import (
    MAP_STEP,
    MAP_STEPS,
    MAP_TOLERANCE,
    N_NODES,
    NEAREST,
    NEGLIGIBLE,
    STRETCH,
    TAILS,
)
from labelwise.simulation.kernels.compiler import compiled, inlined
from labelwise.simulation.kernels.item_slope import put_bend

_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]
_FEW = 16  # factors that are multiplied rather than taken from gamma functions; below 1e9 each, so no overflow
_LARGE = 8.0  # arguments from which asymptotic series serve
_MANY = 256  # labels of a group beyond which gamma functions are faster than a product over nodes
_SMALLEST, _LARGEST = 1e-200, 1e200  # of a product whose logarithm is not taken yet
_NODE, _NODE_WEIGHT = np.polynomial.hermite_e.hermegauss(N_NODES)
_LOG_WEIGHT = np.log(_NODE_WEIGHT / _NODE_WEIGHT.sum())


@inlined
def _stirling(a: float) -> float:
    """Return log Gamma(a) up to a constant, for large a."""
    square = 1 / (a * a)
    series = (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188)))) / a
    return (a - 0.5) * math.log(a) - a + series


@inlined
def _rising(a: float, n: int) -> float:
    """Return log of a (a + 1) ... (a + n - 1)."""
    product = 1.0
    if n > _FEW:  # Stirling's series at both ends, after a shift that makes it good to 1e-11
        low = a
        while low < _LARGE:
            product *= low
            low += 1
        return math.log(product) + _stirling(a + n) - _stirling(low)
    for i in range(n):
        product *= a + i
    return math.log(product)


@inlined
def _join(log: float, product: float, a: float, b: float, hits: int, misses: int) -> tuple[float, float]:
    """Add the log-evidence of a group to `log`, of which log(product) is a part that is not taken yet."""
    if hits + misses > _FEW:
        return log + _rising(a, hits) + _rising(b, misses) - _rising(a + b, hits + misses), product
    above, below, total = 1.0, 1.0, a + b
    for i in range(hits):
        above *= a + i
    for i in range(misses):
        above *= b + i
    for i in range(hits + misses):
        below *= total + i
    product *= above / below
    if product < _SMALLEST:
        return log + math.log(product), 1.0
    return log, product


@inlined
def _widen(log: float, product: float, more: float) -> tuple[float, float]:
    """Add log(1 + more) to `log`, of which log(product) is a part that is not taken yet."""
    product *= 1 + more
    if product > _LARGEST:
        return log + math.log(product), 1.0
    return log, product


@inlined
def _evidence(log: float, product: float, log_wide: float, wide: float, noise: float) -> float:
    """Return the log-probability of all hits, from sums of `_join` and of `_widen`, as the belief does."""
    return (log + math.log(product)) / noise + 0.5 * (1 / noise - 1) * (log_wide + math.log(wide))


@inlined
def _series(a: float) -> float:
    square = 1 / (a * a)
    return math.log(a) - 0.5 / a - square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square / 240)))


@inlined
def _digamma_rise(a: float, n: int) -> float:
    """Return digamma(a + n) - digamma(a)."""
    if n > _FEW:
        # both ends by their series, after a shift that makes it good to 1e-11
        low, total = a, 0.0
        while low < _LARGE:
            total += 1 / low
            low += 1
        return total + _series(a + n) - _series(low)
    total = 0.0
    for i in range(n):
        total += 1 / (a + i)
    return total


@inlined
def _log_prior(away: float, spread: float) -> float:
    """Return the log-density of Student's t, up to a constant."""
    return -0.5 * (TAILS + 1) * math.log(1 + (away / spread) ** 2 / TAILS)


@compiled
def put_mean(chance: _Floats, share: _Floats, out: _Floats) -> None:
    """Put the mean chance of each group, whose items lie in bins by these shares, into `out`."""
    out[:] = 0.0
    for h in range(len(chance)):
        for g in range(len(out)):
            out[g] += share[h, g] * chance[h]
    for g in range(len(out)):
        out[g] = min(max(out[g], NEAREST), 1 - NEAREST)


@inlined
def lifted(chance: float, odds: float) -> float:
    """Return a chance whose odds are so many times larger, as `beliefs/learned/group_slope.py` does."""
    more = odds * chance
    return min(max(more / (1 - chance + more), NEAREST), 1 - NEAREST)


@compiled
def _put_odds(x: _Floats, share: _Floats, whole: _Floats, place: _Floats, steepness: float, odds: _Floats) -> None:
    """Put how many times larger the odds of each group are than those of its items alone, as `odds_of` gives them."""
    odds[:] = 1.0
    if steepness == 1:
        return
    chance, pooled = 1 / (1 + np.exp(-(place[0] + place[1] * x))), np.empty(1)
    put_mean(chance, share, odds)
    put_mean(chance, whole, pooled)
    below = (1 - pooled[0]) / pooled[0]
    for g in range(len(odds)):
        odds[g] = (below * odds[g] / (1 - odds[g])) ** (steepness - 1)


@compiled
def _slopes(
    x: _Floats,
    asked: _Floats,
    odds: _Floats,
    hits: _Counts,
    labels: _Counts,
    bend: _Floats,
    middle: _Floats,
    spread: _Floats,
    strength: float,
    place: _Floats,
    step: _Floats,
    information: _Floats,
) -> float:
    """Return the log-posterior of a map at a strength; write its information and its step of Fisher scoring."""
    n_bins, n_directions = len(x), len(place)
    n_groups = len(hits)
    means, by_shifts, by_slopes = np.zeros(n_groups), np.zeros(n_groups), np.zeros(n_groups)
    gradient = np.empty(2)
    noise = bend[3]
    value, log, product, log_wide, wide = 0.0, 0.0, 1.0, 0.0, 1.0
    information[:] = 0.0
    for i in range(n_directions):
        information[i, i] = (TAILS + 1) / (TAILS * spread[i] ** 2 + (place[i] - middle[i]) ** 2)
        gradient[i] = -(place[i] - middle[i]) * information[i, i]
        value += _log_prior(place[i] - middle[i], spread[i])
    if n_directions == 2:
        away = place[1] - bend[0]
        value += bend[1] * away - 0.5 * bend[2] * away * away
        gradient[1] += bend[1] - bend[2] * away
        information[1, 1] += bend[2]
    for h in range(n_bins):
        chance = 1 / (1 + math.exp(-(place[0] + (place[1] * x[h] if n_directions == 2 else 0.0))))
        steep = chance * (1 - chance)
        for g in range(n_groups):
            means[g] += asked[h, g] * chance
            by_shifts[g] += asked[h, g] * steep
            by_slopes[g] += asked[h, g] * steep * x[h]
    for g in range(n_groups):
        n = labels[g]
        if n == 0:
            continue
        by_shift, by_slope = by_shifts[g], by_slopes[g]
        mean = min(max(means[g], NEAREST), 1 - NEAREST)
        by_chance = odds[g] / (1 - mean + odds[g] * mean) ** 2
        by_shift, by_slope, mean = by_shift * by_chance, by_slope * by_chance, lifted(mean, odds[g])
        a, b = noise * strength / (1 - mean), noise * strength / mean
        all_of = _digamma_rise(a + b, n)
        by_mean = strength / (1 - mean) ** 2 * (_digamma_rise(a, hits[g]) - all_of)
        by_mean -= strength / mean**2 * (_digamma_rise(b, n - hits[g]) - all_of)
        known = n / (noise * mean * (1 - mean) * (1 + (n - 1) / (a + b + 1)))
        log, product = _join(log, product, a, b, hits[g], n - hits[g])
        log_wide, wide = _widen(log_wide, wide, n / (a + b))
        gradient[0] += by_shift * by_mean
        information[0, 0] += by_shift * by_shift * known
        if n_directions == 2:
            gradient[1] += by_slope * by_mean
            information[0, 1] += by_shift * by_slope * known
            information[1, 1] += by_slope * by_slope * known
    if n_directions == 1:
        step[0] = gradient[0] / information[0, 0]
    else:
        information[1, 0] = information[0, 1]
        size = information[0, 0] * information[1, 1] - information[0, 1] ** 2
        step[0] = (information[1, 1] * gradient[0] - information[0, 1] * gradient[1]) / size
        step[1] = (information[0, 0] * gradient[1] - information[0, 1] * gradient[0]) / size
    for i in range(n_directions):
        step[i] = min(max(step[i], -MAP_STEP), MAP_STEP)
    return value + _evidence(log, product, log_wide, wide, noise)


@compiled
def _find_modes(
    x: _Floats,
    asked: _Floats,
    odds: _Floats,
    hits: _Counts,
    labels: _Counts,
    bend: _Floats,
    middle: _Floats,
    spread: _Floats,
    strengths: _Floats,
    modes: _Floats,
    information: _Floats,
) -> None:
    """Find the posterior mode of the map at each strength; a step that makes the labels less likely is halved.

    All strengths take the same number of steps, as in the belief.
    """
    n_strengths, n_directions = modes.shape
    place, step, best = np.empty(modes.shape), np.zeros(modes.shape), np.full(n_strengths, -math.inf)
    newton, found = np.zeros(n_directions), np.empty((2, 2))
    for t in range(n_strengths):
        place[t] = middle
    for _ in range(MAP_STEPS):
        longest = 0.0
        for t in range(n_strengths):
            value = _slopes(
                x, asked, odds, hits, labels, bend, middle, spread, strengths[t], place[t], newton, found
            )  # fmt: skip
            if value >= best[t]:
                best[t] = value
                modes[t], step[t], information[t] = place[t], newton, found
            else:
                step[t] *= 0.5
            for i in range(n_directions):
                place[t, i] = modes[t, i] + step[t, i]
                longest = max(longest, abs(step[t, i]))
        if longest < MAP_TOLERANCE:
            break


@compiled
def _put_mixed(by_bin: _Floats, share: _Floats, g: int, row: _Floats) -> None:
    """Write the mean chance of group g, whose items lie in bins by these shares, under each node to `row`."""
    row[:] = 0.0
    for h in range(len(by_bin)):
        if share[h, g] != 0:
            for node in range(len(row)):
                row[node] += share[h, g] * by_bin[h, node]
    for node in range(len(row)):
        row[node] = min(max(row[node], NEAREST), 1 - NEAREST)


@compiled
def _put_chance_of_hits(
    a: _Floats, b: _Floats, hits: int, labels: int, above: _Floats, below: _Floats, log: _Floats, product: _Floats
) -> None:
    """Add the log-evidence of one group under each node to `log`, of which log(product) is a part not taken yet.

    Rising factorials are multiplied out over all nodes at once, which the compiler vectorises; gamma functions serve
    groups with very many labels.
    """
    if labels > _MANY:
        for node in range(len(a)):
            log[node] += _rising(a[node], hits) + _rising(b[node], labels - hits) - _rising(a[node] + b[node], labels)
        return
    for start in range(0, labels, _FEW):
        above[:], below[:] = 1.0, 1.0
        for k in range(start, min(start + _FEW, labels)):
            if k < hits:
                for node in range(len(a)):
                    above[node] *= a[node] + k
                    below[node] *= a[node] + b[node] + k
            else:
                for node in range(len(a)):
                    above[node] *= b[node] + (k - hits)
                    below[node] *= a[node] + b[node] + k
        for node in range(len(a)):
            product[node] *= above[node] / below[node]
            if product[node] < _SMALLEST:
                log[node] += math.log(product[node])
                product[node] = 1.0


@compiled
def _add_evidence(
    by_bin: _Floats,
    share: _Floats,
    asked: _Floats,
    odds: _Floats,
    hits: _Counts,
    labels: _Counts,
    strength: _Floats,
    noise: float,
    weight: _Floats,
    accuracy: _Floats,
    summed: _Floats,
) -> None:
    """Add the log-probability of all hits under each node to `weight`, and write means of groups as `fit_maps` does."""
    n_nodes = len(weight)
    row, a, b = np.empty(n_nodes), np.empty(n_nodes), np.empty(n_nodes)
    above, below, log, product = np.empty(n_nodes), np.empty(n_nodes), np.zeros(n_nodes), np.ones(n_nodes)
    log_wide, wide = np.zeros(n_nodes), np.ones(n_nodes)
    for g in range(len(hits)):
        _put_mixed(by_bin, share, g, row)
        for node in range(n_nodes):
            accuracy[node, g], summed[node, g] = lifted(row[node], odds[g]), 0.0
        if labels[g] == 0:
            continue
        _put_mixed(by_bin, asked, g, row)
        for node in range(n_nodes):
            expected = lifted(row[node], odds[g])
            a[node], b[node] = noise * strength[node] / (1 - expected), noise * strength[node] / expected
            summed[node, g] = labels[g] * row[node]
            log_wide[node], wide[node] = _widen(log_wide[node], wide[node], labels[g] / (a[node] + b[node]))
        _put_chance_of_hits(a, b, hits[g], labels[g], above, below, log, product)
    for node in range(n_nodes):
        weight[node] += _evidence(log[node], product[node], log_wide[node], wide[node], noise)


@compiled
def n_nodes_of(n_strengths: int, n_directions: int) -> int:
    """Return the number of nodes of the quadrature rule."""
    return n_strengths * (N_NODES if n_directions == 1 else N_NODES * N_NODES)


@compiled
def fit_maps(
    x: _Floats,
    share: _Floats,
    whole: _Floats,
    hits: _Counts,
    labels: _Counts,
    in_bin: _Floats,
    bin_hits: _Counts,
    middle: _Floats,
    spread: _Floats,
    strengths: _Floats,
    steepness: float,
    weight: _Floats,
    accuracy: _Floats,
    summed: _Floats,
    chance: _Floats,
    odds: _Floats,
    explained: _Floats,
) -> None:
    """Place nodes around the posterior mode of the map at each strength, and weigh them, as `weighed_maps` does.

    Parameters
    ----------
    share, in_bin : the part of each group's items, and its labels, in each bin, shape (n_bins, n_groups): groups are
        run through fastest.
    whole : the part of all items in each bin, shape (n_bins, 1).
    bin_hits : hits in each bin.
    steepness : of groups, as `beliefs/learned/group_slope.py` has it; 1 for groups that are parts of the scores.
    weight, accuracy : output: of each node, and of each group under it; shapes (n_nodes,) and (n_nodes, n_groups).
        Nodes of one strength stand together; those that the belief drops have weight zero.
    summed : the chances of each group's labelled items, added up, shape (n_nodes, n_groups).
    chance, odds, explained : as in `Maps`.
    """
    n_directions, n_strengths = len(middle), len(strengths)
    per_strength = n_nodes_of(1, n_directions)
    place, bend, slope_place = np.empty(2), np.empty(4), np.empty(2)
    modes, informations = np.empty((n_strengths, n_directions)), np.zeros((n_strengths, 2, 2))
    asked, n_groups = np.zeros(share.shape), len(hits)
    for h in range(len(x)):
        for g in range(n_groups):
            asked[h, g] = in_bin[h, g] / labels[g] if labels[g] > 0 else 0.0
    put_bend(
        x, share, hits, labels, in_bin, bin_hits, middle, spread, strengths.min(), slope_place, bend, explained,
    )  # fmt: skip
    _put_odds(x, share, whole, slope_place, steepness, odds)
    _find_modes(x, asked, odds, hits, labels, bend, middle, spread, strengths, modes, informations)
    n_nodes = len(weight)
    by_bin, strength = np.empty((len(x), n_nodes)), np.empty(n_nodes)
    for t in range(n_strengths):
        # the root of the covariance: lower triangle of the inverse's Cholesky factor
        i00, i01 = informations[t, 0, 0], informations[t, 0, 1]
        if n_directions == 2:
            i11 = informations[t, 1, 1]
            size = i00 * i11 - i01 * i01
            r00 = math.sqrt(i11 / size)
            r10 = -i01 / size / r00
            r11 = math.sqrt(max(i00 / size - r10 * r10, 1e-300))
        else:
            r00, r10, r11 = math.sqrt(1 / i00), 0.0, 1.0
        r00, r10, r11 = STRETCH * r00, STRETCH * r10, STRETCH * r11
        for k in range(per_strength):
            first, second = (k, -1) if n_directions == 1 else (k // N_NODES, k % N_NODES)
            z0, z1 = _NODE[first], _NODE[second] if n_directions == 2 else 0.0
            place[0] = modes[t, 0] + r00 * z0
            place[1] = modes[t, 1] + r10 * z0 + r11 * z1 if n_directions == 2 else 0.0
            node = t * per_strength + k
            strength[node] = strengths[t]
            for h in range(len(x)):
                chance[node, h] = 1 / (1 + math.exp(-(place[0] + place[1] * x[h])))
                by_bin[h, node] = chance[node, h]
            log = math.log(r00 * r11) + 0.5 * (z0 * z0 + z1 * z1)
            log += _LOG_WEIGHT[first] + (_LOG_WEIGHT[second] if n_directions == 2 else 0.0)
            for i in range(n_directions):
                log += _log_prior(place[i] - middle[i], spread[i])
            if n_directions == 2:
                away = place[1] - bend[0]
                log += bend[1] * away - 0.5 * bend[2] * away * away
            weight[node] = log
    _add_evidence(by_bin, share, asked, odds, hits, labels, strength, bend[3], weight, accuracy, summed)
    largest = weight.max()
    total = 0.0
    for node in range(len(weight)):
        weight[node] = math.exp(weight[node] - largest)
        total += weight[node]
    kept = 0.0
    for node in range(len(weight)):
        weight[node] = weight[node] / total if weight[node] > NEGLIGIBLE * total else 0.0
        kept += weight[node]
    for node in range(len(weight)):
        weight[node] /= kept
