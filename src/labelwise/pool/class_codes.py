"""Conversion of class names, as written in a file, to positions in the list of classes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any
from warnings import warn

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from labelwise.checks import hint, listing, shown
from labelwise.errors import DataError, DataWarning
from labelwise.pool.layout import ClassName

_KINDS = {int: "a whole number", str: "text"}
# pandas writes 1 as 1.0 in a column with empty cells
_WHOLE = re.compile(r"(0|-?[1-9]\d{0,17})(\.0)?")


class ClassColumn:
    """A column of class names, dictionary-encoded batch by batch."""

    def __init__(
        self, batches: Sequence[pa.DictionaryArray], what: str, where: Callable[[int], str], *, untyped: bool
    ) -> None:
        column = pa.chunked_array(batches).unify_dictionaries().combine_chunks()
        self.what = what
        self._where = where
        index = column.indices.fill_null(-1).to_numpy()
        # skip dictionary values that no row uses, such as unused pandas categories: they are not classes
        occurring = np.unique(index[index >= 0])
        rank = np.full(len(column.dictionary) + 1, -1, np.int32)  # index -1 (the last entry) is for empty cells
        rank[occurring] = np.arange(len(occurring))
        self.index = rank[index]
        self.values = [self._class_name(i, column.dictionary[k].as_py()) for i, k in enumerate(occurring.tolist())]
        if untyped and all(map(_is_integer, self.values)):
            self.as_integers()

    def as_integers(self) -> None:
        """Convert untyped strings that look like integers to integers."""
        self.values = [int(str(v).removesuffix(".0")) if _is_integer(v) else v for v in self.values]

    def as_text(self) -> None:
        """Convert untyped integers back to text, because another class column is text."""
        self.values = [str(v) for v in self.values]

    @property
    def type(self) -> type:
        """The type of the names: str or int."""
        return type(self.values[0]) if self.values else str

    def cell(self, i: int, what: str | None = None) -> str:
        """Describe the first cell that holds the i-th value."""
        return f"{what or self.what} {shown(self.values[i])} of {self._where(self._row(i))}"

    def _row(self, i: int) -> int:
        return int(np.argmax(self.index == i))

    def _class_name(self, i: int, value: Any) -> ClassName:
        if isinstance(value, str):
            return value
        if isinstance(value, int) or (isinstance(value, Decimal) and value % 1 == 0):
            return int(value)
        raise no_class_name(self.what, value, self._where(self._row(i)))

    def codes(self, classes: Sequence[ClassName], *, may_be_positions: bool = True) -> NDArray[np.int32]:
        """Return each item's position in `classes`, -1 where the cell is empty.

        Integers are read as positions only if the user passed the classes, and so knows their order.
        """
        position = {name: k for k, name in enumerate(classes)}
        by_position = may_be_positions and isinstance(classes[0], str) and self.type is int
        table = np.full(len(self.values) + 1, -1, np.int32)  # index -1 (the last entry) is for empty cells
        for i, value in enumerate(self.values):
            if by_position and isinstance(value, int):
                code = value if 0 <= value < len(classes) else None
            else:
                code = position.get(value)
            if code is None:
                self._refuse(i, classes)
            else:
                table[i] = code
        codes: NDArray[np.int32] = table[self.index]
        return codes

    def _refuse(self, i: int, classes: Sequence[ClassName]) -> None:
        value = self.values[i]
        same_text = next((c for c in classes if str(c) == str(value)), None)
        if same_text is not None:
            raise DataError(
                f"{self.cell(i)} is {_KINDS[type(value)]}, but class {shown(same_text)} is "
                f"{_KINDS[type(same_text)]}. Write both the same way, or pass `classes`."
            )
        raise DataError(
            f"{self.cell(i)} is not one of the {len(classes)} classes. "
            f"{hint(value, classes)} Correct it, or pass all class names as `classes`."
        )


def _is_integer(value: ClassName) -> bool:
    return isinstance(value, int) or _WHOLE.fullmatch(value) is not None


def no_class_name(what: str, value: Any, where: str) -> DataError:
    """Return the error for a prediction or label that cannot be a class name."""
    return DataError(f"{what} {shown(value)} of {where} is not a valid class name. Use text or whole numbers.")


def _share_a_name(columns: Sequence[ClassColumn]) -> bool:
    """Return whether columns of different types share a name, so that all of them can be read as text.

    Columns without a common name encode the classes differently: no prediction would ever equal its label.
    """
    texts = [{str(value) for value in column.values} for column in columns if column.values]
    return len({column.type for column in columns if column.values}) > 1 and bool(set.intersection(*texts))


def settle_classes(
    known: Sequence[ClassName] | None, columns: Sequence[ClassColumn], *, untyped: bool
) -> tuple[ClassName, ...]:
    """Determine the list of classes: as given by the user or the score columns, else all values that occur, sorted."""
    if known is not None:
        names = list(known)
        if len({type(name) for name in names}) > 1:
            raise DataError(f"The `classes` mix text and whole numbers: {listing(names)}. Use only one of the two.")
        for column in columns if untyped else ():
            # in an untyped file '1' may be the name '1' or the position 1: the name takes precedence
            if isinstance(names[0], int):
                column.as_integers()
            elif column.type is int and {str(v) for v in column.values} <= set(names):
                column.as_text()
    else:
        if untyped and _share_a_name(columns):
            for column in columns:
                column.as_text()
        occurring = {value for column in columns for value in column.values}
        if len({type(value) for value in occurring}) > 1:
            first, second = columns
            raise DataError(
                f"{first.cell(0)} is {_KINDS[first.type]}, but {second.cell(0, 'label')} is {_KINDS[second.type]}. "
                "Write both the same way, or pass `classes`."
            )
        names = sorted(occurring)
    if len(names) < 2:
        raise DataError(
            f"There is only one class, {shown(names[0])}; a classifier needs at least two. "
            "Pass all class names as `classes` if some never occur."
        )
    for one, other in look_alikes(names):
        warn(
            f"The classes {one!r} and {other!r} look alike: they differ only in white space or in Unicode form. "
            "They are treated as different classes; correct the file if they are the same.",
            DataWarning,
            stacklevel=2,
        )
    return tuple(names)


def look_alikes(names: Sequence[ClassName]) -> list[tuple[str, str]]:
    """Return the pairs of names that differ only in white space or in their Unicode form.

    Examples
    --------
    >>> look_alikes(["cat", "Cat", "cat ", "dog"])
    [('cat', 'cat ')]
    """
    seen: dict[str, str] = {}
    pairs = []
    for name in names:
        if isinstance(name, str):
            first = seen.setdefault(" ".join(unicodedata.normalize("NFKC", name).split()), name)
            pairs += [(first, name)] if first != name else []
    return pairs
