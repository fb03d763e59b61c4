"""Top-two sampling for sets: ask about a group of which two draws disagree whether it belongs to the set."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import Belief, Target
from labelwise.checks import check_within
from labelwise.policies.at_random import RandomItem
from labelwise.policies.policy import leader
from labelwise.questions import Question

START = 1.0
_REDRAWS = 100  # after so many draws that all give one set, the groups next to the border will do
_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Border:
    """Draw the set that is looked for twice, and ask one of the groups that are in only one of the two sets.

    A set is settled once its border is: the groups that are surely in or surely out need no further labels, however
    extreme they are. Draws are repeated until the sets differ; groups whose items are all labelled count as members.
    To find one group this is top-two sampling. The first items are chosen at random: while most groups have no label,
    a few labels of the groups that lead spoil a ranking that the scores have right.

    Parameters
    ----------
    start : labels per group, on average, that are chosen at random first.

    References
    ----------
    Russo (2016), extended from the best arm to sets of arms.

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> labels = ["cat"] * 20 + ["emu"] * 10 + ["cat"] * 20 + ["cat"] * 18 + ["emu"] * 2
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 30 + ["dog"] * 20 + ["emu"] * 20, labels=labels)
    >>> question, groups = lw.Worst(lw.accuracy, m=2), lw.by_prediction(pool)
    >>> belief, rng = lw.belief_from_labels(lw.accuracy, groups), np.random.default_rng(1)
    >>> picks = [Border().choose(belief, question, np.array([5, 5, 5]), rng=rng)[0] for _ in range(100)]
    >>> np.bincount(picks, minlength=3)
    array([46,  6, 48])
    """

    start: float = START
    name: ClassVar[str] = "border"

    def __post_init__(self) -> None:
        check_within(self.start, "start", 0, 1_000)

    def choose(
        self,
        belief: Belief,
        question: Question,
        n_open: NDArray[np.int64],
        *,
        target: Target = "population",
        rng: np.random.Generator,
    ) -> tuple[int, ...]:
        """Pick a group of which two draws disagree."""
        open_groups = np.flatnonzero(n_open)
        if len(open_groups) <= 1:
            return tuple(int(g) for g in open_groups)
        m = question.plays
        first = by_urgency(question.urgencies(belief, target=target, rng=rng)[0])
        if question.metric.n_labels(belief).sum() < self.start * len(first):
            return RandomItem().choose(belief, question, n_open, target=target, rng=rng)
        if len(first) <= m:  # all are looked for: there is no border
            return (int(rng.choice(open_groups)),)
        first = first[:m]
        for _ in range(_REDRAWS):
            order = by_urgency(question.urgencies(belief, target=target, rng=rng)[0])
            contested = np.setxor1d(first, order[:m])
            found = askable(rng.permutation(contested), belief, question, open_groups)
            if found is not None:
                return (found,)
        members, others = order[:m][::-1], order[m:]
        sides = [members, others] if rng.uniform() < 0.5 else [others, members]
        found = askable(np.concatenate(sides), belief, question, open_groups)
        return (int(rng.choice(open_groups)) if found is None else found,)


def by_urgency(urgencies: _Floats) -> _Counts:
    """Return the positions from the most urgent value on, without those that are no numbers."""
    return np.argsort(-urgencies, kind="stable")[: int(np.isfinite(urgencies).sum())]


def askable(values: Iterable[int], belief: Belief, question: Question, open_groups: _Counts) -> int | None:
    """Return the open group with the largest gain for the first value that labels of open groups inform; else None."""
    for value in values:
        gains = question.gains_of(belief, int(value))
        best = leader(gains, open_groups)
        if gains[best] > 0:
            return best
    return None
