import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given

from labelwise.errors import DataError
from labelwise.pool.batch import decode, wrong_width
from labelwise.pool.layout import Layout, roles_of
from labelwise.pool.source import list_columns
from strategies import score_tables


def decoded(table, first_row=0, **said):
    batch = table.combine_chunks().to_batches()[0]
    roles = roles_of(Layout(**said), table.column_names, list_columns(table.schema), "Table")
    return decode(batch, roles, first_row=first_row)


@given(score_tables())
def test_prediction_and_confidence_are_the_argmax_and_the_maximum(table):
    batch = decoded(table)
    assert batch.prediction.tolist() == [row.index(max(row)) for row in batch.scores.tolist()]
    assert batch.confidence.tolist() == [max(row) for row in batch.scores.tolist()]


def test_the_blocks_of_a_long_batch_join_without_a_seam():
    matrix = np.random.default_rng(2).dirichlet(np.ones(3), 5000)  # blocks have 2048 rows
    batch = decoded(pa.table({f"s{k}": matrix[:, k] for k in range(3)}))
    assert np.array_equal(batch.scores, matrix)
    assert np.array_equal(batch.prediction, matrix.argmax(axis=1))
    logits = decoded(pa.table({f"s{k}": np.log(matrix[:, k]) for k in range(3)}), logits=True)
    np.testing.assert_allclose(logits.scores, matrix, rtol=1e-12)
    scaled = decoded(pa.table({f"s{k}": 7 * matrix[:, k] for k in range(3)}), normalise=True)
    np.testing.assert_allclose(scaled.scores, matrix, rtol=1e-12)


@pytest.mark.parametrize("row", [0, 2047, 2048, 4999])
def test_rows_are_counted_across_blocks_and_from_the_first_row(row, refusal):
    first = np.full(5000, 0.5)
    first[row] = 1.0
    table = pa.table({"s0": first, "s1": np.full(5000, 0.5)})
    assert refusal(DataError, decoded, table, first_row=1000) == (
        f"Scores of row {1000 + row + 1} add up to 1.5; they must add up to 1 (within 0.01). "
        "Use `normalise` if they are unscaled, `logits` if they are logits."
    )
    first[row] = -0.5
    table = pa.table({"s0": first, "s1": np.full(5000, 0.5)})
    assert refusal(DataError, decoded, table, first_row=1000) == (
        f"Score 's0' of row {1000 + row + 1} is -0.5; scores must not be negative. Use `logits` if they are logits."
    )


@pytest.mark.parametrize("total", [0.99, 1.0, 1.01])
def test_sums_within_a_hundredth_of_one_pass(total):
    assert decoded(pa.table({"s0": [total - 0.5], "s1": [0.5]})).scores.sum() == pytest.approx(total)


@pytest.mark.parametrize("total", [0.989, 1.011])
def test_sums_further_from_one_are_refused(total, refusal):
    assert refusal(DataError, decoded, pa.table({"s0": [total - 0.5], "s1": [0.5]})) == (
        f"Scores of row 1 add up to {total}; they must add up to 1 (within 0.01). "
        "Use `normalise` if they are unscaled, `logits` if they are logits."
    )


def test_whole_numbers_too_large_for_a_float_are_rounded():
    batch = decoded(pa.table({"s0": [2**60 + 1], "s1": [2**60]}), normalise=True)
    assert batch.scores.tolist() == [[0.5, 0.5]]


def test_score_columns_of_different_types_are_read_as_the_widest():
    table = pa.table({"s0": pa.array([0.5], pa.float32()), "s1": pa.array([0.5], pa.float64())})
    assert decoded(table).scores.dtype == np.float64


def test_labels_and_predictions_stay_encoded():
    batch = decoded(pa.table({"pred": ["b", "a", "b"], "label": [None, "c", "b"]}), label="label")
    assert batch.predicted.dictionary.to_pylist() == ["b", "a"]
    assert batch.label.to_pylist() == [None, "c", "b"]
    assert batch.scores is None
    assert batch.confidence is None


def test_without_ids_the_number_of_the_row_is_part_of_its_hash():
    table = pa.table({"pred": ["a", "a"], "x": [1, 1]})
    batch = decoded(table)
    assert batch.row_hash[0] != batch.row_hash[1]
    assert decoded(table, first_row=1).row_hash[0] == batch.row_hash[1]


@pytest.mark.parametrize(
    ("n_scores", "n_classes", "sentence"),
    [
        (1, 3, "There is 1 score for row 7, but 3 classes. Every item needs one score per class."),
        (4, 3, "There are 4 scores for row 7, but 3 classes. Every item needs one score per class."),
        (0, None, "There are 0 scores for row 7, but a classifier needs at least two classes. "
         "Every item needs one score per class."),
    ],
)  # fmt: skip
def test_a_wrong_number_of_scores_is_put_in_words(n_scores, n_classes, sentence):
    assert str(wrong_width(n_scores, "row 7", n_classes)) == sentence
