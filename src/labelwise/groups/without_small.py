"""Grouping in which small groups are left out: they are neither asked nor named."""

from __future__ import annotations

from dataclasses import replace

from labelwise.checks import check_count
from labelwise.errors import UnanswerableError
from labelwise.groups.grouping import Grouping


def without_small(grouping: Grouping, min_items: int) -> Grouping:
    """Leave out the groups with fewer than `min_items` items.

    Every item keeps its group. A group that is left out is not asked, not ranked and not named; answers and reports
    say how many there are. Cross groupings first, and leave out small groups last: a crossing asks anew.

    Parameters
    ----------
    grouping : the grouping.
    min_items : the smallest number of items that a group must have to take part.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(predicted=["cat"] * 40 + ["dog"] * 50 + ["emu"] * 3)
    >>> groups = without_small(lw.by_prediction(pool), 30)
    >>> groups.candidates, groups.left_out
    (array([ True,  True, False]), '1 group with fewer than 30 items was left out (3 items)')
    """
    check_count(min_items, "min_items")
    found = replace(grouping, min_items=min_items)
    if not found.candidates.any():
        largest = int(grouping.n_items.argmax())
        raise UnanswerableError(
            f"No group has {min_items:,} items; the largest, '{grouping.names[largest]}', has "
            f"{grouping.n_items[largest]:,}. Ask for fewer items per group."
        )
    return found


def check_complete(grouping: Grouping, question: str) -> None:
    """Raise UnanswerableError if groups are left out of a question that is about every item.

    Parameters
    ----------
    question : what is asked, as the start of a sentence.
    """
    if grouping.n_left_out:
        raise UnanswerableError(f"{question} needs every group, but {grouping.left_out}. Pool small groups instead.")


def check_candidate(grouping: Grouping, group: int) -> None:
    """Raise UnanswerableError if a group that was asked for is left out."""
    if not grouping.candidates[group]:
        raise UnanswerableError(
            f"Group '{grouping.names[group]}' has {grouping.n_items[group]:,} items, and groups with fewer than "
            f"{grouping.min_items:,} are left out. Name others, or leave out fewer."
        )
