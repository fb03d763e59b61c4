"""The data of a reliability diagram: per bin accuracy with its interval beside the confidence."""

from __future__ import annotations

import numpy as np

from labelwise.beliefs import CellBelief, Kind, Target
from labelwise.pool import Frame


def reliability(
    belief: CellBelief, *, level: float = 0.95, kind: Kind = "equal-tailed", target: Target = "population"
) -> Frame:
    """Return one row per group and bin that holds items: mean confidence, accuracy with interval, items and labels.

    The accuracy is the posterior mean, so a bin with one label, or none, has a wide interval and not a point.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=[0, 0, 1], confidence=[0.9, 0.4, 0.8], labels=[0, 1, 1])
    >>> frame = reliability(lw.belief_from_labels(lw.metrics.ECE(bins=2), lw.everything(pool)))
    >>> list(frame)
    ['group', 'bin', 'confidence', 'accuracy', 'low', 'high', 'items', 'labels']
    >>> frame["accuracy"].round(3)
    array([0.267, 0.925])
    """
    low, high = belief.interval(level, kind=kind, target=target)
    sizes = belief.cells.n_items
    bins = belief.cells.factors[-1].names
    shown = np.flatnonzero((sizes > 0) & np.repeat(belief.groups.candidates, len(bins)))
    return Frame(
        {
            "group": [belief.names[cell // len(bins)] for cell in shown],
            "bin": [bins[cell % len(bins)] for cell in shown],
            "confidence": belief.confidence.ravel()[shown],
            "accuracy": belief.mean(target=target).ravel()[shown],
            "low": low.ravel()[shown],
            "high": high.ravel()[shown],
            "items": sizes[shown],
            "labels": belief.beta.labels[shown],
        }
    )
