"""Draws that matter only if they go beyond the best one so far: most groups are settled without being drawn.

Each draw has the law that it would have without the short cut, wherever it goes beyond.
"""

from __future__ import annotations

import math

from labelwise.simulation.kernels.compiler import compiled, inlined
from labelwise.simulation.kernels.generator import State, binomial, uniform

SHORT = 100
"""Of a row of chances that is summed up rather than drawn from."""
_LOWEST = -600.0  # of a logarithm whose number is not 0


@inlined
def distance(mean: float, goal: float, looks_low: bool) -> float:
    """Give a lower bound of KL(mean, goal) = mean log(mean / goal) + ...; 0 if the goal lies on the wanted side.

    (mean - goal)^2 / (2 v), v the largest x (1 - x) between the two.
    """
    away = mean - goal if looks_low else goal - mean
    if away <= 0:
        return 0.0
    low, high = (goal, mean) if looks_low else (mean, goal)
    most = low * (1 - low) if low >= 0.5 else high * (1 - high) if high <= 0.5 else 0.25
    return 0.5 * away * away / max(most, 1e-300)


@compiled
def _from_below(n: int, p: float, u: float) -> int:
    """Give the binomial number whose cumulative probability first reaches u."""
    chance, k, odds = math.exp(n * math.log1p(-p)), 0, p / (1 - p)
    while u > chance and k < n:
        u -= chance
        k += 1
        chance *= odds * (n - k + 1) / k
    return k


@inlined
def hits_beyond(left: int, theta: float, wanted: float, looks_low: bool, state: State) -> tuple[int, bool, State]:
    """Draw the hits among the items left, or say that they do not go beyond what is wanted.

    P(beyond) <= exp(-left KL(wanted, theta)): a uniform number above it settles it, and one below is turned into hits
    from the wanted end, so that the law is the binomial's.
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
    """Give the Beta-binomial number whose cumulative probability first reaches u, or -1 if it lies above `most`."""
    log = math.lgamma(b + left) - math.lgamma(b) + math.lgamma(a + b) - math.lgamma(a + b + left)
    k = 0
    while log < _LOWEST and k < most and k < left:  # a chance that is too small to be added, or to be known
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
    """Draw the hits among the items left of a group that is hardly wanted, or say that they do not go beyond `most`.

    P(beyond) <= exp(-far), so that one uniform number settles most groups without a draw of their accuracy.
    """
    u, state = uniform(state)
    if u >= math.exp(-far):
        return 0, False, state
    found = hits_up_to(left, a if looks_low else b, b if looks_low else a, u, most)
    return (found if looks_low else left - found), found >= 0, state
