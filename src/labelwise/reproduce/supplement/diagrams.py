"""The figures of the AAAI supplement about what is believed: reliability, calibration error, ranks, differences."""

from collections.abc import Callable

from labelwise.reproduce.reproduction import Reproduction
from labelwise.reproduce.study import Study
from labelwise.reproduce.supplement.differences import differences
from labelwise.reproduce.supplement.ece_error import ece_error_curves
from labelwise.reproduce.supplement.ece_posterior import ece_posterior
from labelwise.reproduce.supplement.rankings import rankings
from labelwise.reproduce.supplement.reliability import reliability_diagrams
from labelwise.reproduce.supplement.scatter import scatter

DIAGRAMS: dict[str, Callable[[Study], Reproduction]] = {
    "supplement-reliability": reliability_diagrams,
    "supplement-ece-posterior": ece_posterior,
    "supplement-ece-error": ece_error_curves,
    "supplement-scatter": scatter,
    "supplement-rankings": rankings,
    "supplement-differences": differences,
}
"""From the name on the command line to what reproduces it."""
