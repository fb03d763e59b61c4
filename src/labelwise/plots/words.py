"""How metrics are called on axes and in sentences, and which way they are worse."""

from __future__ import annotations

from typing import Literal

Worse = Literal["low", "high"]
BARE = "no own labels"  # of a group: what is said of it comes from the prior, or from other groups
_AXES = {
    "accuracy": "Accuracy (share of right predictions)",
    "bias": "Calibration bias (mean confidence less accuracy)",
    "ece": "Expected calibration error (ECE)",
    "mce": "Maximum calibration error (MCE)",
    "recall": "Recall (share of true items that are found)",
    "precision": "Precision (share of predicted items that are right)",
    "f1": "F1 (of precision and recall)",
    "fpr": "False positive rate",
    "balanced-accuracy": "Balanced accuracy (mean recall of classes)",
    "cost": "Expected cost of a prediction",
    "lead": "Lead in accuracy over the rival",
}
_SPOKEN = {
    "bias": "Calibration bias",
    "ece": "ECE",
    "mce": "MCE",
    "fpr": "False positive rate",
    "cost": "Expected cost",
}
_WORSE_HIGH = ("bias", "ece", "mce", "fpr", "cost", "brier", "log-loss")


def axis_title(metric: str) -> str:
    """Say what an axis measures.

    Examples
    --------
    >>> axis_title("ece"), axis_title("kappa-like")
    ('Expected calibration error (ECE)', 'Kappa-like')
    """
    return _AXES.get(metric, metric.capitalize())


def spoken(metric: str) -> str:
    """Give the name of a metric for the start of a sentence.

    Examples
    --------
    >>> spoken("accuracy"), spoken("ece")
    ('Accuracy', 'ECE')
    """
    return _SPOKEN.get(metric, metric.capitalize())


def inside(metric: str) -> str:
    """Give the name of a metric for the middle of a sentence.

    Examples
    --------
    >>> inside("bias"), inside("ece")
    ('calibration bias', 'ECE')
    """
    name = spoken(metric)
    return name if name.isupper() else name.lower()


def many(number: int, noun: str = "group") -> str:
    """Write a number with its noun, thousands set apart.

    Examples
    --------
    >>> many(1), many(1_000), many(2, "label")
    ('1 group', '1,000 groups', '2 labels')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def usual_worse(metric: str) -> Worse:
    """Say which way a metric is worse, where nobody has said otherwise."""
    return "high" if metric in _WORSE_HIGH else "low"


def interval_text(mean: float, low: float, high: float) -> str:
    """Write a value with its interval.

    Examples
    --------
    >>> interval_text(0.5, 0.25, 0.75)
    '0.500 [0.250, 0.750]'
    """
    return f"{mean:.3f} [{low:.3f}, {high:.3f}]"
