"""Reliability diagrams of the AAAI supplement: accuracy by bin of the score, after more and more labels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import BetaBelief, FlatPrior, InformedPrior, Prior
from labelwise.groups import Grouping, by_score, everything
from labelwise.metrics import ECE, reliability
from labelwise.pool import Pool
from papers.reproduction import Claim, Reproduction
from papers.sources import STAND_INS
from papers.study import Study, stacked
from papers.supplement.random_labels import hits_of, random_labels

BINS = 10  # of equal width
FEW = (100, 1_000)  # labels; the third diagram has all
DATA = ("CIFAR-100", "SVHN", "20 Newsgroups (other net)", "DBpedia (part)")
LEVEL = 0.95
TOLERANCE = 0.04  # of the coverage, either way
_Floats = NDArray[np.float64]


def reliability_diagrams(study: Study) -> Reproduction:
    """Return the diagrams of one run, and how wide and how right their intervals are over many."""
    parts, claims = [], []
    for data in DATA:
        study.step(f"supplement-reliability: {data}")
        pool = study.sources.pool(data)
        parts += list(_diagrams(data, pool, study.seed))
        bins = by_score(pool, BINS)
        if data == "CIFAR-100":
            claims.append(_below_the_diagonal(data, bins))
        claims += list(_intervals(data, bins, study))
    return Reproduction(
        "supplement-reliability", "Reliability diagrams after 100, 1,000 and all labels", n_runs=study.n_runs,
        notes=_NOTES, claims=tuple(claims), frame=stacked(parts),
    )  # fmt: skip


def _diagrams(data: str, pool: Pool, seed: int) -> Iterator[dict[str, object]]:
    order = np.random.default_rng(seed).permutation(pool.n_items)
    labels = pool.known_labels("a reliability diagram")
    start = ECE(BINS).start(everything(pool))
    for n_labels in (*FEW, pool.n_items):
        items = order[:n_labels]
        frame = reliability(start.update(items, labels[items]), level=LEVEL)
        columns = {name: frame[name] for name in ("bin", "confidence", "accuracy", "low", "high", "items")}
        yield {"data": data, "labels": n_labels, **columns, "labels_of_bin": frame["labels"]}


def _below_the_diagonal(data: str, bins: Grouping) -> Claim:
    there = bins.n_items > 0
    gap = (hits_of(bins)[there] / bins.n_items[there]) - bins.mean_confidence[there]
    return Claim(
        data,
        "the net is over-confident: with all labels the diagram lies below the diagonal",
        f"below in {int((gap < 0).sum())} of {len(gap)} bins, by up to {-gap.min():.3f}",
        holds=bool((gap < 0).all()),
    )


def _intervals(data: str, bins: Grouping, study: Study) -> Iterator[Claim]:
    """Claims about all intervals of a diagram: they narrow, and hold the truth as often as they say."""
    rng = np.random.default_rng(study.seed)
    found = {n: _intervals_after(bins, n, study.n_runs, InformedPrior(), rng) for n in (*FEW, bins.pool.n_items)}
    widths = [float(((high - low) @ bins.share).mean()) for low, high in found.values()]
    yield Claim(
        data,
        "intervals narrow from 100 to 1,000 to all labels",
        f"mean width {' > '.join(f'{width:.3f}' for width in widths)}",
        holds=widths == sorted(widths, reverse=True),
    )
    for n_labels in FEW:
        cover = _coverage(bins, *found[n_labels])
        flat = _coverage(bins, *_intervals_after(bins, n_labels, study.n_runs, FlatPrior(), rng))
        yield Claim(
            f"{data}, {n_labels:,} labels",
            f"{LEVEL:.0%} intervals hold the accuracy on all labels (within {TOLERANCE:g})",
            f"{cover:.3f} of them",
            holds=is_nominal(cover),
            cause=_prior_cause(flat) if is_nominal(flat) and not is_nominal(cover) else "",
        )


def _intervals_after(
    bins: Grouping, n_labels: int, n_runs: int, prior: Prior, rng: np.random.Generator
) -> tuple[_Floats, _Floats]:
    """Return the intervals of bins after labels of random items, each end of shape (n_runs, n_bins)."""
    hits, labels = random_labels(bins, n_labels, n_runs, rng=rng)
    start = BetaBelief.start(bins, prior)
    return BetaBelief(bins.names, start.prior_a, start.prior_b, hits, labels).interval(LEVEL)


def _coverage(bins: Grouping, low: _Floats, high: _Floats) -> float:
    """Return which part of the intervals hold the truth, bins weighed by their items."""
    truth = hits_of(bins) / np.maximum(bins.n_items, 1)
    return float((((low <= truth) & (truth <= high)) @ bins.share).mean())


def is_nominal(coverage: float) -> bool:
    """Return whether a coverage is within the tolerance.

    Examples
    --------
    >>> is_nominal(0.92), is_nominal(0.9)
    (True, False)
    """
    return abs(coverage - LEVEL) <= TOLERANCE


def _prior_cause(flat: float) -> str:
    return (
        f"the prior takes the net at its word: with Beta(1, 1) instead it is {flat:.3f}. Where nearly all items lie "
        "in a bin of confidence 0.99 and more, a sample without a miss leaves an interval above the truth"
    )


_NOTES = (
    f"{BINS} bins of equal width, labels of random items, the informed prior of strength 2 in each bin, equal-tailed "
    "intervals. The frame holds one seeded run; coverage and width are of all runs, bins weighed by their items.",
    "Intervals are those of the Beta, as in the paper, which speak of new items; for the pool itself they are a little "
    "too wide once a good part of it is labelled.",
    *(f"{data}: {STAND_INS[data]}." for data in DATA if data in STAND_INS),
)
