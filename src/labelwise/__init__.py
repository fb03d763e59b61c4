"""labelwise finds out how good a black-box classifier really is, with as few labels as possible.

    import labelwise as lw

Every public name is here. A name is loaded when it is first used, so that `labelwise --help` does not wait for
numerical libraries.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0.dev0"

if TYPE_CHECKING:
    from labelwise.beliefs import (
        Belief as Belief,
    )
    from labelwise.beliefs import (
        BetaBelief as BetaBelief,
    )
    from labelwise.beliefs import (
        CarriedPrior as CarriedPrior,
    )
    from labelwise.beliefs import (
        CellBelief as CellBelief,
    )
    from labelwise.beliefs import (
        CustomPrior as CustomPrior,
    )
    from labelwise.beliefs import (
        DirichletBelief as DirichletBelief,
    )
    from labelwise.beliefs import (
        FlatPrior as FlatPrior,
    )
    from labelwise.beliefs import (
        InformedPrior as InformedPrior,
    )
    from labelwise.beliefs import (
        Prior as Prior,
    )
    from labelwise.beliefs import (
        beta_interval as beta_interval,
    )
    from labelwise.ensembles import (
        Ensemble as Ensemble,
    )
    from labelwise.ensembles import (
        by_disagreement as by_disagreement,
    )
    from labelwise.errors import (
        ArgumentError as ArgumentError,
    )
    from labelwise.errors import (
        DataError as DataError,
    )
    from labelwise.errors import (
        LabelwiseError as LabelwiseError,
    )
    from labelwise.errors import (
        NotFoundError as NotFoundError,
    )
    from labelwise.errors import (
        UnanswerableError as UnanswerableError,
    )
    from labelwise.groups import (
        Grouping as Grouping,
    )
    from labelwise.groups import (
        by_column as by_column,
    )
    from labelwise.groups import (
        by_map as by_map,
    )
    from labelwise.groups import (
        by_prediction as by_prediction,
    )
    from labelwise.groups import (
        by_score as by_score,
    )
    from labelwise.groups import (
        crossed as crossed,
    )
    from labelwise.groups import (
        everything as everything,
    )
    from labelwise.metrics import (
        ECE as ECE,
    )
    from labelwise.metrics import (
        F1 as F1,
    )
    from labelwise.metrics import (
        MCE as MCE,
    )
    from labelwise.metrics import (
        Accuracy as Accuracy,
    )
    from labelwise.metrics import (
        BalancedAccuracy as BalancedAccuracy,
    )
    from labelwise.metrics import (
        Brier as Brier,
    )
    from labelwise.metrics import (
        CalibrationBias as CalibrationBias,
    )
    from labelwise.metrics import (
        ConfusionFunction as ConfusionFunction,
    )
    from labelwise.metrics import (
        ConfusionMetric as ConfusionMetric,
    )
    from labelwise.metrics import (
        Difference as Difference,
    )
    from labelwise.metrics import (
        Estimate as Estimate,
    )
    from labelwise.metrics import (
        ExpectedCost as ExpectedCost,
    )
    from labelwise.metrics import (
        FalsePositiveRate as FalsePositiveRate,
    )
    from labelwise.metrics import (
        HandOff as HandOff,
    )
    from labelwise.metrics import (
        LogLoss as LogLoss,
    )
    from labelwise.metrics import (
        Metric as Metric,
    )
    from labelwise.metrics import (
        PairedDifference as PairedDifference,
    )
    from labelwise.metrics import (
        Precision as Precision,
    )
    from labelwise.metrics import (
        Ranking as Ranking,
    )
    from labelwise.metrics import (
        Recall as Recall,
    )
    from labelwise.metrics import (
        accuracy as accuracy,
    )
    from labelwise.metrics import (
        balanced_accuracy as balanced_accuracy,
    )
    from labelwise.metrics import (
        beta_difference_below as beta_difference_below,
    )
    from labelwise.metrics import (
        bootstrap as bootstrap,
    )
    from labelwise.metrics import (
        brier as brier,
    )
    from labelwise.metrics import (
        calibration_bias as calibration_bias,
    )
    from labelwise.metrics import (
        classwise_ece as classwise_ece,
    )
    from labelwise.metrics import (
        compare_classifiers as compare_classifiers,
    )
    from labelwise.metrics import (
        confusion_matrix as confusion_matrix,
    )
    from labelwise.metrics import (
        difference as difference,
    )
    from labelwise.metrics import (
        ece as ece,
    )
    from labelwise.metrics import (
        f1 as f1,
    )
    from labelwise.metrics import (
        false_positive_rate as false_positive_rate,
    )
    from labelwise.metrics import (
        hand_off as hand_off,
    )
    from labelwise.metrics import (
        known_value as known_value,
    )
    from labelwise.metrics import (
        learned as learned,
    )
    from labelwise.metrics import (
        log_loss as log_loss,
    )
    from labelwise.metrics import (
        mce as mce,
    )
    from labelwise.metrics import (
        overall_accuracy as overall_accuracy,
    )
    from labelwise.metrics import (
        overall_variance as overall_variance,
    )
    from labelwise.metrics import (
        precision as precision,
    )
    from labelwise.metrics import (
        rank as rank,
    )
    from labelwise.metrics import (
        recall as recall,
    )
    from labelwise.metrics import (
        reliability as reliability,
    )
    from labelwise.pool import (
        Frame as Frame,
    )
    from labelwise.pool import (
        Pool as Pool,
    )
    from labelwise.pool import (
        pool_from_arrays as pool_from_arrays,
    )
    from labelwise.pool import (
        read_pool as read_pool,
    )

# Which module a public name lives in; a test keeps this table and the imports above the same.
_HOME = {
    "errors": (
        "LabelwiseError",
        "ArgumentError",
        "DataError",
        "NotFoundError",
        "UnanswerableError",
    ),
    "pool": (
        "Frame",
        "Pool",
        "pool_from_arrays",
        "read_pool",
    ),
    "groups": (
        "Grouping",
        "by_column",
        "by_map",
        "by_prediction",
        "by_score",
        "crossed",
        "everything",
    ),
    "beliefs": (
        "Belief",
        "BetaBelief",
        "CarriedPrior",
        "CellBelief",
        "CustomPrior",
        "DirichletBelief",
        "FlatPrior",
        "InformedPrior",
        "Prior",
        "beta_interval",
    ),
    "metrics": (
        "ECE",
        "F1",
        "MCE",
        "Accuracy",
        "BalancedAccuracy",
        "Brier",
        "CalibrationBias",
        "ConfusionFunction",
        "ConfusionMetric",
        "Difference",
        "Estimate",
        "ExpectedCost",
        "FalsePositiveRate",
        "HandOff",
        "LogLoss",
        "Metric",
        "PairedDifference",
        "Precision",
        "Ranking",
        "Recall",
        "accuracy",
        "balanced_accuracy",
        "beta_difference_below",
        "bootstrap",
        "brier",
        "calibration_bias",
        "classwise_ece",
        "compare_classifiers",
        "confusion_matrix",
        "difference",
        "ece",
        "f1",
        "false_positive_rate",
        "hand_off",
        "known_value",
        "learned",
        "log_loss",
        "mce",
        "overall_accuracy",
        "overall_variance",
        "precision",
        "rank",
        "recall",
        "reliability",
    ),
    "ensembles": (
        "Ensemble",
        "by_disagreement",
    ),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}
__all__ = ["__version__", *_MODULE_OF]  # names are text, as the table shows


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'labelwise' has no attribute {name!r}")
    value = getattr(import_module(f"labelwise.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
