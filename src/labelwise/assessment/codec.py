"""Questions, metrics, policies, priors and stopping rules as plain data, and back.

Only classes of labelwise itself are made from data, by name from a fixed table: a store that came from somebody else
can say what to ask, but never what to run.
"""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Any

import numpy as np

from labelwise.assessment.stopping import STOPPING_RULES
from labelwise.beliefs import PRIORS, CustomPrior
from labelwise.errors import DataError
from labelwise.metrics import METRICS, ConfusionFunction
from labelwise.policies import POLICIES
from labelwise.questions import QUESTIONS

_KIND, _FOREIGN = "is", "python"


_ADDED = ("within", "is_guaranteed")  # fields that older stores do not have; kept only where they say something


@cache
def _known() -> dict[str, type]:
    families = (QUESTIONS, METRICS, POLICIES, PRIORS)
    members = [kind for family in families for kind in family.values()]
    return {kind.__name__: kind for kind in (*members, CustomPrior, ConfusionFunction, *STOPPING_RULES)}


def encode(value: Any) -> Any:
    """Write a set-up object as JSON values.

    Examples
    --------
    >>> import labelwise as lw
    >>> encode(lw.Worst(lw.accuracy, m=3))
    {'is': 'Worst', 'metric': {'is': 'Accuracy'}, 'm': 3}
    >>> decode(encode(lw.Worst(lw.accuracy, m=3)))
    Worst(metric=Accuracy(), m=3, within=0.0)
    """
    if isinstance(value, (np.ndarray, np.generic)):
        return encode(value.tolist())
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [encode(entry) for entry in value]
    kind = type(value)
    if _known().get(kind.__name__) is kind:
        kept = {f.name: encode(getattr(value, f.name)) for f in fields(value) if f.init}
        added = {f.name for f in fields(value) if f.name in _ADDED and kept.get(f.name) == f.default}
        return {_KIND: kind.__name__} | {name: entry for name, entry in kept.items() if name not in added}
    named = value if hasattr(value, "__qualname__") else kind  # a function by its own name, an object by its class
    return {_FOREIGN: f"{named.__module__}:{named.__qualname__}"}


def decode(data: Any) -> Any:
    """Read a set-up object back, refusing what only Python can make."""
    if isinstance(data, list):
        return tuple(decode(entry) for entry in data)
    if not isinstance(data, dict):
        return data
    if _FOREIGN in data:
        raise DataError(
            f"This assessment was set up in Python with '{data[_FOREIGN]}', which a file cannot bring along. "
            "Open it in Python with `Assessment(..., journal=store.journal(name))`."
        )
    kind = _known().get(data.get(_KIND, ""))
    if kind is None:
        raise DataError(f"The set-up names {data.get(_KIND)!r}, which this labelwise does not know. Update labelwise.")
    return kind(**{name: decode(entry) for name, entry in data.items() if name != _KIND})
