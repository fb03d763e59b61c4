"""Draws from a Beta that is known to lie on one side of a threshold, exact however unlikely the side is."""

from __future__ import annotations

import math

from labelwise.simulation.kernels.compiler import compiled
from labelwise.simulation.kernels.generator import State, beta, exponential, uniform
from labelwise.simulation.kernels.incomplete import chance_below, quantile

_LIKELY = 0.3  # from this chance on, drawing until it fits is quicker
_TRIES = 60
_NEAR = 1e-8  # nearer to 0 than this, 1 - (1 - x) has lost digits that order draws


@compiled
def draw_below(a: float, b: float, t: float, rest: float, chance: float, state: State) -> tuple[float, State]:
    """Draw X ~ Beta(a, b) given X < t, rest = 1 - t, chance = P(X < t).

    By rejection; after many refusals by the quantile, which keeps the law: whether a try is refused says nothing about
    the next one. A certain event (chance 1) is for the caller to draw without condition.
    """
    if chance >= _LIKELY:
        for _ in range(_TRIES):
            x, state = beta(a, b, state)
            if x < t:
                return x, state
    else:
        slope = (a - 1) / t - (b - 1) / rest  # of the log density at t
        is_tangent = a >= 1 and b >= 1 and slope * t > 2
        for _ in range(_TRIES):
            e, state = exponential(state)
            if is_tangent:  # a log-concave density lies below its tangent
                x = t - e / slope
                if x <= 0:
                    continue
                allowed = (a - 1) * math.log(x / t) + (b - 1) * math.log((1 - x) / rest) + slope * (t - x)
            else:  # the density of t U^(1/a), and the other factor by its largest value
                x = t * math.exp(-e / a)
                allowed = (b - 1) * (math.log1p(-x) - (math.log(rest) if b < 1 else 0.0))
            e, state = exponential(state)
            if -e <= allowed:
                return x, state
    u, state = uniform(state)
    return min(t, quantile(a, b, u * chance, 1 - u * chance)), state


@compiled
def draw_above(a: float, b: float, t: float, rest: float, chance: float, state: State) -> tuple[float, State]:
    """Draw X ~ Beta(a, b) given X > t, rest = 1 - t, chance = P(X > t)."""
    if chance >= _LIKELY:
        for _ in range(_TRIES):
            x, state = beta(a, b, state)
            if x > t:
                return x, state
    elif t > _NEAR:
        x, state = draw_below(b, a, rest, t, chance, state)
        return 1 - x, state
    u, state = uniform(state)
    return max(t, quantile(a, b, 1 - u * chance, u * chance)), state


@compiled
def draw_between(a: float, b: float, low: float, high: float, chance: float, state: State) -> tuple[float, State]:
    """Draw X ~ Beta(a, b) given low < X < high, chance = P(low < X < high); certain events are drawn as they are."""
    if low <= 0 and high >= 1:
        return beta(a, b, state)
    if chance >= _LIKELY:
        for _ in range(_TRIES):
            x, state = beta(a, b, state)
            # an end of the unit interval is no bound: tiny shapes put draws on it
            if (x > low or low <= 0) and (x < high or high >= 1):
                return x, state
    elif low <= 0:
        return draw_below(a, b, high, 1 - high, chance, state)
    elif high >= 1:
        return draw_above(a, b, low, 1 - low, chance, state)
    else:
        # uniform between the ends, the density held against its largest value there
        top = low if (a - 1) * (1 - low) < (b - 1) * low else high
        if a > 1 and b > 1:
            top = min(high, max(low, (a - 1) / (a + b - 2)))
        elif a < 1 and b < 1:
            top = low if (a - 1) * math.log(low / high) > (b - 1) * math.log((1 - high) / (1 - low)) else high
        for _ in range(_TRIES):
            u, state = uniform(state)
            x = low + u * (high - low)
            e, state = exponential(state)
            if -e <= (a - 1) * math.log(x / top) + (b - 1) * math.log((1 - x) / (1 - top)):
                return x, state
    u, state = uniform(state)
    below, above = chance_below(a, b, low, 1 - low), chance_below(b, a, 1 - high, high)
    inside = max(0.0, 1 - below - above) if chance >= _LIKELY else chance
    x = quantile(a, b, below + u * inside, above + (1 - u) * inside)
    return min(high, max(low, x)), state
