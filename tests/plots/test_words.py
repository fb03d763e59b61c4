"""Numbers and words that charts share."""

from labelwise.plots.words import interval_text, many


def test_numbers_have_their_noun_and_their_interval():
    assert (many(1), many(0), many(2_500, "label")) == ("1 group", "0 groups", "2,500 labels")
    assert interval_text(0.1234, 0, 1) == "0.123 [0.000, 1.000]"
