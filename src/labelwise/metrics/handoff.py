"""Hand-off: what it brings to give the predictions of the worst groups to a person."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from labelwise.beliefs import Kind, Target
from labelwise.beliefs.belief import AccuracyBelief
from labelwise.beliefs.interval import draws_interval
from labelwise.checks import check_count, check_within
from labelwise.metrics.accuracy import group_weights
from labelwise.metrics.metric import N_DRAWS


@dataclass(frozen=True)
class HandOff:
    """Accuracy of classifier and person together, and what the person costs.

    Attributes
    ----------
    groups : names of the groups handed to the person, worst first.
    share : part of the pool that the person has to do.
    before, after : accuracy of the whole without and with the person, posterior means.
    low, high : credible interval of the accuracy after.
    """

    groups: tuple[str, ...]
    share: float
    before: float
    after: float
    low: float
    high: float


def hand_off(
    belief: AccuracyBelief,
    m: int,
    *,
    person_accuracy: float = 1.0,
    level: float = 0.95,
    kind: Kind = "equal-tailed",
    target: Target = "population",
    n_draws: int = N_DRAWS,
    rng: np.random.Generator,
) -> HandOff:
    """Hand the m groups that look least accurate to a person, and give the accuracy of the whole.

    References
    ----------
    Ji, Logan, Smyth, Steyvers (2020), section 4.2.

    Examples
    --------
    >>> import numpy as np
    >>> from labelwise.beliefs import BetaBelief
    >>> belief = BetaBelief.from_counts(hits=[90, 5], labels=[100, 10], n_items=[900, 100], names=["cat", "dog"])
    >>> result = hand_off(belief, 1, rng=np.random.default_rng(1))
    >>> result.groups, result.share, round(result.before, 3), round(result.after, 3)
    (('dog',), 0.1, 0.853, 0.903)
    """
    weights = group_weights(belief)
    there = np.flatnonzero(weights)
    check_count(m, "m", most=len(there))
    check_within(person_accuracy, "person_accuracy", 0, 1)
    mean = belief.mean(target=target)
    given = there[np.argsort(mean[there], kind="stable")[:m]]
    kept = np.setdiff1d(there, given)
    share = float(weights[given].sum())
    draws = belief.draw(n_draws, target=target, rng=rng)[:, kept] @ weights[kept] + share * person_accuracy
    low, high = draws_interval(draws[:, None], level, kind)
    return HandOff(
        groups=tuple(belief.names[g] for g in given),
        share=share,
        before=float(mean @ weights),
        after=float(mean[kept] @ weights[kept] + share * person_accuracy),
        low=float(low[0]),
        high=float(high[0]),
    )
