"""Which groups a chart shows: all if there are few, else the first and the last, with a sentence about the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from labelwise.plots.names import short_names

FIRST, LAST = 15, 5
GAP = "\u22ee"  # axis label of the row that stands for the hidden groups
_ALL = 25  # the largest number of groups that are all shown


@dataclass(frozen=True)
class Shown:
    """Indices of the groups that are drawn, in order, and a sentence about those that are not.

    Examples
    --------
    >>> shown(range(3)).places, shown(range(3)).sentence
    ((0, 1, 2), '')
    >>> shown(range(1000)).sentence
    '980 of 1,000 groups are hidden: the 15 worst and the 5 best are shown.'
    """

    places: tuple[int, ...]
    sentence: str
    has_gap: bool = False

    def rows(self, names: Sequence[str], row: Callable[[int], dict[str, Any]]) -> list[dict[str, Any]]:
        """Return one row per group drawn, by its short name, and an empty row where groups are hidden."""
        labels = short_names([names[g] for g in self.places])
        found = [{"label": label} | row(g) for label, g in zip(labels, self.places, strict=True)]
        if self.has_gap:
            found.insert(FIRST, {"label": GAP} | dict.fromkeys(list(found[0])[1:]))
        return found


def shown(
    order: Sequence[int], empty: Sequence[int] = (), *, words: tuple[str, str] = ("worst", "best"), noun: str = "groups"
) -> Shown:
    """Choose the groups to draw. Groups without items come last and are hidden first.

    Parameters
    ----------
    order : indices of the groups that can be ordered.
    empty : indices of those that cannot.
    words : what to call the first and the last groups.
    """
    first, last = list(order), list(empty)
    n_all = len(first) + len(last)
    if n_all <= _ALL:
        return Shown(tuple(int(g) for g in first + last), "")
    kept = first if len(first) <= _ALL else first[:FIRST] + first[-LAST:]
    without = f", {len(last):,} without items" if last else ""
    hidden = f"{n_all - len(kept):,} of {n_all:,} {noun} are hidden{without}"
    ends = f": the {FIRST} {words[0]} and the {LAST} {words[1]} are shown." if len(kept) < len(first) else "."
    return Shown(tuple(int(g) for g in kept), hidden + ends, len(kept) < len(first))
