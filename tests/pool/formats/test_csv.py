import gzip

import pyarrow as pa
import pytest

import labelwise as lw
from labelwise.errors import DataError, NotFoundError

HEADER = "id,s0,s1,label\n"
ROWS = "a,0.5,0.5,1\nb,0.25,0.75,\n"


def long_file(replaced: dict[int, str], n_rows: int = 90_000) -> str:
    """A file of more than two blocks of 4 MB, some of its rows replaced (counted from 1)."""
    pad = "x" * 100
    lines = [replaced.get(i, f"{i}{pad},0.5,0.5,1\n") for i in range(1, n_rows + 1)]
    text = HEADER + "".join(lines)
    assert len(text) > 2 * 4 * 2**20
    return text


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + (HEADER + ROWS).encode(),
        (HEADER + ROWS).replace("\n", "\r\n").encode(),
        (HEADER + ROWS).replace("\n", "\r").encode(),
        (HEADER + ROWS + "\n\n").encode(),
        (HEADER + "\n" + ROWS).encode(),
        (HEADER + ROWS).rstrip("\n").encode(),
        (HEADER + '"a","0.5","0.5","1"\n"b","0.25","0.75",""\n').encode(),
    ],
    ids=["byte order mark", "CRLF", "CR", "blank end", "blank line", "no end of line", "quoted"],
)
def test_the_way_a_file_is_written_does_not_matter(content, write):
    plain = lw.read_pool(write("plain.csv", HEADER + ROWS), label="label")
    pool = lw.read_pool(write("pool.csv", content), label="label")
    assert pool.fingerprint == plain.fingerprint
    assert pool.all_ids().tolist() == ["a", "b"]
    assert pool.labels.tolist() == [1, -1]


def test_a_tab_separated_file_may_hold_commas(write):
    path = write("pool.tsv", "id\tpred\nSmith, J.\tcat\nDoe\tdog\n")
    assert lw.read_pool(path).all_ids().tolist() == ["Smith, J.", "Doe"]


def test_a_gzip_file_is_unpacked_on_the_way(write):
    path = write("pool.csv.gz", gzip.compress((HEADER + ROWS).encode()))
    assert lw.read_pool(path, label="label").labels.tolist() == [1, -1]


def test_fields_and_names_may_hold_line_ends_separators_and_quotes(write):
    path = write("pool.csv", '"the\nid",pred\n"a\nb","cat, big"\n"c ""d""",dog\n')
    pool = lw.read_pool(path, id="the\nid")
    assert pool.all_ids().tolist() == ["a\nb", 'c "d"']
    assert pool.classes == ("cat, big", "dog")


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        (["1", "2", "30"], [1, 2, 30]),
        (["-1", "0", "12"], [-1, 0, 12]),
        (["007", "1", "2"], ["007", "1", "2"]),
        (["1", "2", "x"], ["1", "2", "x"]),
        (["1.0", "2.0", "3.0"], ["1.0", "2.0", "3.0"]),
        (["1.10", "1.1", "2"], ["1.10", "1.1", "2"]),
        (["1e3", "2", "3"], ["1e3", "2", "3"]),
        (["-0", "1", "2"], ["-0", "1", "2"]),
        (["1234567890123456789012", "1", "2"], ["1234567890123456789012", "1", "2"]),
    ],
)
def test_ids_are_whole_numbers_only_if_all_of_them_are(ids, expected, write):
    path = write("pool.csv", "id,pred\n" + "".join(f"{i},{k % 2}\n" for k, i in enumerate(ids)))
    assert [lw.read_pool(path).id_of(item) for item in range(3)] == expected


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        (["0", "1", "10"], (0, 1, 10)),
        (["0", "1", "x"], ("0", "1", "x")),
        (["0", "", "1"], (0, 1)),
        (["", "", ""], (0, 1)),
        (["0.0", "", "2.0"], (0, 1, 2)),  # how pandas writes whole numbers beside empty cells
    ],
)
def test_classes_are_whole_numbers_only_if_all_of_them_are(labels, classes, write):
    path = write("pool.csv", "pred,label\n" + "".join(f"{k % 2},{label}\n" for k, label in enumerate(labels)))
    assert lw.read_pool(path, label="label").classes == classes


@pytest.mark.parametrize("labels", [["00", "01", "02"], ["0.5", "1.5", "2.5"], ["cat", "dog", "emu"]])
def test_labels_written_in_another_way_than_predictions_are_refused(labels, write):
    path = write("pool.csv", "pred,label\n" + "".join(f"{k % 2},{label}\n" for k, label in enumerate(labels)))
    with pytest.raises(lw.DataError) as refusal:
        lw.read_pool(path, label="label")
    assert str(refusal.value) == (
        f"Prediction 0 of row 1 is a whole number, but label {labels[0]!r} of row 1 is text. "
        "Write both the same way, or pass `classes`."
    )


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["1", "2", ""], [1, 2, None]),
        (["1", "2.5", "-1e-3"], [1.0, 2.5, -0.001]),
        (["007", "1", "2"], ["007", "1", "2"]),
        (["1", "x", ""], ["1", "x", None]),
        ([".5", "1", "2"], [".5", "1", "2"]),
        (["1,5", "2", "3"], ["1,5", "2", "3"]),
        (["true", "false", ""], ["true", "false", None]),
    ],
)
def test_a_kept_column_gets_its_type_from_all_of_its_rows(cells, expected, write):
    path = write("pool.csv", "pred,x\n" + "".join(f'{k % 2},"{cell}"\n' for k, cell in enumerate(cells)))
    pool = lw.read_pool(path)
    assert pool.columns["x"].to_pylist() == expected


def test_a_type_that_only_shows_in_the_last_block_counts_for_all_rows(write):
    path = write("pool.csv", long_file({89_999: "z,0.5,0.5,one\n"}))
    with pytest.raises(DataError, match=r"^Label 'one' of item 'z' is not one of the 2 classes\."):
        lw.read_pool(path, label="label")
    pool = lw.read_pool(path, columns=["label"])
    assert pool.columns["label"].type == pa.string()


def test_a_name_goes_before_a_position_where_there_are_no_types(write):
    path = write("pool.csv", "pred,label\n2,1\n1,2\n")
    assert lw.read_pool(path, label="label", classes=["2", "1"]).prediction.tolist() == [0, 1]
    assert lw.read_pool(path, label="label", classes=["x", "y", "z"]).prediction.tolist() == [2, 1]


def test_the_label_that_is_no_number_is_named_not_the_ones_that_are(write, refusal):
    path = write("pool.csv", "s0,s1,label\n0.5,0.5,1\n0.5,0.5,x\n")
    assert refusal(DataError, lw.read_pool, path, label="label") == (
        "Label 'x' of row 2 is not one of the 2 classes. Available: 0, 1. Correct it, or pass all class names "
        "as `classes`."
    )


@pytest.mark.parametrize("content", ["", "\n\n", "\r\n", b"\xef\xbb\xbf"])
def test_a_file_without_content_is_empty(content, write, refusal):
    assert refusal(DataError, lw.read_pool, write("pool.csv", content)) == (
        "'pool.csv' is empty. Check that it was written completely."
    )


@pytest.mark.parametrize("content", [HEADER, HEADER.strip(), HEADER + "\n\n"])
def test_a_header_alone_is_no_pool(content, write, refusal):
    assert refusal(DataError, lw.read_pool, write("pool.csv", content)) == (
        "'pool.csv' has no rows; a pool needs at least one item. Check that it was written completely."
    )


def test_a_column_name_that_comes_twice_is_refused(write, refusal):
    path = write("pool.csv", "id,s0,s1,s0\na,0.5,0.5,0.5\n")
    assert refusal(DataError, lw.read_pool, path) == (
        "Column 's0' appears twice in 'pool.csv'. Column names must be unique."
    )


RAGGED = "Complete the row, quote a field that contains the separator, or close an open quotation mark."


@pytest.mark.parametrize(
    ("rows", "number", "fields"),
    [
        ("a,0.5,0.5,1\nb,0.5,1\n", 2, "3 fields"),
        ("a,0.5,0.5,1\nb,0.5,0.5,1,9,9\n", 2, "6 fields"),
        ("a,0.5,0.5,1\nb\n", 2, "1 field"),
        ('"a\n\n",0.5,0.5,1\n\n\nb,0.5\n', 2, "2 fields"),
        ("a,0.5,0.5,1\nb,0.5", 2, "2 fields"),
        ('"a,0.5,0.5,1\nb,0.5,0.5,1\n', 1, "1 field"),
    ],
    ids=["short", "long", "one field", "after a quoted line end", "no end of line", "open quotation mark"],
)
def test_a_ragged_row_is_refused_with_its_number(rows, number, fields, write, refusal):
    assert refusal(DataError, lw.read_pool, write("pool.csv", HEADER + rows)) == (
        f"Row {number} of 'pool.csv' has {fields}, but the header has 4. {RAGGED}"
    )


def test_text_where_a_number_belongs_is_refused_with_its_row(write, refusal):
    path = write("pool.csv", HEADER + '"a\n\n",0.5,0.5,1\n\nb,0.5,0.5,1\nc,0.5,half,1\n')
    assert refusal(DataError, lw.read_pool, path) == (
        "Row 3 of 'pool.csv' has 'half' in column 's1', where a number is expected. Correct it."
    )


def test_the_column_is_right_when_others_are_not_read(write, refusal):
    path = write("pool.csv", "x,y,s0,z,s1\n1,2,0.5,3,0.5\n1,2,0.5,3,half\n")
    assert refusal(DataError, lw.read_pool, path, columns=["z"]) == (
        "Row 2 of 'pool.csv' has 'half' in column 's1', where a number is expected. Correct it."
    )


def test_a_long_text_where_a_number_belongs_is_cut(write, refusal):
    path = write("pool.csv", HEADER + f"a,{'x' * 1000},0.5,1\n")
    assert refusal(DataError, lw.read_pool, path) == (
        f"Row 1 of 'pool.csv' has '{'x' * 76}... in column 's0', where a number is expected. Correct it."
    )


QUOTED = {5: '"q\n\nq",0.5,0.5,1\n\n', 40_005: '"r\r\n",0.5,0.5,1\n'}


@pytest.mark.parametrize("number", [30_000, 55_000, 89_000])
@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ("z,x,0.5,1\n", "Row {} of 'pool.csv' has 'x' in column 's0', where a number is expected. Correct it."),
        ("z,0.5,1\n", "Row {} of 'pool.csv' has 3 fields, but the header has 4. " + RAGGED),
        ("\xe9,0.5,0.5,1\n", "Row {} of 'pool.csv' has bytes that are not UTF-8 text in column 'id'. "
         "Save the file as UTF-8."),
        (",0.5,0.5,1\n", "Row {} has no id in column 'id'. Fill it in, or choose another id column."),
    ],
    ids=["text", "ragged", "Latin-1", "no id"],
)  # fmt: skip
def test_rows_are_counted_across_blocks(number, row, sentence, write, refusal):
    path = write("pool.csv", long_file({**QUOTED, number: row}).encode("latin-1"))
    assert refusal(DataError, lw.read_pool, path, label="label") == sentence.format(number)


@pytest.mark.parametrize("number", [30_000, 89_000])
def test_rows_without_ids_are_counted_across_blocks(number, write, refusal):
    text = long_file({**QUOTED, number: "z,0.5,0.75,1\n"})
    path = write("pool.csv", text.replace("id,", "name,", 1))
    assert refusal(DataError, lw.read_pool, path, label="label") == (
        f"Scores of row {number} add up to 1.25; they must add up to 1 (within 0.01). "
        "Use `normalise` if they are unscaled, `logits` if they are logits."
    )


def test_a_file_that_is_not_utf8_is_refused(write, refusal):
    path = write("pool.csv", (HEADER + "a,0.5,0.5,1\ncafé,0.5,0.5,1\n").encode("latin-1"))
    assert refusal(DataError, lw.read_pool, path) == (
        "Row 2 of 'pool.csv' has bytes that are not UTF-8 text in column 'id'. Save the file as UTF-8."
    )


@pytest.mark.parametrize("content", [("é," + HEADER).encode("latin-1"), (HEADER + ROWS).encode("utf-16")])
def test_a_header_that_is_not_utf8_is_refused(content, write, refusal):
    assert refusal(DataError, lw.read_pool, write("pool.csv", content + b"\na,b,c,d,e\n")) == (
        "The header of 'pool.csv' is not UTF-8 text. Save the file as UTF-8."
    )


@pytest.mark.parametrize("number", [1, 100, 40_000])
def test_a_quotation_mark_that_is_never_closed_in_a_long_file_is_refused(number, write, refusal):
    text = long_file({}, n_rows=150_000)
    path = write("pool.csv", text.replace(f"\n{number}x", f'\n"{number}x', 1))
    assert refusal(DataError, lw.read_pool, path) == (
        "A row of 'pool.csv' is longer than 4 MB; probably a quotation mark was never closed. "
        "Close it, or write the data as Parquet."
    )


def test_a_truncated_gzip_file_of_several_blocks_is_refused(write, refusal):
    path = write("pool.csv.gz", gzip.compress(long_file({}).encode())[:-100])
    assert refusal(DataError, lw.read_pool, path) == (
        "'pool.csv.gz' is not a gzip file, or is damaged. Write it again."
    )


def test_the_first_field_may_be_very_long(write):
    path = write("pool.csv", f"id,pred\n{'x' * 3_000_000},cat\nb,dog\n")
    assert len(lw.read_pool(path).id_of(0)) == 3_000_000


def test_a_quotation_mark_that_is_never_closed_in_the_header_is_refused(write, refusal):
    path = write("pool.csv", '"' + long_file({}))
    assert refusal(DataError, lw.read_pool, path) == (
        "The header of 'pool.csv' cannot be read. Close its quotation marks."
    )


def test_odd_quotation_marks_in_the_header_do_not_hide_a_column(write):
    path = write("pool.csv", 'id,"pred"x,a "b"\n1,cat,u\n2,dog,v\n')
    pool = lw.read_pool(path, predicted="predx")
    assert pool.classes == ("cat", "dog")
    assert pool.column('a "b"').tolist() == ["u", "v"]


def test_a_semicolon_is_no_comma(write, refusal):
    path = write("pool.csv", "id;pred\na;cat\n")
    assert refusal(NotFoundError, lw.read_pool, path) == (
        "No column of 'pool.csv' looks like scores or predictions. Its columns are: 'id;pred'. "
        "Specify them with `scores` or `predicted`."
    )


def test_a_quotation_mark_that_is_never_closed_does_not_swallow_rows_in_silence(write):
    rows = "".join(f"{k % 2},{k % 2},x\n" for k in range(100))
    path = write("pool.csv", f'pred,label,note\n{rows}1,0,"open\n{rows}')
    with pytest.raises(lw.DataError) as refusal:
        lw.read_pool(path, label="label")
    assert str(refusal.value) == (
        "A quotation mark in 'pool.csv' is never closed: 202 lines make only 101 rows. Close it."
    )


def test_a_lone_quotation_mark_inside_a_cell_is_no_trouble(write):
    path = write("pool.csv", 'pred,label,note\n0,0,5" disk\n1,0,x\n')
    assert lw.read_pool(path, label="label").n_items == 2


def test_only_an_empty_cell_is_empty(write):
    path = write("pool.csv", "pred,label\nNA,NA\nDE,NA\nDE,\n")
    pool = lw.read_pool(path, label="label")
    assert pool.classes == ("DE", "NA")
    assert pool.labels.tolist() == [1, 1, -1]


def test_names_from_a_wildcard_do_not_make_whole_numbers_positions(write):
    path = write("pool.csv", "p_cat,p_dog,label\n0.5,0.5,1\n0.4,0.6,2\n")
    with pytest.raises(lw.DataError, match="Label 1 of row 1 is not one of the 2 classes"):
        lw.read_pool(path, scores="p_*", label="label")
    assert lw.read_pool(path, scores="p_*", label=None, columns=[]).n_items == 2


def test_a_packed_file_that_would_fill_the_memory_is_refused(tmp_path, refusal, monkeypatch):
    monkeypatch.setattr("labelwise.pool.size_limits._FREE", 1 << 20)
    line = b"cat," + b"a" * 60_000 + b"\n"
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(b"pred,text\n" + 5_000 * line))
    assert "would take more than" in refusal(lw.DataError, lw.read_pool, tmp_path / "a.csv.gz")
