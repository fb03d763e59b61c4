"""From scenarios to kernels: the same as the exact engine in distribution, for every belief; and what is refused."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.simulation import Scenario, simulate
from labelwise.simulation.compiled import play_compiled
from labelwise.simulation.exact import play_exactly
from strength import sized

N_EXACT = sized(full=100, quick=20)
COST = [[0, 1, 5], [2, 0, 1], [9, 3, 0]]


def groups_of(n=36):
    rng = np.random.default_rng(2)
    scores = rng.dirichlet([0.7] * 3, n)
    predicted = scores.argmax(axis=1)
    labels = np.where(rng.uniform(size=n) < 0.6, predicted, (predicted + 1) % 3)
    return lw.by_prediction(lw.pool_from_arrays(scores=scores, labels=labels))


@pytest.mark.parametrize(
    ("question", "policy", "prior"),
    [
        (lw.Worst(), lw.Thompson(), lw.InformedPrior()),
        (lw.Best(lw.calibration_bias), lw.TopTwo(), None),
        (lw.Worst(lw.calibration_bias), lw.policies.BayesianUpperBound(), None),
        (lw.Worst(m=2), lw.policies.MultiplePlay(), None),
        (lw.Worst(m=2), lw.policies.Border(), None),
        (lw.Estimate(), lw.Thompson(), None),
        (lw.Compare("0", "1"), lw.Thompson(), None),
        (lw.Worst(lw.metrics.ECE(bins=3)), lw.Thompson(), None),
        (lw.Worst(lw.ExpectedCost(COST)), lw.Thompson(), lw.InformedPrior()),
        (lw.Estimate(lw.recall), lw.Thompson(), lw.FlatPrior()),
        pytest.param(lw.Worst(lw.metrics.ECE(bins=3), m=2), lw.policies.Border(), None, marks=pytest.mark.slow),
        pytest.param(lw.Worst(lw.ExpectedCost(COST), m=2), lw.policies.Border(), None, marks=pytest.mark.slow),
        pytest.param(lw.Worst(lw.metrics.ECE(bins=3)), lw.policies.BayesianUpperBound(), None, marks=pytest.mark.slow),
        pytest.param(
            lw.Worst(lw.ExpectedCost(COST)),
            lw.policies.BayesianUpperBound(),
            lw.InformedPrior(),
            marks=pytest.mark.slow,
        ),
        pytest.param(lw.Best(lw.ExpectedCost(COST)), lw.policies.BayesianUpperBound(), None, marks=pytest.mark.slow),
        pytest.param(lw.Estimate(lw.recall), lw.policies.BayesianUpperBound(), lw.FlatPrior(), marks=pytest.mark.slow),
    ],
    ids=lambda value: getattr(value, "name", type(value).__name__),
)
def test_labels_are_spread_as_the_exact_engine_spreads_them(question, policy, prior):
    """Mean labels of each cell after 12, within 5 standard errors and 0.05 labels.

    100 exact runs (20 in `make test`) against 3,000 compiled ones.

    Upper bounds of sums come from 500 draws: where two groups are nearly tied the exact engine, which always draws the
    same, may prefer either. There is no such tie in these.
    """
    scenario = Scenario(groups_of(), question, policy, prior)
    at = np.array([12])
    exact = play_exactly(scenario, range(N_EXACT), at)
    fast = play_compiled(scenario, [int(s) for s in np.random.default_rng(3).integers(0, 2**63, 3_000)], at)
    assert set(exact) == set(fast) == set(scenario.start.state)
    for name in exact:
        one, two = exact[name].reshape(N_EXACT, -1), fast[name].reshape(3_000, -1)
        error = np.sqrt(one.var(axis=0) / N_EXACT + two.var(axis=0) / 3_000)
        assert (np.abs(one.mean(axis=0) - two.mean(axis=0)) <= 5 * error + 0.05).all(), name
    total = fast["labels"] if "labels" in fast else fast["counts"]
    assert (total.reshape(3_000, -1).sum(axis=1) == 12).all()


@pytest.mark.parametrize(
    ("question", "policy", "asks"),
    [
        (lw.Worst(lw.recall), lw.Thompson(), "Worst of recall with thompson"),
        (lw.Worst(lw.metrics.MCE(bins=3)), lw.policies.BayesianUpperBound(), "Worst of mce with upper-bound"),
        (lw.Compare("0", "1", metric=lw.calibration_bias), lw.Thompson(), "Compare of bias with thompson"),
        (lw.Estimate(lw.metrics.ECE(bins=3)), lw.Thompson(), "Estimate of ece with thompson"),
    ],
)
def test_what_only_the_exact_engine_can_play_is_refused(refusal, question, policy, asks):
    scenario = Scenario(groups_of(), question, policy)
    assert refusal(lw.UnanswerableError, simulate, scenario, [], n_runs=1) == (
        f"The compiled engine cannot simulate {asks}. Use the exact engine or another policy."
    )
