"""The authors' predictions and their priors."""

import pytest

import labelwise as lw
from papers import Sources
from papers.sources import flat_prior


def test_a_folder_without_the_predictions_is_said(tmp_path, refusal):
    assert refusal(lw.NotFoundError, Sources(tmp_path).pool, "SVHN") == (
        f"'svhn_resnet152_authors.parquet' is not in '{tmp_path}'. Name the folder of prediction sets with --data."
    )


def test_the_flat_prior_is_another_one_as_coded():
    assert flat_prior("as printed") == lw.FlatPrior()
    assert flat_prior("as coded") == lw.CustomPrior(5e-7, 5e-7)


@pytest.mark.data
def test_the_authors_pools_are_read(data_folder):
    assert (Sources(data_folder).pool("CIFAR-100").n_items, Sources(data_folder).pool("SVHN").n_classes) == (10_000, 10)
