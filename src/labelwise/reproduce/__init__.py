"""The papers' tables and figures, one small file each: published value, ours, and whether they agree."""

from collections.abc import Callable

from labelwise.reproduce.calibration import table_5
from labelwise.reproduce.comparison import table_7
from labelwise.reproduce.confusion import table_4
from labelwise.reproduce.cost import human_costs, superclass_costs, table_10, table_11
from labelwise.reproduce.mrr_curves import figure_3
from labelwise.reproduce.estimation import table_3, table_8
from labelwise.reproduce.identification import table_6
from labelwise.reproduce.miscalibration import table_9
from labelwise.reproduce.preprint import preprint_table_2
from labelwise.reproduce.reproduction import Claim, Reproduction, Row
from labelwise.reproduce.sources import Sources
from labelwise.reproduce.study import Study
from labelwise.reproduce.workshop import WORKSHOP

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
    **WORKSHOP,
}
"""From the name on the command line to what reproduces it."""

__all__ = ["REPRODUCTIONS", "Claim", "Reproduction", "Row", "Sources", "Study", "human_costs", "superclass_costs"]
