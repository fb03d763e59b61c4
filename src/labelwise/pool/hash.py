"""Hashes of values, row by row, for fingerprints and for a pseudorandom order of items by id.

The hash of a value depends only on the value, so that a pool has the same fingerprint however it is split into
batches. The hashes are not cryptographic.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

_Hashes = NDArray[np.uint64]
_SHORT = 64  # bytes; longer strings are rare in ids, and hashing them one by one is cheap enough


def mix(values: _Hashes, salt: int = 0) -> _Hashes:
    """Scramble 64-bit words so that every input bit affects every output bit (the splitmix64 finaliser)."""
    with np.errstate(over="ignore"):
        z = values + np.uint64((salt * 0x9E3779B97F4A7C15 + 0x9E3779B97F4A7C15) % 2**64)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def _weights(n: int, salt: int) -> _Hashes:
    return mix(np.arange(n, dtype=np.uint64), salt) | np.uint64(1)


def hash_matrix(matrix: NDArray[Any]) -> _Hashes:
    """Hash each row of a matrix of floats: the weighted sum of its words modulo 2^64, scrambled.

    Examples
    --------
    >>> import numpy as np
    >>> first = hash_matrix(np.eye(3, dtype=np.float32))
    >>> bool(first[1] == hash_matrix(np.eye(3, dtype=np.float32)[1:])[0])
    True
    """
    n_rows, n_columns = matrix.shape
    words = np.ascontiguousarray(matrix).view(np.uint32).reshape(n_rows, -1)
    if words.shape[1] % 2 == 0:
        words = words.view(np.uint64)
    weights = _weights(words.shape[1], n_columns)
    with np.errstate(over="ignore"):
        return mix(words.astype(np.uint64, copy=False) @ weights)


def hash_values(values: pa.Array) -> _Hashes:
    """Hash each value of an Arrow array: floats by their bits, other values by their text, nulls to 0."""
    if isinstance(values, pa.DictionaryArray):
        of_code = np.append(hash_values(values.dictionary), np.uint64(0))  # index -1 (the last entry) is for nulls
        codes: _Hashes = of_code[values.indices.cast(pa.int64()).fill_null(-1).to_numpy()]
        return codes
    if pa.types.is_floating(values.type):
        # + 0.0 turns -0.0 into 0.0
        numbers = values.cast(pa.float64()).to_numpy(zero_copy_only=False) + 0.0
        hashes = mix(numbers.view(np.uint64), 1)
    else:
        hashes = _hash_texts(_as_texts(values))
    if values.null_count:
        hashes[values.is_null().to_numpy(zero_copy_only=False)] = 0
    return hashes


def _as_texts(values: pa.Array) -> pa.Array:
    kinds = pa.types
    if kinds.is_binary(values.type) or kinds.is_large_binary(values.type) or kinds.is_fixed_size_binary(values.type):
        return values.cast(pa.large_binary())
    if not kinds.is_nested(values.type):
        try:
            return values.cast(pa.large_string())
        except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
            pass  # an extension type without a text form
    return pa.array([None if value is None else repr(value) for value in values.to_pylist()], pa.large_string())


def _hash_texts(texts: pa.Array) -> _Hashes:
    if len(texts) == 0:
        return np.zeros(0, np.uint64)
    _, offset_buffer, data_buffer = texts.buffers()
    offsets = np.frombuffer(offset_buffer, np.int64)[texts.offset : texts.offset + len(texts) + 1]
    lengths = np.diff(offsets)
    if data_buffer is None or offsets[-1] == offsets[0]:
        return mix(np.zeros(len(texts), np.uint64), 2)
    data = np.frombuffer(data_buffer, np.uint8)[offsets[0] : offsets[-1]]
    starts = offsets[:-1] - offsets[0]
    hashes = np.zeros(len(texts), np.uint64)
    is_long = lengths > _SHORT
    if is_long.any():
        for i in np.flatnonzero(is_long):
            text = data[starts[i] : starts[i] + lengths[i]].tobytes()
            hashes[i] = int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")
    short = np.flatnonzero(~is_long & (lengths > 0))
    if len(short):
        kept = lengths[short]
        firsts = np.cumsum(kept) - kept
        position = np.arange(kept.sum()) - np.repeat(firsts, kept)
        letters = data[np.repeat(starts[short], kept) + position].astype(np.uint64) + np.uint64(1)
        with np.errstate(over="ignore"):
            hashes[short] = np.add.reduceat(letters * _weights(_SHORT, 3)[position], firsts)
    return mix(hashes, 2)
