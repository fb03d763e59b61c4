"""Metrics: functions from a belief to one value per group, and what is asked of those values."""

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
from labelwise.metrics.curve import CURVE_BINS, calibration_curve
from labelwise.metrics.description import Description, Worse
from labelwise.metrics.design import DesignBased, design_based
from labelwise.metrics.difference import MARGIN, Difference, beta_difference_below, difference, difference_of_draws
from labelwise.metrics.ece import ECE, MCE, ece, mce
from labelwise.metrics.handoff import HandOff, hand_off
from labelwise.metrics.kappa import cohen_kappa, fleiss_kappa, kappa_interval
from labelwise.metrics.known import Brier, LogLoss, Tallied, bootstrap, brier, classwise_ece, known_value, log_loss
from labelwise.metrics.lead import Lead
from labelwise.metrics.metric import N_DRAWS, Metric, MetricOptions, belief_from_labels
from labelwise.metrics.paired import PairedDifference, compare_classifiers, with_rival
from labelwise.metrics.posterior import Posterior
from labelwise.metrics.ranking import Ranking, rank
from labelwise.metrics.reliability import reliability

METRICS: dict[str, type[Metric]] = {
    kind.name: kind
    for kind in (
        Accuracy, CalibrationBias, ECE, MCE, BalancedAccuracy, Recall, Precision, F1, FalsePositiveRate, ExpectedCost,
        Lead,
    )
}  # fmt: skip
"""The metrics by the name that the command line, stores and tables call them. A new metric is registered here."""

__all__ = [
    "CURVE_BINS",
    "ECE",
    "F1",
    "MARGIN",
    "MCE",
    "METRICS",
    "N_DRAWS",
    "Accuracy",
    "BalancedAccuracy",
    "Brier",
    "CalibrationBias",
    "ConfusionFunction",
    "ConfusionMetric",
    "Description",
    "DesignBased",
    "Difference",
    "ExpectedCost",
    "FalsePositiveRate",
    "HandOff",
    "Lead",
    "LogLoss",
    "Metric",
    "MetricOptions",
    "PairedDifference",
    "Posterior",
    "Precision",
    "Ranking",
    "Recall",
    "Tallied",
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
    "difference_of_draws",
    "ece",
    "f1",
    "false_positive_rate",
    "fleiss_kappa",
    "hand_off",
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
