"""The papers' tables and figures, one small file each: published value, ours, and whether they agree.

A folder a paper: `aaai/` with the preprint, `supplement/`, `workshop/`.
"""

from collections.abc import Callable

from papers.aaai.calibration import table_5
from papers.aaai.comparison import table_7
from papers.aaai.confusion import table_4
from papers.aaai.cost import human_costs, superclass_costs, table_10, table_11
from papers.aaai.estimation import table_3, table_8
from papers.aaai.identification import table_6
from papers.aaai.miscalibration import table_9
from papers.aaai.mrr_curves import figure_3
from papers.aaai.preprint import preprint_table_2
from papers.reproduction import Claim, Reproduction, Row
from papers.sources import Sources
from papers.study import Study
from papers.supplement.diagrams import DIAGRAMS
from papers.supplement.policy_figures import POLICY_FIGURES
from papers.workshop.success import WORKSHOP

REPRODUCTIONS: dict[str, Callable[[Study], Reproduction]] = {
    "3": table_3,
    "4": table_4,
    "5": table_5,
    "6": table_6,
    "7": table_7,
    "8": table_8,
    "9": table_9,
    "10": table_10,
    "11": table_11,
    "fig3": figure_3,
    "preprint-table-2": preprint_table_2,
    **DIAGRAMS,
    **POLICY_FIGURES,
    **WORKSHOP,
}
"""From the name on the command line to what reproduces it."""

__all__ = ["REPRODUCTIONS", "Claim", "Reproduction", "Row", "Sources", "Study", "human_costs", "superclass_costs"]
