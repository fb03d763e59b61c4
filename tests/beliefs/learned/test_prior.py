"""The prior that learns what scores are worth."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.testing.worlds import small_pool


def test_one_beta_a_group_has_the_mean_and_variance_of_the_mixture():
    groups = lw.by_prediction(small_pool())
    a, b = lw.LearnedPrior().beta(groups)
    belief = lw.beliefs.LearnedAccuracy.start(groups)
    assert np.allclose(a / (a + b), belief.mean(), atol=1e-6)
    assert np.allclose(a * b / ((a + b) ** 2 * (a + b + 1)), belief.variance(), rtol=0.02)


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ({"shift": 0}, "`shift` must be a number above 0, but is 0."),
        ({"slope": -1.0}, "`slope` must be a number above 0, but is -1.0."),
        ({"spreads": ()}, "`spreads` must have at least one number."),
        ({"spreads": (4, 0)}, "`spreads` must be a number above 0, but is 0.0."),
        ({"steepness": 0}, "`steepness` must be a number above 0, but is 0."),
    ],
)
def test_what_cannot_be_is_refused(how, sentence, refusal):
    assert refusal(lw.ArgumentError, lw.LearnedPrior, **how) == sentence
