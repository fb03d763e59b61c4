"""Figures 2, 6 and 9 of the 2019 workshop paper: how classes rank, and how probably each is the worst."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import BetaBelief
from labelwise.metrics import Ranking, accuracy, calibration_bias, rank
from papers.reproduction import PRINTED, Claim, Reproduction, Row
from papers.study import Study, stacked
from papers.workshop.counts import NOTES, counted_belief

P_WORST = {"CIFAR-100": ("lizard", 68.25)}  # percent, from so many draws:
_PUBLISHED_DRAWS = 10_000
_DRAWS = 50  # of ours for every run that is asked for
_LEVEL = 0.9  # the notebooks draw ranks from their 5 % to their 95 % quantile
_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]


def workshop_fig2(study: Study) -> Reproduction:
    """Return the ranks of the classes of CIFAR-100."""
    return _figure("workshop-fig2", "CIFAR-100", study)


def workshop_fig6(study: Study) -> Reproduction:
    """Return the ranks of the classes of SVHN."""
    return _figure("workshop-fig6", "SVHN", study)


def workshop_fig9(study: Study) -> Reproduction:
    """Return the ranks of the classes of the dialogue classifier."""
    return _figure("workshop-fig9", "Dialogue", study)


def _figure(name: str, data: str, study: Study) -> Reproduction:
    study.step(f"{name}: {data}")
    belief, rng = counted_belief(study.sources, data), np.random.default_rng(study.seed)
    assert belief.groups is not None  # the belief was learned from a pool
    confidence = belief.groups.mean_confidence
    drawn = belief.draw(_DRAWS * study.n_runs, rng=rng)  # (n_draws, n_classes)
    rows, claims, parts, moved = [], [], [], []
    for metric, worst in ((accuracy, "least accurate"), (calibration_bias, "of largest bias")):
        is_bias = metric is calibration_bias
        draws = confidence - drawn if is_bias else drawn
        ranking = rank(metric, belief, level=_LEVEL, draws=draws, rng=rng)
        # the published code gives an empty class a confidence of 0
        coded_low, coded_high = as_coded(belief, drawn - np.nan_to_num(confidence) if is_bias else drawn)
        table = {
            "class": np.array(ranking.names), "p_worst": ranking.p_worst, "p_best": ranking.p_best,
            "rank_low": ranking.rank_low, "rank_high": ranking.rank_high,
            "coded_low": coded_low, "coded_high": coded_high,
        }  # fmt: skip
        part = {column: values[ranking.order] for column, values in table.items()}
        moved.append(max(int(np.abs(part[f"rank_{end}"] - part[f"coded_{end}"]).max()) for end in ("low", "high")))
        parts.append({"data": data, "metric": metric.name} | part)
        claims += _uncertain(data, worst, ranking)
        if not is_bias and data in P_WORST:
            rows.append(_p_worst(data, ranking))
    return Reproduction(
        name, f"Ranks of the classes of {data}", ("data", "probability (%)"), tuple(rows), len(drawn),
        (*NOTES, _RANKS, _SLIP.format(*moved)), tuple(claims), stacked(parts),
    )  # fmt: skip


def as_coded(belief: BetaBelief, draws: _Floats) -> tuple[_Counts, _Counts]:
    """Return the ends of what the published code calls the rank of each class.

    It sorts the classes by accuracy, and beside the k-th of them shows at which places of that list the classes stand
    that are k-th in a draw.

    Examples
    --------
    >>> belief = BetaBelief.from_counts(hits=[1, 2, 3], labels=[4, 4, 4])
    >>> as_coded(belief, np.array([[0.3, 0.1, 0.2]] * 2))  # the ranks are 3, 1 and 2
    (array([2, 3, 1]), array([2, 3, 1]))
    """
    order = np.argsort(belief.mean(), kind="stable")
    places = np.argsort(draws[:, order], axis=1) + 1  # (n_draws, n_classes)
    low, high = np.empty(len(order), np.int64), np.empty(len(order), np.int64)
    edge = (1 - _LEVEL) / 2
    low[order], high[order] = np.quantile(places, [edge, 1 - edge], axis=0, method="inverted_cdf").astype(np.int64)
    return low, high


def _p_worst(data: str, ranking: Ranking) -> Row:
    name, published = P_WORST[data]
    p = float(ranking.p_worst[ranking.names.index(name)])
    error, chance = (100 * float(np.sqrt(p * (1 - p) / n)) for n in (ranking.n_draws, _PUBLISHED_DRAWS))
    return Row((data, f"{name} is least accurate"), PRINTED, published, 100 * p, error, chance, digits=2)


def _uncertain(data: str, worst: str, ranking: Ranking) -> list[Claim]:
    order = ranking.order
    width = (ranking.rank_high - ranking.rank_low)[order]
    end = max(1, len(order) // 10)
    outer, inner = float(np.mean([*width[:end], *width[-end:]])), float(width[end:-end].mean())
    first, second = (f"{ranking.names[g]} {ranking.p_worst[g]:.1%}" for g in order[:2])
    said = f"90 % of ranks are {outer:.1f} places apart at the ends of the list, {inner:.1f} between"
    return [
        Claim(
            data, f"one class is probably, not surely, {worst}", f"{first}, then {second}",
            0.5 < float(ranking.p_worst[order[0]]) < 0.99,
        ),
        Claim(data, f"who is {worst} is surer than who stands in the middle", said, outer < inner),
    ]  # fmt: skip


_RANKS = "Rank 1 is the worst; intervals hold 90 %. Runs are draws."
_SLIP = (
    "The published code takes for the rank of a class what is the class at a rank (one `argsort` instead of two): "
    "columns coded_low and coded_high. By accuracy, by which its list is sorted, ends of intervals move by up to {0} "
    "places; by bias, by which it is not, by up to {1}, and its rows do not belong to the classes beside them."
)
