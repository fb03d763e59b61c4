import gzip

import numpy as np
import pytest

import labelwise as lw
from labelwise.errors import DataError

CONTENT = "1 0.25 0.75\n0 0.5 0.5\n1 1.0 0.0\n"


@pytest.mark.parametrize(
    "content",
    [
        CONTENT,
        CONTENT.replace(" ", "\t"),
        CONTENT.replace(" ", "   ").replace("\n", "  \r\n\r\n"),
        "\ufeff" + CONTENT,
        "\n" + CONTENT.rstrip("\n"),
    ],
    ids=["spaces", "tabs", "blank lines", "byte order mark", "no end of line"],
)
def test_the_columns_of_a_file_without_header_get_names(content, write):
    pool = lw.read_pool(write("pool.txt", content), label="label")
    assert pool.classes == (0, 1)
    assert pool.scores.tolist() == [[0.25, 0.75], [0.5, 0.5], [1.0, 0.0]]
    assert pool.labels.tolist() == [1, 0, 1]
    assert pool.fingerprint == lw.read_pool(write("plain.txt", CONTENT), label="label").fingerprint


def test_the_label_is_a_kept_column_unless_it_is_named(write):
    pool = lw.read_pool(write("pool.txt", CONTENT))
    assert pool.labels is None
    assert pool.column("label").tolist() == [1, 0, 1]


def test_labels_may_be_names(write):
    path = write("pool.txt", CONTENT.replace("1 0", "dog 0", 1))
    with pytest.raises(DataError, match=r"^Label 'dog' of row 1 is not one of the 2 classes\."):
        lw.read_pool(path, label="label")
    pool = lw.read_pool(write("named.txt", "dog 0.25 0.75\ncat 0.5 0.5\n"), label="label", classes=["cat", "dog"])
    assert pool.labels.tolist() == [1, 0]


def test_a_gzip_file_is_unpacked_on_the_way(write):
    path = write("pool.txt.gz", gzip.compress(CONTENT.encode()))
    assert lw.read_pool(path, label="label").labels.tolist() == [1, 0, 1]


def test_another_ending_needs_the_format(write):
    assert lw.read_pool(write("pool.dat", CONTENT), format="papers").n_items == 3


@pytest.mark.parametrize("content", ["", "\n  \n\t\n"])
def test_a_file_without_content_is_refused(content, write, refusal):
    assert refusal(DataError, lw.read_pool, write("pool.txt", content)) == (
        "'pool.txt' is empty. Check that it was written completely."
    )


@pytest.mark.parametrize(("content", "fields"), [("1 0.5\n0 0.5\n", "2 fields"), ("hello\n", "1 field")])
def test_a_file_of_another_kind_is_refused(content, fields, write, refusal):
    assert refusal(DataError, lw.read_pool, write("pool.txt", content)) == (
        f"The first line of 'pool.txt' has {fields}; a line must have a label and at least two scores, separated "
        "by white space. Set `format` if the file has another format."
    )


@pytest.mark.parametrize(("row", "n"), [("1 0.5", 2), ("1 0.5 0.25 0.25", 4)])
def test_a_ragged_row_is_refused_with_its_number(row, n, write, refusal):
    path = write("pool.txt", CONTENT + row + "\n")
    assert refusal(DataError, lw.read_pool, path) == (
        f"Row 4 of 'pool.txt' has {n} fields, but the first row has 3. Every row needs the same number of fields."
    )


def test_text_where_a_number_belongs_is_refused_with_its_row(write, refusal):
    path = write("pool.txt", CONTENT + "1 0.5 half\n")
    assert refusal(DataError, lw.read_pool, path) == (
        "Row 4 of 'pool.txt' has 'half' in column 's1', where a number is expected. Correct it."
    )


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ("1 -0.5 1.5", "Score 's0' of row 4 is -0.5; scores must not be negative. Use `logits` if they are logits."),
        ("1 inf 0", "Score 's0' of row 4 is inf; scores must be finite numbers. Leave the item out or correct it."),
        ("1 nan 0", "Score 's0' of row 4 is nan; scores must be finite numbers. Leave the item out or correct it."),
        ("1 0.5 0.75", "Scores of row 4 add up to 1.25; they must add up to 1 (within 0.01). "
         "Use `normalise` if they are unscaled, `logits` if they are logits."),
        ("7 0.5 0.5", "Label 7 of row 4 is not one of the 2 classes. Available: 0, 1. "
         "Correct it, or pass all class names as `classes`."),
    ],
)  # fmt: skip
def test_bad_values_are_refused_with_their_row(row, sentence, write, refusal):
    assert refusal(DataError, lw.read_pool, write("pool.txt", CONTENT + row + "\n"), label="label") == sentence


def test_bytes_that_are_not_utf8_are_refused(write, refusal):
    path = write("pool.txt", CONTENT.encode() + "é 0.5 0.5\n".encode("latin-1"))
    assert refusal(DataError, lw.read_pool, path) == (
        "Row 4 of 'pool.txt' has bytes that are not UTF-8 text in column 'label'. Save the file as UTF-8."
    )


def test_rows_are_counted_across_blocks_and_batches(write, refusal):
    rows = ["1 0.5 0.5 " + "0.0 " * 20] * 95_000
    rows[80_000] = "1 0.5 half " + "0.0 " * 20
    text = "\n".join(rows)
    assert len(text) > 2 * 4 * 2**20
    assert refusal(DataError, lw.read_pool, write("pool.txt", text)) == (
        "Row 80001 of 'pool.txt' has 'half' in column 's1', where a number is expected. Correct it."
    )
    rows[80_000] = "1 0.5 0.5"
    assert refusal(DataError, lw.read_pool, write("pool.txt", "\n".join(rows))) == (
        "Row 80001 of 'pool.txt' has 3 fields, but the first row has 23. Every row needs the same number of fields."
    )
    rows[80_000] = "1 0.5 1.5 " + "0.0 " * 20
    assert refusal(DataError, lw.read_pool, write("pool.txt", "\n".join(rows))) == (
        "Scores of row 80001 add up to 2; they must add up to 1 (within 0.01). "
        "Use `normalise` if they are unscaled, `logits` if they are logits."
    )


def test_the_papers_format_and_a_score_matrix_give_the_same_scores(write, tmp_path):
    matrix = np.array([[0.25, 0.75], [0.5, 0.5], [1.0, 0.0]])
    np.save(tmp_path / "pool.npy", matrix)
    from_text = lw.read_pool(write("pool.txt", CONTENT), columns=[])
    assert from_text.fingerprint == lw.read_pool(tmp_path / "pool.npy").fingerprint
