"""Priors: the papers' two, the user's own, and a former posterior."""

import numpy as np
import pytest

import labelwise as lw


def groups_of(confidence=(0.9, 0.7, 1.0), classes=("cat", "dog", "emu")):
    pool = lw.pool_from_arrays(predicted=[0, 0, 1], confidence=list(confidence), classes=list(classes))
    return lw.by_prediction(pool)


def test_the_informed_prior_is_the_mean_confidence_times_its_strength():
    a, b = lw.InformedPrior(10).beta(groups_of())
    assert a[0] == pytest.approx(8.0)
    assert b[0] == pytest.approx(2.0)


def test_a_classifier_that_is_always_sure_leaves_the_prior_proper():
    a, b = lw.InformedPrior().beta(groups_of())
    assert (a[1], b[1]) == (2.0, 0.001)
    low, high = lw.beliefs.beta_interval(a, b, 0.95)
    assert np.isfinite(low).all()
    assert np.isfinite(high).all()


def test_an_empty_group_has_no_scores_and_starts_flat():
    a, b = lw.InformedPrior(4).beta(groups_of())
    assert (a[2], b[2]) == (2.0, 2.0)


def test_informed_confusion_is_the_mean_score_vector_and_has_no_zero():
    pool = lw.pool_from_arrays(scores=[[0.5, 0.5, 0.0], [0.9, 0.1, 0.0]])
    alpha = lw.InformedPrior().dirichlet(lw.by_prediction(pool))
    assert np.allclose(alpha, [[0.7, 0.3, 0.001], [1 / 3] * 3, [1 / 3] * 3])


def test_flat_confusion_spreads_its_strength_over_the_classes():
    alpha = lw.FlatPrior().dirichlet(groups_of())
    assert np.allclose(alpha, 1 / 3)


def test_a_custom_prior_may_differ_by_group():
    a, b = lw.CustomPrior([1, 2, 3], 4).beta(groups_of())
    assert a.tolist() == [1, 2, 3]
    assert b.tolist() == [4, 4, 4]


def test_a_custom_prior_for_confusion_puts_hits_on_the_diagonal():
    alpha = lw.CustomPrior(8, 2).dirichlet(groups_of())
    assert np.allclose(alpha, [[8, 1, 1], [1, 8, 1], [1, 1, 8]])


def test_a_former_posterior_is_matched_by_name_and_discounted():
    former = lw.beliefs.BetaBelief.from_counts([30, 10], [40, 10], names=["dog", "fox"])
    a, b = lw.CarriedPrior(former, discount=0.1).beta(groups_of())
    assert a.tolist() == [1, 4, 1]
    assert b.tolist() == [1, 2, 1]


def test_a_former_confusion_is_carried_over_too():
    groups = groups_of()
    former = lw.beliefs.DirichletBelief.start(groups).update([0, 1], [0, 2])
    alpha = lw.CarriedPrior(former, discount=0.5).dirichlet(groups)
    assert np.allclose(alpha[0], [1 / 3 + 0.5, 1 / 3, 1 / 3 + 0.5])


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: lw.FlatPrior(0), "`strength` must be a number above 0, but is 0."),
        (lambda: lw.InformedPrior(float("nan")), "`strength` must be a number above 0, but is nan."),
        (
            lambda: lw.CustomPrior(0, 1).beta(groups_of()),
            "`a` must be above 0, but is 0.0; a prior without pseudo-counts is improper.",
        ),
        (
            lambda: lw.CustomPrior([1, 2], 1).beta(groups_of()),
            "`a` must be one number, or one for each of the 3 groups.",
        ),
        (
            lambda: lw.CarriedPrior(lw.beliefs.BetaBelief.from_counts([1], [1]), discount=2),
            "`discount` must lie between 0 and 1 inclusive, but is 2.",
        ),
        (
            lambda: lw.CarriedPrior(lw.beliefs.BetaBelief.from_counts([1], [1])).dirichlet(groups_of()),
            "A BetaBelief cannot be carried over here; carry over a belief of the same kind.",
        ),
        (
            lambda: lw.InformedPrior().beta(lw.by_prediction(lw.pool_from_arrays(predicted=[0, 1]))),
            "This pool has no confidences, but a mean confidence needs them. Read it with `scores` or `confidence`.",
        ),
    ],
)
def test_improper_priors_are_refused_in_one_sentence(make, sentence):
    with pytest.raises(lw.LabelwiseError) as refusal:
        make()
    assert str(refusal.value) == sentence
