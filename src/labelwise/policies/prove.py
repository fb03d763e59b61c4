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

_REDRAWS = 20  # after so many draws that all have one leader, it is believed
_ERROR = 0.05  # of the bounds that say what the proof lacks


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
        there = np.flatnonzero(belief.outer.n_items)
        gains = question.gains(belief, target=target, rng=rng)
        first = leader(gains, there)
        if n_open[first] and (len(open_groups) == 1 or rng.uniform() < 0.5):
            return (first,)
        for _ in range(_REDRAWS):
            gains = question.gains(belief, target=target, rng=rng)
            other = leader(gains, there)
            if other != first and n_open[other]:
                return (other,)
        evidence = question.metric.evidence_of_counts(belief, target=target)
        if evidence is not None:
            low, high = evidence.bounds(-log(_ERROR))
            gains = -low if question.sign < 0 else high
        others = open_groups[open_groups != first]
        return (leader(gains, others) if len(others) else first,)
