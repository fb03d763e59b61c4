"""The published search for miscalibration against a loop in plain Python."""

import numpy as np
import pytest

from papers.kernels.online import search_online

pytestmark = pytest.mark.slow  # compiles for seconds; test_compiled.py holds the engine against the exact one

FIRST = np.array([0, 30, 50, 60])
SCORE = np.concatenate([np.linspace(0.5, 0.99, 30), np.linspace(0.3, 0.9, 20), np.full(10, 0.95)])
HIT = np.random.default_rng(1).uniform(size=60) < np.concatenate([SCORE[:30], SCORE[30:50] / 3, SCORE[50:]])
BIN = np.minimum((SCORE * 10).astype(np.int64), 9)
AT = np.array([1, 5, 20, 40, 60])


def _played(is_active, m, n_runs):
    out = np.zeros((n_runs, len(AT), 3))
    search_online(is_active, FIRST, BIN, SCORE, HIT, 10, 2.0, m, AT, np.arange(n_runs, dtype=np.uint64), out)
    return out


def _slow(is_active, m, rng):
    middle = (np.arange(10) + 0.5) / 10
    a, b = np.tile(2 * middle, (3, 1)), np.tile(2 - 2 * middle, (3, 1))
    count, confidence = np.zeros((3, 10)), np.tile(middle, (3, 1))
    items = [rng.permutation(np.arange(FIRST[g], FIRST[g + 1])).tolist() for g in range(3)]
    found, told = [], 0

    def weighed(accuracy):
        n = count.sum(axis=1, keepdims=True)
        weight = np.where(n > 0, count / np.maximum(n, 1), 0.1)
        return (weight * np.abs(accuracy - confidence)).sum(axis=1)

    while any(items):
        value = weighed(rng.beta(a, b)) if is_active else rng.uniform(size=3)
        chosen = [g for g in np.argsort(-value) if items[g]]
        for g in chosen[: m if len(chosen) >= m else 1]:
            i = items[g].pop()
            a[g, BIN[i]] += HIT[i]
            b[g, BIN[i]] += not HIT[i]
            count[g, BIN[i]] += 1
            confidence[g, BIN[i]] += (SCORE[i] - confidence[g, BIN[i]]) / count[g, BIN[i]]
            told += 1
            if told in AT:
                found.append(weighed(a / (a + b)))
    return found


@pytest.mark.parametrize(("is_active", "m"), [(True, 1), (True, 2), (False, 1), (False, 2)])
def test_errors_have_the_means_of_a_plain_loop(is_active, m):
    rng = np.random.default_rng(7)
    fast = _played(is_active, m, 4_000)
    slow = np.array([_slow(is_active, m, rng) for _ in range(400)])
    error = np.sqrt(slow.var(axis=0) / len(slow) + fast.var(axis=0) / len(fast)) + 1e-9
    assert (np.abs(fast.mean(axis=0) - slow.mean(axis=0)) < 4.5 * error).all()
    # all labels leave nothing to chance
    assert np.allclose(fast[:, -1], fast[0, -1])
