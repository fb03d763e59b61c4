"""Table 7 of the AAAI paper: labels until the difference of two groups is decided."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from labelwise.groups import by_prediction
from labelwise.groups.by_score import width_bins
from labelwise.metrics import beta_difference_below
from papers.reproduction import CODED, PRINTED, Reproduction, Row
from papers.sources import STAND_INS, Sources
from papers.study import Study

TABLE_7 = {
    "CIFAR-100, superclasses": {"UPrior": 203.5, "IPrior": 129.0, "IPrior+TS": 121.9},
    "SVHN": {"UPrior": 391.1, "IPrior": 205.2, "IPrior+TS": 172.0},
}
_MARGIN, _TOLERANCE = 0.05, 0.05
_DRAWS, _TRUTH_DRAWS = 10_000, 1_000  # of the published code
_STRENGTH = 2.0
_STAND_IN = "CIFAR-100 (DenseNet)"
_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class _Groups:
    """What a comparison needs of each group."""

    sizes: NDArray[np.int64]
    hits: NDArray[np.int64]
    confidence: _Floats


def table_7(study: Study) -> Reproduction:
    """Return the mean number of labels until a pair of groups is decided, over all pairs."""
    rows = []
    for data, methods in TABLE_7.items():
        for protocol in (PRINTED, CODED):
            groups = _svhn(study.sources) if data == "SVHN" else _superclasses(study.sources, protocol)
            for method, value in methods.items():
                study.step(f"table 7: {data}, {method}, {protocol}")
                ours, error, chance = _labels(groups, method, protocol, study)
                rows.append(Row((data, method), protocol, value, ours, error, chance))
    notes = (*_NOTES, f"Superclass scores are imputed from a stand-in: {STAND_INS[_STAND_IN]}.")
    return Reproduction("7", "Labels until a pair is decided", ("data", "method"), tuple(rows), study.n_runs, notes)


def _svhn(sources: Sources) -> _Groups:
    groups = by_prediction(sources.pool("SVHN"))
    return _Groups(
        groups.n_items, np.bincount(groups.of_item, groups.pool.hits).astype(np.int64), groups.mean_confidence
    )


def _superclasses(sources: Sources, protocol: str) -> _Groups:
    """Return the superclasses of CIFAR-100, with what their scores would add to those of the classes.

    The authors' file has the score of the predicted class alone. What the other classes of a superclass add to it, and
    how often the superclass of the largest sum is not that of the largest score, depend on the confidence nearly
    alone: both come from the stand-in, by ten bins of confidence.
    """
    superclass = np.array([int(row["superclass_id"]) for row in sources.rows("cifar100_classes.csv")])
    other, pool = sources.pool(_STAND_IN), sources.pool("CIFAR-100")
    assert other.scores is not None
    sums = np.asarray(other.scores, float) @ np.eye(20)[superclass]
    bins = width_bins(np.asarray(other.confidence, float), 10)
    there = np.maximum(np.bincount(bins, minlength=10), 1)
    added = np.bincount(bins, sums.max(axis=1) - other.confidence, minlength=10) / there
    strays = np.bincount(bins, sums.argmax(axis=1) != superclass[other.prediction], minlength=10) / there
    confidence = np.asarray(pool.confidence, float)
    own = width_bins(confidence, 10)
    of_item = superclass[pool.prediction]
    hit = superclass[pool.known_labels("a comparison")] == of_item
    if protocol == CODED:
        hit = np.random.default_rng(0).uniform(size=len(own)) >= strays[own]
    sizes = np.bincount(of_item, minlength=20)
    mean = np.bincount(of_item, np.minimum(confidence + added[own], 1.0)) / sizes
    return _Groups(sizes, np.bincount(of_item, hit).astype(np.int64), mean)


def _labels(groups: _Groups, method: str, protocol: str, study: Study) -> tuple[float, float, float]:
    """Return mean labels over all pairs, its standard error, and that of a single run of each pair, as published."""
    from papers.kernels.deciding import play_until_decided

    pairs = list(combinations(range(len(groups.sizes)), 2))
    repeats = max(2, round(study.n_runs / len(pairs)))
    seeds = np.random.SeedSequence(study.seed).generate_state(len(pairs) * repeats, np.uint64).reshape(-1, repeats)
    a, b = np.ones((2, len(groups.sizes)))
    if method != "UPrior":
        a, b = _STRENGTH * groups.confidence, _STRENGTH * (1 - groups.confidence)
    rng = np.random.default_rng(study.seed)
    truths = []
    for i, j in pairs:
        region, truth = _truth(groups, i, j)
        drawn = rng.binomial(_TRUTH_DRAWS, truth, repeats) / _TRUTH_DRAWS
        truths.append((region, drawn if protocol == CODED else np.full(repeats, truth)))

    def play(place: int) -> NDArray[np.int64]:
        pair, (region, truth), out = np.array(pairs[place]), truths[place], np.zeros(repeats, np.int64)
        play_until_decided(
            method.endswith("TS"), groups.sizes[pair], groups.hits[pair], a[pair], b[pair], _MARGIN, region, truth,
            _TOLERANCE, _DRAWS if protocol == CODED else 0, seeds[place], out,
        )  # fmt: skip
        never = 1 if protocol == CODED else int(groups.sizes[pair].sum())
        return np.where(out > 0, out, never)

    with ThreadPoolExecutor(study.jobs) as threads:
        found = np.stack(list(threads.map(play, range(len(pairs)))))
    chance = float(np.sqrt(found.var(axis=1, ddof=1).sum())) / len(pairs)
    return float(found.mean()), chance / float(np.sqrt(repeats)), chance


def _truth(groups: _Groups, i: int, j: int) -> tuple[int, float]:
    """Return the true region of a pair's difference, and its probability on all labels."""
    size, share = groups.sizes[[i, j]], groups.hits[[i, j]] / groups.sizes[[i, j]]
    (a1, a2), (b1, b2) = size * (share + 1e-6), size * (1 - share + 1e-6)
    lower, up_to = (beta_difference_below(a1, b1, a2, b2, d) for d in (-_MARGIN, _MARGIN))
    gap = share[0] - share[1]
    region = 0 if gap < -_MARGIN else 2 if gap > _MARGIN else 1
    return region, (lower, up_to - lower, 1 - up_to)[region]


_NOTES = (
    "As coded, every probability comes from 10,000 draws and the truth from 1,000, a pair that is never decided counts "
    "one label, the likeliest region need not be the right one, and a superclass is right if its summed score is the "
    "largest where its class has the largest score: self-agreement. Published values come from one run of each pair "
    "(45 and 190), which chance allows for. As printed: quadrature, the right region, all labels where a pair is never "
    "decided, true superclasses.",
)
