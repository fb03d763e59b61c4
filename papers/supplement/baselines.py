"""Thompson sampling against other policies in the AAAI supplement: epsilon-greedy, a Bayesian upper bound, random."""

from __future__ import annotations

from collections.abc import Iterator

from labelwise.beliefs import FlatPrior
from labelwise.groups import by_prediction
from labelwise.policies import BayesianUpperBound, EpsilonGreedy, Policy, RandomItem, Thompson
from labelwise.questions import Worst
from labelwise.simulation import Scenario, reciprocal_rank
from papers.reproduction import Claim, Reproduction
from papers.sources import STAND_INS
from papers.study import Study, stacked
from papers.supplement.label_curves import Curve, moments, no_more, play_curve, with_error
from papers.supplement.reliability import DATA
from papers.supplement.success_counts import COLUMNS, NOTES, success_rows

_POLICIES: dict[str, Policy] = {
    "Thompson": Thompson(),
    "epsilon-greedy": EpsilonGreedy(0.1),
    "Bayesian UCB": BayesianUpperBound(0.975),
    "random": RandomItem(),
}


def baselines(study: Study) -> Reproduction:
    """Return the curves of four policies with the flat prior, and the authors' counts beside ours."""
    curves, claims = [], []
    for data in DATA:
        groups = by_prediction(study.sources.pool(data))
        at, score = moments(groups.pool.n_items), reciprocal_rank()
        found = [
            play_curve(study, data, name, Scenario(groups, Worst(), policy, FlatPrior()), score, at)
            for name, policy in _POLICIES.items()
        ]
        curves += found
        claims += list(_claims(found))
    return Reproduction(
        "supplement-baselines", "Thompson and other policies: labels until the least accurate class is found", COLUMNS,
        tuple(success_rows(study, ("epsilon-greedy", "Bayesian UCB"))), study.n_runs, _NOTES, tuple(claims),
        stacked([curve.part() for curve in curves]),
    )  # fmt: skip


def _claims(found: list[Curve]) -> Iterator[Claim]:
    first = found[0]
    for other in found[1:]:
        needed = first.needed(), other.needed()
        yield Claim(
            f"{first.data}, {other.method}",
            "Thompson sampling needs no more labels until MRR > 0.99 (but for three standard errors)",
            f"{with_error(needed[0])} against {with_error(needed[1])} % of the pool",
            holds=no_more(*needed),
        )


_NOTES = (
    *NOTES,
    "The published code's Bayesian UCB takes the posterior mean less the posterior variance, next to greedy, and "
    "needs twice the labels of the 97.5 % quantile that the literature means; as coded, that rule is played. Curves "
    "and directions are of the quantile.",
    *(f"{data}: {STAND_INS[data]}." for data in DATA if data in STAND_INS),
)
