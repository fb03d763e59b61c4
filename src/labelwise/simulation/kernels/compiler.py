"""The only door to the compiler: how every function of this folder is compiled, and where compiled code is kept."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any, TypeVar, cast

import numba
from numba.core.caching import CacheImpl, _CacheLocator

from labelwise.beliefs.learned import constants
from labelwise.caching import cache_folder

_Function = TypeVar("_Function", bound=Callable[..., Any])
_FOLDER = Path(__file__).parent
_CONSTANTS = Path(constants.__file__)  # compiled into the kernels
_OURS: set[CodeType] = set()  # functions whose compiled code we keep


def compiled(function: _Function) -> _Function:
    """Compile a function that runs without the interpreter's lock, once per machine.

    Examples
    --------
    >>> from labelwise.simulation.kernels.incomplete import normal_quantile
    >>> round(normal_quantile(0.975), 4)
    1.96
    """
    return _compiled(function)


def inlined(function: _Function) -> _Function:
    """Compile a small function into the body of each caller, so that its arguments stay in registers."""
    return _compiled(function, forceinline=True)


def _compiled(function: _Function, *, forceinline: bool = False) -> _Function:
    _OURS.add(function.__code__)
    options = numba.njit(nogil=True, cache=True, error_model="numpy", forceinline=forceinline)
    return cast(_Function, options(function))


def _folder() -> Path:
    """Return the folder of compiled code, in the user's cache folder unless NUMBA_CACHE_DIR moves it."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    return Path(chosen) / "labelwise" if chosen else cache_folder() / "kernels"


@cache
def _digest(path: Path) -> str:
    """Return a digest of all files of this folder, of the constants, and of the file that a function stands in."""
    digest = hashlib.sha256()
    for file in sorted({*_FOLDER.glob("*.py"), _CONSTANTS, path}):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


class KernelCacheLocator(_CacheLocator):
    """Keeps compiled code by what all kernels say, not by where they stand.

    Numba's own locators keep it beside the source and look at one file at a time. Then every clone and every
    environment compiles again, and a kernel does not notice that one it inlines has changed.
    """

    def __init__(self, function: Callable[..., Any], path: Path) -> None:
        self._py_file = str(path)  # numba names it in its warnings
        self._line = function.__code__.co_firstlineno
        self._digest = _digest(path)

    def get_cache_path(self) -> str:
        """Return the folder for this version of all kernels."""
        return str(_folder() / f"{self._digest[:16]}-numba{numba.__version__}")

    def get_source_stamp(self) -> str:
        """Return what must be equal for cached code to be used."""
        return self._digest

    def get_disambiguator(self) -> str:
        """Return what tells functions of one name in one file apart."""
        return str(self._line)

    @classmethod
    def from_function(cls, function: Callable[..., Any], path: str) -> KernelCacheLocator | None:
        """Return a locator for our functions; None leaves others, and folders that are not writable, to numba."""
        if function.__code__ not in _OURS or not Path(path).is_file():
            return None
        found = cls(function, Path(path))
        try:
            found.ensure_cache_path()  # type: ignore[no-untyped-call]  # numba's own
        except OSError:
            return None
        return found


CacheImpl._locator_classes.insert(0, KernelCacheLocator)
