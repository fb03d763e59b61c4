"""What each kind of interval promises, in words."""

from __future__ import annotations

from textwrap import fill
from typing import Any

from labelwise.report.table import percent

KINDS = {"credible": "credible", "always_valid": "always valid", "design_based": "design-based"}
_WIDTH = 100


def guarantees(level: float, *, always: bool = False, design: bool = False) -> dict[str, str]:
    """Return what the intervals of a document guarantee, one sentence per kind.

    Parameters
    ----------
    level : of the intervals.
    always, design : whether there are always-valid and design-based intervals beside the credible ones.

    Examples
    --------
    >>> guarantees(0.95)["credible"]
    'if the prior is right, holds with 95 % probability at the moment you look'
    """
    part = percent(level)
    words = {"credible": f"if the prior is right, holds with {part} probability at the moment you look"}
    if always:
        words["always_valid"] = (
            f"without a prior, holds at all times together, however you choose and stop, in {part} of assessments "
            "(each group by itself)"
        )
    if design:
        words["design_based"] = (
            f"without a prior, holds at the moment you look in about {part} of assessments that label as many of each "
            "group"
        )
    return words


def render_guarantees(words: dict[str, Any], level: float) -> str:
    """Write the sentences, each on a line of its own or two.

    Examples
    --------
    >>> print(render_guarantees(guarantees(0.9), 0.9))
      90 % credible: if the prior is right, holds with 90 % probability at the moment you look
    """
    lines = (f"{percent(level)} {KINDS[kind]}: {sentence}" for kind, sentence in words.items())
    return "\n".join(fill(line, _WIDTH, initial_indent="  ", subsequent_indent="    ") for line in lines)
