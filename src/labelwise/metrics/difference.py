"""Difference of two groups, with a region of practical equivalence: by quadrature where that can be had."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc, betaincinv

from labelwise.beliefs import Belief, Kind, Target
from labelwise.beliefs.belief import is_population
from labelwise.beliefs.interval import check_interval, draws_interval
from labelwise.checks import check_within, find
from labelwise.errors import ArgumentError, UnanswerableError
from labelwise.metrics.description import Description
from labelwise.metrics.metric import N_DRAWS, Metric
from labelwise.metrics.posterior import Method

_Floats = NDArray[np.float64]
MARGIN = 0.05
_TAIL = 1e-15  # probability beyond which a distribution function counts as 0 or 1


@dataclass(frozen=True)
class Difference:
    """How much lower, equal or higher one value is than another.

    Attributes
    ----------
    one, other : what is compared; the difference is `one` less `other`.
    mean, low, high : posterior mean and credible interval of the difference.
    p_lower, p_equal, p_higher : probabilities that it is below -margin, within it, above margin.
    method : whether these are exact or counted from draws.
    """

    one: str
    other: str
    description: Description
    margin: float
    mean: float
    low: float
    high: float
    p_lower: float
    p_equal: float
    p_higher: float
    method: Method

    @property
    def metric(self) -> str:
        """The name of the metric."""
        return self.description.name

    @property
    def verdict(self) -> str:
        """The likeliest of lower, equal and higher."""
        return max((self.p_lower, "lower"), (self.p_equal, "equal"), (self.p_higher, "higher"))[1]

    def document(self) -> dict[str, Any]:
        """Return everything as plain values, the metric by its name."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        del values["description"]
        return {"metric": self.metric, **values}

    def sentence(self) -> str:
        """Return the verdict and its probability in one sentence."""
        chance = {"lower": self.p_lower, "equal": self.p_equal, "higher": self.p_higher}[self.verdict]
        relation = {
            "lower": f"more than {self.margin:g} lower than" if self.margin else "lower than",
            "equal": f"within {self.margin:g} of" if self.margin else "equal to",
            "higher": f"more than {self.margin:g} higher than" if self.margin else "higher than",
        }[self.verdict]
        return f"P({self.metric} of '{self.one}' is {relation} that of '{self.other}') = {chance:.3f}"


def difference(
    metric: Metric,
    belief: Belief,
    one: str,
    other: str,
    *,
    margin: float = MARGIN,
    level: float = 0.95,
    kind: Kind = "equal-tailed",
    target: Target = "population",
    n_draws: int = N_DRAWS,
    rng: np.random.Generator,
) -> Difference:
    """Compare a metric between two groups.

    Probabilities for accuracies come from quadrature (population) or an exact sum (pool), all else from draws.

    References
    ----------
    Ji, Logan, Smyth, Steyvers (AAAI 2021), section 4.

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> belief = lw.beliefs.BetaBelief.from_counts([279, 350], [481, 511], names=["people", "trees"])
    >>> result = difference(lw.accuracy, belief, "people", "trees", rng=np.random.default_rng(1))
    >>> result.sentence()
    "P(accuracy of 'people' is more than 0.05 lower than that of 'trees') = 0.963"
    """
    check_interval(level, kind)
    check_within(margin, "margin", 0, 1)
    names = metric.names(belief)
    i, j = find(str(one), names, "Group"), find(str(other), names, "Group")
    if i == j:
        raise ArgumentError(f"A group cannot be compared with itself ({names[i]!r}); name two groups.")
    draws = metric.draw(belief, n_draws, target=target, rng=rng)
    delta = draws[:, i] - draws[:, j]
    below = _exact_below(metric, belief, i, j, target)
    mean = metric.mean(belief, target=target)
    if below is None or mean is None:
        return difference_of_draws(delta, names[i], names[j], metric.description, margin, level, kind)
    if kind == "equal-tailed":
        ends = [root(below, q) for q in ((1 - level) / 2, (1 + level) / 2)]
    else:
        ends = [float(end[0]) for end in draws_interval(delta[:, None], level, kind)]
    # at the edges of the margin the difference counts as equal
    lower, higher = below(-margin, False), 1 - below(margin, True)
    return Difference(
        names[i], names[j], metric.description, margin, float(mean[i] - mean[j]), ends[0], ends[1],
        lower, max(0.0, 1 - lower - higher), higher, "exact" if kind == "equal-tailed" else "draws",
    )  # fmt: skip


def difference_of_draws(
    delta: _Floats, one: str, other: str, metric: Description, margin: float, level: float, kind: Kind
) -> Difference:
    """Summarise draws of a difference."""
    known = delta[~np.isnan(delta)]
    if len(known) == 0:
        raise UnanswerableError(
            f"There is no {metric.name} of '{one}' or of '{other}' to compare: such items never occur."
        )
    low, high = draws_interval(known[:, None], level, kind)
    # a draw at the edge of the margin counts as equal, whatever the last digit of the subtraction
    lower, higher = float((known < -margin - 1e-12).mean()), float((known > margin + 1e-12).mean())
    return Difference(
        one, other, metric, margin, float(known.mean()), float(low[0]), float(high[0]),
        lower, 1 - lower - higher, higher, "draws",
    )  # fmt: skip


def beta_difference_below(a1: float, b1: float, a2: float, b2: float, d: float) -> float:
    """Return P(X - Y <= d) for independent X ~ Beta(a1, b1) and Y ~ Beta(a2, b2), by quadrature to 1e-10.

    The integral over u = F_Y(y) of F_X(Q_Y(u) + d): bounded and monotone whatever the parameters, with its
    singularities at the ends, where the double-exponential rule puts up with them. Outside the stretch in which F_X
    climbs from 0 to 1 the integrand is constant and needs no rule.

    Examples
    --------
    >>> round(beta_difference_below(280, 203, 351, 162, -0.05), 6)
    0.963248
    """
    if d >= 1:
        return 1.0
    if d < -1:
        return 0.0
    if min(b1, b2) < min(a1, a2):  # mass at 1: mirrored it lies at 0, where numbers are finest
        a1, b1, a2, b2 = b2, a2, b1, a1
    bottom, top = _quantile(a1, b1, _TAIL) - d, 1 - _quantile(b1, a1, _TAIL) - d
    start, end = (float(betainc(a2, b2, min(max(y, 0.0), 1.0))) for y in (bottom, top))
    x, weight = double_exponential()
    width = end - start
    if width <= 0:
        return float(1 - end)
    u = start + width * x
    y = _quantile(a2, b2, np.minimum(u, 1.0))
    inside = betainc(a1, b1, np.clip(y + d, 0.0, 1.0))
    return float(min(1.0, width * (weight @ inside) + (1 - end)))


def _quantile(a: float, b: float, p: ArrayLike) -> NDArray[np.float64]:
    """Return quantiles of a Beta; scipy's are no numbers for some tiny p, where the quantile is next to 0."""
    found = np.asarray(betaincinv(a, b, p))
    return np.where(np.isnan(found), 0.0, found)


@cache
def double_exponential(step: float = 1 / 64, reach: float = 3.4) -> tuple[_Floats, _Floats]:
    """Nodes and weights on (0, 1) of the tanh-sinh rule (Takahasi and Mori, 1974)."""
    t = np.arange(-reach, reach + step / 2, step)
    x = 1 / (1 + np.exp(-np.pi * np.sinh(t)))
    weight = step * np.pi * np.cosh(t) * x * (1 - x)
    return x, weight / weight.sum()


_Below = Callable[[float, bool], float]
"""From d and whether d itself counts to the probability of a difference below d."""


def _exact_below(metric: Metric, belief: Belief, i: int, j: int, target: Target) -> _Below | None:
    """Return the exact distribution of the difference of two groups; None if it has to be drawn."""
    if is_population(target):
        betas = metric.betas(belief)
        if betas is None:
            return None
        a, b = betas
        return lambda d, closed: beta_difference_below(a[i], b[i], a[j], b[j], d)
    one, other = metric.values_in_pool(belief, i), metric.values_in_pool(belief, j)
    return None if one is None or other is None else _finite_below(*one, *other)


def _finite_below(x: _Floats, mass_x: _Floats, y: _Floats, mass_y: _Floats) -> _Below:
    """Return the same for the pool: a sum over the finitely many values that two groups can have."""
    cumulative = np.concatenate([[0.0], np.cumsum(mass_x)])

    def below(d: float, closed: bool) -> float:
        # accuracies are ratios of whole numbers: equal ones may differ in the last digit
        slack = 1e-12 if closed else -1e-12
        return float(mass_y @ cumulative[np.searchsorted(x, y + d + slack, side="right")])

    return below


def root(below: _Below, q: float) -> float:
    """Return the difference below which the probability reaches q."""
    low, high = -1.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        if below(middle, True) < q:
            low = middle
        else:
            high = middle
    return high
