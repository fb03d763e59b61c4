"""The Beta belief: closed forms, both targets, merging, refusals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import labelwise as lw


def pool_of(n_items=30, seed=0):
    rng = np.random.default_rng(seed)
    predicted, labels = rng.integers(0, 3, (2, n_items))
    return lw.pool_from_arrays(
        predicted=predicted, confidence=rng.uniform(0.4, 1, n_items), labels=labels, classes=["a", "b", "c", "d"]
    )


def test_mean_and_variance_are_those_of_the_textbook():
    belief = lw.beliefs.BetaBelief.from_counts([3], [10], prior_a=2, prior_b=5)
    assert belief.mean()[0] == pytest.approx(5 / 17)
    assert belief.variance()[0] == pytest.approx(5 * 12 / (17**2 * 18))


def test_the_pool_variance_is_that_of_the_beta_binomial_table():
    belief = lw.beliefs.BetaBelief.from_counts([3, 0], [10, 2], n_items=[25, 9])
    table = belief.remainder
    for g in range(2):
        entries = slice(table.first[g], table.first[g] + table.n[g] + 1)
        value = (belief.hits[g] + table.hits[entries]) / belief.n_items[g]
        mean = table.mass[entries] @ value
        assert belief.mean(target="pool")[g] == pytest.approx(mean)
        assert belief.variance(target="pool")[g] == pytest.approx(table.mass[entries] @ (value - mean) ** 2)


def test_a_wholly_labelled_group_is_known_exactly_in_the_pool():
    belief = lw.beliefs.BetaBelief.from_counts([7, 2], [10, 3], n_items=[10, 30])
    for kind in ("equal-tailed", "highest-density"):
        low, high = belief.interval(0.99, kind=kind, target="pool")
        assert low[0] == high[0] == 0.7
        assert low[1] < high[1]
    assert belief.variance(target="pool")[0] == 0


@pytest.mark.parametrize("target", ["pool", "population"])
def test_the_same_seed_gives_the_same_draws(target):
    belief = lw.beliefs.BetaBelief.from_counts([7, 2], [10, 3], n_items=[10, 30])
    draws = [belief.draw(5, target=target, rng=np.random.default_rng(3)) for _ in range(2)]
    assert np.array_equal(*draws)


@given(st.permutations(range(30)), st.integers(0, 30))
def test_neither_order_nor_portions_of_labels_matter(order, cut):
    pool = pool_of()
    start = lw.beliefs.BetaBelief.start(lw.by_prediction(pool), lw.InformedPrior())
    order = np.array(order)
    whole = start.update(np.arange(30), pool.labels)
    portions = start.update(order[:cut], pool.labels[order[:cut]]).update(order[cut:], pool.labels[order[cut:]])
    first, second = (start.update(part, pool.labels[part]) for part in (order[:cut], order[cut:]))
    for other in (portions, first.merge(second)):
        assert np.array_equal(other.a, whole.a)
        assert np.array_equal(other.b, whole.b)


def test_an_empty_group_keeps_its_prior_whatever_the_target():
    belief = lw.beliefs.BetaBelief.start(lw.by_prediction(pool_of()))
    assert belief.groups.n_items[3] == 0
    for target in ("pool", "population"):
        assert belief.mean(target=target)[3] == 0.5
        low, high = belief.interval(0.9, target=target)
        assert (low[3], high[3]) == (pytest.approx(0.05), pytest.approx(0.95))
        assert np.isfinite(belief.draw(10, target=target, rng=np.random.default_rng(1))).all()


def test_what_was_believed_yesterday_stays_as_it_was():
    start = lw.beliefs.BetaBelief.start(lw.by_prediction(pool_of()))
    start.update([0, 1], [0, 0])
    assert start.labels.sum() == 0
    with pytest.raises(ValueError, match="read-only"):
        start.hits[0] = 1


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: lw.beliefs.BetaBelief.from_counts([3], [2]), "3 hits among 2 labels cannot be."),
        (
            lambda: lw.beliefs.BetaBelief.from_counts([1], [3], n_items=[2], names=["cat"]),
            "Group 'cat' has 3 labels, but only 2 items.",
        ),
        (lambda: lw.beliefs.BetaBelief.from_counts([0.5], [3]), "`hits` must be whole numbers, but has 0.5."),
        (
            lambda: lw.beliefs.BetaBelief.from_counts([1], [3]).mean(target="pool"),
            "The pool target needs the size of each group; give `n_items`.",
        ),
        (
            lambda: lw.beliefs.BetaBelief.from_counts([1], [3]).mean(target="sample"),
            "`target` must be one of 'pool', 'population', but is 'sample'.",
        ),
        (
            lambda: lw.beliefs.BetaBelief.from_counts([1], [3]).update([0], [0]),
            "A belief made from counts does not know its items; use `add`.",
        ),
        (
            lambda: lw.beliefs.BetaBelief.from_counts([1], [3]).merge(
                lw.beliefs.BetaBelief.from_counts([1], [3], prior_a=2)
            ),
            "Only beliefs with the same groups and the same prior can be merged.",
        ),
        (
            lambda: lw.beliefs.BetaBelief.from_counts([1], [3]).draw(0, rng=np.random.default_rng(1)),
            "`n_draws` must be a whole number of at least 1, but is 0.",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(make, sentence):
    with pytest.raises(lw.LabelwiseError) as refusal:
        make()
    assert str(refusal.value) == sentence
