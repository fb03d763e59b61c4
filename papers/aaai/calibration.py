"""Table 5 of the AAAI paper: the error of the estimated calibration error."""

from __future__ import annotations

from labelwise.groups import Grouping
from labelwise.metrics import ECE, known_value
from labelwise.simulation import Score, ece_error
from papers.aaai.estimation import COLUMNS, NOTES, Published, estimation_rows, ten_bins
from papers.reproduction import CODED, Reproduction
from papers.study import Study

TABLE_5: Published = {
    "CIFAR-100": (
        (20, 50, 100),
        {"UPrior": (76.7, 40.5, 25.7), "IPrior": (26.4, 23.4, 21.5), "IPrior+TS": (28.7, 26.7, 23.2)},
    ),
    "SVHN": (
        (20, 50, 100),
        {"UPrior": (383.6, 155.8, 108.2), "IPrior": (86.2, 93.1, 80.6), "IPrior+TS": (49.7, 44.2, 36.6)},
    ),
}
_BINS = 20  # of equal width, in which the published code measures the truth


def table_5(study: Study) -> Reproduction:
    """Return the error of the ECE as a part of the true one."""
    rows = estimation_rows("table 5", TABLE_5, ten_bins, _score, study)
    return Reproduction("5", "Error of the estimated ECE (% of the true one)", COLUMNS, rows, study.n_runs, _NOTES)


def _score(groups: Grouping, protocol: str) -> Score:
    return ece_error(known_value(ECE(_BINS), groups.pool) if protocol == CODED else None)


_NOTES = (
    *NOTES,
    f"As coded, the estimate has ten bins of equally many items and its truth {_BINS} bins of equal width, so that the "
    "error does not reach zero with all labels. As printed: the same ten bins for both.",
)
