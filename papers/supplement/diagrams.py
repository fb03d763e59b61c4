"""The figures of the AAAI supplement about what is believed: reliability, calibration error, ranks, differences."""

from collections.abc import Callable

from papers.reproduction import Reproduction
from papers.study import Study
from papers.supplement.differences import differences
from papers.supplement.ece_error import ece_error_curves
from papers.supplement.ece_posterior import ece_posterior
from papers.supplement.rankings import rankings
from papers.supplement.reliability import reliability_diagrams
from papers.supplement.scatter import scatter

DIAGRAMS: dict[str, Callable[[Study], Reproduction]] = {
    "supplement-reliability": reliability_diagrams,
    "supplement-ece-posterior": ece_posterior,
    "supplement-ece-error": ece_error_curves,
    "supplement-scatter": scatter,
    "supplement-rankings": rankings,
    "supplement-differences": differences,
}
"""From the name on the command line to what reproduces it."""
