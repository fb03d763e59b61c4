"""The summary of a pool whose labels are known: every metric with its interval, as plain tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import Belief, CarriedPrior, CustomPrior
from labelwise.beliefs.belief import AccuracyBelief
from labelwise.beliefs.confidence_sequence import always_valid_of
from labelwise.checks import check_count, check_one_of, counted
from labelwise.errors import ArgumentError, UnanswerableError
from labelwise.groups import Grouping, by_prediction, everything
from labelwise.metrics import (
    ECE,
    F1,
    MCE,
    Difference,
    ExpectedCost,
    HandOff,
    Metric,
    PairedDifference,
    Posterior,
    Ranking,
    accuracy,
    belief_from_labels,
    bootstrap,
    brier,
    calibration_bias,
    calibration_curve,
    classwise_ece,
    compare_classifiers,
    confusion_matrix,
    difference,
    hand_off,
    known_value,
    log_loss,
    rank,
    recall,
    reliability,
)
from labelwise.metrics.confusion import BalancedAccuracy
from labelwise.metrics.curve import CURVE_BINS
from labelwise.metrics.impact import Impact, impact_of
from labelwise.metrics.metric import B, Starts
from labelwise.metrics.tally import Tallied
from labelwise.pool import Frame, Pool
from labelwise.report.guarantee import guarantees
from labelwise.report.settings import Settings

_MOST_VALUES = 40_000_000  # random numbers that one set of draws may take: some seconds, and 320 MB
_LEAST_DRAWS = 200
TABLES = ("confusion", "curve", "ranking", "reliability")
Step = Callable[[str], None]


@dataclass(frozen=True)
class Measurement:
    """What a pool with known labels says about its classifier.

    Attributes
    ----------
    pool, settings : what was measured, and how.
    overall : one entry per metric of the whole pool.
    groups : one estimate per metric, one entry per group.
    ranking : of the groups, by the first metric.
    always : ends of the groups' always-valid intervals, by metric.
    left_out : positions of the groups with too few items to take part.
    impacts : the impact of every group, if accuracy or a cost was measured and the impact itself was not.
    tables : further tables by name.
    """

    pool: dict[str, Any]
    grouping: str
    settings: dict[str, Any]
    overall: list[dict[str, Any]]
    estimates: list[Posterior]
    n_items: list[int]
    ranking: Ranking | None
    comparison: Difference | None = None
    paired: PairedDifference | None = None
    hand_off: HandOff | None = None
    tables: dict[str, Frame] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    always: dict[str, tuple[NDArray[np.float64], NDArray[np.float64]]] = field(default_factory=dict)
    left_out: frozenset[int] = frozenset()
    impacts: Posterior | None = None

    def group_rows(self) -> list[dict[str, Any]]:
        """Return one row per group, worst first by the first metric, empty groups last."""
        order = list(self.ranking.order) if self.ranking is not None else []
        ranked = set(order)
        order += [g for g in range(len(self.n_items)) if g not in ranked and g not in self.left_out]
        return [self._group_row(int(g)) for g in order]

    def _group_row(self, g: int) -> dict[str, Any]:
        row: dict[str, Any] = {"group": self.estimates[0].names[g], "items": self.n_items[g]}
        row["labels"] = int(self.estimates[0].n_labels[g])
        for e in [*self.estimates, *([self.impacts] if self.impacts is not None else [])]:
            row[e.metric] = {"mean": float(e.mean[g]), "low": float(e.low[g]), "high": float(e.high[g])}
        for name, (low, high) in self.always.items():
            row[name] |= {"always_low": float(low[g]), "always_high": float(high[g])}
        if self.ranking is not None:
            row |= {
                "p_worst": float(self.ranking.p_worst[g]),
                f"p_among_{self.ranking.m}_worst": float(self.ranking.p_among[g]),
                "rank": [int(self.ranking.rank_low[g]), int(self.ranking.rank_high[g])],
                "tied": bool(self.ranking.tied[g]),
            }
        return row

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain values; what is not a number becomes null."""
        paired = None if self.paired is None else {**asdict(self.paired)}
        document = {
            "pool": self.pool,
            "grouping": self.grouping,
            "settings": self.settings,
            "overall": self.overall,
            "methods": {e.metric: {"method": e.method, "n_draws": e.n_draws} for e in self.estimates},
            "ranking": None if self.ranking is None else _ranking_facts(self.ranking),
            "groups": self.group_rows() if self.estimates else [],
            "comparison": None if self.comparison is None else asdict(self.comparison),
            "against": paired,
            "hand_off": None if self.hand_off is None else asdict(self.hand_off),
            "tables": {name: frame.rows() for name, frame in self.tables.items()},
            "guarantees": guarantees(self.settings["level"], always=bool(self.always)),
            "notes": self.notes,
        }
        cleaned: dict[str, Any] = without_nan(document)
        return cleaned


def measure(
    groups: Grouping,
    metrics: Sequence[Metric] = (),
    *,
    settings: Settings | None = None,
    cost: ExpectedCost | None = None,
    compare: tuple[str, str] | None = None,
    against: Pool | None = None,
    hand_off_groups: int | None = None,
    person_accuracy: float = 1.0,
    tables: Sequence[str] = (),
    step: Step | None = None,
) -> Measurement:
    """Measure a classifier on a pool whose labels are known.

    Parameters
    ----------
    groups : the grouping; groups are ranked by the first metric.
    metrics : what to measure of every group; accuracy, bias and ECE (where the pool can answer) unless given.
    settings : target, level, prior and so on.
    cost : adds the expected cost.
    compare : two groups to compare by the first metric.
    against : another classifier's pool of the same items, compared by the first metric.
    hand_off_groups, person_accuracy : what if the predictions of so many worst groups went to such a person.
    tables : any of confusion, curve, ranking, reliability.
    step : called with a few words before each part, for a progress display.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=[0, 0, 1, 1], confidence=[0.9, 0.8, 0.7, 0.6], labels=[0, 0, 1, 0])
    >>> result = measure(lw.by_prediction(pool))
    >>> [row["group"] for row in result.group_rows()]
    ['1', '0']
    """
    how = settings or Settings()
    say = step or (lambda words: None)
    rng = np.random.default_rng(how.seed)
    pool = groups.pool
    check_count(how.seed, "seed", least=0)
    for name in tables:
        check_one_of(name, "tables", TABLES)
    if pool.n_labelled == 0:
        pool.known_labels("measuring")
        raise UnanswerableError("No item of this pool has a label; measuring needs some. Check the label column.")
    chosen = list(metrics) or _default_metrics(pool, how)
    if cost is not None:
        chosen.append(cost)
    say("overall")
    overall = _overall(pool, chosen, how, say, rng)
    estimates, beliefs = [], []
    for metric in chosen:
        say(f"{metric.name} by {groups.rule}")
        beliefs.append(_learned(metric, groups, how))
        estimates.append(_estimate(metric, beliefs[-1], how, rng))
    if len({e.names for e in estimates}) > 1:
        raise ArgumentError(
            f"These metrics have different groups ({', '.join(e.metric for e in estimates)}): one has a value per "
            "class, another a value per group. Measure them one at a time."
        )
    first = chosen[0]
    sizes = first.n_items(beliefs[0])
    say("ranking")
    n_there = int(first.candidates(beliefs[0]).sum())
    ranking = rank(
        first, beliefs[0], m=min(how.m, n_there), level=how.level, target=how.target,
        n_draws=_affordable(beliefs[0], how.n_draws), rng=rng,
    )  # fmt: skip
    return Measurement(
        pool=_facts(pool),
        grouping="class" if sizes is None else groups.rule,
        settings=how.said(),
        overall=overall,
        estimates=estimates,
        n_items=list(map(int, estimates[0].n_labels if sizes is None else sizes)),
        ranking=ranking,
        comparison=_compared(first, beliefs[0], compare, how, rng) if compare else None,
        paired=_paired(pool, against, first, how, rng) if against else None,
        hand_off=_handed_off(groups, hand_off_groups, person_accuracy, how, rng) if hand_off_groups else None,
        tables={name: _table(name, groups, ranking, how) for name in tables},
        notes=_notes(groups, sizes, how),
        left_out=frozenset(map(int, np.flatnonzero(first.left_out(beliefs[0])))),
        impacts=_impacts(chosen, beliefs, how, rng),
        always={
            metric.name: always_valid_of(AccuracyBelief.of(belief), level=how.level, target=how.target)
            for metric, belief in zip(chosen, beliefs, strict=True)
            if metric.is_share_of_hits
        },
    )


def _default_metrics(pool: Pool, how: Settings) -> list[Metric]:
    if pool.confidence is None:
        return [accuracy]
    return [accuracy, calibration_bias, ECE(how.bins, how.equal)]


def _learned(metric: Starts[B], groups: Grouping, how: Settings) -> B:
    """Return the belief after all labels, starting from what a former pool taught if there is one."""
    if how.former is None:
        return belief_from_labels(metric, groups, how.prior)
    rules = {"nothing": everything, "prediction": by_prediction}
    former = rules[groups.rule](how.former.pool) if groups.rule in rules else how.former
    old = belief_from_labels(metric, former)
    return belief_from_labels(metric, groups, CarriedPrior(old.taught, how.discount))


def _affordable(belief: Belief, n_draws: int) -> int:
    """Return fewer draws where each is very large: a thousand classes, or a thousand groups by fifteen bins."""
    return min(n_draws, max(_LEAST_DRAWS, _MOST_VALUES // belief.mean().size))


def _estimate(metric: Metric, belief: Belief, how: Settings, rng: np.random.Generator) -> Posterior:
    return metric.estimate(
        belief,
        level=how.level,
        kind=how.kind,
        target=how.target,
        n_draws=_affordable(belief, how.n_draws),
        rng=rng,
    )


def _overall(
    pool: Pool, chosen: Sequence[Metric], how: Settings, say: Step, rng: np.random.Generator
) -> list[dict[str, Any]]:
    """Measure the whole pool: accuracy, bias and ECE through their beliefs, the rest by the bootstrap."""
    whole = everything(pool)
    rows = []
    believed: list[Metric] = [accuracy]
    if pool.confidence is not None:
        believed += [calibration_bias, ECE(how.bins, how.equal), MCE(how.bins, how.equal)]
    for metric in believed:
        say(f"overall {metric.name}")
        belief = _learned(metric, whole, how)
        rows.append(_overall_row(_estimate(metric, belief, how, rng), known_value(metric, pool)))
        plug_in = metric.plug_in(belief, target=how.target)
        if plug_in is not None:
            rows[-1]["plug_in"] = float(plug_in[0])
    tallied: list[Tallied] = [BalancedAccuracy(), F1(average="macro")]
    if pool.scores is not None:
        tallied += [brier, log_loss]
    names = {row["metric"] for row in rows}
    tallied += [metric for metric in chosen if metric.name not in names | {t.name for t in tallied}]
    for extra in tallied:
        say(f"overall {extra.name}")
        estimate = bootstrap(
            extra, pool, level=how.level, kind=how.kind, target=how.target, n_draws=min(how.n_draws, 2_000), rng=rng
        )
        if extra.is_mean_of_classes and pool.n_labelled < 20 * pool.n_classes:
            estimate = replace(estimate, low=np.array([np.nan]), high=np.array([np.nan]))
        rows.append(_overall_row(estimate, known_value(extra, pool), extra.overall_name))
    if pool.scores is not None:
        say("overall classwise calibration")
        value = float(classwise_ece(pool, bins=how.bins).mean())
        rows.append({"metric": "classwise-ece", "mean": None, "low": None, "high": None, "known": value})
    return rows


def _overall_row(estimate: Posterior, known: float, name: str | None = None) -> dict[str, Any]:
    ends = {"mean": float(estimate.mean[0]), "low": float(estimate.low[0]), "high": float(estimate.high[0])}
    return {"metric": name or estimate.metric, **ends, "known": known}


def _compared(
    metric: Metric, belief: Belief, pair: tuple[str, str], how: Settings, rng: np.random.Generator
) -> Difference:
    return difference(
        metric,
        belief,
        *pair,
        margin=how.margin,
        level=how.level,
        kind=how.kind,
        target=how.target,
        n_draws=_affordable(belief, how.n_draws),
        rng=rng,
    )


def _paired(one: Pool, other: Pool, metric: Tallied, how: Settings, rng: np.random.Generator) -> PairedDifference:
    names = (one.source, other.source) if one.source != other.source else ("this", "the other")
    return compare_classifiers(
        one,
        other,
        metric,
        level=how.level,
        kind=how.kind,
        target=how.target,
        n_draws=how.n_draws,
        names=names,
        rng=rng,
    )


def _handed_off(groups: Grouping, m: int, person_accuracy: float, how: Settings, rng: np.random.Generator) -> HandOff:
    # A thousand flat priors would pull the whole towards one half: the groups start from the whole's accuracy.
    start = float(belief_from_labels(accuracy, everything(groups.pool)).mean()[0])
    prior = how.prior or CustomPrior(2 * start, 2 * (1 - start))
    return hand_off(
        belief_from_labels(accuracy, groups, prior),
        m,
        person_accuracy=person_accuracy,
        level=how.level,
        kind=how.kind,
        target=how.target,
        n_draws=how.n_draws,
        rng=rng,
    )


def _table(name: str, groups: Grouping, ranking: Ranking, how: Settings) -> Frame:
    if name == "ranking":
        return ranking.frame()
    if name == "curve":
        return calibration_curve(
            belief_from_labels(ECE(CURVE_BINS, "mass"), everything(groups.pool), how.prior), level=how.level
        )
    if name == "reliability":
        cells = _learned(ECE(how.bins, how.equal), everything(groups.pool), how)
        return reliability(cells, level=how.level, kind=how.kind, target=how.target)
    belief = _learned(recall, by_prediction(groups.pool), how)
    return confusion_matrix(belief, level=how.level, kind=how.kind, target=how.target)


def _ranking_facts(ranking: Ranking) -> dict[str, Any]:
    return {"m": ranking.m, "n_draws": ranking.n_draws, "monte_carlo_error": ranking.monte_carlo_error}


def _facts(pool: Pool) -> dict[str, Any]:
    return {
        "source": pool.source,
        "items": pool.n_items,
        "labelled": pool.n_labelled,
        "classes": pool.n_classes,
        "mean_confidence": None if pool.confidence is None else float(pool.confidence.mean()),
        "fingerprint": pool.fingerprint,
    }


def _impacts(
    chosen: Sequence[Metric], beliefs: Sequence[Belief], how: Settings, rng: np.random.Generator
) -> Posterior | None:
    """Estimate the impact beside the first metric that has one, unless it was asked for."""
    if any(metric.name == Impact.name for metric in chosen):
        return None
    found = [(impact, belief) for metric, belief in zip(chosen, beliefs, strict=True) if (impact := impact_of(metric))]
    return _estimate(*found[0], how, rng) if found else None


def _notes(groups: Grouping, sizes: NDArray[np.int64] | None, how: Settings) -> list[str]:
    pool = groups.pool
    notes = [f"{groups.left_out}."] if groups.left_out else []
    if pool.n_labelled < pool.n_items:
        notes.append(
            f"{pool.n_items - pool.n_labelled:,} items have no label; the others are taken as drawn at random, "
            "within each group and from the whole."
        )
    empty = 0 if sizes is None else int((sizes == 0).sum())
    if empty:
        notes.append(f"{counted(empty, 'group')} without items: prior kept, no rank.")
    if pool.n_labelled < 20 * pool.n_classes:
        notes.append(
            f"{pool.n_labelled:,} labels for {pool.n_classes:,} classes are too few for intervals of macro averages."
        )
    if pool.confidence is not None and pool.n_labelled < 100 * how.bins:
        notes.append(
            "With few labels per bin, noise counts as calibration error: the posterior of ECE is then too high."
        )
    if how.target == "pool" and pool.n_labelled == pool.n_items:
        notes.append("Every item is labelled, so the pool target is known exactly. For new items: target population.")
    return notes


def without_nan(value: Any) -> Any:
    """Replace NaN and infinity by null, so that the document is valid JSON."""
    if isinstance(value, dict):
        return {key: without_nan(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [without_nan(entry) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
