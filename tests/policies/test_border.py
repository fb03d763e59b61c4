"""Top-two sampling for sets: which groups it asks, and which it leaves alone."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.policies import Border


def shares(question, belief, n_open, n=4_000, seed=1, target="population"):
    rng = np.random.default_rng(seed)
    picks = [g for _ in range(n) for g in Border().choose(belief, question, n_open, target=target, rng=rng)]
    return np.bincount(picks, minlength=len(n_open)) / n


def groups_of(accuracy, size=40):
    """Groups of predicted classes with these shares of hits."""
    predicted = np.repeat(np.arange(len(accuracy)), size)
    labels = np.where(
        np.arange(len(predicted)) % size < np.round(accuracy, 2)[predicted] * size, predicted, len(accuracy)
    )
    return lw.by_prediction(
        lw.pool_from_arrays(predicted=predicted, labels=labels, classes=list(range(len(accuracy) + 1)))
    )


def test_only_groups_at_the_border_are_asked():
    """Of four groups at 0.1, 0.5, 0.55 and 0.9 the worst two are settled but for the second and the third."""
    belief = lw.beliefs.BetaBelief.from_counts([10, 50, 55, 90], [100] * 4)
    found = shares(lw.Worst(m=2), belief, np.full(4, 5))
    assert found == pytest.approx([0, 0.5, 0.5, 0], abs=5 * np.sqrt(0.25 / 4_000))


def test_for_the_best_the_border_is_at_the_other_end():
    belief = lw.beliefs.BetaBelief.from_counts([10, 15, 55, 90], [100] * 4)
    found = shares(lw.Best(m=3), belief, np.full(4, 5))
    assert found == pytest.approx([0.5, 0.5, 0, 0], abs=5 * np.sqrt(0.25 / 4_000))


def test_one_group_is_looked_for_as_top_two_does():
    belief = lw.beliefs.BetaBelief.from_counts([66, 60, 58], [100] * 3)
    n, n_open = 4_000, np.full(3, 5)
    rng = np.random.default_rng(2)
    picks = [lw.TopTwo().choose(belief, lw.Worst(), n_open, rng=rng)[0] for _ in range(n)]
    theirs = np.bincount(picks, minlength=3) / n
    assert shares(lw.Worst(), belief, n_open) == pytest.approx(theirs, abs=5 * np.sqrt(2 * 0.25 / n))


def test_a_group_without_open_items_counts_as_a_member():
    """The worst group is labelled out: one more is looked for, and the border is between the second and the third."""
    belief = lw.beliefs.BetaBelief.from_counts([10, 50, 55, 90], [100] * 4)
    found = shares(lw.Worst(m=2), belief, np.array([0, 5, 5, 5]))
    assert found == pytest.approx([0, 0.5, 0.5, 0], abs=5 * np.sqrt(0.25 / 4_000))


def test_a_set_that_is_certain_is_asked_next_to_its_border():
    belief = lw.beliefs.BetaBelief.from_counts([0, 3_000, 7_000, 10_000], [10_000] * 4)
    found = shares(lw.Worst(m=2), belief, np.full(4, 5), n=100)
    assert found[1] + found[2] == 1
    assert min(found[1], found[2]) > 0.2
    found = shares(lw.Worst(m=2), belief, np.array([5, 0, 0, 5]), n=100)  # these two are next
    assert min(found[0], found[3]) > 0.2


def test_all_groups_are_asked_if_all_are_looked_for():
    belief = lw.beliefs.BetaBelief.from_counts([10, 50, 55], [100] * 3)
    assert shares(lw.Worst(m=3), belief, np.array([5, 0, 5])) == pytest.approx([0.5, 0, 0.5], abs=0.05)


def test_a_pool_that_is_labelled_but_for_one_group_is_asked_there():
    belief = lw.beliefs.BetaBelief.from_counts([10, 50, 55], [100] * 3)
    assert Border().choose(belief, lw.Worst(m=2), np.array([0, 0, 3]), rng=np.random.default_rng(1)) == (2,)


def test_a_class_at_the_border_is_asked_where_its_labels_are_expected():
    """Recall has a value per class; groups are predicted classes."""
    groups = groups_of([0.9, 0.8, 0.6, 0.3])
    question = lw.Worst(lw.recall, m=2)
    belief = question.start(groups).update(np.arange(0, 160, 4), groups.pool.labels[::4])
    found = shares(question, belief, np.full(4, 5), n=300)
    assert found.sum() == pytest.approx(1)
    assert (found > 0).sum() > 1


def test_a_group_without_items_is_never_a_member():
    groups = lw.by_prediction(lw.pool_from_arrays(predicted=[0, 1, 2] * 20, classes=[0, 1, 2, 3]))
    question = lw.Worst(m=2)
    belief = question.start(groups)
    assert np.isneginf(question.urgencies(belief, rng=np.random.default_rng(1))[0]).tolist() == [False] * 3 + [True]
    assert shares(question, belief, np.array([5, 5, 5, 0]), n=300)[3] == 0


def test_the_default_finds_sets_that_thompson_sampling_never_finds():
    """One group far below the others took nearly all labels of Thompson sampling, and the set was never found.

    How many of 20 assessments name the worst three after 150 labels.
    """
    groups = groups_of([0.1, 0.5, 0.55, 0.75, 0.8, 0.85], size=120)
    default, thompson = _n_found(groups, None), _n_found(groups, lw.Thompson())
    assert default > 2 * thompson, (default, thompson)


def _n_found(groups, policy):
    labels, n_right = groups.pool.labels, 0
    for seed in range(20):
        assessment = lw.Assessment(
            groups.pool,
            groups,
            question=lw.Worst(m=3),
            policy=policy,
            prior=lw.FlatPrior(),
            target="population",
            seed=seed,
        )
        for _ in range(150):
            [ticket] = assessment.ask()
            assessment.tell(ticket, int(labels[int(ticket.item["id"])]))
        n_right += set(np.argsort(assessment.belief.mean()[:6])[:3]) == {0, 1, 2}
    return n_right


def test_the_first_items_are_chosen_at_random():
    """One label per group: a group of nine tenths of the items gets nine tenths of them."""
    belief, n_open = lw.beliefs.BetaBelief.from_counts([0, 1, 1], [0, 1, 1]), np.array([90, 5, 5])
    assert shares(lw.Worst(m=2), belief, n_open) == pytest.approx(n_open / 100, abs=5 * np.sqrt(0.09 / 4_000))
    begun = lw.beliefs.BetaBelief.from_counts([1, 1, 1], [2, 2, 2])
    assert shares(lw.Worst(m=2), begun, n_open) == pytest.approx([1 / 3] * 3, abs=5 * np.sqrt(2 / 9 / 4_000))
    rng, one = np.random.default_rng(1), lw.beliefs.BetaBelief.from_counts([0, 0, 0], [0, 0, 1])
    picks = [Border(0).choose(one, lw.Worst(m=2), n_open, rng=rng)[0] for _ in range(1_000)]
    assert np.bincount(picks).max() < 500


def test_a_start_below_zero_is_refused(refusal):
    assert refusal(lw.ArgumentError, Border, -1) == "`start` must lie between 0 and 1000 inclusive, but is -1."
