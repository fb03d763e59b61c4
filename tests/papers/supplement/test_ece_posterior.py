"""The posterior of the ECE: on all labels it is the authors' number."""

import pytest

pytestmark = pytest.mark.data


def test_the_ece_on_all_labels_is_that_of_the_authors(figure):
    found = figure("supplement-ece-posterior")
    rows = {row.where: row for row in found.rows}
    assert rows["CIFAR-100", "all"].ours == pytest.approx(rows["CIFAR-100", "all"].published, abs=1e-6)
    assert rows["SVHN", "all"].ours == pytest.approx(rows["SVHN", "all"].published, abs=1e-7)
    frame = found.frame
    median = frame["ece"][(frame["quantile"] == 0.5) & (frame["data"] == "CIFAR-100")]
    assert abs(median[2] - 0.0987) < 0.002 < abs(median[0] - 0.0987)  # after all labels, and after 100
