"""Set-ups: defaults, refusals, and the way through a journal."""

import json

import numpy as np
import pytest

import labelwise as lw
from labelwise.testing.worlds import small_pool

COST = [[0, 1, 5], [2, 0, 1], [9, 3, 0]]


def through_data(setup):
    pieces = {str(i): piece for i, piece in enumerate(setup.pieces())}
    data = json.loads(json.dumps(setup.to_data(setup.start(), list(pieces))))
    return lw.Setup.of_data(data, pieces.__getitem__), data


@pytest.mark.parametrize(
    ("question", "policy", "stop"),
    [
        (lw.Worst(), "prove", lw.Guaranteed(0.95)),
        (lw.Worst(m=2), "prove", lw.Guaranteed(0.95)),
        (lw.Worst(lw.recall), "prove", lw.Sure(0.95)),
        (lw.Estimate(), "thompson", lw.Width(0.1, is_guaranteed=True)),
        (lw.Overall(), "thompson", lw.Width(0.05, "overall")),
    ],
)
def test_what_is_not_said_follows_from_the_question(question, policy, stop):
    setup = lw.Setup(lw.by_prediction(small_pool()), question, seed=1)
    assert (setup.policy.name, setup.stop) == (policy, stop)


@pytest.mark.parametrize(
    ("groups", "question", "prior"),
    [
        (lambda p: lw.by_prediction(p), lw.Worst(lw.accuracy), None),
        (lambda p: lw.by_column(p, "site"), lw.Compare("north", "south"), lw.InformedPrior(3)),
        (lambda p: lw.crossed(lw.by_column(p, "site"), lw.by_prediction(p)), lw.Estimate(lw.metrics.ECE(bins=3)), None),
        (lambda p: lw.by_score(p, 4), lw.Estimate(lw.calibration_bias), lw.CustomPrior([1, 2, 3, 4], 1)),
        (lambda p: lw.by_prediction(p), lw.Worst(lw.ExpectedCost(COST)), lw.InformedPrior()),
        (lambda p: lw.everything(p), lw.Versus("rival"), None),
    ],
)
def test_a_set_up_read_back_starts_from_the_same_belief_and_asks_the_same(groups, question, prior):
    setup = lw.Setup(groups(small_pool()), question, seed=5, prior=prior, show=["site"], target="pool", level=0.9)
    found, data = through_data(setup)
    assert np.array_equal(found.start().mean(), setup.start().mean())
    assert (found.groups.names, found.groups.rule) == (setup.groups.names, setup.groups.rule)
    assert (found.target, found.level, found.seed, found.show) == ("pool", 0.9, 5, ("site",))
    assert found.to_data(found.start()) | {"pool": 0} == data | {"pool": 0}
    one, other = (lw.Assessment.of(s, clock=lambda: 0.0) for s in (setup, found))
    assert one.ask(10) == other.ask(10)


def test_scores_are_kept_only_where_the_question_reads_them():
    groups = lw.by_prediction(small_pool())
    without, _ = through_data(lw.Setup(groups, lw.Worst(lw.accuracy), seed=1, prior=lw.InformedPrior()))
    having, _ = through_data(lw.Setup(groups, lw.Worst(lw.recall), seed=1, prior=lw.InformedPrior()))
    assert without.pool.scores is None
    assert having.pool.scores is not None


def test_only_columns_that_are_shown_or_read_are_kept():
    found, _ = through_data(lw.Setup(lw.by_column(small_pool(), "site"), lw.Worst(), seed=1))
    assert dict(found.pool.columns) == {}
    assert found.groups.names == ("north", "south")


def test_what_a_former_assessment_taught_is_kept_as_numbers():
    former = lw.beliefs.BetaBelief.from_counts(hits=[8, 4], labels=[10, 4], names=["north", "south"])
    groups = lw.by_column(small_pool(), "site")
    setup = lw.Setup(groups, lw.Worst(), seed=1, prior=lw.CarriedPrior(former, 0.5))
    found, _ = through_data(setup)
    assert np.array_equal(found.start().a, setup.start().a)


@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [
        ({"seed": -1}, lw.ArgumentError, "`seed` must be a whole number of at least 0, but is -1."),
        ({"seed": 1, "lease": 0}, lw.ArgumentError, "`lease` must be a number above 0, but is 0."),
        ({"seed": 1, "level": 1.0}, lw.ArgumentError, "`level` must lie between 0 and 1, but is 1.0."),
        ({"seed": 1, "show": ["sight"]}, lw.NotFoundError,
         "The pool keeps no column 'sight' to show. Did you mean 'site'?"),
    ],
)  # fmt: skip
def test_options_that_make_no_sense_are_refused(refusal, options, error, sentence):
    assert refusal(error, lw.Setup, lw.by_prediction(small_pool()), lw.Worst(), **options) == sentence
