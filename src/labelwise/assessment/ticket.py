"""What goes to a labeller and what comes back: tickets, and what was said about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from labelwise.pool import ClassName


@dataclass(frozen=True)
class Ticket:
    """One item handed to a labeller.

    What the classifier said about the item is left out, and so is the group, which may say the same: a labeller who
    sees the prediction is biased.

    Attributes
    ----------
    number : what to tell by.
    item : id and content of the item, and the columns that were asked to be shown.
    until : when the lease ends, in seconds since 1970.
    prediction : only if the assessment is not blind.

    Examples
    --------
    >>> Ticket(3, {"id": "img-7", "text": "a small lizard"}, "ann", 600.0).to_data()
    {'ticket': 3, 'id': 'img-7', 'text': 'a small lizard'}
    """

    number: int
    item: dict[str, Any]
    labeller: str
    until: float
    prediction: ClassName | None = None

    def to_data(self) -> dict[str, Any]:
        """Return what a labeller is shown, as plain values."""
        seen = {} if self.prediction is None else {"prediction": self.prediction}
        return {"ticket": self.number} | self.item | seen


@dataclass(frozen=True)
class Said:
    """What a labeller said about a ticket: a label, or that the item is skipped.

    Attributes
    ----------
    ticket : the ticket or its number.
    label : name of the class; None to skip the item.
    reason, is_unknown : why it is skipped, and whether because the labeller looked and does not know.
    labeller : who says so; whoever the ticket was handed to unless given.
    key : a text of the client's own that makes it safe to say this again.

    Examples
    --------
    >>> Said(3, "lizard").number, Said(4, is_unknown=True).label
    (3, None)
    """

    ticket: Ticket | int
    label: ClassName | None = None
    reason: str = ""
    is_unknown: bool = False
    labeller: str | None = None
    key: str | None = None

    @property
    def number(self) -> int:
        """The number of the ticket."""
        return number_of(self.ticket)


def number_of(ticket: Ticket | int) -> int:
    """Return the number of a ticket."""
    return ticket.number if isinstance(ticket, Ticket) else int(ticket)
