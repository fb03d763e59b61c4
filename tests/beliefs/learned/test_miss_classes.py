"""Where misses go: the evidence, the moments and the draws against direct computation."""

from math import lgamma

import numpy as np
import pytest

import labelwise as lw
from labelwise.beliefs.learned.miss_classes import STRENGTHS, TRUSTS, Misses, miss_evidence, score_shares

SHARES = np.array([[0.6, 0.3, 0.1], [0.05, 0.05, 0.9], [1 / 3, 1 / 3, 1 / 3]])
COUNTS = np.array([[3, 1, 0], [0, 0, 2], [0, 0, 0]])


def test_the_evidence_is_the_probability_of_the_misses_one_after_the_other():
    """Each miss has the probability (pseudo-count + count so far) / (strength + misses so far) of its class."""
    for strength, trust in [(1.0, 0.0), (4.0, 0.5), (8.0, 0.99)]:
        found = miss_evidence(SHARES, COUNTS, np.array([strength]), np.array([trust]))[0]
        direct = 0.0
        for share, count in zip(SHARES, COUNTS, strict=True):
            alpha = strength * (trust * share + (1 - trust) / 3)
            for j in np.repeat(np.arange(3), count):
                direct += np.log(alpha[j] / alpha.sum())
                alpha[j] += 1
        assert found == pytest.approx(direct, abs=1e-12)


def test_weights_are_the_evidence_over_the_whole_grid():
    misses = Misses(SHARES, COUNTS)
    log = []
    for s in STRENGTHS:
        for t in TRUSTS:
            alpha = s * (t * SHARES + (1 - t) / 3)
            rows = sum(lgamma(s) - lgamma(s + n) for n in COUNTS.sum(axis=1))
            cells = zip(alpha.ravel(), COUNTS.ravel(), strict=True)
            log.append(rows + sum(lgamma(a + n) - lgamma(a) for a, n in cells))
    weight = np.exp(np.array(log) - max(log))
    assert np.allclose(misses.weight, weight / weight.sum(), atol=1e-8)


def test_moments_agree_with_draws():
    """200,000 draws; six standard errors allowed."""
    misses = Misses(SHARES, COUNTS)
    rng = np.random.default_rng(1)
    draws = misses.draw(misses.draw_nodes(200_000, rng=rng), rng=rng)
    assert np.allclose(draws.sum(axis=-1), 1)
    weights = np.array([[1.0, -2.0, 5.0]] * 3)
    value = (draws * weights).sum(axis=-1)
    first, square, second = misses.moments_of(weights)
    for found, drawn in [
        (misses.mean(), draws),
        (misses.mean_square(), draws**2),
        (first, value),
        (square, value**2),
        (second, (draws * weights**2).sum(axis=-1)),
    ]:
        error = 6 * drawn.std(axis=0) / np.sqrt(len(drawn))
        assert (np.abs(drawn.mean(axis=0) - found) <= error).all()


def test_trust_follows_what_misses_of_other_rows_say():
    right = Misses(SHARES[:2], np.array([[12, 6, 2], [0, 0, 0]])).mean()[1]
    wrong = Misses(SHARES[:2], np.array([[1, 2, 17], [0, 0, 0]])).mean()[1]
    assert right[2] > 0.7
    assert wrong[2] < 0.6


def test_without_full_scores_misses_are_alike_before_any_label():
    misses = Misses(None, np.zeros((2, 4), np.int64))
    assert np.allclose(misses.mean(), 0.25)
    assert set(misses.trust) == {0.0}


def test_shares_of_a_row_without_items_or_doubt_are_alike():
    scores = [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.2, 0.7, 0.1]]
    groups = lw.by_prediction(lw.pool_from_arrays(scores=scores))
    others = np.array([[1, 2], [0, 2], [0, 1]])
    assert np.allclose(score_shares(groups, others), [[0.5, 0.5], [2 / 3, 1 / 3], [0.5, 0.5]])
    assert score_shares(lw.by_prediction(lw.pool_from_arrays(predicted=[0, 1, 2])), others) is None
