"""What a metric is called, and which direction is worse: all that tables and charts need to know of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

Worse = Literal["low", "high"]


@dataclass(frozen=True)
class Description:
    """The names of a metric and its worse direction. Posteriors and differences carry it along.

    Attributes
    ----------
    name : as on the command line and in tables.
    worse : whether a low or a high value is the bad one.
    label : within a sentence.
    title : of an axis.

    Examples
    --------
    >>> import labelwise as lw
    >>> lw.ece.description
    Description(name='ece', worse='high', label='ECE', title='Expected calibration error (ECE)')
    """

    name: str
    worse: Worse
    label: str
    title: str

    @property
    def heading(self) -> str:
        """The label at the start of a sentence."""
        return self.label[:1].upper() + self.label[1:]

    @property
    def sign(self) -> float:
        """Multiplies values so that the worst comes first in ascending order."""
        return 1.0 if self.worse == "low" else -1.0


class Described:
    """The part of a metric that says what it is called and which direction is worse."""

    name: ClassVar[str]
    """How the metric is called on the command line and in tables."""
    worse: ClassVar[Worse]
    """Whether a low or a high value is the bad one."""
    label: ClassVar[str] = ""
    """How the metric is called within a sentence; its name unless given."""
    title: ClassVar[str] = ""
    """How an axis of its values is titled; its label unless given."""

    is_share_of_hits: ClassVar[bool] = False
    """Whether it is accuracy itself, for which more holds exactly and without a prior."""

    @property
    def description(self) -> Description:
        """Its names and its worse direction, for whoever shows its values."""
        label = self.label or self.name
        return Description(self.name, self.worse, label, self.title or label[:1].upper() + label[1:])
