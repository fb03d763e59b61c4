import pyarrow as pa
import pytest

import labelwise as lw
from labelwise.errors import DataError
from labelwise.pool.class_codes import ClassColumn, settle_classes


def column(*batches, what="Label", untyped=False):
    arrays = [b if isinstance(b, pa.Array) else pa.array(b).dictionary_encode() for b in batches]
    return ClassColumn(arrays, what, lambda row: f"row {row + 1}", untyped=untyped)


def test_batches_with_dictionaries_of_their_own_are_brought_together():
    found = column(["b", "a"], ["c", "b", None])
    assert found.values == ["b", "a", "c"]
    assert found.index.tolist() == [0, 1, 2, 0, -1]
    assert found.codes(["a", "b", "c"]).tolist() == [1, 0, 2, 1, -1]


def test_values_that_no_row_has_are_left_out():
    found = column(pa.DictionaryArray.from_arrays([2, 0], pa.array(["x", "unused", "y"])))
    assert found.values == ["x", "y"]
    assert found.codes(["x", "y"]).tolist() == [1, 0]


def test_whole_numbers_are_positions_where_classes_have_names():
    assert column([2, 0, None]).codes(["cat", "dog", "emu"]).tolist() == [2, 0, -1]


def test_whole_numbers_are_names_where_classes_are_numbers():
    assert column([2, 0, None]).codes([2, 1, 0]).tolist() == [0, 2, -1]


@pytest.mark.parametrize("value", [-1, 3])
def test_a_position_out_of_range_is_refused(value, refusal):
    assert refusal(DataError, column([0, value]).codes, ["cat", "dog", "emu"]) == (
        f"Label {value} of row 2 is not one of the 3 classes. Available: 'cat', 'dog', 'emu'. "
        "Correct it, or pass all class names as `classes`."
    )


def test_the_first_row_with_an_unknown_name_is_given(refusal):
    assert refusal(DataError, column(["cat", "dog"], ["dogg", "cat", "dogg"]).codes, ["cat", "dog"]) == (
        "Label 'dogg' of row 3 is not one of the 2 classes. Did you mean 'dog'? Correct it, or pass all class "
        "names as `classes`."
    )


def test_a_name_of_the_other_type_is_refused_as_such(refusal):
    assert refusal(DataError, column(["1", "0"]).codes, [0, 1]) == (
        "Label '1' of row 1 is text, but class 1 is a whole number. Write both the same way, or pass `classes`."
    )


def test_untyped_whole_numbers_become_numbers_only_if_all_are_written_the_usual_way():
    assert column(["1", "-2", "0"], untyped=True).values == [1, -2, 0]
    assert column(["1", "02"], untyped=True).values == ["1", "02"]
    assert column(["1", "2"]).values == ["1", "2"]


def test_classes_that_are_not_named_are_all_that_occur_in_order():
    columns = [column([10, 2], what="Prediction"), column([2, 33])]
    assert settle_classes(None, columns, untyped=False) == (2, 10, 33)


def test_untyped_columns_agree_on_text_if_one_of_them_is_text():
    columns = [column(["0", "1"], what="Prediction", untyped=True), column(["1", "x"], untyped=True)]
    assert settle_classes(None, columns, untyped=True) == ("0", "1", "x")


def test_an_untyped_column_without_values_has_no_say():
    empty = column(pa.array([None, None], pa.string()).dictionary_encode(), untyped=True)
    columns = [column(["0", "1"], what="Prediction", untyped=True), empty]
    assert settle_classes(None, columns, untyped=True) == (0, 1)
    assert empty.codes((0, 1)).tolist() == [-1, -1]


def test_predictions_and_labels_of_two_types_are_refused(refusal):
    columns = [column(["cat", "dog"], what="Prediction"), column([None, 1])]
    assert refusal(DataError, settle_classes, None, columns, untyped=False) == (
        "Prediction 'cat' of row 1 is text, but label 1 of row 2 is a whole number. "
        "Write both the same way, or pass `classes`."
    )


def test_one_class_is_refused(refusal):
    assert refusal(DataError, settle_classes, None, [column(["cat"])], untyped=False) == (
        "There is only one class, 'cat'; a classifier needs at least two. Pass all class names as `classes` if "
        "some never occur."
    )


def test_classes_that_mix_types_are_refused(refusal):
    assert refusal(DataError, settle_classes, ["cat", 1], [], untyped=False) == (
        "The `classes` mix text and whole numbers: 'cat', 1. Use only one of the two."
    )


def test_untyped_text_is_a_number_where_classes_are_numbers(refusal):
    labels = column(["1", "x"], untyped=True)
    settle_classes([0, 1], [labels], untyped=True)
    assert refusal(DataError, labels.codes, (0, 1)) == (
        "Label 'x' of row 2 is not one of the 2 classes. Available: 0, 1. Correct it, or pass all class names "
        "as `classes`."
    )


def test_an_untyped_number_is_first_of_all_a_name():
    by_name, by_position = column(["1", "2"], untyped=True), column(["1", "0"], untyped=True)
    assert settle_classes(["2", "1"], [by_name], untyped=True) == ("2", "1")
    assert by_name.codes(["2", "1"]).tolist() == [1, 0]
    settle_classes(["cat", "dog"], [by_position], untyped=True)
    assert by_position.codes(["cat", "dog"]).tolist() == [1, 0]


def test_numbers_here_and_words_there_are_not_the_same_classes(tmp_path):
    (tmp_path / "p.csv").write_text("pred,label\n0,cat\n1,dog\n")
    with pytest.raises(lw.DataError) as refusal:
        lw.read_pool(tmp_path / "p.csv", label="label")
    assert str(refusal.value) == (
        "Prediction 0 of row 1 is a whole number, but label 'cat' of row 1 is text. "
        "Write both the same way, or pass `classes`."
    )


def test_a_number_among_words_is_a_word(tmp_path):
    (tmp_path / "p.csv").write_text("pred,label\n0,cat\n1,0\n")
    assert lw.read_pool(tmp_path / "p.csv", label="label").classes == ("0", "1", "cat")


@pytest.mark.parametrize("other", ["cafe\u0301", "caf\u00e9 ", " caf\u00e9", "caf\u00e9\u00a0"])
def test_classes_that_look_alike_are_kept_apart_with_a_warning(other):
    with pytest.warns(lw.errors.DataWarning, match="look alike: they differ only in white space") as seen:
        pool = lw.pool_from_arrays(predicted=["caf\u00e9", other, "dog"])
    assert len(seen) == 1
    assert set(pool.classes) == {"caf\u00e9", other, "dog"}


def test_classes_that_differ_in_case_are_nothing_to_warn_of():
    assert lw.pool_from_arrays(predicted=["a", "A", "b"]).classes == ("A", "a", "b")
