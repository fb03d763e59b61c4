"""The papers' tables and figures, one small file each: published value, ours, and whether they agree."""

from collections.abc import Callable

from labelwise.reproduce.estimation import table_3, table_8
from labelwise.reproduce.identification import table_6
from labelwise.reproduce.reproduction import Claim, Reproduction, Row
from labelwise.reproduce.sources import Sources
from labelwise.reproduce.study import Study

REPRODUCTIONS: dict[str, Callable[[Study], Reproduction]] = {
    "3": table_3,
    "6": table_6,
    "8": table_8,
}
"""From the name on the command line to what reproduces it."""

__all__ = ["REPRODUCTIONS", "Claim", "Reproduction", "Row", "Sources", "Study"]
