"""Accuracy against calibration error of every class: the authors' numbers."""

import pytest

pytestmark = pytest.mark.data


def test_classes_have_the_authors_accuracies_and_calibration_errors(figure):
    claims = figure("supplement-scatter").claims
    same = [claim for claim in claims if "authors" in claim.says]
    assert [claim.where for claim in same] == ["CIFAR-100", "SVHN"]
    assert all(claim.holds and "counts differ by 0" in claim.ours for claim in same)
    assert [claim.ours for claim in claims if claim.ours.startswith("r = ")] == [
        "r = -0.91", "r = -0.91", "r = -0.39", "r = -0.99",
    ]  # fmt: skip
