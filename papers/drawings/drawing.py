"""From a reproduction to its chart, by its name."""

from __future__ import annotations

from collections.abc import Callable

from labelwise.plots import Chart
from papers.drawings import classes, curves, shapes
from papers.drawings.rows import beside
from papers.reproduction import Reproduction

_DRAWINGS: dict[str, Callable[[Reproduction], Chart]] = {
    "10": curves.rank_curves,
    "11": curves.rank_curves,
    "fig3": curves.rank_curves,
    "supplement-reliability": shapes.reliability,
    "supplement-ece-posterior": shapes.ece_densities,
    "supplement-ece-error": curves.error_curves,
    "supplement-scatter": shapes.scatter,
    "supplement-rankings": classes.rankings,
    "supplement-differences": shapes.differences,
    "supplement-ttts": curves.counted_curves,
    "supplement-baselines": curves.counted_curves,
    "supplement-prior-strength": curves.method_curves,
    "supplement-ece-prior-strength": curves.method_curves,
    "supplement-uniform-informed": curves.prior_curves,
    **{f"workshop-fig{k}": classes.posteriors for k in (1, 5, 8)},
    **{f"workshop-fig{k}": classes.rank_bars for k in (2, 6, 9)},
    **{f"workshop-fig{k}": curves.success_curves for k in (3, 7, 10)},
    "workshop-fig4": shapes.toy,
}


def drawn(found: Reproduction) -> Chart:
    """Draw a figure, or a table as published numbers beside ours.

    Examples
    --------
    >>> from papers import Row
    >>> row = Row(("SVHN", "IPrior"), "as coded", 5.1, 5.0, 0.1)
    >>> drawn(Reproduction("3", "RMSE", ("data", "method"), (row,), 100)).alt
    'RMSE. Panels: SVHN, as coded. 1 of 1 published numbers agree with ours.'
    """
    return _DRAWINGS.get(found.name, beside)(found)
