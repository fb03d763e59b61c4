"""What reproducing a table or figure gives: published values and directions, ours, and whether they agree."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from labelwise.pool import Frame

SLACK = 0.03  # of the published value, beside chance
ERRORS = 3.0  # standard errors that chance may make
PRINTED, CODED = "as printed", "as coded"


@dataclass(frozen=True)
class Row:
    """One published number.

    Attributes
    ----------
    where : data set, method and label count, or whatever tells the row from others.
    protocol : "as printed" in the paper, or "as coded" in the published code where that differs.
    published, ours, error : the values, and the standard error of ours.
    chance : the standard error that the published value must have itself, by the number of its runs.
    digits : decimals of the published value.
    cause : why the values differ, if they do, as far as it was tested.
    """

    where: tuple[str, ...]
    protocol: str
    published: float
    ours: float
    error: float
    chance: float = 0.0
    digits: int = 1
    cause: str = ""

    @property
    def bound(self) -> float:
        """How far ours may lie from the published value: three standard errors, 3 % of it, and its rounding."""
        rounding = 0.5 * 10.0**-self.digits
        return ERRORS * math.hypot(self.error, self.chance) + SLACK * self.published + rounding

    @property
    def agrees(self) -> bool:
        """Whether ours lies within the bound."""
        return abs(self.ours - self.published) <= self.bound


@dataclass(frozen=True)
class Claim:
    """A direction that a table or figure shows, where no number can be set beside ours.

    Attributes
    ----------
    where : what tells the claim from others.
    says : what the papers show.
    ours : what ours shows, in numbers.
    holds : whether it is so in ours.
    cause : why it does not hold, if it does not, as far as it was tested.
    """

    where: str
    says: str
    ours: str
    holds: bool
    cause: str = ""


@dataclass(frozen=True, eq=False)
class Reproduction:
    """A table or figure, reproduced.

    Attributes
    ----------
    name, title : what it is called on the command line, and what it shows.
    columns : names of the parts of each row's `where`.
    rows, claims : published numbers and directions beside ours.
    n_runs : runs of each row; 0 if nothing is left to chance.
    notes : what differs, and why, with what was tested.
    frame : all that a figure draws.
    """

    name: str
    title: str
    columns: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    n_runs: int = 0
    notes: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()
    frame: Frame | None = None

    def cause_of(self, row: Row) -> str:
        """Return why a row disagrees: its own cause, or the slip in the published code if that protocol agrees."""
        if row.agrees:
            return ""
        coded = [other for other in self.rows if other.where == row.where and other.protocol == CODED]
        if row.protocol == PRINTED and coded and coded[0].agrees:
            return "the published code does otherwise: as coded it agrees"
        return row.cause

    @property
    def unexplained(self) -> Sequence[Row | Claim]:
        """Rows that disagree and claims that do not hold, with no cause given."""
        rows = [row for row in self.rows if not row.agrees and not self.cause_of(row)]
        return [*rows, *(claim for claim in self.claims if not claim.holds and not claim.cause)]

    def to_data(self) -> dict[str, Any]:
        """Return everything but the frame as plain values."""
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
                    "chance": row.chance,
                    "bound": row.bound,
                    "agrees": row.agrees,
                    "cause": self.cause_of(row),
                }
                for row in self.rows
            ],
            "claims": [
                {"where": one.where, "says": one.says, "ours": one.ours, "holds": one.holds, "cause": one.cause}
                for one in self.claims
            ],
            "notes": list(self.notes),
        }
