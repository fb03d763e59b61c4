"""What a metric is believed to be: mean and interval, one entry per group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from labelwise.beliefs import Kind, Target
from labelwise.metrics.description import Description
from labelwise.pool import Frame
from labelwise.pool.html_table import group_rows, html_table

_Floats = NDArray[np.float64]
Method = Literal["exact", "draws"]


@dataclass(frozen=True, eq=False, repr=False)
class Posterior:
    """Posterior mean and credible interval of a metric, one entry per group.

    Attributes
    ----------
    description : names and worse direction of the metric.
    names : one name a group.
    mean, low, high : posterior mean, ends of the interval.
    level, kind, target : what the interval promises, and about what.
    method : whether the interval is exact or comes from draws.
    n_labels : labels that each entry rests on.
    n_draws : how many draws, if any.
    """

    description: Description
    names: tuple[str, ...]
    mean: _Floats
    low: _Floats
    high: _Floats
    n_labels: NDArray[np.int64]
    level: float
    kind: Kind
    target: Target
    method: Method
    n_draws: int | None = None

    @property
    def metric(self) -> str:
        """The name of the metric."""
        return self.description.name

    def frame(self) -> Frame:
        """Return a tidy table, one row per group."""
        return Frame(
            {
                "group": list(self.names),
                "metric": [self.metric] * len(self.names),
                "mean": self.mean,
                "low": self.low,
                "high": self.high,
                "labels": self.n_labels,
            }
        )

    def _repr_html_(self) -> str:
        title = f"{self.metric}, {self.level:.0%} {self.kind} interval, target {self.target}"
        rows = group_rows(group=self.names, mean=self.mean, low=self.low, high=self.high, labels=self.n_labels)
        return html_table(rows, title=title, n_rows=len(self.names))

    def __repr__(self) -> str:
        lines = [
            f"  {name}: {mean:.4f} [{low:.4f}, {high:.4f}]"
            for name, mean, low, high in zip(self.names[:10], self.mean, self.low, self.high, strict=False)
        ]
        more = [f"  and {len(self.names) - 10} more"] if len(self.names) > 10 else []
        head = f"<Posterior of {self.metric}, {self.level:.0%} {self.kind} interval, target {self.target}"
        return "\n".join([head, *lines, *more]) + ">"
