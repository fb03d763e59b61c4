"""The supplement's figures, each made once with a few runs."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from papers import Reproduction, Sources, Study
from papers.supplement.diagrams import DIAGRAMS
from papers.supplement.policy_figures import POLICY_FIGURES

FIGURES = {**DIAGRAMS, **POLICY_FIGURES}
RUNS = {**dict.fromkeys(DIAGRAMS, 40), **dict.fromkeys(POLICY_FIGURES, 20)}


@pytest.fixture(scope="session")
def figure(data_folder: Path) -> Callable[[str], Reproduction]:
    """Return a figure by its name."""
    return cache(lambda name: FIGURES[name](Study(Sources(data_folder), RUNS[name], 0, 2)))
