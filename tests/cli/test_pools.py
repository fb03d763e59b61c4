"""From words to groupings and priors."""

import pytest

import labelwise as lw
from labelwise.cli.pools import GroupRule, metric_named, prior_named


def pool():
    return lw.pool_from_arrays(
        predicted=["cat", "dog"], confidence=[0.6, 0.9], labels=["cat", "cat"], columns={"prediction": [1, 2]}
    )


def rule(*by):
    return GroupRule(by, None, 15, "width")


def test_without_a_word_groups_are_predictions():
    assert rule().of(pool()).rule == "prediction"


def test_a_column_with_a_reserved_name_can_still_be_meant():
    assert rule("column:prediction").of(pool()).names == ("1", "2")


def test_an_unknown_metric_is_refused_with_what_there_is():
    with pytest.raises(lw.ArgumentError, match=r"^`--metric` must be one of 'accuracy', 'bias'.* but is 'auc'\.$"):
        metric_named("auc", pool(), positive=None, bins=15, equal="width", cost=None)


def test_the_positive_class_may_be_given_as_text():
    numbered = lw.pool_from_arrays(predicted=[0, 1])
    assert metric_named("recall", numbered, positive="1", bins=15, equal="width", cost=None).positive == 1


def test_no_word_about_the_prior_leaves_every_metric_its_default():
    assert prior_named(None, None, has_former=False) is None
    assert prior_named(None, 5.0, has_former=False) == lw.FlatPrior(5.0)


@pytest.mark.parametrize(
    ("name", "strength", "has_former", "sentence"),
    [
        ("9,1", None, True, "Give either `--prior-from` or `--prior` with `--strength`, not both."),
        ("9,1", 5.0, False, "`--strength` is for `--prior flat or informed`, not for '9,1'; leave it out."),
    ],
)
def test_priors_that_contradict_each_other_are_refused(name, strength, has_former, sentence):
    with pytest.raises(lw.ArgumentError) as refusal:
        prior_named(name, strength, has_former=has_former)
    assert str(refusal.value) == sentence
