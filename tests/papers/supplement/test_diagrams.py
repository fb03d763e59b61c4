"""Every figure about what is believed can be made, by its name."""

import pytest

from papers.supplement.diagrams import DIAGRAMS

pytestmark = pytest.mark.data


@pytest.mark.parametrize("name", DIAGRAMS)
def test_every_figure_has_its_name_and_a_frame(figure, name):
    found = figure(name)
    assert found.name == name
    assert found.claims
    assert len(found.frame.rows()) > 50
