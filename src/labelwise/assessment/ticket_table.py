"""Tickets and what became of them, kept in columns: half a million are a few arrays, not as many objects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

Status = Literal["open", "expired", "told", "skipped", "unknown", "withdrawn"]
STATUSES: tuple[Status, ...] = get_args(Status)
_CODES = {status: code for code, status in enumerate(STATUSES)}
_ANSWERED = [_CODES[status] for status in ("told", "skipped", "unknown")]
_COLUMNS = np.dtype(
    [
        ("item", np.int64), ("group", np.int32), ("labeller", np.int32), ("until", np.float64), ("status", np.int8),
        ("label", np.int32), ("is_second", np.bool_), ("event", np.int64), ("said_by", np.int32),
    ]
)  # fmt: skip


@dataclass(frozen=True)
class TicketRecord:
    """What is known of a ticket.

    Attributes
    ----------
    item, group : what was handed out.
    labeller : to whom.
    until : when the lease ends.
    label : what was told, if anything.
    is_second : whether it asks for a second opinion, which never changes the belief.
    event : number of the event that last told or skipped it; None if none did.
    said_by : who told or skipped it then.
    """

    ticket: int
    item: int
    group: int
    labeller: str
    until: float
    status: Status
    label: int | None = None
    is_second: bool = False
    event: int | None = None
    said_by: str | None = None

    def says(self, label: int | None, is_unknown: bool) -> bool:
        """Return whether this label, or that there is none, was told of the ticket."""
        if label is None:
            return self.status == ("unknown" if is_unknown else "skipped")
        return self.status == "told" and self.label == label


class Rows:
    """A structured array that grows at its end, in constant time per row on average.

    Examples
    --------
    >>> rows = Rows(np.dtype([("event", np.int64), ("label", np.int32)]))
    >>> rows.append((7, 1))
    >>> rows.array["event"]
    array([7])
    """

    def __init__(self, dtype: np.dtype[Any], columns: dict[str, NDArray[Any]] | None = None) -> None:
        length = len(next(iter(columns.values()))) if columns else 0
        self._rows = np.zeros(16 + length + length // 8, dtype)
        self._length = length
        for name, values in (columns or {}).items():
            self._rows[name][:length] = values

    @property
    def array(self) -> NDArray[Any]:
        """The rows, not copied."""
        return self._rows[: self._length]

    def append(self, row: tuple[Any, ...]) -> None:
        """Add a row at the end."""
        if self._length == len(self._rows):
            self._rows = np.concatenate([self._rows, np.zeros_like(self._rows)])
        self._rows[self._length] = row
        self._length += 1

    def columns(self) -> dict[str, NDArray[Any]]:
        """Return the rows column by column, for a snapshot."""
        rows = self.array
        return {name: rows[name].copy() for name in rows.dtype.names or ()}

    def __len__(self) -> int:
        return self._length


class Names:
    """Numbers for the names of labellers, in the order in which they came.

    Examples
    --------
    >>> names = Names()
    >>> names.code("ann"), names.code("bob"), names.code("ann"), names[1]
    (0, 1, 0, 'bob')
    """

    def __init__(self, names: Sequence[str] = ()) -> None:
        self._names = list(names)
        self._codes = {name: code for code, name in enumerate(self._names)}

    def code(self, name: str) -> int:
        """Return the number of a name; a new one if it has none yet."""
        code = self._codes.setdefault(name, len(self._names))
        if code == len(self._names):
            self._names.append(name)
        return code

    def find(self, name: str) -> int:
        """Return the number of a name, -1 if it has none."""
        return self._codes.get(name, -1)

    def __getitem__(self, code: int) -> str:
        return self._names[code]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)


class TicketTable(Sequence[TicketRecord]):
    """All tickets by their number. A slip is made when it is asked for; counting makes none."""

    def __init__(self, names: Names, columns: dict[str, NDArray[Any]] | None = None) -> None:
        self._names = names
        self._rows = Rows(_COLUMNS, columns)

    def add(self, item: int, group: int, labeller: str, until: float, *, is_second: bool) -> None:
        """Add a ticket that was just handed out."""
        self._rows.append((item, group, self._names.code(labeller), until, _CODES["open"], -1, is_second, -1, -1))

    def set(self, ticket: int, status: Status, *, label: int | None = None) -> None:
        """Change the status of a ticket, and its label with it."""
        row = self._rows.array[ticket]
        row["status"], row["label"] = _CODES[status], -1 if label is None else label

    def answer(self, ticket: int, status: Status, event: int, said_by: str, *, label: int | None = None) -> None:
        """Record the new status and label of a ticket, the event that set them, and who answered."""
        self.set(ticket, status, label=label)
        row = self._rows.array[ticket]
        row["event"], row["said_by"] = event, self._names.code(said_by)

    def extend(self, ticket: int, until: float) -> None:
        """Set the end of a lease."""
        self._rows.array[ticket]["until"] = until

    def with_status(self, *wanted: Status, is_second: bool = False) -> list[TicketRecord]:
        """Return the tickets of some statuses: those that ask for a label, or those that ask for a second opinion."""
        return [self[ticket] for ticket in self._tickets(wanted, is_second)]

    def expired_since(self, at: float) -> list[TicketRecord]:
        """Return the expired tickets whose leases ended at a time or later."""
        rows = self._rows.array
        found = np.flatnonzero((rows["status"] == _CODES["expired"]) & (rows["until"] >= at))
        return [self[ticket] for ticket in found]

    def returned_by(self, labeller: str) -> Iterator[TicketRecord]:
        """Yield the tickets of a labeller that expired or were withdrawn, newest first."""
        rows = self._rows.array
        is_back = np.isin(rows["status"], [_CODES["expired"], _CODES["withdrawn"]]) & ~rows["is_second"]
        for ticket in np.flatnonzero(is_back & (rows["labeller"] == self._names.find(labeller)))[::-1]:
            yield self[ticket]

    def items(self, *wanted: Status) -> NDArray[np.int64]:
        """Return the items of the tickets of some statuses that ask for a label."""
        found: NDArray[np.int64] = self._rows.array["item"][self._tickets(wanted, is_second=False)]
        return found

    def counts(self, *, is_second: bool = False) -> Counter[Status]:
        """Count tickets by status."""
        rows = self._rows.array
        counts = np.bincount(rows["status"][rows["is_second"] == is_second], minlength=len(STATUSES))
        return Counter(dict(zip(STATUSES, counts.tolist(), strict=True)))

    def of(self, labeller: str) -> NDArray[np.int64]:
        """Return the tickets that a labeller told or skipped and that were not taken back, in the order of saying."""
        rows = self._rows.array
        found = np.flatnonzero((rows["said_by"] == self._names.find(labeller)) & np.isin(rows["status"], _ANSWERED))
        in_order: NDArray[np.int64] = found[np.argsort(rows["event"][found])]
        return in_order

    def labellers(self) -> dict[str, tuple[Counter[str], int]]:
        """Return, by labeller, how many tickets were told, skipped or unknown, and the number of the newest event.

        Second opinions are counted as second_told and so on. What was taken back does not count.
        """
        rows = self._rows.array
        rows = rows[np.isin(rows["status"], _ANSWERED)]
        kinds = (*STATUSES, *(f"second_{status}" for status in STATUSES))
        found: dict[str, tuple[Counter[str], int]] = {}
        for code in np.unique(rows["said_by"]).tolist():
            own = rows[rows["said_by"] == code]
            counts = np.bincount(own["status"] + len(STATUSES) * own["is_second"], minlength=len(kinds)).tolist()
            found[self._names[code]] = Counter(dict(zip(kinds, counts, strict=True))), int(own["event"].max())
        return found

    def columns(self) -> dict[str, NDArray[Any]]:
        """Return all tickets column by column, for a snapshot."""
        return self._rows.columns()

    def _tickets(self, wanted: Sequence[Status], is_second: bool) -> NDArray[np.intp]:
        rows = self._rows.array
        return np.flatnonzero(
            np.isin(rows["status"], [_CODES[status] for status in wanted]) & (rows["is_second"] == is_second)
        )

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, ticket: Any) -> Any:  # an int or a slice, as every sequence
        if isinstance(ticket, slice):
            return [self[k] for k in range(*ticket.indices(len(self)))]
        item, group, labeller, until, status, label, is_second, event, said_by = self._rows.array[ticket].item()
        return TicketRecord(
            int(ticket), item, group, self._names[labeller], until, STATUSES[status], None if label < 0 else label,
            is_second, None if event < 0 else event, None if said_by < 0 else self._names[said_by],
        )  # fmt: skip
