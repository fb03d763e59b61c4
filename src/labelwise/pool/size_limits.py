"""How large packed data would become: what a stranger's file is checked for before memory is spent on it."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pyarrow as pa

from labelwise.errors import DataError

_FREE, _RATIO = 1 << 28, 100  # what packed data may become: 256 MB, and beyond that 100 times their size


def most_unpacked(n_packed: int) -> int:
    """Return how many bytes so many packed bytes may become.

    Examples
    --------
    >>> most_unpacked(0), most_unpacked(10_000_000)
    (268435456, 1268435456)
    """
    return _FREE + _RATIO * n_packed


def too_large(name: str, n_packed: int) -> DataError:
    """Refuse a file that would fill the memory."""
    return DataError(
        f"'{name}' has {n_packed:,} bytes and would take more than {most_unpacked(n_packed):,} when unpacked. It may "
        "be harmful; if it is not, write it again without compression."
    )


def check_unpacked(pieces: Sequence[bytes]) -> None:
    """Refuse Arrow streams that would become far larger than they are, or that have more values than bytes can hold.

    Sizes are read from the descriptions of the batches; nothing is unpacked.
    """
    limit = most_unpacked(sum(map(len, pieces)))
    n_bytes = 0
    for piece in pieces:
        try:
            batches = [batch for message in _messages(piece) for batch in _batches(message)]
        except (pa.ArrowException, OSError, ValueError, struct.error) as error:
            raise DataError(f"A piece of the pool is damaged ({type(error).__name__}). Restore the store.") from None
        own = sum(batch.n_bytes for batch in batches)
        n_bytes += own
        # eight values per byte at most: types without bytes of their own (null, run-ends) could claim any number
        most = 64 + 8 * own
        if n_bytes > limit or any(batch.n_values > most for batch in batches):
            raise DataError(
                "The pool of this store would fill the memory when unpacked. Do not open it; it may be harmful."
            )


class _Batch(NamedTuple):
    n_bytes: int
    n_values: int  # of the longest array


def _messages(piece: bytes) -> Iterator[pa.ipc.Message]:
    reader = pa.ipc.MessageReader.open_stream(piece)
    while True:
        try:
            yield reader.read_next_message()
        except StopIteration:
            return


def _batches(message: pa.ipc.Message) -> Iterator[_Batch]:
    """Read the sizes from the metadata of a message, a table of FlatBuffers (format/Message.fbs of Apache Arrow)."""
    if message.type == "schema":
        return
    metadata, body = message.metadata.to_pybytes(), memoryview(message.body)
    header = _table(metadata, _root(metadata), 2)  # Message: version, header type, header
    batch = _table(metadata, header, 1) if message.type == "dictionary" else header  # DictionaryBatch: id, data
    is_compressed = _field(metadata, batch, 3) is not None  # RecordBatch: length, nodes, buffers, compression
    buffers = _pairs(metadata, batch, 2)
    n_bytes = sum(_unpacked(body, start, length) if is_compressed else length for start, length in buffers if length)
    n_values = [length for length, _ in _pairs(metadata, batch, 1)]
    yield _Batch(n_bytes, max(n_values, default=0))


def _unpacked(body: memoryview, start: int, length: int) -> int:
    """Read how long a packed buffer will be: its first eight bytes say so; -1 for one that is not packed."""
    (unpacked,) = struct.unpack_from("<q", body, start)
    if unpacked < -1:
        raise ValueError("a buffer has less than no bytes")
    return length if unpacked == -1 else int(unpacked)


def _root(data: bytes) -> int:
    return int(struct.unpack_from("<I", data, 0)[0])


def _field(data: bytes, table: int, number: int) -> int | None:
    """Return where a field of a table is; None if it is left out."""
    vtable = table - struct.unpack_from("<i", data, table)[0]
    (size,) = struct.unpack_from("<H", data, vtable)
    if 4 + 2 * number >= size:
        return None
    (offset,) = struct.unpack_from("<H", data, vtable + 4 + 2 * number)
    return table + offset if offset else None


def _table(data: bytes, table: int, number: int) -> int:
    """Return where the table is that a field of a table points to."""
    place = _field(data, table, number)
    if place is None:
        raise ValueError("a description lacks a part")
    return place + int(struct.unpack_from("<I", data, place)[0])


def _pairs(data: bytes, table: int, number: int) -> Iterator[tuple[int, int]]:
    """Return the structures of two long numbers that a field of a table lists."""
    if _field(data, table, number) is None:
        return
    start = _table(data, table, number)
    (length,) = struct.unpack_from("<I", data, start)
    for k in range(length):
        yield struct.unpack_from("<qq", data, start + 4 + 16 * k)
