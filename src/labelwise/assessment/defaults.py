"""Default groups, prior, policy and stopping rule of every question: the one place that decides them.

Python, command line, page, `plan` and `study simulate` all start from here.
"""

from __future__ import annotations

from typing import Literal

from labelwise.assessment.stopping import Guaranteed, StoppingRule, Sure, Width
from labelwise.beliefs import LearnedPrior, Prior, Target
from labelwise.groups import Grouping, by_prediction, by_score, everything
from labelwise.policies import Policy, Prove, Thompson
from labelwise.pool import Pool
from labelwise.questions import Question

N_STRATA = 20
"""Score bins for a question about the whole pool: more bins save no further labels, and their groups get small."""


_OF_SCORES = ("estimate", "worst", "best", "overall")  # questions whose groups can share one calibration map


def default_groups(question: Question, pool: Pool) -> Grouping:
    """Return the groups that a question is asked by: predicted classes, or strata for questions about the whole pool.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat", "dog"] * 50)
    >>> default_groups(lw.Worst(), pool).names
    ('cat', 'dog')
    """
    if question.kind == "versus":
        return everything(pool)
    if question.kind == "overall" and pool.confidence is not None:
        return by_score(pool, N_STRATA, equal="mass")
    return by_prediction(pool)


def default_prior(question: Question) -> Prior:
    """Return the learned prior, or the metric's own where nothing is learned from scores.

    Two groups are compared by their own labels alone, and two classifiers by the items on which they differ.

    Examples
    --------
    >>> import labelwise as lw
    >>> default_prior(lw.Compare("cat", "dog")), default_prior(lw.Worst()) == lw.LearnedPrior()
    (FlatPrior(strength=None), True)
    """
    metric = question.metric
    return LearnedPrior() if question.kind in _OF_SCORES and metric.learns_from_scores else metric.own_prior


def default_policy(question: Question) -> Policy:
    """Return the policy that needs the fewest labels: to find groups and prove it, two draws and bounds; else Thompson.

    Examples
    --------
    >>> import labelwise as lw
    >>> default_policy(lw.Worst()), default_policy(lw.Worst(m=3)), default_policy(lw.Estimate())
    (Prove(), Prove(), Thompson())
    """
    return Prove() if question.is_ranking else Thompson()


def default_target(question: Question) -> Target:
    """Return the target that can be decided: the pool, which labels can exhaust.

    Examples
    --------
    >>> import labelwise as lw
    >>> default_target(lw.Worst())
    'pool'
    """
    return "pool"


Promise = Literal["guaranteed", "believed"]
"""What a stop promises: to be right whatever the truth, or to be right with the posterior probability."""


def default_stop(question: Question, groups: Grouping, promise: Promise | None = None) -> StoppingRule:
    """Return the rule that ends an assessment: a proof with an error of 0.05, or intervals that are narrow enough.

    Where no guarantee is known, or what is believed is asked for, the answer is believed with 0.95, or its credible
    intervals are narrow enough.

    Examples
    --------
    >>> import labelwise as lw
    >>> groups = lw.by_prediction(lw.pool_from_arrays(predicted=["cat", "dog"]))
    >>> default_stop(lw.Worst(), groups), default_stop(lw.Worst(lw.recall), groups)
    (Guaranteed(probability=0.95), Sure(probability=0.95))
    >>> default_stop(lw.Overall(), groups)
    Width(width=0.05, which='overall', is_guaranteed=False)
    """
    is_provable = question.is_provable(groups) if promise is None else promise == "guaranteed"
    if question.kind == "overall":
        return Width(0.05, "overall", is_provable)
    if question.kind == "estimate":
        return Width(question.metric.narrow, is_guaranteed=is_provable)
    return Guaranteed() if is_provable else Sure()
