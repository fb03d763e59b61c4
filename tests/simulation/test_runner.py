"""The runner: the same whatever the number of jobs, interrupted without loss, and right against the exact engine."""

import sys
import time
from concurrent.futures import CancelledError

import numpy as np
import pytest

import labelwise as lw
from labelwise.simulation import Scenario, reciprocal_rank, rmse, runner, simulate
from labelwise.simulation.exact import play_exactly
from strength import sized


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
    "policy", [lw.RandomItem(), lw.Thompson(), lw.TopTwo(), lw.policies.EpsilonGreedy()], ids=lambda p: p.name
)
@pytest.mark.parametrize("question", [lw.Worst(), lw.Estimate()], ids=lambda q: type(q).__name__)
def test_both_engines_score_alike(policy, question):
    """Means of 150 (25 in `make test`) and 3,000 runs within 5 standard errors of each other, at three label counts."""
    scenario = scenario_of(policy, question)
    exact = simulate(scenario, [rmse], n_runs=sized(full=150, quick=25), at=[5, 20, 40], engine="exact")
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
    assert list(rows[0]) == ["scenario", "question", "policy", "prior", "score", "labels", "share", "mean", "error",
                             "runs"]  # fmt: skip
    assert {(row["question"], row["policy"], row["prior"]) for row in rows} == {
        ("Which group is the worst in accuracy?", "thompson", "flat")
    }
    assert found.labels_to_reach("mrr", 0.999) == 60
    assert found.labels_to_reach("mrr", 1.0) is None


def test_an_interruption_keeps_what_is_finished_and_says_so():
    def impatient(n_done):
        raise KeyboardInterrupt

    whole = simulate(scenario_of(), [rmse], n_runs=40, at=[10])
    assert (whole.n_runs, whole.was_interrupted) == (40, False)
    found = simulate(scenario_of(), [rmse], n_runs=40, at=[10], step=impatient)
    assert found.was_interrupted
    assert 0 < found.n_runs < 40
    assert np.isfinite(found.mean["rmse"]).all()


def test_an_interruption_does_not_wait_for_a_long_run_of_the_exact_engine(monkeypatch):
    asked = []

    def play(scenario, seeds, at, *, is_halted):
        if asked:  # the first run is quick, the others go on until they are halted
            while not is_halted():
                time.sleep(0.001)
            raise CancelledError
        asked.append(None)
        return play_exactly(scenario, seeds, at)

    def impatient(n_done):
        raise KeyboardInterrupt

    monkeypatch.setattr(runner, "play_exactly", play)
    found = simulate(scenario_of(), [rmse], n_runs=5, at=[10], engine="exact", step=impatient)
    assert (found.n_runs, found.was_interrupted) == (1, True)


def test_an_interruption_before_any_run_is_finished_is_passed_on(monkeypatch):
    def play(scenario, seeds, at, *, is_halted):
        raise KeyboardInterrupt

    monkeypatch.setattr(runner, "play_exactly", play)
    with pytest.raises(KeyboardInterrupt):
        simulate(scenario_of(), [rmse], n_runs=5, at=[10], engine="exact")


@pytest.mark.parametrize("engine", ["compiled", "exact"])
def test_what_cannot_be_scored_is_refused_before_anything_is_played(monkeypatch, refusal, engine):
    def play(*_, **__):
        raise AssertionError("played")

    monkeypatch.setattr(runner, "play_exactly", play)
    monkeypatch.setattr(runner, "_compiled", lambda: play)
    scenario = scenario_of(question=lw.Estimate(lw.recall), policy=lw.RandomItem())
    assert refusal(lw.UnanswerableError, simulate, scenario, [rmse], engine=engine) == (
        "Simulations cannot score recall, which has no closed-form mean; use accuracy, bias, ECE or cost."
    )


def test_a_long_run_is_a_chunk_of_its_own(monkeypatch):
    monkeypatch.setattr(runner, "_LABELS", 130)
    done = []
    simulate(scenario_of(), [rmse], n_runs=10, at=[10], step=done.append)
    assert done == [2, 4, 6, 8, 10]  # 60 labels per run


def test_without_the_compiler_it_says_how_to_get_it(monkeypatch, refusal):
    monkeypatch.setitem(sys.modules, "labelwise.simulation.compiled", None)
    sentence = refusal(lw.ArgumentError, simulate, scenario_of(), [rmse])
    assert sentence.startswith("The compiled engine requires numba (")
    assert sentence.endswith("). Install it with `pip install 'labelwise[simulate]'`, or use the exact engine.")
    assert simulate(scenario_of(), [rmse], n_runs=1, at=[2], engine="exact").n_runs == 1


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
        "`at` must be increasing label counts between 0 and the budget of 60."
    )
