"""The answers an assessment would have given over time, replayed from its events."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labelwise.assessment import Assessment
from labelwise.beliefs import Belief
from labelwise.questions import Answer

MOST_MOMENTS = 60
_DRAWS = 2_000


@dataclass(frozen=True, eq=False)
class Moment:
    """The answer after a number of labels."""

    n_labels: int
    answer: Answer


def moments_of(assessment: Assessment, *, most: int = MOST_MOMENTS, n_draws: int = _DRAWS) -> list[Moment]:
    """Replay an assessment and return its answers before the first label, after the last, and in between.

    Labels come from the events; each answer is recomputed with its own random generator.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 30 + ["dog"] * 30)
    >>> assessment = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(lw.accuracy), seed=7)
    >>> for ticket in assessment.ask(20):
    ...     assessment.tell(ticket, "cat")
    >>> [moment.n_labels for moment in moments_of(assessment, most=3)]
    [0, 10, 20]
    """
    assessment.refresh()
    start, moments = assessment.setup.start(), []
    for number in _event_counts(assessment.ledger.changes.array["event"] + 1, most):
        items, labels = assessment.ledger.labels_after(number)
        belief = start.update(items, labels) if len(items) else start
        moments.append(Moment(len(items), _answer(assessment, belief, n_draws, number)))
    return moments


def _event_counts(changes: NDArray[np.int64], most: int) -> list[int]:
    """Return the event counts to answer after: the first, the last that changed a label, and evenly spaced ones."""
    places = np.unique(np.concatenate([[1], changes]))
    picked = np.unique(np.linspace(0, len(places) - 1, min(most, len(places))).round().astype(int))
    return [int(number) for number in places[picked]]


def _answer(assessment: Assessment, belief: Belief, n_draws: int, number: int) -> Answer:
    setup = assessment.setup
    rng = np.random.default_rng([setup.seed, number, 2])
    return setup.question.answer(belief, level=setup.level, target=setup.target, n_draws=n_draws, rng=rng)
