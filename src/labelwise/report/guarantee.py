"""What each kind of interval promises, in words."""

from __future__ import annotations

from textwrap import fill
from typing import Any

from labelwise.assessment.stopping import rounded_up
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


OTHER_TARGET = {
    "pool": "For exactly the items of this pool",
    "population": "For new items of the same kind",
}


def promises_of(document: dict[str, Any]) -> list[str]:
    """Return what is guaranteed and what is believed, and what is believed about the other target: a sentence each.

    Parameters
    ----------
    document : of an answer, from `outcome`.

    Examples
    --------
    >>> answer = {"sentence": "P(8 is the worst in accuracy) = 0.991", "probability": 0.991}
    >>> answer["proof"] = {"claim": "8 is the worst in accuracy", "error": 0.0471}
    >>> other = {"target": "population", "sentence": "P(8 is the worst in accuracy) = 0.932"}
    >>> for line in promises_of({"answer": answer, "other_target": other}):
    ...     print(line)
    Guaranteed: 8 is the worst in accuracy, wrong with probability at most 0.048 whatever the truth.
    Believed: P(8 is the worst in accuracy) = 0.991.
    For new items of the same kind: P(8 is the worst in accuracy) = 0.932 (believed).
    """
    answer, other = document["answer"], document["other_target"]
    lines = []
    if answer["probability"] is not None:
        lines.append(f"Guaranteed: {_guaranteed(answer['proof'])}.")
    lines.append(f"Believed: {answer['sentence']}.")
    believed = ", believed" if other["sentence"].endswith(")") else " (believed)"
    lines.append(f"{OTHER_TARGET[other['target']]}: {other['sentence']}{believed}.")
    return lines


def _guaranteed(proof: dict[str, Any] | None) -> str:
    if proof is None:
        return "nothing, for no guarantee is known for this question"
    if proof["error"] >= 1:
        return "nothing yet"
    return f"{proof['claim']}, wrong with probability at most {rounded_up(proof['error'])} whatever the truth"


def render_guarantees(words: dict[str, Any], level: float) -> str:
    """Write the sentences, each on a line of its own or two.

    Examples
    --------
    >>> print(render_guarantees(guarantees(0.9), 0.9))
      90 % credible: if the prior is right, holds with 90 % probability at the moment you look
    """
    lines = (f"{percent(level)} {KINDS[kind]}: {sentence}" for kind, sentence in words.items())
    return "\n".join(fill(line, _WIDTH, initial_indent="  ", subsequent_indent="    ") for line in lines)
