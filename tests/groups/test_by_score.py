from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import labelwise as lw
from labelwise.errors import ArgumentError, UnanswerableError
from labelwise.groups.by_score import bins_of, mass_bins, width_bins
from strategies import confidences

BINS = st.integers(1, 200)


def pool_of(values):
    values = np.asarray(values, float)
    return lw.pool_from_arrays(predicted=np.arange(len(values)) % 2, confidence=values, classes=[0, 1])


def slow_bin(value: float, bins: int) -> int:
    """The bin by exact comparison with the edges 0/B, 1/B, ... as they are stored; the last bin is closed."""
    edges = [Fraction(b / bins) for b in range(bins)]
    return max(b for b in range(bins) if Fraction(value) >= edges[b])


@given(confidences(), BINS)
def test_bins_of_equal_width_follow_the_exact_rule(values, bins):
    assert width_bins(values, bins).tolist() == [slow_bin(value, bins) for value in values.tolist()]


@given(BINS, st.data())
def test_values_exactly_on_an_edge_belong_to_the_bin_above(bins, data):
    edge = data.draw(st.integers(0, bins))
    assert width_bins(np.array([edge / bins]), bins).tolist() == [min(edge, bins - 1)]


@given(BINS, st.data())
def test_values_a_hair_below_an_edge_belong_to_the_bin_below(bins, data):
    edge = data.draw(st.integers(1, bins))
    assert width_bins(np.array([np.nextafter(edge / bins, 0)]), bins).tolist() == [edge - 1]


@given(st.integers(1, 1000), st.integers(1, 100), st.data())
def test_decimal_fractions_fall_where_arithmetic_by_hand_puts_them(denominator, bins, data):
    numerator = data.draw(st.integers(0, denominator))
    expected = min(numerator * bins // denominator, bins - 1)  # whole numbers only, so exact
    assert width_bins(np.array([numerator / denominator]), bins).tolist() == [expected]


@pytest.mark.parametrize(
    ("bins", "values", "expected"),
    [
        (100, [0.0, 0.29, 0.57, 0.58, 0.999, 1.0], [0, 29, 57, 58, 99, 99]),
        (10, [0.0, 0.1, 0.3, 0.6, 0.7, 0.9, 1.0], [0, 1, 3, 6, 7, 9, 9]),
        (15, [1 / 15, 0.2, 0.4, 0.6, 0.8, 14 / 15], [1, 3, 6, 9, 12, 14]),
        (1, [0.0, 0.5, 1.0], [0, 0, 0]),
        (2, [5e-324, 0.5, 1 - 2**-53], [0, 1, 1]),
    ],
)
def test_well_known_values_fall_where_they_should(bins, values, expected):
    groups = lw.by_score(pool_of(values), bins)
    assert groups.of_item.tolist() == expected
    assert groups.of_item.dtype == np.int32


@given(confidences(most=200), BINS)
def test_bins_of_equal_mass_differ_by_at_most_one_item(values, bins):
    found = mass_bins(values, bins)
    sizes = np.bincount(found, minlength=bins)
    assert len(sizes) == bins
    assert sizes.sum() == len(values)
    assert sizes.max() - sizes.min() <= 1


@given(confidences(most=200), BINS)
def test_bins_of_equal_mass_are_in_the_order_of_the_values_and_ties_in_that_of_the_pool(values, bins):
    found = mass_bins(values, bins)
    order = sorted(range(len(values)), key=lambda i: values[i])  # stable
    assert found[order].tolist() == sorted(found.tolist())


def test_ties_may_fall_into_two_bins_of_equal_mass():
    groups = lw.by_score(pool_of([1.0, 1.0, 1.0, 1.0, 0.5]), 2, equal="mass")
    assert groups.of_item.tolist() == [0, 0, 1, 1, 0]
    assert groups.names == ("0.5-1", "1-1")


@given(confidences(), st.integers(1, 30), st.sampled_from(["width", "mass"]))
def test_every_item_has_exactly_one_bin_and_names_differ(values, bins, equal):
    groups = lw.by_score(pool_of(values), bins, equal=equal)
    assert groups.n_groups == bins
    assert len(set(groups.names)) == bins
    assert groups.n_items.sum() == len(values)
    assert sorted(np.concatenate([groups.items_of(g) for g in range(bins)]).tolist()) == list(range(len(values)))


def test_bins_of_equal_width_are_named_by_their_edges_and_kept_when_empty():
    groups = lw.by_score(pool_of([0.0, 1.0]), 4)
    assert groups.names == ("0-0.25", "0.25-0.5", "0.5-0.75", "0.75-1")
    assert groups.n_items.tolist() == [1, 0, 0, 1]
    assert groups.rule == "score (4 bins of equal width)"


def test_bins_of_equal_mass_are_named_by_what_is_in_them():
    groups = lw.by_score(pool_of([0.5, 0.75]), 4, equal="mass")
    assert groups.names == ("0.5-0.5", "0.75-0.75", "empty", "empty (2)")
    assert groups.rule == "score (4 bins of equal mass)"


def test_fifteen_bins_unless_said_otherwise():
    assert lw.by_score(pool_of([0.5])).n_groups == 15


def test_values_up_to_another_maximum_are_cut_in_proportion():
    names, of_item = bins_of(np.array([0.0, 1.0, 2.0]), 2, "width", most=2.0)
    assert names == ("0-1", "1-2")
    assert of_item.tolist() == [0, 1, 1]


@pytest.mark.parametrize("bins", [0, -1, 2.5, "ten", True])
def test_the_number_of_bins_must_be_a_count(bins, refusal):
    assert refusal(ArgumentError, lw.by_score, pool_of([0.5]), bins) == (
        f"`bins` must be a whole number of at least 1, but is {bins!r}."
    )


def test_another_kind_of_bins_is_refused(refusal):
    assert refusal(ArgumentError, lw.by_score, pool_of([0.5]), 5, equal="size") == (
        "`equal` must be one of 'width', 'mass', but is 'size'."
    )


def test_a_pool_without_confidences_is_refused(refusal):
    assert refusal(UnanswerableError, lw.by_score, lw.pool_from_arrays(predicted=[0, 1])) == (
        "This pool has no confidences, but a grouping by score needs them. Read it with `scores` or `confidence`."
    )
