"""Flat against informed prior with Thompson sampling in the AAAI supplement: the least accurate classes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import CustomPrior, FlatPrior, InformedPrior, Prior
from labelwise.beliefs.prior import BETA_STRENGTH
from labelwise.groups import Grouping, by_prediction
from labelwise.policies import MultiplePlay, Thompson
from labelwise.questions import Worst
from labelwise.simulation import Scenario, reciprocal_rank
from papers.reproduction import CODED, PRINTED, Claim, Reproduction, Row
from papers.sources import STAND_INS
from papers.study import BATCHES, GOAL, Study, crossing, stacked
from papers.supplement.label_curves import Curve, no_more, play_curve, with_error
from papers.supplement.reliability import DATA

PUBLISHED = {
    "CIFAR-100": {1: {"UPrior+TS": 27.0, "IPrior+TS": 29.0}, 10: {"UPrior+TS": 57.0, "IPrior+TS": 63.0}},
    "SVHN": {1: {"UPrior+TS": 35.0, "IPrior+TS": 66.5}, 3: {"UPrior+TS": 81.4, "IPrior+TS": 94.9}},
}  # percent of the pool
_EVERY = 10  # labels between two looks, as printed
_LOG = 100  # labels between two looks in the published code, which looks after the first of each hundred
_SKIPPED = 5  # looks that it passes over
_PRIORS: dict[str, Prior] = {"UPrior+TS": FlatPrior(), "IPrior+TS": InformedPrior()}
_Floats = NDArray[np.float64]


def flat_informed(study: Study) -> Reproduction:
    """Return the curves of both priors, and the authors' shares beside ours."""
    rows, claims, curves = [], [], []
    for data in DATA:
        groups = by_prediction(study.sources.pool(data))
        for m in PUBLISHED.get(data, {1: {}}):
            pair = [_curve(study, data, groups, m, method, prior) for method, prior in _PRIORS.items()]
            curves += pair
            claims.append(_flat_is_enough(study, m, groups, *pair))
            rows += [row for curve in pair for row in _rows(curve, m)]
    return Reproduction(
        "supplement-uniform-informed", "Flat and informed prior: labels (% of the pool) until MRR > 0.99",
        ("data", "method", "m"), tuple(rows), study.n_runs, _NOTES, tuple(claims),
        stacked([curve.part() for curve in curves]),
    )  # fmt: skip


def _curve(study: Study, data: str, groups: Grouping, m: int, method: str, prior: Prior) -> Curve:
    n_items = groups.pool.n_items
    at = np.union1d(np.arange(_EVERY, n_items + 1, _EVERY), np.arange(1, n_items + 1, _LOG))
    scenario = Scenario(groups, Worst(m=m), Thompson() if m == 1 else MultiplePlay(), prior)
    return play_curve(study, data, f"{method}, m = {m}", scenario, reciprocal_rank(m), at)


def _rows(curve: Curve, m: int) -> Iterator[Row]:
    method = curve.method.partition(",")[0]
    if curve.data not in PUBLISHED:
        return
    where, published = (curve.data, method, f"{m}"), PUBLISHED[curve.data][m][method]
    seen = curve.at % _EVERY == 0
    whole, error, chance = (100 * part / curve.n_items for part in crossing(curve.batches[:, seen], curve.at[seen]))
    yield Row(where, PRINTED, published, whole, error, chance)
    logged = curve.batches[:, curve.at % _LOG == 1]
    each = np.array([100 * logged_share(batch, curve.n_items) for batch in logged])
    chance = float(each.std(ddof=1))
    yield Row(where, CODED, published, float(each.mean()), chance / np.sqrt(BATCHES), chance)


def logged_share(logged: _Floats, n_items: int) -> float:
    """Return the share of labels that the published code reads from its log, one entry per hundred labels.

    Examples
    --------
    >>> logged_share(np.array([0.0, 1.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0, 1.0]), 1_000)
    0.8
    """
    late = logged[_SKIPPED:] > min(GOAL, GOAL * float(logged.max()))
    return float(_LOG * (int(np.argmax(late)) + _SKIPPED) + _LOG) / n_items


def _flat_is_enough(study: Study, m: int, groups: Grouping, flat: Curve, informed: Curve) -> Claim:
    needed = flat.needed(), informed.needed()
    holds = no_more(*needed)
    return Claim(
        f"{flat.data}, m = {m}",
        "the flat prior needs no more labels until MRR > 0.99 than the informed one (but for three standard errors)",
        f"{with_error(needed[0])} against {with_error(needed[1])} % of the pool",
        holds=holds,
        cause="" if holds else _cause(study, m, groups, flat),
    )


def _cause(study: Study, m: int, groups: Grouping, flat: Curve) -> str:
    """Test whether it is the level of the confidences, not their order, that makes the informed prior so good."""
    mean = float(groups.pool.known_confidence("an informed prior").mean())
    common = CustomPrior(BETA_STRENGTH * mean, BETA_STRENGTH * (1 - mean))
    needed = _curve(study, flat.data, groups, m, "one confidence for all", common).needed()
    if no_more(flat.needed(), needed):
        return ""
    return (
        f"a net that is nearly always right: a prior at {mean:.3f} spares labels, whatever it says of single classes. "
        f"With this one confidence for all of them it needs {with_error(needed)} %"
    )


_NOTES = (
    "Published shares are those of a table of the preprint's code, 100 runs. As coded: MRR is looked at after 1, "
    "101, 201 ... labels, the first five looks are passed over, the count is rounded up to the next hundred, and "
    "ours is the mean over ten batches of a tenth of the runs. As printed: a look every ten labels, mean of all runs.",
    *(f"{data}: {STAND_INS[data]}." for data in DATA if data in STAND_INS),
)
