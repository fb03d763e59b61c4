"""The contracts refuse what breaks them."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.metrics.accuracy import Accuracy
from labelwise.testing import check_belief, check_metric
from labelwise.testing.worlds import small_pool


class Forgetful(lw.beliefs.BetaBelief):
    """Loses the last label of every update."""

    def update(self, items, labels):
        return super().update(items[:-1], labels[:-1])


def test_a_belief_that_loses_labels_breaks_the_contract():
    pool = small_pool()
    with pytest.raises(AssertionError, match="must"):
        check_belief(Forgetful.start(lw.by_prediction(pool)), np.zeros(60, int))


class Shifted(Accuracy):
    """Says a mean that its draws do not have."""

    def mean(self, belief, *, target="population"):
        return super().mean(belief, target=target) + 0.05


def test_a_metric_whose_mean_is_off_breaks_the_contract():
    pool = lw.pool_from_arrays(predicted=[0, 1] * 20, labels=[0, 0] * 20)
    with pytest.raises(AssertionError, match="the exact mean must agree with draws"):
        check_metric(Shifted(), lw.by_prediction(pool))
