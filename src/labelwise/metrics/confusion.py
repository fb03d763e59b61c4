"""Confusion, and everything that is a function of it: recall, precision, F1, rates, or one of the user's own."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import Belief, CarriedPrior, Kind, Prior, Target
from labelwise.beliefs.belief import ConfusionBelief, is_population
from labelwise.beliefs.learned.confusion import start_confusion
from labelwise.errors import ArgumentError, UnanswerableError
from labelwise.groups import Grouping, by_prediction, crossed
from labelwise.metrics.description import Worse
from labelwise.metrics.evidence import LabelRatio
from labelwise.metrics.metric import Metric, MetricOptions
from labelwise.metrics.tally import Tally, gathered
from labelwise.pool import ClassName, Frame, Pool

_Floats = NDArray[np.float64]
Average = Literal["macro"]
_LEAST = 1e-6  # pseudo-counts; draws of them go by their logarithm


def confusion_matrix(
    belief: ConfusionBelief, *, level: float = 0.95, kind: Kind = "equal-tailed", target: Target = "population"
) -> Frame:
    """Return one row per predicted and true class: P(true | predicted) with interval, and the labels counted.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat", "cat", "dog"], labels=["cat", "dog", "dog"])
    >>> frame = confusion_matrix(lw.belief_from_labels(lw.recall, lw.by_prediction(pool)))
    >>> frame.rows()[1]["predicted"], frame.rows()[1]["true"], frame.rows()[1]["labels"]
    ('cat', 'dog', 1)
    """
    low, high = belief.interval(level, kind=kind, target=target)
    classes = [str(name) for name in belief.groups.pool.classes]
    return Frame(
        {
            "predicted": [name for name in belief.names for _ in classes],
            "true": classes * len(belief.names),
            "mean": belief.mean(target=target).ravel(),
            "low": low.ravel(),
            "high": high.ravel(),
            "labels": belief.counts.ravel(),
        }
    )


def confusion_start(groups: Grouping, prior: Prior | None) -> ConfusionBelief:
    """Return one row per group and predicted class, crossing the grouping with the prediction if it must be."""
    if groups.prediction_of_group is not None:
        belief = start_confusion(groups, prior)
        if groups.n_left_out and belief.outer is not belief.groups:
            raise UnanswerableError(
                f"A metric of confusion has one value per group of {belief.outer.rule}, so small groups of "
                f"{groups.rule} cannot be left out. Group by {belief.outer.rule} alone."
            )
        return belief
    belief = start_confusion(crossed(groups, by_prediction(groups.pool)), prior)
    if isinstance(prior, CarriedPrior):
        return belief  # counts
    # The strength is that of a whole group: a hundred predicted classes in it must not bring a hundred priors.
    return belief.with_shared_strength(_LEAST)


def prediction_shares(belief: ConfusionBelief, n_draws: int, *, target: Target, rng: np.random.Generator) -> _Floats:
    """Draw the shares of predicted classes within each outer group, shape (n_draws, n_groups, n_classes).

    Of the pool they are known. New items will not be predicted in exactly these shares: an interval that took them for
    granted would hold the false positive rate 85 times in a hundred instead of 95.
    """
    n_classes = belief.groups.pool.n_classes
    size = belief.groups.n_items.reshape(-1, n_classes)
    if not is_population(target):
        share = size / np.maximum(size.sum(axis=1, keepdims=True), 1)
        return np.broadcast_to(share, (n_draws, *share.shape))
    share = rng.standard_gamma(size + 1 / n_classes, (n_draws, *size.shape))
    return np.asarray(share / share.sum(axis=-1, keepdims=True))


def share_moments(belief: ConfusionBelief, target: Target) -> tuple[_Floats, _Floats]:
    """Return mean and mean square of what `prediction_shares` draws, shape (n_groups, n_classes)."""
    size = belief.groups.n_items.reshape(belief.outer.n_groups, -1)
    if not is_population(target):
        share = size / np.maximum(size.sum(axis=1, keepdims=True), 1)
        return share, share**2
    alpha = size + 1 / size.shape[1]
    total = alpha.sum(axis=1, keepdims=True)
    return alpha / total, alpha * (alpha + 1) / (total * (total + 1))


@dataclass(frozen=True)
class ConfusionMetric(Metric):
    """A function of the joint shares of true and predicted class.

    With neither `positive` nor `average`, there is one value per class, and groups must be predicted classes. With one
    of them there is one value per group: that of the positive class, or the mean over all classes.

    The pool knows the shares of predicted classes without labels. In the population they are unknown too, and drawn.

    Parameters
    ----------
    positive : the class whose value is wanted.
    average : "macro" for the plain mean over classes.
    """

    positive: ClassName | None = None
    average: Average | None = None

    def __post_init__(self) -> None:
        if self.positive is not None and self.average is not None:
            raise ArgumentError("Give either `positive` or `average`, not both.")

    @classmethod
    def from_options(cls, options: MetricOptions) -> Self:
        """Return the metric of the class of `--positive`, or of every class."""
        return cls(positive=options.positive)

    @abstractmethod
    def by_class(self, joint: _Floats) -> _Floats:
        """From shares, shape (..., true, predicted), to one value per class, shape (..., n_classes)."""

    def start(self, groups: Grouping, prior: Prior | None = None) -> ConfusionBelief:
        """Return one row per group and predicted class."""
        belief = confusion_start(groups, prior)
        if self._is_by_class and belief.outer is not belief.groups:
            raise UnanswerableError(
                f"{self.name} has one value per class; for one value per group ({groups.rule}) name the `positive` "
                "class or an `average`."
            )
        if groups.n_left_out and belief.outer is belief.groups:
            raise UnanswerableError(
                f"{self.name} by {groups.rule} rests on the items of every group, so small groups cannot be left out. "
                "Measure accuracy or cost, or group by something else than the predicted class."
            )
        return belief

    @property
    def _is_by_class(self) -> bool:
        return self.positive is None and self.average is None

    def names(self, belief: Belief) -> tuple[str, ...]:
        """Return the names of the groups, or of the classes if there is one value per class."""
        if belief.outer is not belief.groups or self._is_by_class:
            return belief.outer.names
        return ("all items",)

    def n_labels(self, belief: Belief) -> NDArray[np.int64]:
        """Count the labels of each group, or, with one value per class, the labels of each true class."""
        rows = ConfusionBelief.of(belief)
        if self._is_by_class:
            return np.asarray(rows.counts.sum(axis=0))
        return np.asarray(rows.n_labels.reshape(-1, rows.groups.pool.n_classes).sum(axis=1))

    def n_items(self, belief: Belief) -> NDArray[np.int64] | None:
        """Return the size of each group; with one value per class, no group is empty."""
        if self._is_by_class:
            return None
        groups = ConfusionBelief.of(belief).groups
        return np.asarray(groups.n_items.reshape(-1, groups.pool.n_classes).sum(axis=1))

    def to_groups(self, belief: Belief, urgency: _Floats) -> _Floats:
        """Return how urgent a label of each group is: its share times its spread for the most urgent class."""
        if not self._is_by_class and belief.outer is not belief.groups:
            return urgency
        spread = ConfusionBelief.of(belief).groups.share * np.sqrt(belief.variance().T)  # (true, predicted)
        return spread[int(np.nanargmax(urgency))] if self._is_by_class else spread.sum(axis=0)

    def draw(self, belief: Belief, n_draws: int, *, target: Target = "population", rng: np.random.Generator) -> _Floats:
        """Draw values from draws of the confusion."""
        confusion = ConfusionBelief.of(belief)
        pool = confusion.groups.pool
        parts = []
        for rows in confusion.draws(n_draws, target=target, rng=rng):
            rows = rows.reshape(len(rows), -1, pool.n_classes, pool.n_classes)  # (draws, n_groups, predicted, true)
            rows *= prediction_shares(confusion, len(rows), target=target, rng=rng)[..., None]
            parts.append(self._chosen(self.by_class(rows.swapaxes(-1, -2)), pool))
        values = np.concatenate(parts)  # (n_draws, n_groups) or (n_draws, 1, n_classes)
        return values[:, 0] if self._is_by_class else values

    def _chosen(self, by_class: _Floats, pool: Pool) -> _Floats:
        if self.positive is not None:
            return by_class[..., pool.class_index(self.positive)]
        if self.average is None:
            return by_class
        there = ~np.isnan(by_class)
        count = there.sum(axis=-1)
        total = np.where(there, by_class, 0.0).sum(axis=-1)
        return np.divide(total, count, out=np.full(count.shape, np.nan), where=count > 0)

    def label_ratio(self, pool: Pool) -> LabelRatio | None:
        """Return what an item adds to the value of the positive class, where that is a ratio of two sums."""
        if self.positive is None:
            return None
        k = pool.class_index(self.positive)
        is_true = np.zeros((pool.n_classes, pool.n_classes))
        is_true[k] = 1.0
        return self.ratio_of(is_true, is_true.T)

    def is_provable(self, groups: Grouping) -> bool:
        """Return whether each group has a value of the positive class."""
        return groups.prediction_of_group is None and super().is_provable(groups)

    def ratio_of(self, is_true: _Floats, is_predicted: _Floats) -> LabelRatio | None:
        """Return the ratio, from whether an item is truly of the positive class and whether it was predicted so."""
        return None

    @property
    def is_mean_of_classes(self) -> bool:
        """Whether no class is named."""
        return self.positive is None

    @property
    def overall_name(self) -> str:
        """Its name, and that it is a mean over classes if it is."""
        return f"macro {self.name}" if self.is_mean_of_classes else self.name

    def _overall(self) -> Self:
        """Over the whole pool, one value per class becomes their mean."""
        return replace(self, average="macro") if self._is_by_class else self

    def tally(self, pool: Pool) -> Tally:
        """Code each item by its true and predicted class; without a positive class the value is the macro average."""
        k = pool.n_classes
        codes = np.maximum(pool.known_labels(self.name), 0).astype(np.int64) * k + pool.prediction

        def value(weights: _Floats) -> _Floats:
            joint = weights.reshape(*weights.shape[:-1], k, k) / weights.sum(axis=-1)[..., None, None]
            return self._overall()._chosen(self.by_class(joint), pool)

        return Tally(codes, k * k, value)


def ratio(part: _Floats, whole: _Floats) -> _Floats:
    """Divide, with NaN where the whole is nothing: a class that is never true has no recall."""
    return np.divide(part, whole, out=np.full(np.shape(whole), np.nan), where=whole > 0)


@dataclass(frozen=True)
class MarginMetric(ConfusionMetric):
    """A function of three shares a class: rightly predicted, true, and predicted.

    A thousand classes make a million pairs of classes, of which a pool shows a few thousand: what needs only the
    margins is computed from those.
    """

    @abstractmethod
    def from_margins(self, right: _Floats, true: _Floats, predicted: _Floats) -> _Floats:
        """From shares, each of shape (..., n_classes), to one value per class."""

    def by_class(self, joint: _Floats) -> _Floats:
        """Take the margins of the joint shares."""
        return self.from_margins(_diagonal(joint), joint.sum(axis=-1), joint.sum(axis=-2))

    def tally(self, pool: Pool) -> Tally:
        """Code each item by its pair of true and predicted class, among the pairs that occur."""
        k = pool.n_classes
        pairs = np.maximum(pool.known_labels(self.name), 0).astype(np.int64) * k + pool.prediction
        found, codes = np.unique(pairs, return_inverse=True)
        true, predicted = np.divmod(found, k)

        def value(weights: _Floats) -> _Floats:
            share = weights / weights.sum(axis=-1, keepdims=True)
            right = gathered(np.where(true == predicted, share, 0.0), true, k)
            margins = right, gathered(share, true, k), gathered(share, predicted, k)
            return self._overall()._chosen(self.from_margins(*margins), pool)

        return Tally(codes, len(found), value)


def _diagonal(joint: _Floats) -> _Floats:
    return np.diagonal(joint, axis1=-2, axis2=-1)


@dataclass(frozen=True)
class Recall(MarginMetric):
    """Of the items that are truly of a class, the share that was predicted so; the true positive rate.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["yes", "yes", "no", "no"], labels=["yes", "no", "no", "yes"])
    >>> lw.metrics.known_value(lw.metrics.Recall(positive="yes"), pool)
    0.5
    """

    name: ClassVar[str] = "recall"
    title: ClassVar[str] = "Recall (share of true items that are found)"
    worse: ClassVar[Worse] = "low"

    def ratio_of(self, is_true: _Floats, is_predicted: _Floats) -> LabelRatio:
        """Of the true items, those that are found."""
        return LabelRatio(is_true * is_predicted, is_true)

    def from_margins(self, right: _Floats, true: _Floats, predicted: _Floats) -> _Floats:
        """Divide by what is true."""
        return ratio(right, true)


@dataclass(frozen=True)
class Precision(MarginMetric):
    """Of the items that were predicted a class, the share that truly is; the accuracy of its group.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["yes", "yes", "yes", "no"], labels=["yes", "no", "no", "yes"])
    >>> round(lw.metrics.known_value(lw.metrics.Precision(positive="yes"), pool), 4)
    0.3333
    """

    name: ClassVar[str] = "precision"
    title: ClassVar[str] = "Precision (share of predicted items that are right)"
    worse: ClassVar[Worse] = "low"

    def ratio_of(self, is_true: _Floats, is_predicted: _Floats) -> LabelRatio:
        """Of the predicted items, those that are right."""
        return LabelRatio(is_true * is_predicted, is_predicted)

    def from_margins(self, right: _Floats, true: _Floats, predicted: _Floats) -> _Floats:
        """Divide by what was predicted."""
        return ratio(right, predicted)


@dataclass(frozen=True)
class F1(MarginMetric):
    """Harmonic mean of precision and recall.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["yes", "yes", "yes", "no"], labels=["yes", "no", "no", "yes"])
    >>> lw.metrics.known_value(lw.metrics.F1(positive="yes"), pool)
    0.4
    """

    name: ClassVar[str] = "f1"
    label: ClassVar[str] = "F1"
    title: ClassVar[str] = "F1 (of precision and recall)"
    worse: ClassVar[Worse] = "low"

    def ratio_of(self, is_true: _Floats, is_predicted: _Floats) -> LabelRatio:
        """Twice the right ones, of true and predicted together."""
        return LabelRatio(2 * is_true * is_predicted, is_true + is_predicted)

    def from_margins(self, right: _Floats, true: _Floats, predicted: _Floats) -> _Floats:
        """Twice the right ones, divided by true and predicted together."""
        return ratio(2 * right, true + predicted)


@dataclass(frozen=True)
class FalsePositiveRate(MarginMetric):
    """Of the items that are truly not of a class, the share that was predicted so.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["yes", "yes", "yes", "no"], labels=["yes", "no", "no", "no"])
    >>> round(lw.metrics.known_value(lw.metrics.FalsePositiveRate(positive="yes"), pool), 4)
    0.6667
    """

    name: ClassVar[str] = "fpr"
    label: ClassVar[str] = "false positive rate"
    title: ClassVar[str] = "False positive rate"
    worse: ClassVar[Worse] = "high"

    def ratio_of(self, is_true: _Floats, is_predicted: _Floats) -> LabelRatio:
        """Of the items that are not true, those that are predicted all the same."""
        return LabelRatio((1 - is_true) * is_predicted, 1 - is_true)

    def from_margins(self, right: _Floats, true: _Floats, predicted: _Floats) -> _Floats:
        """Wrongly predicted, divided by what is not true; rounding must not push a share below zero."""
        not_true = np.maximum(true.sum(axis=-1, keepdims=True) - true, 0.0)
        return ratio(np.maximum(predicted - right, 0.0), np.where(not_true > 1e-15, not_true, 0.0))


@dataclass(frozen=True)
class BalancedAccuracy(Recall):
    """Mean recall over the classes that occur: what accuracy would be if all classes were equally frequent.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["yes", "no", "no", "no"], labels=["yes", "no", "no", "yes"])
    >>> lw.metrics.known_value(lw.balanced_accuracy, pool)
    0.75
    """

    average: Average | None = "macro"
    name: ClassVar[str] = "balanced-accuracy"
    title: ClassVar[str] = "Balanced accuracy (mean recall of classes)"

    @property
    def overall_name(self) -> str:
        """Its name without "macro": that it is a mean over classes is part of it."""
        return self.name

    @classmethod
    def from_options(cls, options: MetricOptions) -> Self:
        """Return the metric; it is about all classes."""
        return cls()


@dataclass(frozen=True)
class ConfusionFunction(ConfusionMetric):
    """Any function of the user's of the joint shares of true and predicted class.

    Parameters
    ----------
    function : from an array of shape (..., true, predicted) whose last two axes add up to 1 to one of shape (...).
    high_is_worse : whether a high value is the bad one.

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=[0, 1, 1], labels=[0, 1, 0])
    >>> kappa_like = ConfusionFunction(function=lambda joint: np.trace(joint, axis1=-2, axis2=-1))
    >>> round(lw.metrics.known_value(kappa_like, pool), 4)
    0.6667
    """

    function: Callable[[_Floats], _Floats] = _diagonal
    high_is_worse: bool = False
    average: Average | None = "macro"

    @property
    def name(self) -> str:  # type: ignore[override]
        """The name of the function."""
        return getattr(self.function, "__name__", "function").replace("_", "-")

    @property
    def worse(self) -> Worse:  # type: ignore[override]
        """As the user said."""
        return "high" if self.high_is_worse else "low"

    def by_class(self, joint: _Floats) -> _Floats:
        """Call the function, as if its value were that of a single class."""
        try:
            value = np.asarray(self.function(joint))
        except Exception as error:
            raise ArgumentError(f"The function {self.name!r} failed: {type(error).__name__}: {error}.") from error
        if value.shape != joint.shape[:-2]:
            raise ArgumentError(
                f"The function {self.name!r} turned shape {joint.shape} into {value.shape}; "
                f"it must give {joint.shape[:-2]}."
            )
        return value[..., None]


recall, precision, f1 = Recall(), Precision(), F1()
false_positive_rate, balanced_accuracy = FalsePositiveRate(), BalancedAccuracy()
