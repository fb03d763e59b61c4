"""The accuracy of the whole pool without a prior: groups as strata, labels as a random part of each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from labelwise.beliefs import Target
from labelwise.beliefs.belief import AccuracyBelief, is_population
from labelwise.checks import check_between, counted
from labelwise.metrics.accuracy import group_weights

_Floats = NDArray[np.float64]
_FEWEST = 2  # labels of a group, unless it has no more items


@dataclass(frozen=True)
class DesignBased:
    """An estimate that rests on how items were drawn, not on a prior.

    Attributes
    ----------
    mean : the weighed sum of the groups' hit rates.
    low, high : ends of the interval, which covers in about `level` of assessments with as many labels per group.
    standard_error : of the mean.
    level, target : what the interval promises, and about what.
    """

    mean: float
    low: float
    high: float
    standard_error: float
    level: float
    target: Target


def design_based(
    belief: AccuracyBelief, *, level: float = 0.95, target: Target = "population"
) -> tuple[DesignBased | None, str]:
    """Return the stratified estimate of the whole pool's accuracy and "", or None and the reason why there is none.

    Hit rates weighed by the groups' shares, and a t interval around them. Labels that are all hits (or all misses) say
    nothing of the spread within their group, and a group that was labelled twice says little; so the variance counts
    half a hit and half a miss more in each group, and the degrees of freedom follow from all groups' (Satterthwaite).
    The priors of the belief play no part.

    Parameters
    ----------
    belief : hits, labels and size of each group.
    level : share of assessments in which the interval covers.
    target : new items with the pool's shares of groups, or exactly these items, where what is labelled is certain.

    References
    ----------
    Cochran, Sampling Techniques (1977), sections 5.3 and 5.4.

    Examples
    --------
    >>> import labelwise as lw
    >>> belief = lw.beliefs.BetaBelief.from_counts(hits=[18, 20], labels=[20, 20], n_items=[100, 300])
    >>> found, reason = design_based(belief)
    >>> round(found.mean, 4), round(found.low, 4), round(found.high, 4)
    (0.975, 0.9113, 1.0)
    >>> design_based(belief.add([-18, 0], [-19, 0]))[1]
    "Group '0' has 1 label; the design-based estimate needs 2 of every group."
    """
    check_between(level, "level", 0, 1)
    share = group_weights(belief)
    sizes = np.asarray(belief.n_items)
    there = sizes > 0
    short = there & (belief.labels < np.minimum(_FEWEST, sizes))
    if short.any():
        return None, _reason(belief, short)
    share = share[there]
    size, x, n = (np.asarray(values[there]) for values in (sizes, belief.hits, belief.labels))
    open_share = 1.0 if is_population(target) else (size - n) / size  # of what is labelled nothing is left to chance
    rate = (x + 0.5) / (n + 1)
    part = share**2 * rate * (1 - rate) / n * open_share
    variance = float(part.sum())
    mean = min(float(share @ (x / n)), 1.0)  # shares may add up to a last digit more than 1
    if variance == 0:
        return DesignBased(mean, mean, mean, 0.0, level, target), ""
    # a group of one item has no degrees of freedom; for the pool it has no variance either
    freedom = variance**2 / float((part**2 / np.maximum(n - 1, 1)).sum())
    error = float(np.sqrt(variance))
    reach = float(stdtrit(freedom, (1 + level) / 2)) * error
    least, most = 0.0, 1.0
    if not is_population(target):
        least, most = float(share @ (x / size)), float(share @ (1 - (n - x) / size))
    low, high = max(mean - reach, least), min(mean + reach, most)
    return DesignBased(mean, low, high, error, level, target), ""


def _reason(belief: AccuracyBelief, short: NDArray[np.bool_]) -> str:
    needed = f"the design-based estimate needs {_FEWEST} of every group."
    n_short = int(short.sum())
    if n_short > 1:
        return f"{n_short:,} groups have fewer than {_FEWEST} labels; {needed}"
    g = int(np.argmax(short))
    return f"Group '{belief.names[g]}' has {counted(int(belief.labels[g]), 'label')}; {needed}"
