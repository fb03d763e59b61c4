"""labelwise finds out how good a black-box classifier really is, with as few labels as possible.

    import labelwise as lw

Every public name is here. A name is loaded when it is first used, so that `labelwise --help` does not wait for
numerical libraries.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0.dev0"

if TYPE_CHECKING:  # what a type checker sees; a test holds it against the table below
    from labelwise.accounts import *  # noqa: F403
    from labelwise.assessment import *  # noqa: F403
    from labelwise.beliefs import *  # noqa: F403
    from labelwise.ensembles import *  # noqa: F403
    from labelwise.errors import *  # noqa: F403
    from labelwise.groups import *  # noqa: F403
    from labelwise.metrics import *  # noqa: F403
    from labelwise.plots import *  # noqa: F403
    from labelwise.policies import *  # noqa: F403
    from labelwise.pool import *  # noqa: F403
    from labelwise.questions import *  # noqa: F403
    from labelwise.report import *  # noqa: F403
    from labelwise.simulation import *  # noqa: F403
    from labelwise.store import *  # noqa: F403

_HOME = {
    "errors": "LabelwiseError ArgumentError ConflictError DataError DataWarning NotFoundError UnanswerableError",
    "pool": "Frame Pool pool_from_arrays read_pool",
    "groups": "Grouping by_column by_map by_prediction by_score crossed everything",
    "beliefs": """
        Belief BetaBelief CarriedPrior CellBelief CustomPrior DirichletBelief FlatPrior InformedPrior
        LearnedPrior LearnedAccuracy PairedBelief Prior LearnedConfusion always_valid beta_interval
        to_arviz
    """,
    "ensembles": "Ensemble by_disagreement",
    "metrics": """
        ECE F1 MCE Accuracy BalancedAccuracy Brier CalibrationBias ConfusionFunction ConfusionMetric DesignBased
        Difference ExpectedCost FalsePositiveRate HandOff Lead LogLoss Metric PairedDifference Posterior Precision
        Ranking Recall accuracy balanced_accuracy beta_difference_below bootstrap brier calibration_bias
        calibration_curve classwise_ece cohen_kappa compare_classifiers confusion_matrix design_based difference ece f1
        false_positive_rate fleiss_kappa hand_off kappa_interval known_value
        belief_from_labels log_loss mce overall_accuracy overall_variance precision rank recall reliability
        with_rival
    """,
    "questions": "Answer Best Compare Estimate Overall Question Versus Worst",
    "policies": """
        BayesianUpperBound EpsilonGreedy Greedy MultiplePlay Policy RandomGroup RandomItem Thompson TopTwo
    """,
    "assessment": """
        Agreement AllOf AnyOf Assessment Budget Dispute Forecast MemoryJournal Plan Price Result Said Setup StoppingRule
        Sure Ticket Width agreement_of plan
    """,
    "accounts": "Accounts Audit",
    "store": "Copied PostgresStore SqliteStore Store copy_assessment open_store",
    "plots": "Chart plot",
    "report": "Report comparison_of report_of",
    "simulation": "Card Cell Scenario Simulated coverage_card simulate",
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names.split()}
__all__ = ["__version__", *_MODULE_OF]  # names are text, as the table shows


def __getattr__(name: str) -> Any:
    if name == "datasets":
        return import_module("labelwise.datasets")
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'labelwise' has no attribute {name!r}")
    value = getattr(import_module(f"labelwise.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
