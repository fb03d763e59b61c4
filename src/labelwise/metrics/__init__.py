"""Metrics: functions from a belief to one value per group, and what is asked of those values.

A metric is an object: `accuracy`, `f1`, `ece`. Where its parameters can be chosen, its class is public too:
`ECE(bins=5)`, `F1(average="macro")`, `ExpectedCost(matrix)`.
"""

from labelwise.metrics.accuracy import Accuracy, accuracy, overall_accuracy, overall_variance
from labelwise.metrics.bias import CalibrationBias, calibration_bias
from labelwise.metrics.confusion import (
    F1,
    BalancedAccuracy,
    ConfusionFunction,
    ConfusionMetric,
    FalsePositiveRate,
    Precision,
    Recall,
    balanced_accuracy,
    confusion_matrix,
    f1,
    false_positive_rate,
    precision,
    recall,
)
from labelwise.metrics.cost import ExpectedCost
from labelwise.metrics.curve import calibration_curve
from labelwise.metrics.description import Description, Worse
from labelwise.metrics.design import DesignBased, design_based
from labelwise.metrics.difference import Difference, beta_difference_below, difference
from labelwise.metrics.ece import ECE, MCE, ece, mce
from labelwise.metrics.handoff import HandOff, hand_off
from labelwise.metrics.impact import Impact, impact
from labelwise.metrics.kappa import cohen_kappa, fleiss_kappa, kappa_interval
from labelwise.metrics.known import bootstrap, brier, classwise_ece, known_value, log_loss
from labelwise.metrics.lead import Lead
from labelwise.metrics.metric import Metric, MetricOptions, belief_from_labels
from labelwise.metrics.paired import PairedDifference, compare_classifiers, with_rival
from labelwise.metrics.posterior import Posterior
from labelwise.metrics.ranking import Ranking, rank
from labelwise.metrics.reliability import reliability

METRICS: dict[str, type[Metric]] = {
    kind.name: kind
    for kind in (
        Accuracy, CalibrationBias, ECE, MCE, BalancedAccuracy, Recall, Precision, F1, FalsePositiveRate, ExpectedCost,
        Impact, Lead,
    )
}  # fmt: skip
"""The metrics by the name that the command line, stores and tables call them. A new metric is registered here."""

__all__ = [
    "ECE",
    "F1",
    "MCE",
    "METRICS",
    "ConfusionFunction",
    "ConfusionMetric",
    "Description",
    "DesignBased",
    "Difference",
    "ExpectedCost",
    "FalsePositiveRate",
    "HandOff",
    "Impact",
    "Lead",
    "Metric",
    "MetricOptions",
    "PairedDifference",
    "Posterior",
    "Precision",
    "Ranking",
    "Recall",
    "Worse",
    "accuracy",
    "balanced_accuracy",
    "belief_from_labels",
    "beta_difference_below",
    "bootstrap",
    "brier",
    "calibration_bias",
    "calibration_curve",
    "classwise_ece",
    "cohen_kappa",
    "compare_classifiers",
    "confusion_matrix",
    "design_based",
    "difference",
    "ece",
    "f1",
    "false_positive_rate",
    "fleiss_kappa",
    "hand_off",
    "impact",
    "kappa_interval",
    "known_value",
    "log_loss",
    "mce",
    "overall_accuracy",
    "overall_variance",
    "precision",
    "rank",
    "recall",
    "reliability",
    "with_rival",
]
