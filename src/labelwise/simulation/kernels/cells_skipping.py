"""Thompson sampling for the worst calibration error by exact skip-ahead: equal in law to `simulate_cells`, fewer draws.

As in `skipping.py`, an event wheel holds the steps at which a group may reach a threshold. "May reach" is a superset of
"reaches" (see `shortfall.py`): a group that fires is drawn conditionally on "may", and wins only if it does reach it.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from labelwise.simulation.kernels.cells import (
    REST,
    drawn_error,
    label_item,
    noted_cells,
    put_cells,
    set_cell,
    start_cells,
)
from labelwise.simulation.kernels.choice import closed, opened
from labelwise.simulation.kernels.compiler import compiled, inlined
from labelwise.simulation.kernels.event_wheel import N_SLOTS, put, put_due, scale_of, take_out
from labelwise.simulation.kernels.generator import State, seeded
from labelwise.simulation.kernels.shortfall import (
    move_cell,
    planned,
    reach_chance,
    reaching_gain,
    set_sums,
    start_cell,
)
from labelwise.simulation.kernels.skipping import LONGEST, PATIENCE, reset_calendar
from labelwise.simulation.kernels.threshold import CHANCE, SCALE

_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]
FEWEST_CELLED = 100  # with fewer open groups, plain steps are faster
_ROUNDS = 20
_TRIES = 1_000_000_000  # usually one; the bound ends a loop that rounding errors could make endless
_FEW, _MOST = 0.6, 1.8  # times the target: the number of firing groups at which a threshold is kept
_LEAST, _GREATEST = 1.0, 1.4  # the same for a new threshold
_START, _LOWEST, _PART = 6.0, 2.0, 0.25  # target: initial, minimum, maximum as a share of the open groups
_WORSE = 0.1  # relative growth of the target after a step that had to draw all groups
_WORTH = 16.0  # divided by the open groups: the share of such steps at which the target is optimal


@compiled
def _choice(
    cells: _Floats, n_cells: _Counts, open_groups: _Counts, n_open: int, last: int, tau: float, state: State
) -> tuple[int, State]:
    """Draw every open group given that none reaches tau, and return the one with the largest error."""
    best, pick = -math.inf, -1
    for i in range(-1, n_open):
        # the last winner first: a high leader cuts the draws of the others short
        g = last if i < 0 else open_groups[i]
        if g < 0 or (i >= 0 and g == last):
            continue
        for _ in range(_TRIES):
            gain, state = drawn_error(cells, n_cells[g], g, 1.0, best, state)
            if gain < tau:
                break
        if pick < 0 or gain > best or (gain == best and g < pick):
            best, pick = gain, g
    return pick, state


@compiled
def _total(
    firing: _Floats, cells: _Floats, plan: _Counts, sums: _Floats, open_groups: _Counts, n_open: int, tau: float
) -> float:
    """Compute the probability that each open group fires, and return their sum."""
    total = 0.0
    for i in range(n_open):
        g = open_groups[i]
        firing[g, CHANCE] = reach_chance(cells, plan, sums, g, tau)
        total += firing[g, CHANCE]
    return total


@compiled
def _searched(
    firing: _Floats,
    cells: _Floats,
    plan: _Counts,
    sums: _Floats,
    open_groups: _Counts,
    n_open: int,
    tau: float,
    target: float,
    stride: float,
) -> tuple[float, float, float]:
    """Search, by strides and then bisection, the threshold at which about `target` groups fire.

    Return the threshold, the expected number of firing groups, and the stride for the next search.
    """
    low, high, begin = -math.inf, math.inf, tau
    total = _total(firing, cells, plan, sums, open_groups, n_open, tau)
    for _ in range(_ROUNDS):
        if _LEAST * target <= total <= _GREATEST * target:
            break
        if total > _GREATEST * target:
            low = tau
        else:
            high = tau
        if low > -math.inf and high < math.inf:
            tau = 0.5 * (low + high)
        else:
            tau += stride if high == math.inf else -stride
            stride *= 2
        total = _total(firing, cells, plan, sums, open_groups, n_open, tau)
    return tau, total, max(1e-4, abs(tau - begin))


@inlined
def _fits(total: float, target: float) -> bool:
    return _FEW * target <= total <= _MOST * target


@compiled
def simulate_celled_thompson(
    sizes: _Counts,
    hits: _Counts,
    prior_a: _Floats,
    prior_b: _Floats,
    confidence: _Floats,
    budget: int,
    at: _Counts,
    seeds: NDArray[np.uint64],
    out_hits: NDArray[np.int32],
    out_labels: NDArray[np.int32],
    fewest: int,
) -> None:
    """Simulate Thompson sampling for the largest calibration error as `simulate_cells` does; faster from 100 groups on.

    Parameters are those of `simulate_cells`; with fewer than `fewest` open groups (usually `FEWEST_CELLED`), it takes
    plain steps.
    """
    n_groups, n_bins = sizes.shape
    cells, order = np.empty((n_groups, n_bins, 9)), np.empty((n_groups, n_bins), np.int64)
    n_cells = np.empty(n_groups, np.int64)
    put_cells(sizes, confidence, cells, order, n_cells)
    left, open_groups = np.empty(n_groups, np.int64), np.empty(n_groups, np.int64)
    got_hits, got = np.zeros((n_groups, n_bins), np.int64), np.zeros((n_groups, n_bins), np.int64)
    a, b = np.empty((n_groups, n_bins)), np.empty((n_groups, n_bins))  # in the order of the cells
    firing, fired = np.zeros((n_groups, 5)), np.empty(n_groups, np.int64)
    slots, entries = np.empty(N_SLOTS, np.int64), np.empty((n_groups, 3), np.int64)
    plan, n_knots, n_masses, n_sums = planned(cells, n_cells)
    first_knots, first_masses, first_sums = np.empty((n_knots, 3)), np.empty(n_masses), np.empty(n_sums)
    highest = 0.0
    for g in range(n_groups):
        for k in range(n_cells[g]):
            start = prior_a[g, order[g, k]], prior_b[g, order[g, k]]
            start_cell(cells, plan, first_knots, first_masses, g, k, start[0], start[1])
        if n_cells[g] > 0:
            set_sums(plan, first_masses, first_sums, n_cells[g], g, n_cells[g] - 1)
            highest = max(highest, cells[g, 0, REST])
    knots, masses, sums = first_knots.copy(), first_masses.copy(), first_sums.copy()
    for run in range(len(seeds)):
        state = seeded(seeds[run])
        n_left = start_cells(cells, order, n_cells, sizes, prior_a, prior_b, left, got_hits, got)
        knots[:], masses[:], sums[:] = first_knots, first_masses, first_sums
        for g in range(n_groups):
            for k in range(n_cells[g]):
                a[g, k], b[g, k] = prior_a[g, order[g, k]], prior_b[g, order[g, k]]
        n_open = opened(left, open_groups)
        now, end, last = 0, min(budget, n_left), -1
        seen = noted_cells(0, 0, at, run, got_hits, got, out_hits, out_labels)
        target = min(_START, _PART * n_open)
        tau, stride, total, patience, plain_until, tuned = highest, 0.05, 0.0, PATIENCE, 0, False
        while now < end:
            if n_open < fewest:
                tuned, plain_until = False, end
            if now >= plain_until and not (tuned and _fits(total, target)):
                tau, total, stride = _searched(firing, cells, plan, sums, open_groups, n_open, tau, target, stride)
                tuned = _fits(total, target)
                if tuned:
                    patience = PATIENCE
                    state = reset_calendar(firing, slots, entries, open_groups, n_open, now, end, state)
                else:
                    plain_until = now + patience
                    patience = min(2 * patience, LONGEST)
            now += 1
            if tuned:
                n_fired = put_due(slots, entries, now, fired)
                best, pick = tau, -1
                for i in range(n_fired):
                    g = fired[i]
                    gain, state = reaching_gain(
                        cells, plan, knots, masses, sums, n_cells[g], g, a[g], b[g], tau, best, state
                    )
                    if gain > best or (gain == best and (pick < 0 or g < pick)):
                        best, pick = gain, g
                target *= 1 - _WORSE * min(0.3, _WORTH / n_open)
                if pick < 0:
                    target *= 1 + _WORSE
                    pick, state = _choice(cells, n_cells, open_groups, n_open, last, tau, state)
                target = min(max(target, _LOWEST), _PART * n_open)
                for i in range(n_fired):
                    g = fired[i]
                    if g != pick:
                        take_out(slots, entries, g)
                        state = put(slots, entries, g, firing[g, SCALE], now, end, state)
                take_out(slots, entries, pick)
            else:
                pick, state = _choice(cells, n_cells, open_groups, n_open, last, math.inf, state)
            g = pick
            k, hit, state = label_item(g, order, sizes, hits, left, got_hits, got, state)
            if plain_until < end:
                move_cell(cells, plan, knots, masses, g, k, a[g, k], b[g, k], hit)
                set_sums(plan, masses, sums, n_cells[g], g, k)
            place = order[g, k]
            a[g, k] = prior_a[g, place] + got_hits[g, place]
            b[g, k] = prior_b[g, place] + (got[g, place] - got_hits[g, place])
            set_cell(cells, g, k, a[g, k], b[g, k])
            last = g
            if left[g] == 0:
                n_open = closed(g, open_groups, n_open)
                last = -1
            if tuned:
                total -= firing[g, CHANCE]
                if left[g] > 0:
                    firing[g, CHANCE] = reach_chance(cells, plan, sums, g, tau)
                    total += firing[g, CHANCE]
                    firing[g, SCALE] = scale_of(firing[g, CHANCE])
                    state = put(slots, entries, g, firing[g, SCALE], now, end, state)
            seen = noted_cells(now, seen, at, run, got_hits, got, out_hits, out_labels)
        while seen < len(at):
            seen = noted_cells(at[seen], seen, at, run, got_hits, got, out_hits, out_labels)
