"""Every source gives the same pool, and refuses the same mistakes in the same words."""

import os
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import labelwise as lw
from labelwise.errors import ArgumentError, DataError, NotFoundError

N_LARGE = 70_000  # more than one batch of 65,536 rows


def test_every_source_gives_the_same_pool(kind, scored, change, read_as):
    if kind == "npz":  # text arrays have no empty entries
        scored = change(scored, group=["f", "m", "m", "f"])
    pool = read_as(kind, scored, label="label")
    assert pool.classes == (0, 1, 2)
    assert pool.prediction.tolist() == [0, 1, 1, 1]  # ties go to the lowest index
    assert pool.confidence.tolist() == [0.5, 0.375, 1.0, 0.4375]
    assert pool.scores.tolist() == [[0.5, 0.25, 0.25], [0.25, 0.375, 0.375], [0.0, 1.0, 0.0], [0.125, 0.4375, 0.4375]]
    assert pool.labels.tolist() == [0, 2, -1, 1]
    assert pool.all_ids().tolist() == ["a", "b", "c", "d"]
    assert list(pool.columns) == ["group"]
    assert pool.column("group").tolist() == scored["group"].to_pylist()


def test_every_source_gives_the_same_pool_of_predictions(kind, predicted, change, read_as):
    if kind == "npz":
        predicted = change(predicted, label=["cat", "dog", "emu"])
    options = {"predicted": "pred", "confidence": "conf"} if kind == "npz" else {}
    pool = read_as(kind, predicted, label="label", **options)
    assert pool.classes == ("cat", "dog", "emu")
    assert pool.prediction.tolist() == [0, 1, 0]
    assert pool.confidence.tolist() == [0.5, 1.0, 0.0]
    assert pool.scores is None
    assert pool.labels.tolist() == [0, 1 if kind == "npz" else -1, 2]
    assert pool.all_ids().tolist() == ["a", "b", "c"]


def test_typed_sources_give_the_same_fingerprint(scored, change, read_as):
    whole = change(scored, label=[0, 2, 1, 1], group=["f", "m", "", "f"])
    kinds = ["parquet", "jsonl", "jsonl.gz", "pandas", "polars", "arrow", "reader", "duckdb", "npz", "arrays"]
    assert len({read_as(kind, whole, label="label").fingerprint for kind in kinds}) == 1


def test_empty_cells_give_the_same_fingerprint_in_every_typed_table(scored, read_as):
    # pandas makes floats of labels when one is missing; they are still the classes 0, 1 and 2
    kinds = ["parquet", "jsonl", "pandas", "polars", "arrow", "reader", "duckdb", "arrays"]
    assert len({read_as(kind, scored, label="label").fingerprint for kind in kinds}) == 1


def test_untyped_files_give_the_same_fingerprint_among_themselves(scored, read_as):
    assert len({read_as(kind, scored, label="label").fingerprint for kind in ("csv", "tsv", "csv.gz")}) == 1


def test_chunks_and_row_groups_do_not_change_the_fingerprint(scored):
    one = lw.read_pool(scored, label="label").fingerprint
    chunked = pa.concat_tables([scored[:1], scored[1:1], scored[1:3], scored[3:]])
    assert chunked["id"].num_chunks == 4
    assert lw.read_pool(chunked, label="label").fingerprint == one
    assert lw.read_pool(pl.from_arrow(chunked, rechunk=False), label="label").fingerprint == one


def test_a_large_table_is_read_alike_in_every_typed_source(read_as):
    rng = np.random.default_rng(1)
    first = rng.integers(0, 9, N_LARGE) / 8
    table = pa.table({"s0": first, "s1": 1 - first, "label": rng.integers(0, 2, N_LARGE)})
    pools = [read_as(kind, table, label="label") for kind in ("parquet", "polars", "arrow", "duckdb", "npz", "arrays")]
    assert len({pool.fingerprint for pool in pools}) == 1
    assert all(pool.n_items == N_LARGE for pool in pools)
    assert all(np.array_equal(pool.scores[:, 0], first) for pool in pools)
    assert all(np.array_equal(pool.labels, table["label"].to_numpy()) for pool in pools)


def test_a_pool_does_not_change_when_its_source_does():
    frame = pd.DataFrame({"id": [10, 20], "pred": ["a", "b"], "conf": [0.5, 0.75], "age": [30, 40]})
    pool = lw.read_pool(frame)
    frame.loc[0, ["id", "conf", "age"]] = [99, 0.125, 99]
    assert pool.all_ids().tolist() == [10, 20]
    assert pool.confidence.tolist() == [0.5, 0.75]
    assert pool.column("age").tolist() == [30, 40]


@pytest.mark.parametrize(
    "type_",
    [pa.list_(pa.float64()), pa.large_list(pa.float64()), pa.list_(pa.float64(), 2), pa.list_(pa.float32())],
    ids=str,
)
def test_scores_come_from_a_list_column_of_any_kind(type_, source_of):
    table = pa.table({"probs": pa.array([[0.5, 0.5], [0.125, 0.875]], type_), "label": [1, 1]})
    pool = lw.read_pool(source_of("parquet", table), scores="probs", label="label")
    assert pool.scores.tolist() == [[0.5, 0.5], [0.125, 0.875]]
    assert pool.classes == (0, 1)
    assert pool.prediction.tolist() == [0, 1]


def test_a_slice_of_a_list_column_is_read_from_its_own_rows():
    table = pa.table({"scores": [[1.0, 0.0], [0.5, 0.5], [0.0, 1.0], [0.25, 0.75]]})
    assert lw.read_pool(table[2:]).scores.tolist() == [[0.0, 1.0], [0.25, 0.75]]


@pytest.mark.parametrize(
    "frame",
    [
        lambda: pl.DataFrame({"scores": [[0.5, 0.5], [0.25, 0.75]]}),
        lambda: pl.DataFrame({"scores": [[0.5, 0.5], [0.25, 0.75]]}, schema={"scores": pl.Array(pl.Float64, 2)}),
        lambda: pd.DataFrame({"scores": [[0.5, 0.5], [0.25, 0.75]]}),
        lambda: pd.DataFrame({"scores": [np.array([0.5, 0.5]), np.array([0.25, 0.75])]}),
        lambda: duckdb.sql("select unnest([[0.5, 0.5], [0.25, 0.75]])::double[] as scores"),
        lambda: duckdb.sql("select unnest([[0.5, 0.5], [0.25, 0.75]])::double[2] as scores"),
    ],
    ids=["polars list", "polars array", "pandas lists", "pandas arrays", "duckdb list", "duckdb array"],
)
def test_scores_come_from_a_list_column_of_a_data_frame(frame):
    assert lw.read_pool(frame()).scores.tolist() == [[0.5, 0.5], [0.25, 0.75]]


def test_scores_come_from_a_list_in_json_lines(write):
    path = write("pool.jsonl", '{"scores": [0, 1], "label": 1}\n{"scores": [0.5, 0.5], "label": null}\n')
    pool = lw.read_pool(path, label="label")
    assert pool.scores.tolist() == [[0.0, 1.0], [0.5, 0.5]]
    assert pool.labels.tolist() == [1, -1]


def test_classes_give_the_scores_their_names_and_labels_may_be_positions(table_kind, scored, read_as):
    pool = read_as(table_kind, scored, label="label", classes=["cat", "dog", "emu"])
    assert pool.classes == ("cat", "dog", "emu")
    assert pool.labels.tolist() == [0, 2, -1, 1]


def test_predictions_may_be_positions_in_the_classes(table_kind, predicted, change, read_as):
    table = change(predicted, pred=[0, 2, 0], label=[0, None, 1])
    pool = read_as(table_kind, table, label="label", classes=["cat", "dog", "emu"])
    assert pool.prediction.tolist() == [0, 2, 0]
    assert pool.labels.tolist() == [0, -1, 1]


def test_named_classes_may_include_some_that_never_occur(table_kind, predicted, read_as):
    pool = read_as(table_kind, predicted, label="label", classes=["zebra", "emu", "dog", "cat"])
    assert pool.classes == ("zebra", "emu", "dog", "cat")
    assert pool.prediction.tolist() == [3, 2, 3]
    assert pool.labels.tolist() == [3, -1, 1]


def test_a_pool_may_have_predictions_only(table_kind, predicted, read_as):
    pool = read_as(table_kind, predicted.drop_columns(["conf", "label"]))
    assert pool.confidence is None
    assert pool.labels is None
    assert pool.prediction.tolist() == [0, 1, 0]


def test_a_label_is_only_read_when_it_is_named(table_kind, scored, read_as):
    pool = read_as(table_kind, scored)
    assert pool.labels is None
    assert list(pool.columns) == ["label", "group"]


def test_a_label_column_without_a_single_label_is_read(table_kind, predicted, change, read_as):
    table = change(predicted, pred=[0, 1, 0], label=pa.nulls(3, pa.int64()))
    pool = read_as(table_kind, table, label="label")
    assert pool.classes == (0, 1)
    assert pool.labels.tolist() == [-1, -1, -1]


def test_only_the_columns_asked_for_are_kept(table_kind, scored, change, read_as):
    table = change(scored, text=["w", "x", "y", "z"], age=[1, 2, 3, 4])
    pool = read_as(table_kind, table, label="label", columns=["age"], content=["text"])
    assert list(pool.columns) == ["age", "text"]
    assert pool.content == ("text",)
    assert pool.item(1) == {"id": "b", "age": 2, "text": "x"}
    assert list(read_as(table_kind, table, label="label", columns=[]).columns) == []


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_scores_may_be_floats_of_any_size(dtype):
    matrix = np.array([[0.5, 0.5], [0.25, 0.75]], dtype)
    pool = lw.read_pool(pa.table({"s0": matrix[:, 0], "s1": matrix[:, 1]}))
    assert pool.scores.tolist() == matrix.tolist()
    assert pool.scores.dtype == (np.float32 if dtype == np.float16 else dtype)
    assert pool.confidence.dtype == np.float64


def test_scores_may_be_decimals_integers_or_truth_values():
    decimal = pa.array([0.5, 0.25]).cast(pa.decimal128(10, 4))
    rest = pa.array([0.5, 0.75]).cast(pa.decimal128(10, 4))
    assert lw.read_pool(pa.table({"s0": decimal, "s1": rest})).confidence.tolist() == [0.5, 0.75]
    assert lw.read_pool(pa.table({"s0": [1, 0], "s1": [0, 1]})).prediction.tolist() == [0, 1]
    assert lw.read_pool(pa.table({"s0": [True, False], "s1": [False, True]})).prediction.tolist() == [0, 1]


def test_confidences_may_be_dictionary_encoded():
    table = pa.table({"pred": ["a", "b"], "conf": pa.array([0.5, 0.75]).dictionary_encode()})
    assert lw.read_pool(table).confidence.tolist() == [0.5, 0.75]


def test_logits_go_through_the_softmax(table_kind, read_as):
    table = pa.table({"s0": [0.0, 1000.0, -2.0], "s1": [0.0, 998.0, 3.0]})
    pool = read_as(table_kind, table, logits=True)
    odds = np.exp([[0.0, 0.0], [0.0, -2.0], [-5.0, 0.0]])
    np.testing.assert_allclose(pool.scores, odds / odds.sum(axis=1, keepdims=True), rtol=1e-15)
    assert pool.prediction.tolist() == [0, 0, 1]


def test_unscaled_scores_are_normalised(table_kind, read_as):
    pool = read_as(table_kind, pa.table({"s0": [3, 0, 1], "s1": [1, 2, 1]}), normalise=True)
    assert pool.scores.tolist() == [[0.75, 0.25], [0.0, 1.0], [0.5, 0.5]]


def test_scores_rounded_to_two_decimals_are_taken_as_they_are():
    pool = lw.pool_from_arrays(scores=[[0.33, 0.33, 0.33], [0.34, 0.33, 0.34]])
    assert pool.scores.tolist() == [[0.33, 0.33, 0.33], [0.34, 0.33, 0.34]]


def test_a_confidence_a_hair_above_one_is_one():
    pool = lw.pool_from_arrays(scores=np.array([[1.0000001, 0.0]], np.float32))
    assert pool.confidence.tolist() == [1.0]


@pytest.mark.parametrize(
    ("label", "classes"),
    [
        (pa.array([True, False, None]), (0, 1)),
        (pa.array([1.0, 0.0, float("nan")]), (0, 1)),
        (pa.array(np.array([1, 0, np.nan], np.float16)), (0, 1)),
        (pa.array([1, 0, None], pa.int8()), (0, 1)),
        (pa.array([1, 0, None]).cast(pa.decimal128(38, 0)), (0, 1)),
        (pa.array([1, 0, None]).dictionary_encode(), (0, 1)),
        (pa.array([1.0, 0.0, None]).dictionary_encode(), (0, 1)),
    ],
    ids=lambda value: str(getattr(value, "type", "")),
)
def test_labels_that_are_whole_numbers_of_any_type_are_the_same_classes(label, classes):
    plain = pa.table({"pred": [1, 0, 0], "label": pa.array([1, 0, None], pa.int64())})
    pool = lw.read_pool(pa.table({"pred": [1, 0, 0], "label": label}), label="label")
    assert pool.classes == classes
    assert pool.labels.tolist() == [1, 0, -1]
    assert pool.fingerprint == lw.read_pool(plain, label="label").fingerprint


@pytest.mark.parametrize(
    "label",
    [
        pd.Categorical(["x", None, "y"], categories=["unused", "y", "x"]),
        pl.Series(["x", None, "y"], dtype=pl.Enum(["unused", "y", "x"])).to_arrow(),
        pl.Series(["x", None, "y"], dtype=pl.Categorical).to_arrow(),
        pa.DictionaryArray.from_arrays(pa.array([2, 1, 0], pa.int8()), pa.array(["y", None, "x"])),
        pa.DictionaryArray.from_arrays(pa.array([0, None, 2], pa.uint8()), pa.array(["x", "x", "y"])),
        pa.array(["x", None, "y"], pa.large_string()),
        pa.array(["x", None, "y"], pa.string_view()),
    ],
    ids=["categorical", "enum", "polars categorical", "null in dictionary", "twice in dictionary", "large", "view"],
)
def test_text_labels_of_any_type_are_the_same_classes(label):
    plain = pa.table({"pred": ["x", "y", "y"], "label": ["x", None, "y"]})
    frame = pd.DataFrame({"pred": ["x", "y", "y"], "label": label}) if isinstance(label, pd.Categorical) else None
    table = pa.table({"pred": ["x", "y", "y"], "label": label}) if frame is None else frame
    pool = lw.read_pool(table, label="label")
    assert pool.classes == ("x", "y")  # categories that no row has are no classes
    assert pool.labels.tolist() == [0, -1, 1]
    assert pool.fingerprint == lw.read_pool(plain, label="label").fingerprint


def test_an_enum_of_duckdb_is_read():
    relation = duckdb.sql("select unnest(['x', 'y', 'x'])::enum('z', 'y', 'x') as pred")
    pool = lw.read_pool(relation)
    assert pool.classes == ("x", "y")
    assert pool.prediction.tolist() == [0, 1, 0]


def test_the_index_of_pandas_is_a_column_if_it_has_a_name():
    frame = pd.DataFrame({"id": ["a", "b", "c"], "pred": ["x", "y", "x"], "age": [1, 2, 3]})
    assert lw.read_pool(frame.set_index("id")).all_ids().tolist() == ["a", "b", "c"]
    some = lw.read_pool(frame.drop(columns="id").iloc[[2, 0, 1]])
    assert list(some.columns) == ["age"]


def test_whole_numbers_may_be_ids(kind, scored, change, read_as):
    table = change(scored, id=[7, -3, 12, 0], group=["f", "m", "m", "f"])
    pool = read_as(kind, table, label="label")
    assert [pool.id_of(item) for item in range(4)] == [7, -3, 12, 0]


def test_ids_may_be_dictionary_encoded(scored, change):
    encoded = change(scored, id=pa.array(["a", "b", "c", "d"]).dictionary_encode())
    pool = lw.read_pool(encoded, label="label")
    assert pool.all_ids().tolist() == ["a", "b", "c", "d"]
    assert pool.fingerprint == lw.read_pool(scored, label="label").fingerprint


def test_dates_decimals_and_truth_values_become_text_ids():
    dates = pa.array([0, 1], pa.date32())
    assert lw.read_pool(pa.table({"id": dates, "pred": ["x", "y"]})).id_of(1) == "1970-01-02"
    huge = pa.array([7, 12]).cast(pa.decimal128(38, 0))
    assert lw.read_pool(pa.table({"id": huge, "pred": ["x", "y"]})).id_of(1) == "12"
    assert lw.read_pool(pa.table({"id": [True, False], "pred": ["x", "y"]})).id_of(1) == "false"


def test_progress_is_told_after_every_batch(source_of):
    table = pa.table({"pred": np.arange(N_LARGE) % 2})
    told = []
    lw.read_pool(source_of("parquet", table), progress=lambda done, of: told.append((done, of)))
    assert told[-1] == (N_LARGE, N_LARGE)
    assert len(told) >= 2
    streamed = []
    lw.read_pool(table.to_reader(max_chunksize=40_000), progress=lambda done, of: streamed.append((done, of)))
    assert streamed == [(40_000, None), (N_LARGE, None)]


def test_a_path_may_be_text(source_of, scored):
    assert lw.read_pool(os.fspath(source_of("csv", scored))).n_items == 4


@pytest.mark.parametrize("name", ["a.pq", "a.PARQUET", "a.bin"])
def test_the_ending_or_the_option_tells_the_format(name, tmp_path, source_of, scored):
    path = source_of("parquet", scored).rename(tmp_path / name)
    assert lw.read_pool(path, format="parquet" if name == "a.bin" else None).n_items == 4


def test_a_missing_column_is_named_with_those_that_are_there(table_kind, scored, refusal, read_as, name_of):
    sentence = refusal(NotFoundError, read_as, table_kind, scored, label="truth")
    assert sentence == (
        f"Column 'truth' is not in '{name_of(table_kind)}'. Available: 'id', 's0', 's1', 's2', 'label', 'group'."
    )


@pytest.mark.parametrize("option", ["id", "predicted", "label"])
def test_a_misspelt_column_is_recognised(option, predicted, refusal):
    table = predicted.rename_columns(["identity", "prediction", "confidence", "truth"])
    wanted = {"id": "idenity", "predicted": "predicton", "label": "thruth"}[option]
    meant = {"id": "identity", "predicted": "prediction", "label": "truth"}[option]
    sentence = refusal(NotFoundError, lw.read_pool, table, **{option: wanted})
    assert sentence == f"Column '{wanted}' is not in 'Table'. Did you mean '{meant}'?"


def test_a_negative_score_is_refused(kind, scored, change, refusal, read_as, score_name):
    table = change(scored, s0=[0.5, -0.25, 0.0, 0.125], group=["f", "m", "m", "f"])
    sentence = refusal(DataError, read_as, kind, table, label="label")
    assert sentence == (
        f"Score {score_name(kind, 0)} of item 'b' is -0.25; scores must not be negative. "
        "Use `logits` if they are logits."
    )


@pytest.mark.parametrize(("value", "text"), [(np.inf, "inf"), (-np.inf, "-inf")])
def test_an_infinite_score_is_refused(value, text, kind, scored, change, refusal, read_as, score_name):
    table = change(scored, s1=[0.25, value, 1.0, 0.4375], group=["f", "m", "m", "f"])
    sentence = refusal(DataError, read_as, kind, table, label="label")
    assert sentence == (
        f"Score {score_name(kind, 1)} of item 'b' is {text}; scores must be finite numbers. "
        "Leave the item out or correct it."
    )


def test_a_score_that_is_not_a_number_is_refused(kind, scored, change, refusal, read_as, score_name):
    table = change(scored, s1=[0.25, np.nan, 1.0, 0.4375], group=["f", "m", "m", "f"])
    sentence = refusal(DataError, read_as, kind, table, label="label")
    if kind == "pandas":  # for pandas NaN is an empty cell
        assert sentence == "Score 's1' of item 'b' is missing. Leave the item out or fill it in."
    else:
        assert sentence == (
            f"Score {score_name(kind, 1)} of item 'b' is nan; scores must be finite numbers. "
            "Leave the item out or correct it."
        )


def test_an_infinite_logit_is_refused(kind, scored, change, refusal, read_as, score_name):
    table = change(scored, s2=[0.25, np.inf, 1.0, 0.4375], group=["f", "m", "m", "f"])
    sentence = refusal(DataError, read_as, kind, table, label="label", logits=True)
    assert sentence == (
        f"Score {score_name(kind, 2)} of item 'b' is inf; scores must be finite numbers. "
        "Leave the item out or correct it."
    )


def test_a_missing_score_is_refused(table_kind, scored, change, refusal, read_as):
    table = change(scored, s2=[0.25, 0.375, 0.0, None])
    sentence = refusal(DataError, read_as, table_kind, table, label="label")
    assert sentence == "Score 's2' of item 'd' is missing. Leave the item out or fill it in."


def test_scores_that_do_not_add_up_to_one_are_refused(kind, scored, change, refusal, read_as):
    table = change(scored, s0=[0.5, 0.25, 0.3125, 0.125], group=["f", "m", "m", "f"])
    sentence = refusal(DataError, read_as, kind, table, label="label")
    assert sentence == (
        "Scores of item 'c' add up to 1.3125; they must add up to 1 (within 0.01). "
        "Use `normalise` if they are unscaled, `logits` if they are logits."
    )


def test_scores_that_add_up_to_nothing_cannot_be_normalised(kind, scored, change, refusal, read_as):
    table = change(scored, s1=[0.25, 0.375, 0.0, 0.4375], group=["f", "m", "m", "f"])
    sentence = refusal(DataError, read_as, kind, table, label="label", normalise=True)
    assert sentence == (
        "Scores of item 'c' add up to 0; they must add up to a finite number above 0. Leave the item out or correct it."
    )


def test_scores_whose_sum_is_too_large_cannot_be_normalised(refusal):
    assert refusal(DataError, lw.pool_from_arrays, scores=[[1e308, 1e308]], normalise=True) == (
        "Scores of row 1 add up to inf; they must add up to a finite number above 0. Leave the item out or correct it."
    )


def test_a_duplicate_id_is_refused_with_both_rows(kind, scored, change, refusal, read_as):
    table = change(scored, id=["a", "b", "c", "b"], group=["f", "m", "m", "f"])
    sentence = refusal(DataError, read_as, kind, table, label="label")
    assert sentence == (
        "Id 'b' appears in rows 2 and 4 of column 'id'; ids must be unique. Remove one of "
        "the rows, or choose another id column."
    )


def test_a_missing_id_is_refused(table_kind, scored, change, refusal, read_as):
    table = change(scored, id=["a", "b", None, "d"])
    sentence = refusal(DataError, read_as, table_kind, table, label="label")
    assert sentence == "Row 3 has no id in column 'id'. Fill it in, or choose another id column."


def test_ids_with_fractions_are_refused_where_columns_have_types(typed_kind, scored, change, refusal, read_as):
    table = change(scored, id=[1.5, 2.0, 3.0, 4.0])
    sentence = refusal(DataError, read_as, typed_kind, table, label="label")
    assert sentence == (
        "Row 1 has the id 1.5 in column 'id'; ids must be whole numbers or text. "
        "Convert them, or choose another id column."
    )


def test_a_label_outside_the_classes_is_refused(kind, scored, change, refusal, read_as):
    table = change(scored, label=[0, 1, 7, 2], group=["f", "m", "m", "f"])
    sentence = refusal(DataError, read_as, kind, table, label="label")
    assert sentence == (
        "Label 7 of item 'c' is not one of the 3 classes. Available: 0, 1, 2. Correct it, or pass all class "
        "names as `classes`."
    )


def test_a_label_outside_the_named_classes_is_refused(table_kind, predicted, refusal, read_as):
    sentence = refusal(DataError, read_as, table_kind, predicted, label="label", classes=["cat", "dog", "emus"])
    assert sentence == (
        "Label 'emu' of item 'c' is not one of the 3 classes. Did you mean 'emus'? Correct it, or pass all "
        "class names as `classes`."
    )


def test_a_position_outside_the_named_classes_is_refused(table_kind, scored, change, refusal, read_as):
    table = change(scored, label=[0, 3, None, 1])
    sentence = refusal(DataError, read_as, table_kind, table, label="label", classes=["cat", "dog", "emu"])
    assert sentence == (
        "Label 3 of item 'b' is not one of the 3 classes. Available: 'cat', 'dog', 'emu'. "
        "Correct it, or pass all class names as `classes`."
    )


def test_text_labels_are_not_taken_for_the_numbers_of_the_score_columns(typed_kind, scored, change, refusal, read_as):
    table = change(scored, label=["0", "2", None, "1"])
    sentence = refusal(DataError, read_as, typed_kind, table, label="label")
    assert sentence == (
        "Label '0' of item 'a' is text, but class 0 is a whole number. Write both the same way, or pass `classes`."
    )


def test_predictions_and_labels_of_two_types_are_refused(typed_kind, predicted, change, refusal, read_as):
    table = change(predicted, pred=[1, 0, 1], label=["1", None, "0"])
    sentence = refusal(DataError, read_as, typed_kind, table, label="label")
    assert sentence == (
        "Prediction 1 of item 'a' is a whole number, but label '1' of item 'a' is text. "
        "Write both the same way, or pass `classes`."
    )


def test_a_label_with_a_fraction_is_refused(typed_kind, scored, change, refusal, read_as):
    table = change(scored, label=[0.0, 2.0, None, 1.5])
    sentence = refusal(DataError, read_as, typed_kind, table, label="label")
    assert sentence == "Label 1.5 of item 'd' is not a valid class name. Use text or whole numbers."


@pytest.mark.parametrize(
    ("label", "value"),
    [
        ([[1], [2], None, [3]], "[1]"),
        (pa.array([0, 1, None, 2], pa.date32()), "datetime.date(1970, 1, 1)"),
        (pa.array([b"a", b"b", None, b"c"]), "b'a'"),
        ([float("inf"), 0.0, None, 1.0], "inf"),
    ],
    ids=["lists", "dates", "bytes", "infinite"],
)
def test_what_cannot_name_a_class_is_refused(label, value, scored, change, refusal):
    sentence = refusal(DataError, lw.read_pool, change(scored, label=label), label="label")
    assert sentence == f"Label {value} of item 'a' is not a valid class name. Use text or whole numbers."


def test_one_class_is_too_few(kind, predicted, refusal, read_as):
    table = predicted.drop_columns(["label", "conf"]).set_column(1, "pred", pa.array(["cat"] * 3))
    options = {} if kind == "arrays" else {"predicted": "pred"}
    sentence = refusal(DataError, read_as, kind, table, **options)
    assert sentence == (
        "There is only one class, 'cat'; a classifier needs at least two. Pass all class names as `classes` if "
        "some never occur."
    )


def test_one_score_column_is_one_class_too_few(table_kind, scored, refusal, read_as, name_of):
    sentence = refusal(NotFoundError, read_as, table_kind, scored.select(["id", "s0"]))
    assert sentence == (
        f"No column of '{name_of(table_kind)}' looks like scores or predictions. Its columns are: 'id', 's0'. "
        "Specify them with `scores` or `predicted`."
    )
    sentence = refusal(DataError, read_as, table_kind, scored.select(["id", "s0"]), scores="s*")
    assert sentence == (
        f"Only column 's0' of '{name_of(table_kind)}' has scores, so there is only one class; a "
        "classifier needs at least two. Specify one score column per class."
    )


def test_a_table_without_rows_is_refused(kind, scored, refusal, read_as, name_of):
    if kind in ("jsonl", "jsonl.gz"):
        expected = f"'{name_of(kind)}' is empty. Check that it was written completely."
    else:
        expected = (
            f"'{name_of(kind)}' has no rows; a pool needs at least one item. Check that it was written completely."
        )
    assert refusal(DataError, read_as, kind, scored[:0]) == expected


@pytest.mark.parametrize("ending", ["parquet", "csv", "tsv", "csv.gz", "jsonl", "jsonl.gz", "npz", "npy", "txt"])
def test_a_file_of_no_bytes_is_refused(ending, write, refusal):
    path = write(f"pool.{ending}", b"")
    assert refusal(DataError, lw.read_pool, path) == f"'pool.{ending}' is empty. Check that it was written completely."


@pytest.mark.parametrize("ending", ["csv.gz", "jsonl.gz", "txt.gz"])
def test_a_damaged_gzip_file_is_refused(ending, write, refusal):
    path = write(f"pool.{ending}", b"this is not gzip at all")
    assert refusal(DataError, lw.read_pool, path) == (
        f"'pool.{ending}' is not a gzip file, or is damaged. Write it again."
    )


@pytest.mark.parametrize("ending", ["csv.gz", "jsonl.gz"])
def test_a_truncated_gzip_file_is_refused(ending, source_of, predicted, refusal):
    path = source_of(ending, pa.concat_tables([predicted] * 20))
    path.write_bytes(path.read_bytes()[:-20])
    assert refusal(DataError, lw.read_pool, path) == (
        f"'pool.{ending}' is not a gzip file, or is damaged. Write it again."
    )


def test_a_missing_prediction_is_refused(table_kind, predicted, change, refusal, read_as):
    table = change(predicted, pred=["cat", None, "dog"])
    sentence = refusal(DataError, read_as, table_kind, table)
    assert sentence == "The prediction of item 'b' is missing. Leave the item out or fill in its class."


@pytest.mark.parametrize("value", [1.5, -0.25])
def test_a_confidence_out_of_range_is_refused(value, kind, predicted, change, refusal, read_as):
    table = change(predicted.drop_columns("label"), conf=[0.5, 0.75, value])
    options = {} if kind == "arrays" else {"predicted": "pred", "confidence": "conf"}
    sentence = refusal(DataError, read_as, kind, table, **options)
    column = "confidence" if kind == "arrays" else "conf"
    assert sentence == (f"Confidence '{column}' of item 'c' is {value}; it must lie between 0 and 1. Correct it.")


def test_a_missing_confidence_is_refused(table_kind, predicted, change, refusal, read_as):
    table = change(predicted, conf=[0.5, None, 1.0])
    sentence = refusal(DataError, read_as, table_kind, table)
    assert sentence == "Confidence 'conf' of item 'b' is missing. Leave the item out or fill it in."


def test_text_where_a_score_belongs_is_refused(table_kind, scored, change, refusal, read_as, name_of):
    table = change(scored, s1=["0.25", "high", "1", "0.4375"])
    sentence = refusal(DataError, read_as, table_kind, table)
    if table_kind in ("csv", "tsv", "csv.gz"):
        assert sentence == (
            f"Row 2 of '{name_of(table_kind)}' has 'high' in column 's1', where a number is expected. Correct it."
        )
    else:
        assert sentence == "Score 's1' of item 'b' is 'high'; it must be a number. Correct it."


def test_text_where_a_confidence_belongs_is_refused(table_kind, predicted, change, refusal, read_as, name_of):
    table = change(predicted, conf=["0.5", "0.6", "very"])
    sentence = refusal(DataError, read_as, table_kind, table)
    if table_kind in ("csv", "tsv", "csv.gz"):
        assert sentence == (
            f"Row 3 of '{name_of(table_kind)}' has 'very' in column 'conf', where a number is expected. Correct it."
        )
    else:
        assert sentence == "Confidence 'conf' of item 'c' is 'very'; it must be a number. Correct it."


def test_numbers_written_as_text_in_a_typed_table_are_refused(typed_kind, scored, change, refusal, read_as):
    table = change(scored, s1=["0.25", "0.375", "1", "0.4375"])
    sentence = refusal(DataError, read_as, typed_kind, table)
    assert sentence == "Score 's1' of item 'a' is '0.25'; it must be a number. Correct it."


@pytest.mark.parametrize("typed", ["parquet", "jsonl", "pandas", "polars", "arrow", "duckdb"])
def test_lists_of_scores_of_different_length_are_refused(typed, refusal, read_as):
    table = pa.table({"id": ["a", "b"], "scores": [[0.5, 0.5], [0.25, 0.25, 0.5]]})
    assert refusal(DataError, read_as, typed, table) == (
        "There are 3 scores for item 'b', but 2 classes. Every item needs one score per class."
    )


@pytest.mark.parametrize("typed", ["parquet", "jsonl", "pandas", "polars", "arrow", "duckdb"])
def test_a_missing_list_of_scores_is_refused(typed, refusal, read_as):
    table = pa.table({"id": ["a", "b"], "scores": [[0.5, 0.5], None]})
    assert refusal(DataError, read_as, typed, table) == (
        "The scores of item 'b' are missing. Leave the item out or fill them in."
    )


def test_a_missing_score_in_a_list_is_refused(refusal):
    table = pa.table({"scores": [[0.5, 0.5], [0.5, None]]})
    assert refusal(DataError, lw.read_pool, table) == (
        "Score number 2 of row 2 is missing. Leave the item out or fill it in."
    )


def test_text_in_a_list_of_scores_is_refused(refusal):
    table = pa.table({"scores": [["0.5", "0.5"], ["0.5", "half"]]})
    assert refusal(DataError, lw.read_pool, table) == (
        "Score number 2 of row 2 is 'half'; it must be a number. Correct it."
    )


@pytest.mark.parametrize(("scores", "count"), [([[], [0.5, 0.5]], "are 0 scores"), ([[1.0], [1.0]], "is 1 score")])
def test_lists_of_fewer_than_two_scores_are_refused(scores, count, refusal):
    assert refusal(DataError, lw.read_pool, pa.table({"scores": scores})) == (
        f"There {count} for row 1, but a classifier needs at least two classes. Every item needs one score per class."
    )


def test_a_list_that_does_not_fit_the_named_classes_is_refused(refusal):
    table = pa.table({"scores": [[0.5, 0.5]]})
    assert refusal(DataError, lw.read_pool, table, classes=["a", "b", "c"]) == (
        "There are 2 scores for row 1, but 3 classes. Every item needs one score per class."
    )


@pytest.mark.parametrize("kind_", ["parquet", "csv", "jsonl", "npz", "pandas", "polars", "duckdb", "reader", "arrays"])
def test_rows_are_counted_across_batches(kind_, refusal, read_as):
    first = np.full(N_LARGE, 0.5)
    first[68_000] = 0.75
    table = pa.table({"s0": first, "s1": np.full(N_LARGE, 0.5)})
    assert refusal(DataError, read_as, kind_, table) == (
        "Scores of row 68001 add up to 1.25; they must add up to 1 (within 0.01). "
        "Use `normalise` if they are unscaled, `logits` if they are logits."
    )


def test_rows_of_labels_are_counted_across_batches(refusal, source_of):
    label = np.zeros(N_LARGE, int)
    label[[67_000, 69_000]] = 5
    table = pa.table({"pred": np.arange(N_LARGE) % 2, "label": label})
    sentence = refusal(DataError, lw.read_pool, source_of("parquet", table), label="label", classes=[0, 1])
    assert sentence == (
        "Label 5 of row 67001 is not one of the 2 classes. Available: 0, 1. Correct it, or pass all class names "
        "as `classes`."
    )
    half = label.astype(float)
    half[[67_000, 69_000]] = 0.5
    table = pa.table({"pred": np.arange(N_LARGE) % 2, "label": half})
    assert refusal(DataError, lw.read_pool, table, label="label") == (
        "Label 0.5 of row 67001 is not a valid class name. Use text or whole numbers."
    )


def test_rows_of_lists_ids_and_predictions_are_counted_across_batches(refusal):
    scores = [[0.5, 0.5]] * N_LARGE
    scores[66_000] = [1.0]
    assert refusal(DataError, lw.read_pool, pa.table({"scores": scores})) == (
        "There is 1 score for row 66001, but 2 classes. Every item needs one score per class."
    )
    ids = list(range(N_LARGE))
    ids[66_001] = None
    pred = [i % 2 for i in range(N_LARGE)]
    assert refusal(DataError, lw.read_pool, pa.table({"id": ids, "pred": pred})) == (
        "Row 66002 has no id in column 'id'. Fill it in, or choose another id column."
    )
    ids[66_001] = 5
    assert refusal(DataError, lw.read_pool, pa.table({"id": ids, "pred": pred})) == (
        "Id 5 appears in rows 6 and 66002 of column 'id'; ids must be unique. Remove one of "
        "the rows, or choose another id column."
    )
    pred[66_002] = None
    assert refusal(DataError, lw.read_pool, pa.table({"pred": pred})) == (
        "The prediction of row 66003 is missing. Leave the item out or fill in its class."
    )


@pytest.mark.parametrize(("values", "first", "second"), [([1, None, "1"], "1", "'1'"), (["1", None, 1], "'1'", "1")])
def test_a_pandas_column_of_two_types_is_refused_with_both_rows(values, first, second, refusal):
    frame = pd.DataFrame({"pred": ["0", "1", "1"], "label": pd.Series(values, dtype=object)})
    assert refusal(DataError, lw.read_pool, frame, label="label") == (
        f"Column 'label' mixes types: row 1 has {first} and row 3 has {second}. Write all its values the same way."
    )


def test_a_long_value_is_cut_in_the_message(refusal):
    table = pa.table({"id": ["a" * 5000, "b"], "pred": ["x", "y"], "label": ["z" * 5000, "x"]})
    sentence = refusal(DataError, lw.read_pool, table, label="label", classes=["x", "y"])
    assert sentence == (
        f"Label '{'z' * 76}... of item '{'a' * 76}... is not one of the 2 classes. Available: 'x', 'y'. "
        "Correct it, or pass all class names as `classes`."
    )


def test_a_file_that_is_not_there_is_refused(tmp_path, refusal):
    path = tmp_path / "nothing.csv"
    assert refusal(NotFoundError, lw.read_pool, path) == f"'{path}' does not exist. Check the path."


def test_a_folder_is_refused(tmp_path, refusal):
    assert refusal(NotFoundError, lw.read_pool, tmp_path) == f"'{tmp_path}' is a folder, not a file. Check the path."


@pytest.mark.parametrize("name", ["pool.xlsx", "pool", "pool.gz"])
def test_an_ending_that_says_nothing_is_refused(name, write, refusal):
    assert refusal(ArgumentError, lw.read_pool, write(name, "id,pred\n")) == (
        f"The format of '{name}' is not clear from its extension. "
        "Set `format`: 'parquet', 'csv', 'tsv', 'jsonl', 'npz', 'npy', 'papers'."
    )


def test_a_format_that_does_not_exist_is_refused(write, refusal):
    assert refusal(ArgumentError, lw.read_pool, write("pool.csv", "id,pred\n"), format="xlsx") == (
        "`format` must be one of 'parquet', 'csv', 'tsv', 'jsonl', 'npz', 'npy', 'papers', but is 'xlsx'."
    )


def test_a_format_for_a_data_frame_is_refused(predicted, refusal):
    assert refusal(ArgumentError, lw.read_pool, predicted, format="csv") == (
        "`format` ('csv') applies only to files, not to Table. Leave it out."
    )


def test_scores_and_predictions_together_are_refused(kind, scored, change, refusal, read_as):
    table = change(scored, pred=[0, 1, 2, 0], group=["f", "m", "m", "f"])
    options = {} if kind == "arrays" else {"scores": "s*", "predicted": "pred"}
    assert refusal(ArgumentError, read_as, kind, table, **options) == (
        "Use either `scores` or `predicted` (with `confidence`), not both."
    )


def test_classes_that_come_twice_are_refused(kind, scored, change, refusal, read_as):
    table = change(scored, group=["f", "m", "m", "f"])
    assert refusal(ArgumentError, read_as, kind, table, classes=["cat", "dog", "cat"]) == (
        "Class 'cat' appears twice in `classes`. Class names must be unique."
    )


def test_no_message_of_a_damaged_file_shows_the_machinery(write, refusal):
    for ending in ("parquet", "npz", "npy", "jsonl", "csv.gz", "txt.gz"):
        path: Path = write(f"pool.{ending}", bytes(range(256)) * 8)
        sentence = refusal(DataError, lw.read_pool, path)
        assert not any(word in sentence for word in ("Arrow", "arrow", "Error", "numpy", "0x", "zlib", "Traceback"))
