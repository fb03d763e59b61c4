"""labelwise finds out how good a black-box classifier really is, with as few labels as possible.

    import labelwise as lw

The names that most work needs are here: `lw.Assessment`, `lw.Worst`, `lw.accuracy`. All others are in their packages,
which need no import of their own: `lw.metrics.brier`, `lw.beliefs.BetaBelief`, `lw.policies.Greedy`. Names and packages
are loaded when they are first used, so that `labelwise --help` does not wait for numerical libraries.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0.dev0"

if TYPE_CHECKING:  # for type checkers; a test compares it with the tables below
    from labelwise import accounts as accounts
    from labelwise import assessment as assessment
    from labelwise import beliefs as beliefs
    from labelwise import datasets as datasets
    from labelwise import ensembles as ensembles
    from labelwise import errors as errors
    from labelwise import groups as groups
    from labelwise import metrics as metrics
    from labelwise import plots as plots
    from labelwise import policies as policies
    from labelwise import pool as pool
    from labelwise import questions as questions
    from labelwise import report as report
    from labelwise import simulation as simulation
    from labelwise import store as store
    from labelwise.assessment import AllOf as AllOf
    from labelwise.assessment import AnyOf as AnyOf
    from labelwise.assessment import Assessment as Assessment
    from labelwise.assessment import Budget as Budget
    from labelwise.assessment import Guaranteed as Guaranteed
    from labelwise.assessment import Price as Price
    from labelwise.assessment import Setup as Setup
    from labelwise.assessment import Sure as Sure
    from labelwise.assessment import Ticket as Ticket
    from labelwise.assessment import Width as Width
    from labelwise.assessment import agreement_of as agreement_of
    from labelwise.assessment import plan as plan
    from labelwise.beliefs import CarriedPrior as CarriedPrior
    from labelwise.beliefs import CustomPrior as CustomPrior
    from labelwise.beliefs import FlatPrior as FlatPrior
    from labelwise.beliefs import InformedPrior as InformedPrior
    from labelwise.beliefs import LearnedPrior as LearnedPrior
    from labelwise.errors import ArgumentError as ArgumentError
    from labelwise.errors import ConflictError as ConflictError
    from labelwise.errors import DataError as DataError
    from labelwise.errors import LabelwiseError as LabelwiseError
    from labelwise.errors import NotFoundError as NotFoundError
    from labelwise.errors import UnanswerableError as UnanswerableError
    from labelwise.groups import by_column as by_column
    from labelwise.groups import by_map as by_map
    from labelwise.groups import by_prediction as by_prediction
    from labelwise.groups import by_score as by_score
    from labelwise.groups import crossed as crossed
    from labelwise.groups import everything as everything
    from labelwise.metrics import ExpectedCost as ExpectedCost
    from labelwise.metrics import accuracy as accuracy
    from labelwise.metrics import balanced_accuracy as balanced_accuracy
    from labelwise.metrics import belief_from_labels as belief_from_labels
    from labelwise.metrics import calibration_bias as calibration_bias
    from labelwise.metrics import compare_classifiers as compare_classifiers
    from labelwise.metrics import difference as difference
    from labelwise.metrics import ece as ece
    from labelwise.metrics import f1 as f1
    from labelwise.metrics import precision as precision
    from labelwise.metrics import rank as rank
    from labelwise.metrics import recall as recall
    from labelwise.plots import plot as plot
    from labelwise.policies import RandomItem as RandomItem
    from labelwise.policies import Thompson as Thompson
    from labelwise.policies import TopTwo as TopTwo
    from labelwise.pool import Pool as Pool
    from labelwise.pool import pool_from_arrays as pool_from_arrays
    from labelwise.pool import read_pool as read_pool
    from labelwise.questions import Best as Best
    from labelwise.questions import Compare as Compare
    from labelwise.questions import Estimate as Estimate
    from labelwise.questions import Overall as Overall
    from labelwise.questions import Versus as Versus
    from labelwise.questions import Worst as Worst
    from labelwise.report import comparison_of as comparison_of
    from labelwise.report import report_of as report_of
    from labelwise.simulation import Scenario as Scenario
    from labelwise.simulation import simulate as simulate
    from labelwise.store import PostgresStore as PostgresStore
    from labelwise.store import SqliteStore as SqliteStore
    from labelwise.store import open_store as open_store

_PACKAGES = (
    "accounts", "assessment", "beliefs", "datasets", "ensembles", "errors", "groups", "metrics", "plots", "policies",
    "pool", "questions", "report", "simulation", "store",
)  # fmt: skip
_HOME = {
    "errors": "ArgumentError ConflictError DataError LabelwiseError NotFoundError UnanswerableError",
    "pool": "Pool pool_from_arrays read_pool",
    "groups": "by_column by_map by_prediction by_score crossed everything",
    "beliefs": "CarriedPrior CustomPrior FlatPrior InformedPrior LearnedPrior",
    "metrics": """
        ExpectedCost accuracy balanced_accuracy belief_from_labels calibration_bias compare_classifiers
        difference ece f1 precision rank recall
    """,
    "questions": "Best Compare Estimate Overall Versus Worst",
    "policies": "RandomItem Thompson TopTwo",
    "assessment": "AllOf AnyOf Assessment Budget Guaranteed Price Setup Sure Ticket Width agreement_of plan",
    "store": "PostgresStore SqliteStore open_store",
    "plots": "plot",
    "report": "comparison_of report_of",
    "simulation": "Scenario simulate",
}
_PACKAGE_OF = {name: package for package, names in _HOME.items() for name in names.split()}
__all__ = ["__version__", *_PACKAGE_OF]  # names are text, as the table shows


def __getattr__(name: str) -> Any:
    if name in _PACKAGES:
        return import_module(f"labelwise.{name}")
    if name not in _PACKAGE_OF:
        raise AttributeError(f"module 'labelwise' has no attribute {name!r}")
    value = getattr(import_module(f"labelwise.{_PACKAGE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, *_PACKAGES])
