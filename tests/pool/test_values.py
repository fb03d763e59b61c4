"""Values of Arrow arrays are those of its own conversion, also from the middle of an array."""

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest

from labelwise.pool.values import values_of

ARRAYS = {
    "integers": pa.array([3, 5, 7, 9], pa.int32()),
    "unsigned": pa.array([3, 5, 7, 2**63], pa.uint64()),
    "floats": pa.array([0.5, float("nan"), 2.5, 1.0]),
    "short floats": pa.array([0.5, 1.5, 2.5, 1.0], pa.float32()),
    "truth": pa.array([True, False, True, True] * 5),
    "texts": pa.array(["a", "b", "c", ""]),
    "with nulls": pa.array([1.0, None, 2.0]),
    "nothing": pa.array([], pa.int64()),
    "no truth": pa.array([], pa.bool_()),
}


@pytest.mark.parametrize("array", ARRAYS.values(), ids=ARRAYS)
@pytest.mark.parametrize("start", [0, 1])
def test_values_are_those_of_arrow(array, start):
    part = array[start:]
    wanted = part.to_numpy(zero_copy_only=False)
    found = values_of(part)
    assert found.dtype == wanted.dtype
    np.testing.assert_array_equal(found, wanted)


def test_no_pandas_is_loaded():
    script = (
        "import sys, pyarrow as pa; from labelwise.pool.values import values_of;"
        "values_of(pa.Array.from_buffers(pa.int64(), 1, [None, pa.py_buffer(bytes(8))]));"
        "print('pandas' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
