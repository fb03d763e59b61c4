import numpy as np

import labelwise as lw


def test_all_items_are_in_one_group():
    pool = lw.pool_from_arrays(predicted=["cat", "dog", "cat"], confidence=[0.5, 0.25, 0.75])
    groups = lw.everything(pool)
    assert groups.names == ("all items",)
    assert groups.of_item.tolist() == [0, 0, 0]
    assert groups.share.tolist() == [1.0]
    assert groups.mean_confidence.tolist() == [0.5]
    assert groups.rule == "nothing"
    assert groups.of_item.dtype == np.int32
