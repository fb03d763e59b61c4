"""Differences between two classes: the published probabilities."""

import numpy as np
import pytest

pytestmark = pytest.mark.data


def test_differences_have_the_published_probabilities_and_counts(figure):
    found = figure("supplement-differences")
    rows = {row.where: row for row in found.rows}
    lower = "P(lower by more than 0.05) (%)"
    assert rows["people - trees", lower].ours == pytest.approx(96.3248, abs=1e-4)
    assert rows["woman - man", lower].ours == pytest.approx(81.3954, abs=1e-4)
    assert all(row.ours == pytest.approx(row.published, abs=1e-9) for row in found.rows if row.where[1] != lower)
    assert [claim.ours for claim in found.claims[::2]] == ["(280, 203) and (351, 162)", "(61, 50) and (53, 27)"]
    assert found.unexplained == []
    frame = found.frame
    pair = frame["pair"] == "people - trees"
    assert np.trapezoid(frame["density"][pair], frame["difference"][pair]) == pytest.approx(1, abs=1e-3)
