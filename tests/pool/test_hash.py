import datetime
import uuid

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelwise.pool.hash import hash_matrix, hash_values, mix

TEXTS = st.lists(st.one_of(st.none(), st.text(max_size=80), st.sampled_from(["", "x" * 64, "x" * 65, "漢" * 30])))


def test_mixing_never_brings_two_words_together():
    words = np.arange(100_000, dtype=np.uint64)
    assert len(np.unique(mix(words))) == len(words)
    assert not np.array_equal(mix(words, 1), mix(words, 2))


@given(TEXTS, st.data())
def test_the_hash_of_a_text_does_not_depend_on_its_neighbours(texts, data):
    whole = hash_values(pa.array(texts, pa.string()))
    start = data.draw(st.integers(0, len(texts)))
    stop = data.draw(st.integers(start, len(texts)))
    part = pa.array(texts, pa.string()).slice(start, stop - start)
    assert hash_values(part).tolist() == whole[start:stop].tolist()
    assert hash_values(pa.array(texts[start:stop], pa.string())).tolist() == whole[start:stop].tolist()


@given(TEXTS)
def test_equal_texts_and_no_others_hash_alike(texts):
    hashes = hash_values(pa.array(texts, pa.string())).tolist()
    assert len(set(hashes)) == len(set(texts))
    assert dict(zip(texts, hashes, strict=True)) == dict(zip(reversed(texts), reversed(hashes), strict=True))


@given(TEXTS)
def test_the_layout_of_texts_does_not_matter(texts):
    plain = hash_values(pa.array(texts, pa.string())).tolist()
    array = pa.array(texts, pa.string())
    assert hash_values(array.cast(pa.large_string())).tolist() == plain
    assert hash_values(array.dictionary_encode()).tolist() == plain
    assert hash_values(array.dictionary_encode("encode")).tolist() == plain


@given(st.text(min_size=1, max_size=100), st.data())
def test_one_changed_letter_changes_the_hash(text, data):
    position = data.draw(st.integers(0, len(text) - 1))
    other = text[:position] + ("a" if text[position] != "a" else "b") + text[position + 1 :]
    first, second = hash_values(pa.array([text, other]))
    assert first != second


def test_empty_text_missing_and_zero_differ():
    empty, missing = hash_values(pa.array(["", None]))
    zero, one = hash_values(pa.array([0, 1]))
    assert len({int(h) for h in (empty, missing, zero, one)}) == 4


def test_an_array_of_empty_texts_hashes_like_one_among_others():
    assert hash_values(pa.array(["", ""])).tolist() == hash_values(pa.array(["", "a", ""])).tolist()[::2]


def test_empty_arrays_have_no_hashes():
    assert hash_values(pa.array([], pa.string())).tolist() == []
    assert hash_values(pa.array([], pa.float64())).tolist() == []


def test_whole_numbers_hash_alike_whatever_their_size_and_like_their_text():
    small, large = pa.array([0, 7, -3], pa.int8()), pa.array([0, 7, -3], pa.int64())
    assert hash_values(small).tolist() == hash_values(large).tolist()
    assert hash_values(large).tolist() == hash_values(pa.array(["0", "7", "-3"])).tolist()


def test_floats_hash_alike_whatever_their_size_and_zero_has_no_sign():
    small = pa.array(np.array([0.5, 0.0], np.float32))
    assert hash_values(small).tolist() == hash_values(pa.array([0.5, -0.0])).tolist()


@pytest.mark.parametrize(
    "values",
    [
        pa.array([True, False, None]),
        pa.array([b"\xff", b"", None]),
        pa.array([b"\xff\xfe", b"ab", None], pa.binary(2)),
        pa.array([datetime.date(2024, 1, 1), datetime.date(2024, 1, 2), None]),
        pa.array(
            [datetime.datetime(2024, 1, 1), datetime.datetime(2024, 1, 2), None], pa.timestamp("us", "Asia/Tokyo")
        ),
        pa.array([1, 2, None], pa.duration("s")),
        pa.array([1.5, 2.5, None]),
        pa.array([1, 2, None]).cast(pa.decimal128(25, 2)),
        pa.array([[1], [2, 3], None]),
        pa.array([{"a": 1}, {"a": 2}, None]),
        pa.array([uuid.UUID(int=1).bytes, uuid.UUID(int=2).bytes, None], pa.uuid()),
        pa.array([(1, 2, 3), (1, 2, 4), None], pa.month_day_nano_interval()),
    ],
    ids=lambda array: str(array.type),
)
def test_values_of_every_type_have_hashes_that_do_not_depend_on_slicing(values):
    hashes = hash_values(values).tolist()
    assert len(set(hashes)) == 3
    assert hashes[2] == 0
    assert hash_values(values[1:]).tolist() == hashes[1:]


@given(
    st.integers(1, 6), st.integers(1, 7), st.sampled_from([np.float32, np.float64]), st.integers(0, 2**32), st.data()
)
def test_one_changed_number_changes_the_hash_of_its_row_alone(n_rows, n_columns, dtype, seed, data):
    matrix = np.random.default_rng(seed).random((n_rows, n_columns)).astype(dtype)
    row, column = data.draw(st.integers(0, n_rows - 1)), data.draw(st.integers(0, n_columns - 1))
    changed = matrix.copy()
    changed[row, column] = np.nextafter(changed[row, column], dtype(2))
    differs = hash_matrix(matrix) != hash_matrix(changed)
    assert differs.tolist() == [i == row for i in range(n_rows)]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_columns", [1, 2, 3, 100])
def test_the_hash_of_a_row_does_not_depend_on_the_rows_beside_it(dtype, n_columns):
    matrix = np.random.default_rng(5).random((50, n_columns)).astype(dtype)
    whole = hash_matrix(matrix)
    assert np.array_equal(hash_matrix(matrix[20:30]), whole[20:30])
    assert np.array_equal(hash_matrix(np.asfortranarray(matrix)), whole)
    assert np.array_equal(hash_matrix(matrix[::2]), whole[::2])


def test_swapped_numbers_change_the_hash():
    first, second = hash_matrix(np.array([[0.25, 0.75], [0.75, 0.25]]))
    assert first != second
