"""The uncertainty of an ensemble: entropies by hand, empty groups left out."""

import numpy as np

import labelwise as lw
from labelwise.plots import uncertainty_chart


def entropy(scores):
    return -(scores * np.log(scores)).sum(axis=1)


def test_parts_are_means_of_entropies_and_add_up(case):
    ensemble, groups = case("three").ensemble(), case("three").groups
    frame = uncertainty_chart(ensemble, groups).frame()
    members = [pool.scores.astype(float) for pool in ensemble.members]
    total, part = entropy(sum(members) / 3), sum(map(entropy, members)) / 3
    for row in frame.rows():
        own = groups.of_item == groups.index(row["group"])
        assert np.isclose(row["total"], total[own].mean())
        assert np.isclose(row["aleatoric"], part[own].mean())
        assert np.isclose(row["total"], row["aleatoric"] + row["epistemic"])
    assert (np.diff(frame["epistemic"]) <= 0).all()


def test_empty_groups_are_left_out_and_said(case):
    chart = uncertainty_chart(case("empty").ensemble(), case("empty").groups)
    assert len(chart.frame()["group"]) == 5
    assert "2 groups without items not drawn." in chart.subtitle


def test_a_grouping_of_other_items_is_refused(case, refusal):
    args = case("three").ensemble(), case("empty").groups
    sentence = "The grouping has 120 items, the ensemble 200; group the pool of the ensemble."
    assert refusal(lw.DataError, uncertainty_chart, *args) == sentence
