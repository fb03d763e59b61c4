from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from labelwise.errors import DataError
from labelwise.pool.mixed_types import check_one_type, is_missing


@pytest.mark.parametrize("value", [None, float("nan"), np.float32("nan"), pd.NA, pd.NaT])
def test_empty_cells_of_every_library_are_missing(value):
    assert is_missing(value)


@pytest.mark.parametrize("value", [0, 0.0, "", "nan", False, [], np.float64(1)])
def test_values_are_not_missing(value):
    assert not is_missing(value)


@pytest.mark.parametrize(
    "values",
    [
        [],
        [None, float("nan")],
        [1, 2.5, np.int8(3), Decimal(4), None],
        ["a", None, np.str_("b")],
        [True, np.False_],
        [[1, 2], [None, 3], (4,), np.array([5.0])],
        [["a"], []],
        [{"x": 1, "y": "a"}, {"y": "b"}, None],
    ],
)
def test_values_of_one_type_pass(values):
    assert check_one_type(values, "Column 'x'") is None


@pytest.mark.parametrize(
    ("values", "first", "second"),
    [
        ([1, None, "1"], "row 1 has 1", "row 3 has '1'"),
        ([None, "1", "2", 1], "row 2 has '1'", "row 4 has 1"),
        ([True, 1], "row 1 has True", "row 2 has 1"),
        (["a", b"a"], "row 1 has 'a'", "row 2 has b'a'"),
        ([[1], 2], "row 1 has [1]", "row 2 has 2"),
        ([[1, 2], [3, "x"]], "row 1 has 1", "row 2 has 'x'"),
        ([{"x": 1}, {"y": 2, "x": "1"}], "row 1 has 1", "row 2 has '1'"),
        ([np.int64(1), "x" * 100], "row 1 has 1", "row 2 has '" + "x" * 76 + "..."),
    ],
)
def test_values_of_two_types_are_refused_with_the_first_row_of_each(values, first, second, refusal):
    assert refusal(DataError, check_one_type, values, "Column 'x'") == (
        f"Column 'x' mixes types: {first} and {second}. Write all its values the same way."
    )
