"""Limits on the decompressed size of files, checked before memory is allocated (protection against zip bombs)."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pyarrow as pa

from labelwise.errors import DataError

_FREE, _RATIO = 1 << 28, 100  # decompressed size may be 256 MB plus 100 times the compressed size


def most_unpacked(n_packed: int) -> int:
    """Return the largest allowed decompressed size in bytes of `n_packed` compressed bytes.

    Examples
    --------
    >>> most_unpacked(0), most_unpacked(10_000_000)
    (268435456, 1268435456)
    """
    return _FREE + _RATIO * n_packed


def too_large(name: str, n_packed: int) -> DataError:
    """Return the error for a file whose decompressed size exceeds the limit."""
    return DataError(
        f"'{name}' has {n_packed:,} bytes and would take more than {most_unpacked(n_packed):,} when decompressed. It "
        "may be malicious; if you trust it, write it again without compression."
    )


def check_unpacked(pieces: Sequence[bytes]) -> None:
    """Refuse Arrow streams that decompress to far more bytes, or that claim more values than their bytes can hold.

    Sizes are read from the metadata of the batches; nothing is decompressed.
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
        # at most eight values per byte: types without buffers (null, run-end encoded) could claim any number
        most = 64 + 8 * own
        if n_bytes > limit or any(batch.n_values > most for batch in batches):
            raise DataError(
                "The pool of this store would exhaust the memory when decompressed. Do not open the store; it may be "
                "malicious."
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
    """Read the sizes from a message's metadata, a FlatBuffers table (format/Message.fbs in Apache Arrow)."""
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
    """Return the decompressed length of a buffer, stored in its first eight bytes (-1 if it is not compressed)."""
    (unpacked,) = struct.unpack_from("<q", body, start)
    if unpacked < -1:
        raise ValueError("a buffer has a negative length")
    return length if unpacked == -1 else int(unpacked)


def _root(data: bytes) -> int:
    return int(struct.unpack_from("<I", data, 0)[0])


def _field(data: bytes, table: int, number: int) -> int | None:
    """Return the position of a field of a table; None if the field is absent."""
    vtable = table - struct.unpack_from("<i", data, table)[0]
    (size,) = struct.unpack_from("<H", data, vtable)
    if 4 + 2 * number >= size:
        return None
    (offset,) = struct.unpack_from("<H", data, vtable + 4 + 2 * number)
    return table + offset if offset else None


def _table(data: bytes, table: int, number: int) -> int:
    """Return the position of the table that a field points to."""
    position = _field(data, table, number)
    if position is None:
        raise ValueError("a required field is missing")
    return position + int(struct.unpack_from("<I", data, position)[0])


def _pairs(data: bytes, table: int, number: int) -> Iterator[tuple[int, int]]:
    """Yield the pairs of 64-bit integers in a vector field of a table."""
    if _field(data, table, number) is None:
        return
    start = _table(data, table, number)
    (length,) = struct.unpack_from("<I", data, start)
    for k in range(length):
        yield struct.unpack_from("<qq", data, start + 4 + 16 * k)
