"""Random numbers for compiled code: a generator whose state is four numbers that stay in registers.

A function takes the state last and gives a new state back beside its draw: no array, nothing hidden, a stream a seed.

References
----------
Blackman, Vigna (2021), xoshiro256++; Marsaglia, Tsang (2000), the ziggurat and a simple gamma generator.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelwise.simulation.kernels.compiler import compiled, inlined

Word = Any
"""A whole number of the compiled code: 64 bits, with or without a sign."""
State = tuple[Word, Word, Word, Word]
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1, _MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_U8, _U11, _U12, _U17, _U19, _U23 = (np.uint64(n) for n in (8, 11, 12, 17, 19, 23))
_U27, _U30, _U31, _U32, _U41, _U45 = (np.uint64(n) for n in (27, 30, 31, 32, 41, 45))
_BYTE, _SIGN, _LOW_32 = np.uint64(0xFF), np.uint64(0x100), np.uint64(0xFFFFFFFF)
_TO_UNIT = 2.0**-53
_RIGHT = 3.6541528853610087963519472518  # where the tail of the 256 layers begins


def _layers() -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Bounds, widths and heights of 256 layers of equal area under exp(-x^2 / 2)."""
    tail = math.sqrt(math.pi / 2) * math.erfc(_RIGHT / math.sqrt(2))
    area = _RIGHT * math.exp(-0.5 * _RIGHT**2) + tail
    bound, width, height = np.zeros(256, np.int64), np.zeros(256), np.ones(256)
    edge = last = _RIGHT
    base = area / math.exp(-0.5 * edge**2)
    bound[0], width[0] = int(edge / base * 2.0**52), base / 2.0**52
    width[255], height[255] = edge / 2.0**52, math.exp(-0.5 * edge**2)
    for i in range(254, 0, -1):
        edge = math.sqrt(-2 * math.log(area / edge + math.exp(-0.5 * edge**2)))
        bound[i + 1] = int(edge / last * 2.0**52)
        last, width[i], height[i] = edge, edge / 2.0**52, math.exp(-0.5 * edge**2)
    return bound, width, height


_BOUND, _WIDTH, _HEIGHT = _layers()
_TABLE = 256
_INVERSE = 1 / np.maximum(np.arange(float(_TABLE)), 1.0)  # a product is quicker than a quotient
_FEW = 30.0  # mean of a binomial from which its normal approximation serves


@inlined
def mixed(x: Word) -> tuple[Word, Word]:
    """Return one output of splitmix64, and its next state."""
    x = x + _GOLDEN
    z = (x ^ (x >> _U30)) * _MIX_1
    z = (z ^ (z >> _U27)) * _MIX_2
    return z ^ (z >> _U31), x


@compiled
def seeded(seed: Word) -> State:
    """Return the state that a 64-bit seed stands for."""
    x: Word = np.uint64(seed)
    s0, x = mixed(x)
    s1, x = mixed(x)
    s2, x = mixed(x)
    s3, x = mixed(x)
    return s0, s1, s2, s3


@inlined
def bits(state: State) -> tuple[Word, State]:
    """Draw 64 bits."""
    s0, s1, s2, s3 = state
    total = s0 + s3
    result = ((total << _U23) | (total >> _U41)) + s0
    shifted = s1 << _U17
    s2 = s2 ^ s0
    s3 = s3 ^ s1
    s1 = s1 ^ s2
    s0 = s0 ^ s3
    s2 = s2 ^ shifted
    s3 = (s3 << _U45) | (s3 >> _U19)
    return result, (s0, s1, s2, s3)


@inlined
def uniform(state: State) -> tuple[float, State]:
    """Draw from (0, 1), neither end ever."""
    word, state = bits(state)
    return (np.float64(np.int64(word >> _U12)) + 0.5) * (2 * _TO_UNIT), state


@inlined
def exponential(state: State) -> tuple[float, State]:
    """Draw from the exponential distribution of mean one."""
    u, state = uniform(state)
    return -math.log(u), state


@inlined
def below(n: Word, state: State) -> tuple[Word, State]:
    """Draw a whole number from 0 to n - 1, all alike; n is at most 2^32 - 1 (Lemire, 2019)."""
    word, state = bits(state)
    size = np.uint64(n)
    product = (word >> _U32) * size
    if (product & _LOW_32) < size:
        refused = (_LOW_32 + np.uint64(1) - size) % size
        while (product & _LOW_32) < refused:
            word, state = bits(state)
            product = (word >> _U32) * size
    return np.int64(product >> _U32), state


@compiled
def _outside(layer: Word, x: float, state: State) -> tuple[float, bool, State]:
    """Settle the hundredth normal that falls outside the inner part of its layer; say whether it stands."""
    if layer == 0:
        while True:
            e, state = exponential(state)
            f, state = exponential(state)
            step = e / _RIGHT
            if 2 * f > step * step:
                return math.copysign(_RIGHT + step, x), True, state
    u, state = uniform(state)
    height = _HEIGHT[layer] + u * (_HEIGHT[layer - 1] - _HEIGHT[layer])
    return x, height < math.exp(-0.5 * x * x), state


@inlined
def normal(state: State) -> tuple[float, State]:
    """Draw from the standard normal distribution."""
    while True:
        word, state = bits(state)
        layer = np.int64(word & _BYTE)
        size = np.int64(word >> _U12)
        x = size * _WIDTH[layer]
        if word & _SIGN:
            x = -x
        if size < _BOUND[layer]:
            return x, state
        x, stands, state = _outside(layer, x, state)
        if stands:
            return x, state


@inlined
def gamma_constants(shape: float) -> tuple[float, float, float]:
    """Return d, c and the boost that `gamma` needs; the boost is 1/shape below a shape of one, else zero."""
    boost = 0.0
    if shape < 1:
        boost = 1 / shape
        shape = shape + 1
    d = shape - 1 / 3
    return d, 1 / math.sqrt(9 * d), boost


@inlined
def gamma(d: float, c: float, state: State) -> tuple[float, State]:
    """Draw from Gamma(d + 1/3), c = 1/sqrt(9 d), for shapes of one and more."""
    while True:
        x, state = normal(state)
        v = 1 + c * x
        if v <= 0:
            continue
        v = v * v * v
        u, state = uniform(state)
        square = x * x
        if u < 1 - 0.0331 * square * square or math.log(u) < 0.5 * square + d * (1 - v + math.log(v)):
            return d * v, state


@compiled
def log_gamma_draw(shape: float, state: State) -> tuple[float, State]:
    """Draw the logarithm of a Gamma of any shape; it is finite where the draw itself would be 0."""
    d, c, boost = gamma_constants(shape)
    g, state = gamma(d, c, state)
    if boost == 0:
        return math.log(g), state
    e, state = exponential(state)
    return math.log(g) - e * boost, state


@compiled
def _boosted_beta(
    d_a: float, c_a: float, up_a: float, d_b: float, c_b: float, up_b: float, state: State
) -> tuple[float, State]:
    """Draw from a Beta with a parameter below one: Gamma(a) = Gamma(a + 1) U^(1/a), without underflow."""
    x, state = gamma(d_a, c_a, state)
    y, state = gamma(d_b, c_b, state)
    less_x, less_y = 0.0, 0.0
    if up_a > 0:
        e, state = exponential(state)
        less_x = e * up_a
    if up_b > 0:
        e, state = exponential(state)
        less_y = e * up_b
    # x e^-p / (x e^-p + y e^-q), the larger of the two exponents taken out
    if less_x > less_y:
        x = x * math.exp(less_y - less_x)
    else:
        y = y * math.exp(less_x - less_y)
    return x / (x + y), state


@inlined
def beta_of(
    d_a: float, c_a: float, up_a: float, d_b: float, c_b: float, up_b: float, state: State
) -> tuple[float, State]:
    """Draw from a Beta whose constants are known (`gamma_constants` of a and of b)."""
    if up_a + up_b > 0:
        return _boosted_beta(d_a, c_a, up_a, d_b, c_b, up_b, state)
    x, state = gamma(d_a, c_a, state)
    y, state = gamma(d_b, c_b, state)
    return x / (x + y), state


@compiled
def beta(a: float, b: float, state: State) -> tuple[float, State]:
    """Draw from Beta(a, b), a and b of any size above zero."""
    d_a, c_a, up_a = gamma_constants(a)
    d_b, c_b, up_b = gamma_constants(b)
    return beta_of(d_a, c_a, up_a, d_b, c_b, up_b, state)


@compiled
def binomial(n: int, p: float, state: State) -> tuple[Word, State]:
    """Draw from a binomial distribution: by inversion, or a rounded normal where hits and misses are many."""
    if p > 0.5:
        misses, state = binomial(n, 1 - p, state)
        return n - misses, state
    if p <= 0:
        return np.int64(0), state
    if n * p >= _FEW:
        z, state = normal(state)
        drawn = round(n * p + z * math.sqrt(n * p * (1 - p)))
        return np.int64(min(max(drawn, 0), n)), state
    u, state = uniform(state)
    chance, k, odds = math.exp(n * math.log1p(-p)), 0, p / (1 - p)
    while u > chance and k < n:
        u -= chance
        k += 1
        chance *= odds * (n - k + 1) * (_INVERSE[k] if k < _TABLE else 1 / k)
    return np.int64(k), state
