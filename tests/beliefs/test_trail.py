"""The trail of labels: predictions use earlier labels only, and do not depend on how labels come in portions."""

import numpy as np
import pytest
from scipy.special import betaln

import labelwise as lw
from labelwise.beliefs.trail import Trail

RNG = np.random.default_rng(5)
POOL = lw.pool_from_arrays(predicted=RNG.integers(0, 3, 300), confidence=RNG.uniform(0.4, 1.0, 300), classes=[0, 1, 2])
GROUPS = lw.by_prediction(POOL)
ITEMS = RNG.permutation(300)[:120]
LABELS = np.where(RNG.uniform(size=120) < 0.7, POOL.prediction[ITEMS], (POOL.prediction[ITEMS] + 1) % 3)


@pytest.mark.parametrize("prior", [lw.FlatPrior(), lw.LearnedPrior()])
def test_portions_make_no_difference(prior):
    start = Trail.of(lw.accuracy.start(GROUPS, prior))
    whole = start.extended(ITEMS, LABELS)
    parts = start
    for k in range(0, 120, 7):
        parts = parts.extended(ITEMS[k : k + 7], LABELS[k : k + 7])
    assert parts.log_probability == pytest.approx(whole.log_probability, abs=1e-9)
    assert np.array_equal(parts.hits, whole.hits)
    assert parts.n_labels.sum() == 120


def test_one_beta_per_group_predicts_by_the_beta_binomial():
    trail = Trail.of(lw.accuracy.start(GROUPS, lw.CustomPrior(3.0, 1.0))).extended(ITEMS, LABELS)
    hits, misses = trail.hits, trail.n_labels - trail.hits
    half = betaln(0.5 + hits, 0.5 + misses) - betaln(0.5, 0.5)
    own = betaln(3 + hits, 1 + misses) - betaln(3, 1)
    assert trail.log_probability == pytest.approx(np.logaddexp(np.log(0.8) + own, np.log(0.2) + half))


def test_a_flat_prior_expects_nothing_and_predicts_as_the_always_valid_interval_does():
    trail = Trail.of(lw.accuracy.start(GROUPS)).extended(ITEMS, LABELS)
    half = betaln(0.5 + trail.hits, 0.5 + trail.n_labels - trail.hits) - betaln(0.5, 0.5)
    assert trail.log_probability == pytest.approx(half)


def test_a_later_label_changes_no_earlier_prediction():
    """Else it would be a bet on what is known already."""
    start = Trail.of(lw.accuracy.start(GROUPS, lw.LearnedPrior()))
    short, long = start.extended(ITEMS[:60], LABELS[:60]), start.extended(ITEMS, LABELS)
    again = short.extended(ITEMS[60:], (LABELS[60:] + 1) % 3)
    assert not np.allclose(again.log_probability, long.log_probability)
    assert start.extended(ITEMS[:60], LABELS[:60]).log_probability == pytest.approx(short.log_probability)


@pytest.mark.parametrize("prior", [lw.FlatPrior(), lw.LearnedPrior()])
def test_predictions_of_the_next_label_add_up_to_one(prior):
    trail = Trail.of(lw.accuracy.start(GROUPS, prior)).extended(ITEMS[:50], LABELS[:50])
    item = ITEMS[50]
    g = GROUPS.of_item[item]
    chances = [
        np.exp(trail.extended([item], [label]).log_probability[g] - trail.log_probability[g])
        for label in (POOL.prediction[item], (POOL.prediction[item] + 1) % 3)
    ]
    assert sum(chances) == pytest.approx(1.0, abs=1e-9)


def test_a_corrected_label_starts_the_trail_anew():
    trail = Trail.of(lw.accuracy.start(GROUPS)).extended(ITEMS[:20], LABELS[:20])
    changed = LABELS[:30].copy()
    changed[3] = (changed[3] + 1) % 3
    fresh = Trail.of(lw.accuracy.start(GROUPS)).extended(ITEMS[:30], changed)
    assert trail.continued(ITEMS[:30], changed).log_probability == pytest.approx(fresh.log_probability)
    assert len(trail.continued(ITEMS[:30], LABELS[:30]).items) == 30
