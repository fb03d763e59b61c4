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
    bend, explained, place = np.empty(4), np.empty(8), np.empty(2)
    put_bend(
        belief.scores.x, np.ascontiguousarray(belief.scores.share.T), belief.hits, belief.labels,
        np.ascontiguousarray(belief.in_bin.T, float), belief.bin_hits.astype(np.int64), *HOW,
        place, bend, explained,
    )  # fmt: skip
    assert place == pytest.approx([expected.shift, expected.slope], abs=1e-9)
    assert bend == pytest.approx([expected.slope, expected.level, expected.precision, expected.noise], abs=1e-9)
    assert explained == pytest.approx(expected.explained, abs=1e-9)
