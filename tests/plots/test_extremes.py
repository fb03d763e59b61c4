"""Which groups are shown, and what is said of the rest."""

from labelwise.plots.extremes import shown
from labelwise.plots.names import clean, short_names


def test_up_to_twenty_five_groups_are_all_shown():
    assert shown(range(20), range(20, 25)).places == tuple(range(25))
    assert shown(range(20), range(20, 25)).sentence == ""


def test_empty_groups_are_the_first_to_go():
    found = shown(range(20), range(20, 30))
    assert found.places == tuple(range(20))
    assert found.sentence == "10 of 30 groups are hidden, 10 without items."
    assert not found.has_gap


def test_of_a_thousand_the_ends_are_shown():
    found = shown(range(1_000), words=("dearest", "cheapest"))
    assert found.places == (*range(15), *range(995, 1_000))
    assert found.sentence == "980 of 1,000 groups are hidden: the 15 dearest and the 5 cheapest are shown."


def test_long_names_that_read_the_same_when_cut_are_numbered():
    found = short_names(["a" * 300, "a" * 299 + "b", ""])
    assert found == ("a" * 27 + "…", "a" * 27 + "… (2)", "(no name)")
    assert clean("\ud800x\x07") == "\ufffdx\ufffd"
