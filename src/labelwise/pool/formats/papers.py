"""The papers' text format: each line has the label, then one score a class, white space between them."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

from labelwise.errors import DataError
from labelwise.pool.formats.csv import open_separated
from labelwise.pool.source import Source


def open_papers(path: Path) -> Source:
    """Open a file whose columns have no names; they become `label`, `s0`, `s1` and so on."""
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    lines = [b" ".join(line.split()) for line in data.splitlines()]
    lines = [line for line in lines if line]
    if not lines:
        raise DataError(f"'{path.name}' is empty. Check that it was written.")
    n_scores = lines[0].count(b" ")
    if n_scores < 2:
        raise DataError(
            f"The first line of '{path.name}' has {n_scores + 1} fields; the format is a label and at least two "
            "scores, white space between them. Give `format` if it is another one."
        )
    header = ["label", *(f"s{k}" for k in range(n_scores))]
    return open_separated(io.BytesIO(b"\n".join(lines) + b"\n"), path.name, separator=" ", header=header)
