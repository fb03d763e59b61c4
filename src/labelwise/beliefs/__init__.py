"""Beliefs: what we think of each group, and how surely."""

from labelwise.beliefs.belief import AccuracyBelief, Belief, ConfusionBelief, Target
from labelwise.beliefs.beta import BetaBelief
from labelwise.beliefs.cells import CellBelief
from labelwise.beliefs.confidence_sequence import always_valid
from labelwise.beliefs.dirichlet import DirichletBelief
from labelwise.beliefs.display import to_arviz
from labelwise.beliefs.interval import Kind, beta_interval
from labelwise.beliefs.learned.accuracy import LearnedAccuracy
from labelwise.beliefs.learned.confusion import LearnedConfusion
from labelwise.beliefs.learned.prior import LearnedPrior
from labelwise.beliefs.paired import PairedBelief
from labelwise.beliefs.prior import CarriedPrior, CustomPrior, FlatPrior, InformedPrior, Prior

PRIORS: dict[str, type[Prior]] = {kind.name: kind for kind in (FlatPrior, InformedPrior, LearnedPrior)}
"""The priors by the name that the command line and stores call them. A new prior is registered here."""

__all__ = [
    "PRIORS",
    "AccuracyBelief",
    "Belief",
    "BetaBelief",
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
    "beta_interval",
    "to_arviz",
]
