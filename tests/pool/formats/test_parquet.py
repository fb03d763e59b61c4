import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import labelwise as lw
from labelwise.errors import DataError

DAMAGED = "is not a Parquet file, or is damaged. Write it again, or set `format`."


@pytest.fixture
def parquet(tmp_path):
    def written(table, **options):
        pq.write_table(table, tmp_path / "pool.parquet", **options)
        return tmp_path / "pool.parquet"

    return written


def test_row_groups_dictionaries_and_compression_do_not_matter(parquet):
    n = 70_000
    first = np.arange(n) % 9 / 8
    table = pa.table({"s0": first, "s1": 1 - first, "group": np.array(["f", "m", "x"])[np.arange(n) % 3]})
    encoded = table.set_column(2, "group", table["group"].dictionary_encode())
    pools = [
        lw.read_pool(parquet(table)),
        lw.read_pool(parquet(table, row_group_size=1000, compression="zstd")),
        lw.read_pool(parquet(encoded, row_group_size=30_000, use_dictionary=["group"])),
    ]
    assert len({pool.fingerprint for pool in pools}) == 1
    assert all(pool.column("group").tolist() == table["group"].to_pylist() for pool in pools)


def test_column_names_may_hold_dots(parquet):
    table = pa.table({"p.cat": [0.5], "p.dog": [0.5], "p": [{"x": 1}]})
    pool = lw.read_pool(parquet(table), scores="p.*")
    assert pool.classes == ("cat", "dog")
    assert list(pool.columns) == ["p"]


def test_a_column_that_is_not_needed_may_be_damaged(parquet, write):
    table = pa.table({"pred": np.arange(1000) % 2, "junk": np.arange(1000) * 7})
    path = parquet(table, compression="none", use_dictionary=False)
    start = pq.ParquetFile(path).metadata.row_group(0).column(1).data_page_offset
    content = bytearray(path.read_bytes())
    content[start : start + 200] = b"\xff" * 200
    bad = write("bad.parquet", bytes(content))
    assert lw.read_pool(bad, columns=[]).n_items == 1000
    with pytest.raises(DataError) as caught:
        lw.read_pool(bad)
    assert str(caught.value) == f"'bad.parquet' {DAMAGED}"


@pytest.mark.parametrize("kept", [4, 100, -8, -1])
def test_a_truncated_file_is_refused(kept, parquet, write, refusal):
    content = parquet(pa.table({"pred": ["cat", "dog"] * 100})).read_bytes()
    assert refusal(DataError, lw.read_pool, write("cut.parquet", content[:kept])) == f"'cut.parquet' {DAMAGED}"


def test_a_file_of_another_kind_is_refused(write, refusal):
    assert refusal(DataError, lw.read_pool, write("pool.parquet", "id,pred\na,cat\n")) == f"'pool.parquet' {DAMAGED}"


def test_a_column_name_that_comes_twice_is_refused(parquet, refusal):
    table = pa.Table.from_arrays([pa.array([0, 1]), pa.array([1, 2])], names=["pred", "pred"])
    assert refusal(DataError, lw.read_pool, parquet(table)) == (
        "Column 'pred' appears twice in 'pool.parquet'. Column names must be unique."
    )


def test_the_file_can_be_replaced_after_a_refusal(parquet, refusal):
    path = parquet(pa.table({"pred": ["cat", None]}))
    refusal(DataError, lw.read_pool, path)
    path.unlink()
    assert lw.read_pool(parquet(pa.table({"pred": ["cat", "dog"]}))).n_items == 2


def repeated(text, n):
    return pa.DictionaryArray.from_arrays(pa.array(np.zeros(n, np.int32)), pa.array([text]))


@pytest.mark.parametrize(
    "columns",
    [
        {"pred": np.zeros(60_000_000, np.int64)},
        {"pred": repeated("a" * 1_000_000, 100_000)},
        {"pred": repeated("a" * 300_000, 3_000)},
    ],
    ids=["numbers", "texts", "a batch of texts"],
)
def test_a_small_file_that_would_fill_the_memory_is_refused(tmp_path, refusal, columns):
    pq.write_table(pa.table(columns), tmp_path / "a.parquet", compression="zstd", store_schema=False)
    n_packed = (tmp_path / "a.parquet").stat().st_size
    assert n_packed < 300_000
    before = pa.total_allocated_bytes()
    sentence = refusal(lw.DataError, lw.read_pool, tmp_path / "a.parquet")
    assert sentence.startswith(f"'a.parquet' has {n_packed:,} bytes and would take more than")
    assert pa.total_allocated_bytes() - before < 50_000_000


def test_texts_that_repeat_are_read_as_they_are(tmp_path):
    table = pa.table({"pred": ["cat", "dog"] * 5_000, "text": ["the same text for all of them"] * 10_000})
    pq.write_table(table, tmp_path / "a.parquet")
    pool = lw.read_pool(tmp_path / "a.parquet")
    assert pool.columns["text"].type == pa.string()
    assert pool.fingerprint == lw.read_pool(table).fingerprint
