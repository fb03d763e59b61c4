"""Beliefs: what we think of each group, and how surely."""

from labelwise.beliefs.always import always_valid, always_valid_of
from labelwise.beliefs.belief import TARGETS, Belief, Target, is_population
from labelwise.beliefs.beta import BetaBelief
from labelwise.beliefs.cells import CellBelief
from labelwise.beliefs.dirichlet import DirichletBelief
from labelwise.beliefs.finite import BetaBinomials
from labelwise.beliefs.interval import KINDS, Kind, beta_interval, check_interval, draws_interval
from labelwise.beliefs.learned import LearnedPrior
from labelwise.beliefs.mixture import AccuracyBelief, MixtureBelief, start_accuracies
from labelwise.beliefs.notebook import to_arviz
from labelwise.beliefs.paired import PairedBelief, rival_classes
from labelwise.beliefs.prior import CarriedPrior, CustomPrior, FlatPrior, InformedPrior, Prior
from labelwise.beliefs.rows import ConfusionBelief, RowsBelief, start_confusion

__all__ = [
    "KINDS",
    "TARGETS",
    "AccuracyBelief",
    "Belief",
    "BetaBelief",
    "BetaBinomials",
    "CarriedPrior",
    "CellBelief",
    "ConfusionBelief",
    "CustomPrior",
    "DirichletBelief",
    "FlatPrior",
    "InformedPrior",
    "Kind",
    "LearnedPrior",
    "MixtureBelief",
    "PairedBelief",
    "Prior",
    "RowsBelief",
    "Target",
    "always_valid",
    "always_valid_of",
    "beta_interval",
    "check_interval",
    "draws_interval",
    "is_population",
    "rival_classes",
    "start_accuracies",
    "start_confusion",
    "to_arviz",
]
