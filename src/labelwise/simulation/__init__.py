"""Simulation: assessments of pools whose truth is known, played many times over and scored."""

from labelwise.simulation.card import Card, Cell, coverage_card
from labelwise.simulation.runner import Engine, Simulated, check_playable, simulate
from labelwise.simulation.scenario import Scenario
from labelwise.simulation.scores import (
    Score,
    confusion_error,
    coverage,
    decided,
    ece_error,
    labels_until_decided,
    reciprocal_rank,
    regret,
    rmse,
    scores_for,
    success,
    verdict_right,
    width,
)

__all__ = [
    "Card",
    "Cell",
    "Engine",
    "Scenario",
    "Score",
    "Simulated",
    "check_playable",
    "confusion_error",
    "coverage",
    "coverage_card",
    "decided",
    "ece_error",
    "labels_until_decided",
    "reciprocal_rank",
    "regret",
    "rmse",
    "scores_for",
    "simulate",
    "success",
    "verdict_right",
    "width",
]
