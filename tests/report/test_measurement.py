"""The measurement: what is in it, in which order, and what is refused."""

import json

import numpy as np
import pytest

import labelwise as lw
from labelwise.report.measurement import _affordable, measure
from labelwise.report.settings import Settings


def pool_of(n=600, seed=1, known=1.0):
    rng = np.random.default_rng(seed)
    scores = rng.dirichlet([0.5] * 3, n)
    labels = [int(rng.choice(3, p=p)) if rng.uniform() < known else None for p in scores]
    return lw.pool_from_arrays(
        scores=scores, labels=labels, columns={"site": rng.choice(["n", "s"], n)}, classes=["cat", "dog", "emu"]
    )


def test_groups_come_worst_first_and_carry_rank_and_tie():
    result = measure(lw.by_prediction(pool_of()))
    rows = result.group_rows()
    means = [row["accuracy"]["mean"] for row in rows]
    assert means == sorted(means)
    assert set(rows[0]) >= {"group", "items", "labels", "accuracy", "bias", "ece", "p_worst", "rank", "tied"}
    assert not rows[0]["tied"]


def test_every_overall_metric_is_there_with_its_plain_value_inside_or_near_its_interval():
    pool = pool_of()
    overall = {row["metric"]: row for row in measure(lw.by_prediction(pool)).overall}
    assert set(overall) == {
        "accuracy", "bias", "ece", "mce", "balanced-accuracy", "macro f1", "brier", "log-loss", "classwise-ece",
    }  # fmt: skip
    assert overall["accuracy"]["known"] == pytest.approx(pool.hits.mean())
    assert overall["classwise-ece"]["known"] == pytest.approx(lw.metrics.classwise_ece(pool).mean())
    for name in ("accuracy", "bias", "brier", "log-loss", "balanced-accuracy", "macro f1"):
        assert overall[name]["low"] < overall[name]["known"] < overall[name]["high"]
    assert "plug_in" in overall["ece"]


def test_a_pool_without_confidences_is_measured_as_far_as_it_goes():
    pool = lw.pool_from_arrays(predicted=[0, 1, 1], labels=[0, 1, 0])
    assert [row["metric"] for row in measure(lw.by_prediction(pool)).overall] == [
        "accuracy", "balanced-accuracy", "macro f1",
    ]  # fmt: skip


def test_the_same_seed_gives_the_same_document():
    documents = [json.dumps(measure(lw.by_prediction(pool_of()), settings=Settings(seed=4)).to_json()) for _ in "ab"]
    assert documents[0] == documents[1]


def test_the_document_is_strict_json_even_where_nothing_is_known():
    pool = lw.pool_from_arrays(predicted=[0, 1], confidence=[0.5, 0.5], labels=[0, 1], classes=[0, 1, 2])
    document = measure(lw.by_prediction(pool), tables=["confusion", "ranking", "reliability"]).to_json()
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert document["groups"][-1]["bias"]["mean"] is None
    assert len(document["tables"]["confusion"]) == 9


def test_unlabelled_items_are_told_of_and_narrow_nothing():
    result = measure(lw.by_prediction(pool_of(known=0.5)), settings=Settings(target="pool"))
    assert "items have no label; the others are taken as drawn at random" in result.notes[0]
    row = result.group_rows()[0]
    assert row["labels"] < row["items"]
    assert row["accuracy"]["low"] < row["accuracy"]["high"]


def test_comparison_pair_and_hand_off_are_in_the_document():
    pool = pool_of()
    document = measure(
        lw.by_prediction(pool), compare=("cat", "dog"), against=pool_of(), hand_off_groups=1, person_accuracy=0.9
    ).to_json()
    assert document["comparison"]["one"] == "cat"
    assert document["against"]["n_differ"] == 0
    assert document["hand_off"]["share"] > 0.2


def test_metrics_of_classes_and_of_groups_do_not_go_together():
    with pytest.raises(lw.ArgumentError, match="Measure them one at a time"):
        measure(lw.by_prediction(pool_of()), [lw.accuracy, lw.balanced_accuracy])


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (
            lambda: measure(lw.by_prediction(pool_of(known=0.0))),
            "No item of this pool has a label; measuring needs some. Check the label column.",
        ),
        (
            lambda: measure(lw.by_prediction(pool_of()), tables=["roc"]),
            "`tables` must be one of 'confusion', 'curve', 'ranking', 'reliability', but is 'roc'.",
        ),
    ],
)
def test_what_cannot_be_measured_is_refused(make, sentence):
    with pytest.raises(lw.LabelwiseError) as refusal:
        make()
    assert str(refusal.value) == sentence


def test_a_thousand_classes_get_fewer_confusion_draws_instead_of_hours():
    rng = np.random.default_rng(2)
    labels = rng.integers(0, 1_000, 3_000)
    pool = lw.pool_from_arrays(predicted=labels, labels=labels, classes=list(range(1_000)))
    belief = lw.recall.start(lw.by_prediction(pool))
    assert _affordable(belief, 10_000) == 200


def test_a_person_who_is_always_right_never_makes_it_worse():
    rng = np.random.default_rng(3)
    labels = rng.integers(0, 300, 3_000)
    predicted = np.where(rng.uniform(size=3_000) < 0.8, labels, rng.integers(0, 300, 3_000))
    pool = lw.pool_from_arrays(predicted=predicted, labels=labels, classes=list(range(300)))
    result = measure(lw.by_prediction(pool), hand_off_groups=1)
    assert result.hand_off.before == pytest.approx(pool.hits.mean(), abs=0.002)
    assert result.hand_off.after > pool.hits.mean()


def test_what_a_former_pool_taught_reaches_every_metric():
    former, pool = pool_of(seed=5), pool_of(60)
    settings = Settings(former=lw.by_prediction(former), discount=1.0)
    with_it, without = (measure(lw.by_prediction(pool), settings=s) for s in (settings, None))
    for name in ("accuracy", "bias", "ece"):
        widths = [row[name]["high"] - row[name]["low"] for r in (with_it, without) for row in r.group_rows()]
        assert sum(widths[:3]) < sum(widths[3:]), name
    overall = [{row["metric"]: row["high"] - row["low"] for row in r.overall[:3]} for r in (with_it, without)]
    assert overall[0]["accuracy"] < overall[1]["accuracy"]


def test_the_document_says_how_many_draws_there_were():
    document = measure(lw.by_prediction(pool_of()), [lw.recall], settings=Settings(n_draws=500)).to_json()
    assert document["methods"]["recall"] == {"method": "draws", "n_draws": 500}
    assert document["ranking"]["n_draws"] == 500
    assert 0 <= document["ranking"]["monte_carlo_error"] < 0.03


def test_accuracies_have_an_always_valid_interval_and_all_intervals_their_words():
    groups = lw.by_prediction(lw.pool_from_arrays(predicted=[0] * 30 + [1] * 20, labels=[0] * 25 + [1] * 25))
    belief = lw.belief_from_labels(lw.accuracy, groups)
    document = measure(groups).to_json()
    low, high = lw.beliefs.always_valid(belief.hits, belief.labels)
    for row in document["groups"]:
        g = belief.names.index(row["group"])
        assert (row["accuracy"]["always_low"], row["accuracy"]["always_high"]) == (low[g], high[g])
    assert set(document["guarantees"]) == {"credible", "always_valid"}
    alone = measure(groups, [lw.recall]).to_json()
    assert set(alone["guarantees"]) == {"credible"}
