"""The error of the estimated ECE: the authors' own shuffles give their numbers."""

import pytest

from papers import Sources, Study
from papers.supplement.ece_error import COUNTS, _published, _shuffled, errors, ten_bins_of_width

pytestmark = pytest.mark.data


def test_the_authors_shuffles_give_their_errors_to_the_sixth_decimal(figure):
    found = figure("supplement-ece-error")
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


def test_bins_with_more_pull_of_the_prior_have_the_smaller_error_with_few_labels(figure):
    frame = figure("supplement-ece-error").frame
    few = (frame["data"] == "CIFAR-100") & (frame["measure"] == "weighted") & (frame["labels"] == 10)
    error = dict(zip(frame["method"][few], frame["mean"][few], strict=True))
    assert error["prior 10"] < error["prior 1"] < error["prior 0.1"] < error["frequentist"]
