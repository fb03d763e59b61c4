"""Whether the labels bear out what was believed before them: checks of the prior, in words."""

from __future__ import annotations

import numpy as np

from labelwise.beliefs import Belief
from labelwise.beliefs.belief import AccuracyBelief
from labelwise.groups import Grouping
from labelwise.metrics import DesignBased, Posterior

_FAR = 3.0  # standard deviations of the prior's own prediction: once in 370 assessments by chance
_DRAWS = 4_000
_FEWEST = 10  # labels before anything is said


def left_out_notes(groups: Grouping) -> tuple[str, ...]:
    """Return a note on the groups that take no part, if there are any."""
    return (f"{groups.left_out}: they are neither asked nor named.",) if groups.left_out else ()


def prior_notes(belief: Belief) -> tuple[str, ...]:
    """Return a note on how far the scores are off, or that the claim of an informative prior was wrong.

    A learned prior has allowed for it. Another one has not: its intervals are then too narrow around the wrong place.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 60 + ["dog"] * 40, confidence=[0.99] * 100)
    >>> belief = lw.beliefs.BetaBelief.start(lw.by_prediction(pool), lw.InformedPrior())
    >>> prior_notes(belief.add([20, 20], [30, 30]))[0].split(", and intervals")[0]
    'The prior expected 59.4 hits among 60 labels, give or take 2.5, and there are 40: it is far off'
    """
    inner = belief.accuracies
    if inner is None or int(inner.labels.sum()) < _FEWEST:
        return ()
    return _mended(inner) if inner.is_learned else _claimed(inner)


def design_notes(overall: Posterior, design: DesignBased, *, is_learned: bool = False) -> tuple[str, ...]:
    """Return a note if the overall accuracies with and without the prior contradict each other.

    They do not if their intervals have nothing in common, or if the estimate without a prior lies more than three of
    its standard errors outside the other's interval.

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> belief = lw.beliefs.BetaBelief.from_counts([3] * 100, [3] * 100, n_items=[50] * 100)  # 100 flat priors
    >>> overall = lw.metrics.overall_accuracy(belief, rng=np.random.default_rng(1))
    >>> design_notes(overall, lw.metrics.design_based(belief)[0])[0].split(";")[0]
    'The overall accuracy is 0.800 [0.767, 0.831] with the prior, and 1.000 [0.962, 1.000] without it'
    """
    mean, low, high = (float(value[0]) for value in (overall.mean, overall.low, overall.high))
    reach = _FAR * design.standard_error
    is_apart = design.low > high or design.high < low
    if not (is_apart or design.mean - reach > high or design.mean + reach < low):
        return ()
    way_out = "or label more" if is_learned else "label more, or use the learned prior (`--prior learned`)"
    return (
        f"The overall accuracy is {mean:.3f} [{low:.3f}, {high:.3f}] with the prior, and {design.mean:.3f} "
        f"[{design.low:.3f}, {design.high:.3f}] without it; the two do not fit together, for the prior pulls the "
        f"whole away from the labels. Trust the one without it, {way_out}.",
    )


def _mended(belief: AccuracyBelief) -> tuple[str, ...]:
    groups = belief.outer
    if groups.pool.confidence is None:
        return ()
    there = groups.n_items > 0
    share = groups.share[there]
    confidence = float(groups.mean_confidence[there] @ share)
    draws = belief.draw(_DRAWS, target="pool", rng=np.random.default_rng(0))[:, there] @ share
    low, high = (100 * float(value) for value in confidence - np.quantile(draws, [0.975, 0.025]))
    if low <= 0 <= high:
        return ()
    way, low, high = ("over", low, high) if low > 0 else ("under", -high, -low)
    return (
        f"The scores are {low:.1f} to {high:.1f} points {way}-confident (95 %); the learned prior has allowed for it.",
    )


def _claimed(belief: AccuracyBelief) -> tuple[str, ...]:
    claim = belief.prior_claim()
    if claim is None:
        return ()
    expected, spread = claim
    hits, n_labels = int(belief.hits.sum()), int(belief.labels.sum())
    if abs(hits - expected) <= _FAR * spread:
        return ()
    return (
        f"The prior expected {expected:.1f} hits among {n_labels:,} labels, give or take {spread:.1f}, and there "
        f"are {hits:,}: it is far off, and intervals that rest on it mislead. Use the learned prior (`--prior "
        "learned`).",
    )
