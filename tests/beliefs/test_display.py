"""Draws for ArviZ."""

import subprocess
import sys

import numpy as np
import pytest

import labelwise as lw


@pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")
def test_draws_of_every_belief_have_groups_by_name():
    pytest.importorskip("arviz", reason="arviz is not installed")
    pool = lw.pool_from_arrays(scores=[[0.9, 0.1], [0.4, 0.6]] * 20, labels=[0, 0] * 20, classes=["cat", "dog"])
    groups = lw.by_prediction(pool)
    for metric, shape in ((lw.accuracy, (2, 50)), (lw.recall, (2, 50, 2)), (lw.metrics.ECE(bins=5), (2, 50, 5))):
        belief = lw.belief_from_labels(metric, groups)
        data = lw.beliefs.to_arviz(belief, n_draws=50, n_chains=2, rng=np.random.default_rng(1))
        value = data.posterior["value"].sel(group="dog")
        assert value.shape == shape
        same = belief.draw(100, rng=np.random.default_rng(1))[:, 1]
        assert (value.values.reshape(same.shape) == same).all()


def test_without_the_library_there_is_the_way_to_it():
    code = (
        "import sys; sys.modules['arviz'] = None; import numpy as np, labelwise as lw\n"
        "try: lw.beliefs.to_arviz(lw.beliefs.BetaBelief.from_counts([1], [2]), rng=np.random.default_rng(1))\n"
        "except lw.ArgumentError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("Install it with `pip install 'labelwise[notebook]'`.\n")
