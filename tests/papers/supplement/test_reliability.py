"""Reliability diagrams: an over-confident net lies below the diagonal; where intervals miss, the cause was tested."""

import pytest

from papers import Sources, Study
from papers.supplement.reliability import reliability_diagrams

pytestmark = pytest.mark.data


def test_the_diagram_of_an_over_confident_net_lies_below_the_diagonal(figure):
    found = figure("supplement-reliability")
    below = found.claims[0]
    assert (below.where, below.holds) == ("CIFAR-100", True)
    assert below.ours == "below in 9 of 9 bins, by up to 0.210"
    frame = found.frame
    full = (frame["data"] == "CIFAR-100") & (frame["labels"] == 10_000)
    assert (frame["accuracy"] < frame["confidence"])[full].all()
    assert frame["labels_of_bin"][full].tolist() == frame["items"][full].tolist()
    assert frame["items"][full].sum() == 10_000


def test_intervals_narrow_with_labels(figure):
    for name in ("supplement-reliability", "supplement-ece-posterior"):
        narrow = [claim for claim in figure(name).claims if "narrow" in claim.says]
        assert narrow
        assert all(claim.holds for claim in narrow)


def test_intervals_miss_only_where_the_prior_takes_a_sure_net_at_its_word(data_folder):
    """Coverage of 1,000 runs has a standard error below 0.01."""
    found = reliability_diagrams(Study(Sources(data_folder), 1_000))
    missed = {claim.where: claim.cause for claim in found.claims if not claim.holds}
    assert set(missed) == {"SVHN, 100 labels", "DBpedia (part), 100 labels"}
    assert all("with Beta(1, 1) instead it is 0.9" in cause for cause in missed.values())
