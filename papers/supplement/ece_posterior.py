"""The posterior of the expected calibration error in the AAAI supplement, after more and more labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import CustomPrior, InformedPrior, Prior
from labelwise.groups import Grouping, by_score
from labelwise.metrics import ECE, known_value
from papers.reproduction import PRINTED, Claim, Reproduction, Row
from papers.study import Study, stacked
from papers.supplement.random_labels import hits_of, random_labels
from papers.supplement.reliability import BINS, FEW, LEVEL, TOLERANCE, is_nominal

TRUE_ECE = {"CIFAR-100": 0.09869599923480106, "SVHN": 0.01095047338003833}  # the authors', ten bins, all labels
N_DRAWS = 1_000  # of each run, as in the paper
_ONE_RUN = 100_000
_QUANTILES = np.concatenate([[0.001, 0.005], np.arange(1, 100) / 100, [0.995, 0.999]])
_CHUNK = 50  # runs whose draws are in memory at once
_Floats = NDArray[np.float64]


def ece_posterior(study: Study) -> Reproduction:
    """Return the quantiles of the posterior of one run, and how often it holds the truth over many."""
    rows, claims, parts = [], [], []
    for data, published in TRUE_ECE.items():
        study.step(f"supplement-ece-posterior: {data}")
        bins = by_score(study.sources.pool(data), BINS)
        truth = known_value(ECE(BINS), bins.pool)
        rows.append(Row((data, "all"), PRINTED, published, truth, 0.0, digits=6))
        rng = np.random.default_rng(study.seed)
        for n_labels in (*FEW, bins.pool.n_items):
            gaps = next(_gaps(bins, n_labels, 1, InformedPrior(), _ONE_RUN, rng))
            values = np.quantile(_error(bins, gaps)[:, 0], _QUANTILES)
            parts.append({"data": data, "labels": n_labels, "quantile": _QUANTILES, "ece": values, "truth": truth})
        claims += list(_claims(data, bins, study, rng))
    return Reproduction(
        "supplement-ece-posterior", "Posterior of the ECE after 100, 1,000 and all labels", ("data", "labels"),
        tuple(rows), study.n_runs, _NOTES, tuple(claims), stacked(parts),
    )  # fmt: skip


@dataclass(frozen=True)
class _Interval:
    """What the posterior's interval does over many runs.

    Attributes
    ----------
    width : mean width.
    mean : mean of the posterior mean.
    covers, too_high : part of the runs in which it holds the truth, or lies above it.
    signed_covers : part of the runs in which the interval of the signed gaps, which may cancel, holds theirs.
    """

    width: float
    mean: float
    covers: float
    too_high: float
    signed_covers: float


def _interval_over_runs(
    bins: Grouping, n_labels: int, n_runs: int, prior: Prior, rng: np.random.Generator
) -> _Interval:
    """Draw the posterior of many runs, and see how often its interval holds the truth."""
    hits = hits_of(bins)
    gap = np.where(bins.n_items > 0, hits / np.maximum(bins.n_items, 1) - np.nan_to_num(bins.mean_confidence), 0.0)
    truth, signed_truth = float(bins.share @ np.abs(gap)), float(bins.share @ gap)
    ends, signed_ends, means = [], [], []
    tails = [(1 - LEVEL) / 2, (1 + LEVEL) / 2]
    for gaps in _gaps(bins, n_labels, n_runs, prior, N_DRAWS, rng):
        error = _error(bins, gaps)
        means.append(error.mean(axis=0))
        ends.append(np.quantile(error, tails, axis=0))
        signed_ends.append(np.quantile(gaps @ bins.share, tails, axis=0))
    low, high = np.concatenate(ends, axis=1)
    signed_low, signed_high = np.concatenate(signed_ends, axis=1)
    return _Interval(
        width=float((high - low).mean()),
        mean=float(np.concatenate(means).mean()),
        covers=float(((low <= truth) & (truth <= high)).mean()),
        too_high=float((low > truth).mean()),
        signed_covers=float(((signed_low <= signed_truth) & (signed_truth <= signed_high)).mean()),
    )


def _gaps(
    bins: Grouping, n_labels: int, n_runs: int, prior: Prior, n_draws: int, rng: np.random.Generator
) -> Iterator[_Floats]:
    """Draw accuracy less confidence of each bin, shape (n_draws, n_runs, n_bins), a chunk of runs at a time."""
    a, b = prior.beta(bins)
    confidence = np.nan_to_num(bins.mean_confidence)
    hits, labels = random_labels(bins, n_labels, n_runs, rng=rng)
    for start in range(0, n_runs, _CHUNK):
        one = slice(start, start + _CHUNK)
        shape = (n_draws, *hits[one].shape)
        yield rng.beta(a + hits[one], b + (labels - hits)[one], shape) - confidence


def _error(bins: Grouping, gaps: _Floats) -> _Floats:
    return np.asarray(np.abs(gaps) @ bins.share)


def _claims(data: str, bins: Grouping, study: Study, rng: np.random.Generator) -> Iterator[Claim]:
    counts = (*FEW, bins.pool.n_items)
    found = {n: _interval_over_runs(bins, n, study.n_runs, InformedPrior(), rng) for n in counts}
    widths = [one.width for one in found.values()]
    yield Claim(
        data,
        "the posterior narrows from 100 to 1,000 to all labels",
        f"mean width {' > '.join(f'{width:.4f}' for width in widths)}",
        holds=widths == sorted(widths, reverse=True),
    )
    for n_labels in FEW:
        one = found[n_labels]
        yield Claim(
            f"{data}, {n_labels:,} labels",
            f"the {LEVEL:.0%} interval holds the ECE on all labels (within {TOLERANCE:g})",
            f"in {one.covers:.3f} of runs, above it in {one.too_high:.3f}; mean {one.mean:.4f}",
            holds=is_nominal(one.covers),
            cause="" if is_nominal(one.covers) else _cause(bins, n_labels, study.n_runs, one, rng),
        )


def _cause(bins: Grouping, n_labels: int, n_runs: int, found: _Interval, rng: np.random.Generator) -> str:
    """Test whether the size of the gaps, not the belief about the bins, is why the interval misses."""
    weak = _interval_over_runs(bins, n_labels, n_runs, CustomPrior(0.5, 0.5), rng)
    only_high = found.covers + found.too_high > 1 - (1 - LEVEL) / 2
    if not (only_high and is_nominal(weak.signed_covers) and weak.covers < weak.signed_covers - TOLERANCE):
        return ""
    return (
        "noise of a bin counts as error, so the posterior lies too high, and it misses on that side only. With "
        f"Beta(1/2, 1/2) instead the same draws hold the signed gap in {weak.signed_covers:.3f} of runs, yet its size "
        f"in {weak.covers:.3f}: the belief about the bins is right, the absolute value pushes it up"
    )


_NOTES = (
    f"{BINS} bins of equal width, labels of random items, the informed prior of strength 2 in each bin, {N_DRAWS:,} "
    f"draws of the posterior a run. The frame holds the quantiles of one seeded run from {_ONE_RUN:,} draws.",
    "The published ECE are the constants in the code of the authors' figures.",
)
