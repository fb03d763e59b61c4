"""The contract, over every belief that is exported."""

import inspect

import numpy as np
import pytest

import labelwise as lw
from labelwise import beliefs
from labelwise.testing import check_belief
from labelwise.testing.worlds import small_pool

BELIEFS = [c for _, c in inspect.getmembers(beliefs, inspect.isclass) if hasattr(c, "start") and hasattr(c, "update")]
PRIORS = [None, lw.FlatPrior(5), lw.InformedPrior(), lw.CustomPrior(3, 2)]


def started(kind, prior=None):
    groups = lw.by_prediction(small_pool())
    return kind.start(groups, "rival", prior) if kind is lw.beliefs.PairedBelief else kind.start(groups, prior)


def test_all_beliefs_are_found():
    assert {c.__name__ for c in BELIEFS} >= {"BetaBelief", "DirichletBelief", "CellBelief", "PairedBelief"}


@pytest.mark.parametrize("prior", PRIORS, ids=repr)
@pytest.mark.parametrize("kind", BELIEFS, ids=lambda c: c.__name__)
def test_every_belief_keeps_the_contract(kind, prior):
    if kind is lw.beliefs.PairedBelief and not isinstance(prior, lw.FlatPrior | None):
        with pytest.raises(lw.UnanswerableError, match="from a flat prior only"):
            started(kind, prior)
        return
    pool = small_pool()
    labels = np.random.default_rng(4).integers(0, pool.n_classes, pool.n_items)
    check_belief(started(kind, prior), labels)


@pytest.mark.parametrize("kind", BELIEFS, ids=lambda c: c.__name__)
@pytest.mark.parametrize(
    ("items", "labels", "sentence"),
    [
        ([0], [-1], "`labels` must be positions from 0 to 2, but has -1."),
        ([0], [3], "`labels` must be positions from 0 to 2, but has 3."),
        ([-1], [0], "`items` must be positions from 0 to 59, but has -1."),
        ([60], [0], "`items` must be positions from 0 to 59, but has 60."),
        ([1.5], [0], "`items` must be positions from 0 to 59, but has 1.5."),
        ([4, 4], [0, 0], "An item comes twice; every item has one label."),
        ([4, 5], [0], "There are 2 items and 1 labels; give one label per item."),
    ],
)
def test_positions_that_cannot_be_are_refused_by_every_belief(kind, items, labels, sentence):
    belief = started(kind)
    with pytest.raises(lw.ArgumentError) as refusal:
        belief.update(items, labels)
    assert str(refusal.value) == sentence


@pytest.mark.parametrize("kind", BELIEFS, ids=lambda c: c.__name__)
def test_no_label_at_all_changes_nothing(kind):
    belief = started(kind)
    assert np.array_equal(belief.update([], []).mean(), belief.mean())


@pytest.mark.parametrize("kind", BELIEFS, ids=lambda c: c.__name__)
def test_imagined_labels_teach_the_draw_they_came_from(kind):
    """40 pools' worth of labels imagined from one draw: each cell's share is the draw's, within 5 standard errors."""
    start = started(kind)
    rng = np.random.default_rng(5)
    draw = start.draw(1, rng=rng)[0]
    items = np.arange(60)
    total, n = 0.0, 0.0
    for _ in range(40):
        learned = start.update(items, start.imagine(draw, items, rng=rng))
        belief = getattr(learned, "beta", getattr(learned, "outcomes", learned))
        counts = belief.hits if hasattr(belief, "hits") else belief.counts
        labels = belief.n_labels if counts.ndim == 1 else belief.n_labels[:, None]
        total, n = total + counts, n + labels
    flat = draw.reshape(counts.shape)
    error = 5 * np.sqrt(flat * (1 - flat) / np.maximum(n, 1)) + 1e-9
    there = np.broadcast_to(n > 0, counts.shape)
    assert (np.abs(total / np.maximum(n, 1) - flat) <= error)[there].all()


@pytest.mark.parametrize("kind", BELIEFS, ids=lambda c: c.__name__)
def test_a_belief_is_rebuilt_from_its_state(kind):
    pool = small_pool()
    start = started(kind, None)
    taught = start.update(np.arange(20), np.random.default_rng(4).integers(0, pool.n_classes, 20))
    again = start.with_state(taught.state)
    assert {name: array.tolist() for name, array in again.state.items()} == {
        name: array.tolist() for name, array in taught.state.items()
    }
    assert np.array_equal(again.n_labels, taught.n_labels)


@pytest.mark.parametrize(
    ("metric", "needed"),
    [(lw.accuracy, "AccuracyBelief"), (lw.ece, "CellBelief"), (lw.recall, "ConfusionBelief")],
    ids=lambda value: getattr(value, "name", None),
)
def test_a_metric_refuses_a_belief_of_another_kind(metric, needed):
    other = started(lw.beliefs.PairedBelief)
    with pytest.raises(lw.ArgumentError) as error:
        metric.draw(other, 10, rng=np.random.default_rng(1))
    assert str(error.value) == f"It takes a belief of kind {needed}, not PairedBelief. Use the metric's `start`."
