"""From class names as they stand in a file to positions in the list of classes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from labelwise.checks import hint, listing
from labelwise.errors import DataError
from labelwise.pool.layout import ClassName

_CANONICAL_INTEGER = re.compile(r"0|-?[1-9]\d{0,17}")


class ClassColumn:
    """A column of class names, dictionary-encoded batch by batch."""

    def __init__(self, batches: Sequence[pa.DictionaryArray], what: str, where: Any, *, untyped: bool) -> None:
        column = pa.chunked_array(batches).unify_dictionaries().combine_chunks()
        self.what = what
        self._where = where
        self.values = [_class_name(value, what) for value in column.dictionary.to_pylist()]
        self.index = column.indices.fill_null(-1).to_numpy().astype(np.int32)
        if untyped and all(isinstance(v, str) and _CANONICAL_INTEGER.fullmatch(v) for v in self.values):
            self.values = [int(v) for v in self.values]

    def as_text(self) -> None:
        """Take untyped integers back to text, because another column of classes is text."""
        self.values = [str(v) for v in self.values]

    @property
    def type(self) -> type:
        """The type of the names: str or int."""
        return type(self.values[0]) if self.values else str

    def codes(self, classes: Sequence[ClassName]) -> NDArray[np.int32]:
        """Give each item's position in `classes`, -1 where the cell is empty."""
        position = {name: k for k, name in enumerate(classes)}
        by_position = isinstance(classes[0], str) and self.type is int
        table = np.full(len(self.values) + 1, -1, np.int32)  # the last entry serves the empty cells
        for i, value in enumerate(self.values):
            if by_position and isinstance(value, int):
                found = value if 0 <= value < len(classes) else None
            else:
                found = position.get(value)
            if found is None:
                self._refuse(i, classes)
            else:
                table[i] = found
        codes: NDArray[np.int32] = table[self.index]
        return codes

    def _refuse(self, i: int, classes: Sequence[ClassName]) -> None:
        row = int(np.argmax(self.index == i))
        value = self.values[i]
        same_text = next((c for c in classes if str(c) == str(value)), None)
        if same_text is not None:
            kinds = {int: "a whole number", str: "text"}
            raise DataError(
                f"{self.what} {value!r} of {self._where(row)} is {kinds[type(value)]}, but class {same_text!r} is "
                f"{kinds[type(same_text)]}. Write both the same way, or name the `classes`."
            )
        raise DataError(
            f"{self.what} {value!r} of {self._where(row)} is not one of the {len(classes)} classes. "
            f"{hint(value, classes)} Correct it, or name all `classes`."
        )


def _class_name(value: Any, what: str) -> ClassName:
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, int)):
        return int(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    raise DataError(f"{what} {value!r} is not the name of a class; use text or whole numbers.")


def settle_classes(
    known: Sequence[ClassName] | None, columns: Sequence[ClassColumn], *, untyped: bool
) -> tuple[ClassName, ...]:
    """Settle the list of classes: as said by the user or the score columns, else all that occur, sorted."""
    if known is not None:
        names = list(known)
        if len({type(name) for name in names}) > 1:
            raise DataError(f"The `classes` mix text and whole numbers: {listing(names)}. Use one of the two.")
        if untyped and isinstance(names[0], str):
            for column in columns:
                # in an untyped file '1' may be the name '1' as well as the position 1: the name goes first
                if column.type is int and {str(v) for v in column.values} <= set(map(str, names)):
                    column.as_text()
    else:
        if untyped and len({column.type for column in columns}) > 1:
            for column in columns:
                column.as_text()
        occurring = {value for column in columns for value in column.values}
        if len({type(value) for value in occurring}) > 1:
            first, second = columns[0], columns[-1]
            raise DataError(
                f"{first.what}s and {second.what.lower()}s mix text and whole numbers, such as "
                f"{first.values[0]!r} and {second.values[0]!r}. Write both the same way, or name the `classes`."
            )
        names = sorted(occurring)
    if len(names) < 2:
        raise DataError(
            f"There is only one class, {names[0]!r}; a classifier needs at least two. "
            "Name all `classes` if some never occur."
        )
    return tuple(names)
