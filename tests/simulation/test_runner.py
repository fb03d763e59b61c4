"""The runner: the same whatever the number of jobs, interrupted without loss, and right against the exact engine."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.simulation import Scenario, reciprocal_rank, rmse, runner, simulate


def scenario_of(policy=None, question=None, n=60, **more):
    rng = np.random.default_rng(1)
    predicted = np.arange(n) % 3
    labels = np.where(rng.uniform(size=n) < np.array([0.5, 0.7, 0.9])[predicted], predicted, (predicted + 1) % 3)
    pool = lw.pool_from_arrays(predicted=predicted, labels=labels, confidence=rng.uniform(0.4, 1, n))
    return Scenario(lw.by_prediction(pool), question or lw.Worst(), policy or lw.Thompson(), **more)


def test_results_do_not_depend_on_jobs_and_repeat_with_the_seed():
    scenario, scores = scenario_of(), [rmse, reciprocal_rank()]
    first, again, other = (simulate(scenario, scores, n_runs=37, seed=s, jobs=j) for s, j in ((1, 1), (1, 2), (2, 1)))
    for name in ("rmse", "mrr"):
        assert first.mean[name] == pytest.approx(again.mean[name], abs=1e-12)
    assert not np.array_equal(first.mean["rmse"], other.mean["rmse"])


@pytest.mark.parametrize(
    "policy", [lw.RandomItem(), lw.Thompson(), lw.TopTwo(), lw.EpsilonGreedy()], ids=lambda p: p.name
)
@pytest.mark.parametrize("question", [lw.Worst(), lw.Estimate()], ids=lambda q: type(q).__name__)
def test_both_engines_score_alike(policy, question):
    """Means of 300 and 3,000 runs within 5 standard errors of each other, at three label counts."""
    scenario = scenario_of(policy, question)
    exact = simulate(scenario, [rmse], n_runs=300, at=[5, 20, 40], engine="exact")
    fast = simulate(scenario, [rmse], n_runs=3_000, at=[5, 20, 40])
    gap = np.abs(exact.mean["rmse"] - fast.mean["rmse"])
    assert (gap <= 5 * np.hypot(exact.error["rmse"], fast.error["rmse"])).all()


def test_with_all_labels_the_error_is_that_of_the_prior_alone():
    found = simulate(scenario_of(prior=lw.CustomPrior(1e-9, 1e-9)), [rmse], n_runs=5, at=[60])
    assert found.mean["rmse"] == pytest.approx(0.0, abs=1e-8)
    assert found.error["rmse"] == pytest.approx(0.0, abs=1e-8)


def test_the_frame_is_tidy_and_says_how_many_labels_a_goal_takes():
    found = simulate(scenario_of(), [rmse, reciprocal_rank()], n_runs=50, at=[10, 30, 60])
    rows = found.frame().rows()
    assert len(rows) == 6
    assert set(rows[0]) == {"scenario", "policy", "score", "labels", "share", "mean", "error", "runs"}
    assert found.labels_to_reach("mrr", 0.999) == 60
    assert found.labels_to_reach("mrr", 1.0) is None


def test_an_interruption_keeps_what_is_finished(monkeypatch):
    def impatient(n_done):
        raise KeyboardInterrupt

    found = simulate(scenario_of(), [rmse], n_runs=40, at=[10], step=impatient)
    assert 0 < found.n_runs <= 40


def test_memory_does_not_grow_with_runs(monkeypatch):
    sizes = []
    play = runner._compiled()
    monkeypatch.setattr(runner, "_ENTRIES", 1_000)
    monkeypatch.setattr(
        runner, "_compiled", lambda: lambda s, seeds, at: sizes.append(len(seeds)) or play(s, seeds, at)
    )
    simulate(scenario_of(), [rmse], n_runs=50, at=[10, 20])
    assert max(sizes) * 2 * 6 <= 1_000
    assert sum(sizes) == 50


@pytest.mark.parametrize("at", [[], [5, 5], [70], [-1, 3]])
def test_label_counts_that_make_no_sense_are_refused(refusal, at):
    assert refusal(lw.ArgumentError, simulate, scenario_of(), [rmse], at=at) == (
        "`at` must be label counts that rise from 0 to at most the budget of 60."
    )
