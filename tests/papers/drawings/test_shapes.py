"""Figures of what is believed."""

from pathlib import Path

import numpy as np

from papers import REPRODUCTIONS, Sources, Study
from papers.drawings import drawn


def test_the_toy_problem_is_drawn_without_data(shown):
    found = REPRODUCTIONS["workshop-fig4"](Study(Sources(Path("data")), 10))
    chart = drawn(found)
    points = shown(chart, "points")
    assert np.allclose([row["y"] for row in points], found.frame["mean"], atol=1e-4)
    assert chart.svg().startswith("<svg")
    assert chart.frame() is found.frame
