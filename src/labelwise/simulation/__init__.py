"""Simulation: assessments of pools whose truth is known, played many times over and scored."""

from labelwise.simulation.runner import Engine, Simulated, simulate
from labelwise.simulation.scenario import Scenario
from labelwise.simulation.scores import (
    Score,
    confusion_error,
    coverage,
    ece_error,
    reciprocal_rank,
    regret,
    rmse,
    success,
    width,
)

__all__ = [
    "Engine",
    "Scenario",
    "Score",
    "Simulated",
    "confusion_error",
    "coverage",
    "ece_error",
    "reciprocal_rank",
    "regret",
    "rmse",
    "simulate",
    "success",
    "width",
]
