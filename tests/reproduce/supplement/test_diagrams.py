"""The supplement's diagrams: numbers that must be exact are, and what does not hold has a cause that was tested."""

import numpy as np
import pytest

from labelwise.reproduce import Sources, Study
from labelwise.reproduce.supplement.diagrams import DIAGRAMS
from labelwise.reproduce.supplement.ece_error import COUNTS, _published, _shuffled, errors, ten_bins_of_width

pytestmark = pytest.mark.data
QUICK = 40


@pytest.fixture(scope="module")
def reproduced(data_folder):
    study = Study(Sources(data_folder), QUICK, 0, 2)
    return {name: figure(study) for name, figure in DIAGRAMS.items()}


def by_where(found):
    return {row.where: row for row in found.rows}


@pytest.mark.parametrize("name", DIAGRAMS)
def test_every_figure_has_its_name_and_a_frame(reproduced, name):
    found = reproduced[name]
    assert found.name == name
    assert found.claims
    assert len(found.frame.rows()) > 50


def test_the_diagram_of_an_over_confident_net_lies_below_the_diagonal(reproduced):
    found = reproduced["supplement-reliability"]
    below = found.claims[0]
    assert (below.where, below.holds) == ("CIFAR-100", True)
    assert below.ours == "below in 9 of 9 bins, by up to 0.210"
    frame = found.frame
    full = (frame["data"] == "CIFAR-100") & (frame["labels"] == 10_000)
    assert (frame["accuracy"] < frame["confidence"])[full].all()
    assert frame["labels_of_bin"][full].tolist() == frame["items"][full].tolist()
    assert frame["items"][full].sum() == 10_000


def test_intervals_narrow_with_labels(reproduced):
    for name in ("supplement-reliability", "supplement-ece-posterior"):
        narrow = [claim for claim in reproduced[name].claims if "narrow" in claim.says]
        assert narrow
        assert all(claim.holds for claim in narrow)


def test_intervals_miss_only_where_the_prior_takes_a_sure_net_at_its_word(data_folder):
    """Coverage of 1,000 runs has a standard error below 0.01."""
    found = DIAGRAMS["supplement-reliability"](Study(Sources(data_folder), 1_000))
    missed = {claim.where: claim.cause for claim in found.claims if not claim.holds}
    assert set(missed) == {"SVHN, 100 labels", "DBpedia (part), 100 labels"}
    assert all("with Beta(1, 1) instead it is 0.9" in cause for cause in missed.values())


def test_the_ece_on_all_labels_is_that_of_the_authors(reproduced):
    found = reproduced["supplement-ece-posterior"]
    rows = by_where(found)
    assert rows["CIFAR-100", "all"].ours == pytest.approx(rows["CIFAR-100", "all"].published, abs=1e-6)
    assert rows["SVHN", "all"].ours == pytest.approx(rows["SVHN", "all"].published, abs=1e-7)
    frame = found.frame
    median = frame["ece"][(frame["quantile"] == 0.5) & (frame["data"] == "CIFAR-100")]
    assert abs(median[2] - 0.0987) < 0.002 < abs(median[0] - 0.0987)  # after all labels, and after 100


def test_the_authors_shuffles_give_their_errors_to_the_sixth_decimal(reproduced):
    found = reproduced["supplement-ece-error"]
    coded = [row for row in found.rows if row.protocol == "as coded"]
    assert len(coded) == 144
    assert all(row.agrees for row in coded)
    exact = [row for row in coded if row.where[0] == "CIFAR-100" or int(row.where[3]) <= 200]
    assert len(exact) == 72 + 40
    assert max(abs(row.ours - row.published) for row in exact) < 6e-7


def test_one_exchanged_item_gives_the_authors_errors_on_svhn_at_500_labels(data_folder):
    study = Study(Sources(data_folder))
    bins = ten_bins_of_width(study.sources.pool("SVHN"))
    hits, labels = _shuffled(bins, 500)
    hits[0, 9], labels[0, 9], labels[0, 8] = hits[0, 9] - 1, labels[0, 9] - 1, labels[0, 8] + 1
    found = errors(bins, hits, labels)
    published = [one for one in _published(study)["SVHN"] if COUNTS[one.place] == 500]
    assert len(published) == 8
    for one in published:
        assert found[one.bins, one.method].mean() == pytest.approx(one.value, abs=6e-7)


def test_bins_with_more_pull_of_the_prior_have_the_smaller_error_with_few_labels(reproduced):
    frame = reproduced["supplement-ece-error"].frame
    few = (frame["data"] == "CIFAR-100") & (frame["measure"] == "weighted") & (frame["labels"] == 10)
    error = dict(zip(frame["method"][few], frame["mean"][few], strict=True))
    assert error["prior 10"] < error["prior 1"] < error["prior 0.1"] < error["frequentist"]


def test_classes_have_the_authors_accuracies_and_calibration_errors(reproduced):
    claims = reproduced["supplement-scatter"].claims
    same = [claim for claim in claims if "authors" in claim.says]
    assert [claim.where for claim in same] == ["CIFAR-100", "SVHN"]
    assert all(claim.holds and "counts differ by 0" in claim.ours for claim in same)
    assert [claim.ours for claim in claims if claim.ours.startswith("r = ")] == [
        "r = -0.91", "r = -0.91", "r = -0.39", "r = -0.99",
    ]  # fmt: skip


def test_the_lizard_is_the_least_accurate_class_with_the_published_probability(reproduced):
    found = reproduced["supplement-rankings"]
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


def test_differences_have_the_published_probabilities_and_counts(reproduced):
    found = reproduced["supplement-differences"]
    rows = by_where(found)
    lower = "P(lower by more than 0.05) (%)"
    assert rows["people - trees", lower].ours == pytest.approx(96.3248, abs=1e-4)
    assert rows["woman - man", lower].ours == pytest.approx(81.3954, abs=1e-4)
    assert all(row.ours == pytest.approx(row.published, abs=1e-9) for row in found.rows if row.where[1] != lower)
    assert [claim.ours for claim in found.claims[::2]] == ["(280, 203) and (351, 162)", "(61, 50) and (53, 27)"]
    assert found.unexplained == []
    frame = found.frame
    pair = frame["pair"] == "people - trees"
    assert np.trapezoid(frame["density"][pair], frame["difference"][pair]) == pytest.approx(1, abs=1e-3)
