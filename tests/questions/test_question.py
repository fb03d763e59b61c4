"""The contract, over every question and every metric it can be asked about."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.testing.worlds import small_pool

METRICS = [
    lw.accuracy, lw.calibration_bias, lw.metrics.ECE(bins=4), lw.metrics.MCE(bins=4), lw.recall, lw.f1,
    lw.ExpectedCost([[0, 1, 5], [2, 0, 1], [9, 3, 0]]), lw.metrics.Recall(positive=1), lw.balanced_accuracy,
    lw.metrics.Lead("rival"),
]  # fmt: skip
QUESTIONS = [lw.Estimate, lw.Worst, lw.Best, lambda metric: lw.Compare("north", "south", metric=metric)]


@pytest.mark.parametrize("make", QUESTIONS, ids=["estimate", "worst", "best", "compare"])
@pytest.mark.parametrize("metric", METRICS, ids=lambda m: m.name)
def test_every_question_about_every_metric_has_gains_and_an_answer_or_a_refusal(metric, make):
    question = make(metric)
    pool = small_pool()
    by_class = getattr(metric, "positive", 0) is None and metric.average is None
    groups = lw.by_prediction(pool) if by_class else lw.by_column(pool, "site")
    if by_class and isinstance(question, lw.Compare):
        with pytest.raises(lw.NotFoundError):
            question.start(groups)
        return
    belief = question.start(groups).update(np.arange(20), np.arange(20) % 3)
    rng = np.random.default_rng(1)
    for gains in (question.gains(belief, rng=rng), question.mean_gains(belief), question.upper_gains(belief, 0.9)):
        assert gains.shape == (groups.n_groups,)
        assert not np.isnan(gains[question.asked(groups)]).any()
    answer = question.answer(belief, n_draws=200, rng=rng)
    assert answer.sentence
    assert answer.probability is None or 0 <= answer.probability <= 1
    assert len(answer.posterior.names) >= 2
