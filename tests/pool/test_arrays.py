from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest

import labelwise as lw
from labelwise.errors import ArgumentError, DataError


@pytest.mark.parametrize(
    "scores",
    [
        [[0.5, 0.5], [0.25, 0.75]],
        ((0.5, 0.5), (0.25, 0.75)),
        np.array([[0.5, 0.5], [0.25, 0.75]]),
        np.array([[0.5, 0.5], [0.25, 0.75]], order="F"),
        np.array([[0.5, 0.5], [0.25, 0.75]], object),
        [[Decimal("0.5"), Decimal("0.5")], [Decimal("0.25"), Decimal("0.75")]],
        pd.DataFrame({"cat": [0.5, 0.25], "dog": [0.5, 0.75]}),
    ],
    ids=["lists", "tuples", "array", "Fortran order", "objects", "decimals", "pandas"],
)
def test_scores_may_come_in_any_shape_that_is_a_matrix(scores):
    pool = lw.pool_from_arrays(scores=scores)
    assert pool.scores.tolist() == [[0.5, 0.5], [0.25, 0.75]]
    assert pool.classes == (0, 1)


@pytest.mark.parametrize(
    "labels",
    [
        [1, None, 0],
        (1, float("nan"), 0),
        np.array([1, np.nan, 0]),
        np.array([1, None, 0], object),
        np.ma.array([1, 5, 0], mask=[False, True, False]),
        pd.Series([1, None, 0]),
        pd.array([1, None, 0], dtype="Int64"),
        pd.Series([1, None, 0], dtype="category"),
        pl.Series([1, None, 0]),
        iter([1, None, 0]),
    ],
    ids=["list", "tuple", "floats", "objects", "masked", "series", "Int64", "category", "polars", "iterator"],
)
def test_labels_may_come_from_anywhere_and_be_missing(labels):
    pool = lw.pool_from_arrays(predicted=[1, 0, 0], labels=labels)
    assert pool.classes == (0, 1)
    assert pool.labels.tolist() == [1, -1, 0]


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA])
def test_text_labels_may_be_missing_too(missing):
    pool = lw.pool_from_arrays(predicted=["cat", "dog"], labels=["dog", missing])
    assert pool.labels.tolist() == [1, -1]


def test_a_type_that_only_shows_in_the_second_batch_counts_for_all_rows():
    n = 70_000
    pool = lw.pool_from_arrays(
        predicted=[0, 1] * (n // 2),
        confidence=[1] * 66_000 + [0.5] * 4_000,
        labels=[None] * 66_000 + [1] * 4_000,
        columns={"x": [1] * 66_000 + [0.5] * 4_000, "late": [None] * 66_000 + ["f"] * 4_000},
    )
    assert pool.n_labelled == 4_000
    assert pool.confidence[-1] == 0.5
    assert pool.column("x")[[0, -1]].tolist() == [1.0, 0.5]
    assert pool.column("late")[[0, -1]].tolist() == [None, "f"]


def test_the_arrays_are_copied():
    arrays = {
        "scores": np.array([[0.5, 0.5], [0.25, 0.75]]),
        "labels": np.array([0, 1]),
        "ids": np.array([10, 20]),
    }
    age = np.array([30, 40])
    pool = lw.pool_from_arrays(**arrays, columns={"age": age})
    for array in (*arrays.values(), age):
        array[:] = 99
    assert pool.scores.tolist() == [[0.5, 0.5], [0.25, 0.75]]
    assert pool.labels.tolist() == [0, 1]
    assert pool.all_ids().tolist() == [10, 20]
    assert pool.column("age").tolist() == [30, 40]


def test_columns_may_hold_lists():
    pool = lw.pool_from_arrays(predicted=["a", "b"], columns={"box": [[1, 2], [3, 4]], "grid": np.zeros(2)})
    assert pool.columns["box"].to_pylist() == [[1, 2], [3, 4]]


def test_classes_and_content_are_as_in_files():
    pool = lw.pool_from_arrays(
        predicted=[2, 0], classes=["cat", "dog", "emu"], columns={"text": ["x", "y"]}, content=["text"]
    )
    assert pool.classes == ("cat", "dog", "emu")
    assert pool.prediction.tolist() == [2, 0]
    assert pool.content == ("text",)


def test_logits_and_unscaled_scores_are_scaled():
    assert lw.pool_from_arrays(scores=[[0.0, 0.0]], logits=True).scores.tolist() == [[0.5, 0.5]]
    assert lw.pool_from_arrays(scores=[[3, 1]], normalise=True).scores.tolist() == [[0.75, 0.25]]


def test_nothing_is_no_pool(refusal):
    assert refusal(ArgumentError, lw.pool_from_arrays, labels=[1, 2]) == (
        "A pool needs `scores` or `predicted`; neither was given."
    )


def test_a_confidence_without_a_prediction_is_refused(refusal):
    assert refusal(ArgumentError, lw.pool_from_arrays, confidence=[0.5]) == (
        "A pool needs `scores` or `predicted`; neither was given."
    )


def test_arrays_without_entries_are_refused(refusal):
    assert refusal(DataError, lw.pool_from_arrays, predicted=[]) == (
        "'arrays' has no rows; a pool needs at least one item. Check that it was written completely."
    )


@pytest.mark.parametrize(
    ("scores", "noun"),
    [([], "1 dimension"), ([0.5, 0.5], "1 dimension"), (0.5, "0 dimensions"), ([[[1.0]]], "3 dimensions")],
)
def test_scores_must_be_a_matrix(scores, noun, refusal):
    assert refusal(DataError, lw.pool_from_arrays, scores=scores) == (
        f"`scores` has {noun}; it must have 2. Pass one row per item and one column per class."
    )


def test_ragged_scores_are_refused_with_their_row(refusal):
    assert refusal(DataError, lw.pool_from_arrays, scores=[[0.5, 0.5], [0.5, 0.5], [1.0]]) == (
        "There is 1 score for row 3, but 2 classes. Every item needs one score per class."
    )
    assert refusal(DataError, lw.pool_from_arrays, scores=[[[0.5], 0.5], [0.5, 0.5]]) == (
        "The rows of `scores` differ in shape. Pass one row per item and one column per class."
    )


@pytest.mark.parametrize("kind", [list, np.array], ids=["list", "array"])
def test_text_scores_are_refused_with_their_row(kind, refusal):
    sentence = refusal(DataError, lw.pool_from_arrays, scores=kind([[0.5, 0.5], [0.5, "half"]]))
    number = 1 if kind is np.array else 2  # an array has made texts of all of them
    value = "'0.5'" if kind is np.array else "'half'"
    row = 1 if kind is np.array else 2
    assert sentence == f"Score number {number} of row {row} is {value}; it must be a number. Correct it."


@pytest.mark.parametrize(("value", "shown"), [(1j, "1j"), ("x", "'x'")])
def test_scores_that_are_no_numbers_are_refused(value, shown, refusal):
    scores = np.array([[0.5, 0.5], [0.5, value]], object)
    assert refusal(DataError, lw.pool_from_arrays, scores=scores) == (
        f"Score number 2 of row 2 is {shown}; it must be a number. Correct it."
    )


def test_missing_scores_are_refused_with_their_row(refusal):
    assert refusal(DataError, lw.pool_from_arrays, scores=[[0.5, 0.5], [0.5, None]]) == (
        "Score number 2 of row 2 is missing. Leave the item out or fill it in."
    )


@pytest.mark.parametrize("part", ["predicted", "labels", "ids"])
def test_values_of_two_types_are_refused_with_both_rows(part, refusal):
    arrays = {"predicted": [0, 1, 0]} | {part: [1, None, "1"]}
    name = "id" if part == "ids" else part
    assert refusal(DataError, lw.pool_from_arrays, **arrays) == (
        f"`{name}` mixes types: row 1 has 1 and row 3 has '1'. Write all its values the same way."
    )


@pytest.mark.parametrize(("value", "shown"), [("cat", "'cat'"), (5, "5")])
def test_one_value_where_many_belong_is_refused(value, shown, refusal):
    assert refusal(ArgumentError, lw.pool_from_arrays, predicted=value) == (
        f"`predicted` must be a list or an array with one entry per item, but is {shown}."
    )


def test_a_matrix_where_a_vector_belongs_is_refused(refusal):
    assert refusal(DataError, lw.pool_from_arrays, predicted=np.array([[0], [1]])) == (
        "`predicted` has 2 dimensions; it must have 1. Pass one entry per item."
    )
    assert refusal(DataError, lw.pool_from_arrays, predicted=[[0], [1]]) == (
        "Prediction [0] of row 1 is not a valid class name. Use text or whole numbers."
    )


def test_arrays_of_different_length_are_refused(refusal):
    assert refusal(DataError, lw.pool_from_arrays, predicted=[0, 1], labels=[1]) == (
        "The arrays of 'arrays' differ in length: 'predicted' 2, 'label' 1. Each needs one entry per item."
    )


def test_a_kept_column_cannot_take_the_name_of_a_part(refusal):
    assert refusal(ArgumentError, lw.pool_from_arrays, predicted=[0, 1], columns={"predicted": [1, 2]}) == (
        "A column cannot be called 'predicted', because that name is reserved. Rename it."
    )


def test_values_that_no_column_can_hold_are_refused(refusal):
    assert refusal(DataError, lw.pool_from_arrays, predicted=[0, 1], columns={"x": [2**70, 1]}) == (
        "`x` holds values that cannot be read, such as 1180591620717411303424 (type object). Use numbers or text."
    )
