"""What `labelwise store verify` looks at: the chain of events, the belief, and the file of predictions."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from labelwise.assessment import Assessment
from labelwise.cli.request import Request
from labelwise.cli.setups import pool_of
from labelwise.errors import LabelwiseError
from labelwise.store import Store

_TOLERANCE = 1e-12


def problems_of(store: Store, name: str, pool: Path | None) -> list[str]:
    """Return everything that is not as it was written, in sentences; empty if all is well."""
    problems = store.verify(name)
    if problems:
        return problems  # a fold over edited events proves nothing
    assessment = store.open(name)
    return _wrong_belief(assessment) + _changed_pool(assessment, pool, store.folder)


def _wrong_belief(assessment: Assessment) -> list[str]:
    """Learn all labels that count at once, and compare with the belief that was built event by event."""
    label_of = assessment.ledger.label_of
    items, labels = np.array(list(label_of), np.int64), np.array(list(label_of.values()), np.int64)
    anew = assessment.setup.start().update(items, labels)
    if np.allclose(anew.mean(), assessment.belief.mean(), rtol=0, atol=_TOLERANCE, equal_nan=True):
        return []
    return ["The belief is not what the labels make it."]


def _found(said: str, folder: Path) -> Path:
    """Return the file of that name: as it was said, or from the folder of the store if it is not here."""
    path = Path(said)
    return path if path.is_file() else folder / path


def _changed_pool(assessment: Assessment, pool: Path | None, folder: Path) -> list[str]:
    """Read the predictions again as they were read for `new`; a file that is gone is no problem unless named."""
    if assessment.setup.origin is None:
        return []
    origin = dict(assessment.setup.origin)
    path = pool or _found(origin["file"], folder)
    if "against" in origin:
        origin["against"] = str(_found(origin["against"], folder))
    if pool is None and not all(Path(name).is_file() for name in (path, origin.get("against", path))):
        return []
    read = [str(path), *([origin["against"]] if "against" in origin else [])]
    try:
        found = pool_of(Request.of_origin(origin), path, lambda done, total: None).fingerprint
    except LabelwiseError as error:
        return [f"The predictions in '{path}' cannot be read as they were: {error}"]
    if found == assessment.pool.fingerprint:
        return []
    return [
        f"The predictions in {' or '.join(map(repr, read))} changed since `new` (fingerprint {found[:8]}, was "
        f"{assessment.pool.fingerprint[:8]}); the answers are about the ones that were there then. Make a new "
        "assessment of the new ones."
    ]
