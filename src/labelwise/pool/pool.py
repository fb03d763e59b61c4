"""The pool: the classifier's output for every item and, where known, the true label."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from labelwise.checks import find, hint, shown
from labelwise.errors import DataError, NotFoundError, UnanswerableError
from labelwise.pool.hash import hash_values, mix
from labelwise.pool.html_table import facts_table
from labelwise.pool.layout import ClassName


@dataclass(frozen=True, eq=False, repr=False)
class Pool:
    """The classifier's predictions for a set of items.

    A pool is immutable and identified by its fingerprint. Create one with `read_pool` (files and data frames) or
    `pool_from_arrays`.

    Attributes
    ----------
    classes : class names, text or integers.
    prediction : position in `classes` of the predicted class of each item.
    confidence : score of the predicted class; None if the pool has only predictions.
    scores : one row per item and one column per class; None if unknown.
    labels : position in `classes` of the true class, -1 where unknown; None if the pool has no labels.
    outputs : columns that the classifier's output was read from; hidden from labellers by default.
    fingerprint : 32 hexadecimal digits computed from ids, predictions, labels and columns; independent of the order
        of the rows if they have ids.

    Examples
    --------
    >>> import labelwise as lw
    >>> pool = lw.pool_from_arrays(scores=[[0.9, 0.1], [0.4, 0.6]], labels=["cat", "cat"], classes=["cat", "dog"])
    >>> pool.n_items, pool.classes
    (2, ('cat', 'dog'))
    >>> pool.prediction
    array([0, 1], dtype=int32)
    """

    classes: tuple[ClassName, ...]
    prediction: NDArray[np.int32]
    confidence: NDArray[np.float64] | None
    scores: NDArray[Any] | None
    labels: NDArray[np.int32] | None
    fingerprint: str
    source: str
    ids: pa.Array | None = field(default=None)
    columns: Mapping[str, pa.Array] = field(default_factory=dict)
    content: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()

    @property
    def n_items(self) -> int:
        """Number of items."""
        return len(self.prediction)

    @property
    def n_classes(self) -> int:
        """Number of classes, including those that are never predicted."""
        return len(self.classes)

    @cached_property
    def n_labelled(self) -> int:
        """Number of items with a label."""
        return 0 if self.labels is None else int((self.labels >= 0).sum())

    @cached_property
    def hits(self) -> NDArray[np.bool_]:
        """Whether each item's prediction equals its label; False where the label is unknown."""
        return self.prediction == self.known_labels("hits")

    def id_of(self, item: int) -> ClassName:
        """Return the id of an item: from the id column, or its row number counted from 0."""
        return item if self.ids is None else self.ids[item].as_py()

    def all_ids(self) -> NDArray[Any]:
        """Return the ids of all items."""
        return np.arange(self.n_items) if self.ids is None else _as_numpy(self.ids)

    def places(self, ids: Collection[ClassName]) -> list[int]:
        """Return the positions of items by their ids; raise DataError for an id that is not in the pool."""
        position = {value: i for i, value in enumerate(self.all_ids().tolist())}
        unknown = next((value for value in ids if value not in position), None)
        if unknown is not None:
            raise DataError(f"Item {shown(unknown)} is not in the pool; nothing was changed.")
        return [position[value] for value in ids]

    def shuffled_keys(self, seed: int) -> NDArray[np.uint64]:
        """Return a pseudorandom number per item that depends only on its id and the seed, not on the row order."""
        ids = pa.array(np.arange(self.n_items)) if self.ids is None else self.ids
        return mix(mix(hash_values(ids)), seed + 1)

    def column(self, name: str) -> NDArray[Any]:
        """Return a column as an array."""
        return _as_numpy(self._kept(name))

    def encoded(self, name: str) -> tuple[list[Any], NDArray[np.int32]]:
        """Return the sorted distinct values of a column, and each item's position among them (-1 where empty)."""
        array = _encodable(self._kept(name), name).dictionary_encode()
        values = array.dictionary.to_pylist()
        order = sorted(range(len(values)), key=lambda i: values[i])
        rank = np.full(len(values) + 1, -1, np.int32)  # index -1 (the last entry) is for empty cells
        rank[order] = np.arange(len(values))
        codes: NDArray[np.int32] = rank[array.indices.fill_null(-1).to_numpy()]
        return [values[i] for i in order], codes

    def item(self, item: int) -> dict[str, Any]:
        """Return the id and columns of an item, but never the classifier's output."""
        return {"id": self.id_of(item)} | {name: array[item].as_py() for name, array in self.columns.items()}

    def with_column(self, name: str, values: NDArray[Any], *, origin: str) -> Pool:
        """Return a copy of the pool with one more column; `origin` describes its source and enters the fingerprint."""
        columns = {**self.columns, name: pa.array(values)}
        text = f"{self.fingerprint} {name} {origin}"
        fingerprint = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
        return replace(self, columns=columns, fingerprint=fingerprint)

    def class_index(self, name: ClassName) -> int:
        """Return the position of a class; an integer class may also be given as text."""
        if name not in self.classes:
            name = next((c for c in self.classes if str(c) == str(name)), name)
        return find(name, self.classes, "Class")

    def known_confidence(self, purpose: str) -> NDArray[np.float64]:
        """Return the confidences; raise UnanswerableError if the pool has none, saying that `purpose` needs them."""
        if self.confidence is None:
            raise UnanswerableError(
                f"This pool has no confidences, but {purpose} needs them. Read it with `scores` or `confidence`."
            )
        return self.confidence

    def known_scores(self, purpose: str) -> NDArray[Any]:
        """Return the scores; raise UnanswerableError if the pool has none, saying that `purpose` needs them."""
        if self.scores is None:
            raise UnanswerableError(
                f"This pool has no scores per class, but {purpose} needs them. Read it with `scores`."
            )
        return self.scores

    def known_labels(self, purpose: str) -> NDArray[np.int32]:
        """Return the labels; raise UnanswerableError if the pool has none, saying that `purpose` needs them."""
        if self.labels is None:
            raise UnanswerableError(f"This pool has no labels, but {purpose} needs them. Read it with `label`.")
        return self.labels

    def _kept(self, name: str) -> pa.Array:
        if name not in self.columns:
            raise NotFoundError(f"The pool has no column {name!r}. {hint(name, list(self.columns))}")
        return self.columns[name]

    def _repr_html_(self) -> str:
        known = "scores" if self.scores is not None else "confidences" if self.confidence is not None else "predictions"
        facts = {
            "items": self.n_items,
            "classes": self.n_classes,
            "known": known,
            "labelled": self.n_labelled,
            "columns": ", ".join(self.columns),
            "fingerprint": self.fingerprint,
        }
        return facts_table(facts, title=f"Pool '{self.source}'")

    def __repr__(self) -> str:
        known = "scores" if self.scores is not None else "confidences" if self.confidence is not None else "predictions"
        return (
            f"<Pool '{self.source}': {self.n_items:,} items, {self.n_classes:,} classes, {known}, "
            f"{self.n_labelled:,} labelled, fingerprint {self.fingerprint[:8]}>"
        )


def _encodable(array: pa.Array, name: str) -> pa.Array:
    kinds = pa.types
    if kinds.is_dictionary(array.type):
        array = array.dictionary_decode()  # its dictionary may have values that no item uses
    if kinds.is_floating(array.type):
        array = array.cast(pa.float64())
        return pc.if_else(pc.is_nan(array), None, array)
    if kinds.is_nested(array.type) or isinstance(array, pa.ExtensionArray):
        raise UnanswerableError(
            f"Column {name!r} has {array.type} values, such as {shown(array[0].as_py())}, which cannot define groups. "
            "Group by a column of text or numbers."
        )
    return array.cast(pa.string()) if kinds.is_null(array.type) else array


def _as_numpy(array: pa.Array) -> NDArray[Any]:
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    return np.asarray(array.to_numpy(zero_copy_only=False))
