"""Figure 4 of the workshop paper, on the toy problem."""

from papers import Sources, Study
from papers.workshop.toy_figure import workshop_fig4


def test_figure_4_needs_no_data_and_holds(tmp_path):
    found = workshop_fig4(Study(Sources(tmp_path), 200))
    assert found.unexplained == []
    assert (found.frame["score"] > found.frame["accuracy"]).all()
    assert found.frame["labels"].sum() == 500
