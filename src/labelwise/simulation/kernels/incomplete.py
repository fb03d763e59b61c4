"""The incomplete beta function, its inverse and the normal quantile, compiled; nothing about policies or pools."""

from __future__ import annotations

import math

from labelwise.simulation.kernels.compiler import compiled, inlined

_EPSILON = 1e-15
_LARGEST = 1e100  # beyond it, numerators and denominators are scaled down
_LARGE = 10.0  # from here on Stirling's series has all its digits


@inlined
def _stirling(z: float) -> float:
    """Return log Gamma(z) less its leading part (z - 1/2) log z - z + log(2 pi)/2."""
    w = 1 / (z * z)
    return (1 / 12 - w * (1 / 360 - w * (1 / 1260 - w * (1 / 1680 - w / 1188)))) / z


@compiled
def log_beta(a: float, b: float) -> float:
    """Return log B(a, b) without the loss that large log-gammas bring when they cancel."""
    small, large = min(a, b), max(a, b)
    if large < _LARGE:
        return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    total = a + b
    change = _stirling(large) - _stirling(total)
    if small < _LARGE:
        return math.lgamma(small) - (large - 0.5) * math.log1p(small / large) - small * math.log(total) + small + change
    part = -(large - 0.5) * math.log1p(small / large) - (small - 0.5) * math.log(total / small)
    return part - 0.5 * math.log(total) + 0.5 * math.log(2 * math.pi) + _stirling(small) + change


@compiled
def front(a: float, b: float, x: float, y: float) -> float:
    """Return x^a y^b / B(a, b), y = 1 - x: x (1 - x) times the density."""
    if x <= 0 or y <= 0:
        return 0.0
    if min(a, b) < _LARGE:
        return math.exp(a * math.log(x) + b * math.log(y) - log_beta(a, b))
    # near the mode the logarithms cancel: take the ratio to the mode (DiDonato and Morris, 1992)
    total = a + b
    gap = a - total * x if x <= y else total * y - b
    e, f = -gap / a, gap / b
    u = e - math.log1p(e) if abs(e) < 0.6 else e - math.log(x * total / a)
    v = f - math.log1p(f) if abs(f) < 0.6 else f - math.log(y * total / b)
    correction = _stirling(a) + _stirling(b) - _stirling(total)
    return math.sqrt(a * (b / total) / (2 * math.pi)) * math.exp(-(a * u + b * v) - correction)


@compiled
def fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of the incomplete beta function; quick for x below (a + 1)/(a + b + 2).

    By the recurrence of numerators and denominators: one quotient a round, and none that waits for another.
    """
    total, up, down = a + b, a + 1, a - 1
    above, under = 1.0, 1.0
    next_above, next_under = 1.0, 1 - total * x / up
    for m in range(1, 100_000):
        twice = 2 * m
        part = x / ((down + twice) * (a + twice) * (up + twice))
        step = m * (b - m) * (up + twice) * part
        above, under = next_above + step * above, next_under + step * under
        step = -(a + m) * (total + m) * (down + twice) * part
        next_above, next_under = above + step * next_above, under + step * next_under
        across = above * next_under
        if abs(next_above * under - across) <= _EPSILON * abs(across):
            break
        size = abs(next_under)
        if size > _LARGEST or 0 < size < 1 / _LARGEST:
            above, under, next_above, next_under = above / size, under / size, next_above / size, next_under / size
    return next_above / next_under


@inlined
def chance_of(a: float, b: float, x: float, y: float, ahead: float) -> float:
    """Return P(X <= x) for X ~ Beta(a, b) if `front(a, b, x, y)` is known to be `ahead`."""
    if x * (a + b + 2) <= a + 1:
        return min(1.0, ahead * fraction(a, b, x) / a)
    return max(0.0, 1 - ahead * fraction(b, a, y) / b)


@compiled
def chance_below(a: float, b: float, x: float, y: float) -> float:
    """Return P(X <= x) for X ~ Beta(a, b), y = 1 - x; exact in x near 0 and in y near 0."""
    if x <= 0:
        return 0.0
    if y <= 0:
        return 1.0
    return chance_of(a, b, x, y, front(a, b, x, y))


@compiled
def incomplete(a: float, b: float, x: float) -> float:
    """Return the regularised incomplete beta function I_x(a, b)."""
    return chance_below(a, b, x, 1 - x)


@compiled
def _log_root(a: float, b: float, p: float, end: float) -> float:
    """Return x below `end` with I_x(a, b) = p, by Newton's rule for log I as a function of log x, which is concave."""
    log_p = math.log(p)
    lowest, highest = -1e308, math.log(end)
    at = min(highest, (log_p + math.log(a) + log_beta(a, b)) / a)  # the leading term near 0
    for _ in range(100):
        if at < -744:
            return 0.0
        x = math.exp(at)
        ahead = front(a, b, x, 1 - x)
        value = chance_of(a, b, x, 1 - x, ahead)
        if value <= 0:
            lowest, at = at, 0.5 * (at + highest)
            continue
        gap = math.log(value) - log_p
        if gap > 0:
            highest = at
        else:
            lowest = at
        step = gap * value * (1 - x) / ahead
        at = at - step
        if not lowest <= at <= highest:
            at = 0.5 * (max(lowest, highest - 1e3) + highest)
        elif abs(step) < 1e-12:
            break
    return math.exp(at)


@compiled
def quantile(a: float, b: float, p: float, q: float) -> float:
    """Return x with P(X <= x) = p for X ~ Beta(a, b), q = 1 - p; the smaller of p and q decides."""
    if p <= 0:
        return 0.0
    if q <= 0:
        return 1.0
    mean = a / (a + b)
    middle = chance_below(a, b, mean, b / (a + b))
    if (p <= middle) if p <= q else (q >= 1 - middle):
        return _log_root(a, b, p, mean)
    return 1 - _log_root(b, a, q, b / (a + b))


@compiled
def inverse(a: float, b: float, p: float) -> float:
    """Return x with I_x(a, b) = p."""
    return quantile(a, b, p, 1 - p)


@compiled
def normal_quantile(p: float) -> float:
    """Return the quantile of the standard normal distribution: Acklam's function and one step of Halley's rule."""
    if p <= 0:
        return -math.inf
    if p >= 1:
        return math.inf
    tail = min(p, 1 - p)
    if tail < 0.02425:
        r = math.sqrt(-2 * math.log(tail))
        above = ((-7.784894002430293e-3 * r - 3.223964580411365e-1) * r - 2.400758277161838) * r - 2.549732539343734
        above = (above * r + 4.374664141464968) * r + 2.938163982698783
        under = ((7.784695709041462e-3 * r + 3.224671290700398e-1) * r + 2.445134137142996) * r + 3.754408661907416
        x = above / (under * r + 1)
        x = x if p < 0.5 else -x
    else:
        r = p - 0.5
        s = r * r
        above = ((-3.969683028665376e1 * s + 2.209460984245205e2) * s - 2.759285104469687e2) * s + 1.383577518672690e2
        above = (above * s - 3.066479806614716e1) * s + 2.506628277459239
        under = ((-5.447609879822406e1 * s + 1.615858368580409e2) * s - 1.556989798598866e2) * s + 6.680131188771972e1
        x = above * r / (((under * s) - 1.328068155288572e1) * s + 1)
    # from the tail's own side, where the difference keeps its digits
    side = -1.0 if p > 0.5 else 1.0
    error = side * (0.5 * math.erfc(-side * x / math.sqrt(2)) - tail)
    u = error * math.sqrt(2 * math.pi) * math.exp(0.5 * x * x)
    return x - u / (1 + 0.5 * x * u)
