"""The answers an assessment would have given over time, replayed from its events."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labelwise.assessment import Assessment
from labelwise.assessment.proving import proven
from labelwise.beliefs import Belief
from labelwise.beliefs.trail import Trail
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
    trail = Trail.of(start)
    for number in _event_counts(assessment.ledger.changes.array["event"] + 1, most):
        items, labels = assessment.ledger.labels_after(number)
        belief = start.update(items, labels) if len(items) else start
        answer = _answer(assessment, belief, n_draws, number)
        if assessment.setup.stop.needs_proof:
            trail = trail.continued(*_in_order(assessment, number))
            setup = assessment.setup
            answer = proven(answer, setup.question, trail, level=setup.level, target=setup.target)
        moments.append(Moment(len(items), answer))
    return moments


def _in_order(assessment: Assessment, n_events: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return items and labels after the first so many events, in the order in which items got theirs."""
    changes = assessment.ledger.changes.array
    label_of: dict[int, int] = {}
    for change in changes[: np.searchsorted(changes["event"], n_events)]:
        if change["label"] >= 0:
            label_of[int(change["item"])] = int(change["label"])
        else:
            label_of.pop(int(change["item"]), None)
    items, labels = np.array(list(label_of.items()), np.int64).reshape(-1, 2).T
    return items, labels


def _event_counts(changes: NDArray[np.int64], most: int) -> list[int]:
    """Return the event counts to answer after: the first, the last that changed a label, and evenly spaced ones."""
    places = np.unique(np.concatenate([[1], changes]))
    picked = np.unique(np.linspace(0, len(places) - 1, min(most, len(places))).round().astype(int))
    return [int(number) for number in places[picked]]


def _answer(assessment: Assessment, belief: Belief, n_draws: int, number: int) -> Answer:
    setup = assessment.setup
    rng = np.random.default_rng([setup.seed, number, 2])
    return setup.question.answer(belief, level=setup.level, target=setup.target, n_draws=n_draws, rng=rng)
