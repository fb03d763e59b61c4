import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import labelwise as lw
from labelwise.errors import DataError
from labelwise.pool.batch import decode
from labelwise.pool.layout import Layout, roles_of
from labelwise.pool.rows import Growing, Rows
from labelwise.pool.source import list_columns
from strategies import GROUPS, score_tables, slices


def rows_of(table, start, stop, **said):
    """The state after the rows from start to stop of a table."""
    roles = roles_of(Layout(**said), table.column_names, list_columns(table.schema), "Table")
    state = Rows(roles, source="Table")
    batch = slices(table, [start, stop])[1]
    if batch.num_rows:
        state.add(decode(batch, roles, first_row=start))
    return state


def same(one: lw.Pool, other: lw.Pool) -> bool:
    parts = ["prediction", "confidence", "scores", "labels"]
    return (
        one.fingerprint == other.fingerprint
        and one.classes == other.classes
        and all(np.array_equal(getattr(one, part), getattr(other, part)) for part in parts)
        and one.all_ids().tolist() == other.all_ids().tolist()
        and {n: a.to_pylist() for n, a in one.columns.items()} == {n: a.to_pylist() for n, a in other.columns.items()}
    )


@given(score_tables(), st.data())
def test_merging_two_halves_equals_folding_once(table, data):
    n_rows = table.num_rows
    cut = data.draw(st.integers(0, n_rows))
    whole = rows_of(table, 0, n_rows, label="label").finish()
    halves = rows_of(table, 0, cut, label="label").merge(rows_of(table, cut, n_rows, label="label"))
    assert halves.n_rows == n_rows
    assert same(halves.finish(), whole)


@given(score_tables(most=12), st.data())
def test_merging_may_be_done_in_any_grouping(table, data):
    n_rows = table.num_rows
    one, two = sorted(data.draw(st.tuples(st.integers(0, n_rows), st.integers(0, n_rows))))

    def part(start, stop):
        return rows_of(table, start, stop, label="label")

    left = part(0, one).merge(part(one, two)).merge(part(two, n_rows))
    right = part(0, one).merge(part(one, two).merge(part(two, n_rows)))
    assert same(left.finish(), right.finish())


@given(score_tables(with_ids=True), st.randoms(use_true_random=False))
def test_the_fingerprint_does_not_depend_on_the_order_of_rows_that_have_ids(table, random):
    order = list(range(table.num_rows))
    random.shuffle(order)
    whole, shuffled = lw.read_pool(table, label="label"), lw.read_pool(table.take(order), label="label")
    assert shuffled.fingerprint == whole.fingerprint
    assert shuffled.all_ids().tolist() == [whole.id_of(i) for i in order]


def test_the_fingerprint_depends_on_the_order_of_rows_without_ids():
    table = pa.table({"pred": ["a", "b"], "x": [1, 2]})
    assert lw.read_pool(table).fingerprint != lw.read_pool(table.take([1, 0])).fingerprint


@given(score_tables(), st.data())
def test_the_fingerprint_changes_when_any_single_value_changes(table, data):
    row = data.draw(st.integers(0, table.num_rows - 1))
    n_classes = sum(name.startswith("s") for name in table.column_names)
    part = data.draw(
        st.sampled_from([n for n in ("scores", "label", "group", "id") if n in [*table.column_names, "scores"]])
    )
    if part == "scores":
        old = [table[f"s{k}"][row].as_py() for k in range(n_classes)]
        giver = old.index(max(old))
        taker = data.draw(st.sampled_from([k for k in range(n_classes) if k != giver]))
        changed = _set(_set(table, f"s{giver}", row, old[giver] - 0.0625), f"s{taker}", row, old[taker] + 0.0625)
    else:
        old = table[part][row].as_py()
        choices = {"label": [None, *range(n_classes)], "group": GROUPS, "id": ["another id" * 8]}[part]
        changed = _set(table, part, row, data.draw(st.sampled_from([value for value in choices if value != old])))
    assert lw.read_pool(changed, label="label").fingerprint != lw.read_pool(table, label="label").fingerprint


def _set(table: pa.Table, name: str, row: int, value: object) -> pa.Table:
    values = table[name].to_pylist()
    values[row] = value
    return table.set_column(table.column_names.index(name), name, pa.array(values, table[name].type))


def test_the_fingerprint_changes_with_everything_a_pool_is():
    table = pa.table({"id": ["a", "b"], "s0": [0.5, 0.25], "s1": [0.5, 0.75], "label": [0, 1], "x": ["0", "1"]})
    pools = [
        lw.read_pool(table),
        lw.read_pool(table, label="label"),
        lw.read_pool(table, label="label", columns=[]),
        lw.read_pool(table, label="label", content=["x"]),
        lw.read_pool(table, label="label", classes=["cat", "dog"]),
        lw.read_pool(table, label="label", logits=True),
        lw.read_pool(table.drop_columns("id"), label="label"),
        lw.read_pool(table.rename_columns(["id", "s0", "s1", "label", "y"]), label="label"),
        lw.read_pool(table[:1], label="label"),
        lw.read_pool(table, predicted="label"),
    ]
    assert len({pool.fingerprint for pool in pools}) == len(pools)
    assert all(len(pool.fingerprint) == 32 for pool in pools)


def test_a_pool_cannot_be_changed():
    table = pa.table({"s0": [0.5, 0.25], "s1": [0.5, 0.75], "label": [0, 1]})
    pool = lw.read_pool(table, label="label")
    for array in (pool.prediction, pool.confidence, pool.scores, pool.labels):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    named = lw.read_pool(pa.table({"pred": ["a", "b"]}))
    with pytest.raises(ValueError, match="read-only"):
        named.prediction[0] = 0


def test_no_rows_are_no_pool(refusal):
    table = pa.table({"pred": ["a", "b"]})
    assert refusal(DataError, rows_of(table, 0, 0).finish) == (
        "'Table' has no rows; a pool needs at least one item. Check that it was written completely."
    )


def test_parts_with_scores_of_different_width_do_not_merge(refusal):
    two, three = pa.table({"scores": [[0.5, 0.5]] * 4}), pa.table({"scores": [[0.5, 0.25, 0.25]]})
    assert refusal(DataError, rows_of(two, 0, 4).merge, rows_of(three, 0, 1)) == (
        "There are 3 scores for row 5, but 2 classes. Every item needs one score per class."
    )


def test_an_id_that_two_merged_parts_share_is_refused(refusal):
    table = pa.table({"id": [3, 4, 5, 4], "pred": ["a", "b", "a", "b"]})
    assert refusal(DataError, rows_of(table, 0, 2).merge(rows_of(table, 2, 4)).finish) == (
        "Id 4 appears in rows 2 and 4 of column 'id'; ids must be unique. Remove one of "
        "the rows, or choose another id column."
    )


@given(st.lists(st.integers(0, 40), max_size=12), st.integers(0, 50))
def test_a_growing_array_is_the_concatenation_of_its_parts(lengths, expected):
    growing, parts, start = Growing(expected), [], 0
    for n in lengths:
        parts.append(np.arange(start, start + 2 * n, dtype=np.float32).reshape(n, 2))
        start += 2 * n
        growing.append(parts[-1])
        assert np.array_equal(growing.filled(), np.concatenate(parts))
    if parts:
        finished = growing.finish()
        assert np.array_equal(finished, np.concatenate(parts))
        assert not finished.flags.writeable
    else:
        assert growing.finish() is None
        assert growing.filled() is None
