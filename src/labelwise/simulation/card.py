"""Coverage card: the simulated coverage of each kind of interval under several stopping rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc

from labelwise.beliefs import InformedPrior, LearnedAccuracy, LearnedPrior, always_valid, beta_interval
from labelwise.checks import check_between, check_count
from labelwise.groups import Grouping, by_prediction
from labelwise.pool import Frame, pool_from_arrays

_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]
_Bools = NDArray[np.bool_]
_Ends = Callable[[_Counts, _Counts], tuple[_Floats, _Floats]]
Step = Callable[[str], None]

ACCURACIES = (0.6, 0.7, 0.8, 0.9, 0.95)
EQUAL = 0.8
CONFIDENCES = (0.9, 1.0)
FIXED, LONGEST = 20, 1_000
WIDTH, STRIDE = 0.2, 10
LOOKS = (1, 2, 5, 10, 20, 50, 100, 200, 400, 700, 1_000)

COLUMNS = ("flat prior", "informed prior", "learned prior", "always valid")
ROWS = {
    "fixed": f"once, after {FIXED} labels",
    "width": f"at width {WIDTH:g}, checked every {STRIDE} labels",
    "looks": f"{len(LOOKS)} times up to {LONGEST:,} labels",
    "every": f"at every label up to {LONGEST:,}",
    "worst": f"worst of {len(ACCURACIES)} equal groups, at {FIXED} labels",
}
WORLD = (
    f"{len(ACCURACIES)} groups with accuracies {', '.join(f'{a:g}' for a in ACCURACIES[:-1])} and {ACCURACIES[-1]:g} "
    f"({EQUAL:g} each in the last row), labelled evenly; each group is inspected in the same number of runs. The "
    f"classifier is overconfident: its scores lie between {CONFIDENCES[0]:g} and {CONFIDENCES[1]:g}. The informed "
    "prior is worth two labels, as in the papers."
)
_BLOCK = 500  # runs per block: 20 MB
_LEARNED_PART = 5  # one run in five uses the learned prior, which has no closed form
_HALVINGS = 16
_LIGHT = 1e-6  # mixture nodes with less weight are ignored


@dataclass(frozen=True)
class Cell:
    """Coverage of one kind of interval under one stopping rule.

    Examples
    --------
    >>> cell = Cell(95, 100)
    >>> cell.share, round(cell.error, 4)
    (0.95, 0.0227)
    """

    n_covered: int
    n_runs: int

    @property
    def share(self) -> float:
        """The share of runs whose interval covers the truth."""
        return self.n_covered / self.n_runs

    @property
    def error(self) -> float:
        """The standard error of the share; half a run is added to both outcomes so that it is never 0."""
        share = (self.n_covered + 0.5) / (self.n_runs + 1)
        return float(np.sqrt(share * (1 - share) / self.n_runs))


@dataclass(frozen=True)
class Card:
    """Coverage by stopping rule (row) and kind of interval (column).

    Attributes
    ----------
    level, seed : level of the intervals, and seed of the runs.
    cells : by row and column; None where nothing was simulated.
    """

    level: float
    seed: int
    cells: dict[tuple[str, str], Cell | None]

    def frame(self) -> Frame:
        """Return a tidy table with one row per cell."""
        cells = {key: cell for key, cell in self.cells.items() if cell is not None}
        return Frame(
            {
                "looked": [ROWS[row] for row, _ in cells],
                "interval": [column for _, column in cells],
                "covered": [cell.share for cell in cells.values()],
                "error": [cell.error for cell in cells.values()],
                "runs": [cell.n_runs for cell in cells.values()],
            }
        )


def coverage_card(*, n_runs: int = 2_000, level: float = 0.95, seed: int = 0, step: Step | None = None) -> Card:
    """Simulate labelling, and measure the coverage of each kind of interval under several stopping rules.

    Parameters
    ----------
    n_runs : runs per cell; a fifth of them for the learned prior.
    step : called with a progress message.

    Examples
    --------
    >>> card = coverage_card(n_runs=50, seed=1)
    >>> card.cells["every", "always valid"].share > 0.9 > card.cells["every", "flat prior"].share
    True
    """
    check_count(n_runs, "n_runs", least=_LEARNED_PART)
    check_between(level, "level", 0, 1)
    check_count(seed, "seed", least=0)
    report = step or (lambda message: None)
    groups = _groups()
    a, b = (float(pseudo[0]) for pseudo in InformedPrior().beta(groups))
    closed = {
        "flat prior": _beta_table(1.0, 1.0, level),
        "informed prior": _beta_table(a, b, level),
        "always valid": _always_table(level),
    }
    blocks: dict[tuple[str, str], list[_Bools]] = {}
    starts = range(0, n_runs, _BLOCK)
    children = np.random.SeedSequence(seed).spawn(len(starts))
    for start, child in zip(starts, children, strict=True):
        report(f"{start:,} of {n_runs:,} runs")
        world = _World.drawn(min(_BLOCK, n_runs - start), np.random.default_rng(child))
        for column, table in closed.items():
            for row, covered in table.covered(world).items():
                blocks.setdefault((row, column), []).append(covered)
        n_learned = -(-world.n_runs // _LEARNED_PART)
        for r in range(n_learned):
            report(f"{start:,} of {n_runs:,} runs, {r:,} of {n_learned:,} with the learned prior")
            for row, is_covered in _learned(world, r, groups, level).items():
                blocks.setdefault((row, "learned prior"), []).append(np.array([is_covered]))
    cells: dict[tuple[str, str], Cell | None] = {(row, column): None for row in ROWS for column in COLUMNS}
    for key, parts in blocks.items():
        whole = np.concatenate(parts)
        cells[key] = Cell(int(whole.sum()), len(whole))
    return Card(level, seed, cells)


def _groups() -> Grouping:
    predicted = np.repeat(np.arange(len(ACCURACIES)), LONGEST)
    confidence = np.tile(np.linspace(*CONFIDENCES, LONGEST), len(ACCURACIES))
    return by_prediction(pool_from_arrays(predicted=predicted, confidence=confidence))


@dataclass(frozen=True, eq=False)
class _World:
    """Simulated labels of a block of runs.

    Attributes
    ----------
    hits : hits of each run and group after 1, 2, ... labels, shape (n_runs, n_groups, LONGEST).
    equal : hits of equally accurate groups after FIXED labels, shape (n_runs, n_groups).
    looked : the group that each run inspects.
    """

    hits: NDArray[np.int16]
    equal: _Counts
    looked: _Counts

    @classmethod
    def drawn(cls, n_runs: int, rng: np.random.Generator) -> _World:
        accuracies = np.array(ACCURACIES, np.float32)
        is_hit = rng.random((n_runs, len(accuracies), LONGEST), np.float32) < accuracies[:, None]
        equal = rng.binomial(FIXED, EQUAL, (n_runs, len(accuracies)))
        return cls(np.cumsum(is_hit, axis=2, dtype=np.int16), equal, np.arange(n_runs) % len(accuracies))

    @property
    def n_runs(self) -> int:
        return len(self.looked)

    @property
    def truth(self) -> _Floats:
        return np.array(ACCURACIES)[self.looked]


class _Table:
    """Precomputed intervals for every number of labels n and of hits, 0 to n."""

    def __init__(self, ends: _Ends) -> None:
        size = np.arange(1, LONGEST + 1) + 1
        self._first = np.cumsum(size) - size
        n = np.repeat(np.arange(1, LONGEST + 1), size)
        self._low, self._high = ends(np.arange(size.sum()) - np.repeat(self._first, size), n)

    def covered(self, world: _World) -> dict[str, _Bools]:
        """Return for each row in which runs the interval covers the truth."""
        hits = world.hits[np.arange(world.n_runs), world.looked].astype(np.int64)  # (n_runs, LONGEST)
        low, high = self._at(hits, np.arange(LONGEST))
        covered = (low <= world.truth[:, None]) & (world.truth[:, None] <= high)
        checked = np.arange(STRIDE, LONGEST + 1, STRIDE) - 1
        is_narrow = (high - low)[:, checked] <= WIDTH
        is_narrow[:, -1] = True  # every run stops at the last label
        stop = checked[np.argmax(is_narrow, axis=1)]
        worst = self._at(world.equal.min(axis=1), np.array(FIXED - 1))
        return {
            "fixed": covered[:, FIXED - 1],
            "width": covered[np.arange(world.n_runs), stop],
            "looks": covered[:, np.array(LOOKS) - 1].all(axis=1),
            "every": covered.all(axis=1),
            "worst": (worst[0] <= EQUAL) & (worst[1] >= EQUAL),
        }

    def _at(self, hits: _Counts, row: _Counts) -> tuple[_Floats, _Floats]:
        entry = self._first[row] + hits  # row n - 1 holds the n + 1 intervals of n labels
        return self._low[entry], self._high[entry]


@lru_cache(maxsize=4)
def _beta_table(a: float, b: float, level: float) -> _Table:
    return _Table(lambda x, n: beta_interval(np.asarray(a + x), np.asarray(b + n - x), level))


@lru_cache(maxsize=2)
def _always_table(level: float) -> _Table:
    return _Table(lambda x, n: always_valid(x, n, level=level))


def _learned(world: _World, r: int, groups: Grouping, level: float) -> dict[str, bool]:
    """Simulate one run with the learned prior; the row "every" is left out, as it needs a thousand fits."""
    start = LearnedAccuracy.start(groups, LearnedPrior())
    g, truth = int(world.looked[r]), float(world.truth[r])

    def after(n: int) -> LearnedAccuracy:
        return start.add(world.hits[r, :, n - 1], np.full(groups.n_groups, n))

    def covers(belief: LearnedAccuracy, group: int, value: float) -> bool:
        return (1 - level) / 2 <= float(_chance_below(belief, group, np.array([value]))[0]) <= (1 + level) / 2

    n = STRIDE
    while n < LONGEST and np.diff(mixture_interval(after(n), g, level))[0] > WIDTH:
        n += STRIDE
    equal = start.add(world.equal[r], np.full(groups.n_groups, FIXED))
    return {
        "fixed": covers(after(FIXED), g, truth),
        "width": covers(after(n), g, truth),
        "looks": all(covers(after(look), g, truth) for look in LOOKS),
        "worst": covers(equal, int(np.argmin(equal.mean())), EQUAL),
    }


def _chance_below(belief: LearnedAccuracy, g: int, value: _Floats) -> _Floats:
    weight = belief.maps.weight
    heavy = weight > _LIGHT
    below = betainc(belief.a[heavy][:, [g]], belief.b[heavy][:, [g]], value)
    return np.asarray(weight[heavy] @ below / weight[heavy].sum())


def mixture_interval(belief: LearnedAccuracy, g: int, level: float) -> _Floats:
    """Return the equal-tailed interval of one group of a mixture, by bisection to 1e-5; five times faster than draws.

    Examples
    --------
    >>> import labelwise as lw
    >>> belief = lw.beliefs.LearnedAccuracy.start(lw.by_prediction(lw.pool_from_arrays(predicted=["cat", "dog"] * 50)))
    >>> mixture_interval(belief.add([30, 30], [40, 40]), 0, 0.95).round(2)
    array([0.62, 0.84])
    """
    low, high = np.zeros(2), np.ones(2)
    tails = np.array([1 - level, 1 + level]) / 2
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        is_below = _chance_below(belief, g, middle) < tails
        low, high = np.where(is_below, middle, low), np.where(is_below, high, middle)
    return (low + high) / 2
