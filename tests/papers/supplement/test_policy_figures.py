"""Every figure about how labels are chosen can be made, by its name."""

import numpy as np
import pytest

from papers.supplement.policy_figures import POLICY_FIGURES

pytestmark = pytest.mark.data


@pytest.mark.parametrize("name", POLICY_FIGURES)
def test_every_figure_has_claims_and_curves_between_0_and_1(figure, name):
    found = figure(name)
    assert found.name == name
    assert found.claims
    frame = found.frame
    assert list(frame) == ["data", "method", "labels", "share", "mean", "error"]
    assert ((frame["mean"] >= 0) & (frame["mean"] <= 1) & (frame["error"] >= 0)).all()
    size = {"CIFAR-100": 10_000, "SVHN": 26_032, "20 Newsgroups (other net)": 7_532, "DBpedia (part)": 10_000}
    for data in set(frame["data"]):
        here = frame["data"] == data
        assert np.allclose(frame["share"][here], frame["labels"][here] / size[data])
    stand_ins = {row.where[0] for row in found.rows} - {"CIFAR-100", "SVHN"}
    assert not stand_ins  # they get directions, never rows
