"""Adds to an answer what the labels prove without any prior, for stopping rules that ask for it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import Target
from labelwise.beliefs.trail import Trail
from labelwise.questions import Answer, Question


def proven(answer: Answer, question: Question, trail: Trail, *, level: float, target: Target) -> Answer:
    """Add what the labels prove: the question's claim, and intervals that hold whenever one stops."""
    evidence = question.metric.evidence(trail, target=target)
    if evidence is None:
        return replace(answer, proof=question.prove(answer, trail, target=target))
    low, high = evidence.always(level)
    place = {name: g for g, name in enumerate(trail.groups.names)}
    shown = [place[name] for name in answer.posterior.names]
    return replace(
        answer,
        proof=question.prove(answer, trail, target=target),
        always=(low[shown], high[shown]),
        overall_always=_whole(trail.groups.n_items, low, high),
    )


def _whole(sizes: NDArray[np.int64], low: NDArray[np.float64], high: NDArray[np.float64]) -> tuple[float, float] | None:
    """Return the interval of the whole pool, where one group holds all of it."""
    there = np.flatnonzero(sizes)
    return (float(low[there[0]]), float(high[there[0]])) if len(there) == 1 else None
