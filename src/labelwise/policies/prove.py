"""Look for the groups that are asked for until they are believed, then for the proof."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import Belief, Target
from labelwise.policies.at_random import RandomItem
from labelwise.policies.border import START, Border, askable, by_urgency
from labelwise.policies.policy import Policy, leader
from labelwise.questions import Question

_REDRAWS = 12  # after so many draws that all give one set, it is believed
_ERROR = 0.05  # of the bounds that say what the proof lacks
_HARDER = 2.5  # times the evidence that a bound on a named group takes, which was chosen among all groups
_Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Prove:
    """Ask where two draws disagree which groups are looked for; once they do not, ask where the proof lacks most.

    The first phase is that of `Border`: top-two Thompson sampling, for sets of groups, after a random start. What is
    believed is not yet proven: in the second phase the confidence sequence of a group that is believed to belong to the
    set is narrowed, or that of the other group which reaches furthest towards it, until the two are apart. Metrics
    without a guarantee stay in the first phase.

    References
    ----------
    Russo (2016), "Simple Bayesian algorithms for best arm identification"; Kalyanakrishnan et al. (2012), "PAC subset
    selection in stochastic multi-armed bandits", for the second phase.

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 300 + ["dog"] * 100 + ["emu"] * 9, classes=["cat", "dog", "emu"])
    >>> belief = lw.accuracy.start(lw.by_prediction(pool)).add([300, 1, 0], [300, 90, 0])
    >>> rng, n_open = np.random.default_rng(1), np.array([0, 10, 9])
    >>> {Prove().choose(belief, lw.Worst(), n_open, rng=rng)[0] for _ in range(20)} == {1, 2}
    True
    """

    name: ClassVar[str] = "prove"

    def choose(
        self,
        belief: Belief,
        question: Question,
        n_open: _Counts,
        *,
        target: Target = "population",
        rng: np.random.Generator,
    ) -> tuple[int, ...]:
        """Pick a group of which two draws disagree, or one that the proof lacks."""
        open_groups = np.flatnonzero(n_open)
        m = question.plays
        first, *others = map(by_urgency, question.urgencies(belief, 1 + _REDRAWS, target=target, rng=rng))
        if len(open_groups) <= 1 or len(first) <= m:
            return Border(0.0).choose(belief, question, n_open, target=target, rng=rng)
        if question.metric.n_labels(belief).sum() < START * len(first):
            return RandomItem().choose(belief, question, n_open, target=target, rng=rng)
        for order in others:
            contested = np.setxor1d(first[:m], order[:m])
            found = askable(rng.permutation(contested), belief, question, open_groups) if len(contested) else None
            if found is not None:
                return (found,)
        found = _lacking(belief, question, first[:m], first[m:], open_groups, target)
        return Border(0.0).choose(belief, question, n_open, target=target, rng=rng) if found is None else (found,)


def _lacking(
    belief: Belief, question: Question, named: _Counts, others: _Counts, open_groups: _Counts, target: Target
) -> int | None:
    """Return the group whose label brings the proof nearer; None where no proof is known."""
    evidence = question.metric.evidence_of_counts(belief, target=target)
    if evidence is None:
        return None
    low, high = evidence.bounds(-log(_ERROR))
    # how far each group's value may reach towards the end that is looked for, and away from it
    reach, retreat = (-low, -high) if question.sign < 0 else (high, low)
    mean = question.mean_gains(belief, target=target)
    member = int(named[np.argmin(retreat[named])])
    rivals = others[np.isin(others, open_groups)]
    if not len(rivals):
        return member if member in open_groups else None
    rival = leader(reach, rivals)
    if member not in open_groups:
        return rival
    # both bounds must meet; with many rivals it is cheaper to narrow the one on the member, which serves against all
    n_unrefuted = max(int((reach[rivals] > retreat[member]).sum()), 1)
    share = (_HARDER / n_unrefuted) ** (1 / 3)
    return member if mean[member] - retreat[member] > share * (reach[rival] - mean[rival]) else rival


def search_of(policy: Policy, question: Question) -> Policy:
    """Return the first phase of the policy alone, for simulations that score answers and not their proofs.

    Examples
    --------
    >>> import labelwise as lw
    >>> search_of(Prove(), lw.Worst()), search_of(lw.Thompson(), lw.Worst())
    (Border(start=1.0), Thompson())
    """
    return Border() if isinstance(policy, Prove) and question.is_ranking else policy
