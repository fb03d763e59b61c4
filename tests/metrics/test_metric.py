"""The contract, over every metric that is exported, and over all three kinds of belief."""

import inspect

import numpy as np
import pytest

import labelwise as lw
from labelwise import metrics
from labelwise.testing import check_metric
from labelwise.testing.contracts import check_whole_pool
from labelwise.testing.worlds import small_pool


def labelled_pool():
    pool = small_pool(200)
    labels = np.where(np.random.default_rng(6).uniform(size=200) < 0.7, pool.prediction, 1)
    return lw.pool_from_arrays(
        scores=pool.scores, labels=labels, columns={name: pool.column(name) for name in pool.columns}
    )


def concrete_metrics():
    for name, kind in inspect.getmembers(metrics, inspect.isclass):
        if issubclass(kind, lw.metrics.Metric) and not inspect.isabstract(kind) and name != "ConfusionFunction":
            needed = {"ExpectedCost": [np.ones((3, 3)) - np.eye(3)], "Lead": ["rival"]}
            yield kind(*needed.get(name, []))
    yield lw.metrics.ConfusionFunction(function=lambda joint: joint[..., 0, 1] + joint[..., 1, 0])
    yield lw.metrics.Recall(positive=1)
    yield lw.metrics.F1(average="macro")


METRICS = list(concrete_metrics())


def test_all_metrics_are_found():
    assert {m.name for m in METRICS} >= {"accuracy", "bias", "ece", "mce", "cost", "recall", "precision", "f1", "fpr"}


@pytest.mark.parametrize("metric", METRICS, ids=lambda m: f"{m.name}-{getattr(m, 'positive', '')}")
def test_every_metric_keeps_the_contract_by_prediction(metric):
    check_metric(metric, lw.by_prediction(labelled_pool()))


@pytest.mark.parametrize("metric", METRICS, ids=lambda m: f"{m.name}-{getattr(m, 'positive', '')}")
def test_every_metric_by_column_keeps_the_contract_or_says_why_not(metric):
    groups = lw.by_column(labelled_pool(), "site")
    if getattr(metric, "positive", 0) is None and metric.average is None:
        with pytest.raises(lw.UnanswerableError, match="has one value per class"):
            metric.start(groups)
    else:
        check_metric(metric, groups)


@pytest.mark.parametrize("metric", METRICS, ids=lambda m: f"{m.name}-{getattr(m, 'positive', '')}")
def test_belief_and_plain_count_agree_when_all_is_labelled(metric):
    if getattr(metric, "positive", 0) is None and metric.average is None:
        metric = type(metric)(average="macro")
    pool = labelled_pool()
    check_whole_pool(metric, lw.everything(pool), pool)


def test_labels_that_are_missing_are_not_learned():
    pool = lw.pool_from_arrays(predicted=["cat", "cat", "dog"], labels=["cat", None, "cat"])
    assert lw.belief_from_labels(lw.accuracy, lw.by_prediction(pool)).labels.tolist() == [1, 1]


def test_a_pool_without_labels_is_refused():
    with pytest.raises(lw.UnanswerableError) as refusal:
        lw.belief_from_labels(lw.accuracy, lw.by_prediction(lw.pool_from_arrays(predicted=["cat", "dog"])))
    assert str(refusal.value) == ("This pool has no labels, but measuring accuracy needs them. Read it with `label`.")
