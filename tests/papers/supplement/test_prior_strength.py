"""How strong the informed prior is: it hardly matters for accuracies, and for the ECE a strong one stays in the way."""

import pytest

import labelwise as lw
from papers import Sources
from papers.supplement.prior_strength import _with_all_labels
from papers.supplement.reliability import BINS

pytestmark = pytest.mark.data


def test_thompson_does_better_than_random_items_at_every_strength(figure):
    claims = [claim for claim in figure("supplement-prior-strength").claims if "random items" in claim.says]
    assert [claim.where for claim in claims][:2] == ["CIFAR-100", "SVHN"]
    assert claims[0].holds  # the others need more than 20 runs


def test_a_weak_prior_names_the_right_class_once_all_is_labelled(data_folder):
    groups = lw.by_prediction(Sources(data_folder).pool("SVHN"))
    assert _with_all_labels(groups, lw.accuracy, 2) == 1
    weak, strong = (_with_all_labels(groups, lw.metrics.ECE(BINS), strength) for strength in (1e-6, 1e6))
    assert weak == 1
    assert strong < 1
