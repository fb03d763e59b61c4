"""Compiled engine: converts a scenario to the arrays of a kernel, and its output to the counts of each run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import Belief, BetaBelief, CellBelief, DirichletBelief, LearnedAccuracy, LearnedConfusion
from labelwise.beliefs.belief import AccuracyBelief, ConfusionBelief
from labelwise.beliefs.learned.constants import REFIT
from labelwise.beliefs.learned.group_slope import steepness_in
from labelwise.errors import UnanswerableError
from labelwise.metrics import ECE, ExpectedCost
from labelwise.metrics.accuracy import Accuracy
from labelwise.metrics.bias import CalibrationBias
from labelwise.policies import Policy
from labelwise.questions import Best, Compare, Estimate, Overall, Worst
from labelwise.simulation.kernels.beta import simulate_beta
from labelwise.simulation.kernels.cells import CELL_POLICIES, simulate_cells
from labelwise.simulation.kernels.cells_skipping import FEWEST_CELLED, simulate_celled_thompson
from labelwise.simulation.kernels.choice import BLIND_POLICIES, BORDER, POLICY_CODES, THOMPSON
from labelwise.simulation.kernels.dirichlet import DIRICHLET_POLICIES, simulate_dirichlet
from labelwise.simulation.kernels.gain import COMPARE, ESTIMATE, OVERALL, RANK
from labelwise.simulation.kernels.mixture import MIXTURE_POLICIES, simulate_mixture
from labelwise.simulation.kernels.skipping import FEWEST, simulate_thompson
from labelwise.simulation.kernels.upper import ESTIMATE_DRAWS, RANK_DRAWS
from labelwise.simulation.scenario import Scenario

_Counts = dict[str, NDArray[Any]]
_KINDS = (Worst.kind, Best.kind, Estimate.kind, Overall.kind, Compare.kind)


def play_compiled(scenario: Scenario, seeds: Sequence[int], at: NDArray[np.int64]) -> _Counts:
    """Simulate one run per seed, and return the counts after `at` labels, shape (n_runs, n_at, ...).

    Examples
    --------
    >>> import labelwise as lw
    >>> from labelwise.simulation import Scenario
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 30 + ["dog"] * 10, labels=["cat"] * 40)
    >>> scenario = Scenario(lw.by_prediction(pool), lw.Worst(lw.accuracy), lw.Thompson())
    >>> play_compiled(scenario, [1], np.array([40]))["labels"]
    array([[[30, 10]]], dtype=int32)
    """
    check_compiled(scenario)
    start = scenario.start
    run_seeds = np.array(seeds, np.uint64)
    if isinstance(start, CellBelief):
        return _cells(scenario, start, at, run_seeds)
    if isinstance(start, ConfusionBelief):
        return _dirichlet(scenario, start, at, run_seeds)
    if isinstance(start, LearnedAccuracy):
        return _mixture(scenario, start, at, run_seeds)
    return _beta(scenario, BetaBelief.of(start), at, run_seeds)


def check_compiled(scenario: Scenario) -> None:
    """Raise UnanswerableError if only the exact engine can simulate this scenario."""
    question, metric, policy = scenario.question, scenario.question.metric, scenario.policy.name
    described = f"{type(question).__name__} of {metric.name}"
    of_confusion = (metric.name,) if question.is_estimate else (ExpectedCost.name,)
    metrics_of: dict[type[Belief], tuple[str, ...]] = {
        BetaBelief: (Accuracy.name, CalibrationBias.name),
        LearnedAccuracy: (Accuracy.name, CalibrationBias.name),
        CellBelief: (ECE.name,),
        DirichletBelief: of_confusion,
        LearnedConfusion: of_confusion,
    }
    policies_of = {
        CellBelief: CELL_POLICIES,
        DirichletBelief: DIRICHLET_POLICIES,
        LearnedAccuracy: MIXTURE_POLICIES,
        LearnedConfusion: BLIND_POLICIES,  # no kernel computes gains of this belief
    }
    policies = policies_of.get(type(scenario.start), POLICY_CODES)
    supported = metric.name in metrics_of.get(type(scenario.start), ()) and question.kind in _KINDS
    inner = scenario.start.accuracies
    is_learned = inner is not None and inner.is_learned
    if metric.name == ECE.name:
        supported = supported and question.is_ranking and not is_learned
    if question.is_comparison:
        supported = supported and metric.is_share_of_hits and not is_learned
    uses_belief = POLICY_CODES.get(policy) not in BLIND_POLICIES
    if POLICY_CODES.get(policy) == BORDER:
        supported = supported and question.is_ranking
    if scenario.target == "pool" and not question.is_comparison and uses_belief:
        described += " about the pool"
        supported = supported and is_learned
    if question.kind == Overall.kind and uses_belief:
        supported = supported and is_learned
    if scenario.groups.n_left_out and isinstance(scenario.start, (CellBelief, ConfusionBelief)):
        described += " without small groups"
        supported = False  # the kernels of these beliefs take the sizes of all groups
    codes = list(policies.values()) if isinstance(policies, dict) else list(policies)
    if not supported or POLICY_CODES.get(policy) not in codes or _is_mixed(scenario):
        raise UnanswerableError(
            f"The compiled engine cannot simulate {described} with {policy}. Use the exact engine or another policy."
        )


def _is_mixed(scenario: Scenario) -> bool:
    """Return whether the rows of the confusion matrix are finer than the groups."""
    return scenario.start.outer is not scenario.start.groups


def _parameter(policy: Policy) -> float:
    return next((float(getattr(policy, name)) for name in ("epsilon", "level", "start") if hasattr(policy, name)), 0.0)


def _empty(scenario: Scenario, n_runs: int, n_at: int, *shape: int) -> NDArray[np.int32]:
    return np.zeros((n_runs, n_at, *shape), np.int32)


def _gain_line(scenario: Scenario, goal: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return weight and offset of each group: gain = weight * accuracy + offset."""
    groups = scenario.groups
    if goal != RANK:
        return np.where(groups.candidates, groups.share, 0.0), np.zeros(groups.n_groups)
    weight, offset = np.full(groups.n_groups, scenario.question.sign), np.zeros(groups.n_groups)
    if not scenario.question.metric.is_share_of_hits:  # but the bias
        weight, offset = -weight, weight * np.nan_to_num(groups.mean_confidence)
    return weight, offset


def _mixture(scenario: Scenario, start: LearnedAccuracy, at: NDArray[np.int64], seeds: NDArray[np.uint64]) -> _Counts:
    goal = {Estimate.kind: ESTIMATE, Overall.kind: OVERALL}.get(scenario.question.kind, RANK)
    sizes = scenario.can_be_asked.astype(np.int64)
    settings, scores = start.prior.settings, start.scores
    share, steepness = np.ascontiguousarray(scores.share.T), steepness_in(scores, settings["steepness"])
    n_directions, n_bins = 2 if scores.has_scores else 1, len(scores.x)
    hits, labels = (_empty(scenario, len(seeds), len(at), start.n_groups) for _ in range(2))
    in_bin = _empty(scenario, len(seeds), len(at), start.n_groups, n_bins)
    bin_hits = _empty(scenario, len(seeds), len(at), n_bins)
    simulate_mixture(
        POLICY_CODES[scenario.policy.name], goal, sizes, *_urns(scenario, start), scores.x, share,
        scores.whole[:, None], settings["middle"][:n_directions], settings["spread"][:n_directions],
        settings["strengths"], steepness, *_gain_line(scenario, goal),
        scenario.question.plays, _parameter(scenario.policy), REFIT, scenario.target == "pool", scenario.budget, at,
        seeds, hits, labels, in_bin, bin_hits,
    )  # fmt: skip
    return {"hits": hits, "labels": labels, "in_bin": in_bin, "bin_hits": bin_hits}


def _urns(scenario: Scenario, start: LearnedAccuracy) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return 2 * bin + hit of every item, sorted by group, and the first position of each group."""
    groups, pool = scenario.groups, scenario.groups.pool
    hit = pool.prediction == pool.known_labels("a simulation")
    bins = np.zeros(pool.n_items, np.uint8) if start.scores.bin_of_item is None else start.scores.bin_of_item
    order = np.argsort(groups.of_item, kind="stable")
    return (2 * bins + hit).astype(np.uint8)[order], np.cumsum(groups.n_items) - groups.n_items


def _beta(scenario: Scenario, start: BetaBelief, at: NDArray[np.int64], seeds: NDArray[np.uint64]) -> _Counts:
    question, groups = scenario.question, scenario.groups
    n_groups, code = groups.n_groups, POLICY_CODES[scenario.policy.name]
    goal = ESTIMATE if question.is_estimate else COMPARE if question.is_comparison else RANK
    weight, offset = _gain_line(scenario, goal)
    (one, other), margin = (question.pair(groups), question.margin) if isinstance(question, Compare) else ((0, 0), 0.0)
    hits, labels = (_empty(scenario, len(seeds), len(at), n_groups) for _ in range(2))
    sizes = scenario.can_be_asked.astype(np.int64)
    pool_hits = np.where(sizes > 0, AccuracyBelief.of(scenario.known).hits, 0).astype(np.int64)
    prior = np.array(start.prior_a), np.array(start.prior_b)
    if code == THOMPSON and goal != COMPARE and (sizes > 0).sum() >= FEWEST:
        simulate_thompson(
            goal, sizes, pool_hits, *prior, weight, offset, scenario.budget, at, seeds, hits, labels, FEWEST
        )
    else:
        simulate_beta(
            code, goal, sizes, pool_hits, *prior, weight, offset, question.plays, _parameter(scenario.policy), one,
            other, margin, scenario.budget, at, seeds, hits, labels,
        )  # fmt: skip
    return {"hits": hits, "labels": labels}


def _cells(scenario: Scenario, start: CellBelief, at: NDArray[np.int64], seeds: NDArray[np.uint64]) -> _Counts:
    shape = start.mean().shape
    beta, known = BetaBelief.of(start.beta), CellBelief.of(scenario.known).accuracies
    hits, labels = (_empty(scenario, len(seeds), len(at), *shape) for _ in range(2))
    code, sign = POLICY_CODES[scenario.policy.name], scenario.question.sign
    sizes, pool_hits = (counts.reshape(shape).astype(np.int64) for counts in (start.cells.n_items, known.hits))
    pool = (
        sizes,
        pool_hits,
        beta.prior_a.reshape(shape).copy(),
        beta.prior_b.reshape(shape).copy(),
        start.confidence.copy(),
    )
    out = scenario.budget, at, seeds, hits, labels
    if code == THOMPSON and sign > 0 and (sizes.sum(axis=1) > 0).sum() >= FEWEST_CELLED:
        simulate_celled_thompson(*pool, *out, FEWEST_CELLED)
    else:
        simulate_cells(code, sign, *pool, scenario.question.plays, _parameter(scenario.policy), *out)
    flat = (len(seeds), len(at), shape[0] * shape[1])
    return {"hits": hits.reshape(flat), "labels": labels.reshape(flat)}


def _dirichlet(scenario: Scenario, start: ConfusionBelief, at: NDArray[np.int64], seeds: NDArray[np.uint64]) -> _Counts:
    question = scenario.question
    prior_alpha, known = start.taught.prior_alpha, ConfusionBelief.of(scenario.known)
    is_estimate = question.is_estimate
    counts = _empty(scenario, len(seeds), len(at), *start.counts.shape)
    if is_estimate:
        weight, cost = scenario.groups.share.copy(), np.zeros(start.counts.shape)
    else:
        weight = np.full(scenario.groups.n_groups, question.sign)
        assert isinstance(question.metric, ExpectedCost)  # guaranteed by check_compiled
        cost = question.metric.by_cell(start)
    simulate_dirichlet(
        POLICY_CODES[scenario.policy.name], ESTIMATE if is_estimate else RANK, known.counts.astype(np.int64),
        np.array(prior_alpha), weight, np.array(cost, float), question.plays, _parameter(scenario.policy),
        scenario.budget, at, seeds, counts, ESTIMATE_DRAWS if is_estimate else RANK_DRAWS,
    )  # fmt: skip
    return {"counts": counts}
