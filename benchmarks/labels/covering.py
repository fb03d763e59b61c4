"""Which part of the intervals hold the truth: every pool, policy and target, ours beside the papers' prior."""

from __future__ import annotations

from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.labels.pools import EVERY, pool
from labelwise.beliefs import FlatPrior, InformedPrior, LearnedPrior, Prior, Target
from labelwise.groups import Grouping, by_prediction
from labelwise.policies import Policy, RandomGroup, RandomItem, Thompson, TopTwo
from labelwise.pool import pool_from_arrays
from labelwise.questions import Estimate, Question, Worst
from labelwise.simulation import Scenario
from labelwise.simulation.compiled import play_compiled

_A_GROUP = (2, 5, 10, 50)
_LEVELS = (0.95, 0.90)
_DRAWS = 1_000
_PIECES = 20  # of the runs; about new items each has a pool drawn from the pool, whose items then are the population
_MANY = 20  # groups: where there are more, fewer runs do
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
    """Shares of intervals that hold the truth, by way of asking and count of labels.

    Attributes
    ----------
    share, error : mean over runs and its standard error; one number a level. Runs on one drawn pool count as one.
    """

    share: dict[str, _Floats]
    error: dict[str, _Floats]
    n_runs: int

    def said(self, level: int) -> str:
        """Return mean and least share, each with its standard error, and where the least was found."""
        where = min(self.share, key=lambda name: float(self.share[name][level]))
        mean = np.mean([values[level] for values in self.share.values()])
        # the ways share pools and seeds, so their errors do not cancel: at most their mean
        error = np.mean([values[level] for values in self.error.values()])
        least, its_error = self.share[where][level], self.error[where][level]
        return f"{mean:.3f} +- {error:.3f}, least {least:.3f} +- {its_error:.3f} ({where})"

    def verdict(self) -> str:
        """Return whether means are within 3 points of the level, and no 95 % share is below 0.88."""
        values = np.stack(list(self.share.values()))
        gap = values.mean(axis=0) - np.array(_LEVELS)
        if (gap < -0.03).any() or values[:, 0].min() < 0.88:
            return "MISSED"
        return "wider than needed" if (gap > 0.03).any() else "reached"


def run(n_runs: int) -> None:
    print(f"mean over groups, {len(_WAYS)} ways of asking and {_A_GROUP} labels per group; with standard errors")
    with ProcessPoolExecutor(2) as processes:
        for name in EVERY:
            for target in ("pool", "population"):
                one, ours = (_covered(processes, name, target, is_ours, n_runs) for is_ours in (False, True))
                print(f"{name}, {target}, {ours.n_runs} runs: {ours.verdict()}")
                print(f"  papers'  95 %: {one.said(0):<72}  90 %: {one.said(1)}")
                print(f"  learned  95 %: {ours.said(0):<72}  90 %: {ours.said(1)}", flush=True)


def _covered(processes: Executor, name: str, target: Target, is_ours: bool, n_runs: int) -> Coverage:
    """Play every way of asking, and score the intervals of all groups at every count."""
    n_groups = _grouping(name).n_groups
    many = n_runs if n_groups <= _MANY else max(20, n_runs * _MANY // n_groups)  # groups are averaged over
    pieces = min(_PIECES, many)
    edges = [many * piece // pieces for piece in range(pieces + 1)]
    share: dict[str, _Floats] = {}
    error: dict[str, _Floats] = {}
    for way, (question, policy) in enumerate(_WAYS):
        work = partial(_of_piece, name, target, is_ours, way)
        parts = list(processes.map(work, range(pieces), edges[:-1], edges[1:]))
        runs = np.concatenate(parts)
        # runs on one pool share its luck
        apart = runs if target == "pool" else np.stack([part.mean(axis=0) for part in parts])
        errors = apart.std(axis=0, ddof=1) / np.sqrt(len(apart))
        for a, values, its_error in zip(_A_GROUP, runs.mean(axis=0), errors, strict=False):
            asks = f"{type(question).__name__.lower()} {policy.name}, {a}"
            share[asks], error[asks] = values, its_error
    return Coverage(share, error, many)


def _of_piece(name: str, target: Target, is_ours: bool, way: int, piece: int, first: int, last: int) -> _Floats:
    """Return shares of a piece of the runs, shape (n_runs, n_at, n_levels): about one pool, or one drawn from it."""
    whole = _grouping(name)
    hits = np.bincount(whole.of_item, whole.pool.hits, minlength=whole.n_groups)
    if target == "pool":
        truth, groups = hits / np.maximum(whole.n_items, 1), whole
    else:  # no chance is exactly 1, however good the pool
        truth, groups = (hits + 0.5) / (whole.n_items + 1), _resampled(name, piece)
    theirs: Prior = FlatPrior() if whole.pool.confidence is None else InformedPrior()
    at = [a * groups.n_groups for a in _A_GROUP if a * groups.n_groups < 0.9 * groups.pool.n_items]
    question, policy = _WAYS[way]
    scenario = Scenario(groups, question, policy, LearnedPrior() if is_ours else theirs, at[-1])
    return np.stack([_of_run(scenario, seed, np.array(at), target, truth, whole) for seed in range(first, last)])


@lru_cache(1)
def _grouping(name: str) -> Grouping:
    return by_prediction(pool(name))


def _of_run(
    scenario: Scenario, seed: int, at: NDArray[np.int64], target: Target, truth: _Floats, whole: Grouping
) -> _Floats:
    """Return the share of groups whose interval holds the truth, shape (n_at, n_levels)."""
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


@lru_cache(_PIECES)
def _resampled(name: str, piece: int) -> Grouping:
    """Draw a pool of a population of items like these; one in a group's size turns into a hit or a miss alike."""
    groups, rng = _grouping(name), np.random.default_rng(piece)
    of, size = groups.pool, groups.n_items[groups.of_item]
    chance = (size * of.hits + 0.5) / (size + 1)  # so that a group's is (its hits + 0.5) / (its size + 1)
    item = rng.integers(of.n_items, size=of.n_items)
    predicted = of.prediction[item].astype(np.int64)
    hit = rng.uniform(size=of.n_items) < chance[item]
    return by_prediction(
        pool_from_arrays(
            predicted=predicted,
            confidence=None if of.confidence is None else np.asarray(of.confidence)[item],
            labels=np.where(hit, predicted, (predicted + 1) % of.n_classes),
            classes=list(range(of.n_classes)),
        )
    )
