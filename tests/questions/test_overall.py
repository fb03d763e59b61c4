"""Overall: the gain is the expected drop of the whole's variance, checked by trying both labels."""

import numpy as np
import pytest

import labelwise as lw
from labelwise.assessment import Setup, Width


def _groups():
    rng = np.random.default_rng(2)
    predicted = np.repeat([0, 1, 2], [30, 20, 10])
    return lw.by_prediction(lw.pool_from_arrays(predicted=predicted, confidence=rng.beta(7, 2, 60)))


@pytest.mark.parametrize("target", ["population", "pool"])
def test_the_gain_from_independent_groups_is_exact(target):
    groups = _groups()
    question = lw.Overall()
    belief = question.start(groups, lw.InformedPrior()).add([3, 1, 0], [5, 4, 0])
    gains = question.mean_gains(belief, target=target)
    for g, chance in enumerate(belief.mean()):
        one = np.eye(3, dtype=int)[g]
        after = [belief.add(hit * one, one).variance_of(groups.share, target=target) for hit in (1, 0)]
        drop = belief.variance_of(groups.share, target=target) - chance * after[0] - (1 - chance) * after[1]
        assert gains[g] == pytest.approx(drop, rel=1e-9)


@pytest.mark.parametrize("target", ["population", "pool"])
def test_the_gain_from_groups_that_share_a_map_counts_what_it_tells_of_the_others(target):
    groups = _groups()
    question = lw.Overall()
    belief = question.start(groups, lw.LearnedPrior()).add([3, 1, 0], [5, 4, 0])
    gains = question.mean_gains(belief, target=target)
    share = groups.share
    for g, chance in enumerate(belief.mean()):
        one = np.eye(3, dtype=int)[g]
        steps = [belief.add(hit * one, one).mean(target=target) @ share for hit in (1, 0)]
        before = belief.mean(target=target) @ share
        moved = chance * (steps[0] - before) ** 2 + (1 - chance) * (steps[1] - before) ** 2
        # the variance of the mean after a label is the expected drop. Its nodes are laid anew: five percent; a label
        # that comes as a count is worth less about the pool than one whose item is known: another five
        assert gains[g] == pytest.approx(moved, rel=0.05 if target == "population" else 0.1)


def test_bins_that_are_sure_are_hardly_asked():
    confidence = np.repeat([0.55, 0.999], 500)
    pool = lw.pool_from_arrays(predicted=np.arange(1000) % 2, confidence=confidence)
    belief = lw.Overall().start(lw.by_score(pool, 2, equal="mass"), lw.LearnedPrior()).add([55, 50], [100, 50])
    gains = lw.Overall().mean_gains(belief, target="pool")
    assert gains[0] > 5 * gains[1]


def test_the_answer_is_about_the_whole():
    groups = _groups()
    belief = lw.Overall().start(groups, lw.LearnedPrior()).add([20, 10, 4], [25, 16, 8])
    answer = lw.Overall().answer(belief, target="pool", rng=np.random.default_rng(1))
    low, high = answer.overall.low[0], answer.overall.high[0]
    assert answer.sentence == (
        f"accuracy of all 60 items is {answer.overall.mean[0]:.3f}, 95% interval {low:.3f} to {high:.3f}"
    )
    assert 34 / 60 <= low < high <= 45 / 60 + 1e-12  # 34 hits and 15 misses are known
    assert len(answer.posterior.mean) == 3
    elsewhere = lw.Overall().answer(belief, rng=np.random.default_rng(1))
    assert elsewhere.sentence.startswith("accuracy of new items is ")


def test_a_metric_that_is_no_mean_of_hits_is_refused(refusal):
    assert refusal(lw.UnanswerableError, lw.Overall(lw.ece).start, _groups()) == (
        "The ece of all items together cannot be asked for alone. Ask to estimate it, and stop by the overall interval."
    )


def test_it_stops_by_the_interval_of_the_whole():
    assert Setup(_groups(), lw.Overall(), seed=1).stop == Width(0.05, "overall")
