"""The slope among items, compiled, against that of the beliefs."""

import numpy as np
import pytest
from scipy.special import expit, logit

import labelwise as lw
from labelwise.beliefs.learned.item_slope import bend_of
from labelwise.simulation.kernels.item_slope import put_bend

SETTINGS = lw.LearnedPrior().settings
HOW = SETTINGS["middle"], SETTINGS["spread"], float(SETTINGS["strengths"].min())


@pytest.mark.parametrize("many", [0, 3, 40, 400])
@pytest.mark.parametrize(("shift", "slope"), [(0.0, 0.9), (-1.0, 0.3), (2.0, 1.7)])
def test_the_parabola_is_that_of_the_belief(many, shift, slope):
    rng = np.random.default_rng(many)
    predicted = np.repeat(np.arange(8), 50)
    confidence = rng.beta(6, 2, 400)
    groups = lw.by_prediction(lw.pool_from_arrays(predicted=predicted, confidence=confidence))
    hit = rng.uniform(size=400) < expit(shift + slope * logit(confidence))
    items = rng.permutation(400)[:many]
    belief = lw.beliefs.LearnedAccuracy.start(groups).update(
        items, np.where(hit, predicted, (predicted + 1) % 8)[items]
    )
    expected = bend_of(belief.scores, belief.told, *HOW)
    bend, explained = np.empty(4), np.empty(8)
    put_bend(
        belief.scores.x, np.ascontiguousarray(belief.scores.share.T), belief.hits, belief.labels,
        np.ascontiguousarray(belief.in_bin.T, float), belief.bin_hits.astype(np.int64), *HOW,
        SETTINGS["middle"].copy(), 40, bend, explained,
    )  # fmt: skip
    # the compiled search ends within 1e-3
    assert bend[0] == pytest.approx(expected.slope, abs=3e-3)
    assert bend[1] == pytest.approx(expected.level, abs=1e-2)
    assert bend[2] == pytest.approx(expected.precision, rel=1e-2, abs=1e-9)
    assert bend[3] == pytest.approx(expected.noise, abs=2e-3)
    assert np.allclose(explained, expected.explained, atol=2e-3)
