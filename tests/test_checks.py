import math
from fractions import Fraction

import numpy as np
import pytest

from labelwise import checks
from labelwise.errors import ArgumentError, NotFoundError


@pytest.mark.parametrize(
    ("value", "expected"),
    [(np.float32(0.5), 0.5), (np.int64(3), 3), (np.str_("cat"), "cat"), (np.bool_(True), True), ("cat", "cat")],
)
def test_numpy_scalars_become_plain_values(value, expected):
    assert checks.plain(value) == expected
    assert type(checks.plain(value)) is type(expected)


def test_an_array_stays_an_array():
    array = np.arange(2)
    assert checks.plain(array) is array


def test_a_value_is_shown_as_python_writes_it():
    assert checks.shown(np.float64(0.25)) == "0.25"
    assert checks.shown("it's") == '"it\'s"'


def test_a_long_value_is_cut():
    assert checks.shown("x" * 78) == "'" + "x" * 78 + "'"
    assert checks.shown("x" * 5_000_000) == "'" + "x" * 76 + "..."


@pytest.mark.parametrize(("number", "expected"), [(0, "0 fields"), (1, "1 field"), (2, "2 fields")])
def test_a_noun_is_counted_in_the_singular_or_the_plural(number, expected):
    assert checks.counted(number, "field") == expected


def test_a_list_shows_twelve_values_and_counts_the_rest():
    assert checks.listing(range(12)) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11"
    assert checks.listing(range(15)) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 3 more"
    assert checks.listing(np.arange(2)) == "0, 1"


def test_a_list_of_nothing_says_so():
    assert checks.listing([]) == "none"


def test_a_hint_names_the_closest_text():
    assert checks.hint("confidense", ["id", "confidence"]) == "Did you mean 'confidence'?"


def test_a_hint_lists_everything_if_nothing_is_close():
    assert checks.hint("x", ["id", "confidence"]) == "Available: 'id', 'confidence'."


@pytest.mark.parametrize("wanted", [12, "12"])
def test_a_number_is_not_taken_for_a_misspelt_number(wanted):
    assert checks.hint(wanted, [1, 2]) == "Available: 1, 2."


def test_the_first_name_that_comes_again_is_found():
    assert checks.repeated(["a", "b", "c", "b", "a"]) == "b"
    assert checks.repeated(["a", "b"]) is None


def test_a_value_must_be_one_of_those_allowed(refusal):
    checks.check_one_of("mass", "equal", ["width", "mass"])
    sentence = refusal(ArgumentError, checks.check_one_of, "weight", "equal", ["width", "mass"])
    assert sentence == "`equal` must be one of 'width', 'mass', but is 'weight'."


@pytest.mark.parametrize("value", [0, 1, -0.5, math.nan, math.inf])
def test_a_number_at_or_beyond_the_ends_of_an_open_interval_is_refused(value, refusal):
    sentence = refusal(ArgumentError, checks.check_between, value, "level", 0, 1)
    assert sentence == f"`level` must lie between 0 and 1, but is {value!r}."


@pytest.mark.parametrize("value", [1e-9, 0.95, np.float32(0.5), Fraction(1, 2)])
def test_a_number_inside_an_open_interval_passes(value):
    assert checks.check_between(value, "level", 0, 1) is None


@pytest.mark.parametrize("value", [-1e-9, 1.5, math.nan])
def test_a_number_beyond_a_closed_interval_is_refused(value, refusal):
    sentence = refusal(ArgumentError, checks.check_within, value, "accuracy", 0, 1)
    assert sentence == f"`accuracy` must lie between 0 and 1 inclusive, but is {value!r}."


@pytest.mark.parametrize("value", [0, 1, 0.5, np.float64(1)])
def test_the_ends_of_a_closed_interval_pass(value):
    assert checks.check_within(value, "accuracy", 0, 1) is None


@pytest.mark.parametrize("value", [0, -2, math.nan, math.inf, np.float64(0)])
def test_what_is_not_a_finite_number_above_zero_is_refused(value, refusal):
    sentence = refusal(ArgumentError, checks.check_positive, value, "strength")
    assert sentence == f"`strength` must be a number above 0, but is {checks.plain(value)!r}."


@pytest.mark.parametrize("value", ["2", None, [1]])
def test_what_is_no_number_at_all_is_refused_in_the_same_words(value, refusal):
    assert refusal(ArgumentError, checks.check_positive, value, "strength") == (
        f"`strength` must be a number above 0, but is {value!r}."
    )
    assert refusal(ArgumentError, checks.check_between, value, "level", 0, 1) == (
        f"`level` must lie between 0 and 1, but is {value!r}."
    )
    assert refusal(ArgumentError, checks.check_within, value, "level", 0, 1) == (
        f"`level` must lie between 0 and 1 inclusive, but is {value!r}."
    )


@pytest.mark.parametrize("value", [0, -1, 1.5, 2.0, "3", True, None])
def test_a_count_must_be_a_whole_number(value, refusal):
    assert refusal(ArgumentError, checks.check_count, value, "bins") == (
        f"`bins` must be a whole number of at least 1, but is {value!r}."
    )


def test_a_count_may_have_an_upper_limit(refusal):
    checks.check_count(np.int32(5), "m", least=0, most=5)
    assert refusal(ArgumentError, checks.check_count, np.int64(6), "m", least=0, most=5) == (
        "`m` must be a whole number from 0 to 5, but is 6."
    )


def test_a_name_is_found_by_position(refusal):
    assert checks.find("dog", ["cat", "dog"], "Class") == 1
    assert refusal(NotFoundError, checks.find, "dok", ["cat", "dog"], "Class") == (
        "Class 'dok' does not exist. Did you mean 'dog'?"
    )
    assert refusal(NotFoundError, checks.find, np.int64(7), [0, 1], "Class") == (
        "Class 7 does not exist. Available: 0, 1."
    )
