"""Assessments with a shared map, compiled, against the exact engine."""

import numpy as np
import pytest
from scipy import stats

import labelwise as lw
from labelwise.beliefs.learned.constants import REFIT
from labelwise.simulation import Scenario
from labelwise.simulation.compiled import play_compiled
from labelwise.simulation.exact import play_exactly

RUNS = 50
AT = np.array([3, 8, 16])


def _groups():
    rng = np.random.default_rng(8)
    predicted = np.repeat(np.arange(4), [30, 20, 12, 8])
    confidence = rng.beta(7, 2, len(predicted))
    hit = rng.uniform(size=len(predicted)) < confidence - np.array([0.0, 0.2, 0.3, 0.1])[predicted]
    labels = np.where(hit, predicted, (predicted + 1) % 4)
    return lw.by_prediction(lw.pool_from_arrays(predicted=predicted, confidence=confidence, labels=labels))


CASES = [
    (lw.Worst(), lw.TopTwo(), "pool"),
    (lw.Estimate(), lw.Thompson(), "population"),
    (lw.Worst(), lw.RandomItem(), "pool"),
]
MORE = [
    (question, policy, target)
    for question, policy in [
        (lw.Worst(), lw.Thompson()),
        (lw.Worst(), lw.TopTwo()),
        (lw.Worst(m=2), lw.policies.MultiplePlay()),
        (lw.Worst(m=2), lw.policies.Border()),
        (lw.Best(lw.calibration_bias), lw.Thompson()),
        (lw.Estimate(), lw.Thompson()),
        (lw.Overall(), lw.Thompson()),
        (lw.Worst(), lw.RandomItem()),
        (lw.Worst(), lw.policies.RandomGroup()),
    ]
    for target in ("population", "pool")
    if (question, policy, target) not in CASES
]


@pytest.mark.parametrize(
    ("question", "policy", "target"),
    [*CASES, *(pytest.param(*case, marks=pytest.mark.slow) for case in MORE)],
    ids=lambda thing: f"{thing}"[:20],
)
def test_labels_and_hits_of_groups_have_the_exact_engines_means(question, policy, target):
    scenario = Scenario(_groups(), question, policy, lw.LearnedPrior(), 16, target=target)
    exact = play_exactly(scenario, list(range(RUNS)), AT)
    fast = play_compiled(scenario, list(range(2_000)), AT)
    for name in ("labels", "hits"):
        one, other = exact[name], fast[name]
        error = np.sqrt(one.var(axis=0) / len(one) + other.var(axis=0) / len(other))
        assert (np.abs(one.mean(axis=0) - other.mean(axis=0)) <= 5 * error + 1e-9).all()


def test_a_schedule_of_fits_changes_little(monkeypatch):
    scenario = Scenario(_groups(), lw.Worst(), lw.Thompson(), lw.LearnedPrior(), 16, target="pool")
    found = []
    for growth in (1.0, REFIT):
        monkeypatch.setattr("labelwise.simulation.compiled.REFIT", growth)
        found.append(play_compiled(scenario, list(range(2_000)), AT)["labels"][:, -1, 1])
    assert stats.ks_2samp(*found).pvalue > 1e-3


def test_a_run_to_the_end_labels_everything_once():
    groups = _groups()
    scenario = Scenario(groups, lw.Worst(), lw.Thompson(), lw.LearnedPrior(), target="pool")
    found = play_compiled(scenario, [1, 2], np.array([70]))
    assert (found["labels"][:, -1] == groups.n_items).all()
    assert (found["hits"][:, -1] == np.bincount(groups.of_item, groups.pool.hits)).all()


def test_what_it_cannot_play_is_refused(refusal):
    scenario = Scenario(_groups(), lw.Compare("0", "1"), lw.Thompson(), lw.LearnedPrior())
    assert refusal(lw.UnanswerableError, play_compiled, scenario, [1], AT) == (
        "The compiled engine cannot simulate Compare of accuracy with thompson. Use the exact engine or another policy."
    )
    scenario = Scenario(_groups(), lw.Worst(), lw.Thompson(), lw.FlatPrior(), target="pool")
    assert refusal(lw.UnanswerableError, play_compiled, scenario, [1], AT) == (
        "The compiled engine cannot simulate Worst of accuracy about the pool with thompson. Use the exact engine or "
        "another policy."
    )
