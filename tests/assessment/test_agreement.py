"""Agreement: what is compared, which kappa, intervals, and what there is to say when there is little."""

import numpy as np
import pytest
from scipy.stats import beta
from sklearn.metrics import cohen_kappa_score

import labelwise as lw

CLASSES = ["cat", "dog", "emu"]


def assessment_of(n=60):
    pool = lw.pool_from_arrays(predicted=["cat", "dog"] * (n // 2), classes=CLASSES, ids=np.arange(n))
    assessment = lw.Assessment(pool, lw.by_prediction(pool), question=lw.Worst(), seed=3, clock=lambda: 0.0)
    assessment.want_second_opinions(1.0)
    return assessment


def say(assessment, labeller, n, label):
    for ticket in assessment.ask(n, labeller=labeller):
        assessment.tell(ticket, label(ticket.item["id"]))


def by_three(item):
    return CLASSES[item % 3]


def often_wrong(item):
    return CLASSES[(item % 3 + (item % 5 == 0)) % 3]


def test_two_labellers_have_cohens_kappa():
    assessment = assessment_of()
    say(assessment, "bob", 60, by_three)
    say(assessment, "ann", 60, often_wrong)
    found = lw.agreement_of(assessment)
    assert (found.n_items, found.n_agree, found.kind, found.reason) == (60, 48, "cohen", "")
    said = [[label(item) for item in range(60)] for label in (by_three, often_wrong)]
    assert found.kappa.mean == pytest.approx(cohen_kappa_score(*said), abs=1e-12)
    assert found.kappa.low < found.kappa.mean < found.kappa.high
    [pair] = found.pairs
    assert (pair.one, pair.other, pair.n_items, pair.n_agree) == ("ann", "bob", 60, 48)
    assert pair.kappa == found.kappa.mean


def test_the_share_has_a_beta_posterior_with_a_flat_prior():
    assessment = assessment_of()
    say(assessment, "bob", 60, by_three)
    say(assessment, "ann", 60, often_wrong)
    share = lw.agreement_of(assessment, level=0.9).share
    expected = beta(49, 13)
    assert (share.mean, share.low, share.high) == pytest.approx((49 / 62, expected.ppf(0.05), expected.ppf(0.95)))


def test_one_labeller_has_the_same_row_whoever_was_first():
    assessment = assessment_of()
    say(assessment, "ann", 20, lambda item: "cat")
    say(assessment, "bob", 40, lambda item: "dog" if item % 4 else "cat")  # 20 second opinions, 20 labels
    say(assessment, "ann", 20, lambda item: "cat")  # second opinions of bob's
    found = lw.agreement_of(assessment)
    assert (found.n_items, found.kind) == (40, "cohen")
    anns = sum(said.labeller == "ann" for said in assessment.ledger.seconds.first.values())
    assert anns == 20
    # ann always says the same: chance is all there is, however the roles were dealt
    assert found.kappa.mean == pytest.approx(0, abs=1e-12)


def test_three_labellers_have_fleiss_kappa_and_a_row_a_pair():
    assessment = assessment_of()
    say(assessment, "ann", 30, by_three)
    say(assessment, "bob", 20, often_wrong)
    say(assessment, "eve", 10, lambda item: "cat")
    found = lw.agreement_of(assessment)
    assert (found.n_items, found.kind) == (30, "fleiss")
    assert [(pair.one, pair.other, pair.n_items) for pair in found.pairs] == [("ann", "bob", 20), ("ann", "eve", 10)]
    seconds = assessment.ledger.seconds
    counts = [
        np.bincount([seconds.first[item].label, seconds.by_item[item][0].label], minlength=3)
        for item in seconds.by_item
    ]
    assert found.kappa.mean == pytest.approx(lw.metrics.fleiss_kappa(counts))
    assert found.frame()["n_items"].tolist() == [20, 10]
    assert ", Fleiss' kappa " in found.sentence()


def test_what_people_said_is_compared_not_what_was_settled():
    assessment = assessment_of()
    say(assessment, "ann", 10, lambda item: "cat")
    say(assessment, "bob", 10, lambda item: "dog" if item % 2 else "cat")
    before = lw.agreement_of(assessment)
    for dispute in assessment.disputes():
        assessment.settle(dispute.item, dispute.other, labeller="eve")
    after = lw.agreement_of(assessment)
    assert (after.n_items, after.n_agree, after.kappa.mean) == (before.n_items, before.n_agree, before.kappa.mean)
    assert assessment.disputes() == []


def test_nothing_labelled_twice_is_said_so():
    assessment = assessment_of()
    say(assessment, "ann", 5, by_three)
    found = lw.agreement_of(assessment)
    assert (found.n_items, found.share, found.kappa, found.kind, found.pairs) == (0, None, None, None, ())
    assert found.sentence() == found.reason == "nobody labelled an item twice"


def test_one_class_alone_has_a_share_but_no_kappa():
    assessment = assessment_of()
    for who in ("ann", "bob"):
        say(assessment, who, 5, lambda item: "cat")
    found = lw.agreement_of(assessment)
    assert (found.n_agree, found.kappa, found.kind, found.pairs[0].kappa) == (5, None, None, None)
    assert found.share.mean == pytest.approx(6 / 7)
    assert found.sentence() == (
        "labellers agree on 5 of 5 items labelled twice: share 0.857 [0.541, 0.996]; only one class was ever said, so "
        "chance alone makes labellers agree and kappa is not defined"
    )


def test_all_alike_is_a_kappa_of_one_with_an_honest_lower_end():
    assessment = assessment_of()
    for who in ("ann", "bob"):
        say(assessment, who, 12, by_three)
    found = lw.agreement_of(assessment)
    assert (found.kappa.mean, found.kappa.high) == (1, 1)
    assert 0.5 < found.kappa.low < 0.95


def test_it_is_the_same_every_time_it_is_looked_at():
    assessment = assessment_of()
    say(assessment, "ann", 20, by_three)
    say(assessment, "bob", 20, often_wrong)
    assert lw.agreement_of(assessment) == lw.agreement_of(assessment)


@pytest.mark.parametrize("level", [0, 1, 95])
def test_a_level_that_cannot_be_is_refused(level):
    with pytest.raises(lw.ArgumentError, match="`level` must lie between 0 and 1"):
        lw.agreement_of(assessment_of(), level=level)
