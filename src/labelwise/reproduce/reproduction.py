"""What reproducing a table or figure gives: published value, ours, and whether they agree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

SLACK = 0.03  # of the published value, beside chance
ERRORS = 3.0  # standard errors of ours that chance may make
Step = Callable[[str], None]


@dataclass(frozen=True)
class Row:
    """One published number.

    Attributes
    ----------
    where : data set, method and label count, or whatever tells the row from others.
    protocol : "as printed" in the paper, or "as coded" in the published code where that differs.
    published, ours, error : the values, and the standard error of ours.
    """

    where: tuple[str, ...]
    protocol: str
    published: float
    ours: float
    error: float

    @property
    def bound(self) -> float:
        """How far ours may lie from the published value: three standard errors of ours, and 3 % of it.

        Published values are rounded to one decimal, which is allowed for too.
        """
        return ERRORS * self.error + SLACK * self.published + 0.05

    @property
    def agrees(self) -> bool:
        """Whether ours lies within the bound."""
        return abs(self.ours - self.published) <= self.bound


@dataclass(frozen=True)
class Reproduction:
    """A table or figure, reproduced.

    Attributes
    ----------
    name, title : what it is called in the paper.
    columns : names of the parts of each row's `where`.
    notes : what differs, and why, with what was tested.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    n_runs: int
    notes: tuple[str, ...] = ()

    def to_data(self) -> dict[str, Any]:
        """Give everything as plain values."""
        return {
            "name": self.name,
            "title": self.title,
            "runs": self.n_runs,
            "rows": [
                dict(zip(self.columns, row.where, strict=True))
                | {
                    "protocol": row.protocol,
                    "published": row.published,
                    "ours": row.ours,
                    "error": row.error,
                    "bound": row.bound,
                    "agrees": row.agrees,
                }
                for row in self.rows
            ],
            "notes": list(self.notes),
        }
