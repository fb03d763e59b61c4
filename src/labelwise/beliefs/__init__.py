"""Beliefs: what we think of each group, and how surely."""

from labelwise.beliefs.belief import TARGETS, Belief, Target, is_population
from labelwise.beliefs.beta import BetaBelief
from labelwise.beliefs.beta_binomial import BetaBinomials
from labelwise.beliefs.cells import CellBelief
from labelwise.beliefs.confidence_sequence import always_valid, always_valid_of
from labelwise.beliefs.dirichlet import DirichletBelief
from labelwise.beliefs.display import to_arviz
from labelwise.beliefs.interval import KINDS, Kind, beta_interval, check_interval, draws_interval
from labelwise.beliefs.learned.accuracy import AccuracyBelief, LearnedAccuracy, start_accuracies
from labelwise.beliefs.learned.confusion import ConfusionBelief, LearnedConfusion, start_confusion
from labelwise.beliefs.learned.prior import LearnedPrior
from labelwise.beliefs.paired import PairedBelief, rival_classes
from labelwise.beliefs.prior import CarriedPrior, CustomPrior, FlatPrior, InformedPrior, Prior

PRIORS: dict[str, type[Prior]] = {kind.name: kind for kind in (FlatPrior, InformedPrior, LearnedPrior)}
"""The priors by the name that the command line and stores call them. A new prior is registered here."""

__all__ = [
    "KINDS",
    "PRIORS",
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
    "LearnedAccuracy",
    "LearnedConfusion",
    "LearnedPrior",
    "PairedBelief",
    "Prior",
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
