import gzip
import json

import pyarrow as pa
import pytest

import labelwise as lw
from labelwise.errors import DataError

GOOD = '{"id": "a", "scores": [0.5, 0.5], "label": 1}\n{"id": "b", "scores": [0.25, 0.75], "label": null}\n'


def long_file(replaced: dict[int, str], n_rows: int = 20_000) -> str:
    """A file of several blocks of 1 MB, some of its rows replaced (counted from 1)."""
    row = json.dumps({"scores": [0.5, 0.5], "label": 1, "text": "x" * 100})
    text = "".join(replaced.get(i, row) + "\n" for i in range(1, n_rows + 1))
    assert len(text) > 2 * 2**20
    return text


@pytest.mark.parametrize(
    "content",
    [
        GOOD,
        GOOD.replace("\n", "\r\n"),
        GOOD + "\n\n",
        GOOD.replace("}\n{", "}\n\n{"),
        GOOD.rstrip("\n"),
        "\ufeff" + GOOD,
        GOOD.replace(', "label": null', ""),
    ],
    ids=["plain", "CRLF", "blank end", "blank line", "no end of line", "byte order mark", "left out"],
)
def test_the_way_a_file_is_written_does_not_matter(content, write):
    pool = lw.read_pool(write("pool.jsonl", content), label="label")
    assert pool.all_ids().tolist() == ["a", "b"]
    assert pool.scores.tolist() == [[0.5, 0.5], [0.25, 0.75]]
    assert pool.labels.tolist() == [1, -1]


def test_the_other_usual_ending_is_known(write):
    assert lw.read_pool(write("pool.ndjson", GOOD)).n_items == 2


def test_text_that_looks_like_a_date_stays_text(write):
    content = '{"id": "2024-01-01", "pred": "2024-01-01"}\n{"id": "2024-01-02", "pred": "2024-01-02"}\n'
    pool = lw.read_pool(write("pool.jsonl", content))
    assert pool.all_ids().tolist() == ["2024-01-01", "2024-01-02"]
    assert pool.classes == ("2024-01-01", "2024-01-02")


def test_a_column_may_begin_late_and_be_of_two_kinds_of_numbers(write):
    rows = [f'{{"scores": [{0 if i < 10_000 else 0.5}, {1 if i < 10_000 else 0.5}]}}' for i in range(20_000)]
    rows[15_000] = '{"scores": [0.5, 0.5], "label": 1, "text": "' + "x" * 2**20 + '"}'
    pool = lw.read_pool(write("pool.jsonl", "\n".join(rows)), label="label")
    assert pool.scores[0].tolist() == [0.0, 1.0]
    assert pool.scores[-1].tolist() == [0.5, 0.5]
    assert pool.labels[15_000] == 1
    assert pool.n_labelled == 1


def test_true_and_false_are_the_classes_one_and_zero(write):
    pool = lw.read_pool(write("pool.jsonl", '{"pred": true, "label": false}\n{"pred": false}\n'), label="label")
    assert pool.classes == (0, 1)
    assert pool.prediction.tolist() == [1, 0]
    assert pool.labels.tolist() == [0, -1]


def test_a_label_that_is_nan_is_no_label(write):
    path = write("pool.jsonl", '{"pred": 0, "label": NaN}\n{"pred": 1, "label": 1}\n')
    assert lw.read_pool(path, label="label").labels.tolist() == [-1, 1]


@pytest.mark.parametrize("content", ["", "\n\n", "{}\n{}\n"])
def test_a_file_without_content_is_refused(content, write, refusal):
    assert refusal(DataError, lw.read_pool, write("pool.jsonl", content)) == (
        "'pool.jsonl' is empty. Check that it was written completely."
    )


def test_a_gzip_file_without_content_is_refused(write, refusal):
    assert refusal(DataError, lw.read_pool, write("pool.jsonl.gz", gzip.compress(b""))) == (
        "'pool.jsonl.gz' is empty. Check that it was written completely."
    )


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("hello", "'hello'"),
        ("[1, 2]", "'[1, 2]'"),
        ("5", "'5'"),
        ('{"id": "c", "scores": [0.5', '\'{"id": "c", "scores": [0.5\''),
        ('{"id": "c"} {"id": "d"', '\'{"id": "c"} {"id": "d"\''),
        ("{" + "x" * 100, "'{" + "x" * 75 + "..."),
    ],
    ids=["word", "list", "number", "broken off", "second broken off", "long"],
)
def test_a_line_that_is_no_object_is_refused_with_its_row(line, shown, write, refusal):
    assert refusal(DataError, lw.read_pool, write("pool.jsonl", GOOD + line + "\n")) == (
        f"Row 3 of 'pool.jsonl' is not a JSON object: {shown}. Write one object per line."
    )


def test_a_json_array_is_refused(write, refusal):
    assert refusal(DataError, lw.read_pool, write("pool.jsonl", '[{"pred": 1},\n{"pred": 2}]\n')) == (
        "Row 1 of 'pool.jsonl' is not a JSON object: '[{\"pred\": 1},'. Write one object per line."
    )


@pytest.mark.parametrize(("first", "second"), [(1, "1"), ("1", 1), (True, 1), ([1], 1)])
def test_a_column_of_two_types_is_refused_with_both_rows(first, second, write, refusal):
    rows = [{"pred": 1, "label": first}, {"pred": 0}, {"pred": 0, "label": second}]
    path = write("pool.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    assert refusal(DataError, lw.read_pool, path, label="label") == (
        f"Column 'label' of 'pool.jsonl' mixes types: row 1 has {first!r} and row 3 has {second!r}. "
        "Write all its values the same way."
    )


def test_text_among_the_scores_is_refused_with_its_row(write, refusal):
    path = write("pool.jsonl", GOOD + '{"id": "c", "scores": [0.5, "half"]}\n')
    assert refusal(DataError, lw.read_pool, path) == (
        "Column 'scores' of 'pool.jsonl' mixes types: row 1 has 0.5 and row 3 has 'half'. "
        "Write all its values the same way."
    )


def test_two_types_inside_an_object_are_refused_and_nothing_else_is_blamed(write, refusal):
    row = '{"pred": 1, "box": {"x": 1, "sides": [{"y": "a"}]}, "label": 1}\n'
    assert refusal(DataError, lw.read_pool, write("pool.jsonl", row + row.replace('"x": 1', '"x": "1"'))) == (
        "Column 'box' of 'pool.jsonl' mixes types: row 1 has 1 and row 2 has '1'. Write all its values the same way."
    )
    assert refusal(DataError, lw.read_pool, write("pool.jsonl", row + row.replace('"label": 1', '"label": "1"'))) == (
        "Column 'label' of 'pool.jsonl' mixes types: row 1 has 1 and row 2 has '1'. Write all its values the same way."
    )


def test_what_only_arrow_cannot_read_is_refused_without_its_words(write, refusal):
    assert refusal(DataError, lw.read_pool, write("pool.jsonl", '{"pred": 1, "x": 1e400}\n{"pred": 0}\n')) == (
        "'pool.jsonl' cannot be read as JSON Lines. Write one object per line, and use one type per column."
    )


def test_a_name_that_comes_twice_is_refused(write, refusal):
    assert refusal(DataError, lw.read_pool, write("pool.jsonl", GOOD + '{"id": "c", "id": "d"}\n')) == (
        "Row 3 of 'pool.jsonl' has the key 'id' twice. Column names must be unique."
    )


def test_bytes_that_are_not_utf8_are_refused(write, refusal):
    content = GOOD.encode() + '{"id": "é", "scores": [0.5, 0.5]}\n'.encode("latin-1")
    assert refusal(DataError, lw.read_pool, write("pool.jsonl", content)) == (
        "Row 3 of 'pool.jsonl' is not UTF-8 text. Save the file as UTF-8."
    )


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ('{"scores": [0.5, 0.5], "label": "1"}', "Column 'label' of 'pool.jsonl' mixes types: row 1 has 1 and row "
         "18001 has '1'. Write all its values the same way."),
        ('{"scores":', "Row 18001 of 'pool.jsonl' is not a JSON object: '{\"scores\":'. Write one object per line."),
        ('{"scores": [1], "label": 1}', "There is 1 score for row 18001, but 2 classes. "
         "Every item needs one score per class."),
        ('{"scores": [0.5, NaN]}', "Score number 2 of row 18001 is nan; scores must be finite numbers. "
         "Leave the item out or correct it."),
        ('{"scores": [0.5, 0.5], "label": 2}', "Label 2 of row 18001 is not one of the 2 classes. "
         "Available: 0, 1. Correct it, or pass all class names as `classes`."),
    ],
    ids=["two types", "broken", "ragged", "nan", "label"],
)  # fmt: skip
def test_rows_are_counted_across_blocks(row, sentence, write, refusal):
    path = write("pool.jsonl", long_file({18_001: row}))
    assert refusal(DataError, lw.read_pool, path, label="label") == sentence


def test_a_row_may_be_longer_than_a_block(write):
    row = json.dumps({"scores": [1 / 2**17] * 2**17}) + "\n"
    assert len(row) > 2 * 2**20
    assert lw.read_pool(write("pool.jsonl", row * 2)).n_classes == 2**17


def test_kept_columns_may_be_nested(write):
    path = write("pool.jsonl", '{"pred": 1, "box": {"x": 1, "y": [2]}}\n{"pred": 0, "box": null}\n')
    pool = lw.read_pool(path)
    assert pool.columns["box"].to_pylist() == [{"x": 1, "y": [2]}, None]
    assert pool.item(0) == {"id": 0, "box": {"x": 1, "y": [2]}}
    table = pa.table({"pred": [1, 0], "box": [{"x": 1, "y": [2]}, None]})
    assert pool.fingerprint == lw.read_pool(table).fingerprint
