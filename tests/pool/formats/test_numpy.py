import io
import pickle

import numpy as np
import pytest

import labelwise as lw
from labelwise.errors import DataError, NotFoundError

SCORES = np.array([[0.5, 0.5], [0.25, 0.75]])
PICKLED = (
    "contains pickled Python objects, which are not read because they could run code. "
    "Save it again as a plain array of numbers or text."
)


@pytest.fixture
def npy(tmp_path):
    def saved(array, name="pool.npy"):
        np.save(tmp_path / name, array)
        return tmp_path / name

    return saved


@pytest.fixture
def npz(tmp_path):
    def saved(**arrays):
        np.savez(tmp_path / "pool.npz", **arrays)
        return tmp_path / "pool.npz"

    return saved


@pytest.mark.parametrize("dtype", ["<f8", ">f8", np.longdouble])
@pytest.mark.parametrize("order", ["C", "F"])
def test_the_layout_of_a_matrix_does_not_matter(dtype, order, npy):
    pool = lw.read_pool(npy(np.array(SCORES, dtype, order=order)))
    assert pool.scores.tolist() == SCORES.tolist()
    assert pool.fingerprint == lw.pool_from_arrays(scores=SCORES).fingerprint


@pytest.mark.parametrize("dtype", ["<f2", ">f4", "<f4"])
def test_small_floats_are_read_as_single_precision(dtype, npy):
    pool = lw.read_pool(npy(SCORES.astype(dtype)))
    assert pool.scores.dtype == np.float32
    assert pool.fingerprint == lw.pool_from_arrays(scores=SCORES.astype(np.float32)).fingerprint


@pytest.mark.parametrize("dtype", [int, bool, np.uint8])
def test_whole_numbers_may_be_scores(dtype, npy):
    assert lw.read_pool(npy(np.eye(2, dtype=dtype))).prediction.tolist() == [0, 1]


def test_a_matrix_of_more_than_one_batch_is_read_whole(npy):
    matrix = np.random.default_rng(3).dirichlet(np.ones(3), 70_000)
    pool = lw.read_pool(npy(matrix))
    assert np.array_equal(pool.scores, matrix)
    assert np.array_equal(pool.prediction, matrix.argmax(axis=1))


def test_named_arrays_are_columns(npz):
    path = npz(
        probabilities=SCORES, truth=np.array([1, np.nan]), name=np.array(["x", "ü" * 40]), embedding=np.zeros((2, 3))
    )
    pool = lw.read_pool(path, id="name", scores="probabilities", label="truth")
    assert list(pool.columns) == ["embedding"]
    assert pool.labels.tolist() == [1, -1]
    assert pool.all_ids().tolist() == ["x", "ü" * 40]
    assert pool.columns["embedding"].to_pylist() == [[0.0] * 3] * 2


def test_the_byte_order_of_whole_numbers_and_texts_does_not_matter(npz):
    path = npz(scores=SCORES, label=np.array([1, 0], ">i4"), name=np.array(["x", "y"], ">U3"))
    pool = lw.read_pool(path, id="name", label="label")
    assert pool.labels.tolist() == [1, 0]
    assert pool.all_ids().tolist() == ["x", "y"]


@pytest.mark.parametrize("ndim", [0, 1, 3])
def test_a_score_matrix_has_two_dimensions(ndim, npy, refusal):
    noun = "1 dimension" if ndim == 1 else f"{ndim} dimensions"
    assert refusal(DataError, lw.read_pool, npy(np.zeros((2,) * ndim))) == (
        f"'pool.npy' has {noun}; a score matrix has 2, with one row per item and one column per class. "
        "Save several arrays in one NPZ file."
    )


@pytest.mark.parametrize("ndim", [0, 3])
def test_an_array_of_an_archive_has_one_or_two_dimensions(ndim, npz, refusal):
    assert refusal(DataError, lw.read_pool, npz(scores=SCORES, x=np.zeros((2,) * ndim))) == (
        f"Array 'x' of 'pool.npz' has {ndim} dimensions; it must have 1 (one entry per item) or 2 (one row per item). "
        "Leave it out."
    )


@pytest.mark.parametrize(("width", "count"), [(0, "are 0 scores"), (1, "is 1 score")])
def test_one_class_is_too_few(width, count, npy, refusal):
    assert refusal(DataError, lw.read_pool, npy(np.ones((4, width)))) == (
        f"There {count} for row 1, but a classifier needs at least two classes. Every item needs one score per class."
    )


def test_a_matrix_without_rows_is_refused(npy, refusal):
    assert refusal(DataError, lw.read_pool, npy(np.ones((0, 3)))) == (
        "'pool.npy' has no rows; a pool needs at least one item. Check that it was written completely."
    )


def test_an_array_of_objects_is_not_opened(npy, refusal):
    assert refusal(DataError, lw.read_pool, npy(np.array([[0.5, "x"]], object))) == f"'pool.npy' {PICKLED}"


def test_an_archive_with_an_array_of_objects_is_not_opened(npz, refusal):
    path = npz(scores=SCORES, label=np.array([1, None], object))
    assert refusal(DataError, lw.read_pool, path) == f"'pool.npz' {PICKLED}"


@pytest.mark.parametrize("ending", ["npy", "npz"])
def test_a_pickle_is_not_opened(ending, write, refusal):
    path = write(f"pool.{ending}", pickle.dumps([1, 2]))
    assert refusal(DataError, lw.read_pool, path) == f"'pool.{ending}' {PICKLED}"


@pytest.mark.parametrize("ending", ["npy", "npz"])
def test_a_file_of_another_kind_is_refused(ending, write, refusal):
    expected = f"'pool.{ending}' is not an {ending.upper()} file, or is damaged. Write it again."
    assert refusal(DataError, lw.read_pool, write(f"pool.{ending}", "id,pred\n")) == expected
    assert refusal(DataError, lw.read_pool, write(f"pool.{ending}", b"\x93NUM")) == expected
    other = io.BytesIO()
    np.save(other, SCORES) if ending == "npz" else np.savez(other, scores=SCORES)
    assert refusal(DataError, lw.read_pool, write(f"pool.{ending}", other.getvalue())) == expected


@pytest.mark.parametrize("kept", [20, 100, 140])
def test_a_truncated_matrix_is_refused(kept, npy, write, refusal):
    path = write("cut.npy", npy(SCORES).read_bytes()[:kept])
    assert refusal(DataError, lw.read_pool, path) == "'cut.npy' is not an NPY file, or is damaged. Write it again."


def test_a_truncated_or_damaged_archive_is_refused(npz, write, refusal):
    content = bytearray(npz(scores=SCORES).read_bytes())
    expected = "'bad.npz' is not an NPZ file, or is damaged. Write it again."
    assert refusal(DataError, lw.read_pool, write("bad.npz", bytes(content[:-30]))) == expected
    content[200] ^= 255
    assert refusal(DataError, lw.read_pool, write("bad.npz", bytes(content))) == expected


def test_structured_arrays_are_refused(npy, npz, refusal):
    structured = np.array([(0, 0.5)], dtype=[("pred", int), ("conf", float)])
    assert refusal(DataError, lw.read_pool, npy(structured)) == (
        "'pool.npy' is a structured array. Save one array per column in an NPZ file."
    )
    assert refusal(DataError, lw.read_pool, npz(table=structured)) == (
        "'pool.npz: table' is a structured array. Save one array per column in an NPZ file."
    )


def test_arrays_of_different_length_are_refused(npz, refusal):
    assert refusal(DataError, lw.read_pool, npz(scores=SCORES, label=np.array([1])), label="label") == (
        "The arrays of 'pool.npz' differ in length: 'scores' 2, 'label' 1. Each needs one entry per item."
    )


def test_an_archive_of_nothing_is_refused(npz, refusal):
    assert refusal(NotFoundError, lw.read_pool, npz()) == (
        "No column of 'pool.npz' looks like scores or predictions. Its columns are: none. "
        "Specify them with `scores` or `predicted`."
    )


def test_text_scores_are_refused(npy, refusal):
    assert refusal(DataError, lw.read_pool, npy(np.array([["0.5", "0.5"], ["0.5", "half"]]))) == (
        "Score number 2 of row 2 is 'half'; it must be a number. Correct it."
    )


def test_complex_scores_are_refused(npy, refusal):
    assert refusal(DataError, lw.read_pool, npy(SCORES.astype(complex))) == (
        "`scores` holds values that cannot be read, such as (0.5+0j) (type complex128). Use numbers or text."
    )


def test_rows_are_counted_across_batches(npy, refusal):
    matrix = np.full((70_000, 2), 0.5)
    matrix[69_998, 1] = -0.5
    assert refusal(DataError, lw.read_pool, npy(matrix)) == (
        "Score number 2 of row 69999 is -0.5; scores must not be negative. Use `logits` if they are logits."
    )
    matrix[69_998, 1] = np.nan
    assert refusal(DataError, lw.read_pool, npy(matrix)) == (
        "Score number 2 of row 69999 is nan; scores must be finite numbers. Leave the item out or correct it."
    )
