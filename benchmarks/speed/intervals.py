"""Intervals of many Beta distributions, against two inversions a Beta and against scipy.stats."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaincinv
from scipy.stats import beta

import labelwise as lw
from benchmarks.speed.clock import in_turns, medians, verdict

_Floats = NDArray[np.float64]
_N_BETAS = 100_000
_LEVEL = 0.95
_REPEATS = 7


def run(rows: int, folder: Path) -> None:
    """Time both kinds of interval in turns with the limit and the rival."""
    rng = np.random.default_rng(5)
    # groups as an assessment meets them: none to some thousand labels, any accuracy, a flat prior
    labels = np.floor(10 ** rng.uniform(0, 3.5, _N_BETAS)) - 1
    hits = rng.binomial(labels.astype(int), rng.beta(4, 1, _N_BETAS))
    a, b = 1.0 + hits, 1.0 + labels - hits
    tail = (1 - _LEVEL) / 2
    calls = {
        "limit: two betaincinv a Beta": lambda: (betaincinv(a, b, tail), betaincinv(a, b, 1 - tail)),
        "scipy.stats.beta.interval": lambda: beta.interval(_LEVEL, a, b),
        "labelwise, equal-tailed": lambda: lw.beliefs.beta_interval(a, b, _LEVEL),
        "labelwise, highest-density": lambda: lw.beliefs.beta_interval(a, b, _LEVEL, "highest-density"),
    }
    times, results = in_turns(calls, _REPEATS)
    middle = medians(times)
    limit, rival, equal, dense = middle.values()
    print(f"{_N_BETAS:,} Betas, level {_LEVEL}; median of {_REPEATS}, in turns")
    for name, seconds in middle.items():
        print(f"{name:<32} {seconds:8.3f} s  {seconds / limit:6.2f} x limit  {seconds / rival:6.2f} x scipy.stats")
    theirs, ours = results["scipy.stats.beta.interval"], results["labelwise, equal-tailed"]
    print(f"largest difference from scipy.stats, equal-tailed: {np.abs(np.subtract(theirs, ours)).max():.1e}")
    low, high = results["labelwise, highest-density"]
    print(f"largest error of the mass inside, highest-density: {_mass_error(a, b, low, high):.1e}")
    # both goals are our own: an interval should cost about what its two numbers cost
    verdict("equal-tailed at most 1.2 times the limit", equal / limit, at_most=1.2)
    verdict("highest-density at most 2 times the limit", dense / limit, at_most=2)


def _mass_error(a: _Floats, b: _Floats, low: _Floats, high: _Floats) -> float:
    return float(np.abs(betainc(a, b, high) - betainc(a, b, low) - _LEVEL).max())
