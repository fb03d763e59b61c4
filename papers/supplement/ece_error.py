"""Errors of reliability diagrams and of the ECE over labels in the AAAI supplement: Bayesian against frequentist."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labelwise.groups import Grouping
from labelwise.groups.by_score import width_bins
from labelwise.pool import Pool
from papers.reproduction import CODED, PRINTED, Claim, Reproduction, Row
from papers.sources import STAND_INS
from papers.study import Study, stacked
from papers.supplement.random_labels import hits_of, random_labels
from papers.supplement.reliability import BINS, DATA

COUNTS = (10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000)
STRENGTHS = (0.1, 1.0, 10.0)
THEIR_RUNS = 10  # shuffled with the seeds 0 to 9
_CODES = {"CIFAR-100": "cifar100", "SVHN": "svhn"}
_TABLE = "calibration (reliability) estimation error, "
_FREQUENTIST = "frequentist"
_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]
Errors = Mapping[tuple[str, str], _Floats]
"""From measure and method to errors, one a run, or a run and count."""


def ece_error_curves(study: Study) -> Reproduction:
    """Return the errors of bins' accuracies and of the ECE after so many labels, and the authors' numbers."""
    rows, claims, parts = [], [], []
    published = _published(study)
    for data in DATA:
        study.step(f"supplement-ece-error: {data}")
        bins = ten_bins_of_width(study.sources.pool(data))
        rng = np.random.default_rng(study.seed)
        found = _over_counts(
            [errors(bins, *random_labels(bins, n, study.n_runs, rng=rng)) for n in COUNTS]
        )  # (n_runs, n_counts) each
        parts += [_part(data, key, values) for key, values in found.items()]
        claims += list(_claims(data, found))
        if data in _CODES:
            theirs = _over_counts([errors(bins, *_shuffled(bins, n)) for n in COUNTS])
            rows += list(_rows(data, published, found, theirs))
            claims.append(_to_the_digit(data, published, theirs))
    return Reproduction(
        "supplement-ece-error", "Error of bins' accuracies and of the ECE", ("data", "bins", "method", "labels"),
        tuple(rows), study.n_runs, _NOTES, tuple(claims), stacked(parts),
    )  # fmt: skip


def ten_bins_of_width(pool: Pool) -> Grouping:
    """Split a pool into ten bins of equal width, confidences rounded to the six decimals that their file has at most.

    A confidence of 0.7 is stored as 0.69999999 and would fall into the bin below.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=[0, 0], confidence=np.array([0.7, 0.69], np.float32), labels=[0, 1])
    >>> ten_bins_of_width(pool).of_item, lw.by_score(pool, 10).of_item
    (array([7, 6], dtype=int32), array([6, 6], dtype=int32))
    """
    of_item = width_bins(pool.known_confidence("a grouping by score").round(6), BINS)
    return Grouping(pool, tuple(f"{b / BINS:g}-{(b + 1) / BINS:g}" for b in range(BINS)), of_item, "score")


def errors(bins: Grouping, hits: _Counts, labels: _Counts) -> Errors:
    """Return all errors of estimates from these hits and labels, shape (n_runs, n_bins), as published code does.

    A bin without items counts as no error, one without labels has the frequency 0. In the ECE bins weigh as much as
    they have labels, and its error has a sign.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=[0] * 4, confidence=[0.95] * 4, labels=[0, 0, 0, 1])
    >>> hits, labels = np.zeros((1, 10), int), np.zeros((1, 10), int)
    >>> hits[0, 9] = labels[0, 9] = 1
    >>> found = errors(ten_bins_of_width(pool), hits, labels)
    >>> found["weighted", "frequentist"], found["weighted", "prior 1"].round(3)
    (array([0.25]), array([0.225]))
    """
    there, share = bins.n_items > 0, bins.share
    truth = hits_of(bins) / np.maximum(bins.n_items, 1)
    confidence = np.nan_to_num(bins.mean_confidence)
    true_ece = share @ np.abs(truth - confidence)
    centre = (np.arange(BINS) + 0.5) / BINS
    means = {f"prior {c:g}": (c * centre + hits) / (c + labels) for c in STRENGTHS}
    means[_FREQUENTIST] = hits / np.maximum(labels, 1)
    found = {}
    for method, mean in means.items():
        gap = np.where(there, np.abs(mean - truth), 0.0)
        ece = (labels * np.abs(mean - confidence)).sum(axis=-1) / labels.sum(axis=-1)
        found["weighted", method] = gap @ share
        found["unweighted", method] = gap.mean(axis=-1)
        found["ece", method] = (ece - true_ece) / true_ece
    return found


def _over_counts(found: list[Errors]) -> Errors:
    """Put errors after several label counts side by side, shape (n_runs, n_counts)."""
    return {key: np.stack([one[key] for one in found], axis=1) for key in found[0]}


def _shuffled(bins: Grouping, n_labels: int) -> tuple[_Counts, _Counts]:
    """Return hits and labels of the authors' own ten shuffles of the pool."""
    kinds = 2 * bins.of_item.astype(np.int64) + bins.pool.hits
    counts = np.empty((THEIR_RUNS, BINS, 2), np.int64)
    for seed in range(THEIR_RUNS):
        order = np.arange(bins.pool.n_items)
        np.random.RandomState(seed).shuffle(order)  # the generator that they used
        counts[seed] = np.bincount(kinds[order[:n_labels]], minlength=2 * BINS).reshape(BINS, 2)
    return counts[..., 1], counts.sum(axis=-1)


@dataclass(frozen=True)
class _Number:
    bins: str
    method: str
    place: int  # of the label count
    value: float


def _published(study: Study) -> dict[str, list[_Number]]:
    """Return the authors' numbers; the frequentist ones are printed once for each prior, and taken once."""
    found: dict[str, dict[tuple[str, str, int], float]] = {data: {} for data in _CODES}
    names = {code: data for data, code in _CODES.items()}
    for row in study.sources.rows("authors_tables.csv"):
        if not row["table"].startswith(_TABLE) or row["dataset"] not in names:
            continue
        weights, prior = row["table"].removeprefix(_TABLE).split(", pseudocount ")
        method = _FREQUENTIST if row["method"] == _FREQUENTIST else f"prior {float(prior):g}"
        key = (weights, method, COUNTS.index(int(float(row["N"]))))
        found[names[row["dataset"]]][key] = float(row["value"])
    return {data: [_Number(*key, value) for key, value in numbers.items()] for data, numbers in found.items()}


def _rows(data: str, published: dict[str, list[_Number]], found: Errors, theirs: Errors) -> Iterator[Row]:
    for one in published[data]:
        where = (data, one.bins, one.method, f"{COUNTS[one.place]}")
        values = found[one.bins, one.method][:, one.place]
        spread = float(values.std(ddof=1)) if len(values) > 1 else 0.0
        error, chance = spread / np.sqrt(len(values)), spread / np.sqrt(THEIR_RUNS)
        yield Row(where, PRINTED, one.value, float(values.mean()), error, chance, digits=6)
        yield Row(where, CODED, one.value, float(theirs[one.bins, one.method][:, one.place].mean()), 0.0, digits=6)


def _to_the_digit(data: str, published: dict[str, list[_Number]], theirs: Errors) -> Claim:
    gaps = [(abs(theirs[one.bins, one.method][:, one.place].mean() - one.value), one) for one in published[data]]
    exact = [one for gap, one in gaps if gap < 6e-7]  # six decimals are printed
    latest = max(COUNTS[one.place] for one in exact)
    worst = max(gap / one.value for gap, one in gaps)
    return Claim(
        data,
        "the authors' ten shuffles give their numbers to the last digit",
        f"{len(exact)} of {len(gaps)} numbers, up to {latest:,} labels; all within {worst:.1%}",
        holds=len(exact) == len(gaps),
        cause=_SVHN_CAUSE if data == "SVHN" and len(exact) < len(gaps) else "",
    )


def _claims(data: str, found: Errors) -> Iterator[Claim]:
    mean = {key: values.mean(axis=0) for key, values in found.items()}
    few = len([count for count in COUNTS if count <= 1_000])
    at_100 = COUNTS.index(100)
    bayes, other = mean["weighted", "prior 1"][:few], mean["weighted", _FREQUENTIST][:few]
    yield Claim(
        data,
        "up to 1,000 labels the Bayesian error of bins' accuracies is the smaller one (prior of strength 1)",
        f"at {int((bayes < other).sum())} of {few} label counts; {bayes[at_100]:.4f} against {other[at_100]:.4f} at "
        "100",
        holds=bool((bayes < other).all()),
    )
    bias = {method: float(mean["ece", method][at_100]) for _, method in found}
    weak, middle, strong = (bias[f"prior {c:g}"] for c in STRENGTHS)
    nearer, pulled = abs(middle) < abs(bias[_FREQUENTIST]), weak > middle > strong and middle < 0
    yield Claim(
        f"{data}, 100 labels",
        "the Bayesian ECE is nearer to the true one on average (prior of strength 1)",
        f"off by {middle:+.3f} of it against {bias[_FREQUENTIST]:+.3f}",
        holds=nearer,
        cause=_calibrated_prior(weak, middle, strong) if pulled and not nearer else "",
    )


def _calibrated_prior(weak: float, middle: float, strong: float) -> str:
    return (
        "the prior says that the net is calibrated, and this one is far from it: the stronger the prior, the lower the "
        f"estimate ({weak:+.3f}, {middle:+.3f} and {strong:+.3f} at strengths 0.1, 1 and 10)"
    )


def _part(data: str, key: tuple[str, str], values: _Floats) -> dict[str, object]:
    measure, method = key
    return {
        "data": data, "measure": measure, "method": method, "labels": np.array(COUNTS), "mean": values.mean(axis=0),
        "error": values.std(axis=0, ddof=1) / np.sqrt(len(values)),
    }  # fmt: skip


_SVHN_CAUSE = (
    "not found; it is as if a few rows of their file had stood elsewhere: one item of the first shuffle exchanged (a "
    "hit of the last bin for a miss of the one below) gives all eight numbers at 500 labels, no one exchange those "
    "at more"
)
_NOTES = (
    "Error of bins' accuracies: the mean over ten bins of equal width of |estimate - accuracy on all labels|, "
    "weighted by items or not; priors of strength 0.1, 1 and 10 have their mean at the centre of the bin. Error of "
    "the ECE, with its sign, as a part of the true one: posterior means in the formula, bins weighed by their "
    "labels, as in the figure, but with the mean confidence of all items. Only the first error has published numbers.",
    f"As printed: labels of random items, chance from {THEIR_RUNS} runs, which is what the authors' numbers are means "
    "of. As coded: the same ten shuffles of the same rows, so nothing is left to chance.",
    *(f"{data}: {STAND_INS[data]}." for data in DATA if data in STAND_INS),
)
