"""Calibration bias of every class, against what the authors' notebooks print."""

import numpy as np
import pytest

from papers import Sources, Study
from papers.workshop.posteriors import BIASES, workshop_fig1, workshop_fig5, workshop_fig8


@pytest.mark.data
@pytest.mark.parametrize(
    ("figure", "data"), [(workshop_fig1, "CIFAR-100"), (workshop_fig5, "SVHN"), (workshop_fig8, "Dialogue")]
)
def test_biases_are_those_that_were_printed_and_the_least_accurate_class_comes_first(data_folder, figure, data):
    found = figure(Study(Sources(data_folder), 1))
    assert {row.where[1]: row.ours / 100 for row in found.rows} == pytest.approx(BIASES[data], abs=1e-8)
    assert all(claim.holds for claim in found.claims)
    assert np.all(np.diff(found.frame["accuracy"]) >= 0)
