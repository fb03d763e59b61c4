"""How functions are compiled."""

import numpy as np

from labelwise.simulation.kernels.compiler import compiled, inlined


@inlined
def _half(x):
    return x / 2


@compiled
def _halves(values):
    total = 0.0
    for value in values:
        total += _half(value)
    return total


def test_a_compiled_function_calls_an_inlined_one():
    assert _halves(np.array([1.0, 3.0])) == 2.0


def test_dividing_by_zero_gives_infinity_as_in_numpy():
    @compiled
    def ratio(x, y):
        return x / y

    assert ratio(1.0, 0.0) == np.inf
