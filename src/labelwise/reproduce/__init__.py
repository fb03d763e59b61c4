"""The papers' tables and figures, one small file each: published value, ours, and whether they agree.

A folder a paper: `aaai/` with the preprint, `supplement/`, `workshop/`.
"""

from collections.abc import Callable

from labelwise.reproduce.aaai.calibration import table_5
from labelwise.reproduce.aaai.comparison import table_7
from labelwise.reproduce.aaai.confusion import table_4
from labelwise.reproduce.aaai.cost import human_costs, superclass_costs, table_10, table_11
from labelwise.reproduce.aaai.estimation import table_3, table_8
from labelwise.reproduce.aaai.identification import table_6
from labelwise.reproduce.aaai.miscalibration import table_9
from labelwise.reproduce.aaai.mrr_curves import figure_3
from labelwise.reproduce.aaai.preprint import preprint_table_2
from labelwise.reproduce.reproduction import Claim, Reproduction, Row
from labelwise.reproduce.sources import Sources
from labelwise.reproduce.study import Study
from labelwise.reproduce.supplement.diagrams import DIAGRAMS
from labelwise.reproduce.supplement.policy_figures import POLICY_FIGURES
from labelwise.reproduce.workshop.success import WORKSHOP

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
