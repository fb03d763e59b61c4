"""How much the strength of the informed prior matters in the AAAI supplement: finding the worst class."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from labelwise.beliefs import InformedPrior
from labelwise.groups import Grouping, by_prediction
from labelwise.metrics import ECE, Metric, accuracy
from labelwise.policies import RandomItem, Thompson
from labelwise.questions import Worst
from labelwise.simulation import Scenario, reciprocal_rank
from papers.reproduction import Claim, Reproduction
from papers.sources import STAND_INS
from papers.study import BATCHES, Study, stacked
from papers.supplement.label_curves import Curve, moments, play_curve, with_error
from papers.supplement.reliability import BINS, DATA

STRENGTHS = (2, 10, 100)
ECE_STRENGTHS = (2, 5, 10)
_CLOSE = 0.05  # of the mean reciprocal rank, over all label counts
_SLOW = 2  # the calibration error takes longer, and has so many times fewer runs
_PART = 0.6  # of the pool, which its curves show


def prior_strength(study: Study) -> Reproduction:
    """Return the curves of Thompson sampling for the least accurate class with weaker and stronger priors."""
    curves, claims = [], []
    for data in DATA:
        found, random = _curves(study, data, accuracy, STRENGTHS, 1.0)
        curves += [*found, random]
        claims.append(_better_than_random(found, random, "", len(found[0].at)))
        heights = [curve.height()[0] for curve in found]
        claims.append(
            Claim(
                data,
                f"the strength matters little (mean MRR over all label counts within {_CLOSE:g})",
                f"mean MRR {_listed(found, 'height')} at strengths {', '.join(map(str, STRENGTHS))}",
                holds=max(heights) - min(heights) < _CLOSE,
            )
        )
    return Reproduction(
        "supplement-prior-strength", "Strength of the prior: labels until the least accurate class is found",
        n_runs=study.n_runs, notes=_NOTES, claims=tuple(claims), frame=stacked([curve.part() for curve in curves]),
    )  # fmt: skip


def ece_prior_strength(study: Study) -> Reproduction:
    """Return the curves of Thompson sampling for the class of the highest ECE with weaker and stronger priors."""
    fewer = replace(study, n_runs=max(BATCHES, study.n_runs // _SLOW))
    metric = ECE(BINS)
    curves, claims = [], []
    for data in DATA:
        found, random = _curves(fewer, data, metric, ECE_STRENGTHS, _PART)
        curves += [*found, random]
        at_end = [_with_all_labels(by_prediction(study.sources.pool(data)), metric, s) for s in ECE_STRENGTHS]
        claims.append(_better_than_random(found, random, _cause(at_end), len(found[0].at)))
    return Reproduction(
        "supplement-ece-prior-strength", "Strength of the prior: labels until the class of highest ECE is found",
        n_runs=fewer.n_runs, notes=_ECE_NOTES, claims=tuple(claims), frame=stacked([curve.part() for curve in curves]),
    )  # fmt: skip


def _curves(
    study: Study, data: str, metric: Metric, strengths: tuple[int, ...], part: float
) -> tuple[list[Curve], Curve]:
    """Return Thompson's curve at each strength, over a part of the pool, and that of random items at the weakest."""
    groups = by_prediction(study.sources.pool(data))
    at, score = moments(groups.pool.n_items), reciprocal_rank()
    seen = at[: round(part * len(at))]
    found = []
    for strength in strengths:
        scenario = Scenario(groups, Worst(metric), Thompson(), InformedPrior(strength), int(seen[-1]))
        found.append(play_curve(study, data, f"Thompson, strength {strength}", scenario, score, seen))
    scenario = Scenario(groups, Worst(metric), RandomItem(), InformedPrior(strengths[0]))
    return found, play_curve(study, data, f"random, strength {strengths[0]}", scenario, score, at)


def _better_than_random(found: list[Curve], random: Curve, cause: str, n_at: int) -> Claim:
    base = random.height(n_at)
    holds = all(_above(curve.height(), base) for curve in found)
    return Claim(
        random.data,
        "at every strength Thompson sampling does better than random items (mean MRR over the label counts shown)",
        f"{_listed(found, 'height')} against {with_error(base, 3)}; MRR > 0.99 after {_listed(found, 'needed')} % of "
        f"the pool against {with_error(random.needed())}",
        holds=holds,
        cause="" if holds else cause,
    )


def _above(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return one[0] - other[0] > 3 * math.hypot(one[1], other[1])


def _listed(found: list[Curve], what: str) -> str:
    values = [with_error(curve.height(), 3) if what == "height" else with_error(curve.needed()) for curve in found]
    return f"{', '.join(values[:-1])} and {values[-1]}"


def _with_all_labels(groups: Grouping, metric: Metric, strength: int) -> float:
    """Return the reciprocal rank of the true class once all is labelled: below 1, the prior itself is in the way."""
    scenario = Scenario(groups, Worst(metric), RandomItem(), InformedPrior(strength))
    counts = {name: values[None, None] for name, values in scenario.known.state.items()}
    return float(np.squeeze(reciprocal_rank().of(scenario, scenario.stacked(counts))))


def _cause(at_end: list[float]) -> str:
    if min(at_end) == 1:
        return ""
    return (
        "a strong prior says that the net is calibrated, and outweighs the labels of cells with few items: even with "
        f"all of them the reciprocal rank is {', '.join(f'{one:.2f}' for one in at_end)} at strengths "
        f"{', '.join(map(str, ECE_STRENGTHS))}"
    )


_STAND_INS = tuple(f"{data}: {STAND_INS[data]}." for data in DATA if data in STAND_INS)
_NOTES = ("Informed prior, Thompson sampling; random items with a prior of strength 2 beside it.", *_STAND_INS)
_ECE_NOTES = (
    f"ECE by predicted class, {BINS} bins of equal width, informed prior in each cell. Runs are half of those "
    f"asked for, and Thompson's curves end at {_PART:.0%} of the pool.",
    *_STAND_INS,
)
