"""The papers' text format: each line has the label and one score per class, separated by white space."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from labelwise.checks import counted
from labelwise.errors import DataError
from labelwise.pool.formats.csv import open_separated
from labelwise.pool.source import Source, empty, unreadable


def open_papers(path: Path) -> Source:
    """Open a file without a header; its columns become `label`, `s0`, `s1` and so on."""
    try:
        with pa.input_stream(path) as file:
            data = file.read().removeprefix(b"\xef\xbb\xbf")
    except OSError:
        raise unreadable(path.name) from None
    lines = [b" ".join(line.split()) for line in data.splitlines()]
    lines = [line for line in lines if line]
    if not lines:
        raise empty(path.name)
    n_scores = lines[0].count(b" ")
    if n_scores < 2:
        raise DataError(
            f"The first line of '{path.name}' has {counted(n_scores + 1, 'field')}; a line must have a label and at "
            "least two scores, separated by white space. Set `format` if the file has another format."
        )
    header = ["label", *(f"s{k}" for k in range(n_scores))]
    return open_separated(pa.BufferReader(b"\n".join(lines) + b"\n"), path.name, separator=" ", header=header)
