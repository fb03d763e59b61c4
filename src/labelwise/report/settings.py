"""How to measure: everything that a reader must know to have the numbers again."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from labelwise.beliefs import Kind, Prior, Target
from labelwise.groups import BinRule, Grouping
from labelwise.groups.by_score import BINS
from labelwise.metrics.difference import MARGIN
from labelwise.metrics.metric import N_DRAWS


@dataclass(frozen=True)
class Settings:
    """How to measure: everything that a reader must know to have the numbers again."""

    target: Target = "population"
    level: float = 0.95
    kind: Kind = "equal-tailed"
    bins: int = BINS
    equal: BinRule = "width"
    prior: Prior | None = None
    former: Grouping | None = None
    discount: float = 1.0
    n_draws: int = N_DRAWS
    m: int = 1
    margin: float = MARGIN
    seed: int = 0

    def said(self) -> dict[str, Any]:
        """Return the settings as they go into a report."""
        prior = "each metric's default" if self.prior is None else repr(self.prior)
        if self.former is not None:
            prior = f"what '{self.former.pool.source}' taught, discounted to {self.discount:g}"
        kept = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in ("prior", "former", "discount")}
        return kept | {"prior": prior}
