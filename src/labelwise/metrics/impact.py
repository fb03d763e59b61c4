"""Impact: the part of all items that are errors of one group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import Belief, Kind, Prior, Target
from labelwise.beliefs.belief import AccuracyBelief
from labelwise.beliefs.trail import Trail
from labelwise.errors import UnanswerableError
from labelwise.groups import Grouping
from labelwise.metrics.accuracy import accuracy, group_weights
from labelwise.metrics.cost import ExpectedCost
from labelwise.metrics.description import Description, Worse
from labelwise.metrics.evidence import HitEvidence, evidence_of_counts, evidence_of_hits
from labelwise.metrics.metric import Metric, MetricOptions
from labelwise.metrics.tally import Tally
from labelwise.pool import Pool

_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Impact(Metric):
    """Share of all items times error, p_g (1 - theta_g): the errors of a group as a share of all items.

    A group can be bad and rare; the group with the largest impact causes most errors. The impacts of all groups add up
    to the error of the whole pool. Of another metric m for which high is worse, such as the expected cost, the impact
    is p_g m_g. Shares p_g are those of the pool, for both targets. Mean and interval are exact where those of the
    metric are: for accuracy a Beta distribution, mirrored and scaled.

    Parameters
    ----------
    metric : accuracy, or another metric whose value of the whole pool is the mean over its items.

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 90 + ["emu"] * 10, labels=["cat"] * 93 + ["emu"] * 7)
    >>> impact, groups = lw.metrics.impact, lw.by_prediction(pool)
    >>> belief = lw.belief_from_labels(impact, groups)
    >>> impact.estimate(belief, target="pool", rng=np.random.default_rng(1)).mean
    array([0.  , 0.03])
    """

    metric: Metric = accuracy
    name: ClassVar[str] = "impact"
    worse: ClassVar[Worse] = "high"
    is_mean_of_groups: ClassVar[bool] = True
    narrow: ClassVar[float] = 0.01

    def __post_init__(self) -> None:
        if not self.metric.is_mean_of_groups or self.metric.needs_rival or isinstance(self.metric, Impact):
            raise UnanswerableError(
                f"There is no impact of {self.metric.name}: an impact is a part of an error that is a mean over all "
                "items. Take the impact of accuracy, or of a cost."
            )

    @classmethod
    def from_options(cls, options: MetricOptions) -> Self:
        """Return the impact of accuracy, or of the expected cost if there is a matrix of `--cost`."""
        return cls() if options.cost is None else cls(ExpectedCost(options.cost))

    @property
    def description(self) -> Description:
        """Its names, with what it is a share of."""
        if self.metric.is_share_of_hits:
            title = "Impact (errors of the group, as a share of all items)"
        else:
            title = f"Impact (share of all items times {self.metric.description.label})"
        return Description(self.name, self.worse, self.name, title)

    @property
    def own_prior(self) -> Prior:  # type: ignore[override]  # that of the metric inside
        """The prior that `start` takes where none is given."""
        return self.metric.own_prior

    @property
    def learns_from_scores(self) -> bool:  # type: ignore[override]  # likewise
        """Whether the learned prior can be its prior."""
        return self.metric.learns_from_scores

    @property
    def takes_stacks(self) -> bool:  # type: ignore[override]  # likewise
        """Whether `mean` takes stacked beliefs."""
        return self.metric.takes_stacks

    @property
    def columns(self) -> tuple[str, ...]:
        """Kept columns of the pool that the metric reads."""
        return self.metric.columns

    def start(self, groups: Grouping, prior: Prior | None = None) -> Belief:
        """Return the belief that the metric reads."""
        return self.metric.start(groups, prior)

    def items(self, groups: Grouping) -> NDArray[np.bool_] | None:
        """Return which items' labels can change the metric; None if all can."""
        return self.metric.items(groups)

    def names(self, belief: Belief) -> tuple[str, ...]:
        """Return the names of the groups."""
        return self.metric.names(belief)

    def n_labels(self, belief: Belief) -> NDArray[np.int64]:
        """Return the labels of each group."""
        return self.metric.n_labels(belief)

    def n_items(self, belief: Belief) -> NDArray[np.int64] | None:
        """Return the size of each group; None if unknown."""
        return self.metric.n_items(belief)

    def to_groups(self, belief: Belief, urgency: _Floats) -> _Floats:
        """Return how urgent a label of each group is."""
        return self.metric.to_groups(belief, urgency)

    def of_values(self, values: _Floats, share: _Floats) -> _Floats:
        """Return the impacts of groups with these values of the metric and these shares of all items."""
        return np.asarray(share * self._error(values))

    def _error(self, values: _Floats) -> _Floats:
        """Return the error: where low is worse, the distance from 1, the best."""
        return 1 - values if self.metric.worse == "low" else values

    def draw(self, belief: Belief, n_draws: int, *, target: Target = "population", rng: np.random.Generator) -> _Floats:
        """Draw impacts."""
        return self.of_values(self.metric.draw(belief, n_draws, target=target, rng=rng), _share(belief))

    def mean(self, belief: Belief, *, target: Target = "population") -> _Floats | None:
        """Return the exact mean; None if the metric has none."""
        mean = self.metric.mean(belief, target=target)
        return None if mean is None else self.of_values(mean, _share(belief))

    def is_provable(self, groups: Grouping) -> bool:
        """Return whether it is the impact of accuracy."""
        return self.metric.is_share_of_hits

    def evidence(self, trail: Trail, *, target: Target = "population") -> HitEvidence | None:
        """Return what hits prove; None for another metric than accuracy."""
        share = trail.groups.share
        return evidence_of_hits(trail, share, -share, target) if self.metric.is_share_of_hits else None

    def evidence_of_counts(self, belief: Belief, *, target: Target = "population") -> HitEvidence | None:
        """Return what hits prove; None for another metric than accuracy."""
        if not self.metric.is_share_of_hits:
            return None
        share = belief.outer.share
        return evidence_of_counts(AccuracyBelief.of(belief), share, -share, target)

    def interval(self, belief: Belief, level: float, *, kind: Kind, target: Target) -> tuple[_Floats, _Floats] | None:
        """Return the exact interval: that of the metric, scaled, and mirrored where low is worse; None without one."""
        found = self.metric.interval(belief, level, kind=kind, target=target)
        if found is None:
            return None
        ends = [self.of_values(end, _share(belief)) for end in found]
        return (ends[1], ends[0]) if self.metric.worse == "low" else (ends[0], ends[1])

    def values_in_pool(self, belief: Belief, g: int) -> tuple[_Floats, _Floats] | None:
        """Return all impacts that a group can have in the pool, rising, and their probabilities; None if unknown."""
        found = self.metric.values_in_pool(belief, g)
        if found is None:
            return None
        values, chances = found
        order = slice(None, None, -1) if self.metric.worse == "low" else slice(None)
        return self.of_values(values, _share(belief)[g])[order], chances[order]

    def draw_overall(
        self, belief: Belief, n_draws: int, *, target: Target = "population", rng: np.random.Generator
    ) -> _Floats | None:
        """Draw the error of the whole pool, which is the sum of the impacts; None if it has no value."""
        draws = self.metric.draw_overall(belief, n_draws, target=target, rng=rng)
        return None if draws is None else self._error(draws)

    def tally(self, pool: Pool) -> Tally:
        """Code items as the metric does; the value of the whole pool is its error."""
        inner = self.metric.tally(pool)
        return Tally(inner.codes, inner.n_codes, lambda weights: self._error(inner.value(weights)))


def _share(belief: Belief) -> _Floats:
    """Return the share of the pool's items that each group holds."""
    return group_weights(AccuracyBelief.of(belief)) if belief.groups is None else belief.outer.share


def impact_of(metric: Metric) -> Impact | None:
    """Return the impact to show beside a metric: of accuracy and of a cost; None for other metrics.

    Examples
    --------
    >>> import labelwise as lw
    >>> impact_of(lw.accuracy), impact_of(lw.ece)
    (Impact(metric=Accuracy()), None)
    """
    return Impact(metric) if metric.is_share_of_hits or metric.cost_matrix is not None else None


impact = Impact()
