"""The whole pool's accuracy: width and coverage of its 95 % interval, ours beside the tools that estimate a mean.

The rivals get deciles of the confidence as strata and the confidence as proxy. Those that share labels out by Neyman's
rule stand here twice: with the spread that they take by themselves, and with that of a right-or-wrong label of that
confidence, c(1-c). A goal is the narrowest column that is honest in the same run: one that covers often enough.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from benchmarks.labels.pools import SCORED, pool
from benchmarks.labels.rows import row
from labelwise.beliefs import LearnedPrior
from labelwise.groups import by_score
from labelwise.policies import Thompson
from labelwise.pool import Pool
from labelwise.questions import Overall
from labelwise.simulation import Scenario, overall_coverage, overall_width, simulate

_Floats = NDArray[np.float64]
_Ends = tuple[float, float]
_LEVEL, _HONEST = 0.95, 0.93
_BUDGETS = (100, 200)
_Z = float(ndtri(0.5 + _LEVEL / 2))
_CELL = 20


@dataclass(frozen=True)
class _Case:
    """A pool as the rivals see it."""

    hits: _Floats
    confidence: _Floats
    stratum: NDArray[np.int64]

    @cached_property
    def truth(self) -> float:
        return float(self.hits.mean())

    @cached_property
    def variance(self) -> _Floats:
        """The variance of a right-or-wrong label in each stratum, if the confidence were right."""
        of_item = self.confidence * (1 - self.confidence)
        return np.bincount(self.stratum, of_item) / np.bincount(self.stratum)

    @cached_property
    def spread_proxy(self) -> _Floats:
        """The confidence, stretched in each stratum until its spread is that of a right-or-wrong label.

        glide's sampler takes no variances, it takes those of the proxy: so this is how it is told them.
        """
        found = self.confidence.copy()
        for stratum, variance in enumerate(self.variance):
            here = self.stratum == stratum
            spread = found[here].std(ddof=1)
            if spread > 0:  # a constant one stays so, and glide refuses it as it should
                found[here] = (found[here] - found[here].mean()) * np.sqrt(variance) / spread
        return found


@dataclass(frozen=True)
class _Cell:
    """What a column has on a pool: mean width, coverage, and the runs that gave no interval."""

    width: float
    coverage: float
    n_runs: int
    n_refused: int = 0

    @property
    def is_honest(self) -> bool:
        return self.coverage >= _HONEST

    def __str__(self) -> str:
        if self.n_refused == self.n_runs:
            return "refuses"
        error = np.sqrt(self.coverage * (1 - self.coverage) / self.n_runs)
        mark = "*" if self.n_refused else ""
        return f"{self.width:.4f}/{self.coverage:.3f}±{error:.3f}{mark}"


_Interval = Callable[[_Case, int, np.random.Generator], _Ends]


def run(n_runs: int) -> None:
    columns, missing = _columns()
    if missing:
        print(f"Without {', '.join(missing)}, which cannot be imported here: no row is judged.")
    cases = [(name, pool(name)) for name in SCORED]
    ours = [_ours(of, n_runs) for _, of in cases]
    for budget in reversed(_BUDGETS):
        what = f"whole pool, {budget} labels, width/coverage"
        row(what, _line(columns), f"{'labelwise':>{_CELL}}", "honest best")
        for (name, of), own in zip(cases, ours, strict=True):
            theirs = [_cell(interval, _case(of), budget, n_runs) for interval in columns.values()]
            mine, goal = own[budget], min((cell.width for cell in theirs if cell.is_honest), default=np.inf)
            reached = None if missing else bool(mine.is_honest and mine.width <= goal)
            row(name, _line(theirs), str(mine), f"{goal:.4f}" if goal < np.inf else "none", reached)
    print(f"Honest: coverage of {_HONEST} or more. * some runs refused, which counts as not covering.")


def _line(cells: Any) -> str:
    return "".join(f"{cell!s:>{_CELL}}" for cell in cells)


def _case(of: Pool) -> _Case:
    assert of.confidence is not None  # every pool of SCORED has one
    _, stratum = np.unique(by_score(of, 10, equal="mass").of_item, return_inverse=True)
    return _Case(np.asarray(of.hits, dtype=float), np.asarray(of.confidence, dtype=float), stratum)


def _ours(of: Pool, n_runs: int) -> dict[int, _Cell]:
    groups = by_score(of, 20, equal="mass")
    scenario = Scenario(groups, Overall(), Thompson(), LearnedPrior(), _BUDGETS[-1], target="pool")
    scores = [overall_width(_LEVEL), overall_coverage(_LEVEL)]
    found = simulate(scenario, scores, n_runs=n_runs, at=_BUDGETS)
    width, coverage = (found.mean[score.name] for score in scores)
    return {n: _Cell(float(width[k]), float(coverage[k]), n_runs) for k, n in enumerate(_BUDGETS)}


def _cell(interval: _Interval, case: _Case, budget: int, n_runs: int) -> _Cell:
    widths, n_covered = [], 0
    for seed in range(n_runs):
        try:
            low, high = interval(case, budget, np.random.default_rng([seed, budget]))
        except ValueError:  # how glide refuses
            continue
        widths.append(high - low)
        n_covered += low <= case.truth <= high
    width = float(np.mean(widths)) if widths else np.inf
    return _Cell(width, n_covered / n_runs, n_runs, n_runs - len(widths))


def _columns() -> tuple[dict[str, _Interval], list[str]]:
    """Return the columns whose package is here, and the packages that are not."""
    columns: dict[str, _Interval] = {"random + Wilson": _wilson}
    rivals: dict[str, dict[str, _Interval]] = {
        "ppi_py": {"PPI++": _ppi},
        "glide": {"glide": partial(_glide, False), "glide, c(1-c)": partial(_glide, True)},
        "ssepy": {"ssepy": partial(_ssepy, False), "ssepy, c(1-c)": partial(_ssepy, True)},
    }
    missing = []
    for package, its in rivals.items():
        try:
            import_module(package)
        except ImportError:
            missing.append(package)
        else:
            columns.update(its)
    return columns, missing


def _wilson(case: _Case, budget: int, rng: np.random.Generator) -> _Ends:
    share = float(case.hits[rng.choice(len(case.hits), budget, replace=False)].mean())
    shrunk = 1 + _Z**2 / budget
    centre = (share + _Z**2 / (2 * budget)) / shrunk
    half = _Z / shrunk * np.sqrt(share * (1 - share) / budget + _Z**2 / (4 * budget**2))
    return centre - half, centre + half


def _ppi(case: _Case, budget: int, rng: np.random.Generator) -> _Ends:
    order = rng.permutation(len(case.hits))
    asked, rest = order[:budget], order[budget:]
    confidence = case.confidence
    ends = import_module("ppi_py").ppi_mean_ci(
        case.hits[asked], confidence[asked], confidence[rest], alpha=1 - _LEVEL
    )  # (2, 1)
    return float(ends[0][0]), float(ends[1][0])


def _glide(is_told: bool, case: _Case, budget: int, rng: np.random.Generator) -> _Ends:
    """Sample and estimate with glide: its Neyman allocation, its stratified PPI++.

    It refuses a stratum with fewer than two labels or with one confidence only, and labels that are all right.
    """
    proxy = case.spread_proxy if is_told else case.confidence
    sampler = import_module("glide.samplers").StratifiedSampler()
    asked = sampler.sample(proxy, case.stratum, budget, strategy="neyman", random_seed=int(rng.integers(2**31)))
    known = np.where(asked == 1, case.hits, np.nan)
    estimator = import_module("glide.estimators").StratifiedPPIMeanEstimator()
    found = estimator.estimate(known, case.confidence, case.stratum, confidence_level=_LEVEL).confidence_interval
    return float(found.lower_bound), float(found.upper_bound)


def _ssepy(is_told: bool, case: _Case, budget: int, rng: np.random.Generator) -> _Ends:
    """Sample and estimate with ssepy: its Neyman allocation, its tuned difference estimator, finite population.

    By itself it takes no variance below 0.05. Told smaller ones it may leave a stratum without labels, and then counts
    all of that stratum as wrong.
    """
    seed = int(rng.integers(2**31))
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002 - it draws from both global generators and takes no other
    evaluator = import_module("ssepy").ModelPerformanceEvaluator(case.confidence, budget)
    evaluator.stratify_data(_Strata(case.stratum))
    evaluator.allocate_budget("neyman", variances=case.variance if is_told else None)
    asked = evaluator.sample("ssrs")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # the variance of a single label
        mean, variance = evaluator.compute_estimate(case.hits[asked], "df", tune_power=True)
    half = _Z * float(np.sqrt(variance[0]))
    return float(mean[0]) - half, float(mean[0]) + half


@dataclass(frozen=True)
class _Strata:
    """Strata that are known already, in the shape of the clustering that ssepy wants."""

    stratum: NDArray[np.int64]

    def fit(self, _: Any) -> _Strata:
        return self

    def predict(self, _: Any) -> NDArray[np.int64]:
        return self.stratum
