"""Look for the answer until it is believed, then for its proof."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import Belief, Target
from labelwise.policies.policy import leader
from labelwise.questions import Question

_REDRAWS = 12  # after so many draws that all have one leader, it is believed
_ERROR = 0.05  # of the bounds that say what the proof lacks
_HARDER = 2.5  # times the evidence that the bound on the leader takes, which was chosen among all groups


@dataclass(frozen=True)
class Prove:
    """Top-two Thompson sampling until redraws have no other leader; then the group that is furthest from being refuted.

    Half of the labels go to the leader. The other half goes to the first other group that leads a draw or, once none
    does, to the one whose confidence sequence reaches furthest towards the end that is looked for: it is what a proof
    still lacks, whatever is believed of it. Without a confidence sequence (most metrics) the runner-up is asked, as by
    `TopTwo`.

    References
    ----------
    Russo (2016), "Simple Bayesian algorithms for best arm identification"; Kalyanakrishnan et al. (2012), "PAC subset
    selection in stochastic multi-armed bandits", for the second phase.

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 300 + ["dog"] * 100 + ["emu"] * 9, classes=["cat", "dog", "emu"])
    >>> belief = lw.beliefs.BetaBelief.start(lw.by_prediction(pool)).add([300, 1, 0], [300, 90, 0])
    >>> rng, n_open = np.random.default_rng(1), np.array([0, 10, 9])
    >>> {Prove().choose(belief, lw.Worst(), n_open, rng=rng) for _ in range(20)} == {(1,), (2,)}
    True
    """

    name: ClassVar[str] = "prove"

    def choose(
        self,
        belief: Belief,
        question: Question,
        n_open: NDArray[np.int64],
        *,
        target: Target = "population",
        rng: np.random.Generator,
    ) -> tuple[int, ...]:
        """Pick the leader, its challenger in a draw, or the group that a proof lacks most."""
        open_groups = np.flatnonzero(n_open)
        if len(open_groups) == 0:
            return ()
        # a group that is labelled to its last item may still lead, and its challengers are then worth a label
        there = np.flatnonzero(question.metric.candidates(belief))
        gains = question.gains(belief, target=target, rng=rng)
        first = leader(gains, there)
        for _ in range(_REDRAWS):
            other = leader(question.gains(belief, target=target, rng=rng), there)
            if other != first and n_open[other]:
                return (first if n_open[first] and rng.uniform() < 0.5 else other,)
        return (self._lacking(belief, question, gains, first, open_groups, target, rng),)

    def _lacking(
        self,
        belief: Belief,
        question: Question,
        gains: NDArray[np.float64],
        first: int,
        open_groups: NDArray[np.int64],
        target: Target,
        rng: np.random.Generator,
    ) -> int:
        """Return the group whose label brings the proof nearer: the leader, or who is least refuted."""
        others = open_groups[open_groups != first]
        evidence = question.metric.evidence_of_counts(belief, target=target)
        if not len(others):
            return first
        if evidence is None:
            return first if first in open_groups and rng.uniform() < 0.5 else leader(gains, others)
        low, high = evidence.bounds(-log(_ERROR))
        reach = -low if question.sign < 0 else high
        mean = question.mean_gains(belief, target=target)
        other = leader(reach, others)
        if first not in open_groups:
            return other
        # both bounds must meet: with many challengers, that of the leader is the cheaper one to narrow
        floor = -high[first] if question.sign < 0 else low[first]
        n_unrefuted = max(int((reach[others] > floor).sum()), 1)
        share = (_HARDER / n_unrefuted) ** (1 / 3)
        return first if mean[first] - floor > share * (reach[other] - mean[other]) else other
