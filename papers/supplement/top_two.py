"""Thompson against top-two Thompson sampling in the AAAI supplement: the least accurate class."""

from __future__ import annotations

from labelwise.beliefs import FlatPrior, InformedPrior, Prior
from labelwise.groups import by_prediction
from labelwise.policies import Policy, Thompson, TopTwo
from labelwise.questions import Worst
from labelwise.simulation import Scenario, reciprocal_rank
from papers.reproduction import Claim, Reproduction
from papers.study import Study, stacked
from papers.supplement.label_curves import Curve, moments, play_curve, with_error
from papers.supplement.success_counts import COLUMNS, NOTES, success_rows

DATA = ("CIFAR-100", "SVHN")
_POLICIES: dict[str, Policy] = {"TS": Thompson(), "TTTS": TopTwo()}
_PRIORS: dict[str, Prior] = {"UPrior": FlatPrior(), "IPrior": InformedPrior()}
_CLOSE = 0.03  # of the mean reciprocal rank, over all label counts


def top_two(study: Study) -> Reproduction:
    """Return the curves of both policies with both priors, and the authors' counts beside ours."""
    curves, claims = [], []
    for data in DATA:
        groups = by_prediction(study.sources.pool(data))
        at = moments(groups.pool.n_items)
        for prior_name, prior in _PRIORS.items():
            pair = [
                play_curve(
                    study, data, f"{prior_name}+{name}", Scenario(groups, Worst(), policy, prior), reciprocal_rank(), at
                )
                for name, policy in _POLICIES.items()
            ]
            curves += pair
            claims.append(_alike(*pair))
    rows = tuple(success_rows(study, ("random", "UPrior+TS", "UPrior+TTTS", "IPrior+TS", "IPrior+TTTS")))
    return Reproduction(
        "supplement-ttts", "Thompson and top-two Thompson: labels until the least accurate class is found",
        COLUMNS, rows, study.n_runs, NOTES, tuple(claims), stacked([curve.part() for curve in curves]),
    )  # fmt: skip


def _alike(one: Curve, other: Curve) -> Claim:
    heights, needed = (one.height(), other.height()), (one.needed(), other.needed())
    return Claim(
        f"{one.data}, {one.method} and {other.method}",
        f"both do alike (mean MRR over all label counts within {_CLOSE:g})",
        f"mean MRR {' and '.join(with_error(height, 3) for height in heights)}; MRR > 0.99 after "
        f"{' and '.join(with_error(share) for share in needed)} % of the pool",
        holds=abs(heights[0][0] - heights[1][0]) < _CLOSE,
    )
