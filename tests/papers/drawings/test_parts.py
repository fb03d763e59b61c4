"""Parts of a frame."""

import numpy as np

from labelwise.pool import Frame
from papers import Reproduction
from papers.drawings.parts import columns_of, split


def test_parts_hold_every_row_once_in_the_order_of_their_first():
    frame = Frame({"data": ["b", "a", "b", "a"], "m": [1, 1, 1, 2], "x": [1.0, 2.0, 3.0, 4.0]})
    columns = columns_of(Reproduction("fig3", "MRR", n_runs=10, frame=frame))
    assert isinstance(columns["x"], np.ndarray)
    parts = [(key, part["x"].tolist()) for key, part in split(columns, "data", "m")]
    assert parts == [(("b", 1), [1.0, 3.0]), (("a", 1), [2.0]), (("a", 2), [4.0])]
