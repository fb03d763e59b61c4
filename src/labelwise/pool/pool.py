"""The pool: what the classifier said about every item, and, where known, what is true."""

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

    A pool never changes, and its fingerprint tells it from every other. Make one with `read_pool` (files and data
    frames) or `pool_from_arrays`.

    Attributes
    ----------
    classes : names of the classes, text or whole numbers.
    prediction : position in `classes` of the predicted class of each item.
    confidence : score of the predicted class; None if the pool has predictions only.
    scores : one row an item, one column a class; None if unknown.
    labels : position of the true class, -1 where it is not known; None if no labels came with the pool.
    outputs : names of the columns that the classifier's output was read from; no labeller may see them unasked.
    fingerprint : 32 hexadecimal digits made from ids, predictions, labels and columns, whatever the order of rows
        that have ids.

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
        """How many items the pool has."""
        return len(self.prediction)

    @property
    def n_classes(self) -> int:
        """How many classes there are, the ones that are never predicted included."""
        return len(self.classes)

    @cached_property
    def n_labelled(self) -> int:
        """How many items came with a label."""
        return 0 if self.labels is None else int((self.labels >= 0).sum())

    @cached_property
    def hits(self) -> NDArray[np.bool_]:
        """Whether the prediction of each item is its label; False where the label is not known."""
        return self.prediction == self.known_labels("hits")

    def id_of(self, item: int) -> ClassName:
        """Give the id of an item: from the id column, else its row number counted from 0."""
        return item if self.ids is None else self.ids[item].as_py()

    def all_ids(self) -> NDArray[Any]:
        """Give the ids of all items."""
        return np.arange(self.n_items) if self.ids is None else _as_numpy(self.ids)

    def places(self, ids: Collection[ClassName]) -> list[int]:
        """Give the positions of items by their ids, refusing one that is not in the pool."""
        place = {value: i for i, value in enumerate(self.all_ids().tolist())}
        strange = next((value for value in ids if value not in place), None)
        if strange is not None:
            raise DataError(f"Item {shown(strange)} is not in the pool; nothing was changed.")
        return [place[value] for value in ids]

    def shuffled_keys(self, seed: int) -> NDArray[np.uint64]:
        """Give each item a random number made from its id and the seed alone, whatever the order of rows."""
        ids = pa.array(np.arange(self.n_items)) if self.ids is None else self.ids
        return mix(mix(hash_values(ids)), seed + 1)

    def column(self, name: str) -> NDArray[Any]:
        """Give a kept column as an array."""
        return _as_numpy(self._kept(name))

    def encoded(self, name: str) -> tuple[list[Any], NDArray[np.int32]]:
        """Give the sorted values of a kept column, and each item's position among them (-1 where it is empty)."""
        array = _encodable(self._kept(name), name).dictionary_encode()
        values = array.dictionary.to_pylist()
        order = sorted(range(len(values)), key=lambda i: values[i])
        rank = np.full(len(values) + 1, -1, np.int32)  # the last entry serves the empty cells
        rank[order] = np.arange(len(values))
        codes: NDArray[np.int32] = rank[array.indices.fill_null(-1).to_numpy()]
        return [values[i] for i in order], codes

    def item(self, item: int) -> dict[str, Any]:
        """Give id, kept columns and content of an item, but never what the classifier said."""
        return {"id": self.id_of(item)} | {name: array[item].as_py() for name, array in self.columns.items()}

    def with_column(self, name: str, values: NDArray[Any], *, origin: str) -> Pool:
        """Give a pool that keeps one more column; `origin` says where it is from, and goes into the fingerprint."""
        columns = {**self.columns, name: pa.array(values)}
        text = f"{self.fingerprint} {name} {origin}"
        fingerprint = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
        return replace(self, columns=columns, fingerprint=fingerprint)

    def class_index(self, name: ClassName) -> int:
        """Give the position of a class; text that reads as the whole number of a class is understood too."""
        if name not in self.classes:
            name = next((c for c in self.classes if str(c) == str(name)), name)
        return find(name, self.classes, "Class")

    def known_confidence(self, purpose: str) -> NDArray[np.float64]:
        """Give the confidences, or refuse because `purpose` needs them."""
        if self.confidence is None:
            raise UnanswerableError(
                f"This pool has predictions without confidences, and {purpose} needs them. "
                "Read it with `scores` or `confidence`."
            )
        return self.confidence

    def known_scores(self, purpose: str) -> NDArray[Any]:
        """Give the scores, or refuse because `purpose` needs them."""
        if self.scores is None:
            raise UnanswerableError(
                f"This pool has no score for every class, and {purpose} needs them. Read it with `scores`."
            )
        return self.scores

    def known_labels(self, purpose: str) -> NDArray[np.int32]:
        """Give the labels, or refuse because `purpose` needs them."""
        if self.labels is None:
            raise UnanswerableError(f"This pool has no labels, and {purpose} needs them. Read it with `label`.")
        return self.labels

    def _kept(self, name: str) -> pa.Array:
        if name not in self.columns:
            raise NotFoundError(f"The pool keeps no column {name!r}. {hint(name, list(self.columns))}")
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
        array = array.dictionary_decode()  # its dictionary may list values that no item has
    if kinds.is_floating(array.type):
        array = array.cast(pa.float64())
        return pc.if_else(pc.is_nan(array), None, array)
    if kinds.is_nested(array.type) or isinstance(array, pa.ExtensionArray):
        raise UnanswerableError(
            f"Column {name!r} holds {array.type} values, such as {shown(array[0].as_py())}, which cannot be sorted "
            "into groups. Group by a column of text or numbers."
        )
    return array.cast(pa.string()) if kinds.is_null(array.type) else array


def _as_numpy(array: pa.Array) -> NDArray[Any]:
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    return np.asarray(array.to_numpy(zero_copy_only=False))
