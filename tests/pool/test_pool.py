import numpy as np
import pyarrow as pa
import pytest

import labelwise as lw
from labelwise.errors import NotFoundError, UnanswerableError


@pytest.fixture
def pool():
    return lw.pool_from_arrays(
        scores=[[0.5, 0.5], [0.25, 0.75], [1.0, 0.0]],
        labels=["cat", None, "dog"],
        ids=["x", "y", "z"],
        classes=["cat", "dog"],
        columns={"age": [30, 4, None], "text": ["one", "two", "three"]},
        content=["text"],
    )


def test_counts(pool):
    assert (pool.n_items, pool.n_classes, pool.n_labelled) == (3, 2, 2)
    assert lw.pool_from_arrays(predicted=[0, 1]).n_labelled == 0


def test_hits_are_false_where_the_label_is_not_known(pool):
    assert pool.hits.tolist() == [True, False, False]


def test_an_item_shows_its_id_columns_and_content_but_never_the_prediction(pool):
    assert pool.item(0) == {"id": "x", "age": 30, "text": "one"}
    assert pool.item(np.int64(2)) == {"id": "z", "age": None, "text": "three"}


def test_items_without_ids_are_numbered_from_zero():
    pool = lw.pool_from_arrays(predicted=["a", "b"])
    assert pool.ids is None
    assert pool.id_of(1) == 1
    assert pool.all_ids().tolist() == [0, 1]


def test_shuffled_keys_depend_on_the_id_and_the_seed_alone():
    ids = [f"item-{i}" for i in range(50)]
    pool = lw.pool_from_arrays(predicted=[0, 1] * 25, ids=ids)
    turned = lw.pool_from_arrays(predicted=[1, 0] * 25, ids=ids[::-1], confidence=[0.5] * 50)
    assert pool.shuffled_keys(3).tolist() == turned.shuffled_keys(3)[::-1].tolist()
    assert pool.shuffled_keys(3).tolist() != pool.shuffled_keys(4).tolist()
    assert len(set(pool.shuffled_keys(3).tolist())) == 50


def test_shuffled_keys_of_items_without_ids_come_from_their_numbers():
    pool = lw.pool_from_arrays(predicted=[0, 1] * 25)
    numbered = lw.pool_from_arrays(predicted=[0, 1] * 25, ids=range(50))
    assert pool.shuffled_keys(3).tolist() == numbered.shuffled_keys(3).tolist()


@pytest.mark.parametrize("ids", [None, [f"item-{i}" for i in range(20)]], ids=["numbers", "texts"])
def test_every_item_is_first_equally_often_over_many_seeds(ids):
    """4,000 seeds, 20 items: the chi-square statistic exceeds 60 once in 250,000 runs (19 degrees of freedom)."""
    pool = lw.pool_from_arrays(predicted=[0, 1] * 10, ids=ids)
    firsts = np.bincount([pool.shuffled_keys(seed).argmin() for seed in range(4_000)], minlength=20)
    assert ((firsts - 200) ** 2 / 200).sum() < 60


def test_a_kept_column_comes_as_an_array(pool):
    np.testing.assert_array_equal(pool.column("age"), [30, 4, np.nan])
    assert pool.column("text").tolist() == ["one", "two", "three"]


def test_a_dictionary_column_comes_as_its_values():
    table = pa.table({"pred": ["a", "b"], "g": pa.array(["f", None]).dictionary_encode()})
    assert lw.read_pool(table).column("g").tolist() == ["f", None]


def test_a_column_that_is_not_kept_is_refused(pool, refusal):
    assert refusal(NotFoundError, pool.column, "aeg") == "The pool has no column 'aeg'. Did you mean 'age'?"
    assert refusal(NotFoundError, pool.encoded, "x") == "The pool has no column 'x'. Available: 'age', 'text'."
    bare = lw.pool_from_arrays(predicted=["a", "b"])
    assert refusal(NotFoundError, bare.column, "age") == "The pool has no column 'age'. Available: none."


@pytest.mark.parametrize(
    ("column", "values", "codes"),
    [
        (pa.array([10, 9, None, 10]), [9, 10], [1, 0, -1, 1]),
        (pa.array(["b", "a", None, "b"]), ["a", "b"], [1, 0, -1, 1]),
        (pa.array([True, False, None, True]), [False, True], [1, 0, -1, 1]),
        (pa.array([2.5, -1.0, float("nan"), 2.5]), [-1.0, 2.5], [1, 0, -1, 1]),
        (pa.array(np.array([2.5, -1, np.nan, 2.5], np.float16)), [-1.0, 2.5], [1, 0, -1, 1]),
        (pa.nulls(4), [], [-1, -1, -1, -1]),
        (pa.DictionaryArray.from_arrays(pa.array([2, 0, None, 2], pa.uint8()), pa.array(["a", "unused", "b"])),
         ["a", "b"], [1, 0, -1, 1]),
        (pa.array(["b", "a", None, "b"], pa.string_view()), ["a", "b"], [1, 0, -1, 1]),
    ],
    ids=["integers", "texts", "truth values", "floats", "small floats", "nothing", "dictionary", "view"],
)  # fmt: skip
def test_the_values_of_a_column_are_sorted_and_only_those_that_occur(column, values, codes):
    pool = lw.read_pool(pa.table({"pred": ["x", "y", "x", "y"], "g": column}))
    found, of_item = pool.encoded("g")
    assert found == values
    assert of_item.tolist() == codes
    assert of_item.dtype == np.int32


@pytest.mark.parametrize(
    ("values", "kind"), [([[1], [2]], "list<item: int64>"), ([{"a": 1}, None], "struct<a: int64>")]
)
def test_nested_values_cannot_be_sorted(values, kind, refusal):
    pool = lw.read_pool(pa.table({"pred": ["x", "y"], "g": values}))
    assert refusal(UnanswerableError, pool.encoded, "g") == (
        f"Column 'g' has {kind} values, such as {values[0]}, which cannot define groups. "
        "Group by a column of text or numbers."
    )


def test_a_class_is_found_by_name(pool, refusal):
    assert pool.class_index("dog") == 1
    assert refusal(NotFoundError, pool.class_index, "dgo") == "Class 'dgo' does not exist. Did you mean 'dog'?"


def test_text_that_reads_as_the_number_of_a_class_is_understood(refusal):
    pool = lw.pool_from_arrays(predicted=[10, 3])
    assert pool.class_index("10") == 1
    assert pool.class_index(3) == 0
    assert refusal(NotFoundError, pool.class_index, "11") == "Class '11' does not exist. Available: 3, 10."


def test_what_a_pool_lacks_is_said_with_the_option_that_gives_it(refusal):
    bare = lw.pool_from_arrays(predicted=["a", "b"])
    assert refusal(UnanswerableError, bare.known_confidence, "a grouping by score") == (
        "This pool has no confidences, but a grouping by score needs them. Read it with `scores` or `confidence`."
    )
    assert refusal(UnanswerableError, bare.known_scores, "a Brier score") == (
        "This pool has no scores per class, but a Brier score needs them. Read it with `scores`."
    )
    assert refusal(UnanswerableError, bare.known_labels, "an accuracy") == (
        "This pool has no labels, but an accuracy needs them. Read it with `label`."
    )
    assert refusal(UnanswerableError, lambda: bare.hits) == (
        "This pool has no labels, but hits needs them. Read it with `label`."
    )


def test_what_a_pool_has_is_given(pool):
    assert pool.known_confidence("x") is pool.confidence
    assert pool.known_scores("x") is pool.scores
    assert pool.known_labels("x") is pool.labels


@pytest.mark.parametrize(
    ("options", "known"),
    [
        ({"scores": [[0.5, 0.5], [0, 1]]}, "scores"),
        ({"predicted": [0, 1], "confidence": [0.5, 1]}, "confidences"),
        ({"predicted": [0, 1]}, "predictions"),
    ],
)
def test_a_pool_is_shown_in_one_line(options, known):
    pool = lw.pool_from_arrays(**options, labels=[0, None])
    assert repr(pool) == (
        f"<Pool 'arrays': 2 items, 2 classes, {known}, 1 labelled, fingerprint {pool.fingerprint[:8]}>"
    )


def test_items_are_found_by_their_ids(refusal):
    pool = lw.pool_from_arrays(predicted=[0, 1, 0], ids=["a", "b", "c"])
    assert pool.places(["c", "a"]) == [2, 0]
    assert refusal(lw.DataError, pool.places, ["a", "x"]) == "Item 'x' is not in the pool; nothing was changed."
