"""Betting against a mean: evidence that grows if labels are higher than a hypothesis says, and seldom if it is true.

Start with a wealth of 1, and before each value stake a part of it on the value being above its mean under the
hypothesis. Under the hypothesis no strategy makes money on average, so that wealth exceeds 1/alpha at *any* time with
probability at most alpha (Ville's inequality), whatever one looks at and whenever one stops.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

_Floats = NDArray[np.float64]
STAKES = np.array([0.01, 0.02, 0.04, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.8])
"""Parts of the wealth that are staked; the mixture does nearly as well as the best of them."""
_MOST = 0.95  # of what can be lost with one value


def log_wealth(values: _Floats, means: _Floats, least: _Floats | float) -> _Floats:
    """Return the log of the mixture's wealth after all values, staked on each being above its mean.

    Parameters
    ----------
    values : in the order in which they came, the last axis; all at least `least`.
    means : upper bound on each value's mean under the hypothesis, given those before it. A mean below `least` is
        impossible, so that the hypothesis is refuted for certain.
    least : lower bound on the values.

    References
    ----------
    Waudby-Smith and Ramdas (2024), "Estimating means of bounded random variables by betting".

    Examples
    --------
    >>> import numpy as np
    >>> float(log_wealth(np.ones(10), np.zeros(10), -1.0).round(2))
    3.87
    """
    values, means, least = np.broadcast_arrays(values, means, least)
    room = means - least  # what one unit of stake can lose
    is_refuted = (room < 0).any(axis=-1)
    room = np.maximum(room, 1e-300)
    gain = values - means
    wealth = [np.log1p(np.minimum(stake, _MOST / room) * gain).sum(axis=-1) for stake in STAKES]
    return np.where(is_refuted, np.inf, logsumexp(wealth, axis=0) - np.log(len(STAKES)))
