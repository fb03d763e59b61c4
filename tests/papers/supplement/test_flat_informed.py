"""Flat and informed priors: what the published log counts, and what it says of SVHN."""

import math

import numpy as np
import pytest

from papers import Sources, Study
from papers.supplement.flat_informed import PUBLISHED, flat_informed, logged_share


def test_the_published_log_counts_hundreds_and_passes_its_first_five_entries_over():
    curve = np.array([1.0, 1.0, 1.0, 1.0, 1.0, 0.2, 0.98, 0.995, 1.0])
    assert logged_share(curve, 10_000) == 0.08
    assert logged_share(0.9 * curve, 10_000) == 0.08  # 0.99 of the highest, where that is lower


@pytest.mark.data
def test_a_flat_prior_finds_the_worst_class_of_svhn_sooner(data_folder, monkeypatch):
    monkeypatch.setattr("papers.supplement.flat_informed.DATA", ("SVHN",))
    found = flat_informed(Study(Sources(data_folder), 100, 0, 2))
    assert [(row.where, row.published) for row in found.rows if row.protocol == "as coded"] == [
        (("SVHN", method, f"{m}"), value) for m, values in PUBLISHED["SVHN"].items() for method, value in values.items()
    ]
    assert all(claim.holds for claim in found.claims)
    ours = {row.where: row.ours for row in found.rows if row.protocol == "as printed"}
    assert all(math.isfinite(value) for value in ours.values())
    assert ours["SVHN", "UPrior+TS", "1"] < ours["SVHN", "IPrior+TS", "1"]
