"""Whole assessments of groups that share a map from scores to accuracies: the belief of `beliefs/learned/accuracy.py`.

A draw picks one node of the maps for all groups, and then each group's accuracy from its Beta. The nodes are laid anew
on a schedule; between two fits every label still counts in its own group.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from labelwise.simulation.kernels.beta import noted
from labelwise.simulation.kernels.calibration_map import fit_maps, n_nodes_of
from labelwise.simulation.kernels.choice import (
    BLIND_POLICIES,
    BORDER,
    MULTIPLE_PLAY,
    RANDOM_ITEM,
    REDRAWS,
    THOMPSON,
    TOP_TWO,
    blind,
    closed,
    is_started,
    judge,
    judge_sets,
    opened,
    put_leaders,
)
from labelwise.simulation.kernels.compiler import compiled, inlined
from labelwise.simulation.kernels.exceedance import SHORT, distance, hits_beyond, hits_far_off
from labelwise.simulation.kernels.gain import ESTIMATE, OVERALL, RANK
from labelwise.simulation.kernels.generator import State, Word, below, beta, seeded, uniform
from labelwise.simulation.kernels.mixture_gain import counts_under, move_drops, put_drops, put_overall_drops

_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]
MIXTURE_POLICIES = (*BLIND_POLICIES, THOMPSON, TOP_TWO, BORDER, MULTIPLE_PLAY)
"""The policies that `simulate_mixture` has: both random ones, and those that look at draws."""
_RARE = math.log(1e9)


@inlined
def _node(cumulative: _Floats, state: State) -> tuple[Word, State]:
    """Draw a node by its weight."""
    u, state = uniform(state)
    low, high = 0, len(cumulative) - 1
    while low < high:
        half = (low + high) // 2
        if cumulative[half] < u:
            low = half + 1
        else:
            high = half
    return np.int64(low), state


@inlined
def _add_up(f: Word, added: _Counts, since: _Counts, n_since: int, chance: _Floats, summed: _Floats) -> None:
    """Add the chances of items that were labelled since the last fit, as far as a node has not counted them yet."""
    for k in range(added[f], n_since):
        summed[f, since[k, 0]] += chance[f, since[k, 1]]
    added[f] = n_since


@inlined
def _noted(
    n_told: int,
    seen: int,
    at: _Counts,
    run: int,
    hits: _Counts,
    labels: _Counts,
    in_bin: _Floats,
    bin_hits: _Counts,
    out_hits: NDArray[np.int32],
    out_labels: NDArray[np.int32],
    out_in_bin: NDArray[np.int32],
    out_bin_hits: NDArray[np.int32],
) -> int:
    """Write all counts down if this many labels were asked for, and give how many snapshots there are."""
    now = noted(n_told, seen, at, run, hits, labels, out_hits, out_labels)
    for moment in range(seen, now):
        for h in range(len(bin_hits)):
            out_bin_hits[run, moment, h] = bin_hits[h]
            for g in range(len(hits)):
                out_in_bin[run, moment, g, h] = np.int32(in_bin[h, g])
    return now


@compiled
def simulate_mixture(
    policy: int,
    goal: int,
    sizes: _Counts,
    items: NDArray[np.uint8],
    begins: _Counts,
    x: _Floats,
    share: _Floats,
    whole: _Floats,
    middle: _Floats,
    spread: _Floats,
    strengths: _Floats,
    steepness: float,
    gain_weight: _Floats,
    offset: _Floats,
    m: int,
    parameter: float,
    growth: float,
    in_pool: bool,
    budget: int,
    at: _Counts,
    seeds: NDArray[np.uint64],
    out_hits: NDArray[np.int32],
    out_labels: NDArray[np.int32],
    out_in_bin: NDArray[np.int32],
    out_bin_hits: NDArray[np.int32],
) -> None:
    """Run one assessment a seed, and write hits and labels of each group after `at` labels.

    Parameters
    ----------
    policy : one of `MIXTURE_POLICIES`.
    goal, sizes, budget, at, seeds, out_hits, out_labels : as for `simulate_beta`; RANK, ESTIMATE or OVERALL.
    items, begins : twice the bin of each item, and one more for a hit; those of group g stand from begins[g] on.
    x, share, whole, middle, spread, strengths, steepness : of the maps, as for `fit_maps`.
    gain_weight, offset : of the gain.
    m : groups that multiple-play asks at once, and that border looks for.
    parameter : of border, as for `simulate_beta`.
    growth : the maps are fitted anew when there are so many times more labels than at the last fit; 1 for every label.
    in_pool : whether draws are of the accuracy on the pool, part of which is known, or of new items.
    out_in_bin, out_bin_hits : labels of each group in each bin and hits in each bin, as in `LabelCounts`, per snapshot.
    """
    n_groups, n_bins, n_nodes = len(sizes), len(x), n_nodes_of(len(strengths), len(middle))
    weight, accuracy, cumulative = np.empty(n_nodes), np.empty((n_nodes, n_groups)), np.empty(n_nodes)
    strength = np.repeat(strengths, n_nodes // len(strengths))
    summed, chance, explained = np.empty((n_nodes, n_groups)), np.empty((n_nodes, n_bins)), np.empty(n_groups)
    start_weight, start_accuracy, start_chance = weight.copy(), accuracy.copy(), chance.copy()
    start_explained, in_bin, bin_hits = explained.copy(), np.zeros((n_bins, n_groups)), np.zeros(n_bins, np.int64)
    odds, start_odds = np.empty(n_groups), np.empty(n_groups)
    zero = np.zeros(n_groups, np.int64)
    fit_maps(
        x, share, whole, zero, zero, in_bin, bin_hits, middle, spread, strengths, steepness, start_weight,
        start_accuracy, summed, start_chance, start_odds, start_explained,
    )  # fmt: skip
    urn, uses_maps = items.copy(), policy not in BLIND_POLICIES
    gains, lines, others = np.empty(n_groups), np.empty((n_groups, 2)), np.empty(n_groups)
    apart, moments = np.empty((n_nodes, n_groups)), np.empty((3, n_groups))
    draws, fitted = np.empty((n_nodes, n_groups, 4)), np.zeros(n_nodes, np.int64)
    # group and bin of each label since the last fit, and how many of them each node has added up and has draws for
    since, added, followed = np.empty((budget, 2), np.int64), np.zeros(n_nodes, np.int64), np.zeros(n_nodes, np.int64)
    set_in = np.zeros(n_groups, np.int64)
    left, got_hits, got = np.empty(n_groups, np.int64), np.empty(n_groups, np.int64), np.empty(n_groups, np.int64)
    open_groups, plays = np.empty(n_groups, np.int64), np.empty(max(m, 1), np.int64)
    all_groups, side = np.empty(n_groups, np.int64), np.zeros(n_groups, np.int64)
    n_all = opened(sizes, all_groups)
    for run in range(len(seeds)):
        state = seeded(seeds[run])
        n_left = 0
        for g in range(n_groups):
            left[g], got_hits[g], got[g] = sizes[g], 0, 0
            n_left += left[g]
        weight[:], accuracy[:], chance[:] = start_weight, start_accuracy, start_chance
        odds[:] = start_odds
        explained[:], summed[:], in_bin[:], bin_hits[:], urn[:] = start_explained, 0.0, 0.0, 0, items
        n_open = opened(left, open_groups)
        n_told, end, next_fit, n_fits, is_new_fit, last = 0, min(budget, n_left), 1.0, 0, True, -1
        fitted[:], added[:], followed[:], set_in[:] = 0, 0, 0, 0
        n_since, n_draws = 0, 0
        seen = _noted(0, 0, at, run, got_hits, got, in_bin, bin_hits, out_hits, out_labels, out_in_bin, out_bin_hits)
        while n_told < end:
            n_plays = 1
            explorer = policy if is_started(policy, parameter, n_told, n_all) else RANDOM_ITEM
            pick, state = blind(explorer, parameter, left, n_left, open_groups, n_open, state)
            if pick < 0 and is_new_fit:
                is_new_fit = False
                n_fits += 1
                total = 0.0
                for f in range(n_nodes):
                    total += weight[f]
                    cumulative[f] = total
                cumulative[n_nodes - 1] = 2.0
                if goal == ESTIMATE:
                    put_drops(
                        weight, strength, accuracy, summed, odds, explained, got_hits, got, sizes, gain_weight, in_pool,
                        apart, moments, others, lines,
                    )  # fmt: skip
            if goal == OVERALL and pick < 0:
                put_overall_drops(
                    weight, strength, accuracy, summed, odds, explained, got_hits, got, sizes, gain_weight, in_pool,
                    lines,
                )  # fmt: skip
            first, redraws = -1, 0
            while pick < 0:
                f, state = _node(cumulative, state)
                is_new, n_draws = fitted[f] < n_fits, n_draws + 1
                _add_up(f, added, since, n_since, chance, summed)
                for k in range(n_groups if is_new else n_since - followed[f]):
                    g = k if is_new else since[followed[f] + k, 0]
                    if set_in[g] < n_draws:  # a group may have had several labels since
                        set_in[g] = n_draws
                        a, b = counts_under(
                            strength[f], accuracy[f, g], summed[f, g], odds[g], explained[g], got_hits[g], got[g],
                            sizes[g], in_pool,
                        )  # fmt: skip
                        draws[f, g, 0], draws[f, g, 1], draws[f, g, 2], draws[f, g, 3] = a, b, a + b, a / (a + b)
                fitted[f], followed[f] = n_fits, n_since
                # after the last redraw the best but the first leader is wanted
                spared = first if redraws == REDRAWS and policy != BORDER else -1
                best, start = -math.inf, last
                for i in range(-1, n_all if policy == BORDER else n_open):
                    if policy == BORDER:  # groups without open items count as members of a set
                        g = all_groups[max(i, 0)]
                        if i < 0:
                            continue
                        if in_pool and left[g] == 0:
                            gains[g] = offset[g] + gain_weight[g] * (got_hits[g] / sizes[g])
                            continue
                    else:
                        # the last leader first: a gain that leads early spares the others their draw
                        g = start if i < 0 else open_groups[i]
                        if g < 0 or left[g] == 0 or (i >= 0 and g == start):
                            continue
                    if g == spared:
                        gains[g] = -math.inf
                        continue
                    looks_low, wanted = gain_weight[g] < 0, math.inf if gain_weight[g] < 0 else -math.inf
                    far, most, is_far = 0.0, 0.0, False
                    if goal == RANK and policy < BORDER and best > -math.inf:
                        wanted = (best - offset[g]) / gain_weight[g]
                        known = draws[f, g, 2]
                        if in_pool:  # of the items left, whose hits spread as if fewer labels had been seen
                            wanted = (wanted * sizes[g] - got_hits[g]) / left[g]
                            known *= left[g] / (known + left[g])
                        far = known * distance(draws[f, g, 3], wanted, looks_low)
                        if far > _RARE:  # by Chernoff's bound no draw goes this far but once in 1e9
                            gains[g] = -math.inf
                            continue
                        most = left[g] * (wanted if looks_low else 1 - wanted)
                        is_far = in_pool and far > 1 and most < SHORT
                    theta, more, is_beyond = 0.0, 0, True
                    if is_far:
                        more, is_beyond, state = hits_far_off(
                            left[g], draws[f, g, 0], draws[f, g, 1], far, most, looks_low, state
                        )
                    else:
                        theta, state = beta(draws[f, g, 0], draws[f, g, 1], state)
                        if goal != RANK:
                            gains[g] = lines[g, 0] + lines[g, 1] * theta
                            continue
                        if in_pool:
                            more, is_beyond, state = hits_beyond(left[g], theta, wanted, looks_low, state)
                    if not is_beyond:
                        gains[g] = -math.inf
                        continue
                    if in_pool:
                        theta = (got_hits[g] + more) / sizes[g]
                    gains[g] = offset[g] + gain_weight[g] * theta
                    if gains[g] > best:
                        best, last = gains[g], g
                if policy == BORDER:
                    pick, state = judge_sets(gains, all_groups, n_all, m, left, plays, side, redraws, state)
                    redraws += 1
                    continue
                if policy == MULTIPLE_PLAY:
                    n_plays = put_leaders(gains, open_groups, n_open, m, plays)
                    break
                pick, first, state = judge(policy, gains, open_groups, n_open, first, redraws, state)
                redraws += 1
            for play in range(min(n_plays, end - n_told)):
                g = plays[play] if policy == MULTIPLE_PLAY else pick
                place, state = below(left[g], state)
                place += begins[g]
                item = np.int64(urn[place])
                urn[place] = urn[begins[g] + left[g] - 1]
                got_hits[g] += item % 2
                bin_hits[item // 2] += item % 2
                in_bin[item // 2, g] += 1
                got[g] += 1
                left[g] -= 1
                n_left -= 1
                n_told += 1
                if left[g] == 0:
                    n_open = closed(g, open_groups, n_open)
                since[n_since, 0], since[n_since, 1] = g, item // 2
                n_since += 1
                if uses_maps and n_told >= next_fit and n_told < end:  # when the ledger does, so after every label
                    fit_maps(
                        x, share, whole, got_hits, got, in_bin, bin_hits, middle, spread, strengths, steepness, weight,
                        accuracy, summed, chance, odds, explained,
                    )  # fmt: skip
                    next_fit, is_new_fit = n_told * growth, True
                    n_since, added[:], followed[:] = 0, 0, 0
                if goal != RANK and policy >= THOMPSON:  # what is expected of a label reads all nodes
                    for f in range(n_nodes):
                        _add_up(f, added, since, n_since, chance, summed)
                if goal == ESTIMATE and policy >= THOMPSON and not is_new_fit:
                    move_drops(
                        weight, strength, accuracy, summed, odds, explained, g, got_hits[g], got[g], sizes[g],
                        gain_weight, in_pool, apart, moments, others, lines,
                    )  # fmt: skip
                seen = _noted(
                    n_told, seen, at, run, got_hits, got, in_bin, bin_hits, out_hits, out_labels, out_in_bin,
                    out_bin_hits,
                )  # fmt: skip
        while seen < len(at):
            seen = _noted(
                at[seen], seen, at, run, got_hits, got, in_bin, bin_hits, out_hits, out_labels, out_in_bin, out_bin_hits
            )
