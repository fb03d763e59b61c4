"""Figure 3 on one of its data sets."""

import pytest

from papers import Sources, Study
from papers.aaai import mrr_curves
from papers.aaai.mrr_curves import figure_3


@pytest.mark.data
def test_thompson_sampling_is_first_and_curves_end_at_one(data_folder, monkeypatch):
    monkeypatch.setattr(mrr_curves, "_DATA", {"DBpedia (part)": 3})
    found = figure_3(Study(Sources(data_folder), 50, 0, 2))
    assert [claim.holds for claim in found.claims] == [True, True]
    last = found.frame["labels"] == found.frame["labels"].max()
    assert (found.frame["mrr"][last] > 0.95).all()
    assert found.notes[0].startswith("Stand-in: 10,000 of the 70,000 DBpedia items")
