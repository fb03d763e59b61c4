"""Every figure and table can be drawn."""

import pytest

from papers import REPRODUCTIONS, Sources, Study
from papers.drawings import drawn
from papers.drawings.drawing import _DRAWINGS

QUICK = ("workshop-fig1", "workshop-fig2", "workshop-fig8", "supplement-differences", "supplement-scatter")
SLOWER = ("supplement-reliability", "supplement-ece-posterior", "supplement-ece-error", "workshop-fig10")


def test_every_figure_has_a_drawing_of_its_own():
    figures = [name for name in REPRODUCTIONS if "fig" in name or name.startswith("supplement-")]
    assert set(figures) <= set(_DRAWINGS) <= set(REPRODUCTIONS)


@pytest.mark.data
@pytest.mark.parametrize("name", [*QUICK, *SLOWER])
def test_figures_of_the_real_data_can_be_drawn(data_folder, name):
    found = REPRODUCTIONS[name](Study(Sources(data_folder), 10))
    chart = drawn(found)
    assert chart.svg() == chart.svg()
    assert found.title in chart.alt
