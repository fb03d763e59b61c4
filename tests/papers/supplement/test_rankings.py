"""Which class is the least accurate: the published probability."""

import pytest

pytestmark = pytest.mark.data


def test_the_lizard_is_the_least_accurate_class_with_the_published_probability(figure):
    found = figure("supplement-rankings")
    (row,) = found.rows
    assert row.where == ("CIFAR-100", "lizard is least accurate")
    assert row.ours == pytest.approx(67.8, abs=0.5)  # five standard errors
    assert row.agrees
    frame = found.frame
    for data in ("CIFAR-100", "SVHN"):
        full = (frame["data"] == data) & (frame["labels"] > 1_000)
        assert frame["p_least"][full].sum() == pytest.approx(1)
        assert frame["p_most"][full].sum() == pytest.approx(1)
    assert all(claim.holds for claim in found.claims)
