"""What is known about a question now."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import NDArray

from labelwise.metrics import DesignBased, Difference, Posterior, Ranking
from labelwise.pool import Frame
from labelwise.pool.html_table import short
from labelwise.questions.proof import Proof

_Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Answer:
    """An answer, how surely it is right, and what it rests on.

    Attributes
    ----------
    sentence : the answer in words; 'P(statement) = 0.950' where it has a probability.
    named : the groups that the answer names.
    probability : that the answer is right; None where the question has no right and wrong (an estimate).
    tied : groups that are not distinguishable from the named ones.
    posterior : mean and interval of every group.
    ranking, difference : what the answer was read from, where there is one.
    overall : mean and interval of the whole pool, where the question and its metric have one.
    notes : what a reader should know besides.
    counts : which entries of the posterior count for a stopping rule; all if None. An empty group never changes.
    left_out : which entries of the posterior belong to groups with too few items to take part; none if None.
    always : ends of every group's always-valid interval, where an assessment was asked for accuracies.
    overall_always : ends of the always-valid interval of the whole pool, where there is one.
    proof : what the labels prove whatever the truth; None where no guarantee is known, or the question claims nothing.
    design, design_reason : the overall accuracy without a prior; None, and why, where it cannot be had.
    """

    sentence: str
    named: tuple[str, ...]
    probability: float | None
    tied: tuple[str, ...]
    posterior: Posterior
    ranking: Ranking | None = None
    difference: Difference | None = None
    overall: Posterior | None = None
    notes: tuple[str, ...] = ()
    counts: NDArray[np.bool_] | None = None
    left_out: NDArray[np.bool_] | None = None
    always: tuple[_Floats, _Floats] | None = None
    overall_always: tuple[float, float] | None = None
    proof: Proof | None = None
    design: DesignBased | None = None
    design_reason: str = ""

    def frame(self) -> Frame:
        """Return a tidy table, one row per group that is not left out."""
        frame = self.posterior.frame()
        if self.always is not None:
            low, high = self.always
            frame = Frame({**frame, "always_low": low, "always_high": high})
        if self.left_out is None or not self.left_out.any():
            return frame
        kept = np.flatnonzero(~self.left_out)
        return Frame({name: column[kept] for name, column in frame.items()})

    def _repr_html_(self) -> str:
        return f"<p>{escape(short(self.sentence, 300))}</p>{self.frame()._repr_html_()}"

    def __repr__(self) -> str:
        return f"<Answer: {self.sentence}>"
