"""The only door to the compiler: how every function of this folder is compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

_Function = TypeVar("_Function", bound=Callable[..., Any])


def compiled(function: _Function) -> _Function:
    """Compile a function that runs without the interpreter's lock, once per machine.

    The compiled code is kept beside the source. The compiler looks at the date of the function's own file only: after a
    change to a file that others call, remove the `__pycache__` folder.

    Examples
    --------
    >>> from labelwise.simulation.kernels.incomplete import normal_quantile
    >>> round(normal_quantile(0.975), 4)
    1.96
    """
    return cast(_Function, numba.njit(nogil=True, cache=True, error_model="numpy")(function))


def inlined(function: _Function) -> _Function:
    """Compile a small function into the body of each caller, so that what it is given stays in registers."""
    return cast(_Function, numba.njit(nogil=True, cache=True, error_model="numpy", forceinline=True)(function))
