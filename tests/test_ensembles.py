"""Ensembles: entropy by hand, the decomposition, and groups of disagreement."""

import numpy as np
import pytest

import labelwise as lw


def members(n=200, k=4, s=3, seed=1):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, k, n)
    return [lw.pool_from_arrays(scores=rng.dirichlet(np.ones(k), n), labels=labels) for _ in range(s)]


def test_total_is_aleatoric_plus_epistemic_and_epistemic_is_never_negative():
    ensemble = lw.ensembles.Ensemble(members())
    assert np.allclose(ensemble.total, ensemble.aleatoric + ensemble.epistemic)
    assert (ensemble.epistemic >= 0).all()


def test_entropies_are_those_of_the_textbook():
    pools = members(5)
    ensemble = lw.ensembles.Ensemble(pools)
    mean = np.mean([p.scores for p in pools], axis=0)
    assert np.allclose(ensemble.total, -(mean * np.log(mean)).sum(axis=1))
    assert np.allclose(ensemble.aleatoric, np.mean([-(p.scores * np.log(p.scores)).sum(axis=1) for p in pools], axis=0))


def test_members_that_agree_have_no_epistemic_uncertainty_and_a_zero_score_is_no_trouble():
    pool = lw.pool_from_arrays(scores=[[1.0, 0.0], [0.5, 0.5]])
    ensemble = lw.ensembles.Ensemble([pool, pool])
    assert ensemble.epistemic.tolist() == [0, 0]
    assert ensemble.total.round(4).tolist() == [0, 0.6931]


def test_the_average_is_a_pool_with_the_first_members_labels_and_a_fingerprint_of_its_own():
    pools = members()
    average = lw.ensembles.Ensemble(pools).pool
    assert np.allclose(average.scores, np.mean([p.scores for p in pools], axis=0))
    assert np.array_equal(average.labels, pools[0].labels)
    assert average.fingerprint not in {p.fingerprint for p in pools}
    assert 0 <= lw.metrics.known_value(lw.accuracy, average) <= 1


@pytest.mark.parametrize("equal", ["mass", "width"])
def test_groups_of_disagreement_go_from_little_to_much(equal):
    ensemble = lw.ensembles.Ensemble(members())
    groups = lw.ensembles.by_disagreement(ensemble, 4, equal=equal)
    means = [ensemble.epistemic[groups.of_item == g].mean() for g in range(4) if groups.n_items[g]]
    assert means == sorted(means)
    assert groups.n_items.sum() == 200


@pytest.mark.parametrize(
    ("pools", "sentence"),
    [
        (lambda: members(s=1), "An ensemble needs at least two members, but `members` has 1."),
        (
            lambda: [members()[0], members(k=3)[0]],
            "Member 2 and the first member have different classes. Read both with the same `classes`.",
        ),
        (
            lambda: [members()[0], members(n=10)[0]],
            "Member 2 and the first member differ in their items or the order of them. Sort both by id.",
        ),
        (
            lambda: [members(k=2)[0], lw.pool_from_arrays(predicted=[0, 1], labels=[0, 1])],
            "This pool has no scores per class, but an ensemble needs them. Read it with `scores`.",
        ),
    ],
)
def test_members_that_do_not_fit_are_refused(pools, sentence):
    with pytest.raises(lw.LabelwiseError) as refusal:
        lw.ensembles.Ensemble(pools())
    assert str(refusal.value) == sentence
