"""Draws that matter only if they exceed the best one so far: most groups are rejected without being drawn.

Restricted to the region beyond the best one, each draw has the same law as without the shortcut.
"""

from __future__ import annotations

import math

from labelwise.simulation.kernels.compiler import compiled, inlined
from labelwise.simulation.kernels.generator import State, binomial, uniform

SHORT = 100
"""Maximum number of Beta-binomial terms summed by inversion; beyond it, drawing is faster."""
_LOWEST = -600.0  # exp of anything lower may underflow to 0


@inlined
def distance(mean: float, goal: float, looks_low: bool) -> float:
    """Return a lower bound of KL(mean, goal) for two Bernoulli means; 0 if the goal lies on the wanted side.

    The bound is (mean - goal)^2 / (2 v), with v = max x (1 - x) over x between the two.
    """
    away = mean - goal if looks_low else goal - mean
    if away <= 0:
        return 0.0
    low, high = (goal, mean) if looks_low else (mean, goal)
    most = low * (1 - low) if low >= 0.5 else high * (1 - high) if high <= 0.5 else 0.25
    return 0.5 * away * away / max(most, 1e-300)


@compiled
def _from_below(n: int, p: float, u: float) -> int:
    """Return the binomial quantile of u, by summing from 0 hits."""
    chance, k, odds = math.exp(n * math.log1p(-p)), 0, p / (1 - p)
    while u > chance and k < n:
        u -= chance
        k += 1
        chance *= odds * (n - k + 1) / k
    return k


@inlined
def hits_beyond(left: int, theta: float, wanted: float, looks_low: bool, state: State) -> tuple[int, bool, State]:
    """Draw the hits among the items left, and return whether they may be beyond `wanted`.

    P(beyond) <= exp(-left KL(wanted, theta)) by Chernoff's bound: a uniform number above the bound rejects, and one
    below it is inverted from the wanted end, so that the law is binomial.
    """
    far = left * distance(theta, wanted, looks_low)
    chance = theta if looks_low else 1 - theta
    if far < 1 or chance >= 1 or left * math.log1p(-chance) < _LOWEST:
        more, state = binomial(left, theta, state)
        return more, True, state
    u, state = uniform(state)
    if u >= math.exp(-far):
        return 0, False, state
    found = _from_below(left, chance, u)
    return (found if looks_low else left - found), True, state


@compiled
def hits_up_to(left: int, a: float, b: float, u: float, most: float) -> int:
    """Return the Beta-binomial quantile of u, or -1 if it is above `most`."""
    log = math.lgamma(b + left) - math.lgamma(b) + math.lgamma(a + b) - math.lgamma(a + b + left)
    k = 0
    while log < _LOWEST and k < most and k < left:  # the term underflows and adds nothing
        log += math.log((left - k) * (a + k) / ((k + 1) * (b + left - k - 1)))
        k += 1
    chance = math.exp(log)
    while k <= most:
        if u <= chance or k == left:
            return k
        u -= chance
        chance *= (left - k) * (a + k) / ((k + 1) * (b + left - k - 1))
        k += 1
    return -1


@inlined
def hits_far_off(
    left: int, a: float, b: float, far: float, most: float, looks_low: bool, state: State
) -> tuple[int, bool, State]:
    """Draw the hits among the items left of a group unlikely to lead, and return whether they are beyond `most`.

    P(beyond) <= exp(-far), so one uniform number rejects most groups without drawing their accuracy.
    """
    u, state = uniform(state)
    if u >= math.exp(-far):
        return 0, False, state
    found = hits_up_to(left, a if looks_low else b, b if looks_low else a, u, most)
    return (found if looks_low else left - found), found >= 0, state
