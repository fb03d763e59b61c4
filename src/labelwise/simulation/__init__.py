"""Simulation: repeated, scored assessments of pools whose labels are all known."""

from labelwise.simulation.card import Card, Cell, coverage_card
from labelwise.simulation.runner import Engine, Simulated, simulate
from labelwise.simulation.scenario import Scenario
from labelwise.simulation.score import Score
from labelwise.simulation.scores import (
    confusion_error,
    coverage,
    ece_error,
    overall_coverage,
    overall_error,
    overall_width,
    reciprocal_rank,
    regret,
    rmse,
    scores_for,
    success,
    width,
)
from labelwise.simulation.verdicts import decided, labels_until_decided, verdict_right

__all__ = [
    "Card",
    "Cell",
    "Engine",
    "Scenario",
    "Score",
    "Simulated",
    "confusion_error",
    "coverage",
    "coverage_card",
    "decided",
    "ece_error",
    "labels_until_decided",
    "overall_coverage",
    "overall_error",
    "overall_width",
    "reciprocal_rank",
    "regret",
    "rmse",
    "scores_for",
    "simulate",
    "success",
    "verdict_right",
    "width",
]
