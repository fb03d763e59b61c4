"""How functions are compiled."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from labelwise.simulation.kernels import compiler
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


@pytest.mark.slow  # three processes that compile
def test_compiled_code_is_shared_by_clones_until_any_kernel_changes(tmp_path):
    """The same kernels in another folder load what was compiled; a change of one that is inlined compiles again."""
    program = (
        "from labelwise.simulation.kernels.incomplete import normal_quantile as quantile\n"
        "quantile(0.5); print(sum(quantile.stats.cache_hits.values()), sum(quantile.stats.cache_misses.values()))"
    )
    package = Path(compiler.__file__).parents[2]

    def hits_and_misses(clone):
        env = os.environ | {"PYTHONPATH": str(clone), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
        done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True)
        return done.stdout.split()

    for name in ("one", "other"):
        shutil.copytree(package, tmp_path / name / "labelwise", ignore=shutil.ignore_patterns("__pycache__"))
    assert hits_and_misses(tmp_path / "one") == ["0", "1"]
    assert hits_and_misses(tmp_path / "other") == ["1", "0"]
    with (tmp_path / "other" / "labelwise" / "simulation" / "kernels" / "beta.py").open("a") as file:
        file.write("# changed\n")
    assert hits_and_misses(tmp_path / "other") == ["0", "1"]
    assert hits_and_misses(tmp_path / "one") == ["1", "0"]
    with (tmp_path / "one" / "labelwise" / "beliefs" / "learned" / "constants.py").open("a") as file:
        file.write("# changed\n")
    assert hits_and_misses(tmp_path / "one") == ["0", "1"]
