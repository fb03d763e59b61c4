"""Default groups, prior, policy and stopping rule of every question: the one place that decides them.

Python, command line, page, `plan` and `study simulate` all start from here.
"""

from __future__ import annotations

from labelwise.assessment.stopping import StoppingRule, Sure, Width
from labelwise.beliefs import LearnedPrior, Prior
from labelwise.groups import Grouping, by_prediction, by_score, everything
from labelwise.policies import Border, Policy, Thompson, TopTwo
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
    """Return the policy that needs the fewest labels: two draws to find one group or a set of them, else Thompson.

    Examples
    --------
    >>> import labelwise as lw
    >>> default_policy(lw.Worst()), default_policy(lw.Worst(m=3)), default_policy(lw.Estimate())
    (TopTwo(), Border(), Thompson())
    """
    if not question.is_ranking:
        return Thompson()
    return TopTwo() if question.plays == 1 else Border()


def default_stop(question: Question) -> StoppingRule:
    """Return the rule that ends an assessment: sure to 0.95, or intervals that are narrow enough.

    Examples
    --------
    >>> import labelwise as lw
    >>> default_stop(lw.Worst()), default_stop(lw.Overall())
    (Sure(probability=0.95), Width(width=0.05, which='overall'))
    """
    if question.kind == "overall":
        return Width(0.05, "overall")
    return Width(0.1) if question.kind == "estimate" else Sure()
