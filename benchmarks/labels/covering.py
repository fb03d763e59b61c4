"""Which part of the intervals hold the truth: every pool, policy and target, ours beside the papers' prior."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.labels.pools import EVERY, pool
from labelwise.beliefs import FlatPrior, InformedPrior, LearnedPrior, Prior, Target
from labelwise.groups import Grouping, by_prediction
from labelwise.policies import Policy, RandomGroup, RandomItem, Thompson, TopTwo
from labelwise.pool import Pool, pool_from_arrays
from labelwise.questions import Estimate, Question, Worst
from labelwise.simulation import Scenario
from labelwise.simulation.compiled import play_compiled

_A_GROUP = (2, 5, 10, 50)
_LEVELS = (0.95, 0.90)
_DRAWS = 1_000
_RESAMPLED = 10  # pools drawn from a pool, whose items then are the population
_WAYS: tuple[tuple[Question, Policy], ...] = (
    (Estimate(), RandomItem()),
    (Estimate(), RandomGroup()),
    (Estimate(), Thompson()),
    (Worst(), Thompson()),
    (Worst(), TopTwo()),
)
_Floats = NDArray[np.float64]


@dataclass
class Coverage:
    """Shares of intervals that hold the truth: one entry a way of asking and count of labels, one row a level."""

    found: dict[str, _Floats]
    n_runs: int

    def said(self, level: int) -> str:
        """Give mean and least share, and where the least was found."""
        shares = {where: float(values[level]) for where, values in self.found.items()}
        where = min(shares, key=lambda name: shares[name])
        return f"{np.mean(list(shares.values())):.3f}, least {shares[where]:.3f} ({where})"

    def verdict(self) -> str:
        """Say whether means are within 3 points of the level, and no 95 % share is below 0.88."""
        values = np.stack(list(self.found.values()))
        gap = values.mean(axis=0) - np.array(_LEVELS)
        if (gap < -0.03).any() or values[:, 0].min() < 0.88:
            return "MISSED"
        return "wider than needed" if (gap > 0.03).any() else "reached"


def run(n_runs: int) -> None:
    print(f"mean over groups, {len(_WAYS)} ways of asking and {_A_GROUP} labels a group")
    for name in EVERY:
        of = pool(name)
        for target in ("pool", "population"):
            theirs: Prior = FlatPrior() if of.confidence is None else InformedPrior()
            one, ours = (_covered(of, target, prior, n_runs) for prior in (theirs, LearnedPrior()))
            print(f"{name}, {target}, {ours.n_runs} runs: {ours.verdict()}")
            print(f"  papers'  95 %: {one.said(0):<55}  90 %: {one.said(1)}")
            print(f"  learned  95 %: {ours.said(0):<55}  90 %: {ours.said(1)}", flush=True)


def _covered(of: Pool, target: Target, prior: Prior, n_runs: int) -> Coverage:
    """Play every way of asking, and score the intervals of all groups at every count."""
    whole = by_prediction(of)
    many = max(20, min(n_runs, n_runs * 20 // whole.n_groups))  # groups are averaged over: many need fewer runs
    hits = np.bincount(whole.of_item, of.hits, minlength=whole.n_groups)
    if target == "pool":
        truth, pools = hits / np.maximum(whole.n_items, 1), [whole]
    else:  # no chance is exactly 1, however good the pool
        truth = (hits + 0.5) / (whole.n_items + 1)
        pools = list(islice(_resampled(whole), _RESAMPLED))
    found: dict[str, list[_Floats]] = {}
    for number, groups in enumerate(pools):
        share = -(-many // len(pools))
        for question, policy in _WAYS:
            at = [a * groups.n_groups for a in _A_GROUP if a * groups.n_groups < 0.9 * groups.pool.n_items]
            scenario = Scenario(groups, question, policy, prior, at[-1])
            seeds = range(number * share, (number + 1) * share)
            with ThreadPoolExecutor(2) as threads:
                parts = threads.map(
                    lambda seed, s=scenario, at=at: _of_run(s, seed, np.array(at), target, truth, whole), seeds
                )
                shares = np.mean(list(parts), axis=0)  # (n_at, n_levels)
            asks = f"{type(question).__name__.lower()} {policy.name}"
            for a, values in zip(_A_GROUP, shares, strict=False):
                found.setdefault(f"{asks}, {a}", []).append(values)
    return Coverage({name: np.mean(values, axis=0) for name, values in found.items()}, many)


def _of_run(
    scenario: Scenario, seed: int, at: NDArray[np.int64], target: Target, truth: _Floats, whole: Grouping
) -> _Floats:
    """Give the share of groups whose interval holds the truth, shape (n_at, n_levels)."""
    counts = play_compiled(scenario, [seed], at)
    there = (whole.n_items > 0) & (scenario.groups.n_items > 0)
    rng = np.random.default_rng(seed)
    shares = np.empty((len(at), len(_LEVELS)))
    for moment in range(len(at)):
        belief: Any = scenario.stacked({name: array[0, moment] for name, array in counts.items()})
        draws = belief.draw(_DRAWS, target=target, rng=rng)[:, there]
        for place, level in enumerate(_LEVELS):
            low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2], axis=0)
            holds = (low <= truth[there] + 1e-12) & (truth[there] - 1e-12 <= high)
            shares[moment, place] = holds.mean()
    return shares


def _resampled(groups: Grouping) -> Iterator[Grouping]:
    """Draw pools of a population of items like these; one in a group's size turns into a hit or a miss alike."""
    of, rng = groups.pool, np.random.default_rng(0)
    size = groups.n_items[groups.of_item]
    chance = (size * of.hits + 0.5) / (size + 1)  # so that a group's is (its hits + 0.5) / (its size + 1)
    while True:
        item = rng.integers(of.n_items, size=of.n_items)
        predicted = of.prediction[item].astype(np.int64)
        hit = rng.uniform(size=of.n_items) < chance[item]
        yield by_prediction(
            pool_from_arrays(
                predicted=predicted,
                confidence=None if of.confidence is None else np.asarray(of.confidence)[item],
                labels=np.where(hit, predicted, (predicted + 1) % of.n_classes),
                classes=list(range(of.n_classes)),
            )
        )
