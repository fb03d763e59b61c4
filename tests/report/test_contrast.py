"""What a comparison says, as plain values."""

import labelwise as lw
from labelwise.report.comparison import Comparison
from labelwise.report.contrast import comparison_document


def test_notes_say_what_the_difference_may_come_from(pool_of, make_assessment):
    one = make_assessment(pool_of(["cat", "dog"]), lw.Estimate(lw.accuracy), 30, target="pool")
    other = make_assessment(pool_of(["cat", "dog"], seed=5), lw.Estimate(lw.accuracy), 0, target="population")
    document = comparison_document(Comparison(one, other, ("a", "b")))
    said = " ".join(document["notes"])
    assert "2 groups of 'b' have no label" in said
    assert "different pools" in said
    assert "different targets" in said
    assert document["target"] == "population"
    assert document["difference"]["design"] is None


def test_the_same_twice_is_neither_better_nor_worse(pool_of, make_assessment):
    one = make_assessment(pool_of(["cat", "dog"]), lw.Estimate(lw.accuracy), 60)
    found = comparison_document(Comparison(one, one, ("a", "b")))["difference"]
    assert abs(found["mean"]) < 0.005
    assert abs(found["p_better"] - 0.5) < 0.03
